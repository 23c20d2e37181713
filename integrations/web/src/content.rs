//! The content of models, levels, sounds and pictures as typed arrays.

use std::collections::BTreeMap;

use js_sys::{Float32Array, Int16Array, Uint8Array, Uint32Array};
use quake_content::model;
use quake_content::{Error, MipTexture, Palette};
use quakefs::{File, SearchPath};
use quakefs_needs::skin;
use quakefs_preview::{Budget, Kind, MAX_PIXELS, Options, Preview, preview, readable};
use serde::Serialize;
use serde_wasm_bindgen::preserve;
use wasm_bindgen::JsValue;

use crate::failure::Failure;

#[derive(Serialize)]
pub(crate) struct Model {
    #[serde(with = "preserve")]
    triangles: Uint32Array,
    #[serde(with = "preserve")]
    uvs: Float32Array,
    frames: Vec<Frame>,
    skins: Vec<Vec<Skin>>,
    surfaces: Vec<Surface>,
}

#[derive(Serialize)]
struct Frame {
    name: String,
    group: usize,
    time: f32,
    #[serde(with = "preserve")]
    positions: Float32Array,
}

#[derive(Serialize)]
struct Skin {
    time: f32,
    #[serde(flatten)]
    pixels: Pixels,
}

/// The triangles of one skin.
#[derive(Serialize)]
struct Surface {
    name: String,
    /// The file that the engine loads for the name.
    file: Option<String>,
    start: usize,
    count: usize,
}

/// A picture in RGBA.
#[derive(Serialize)]
pub(crate) struct Pixels {
    width: u32,
    height: u32,
    #[serde(with = "preserve")]
    data: JsValue,
}

#[derive(Serialize)]
pub(crate) struct Level {
    #[serde(with = "preserve")]
    positions: Float32Array,
    #[serde(with = "preserve")]
    uvs: Float32Array,
    #[serde(rename = "lightUvs", with = "preserve")]
    light_uvs: Float32Array,
    #[serde(with = "preserve")]
    triangles: Uint32Array,
    #[serde(with = "preserve")]
    corners: Uint32Array,
    #[serde(rename = "faceTextures", with = "preserve")]
    face_textures: Uint32Array,
    #[serde(rename = "faceLights", with = "preserve")]
    face_lights: Uint32Array,
    textures: Vec<Texture>,
    #[serde(with = "preserve")]
    light: Uint8Array,
    #[serde(rename = "lightChannels")]
    light_channels: usize,
}

#[derive(Serialize)]
struct Texture {
    name: String,
    picture: Option<Pixels>,
}

#[derive(Serialize)]
pub(crate) struct Sound {
    rate: u32,
    channels: u16,
    seconds: f64,
    loops: bool,
    /// Bytes or 16-bit numbers; null if they are compressed.
    #[serde(with = "preserve")]
    samples: JsValue,
}

impl Pixels {
    fn new(width: u32, height: u32, rgba: &[u8]) -> Pixels {
        Pixels { width, height, data: js_sys::Uint8ClampedArray::from(rgba).into() }
    }

    /// `None` if the pixels are in another file, or damaged.
    fn of(texture: &MipTexture<'_>, palette: &Palette) -> Option<Pixels> {
        let (picture, rgba) = texture.rgba(palette)?;
        Some(Pixels::new(picture.width, picture.height, &rgba))
    }
}

/// A failure about a file.
fn of_file(file: &File<'_>, error: &impl ToString) -> Failure {
    Failure::new(format!("{}: {}", file.name(), error.to_string()))
}

pub(crate) fn model(quake: &SearchPath, file: &File<'_>) -> Result<Model, Failure> {
    let bytes = file.read()?;
    let failed = |error: Error| of_file(file, &error);
    let model = model::Model::parse(&bytes).map_err(failed)?;
    let shape = model.shape().map_err(failed)?;
    let frames = model.frames(&shape).map_err(failed)?.into_iter().map(|frame| Frame {
        name: readable(frame.name),
        group: frame.group,
        time: frame.time,
        positions: Float32Array::from(frame.places.as_flattened()),
    });
    let mut skins = Vec::new();
    if let model::Model::Alias(model) = &model {
        let palette = palette(quake);
        for members in model.skin_groups() {
            let members = members.map_err(failed)?.into_iter();
            let skin = |(time, picture): (f32, quake_content::picture::Picture<'_>)| {
                let rgba = palette.rgba(picture.pixels, None);
                Skin { time, pixels: Pixels::new(picture.width, picture.height, &rgba) }
            };
            skins.push(members.map(skin).collect());
        }
    }
    let surfaces = shape.surfaces.iter().map(|(name, range)| Surface {
        name: readable(name),
        file: skin(quake, name).map(|file| file.name().to_string()),
        start: range.start,
        count: range.len(),
    });
    Ok(Model {
        triangles: Uint32Array::from(shape.triangles.as_flattened()),
        uvs: Float32Array::from(shape.points.as_flattened()),
        frames: frames.collect(),
        skins,
        surfaces: surfaces.collect(),
    })
}

pub(crate) fn level(quake: &SearchPath, file: &File<'_>) -> Result<Level, Failure> {
    let bytes = file.read()?;
    let failed = |error: Error| of_file(file, &error);
    let level = quake_content::Level::parse(&bytes).map_err(failed)?;
    let shape = level.shape().map_err(failed)?;
    let palette = palette(quake);
    let corners = || shape.corners.iter();
    let flat = |numbers: Vec<f32>| Float32Array::from(&*numbers);
    let lights = shape.lights.iter().flat_map(quake_content::Light::numbers);
    let textures = shape.textures.iter().map(|(name, texture)| Texture {
        name: readable(name),
        picture: texture.as_ref().and_then(|texture| Pixels::of(texture, &palette)),
    });
    Ok(Level {
        positions: flat(corners().flat_map(|corner| corner.place).collect()),
        uvs: flat(corners().flat_map(|corner| corner.point).collect()),
        light_uvs: flat(corners().flat_map(|corner| corner.light).collect()),
        triangles: Uint32Array::from(shape.triangles.as_flattened()),
        corners: Uint32Array::from(&*shape.counts),
        face_textures: Uint32Array::from(&*shape.textures_of_faces),
        face_lights: Uint32Array::from(&*lights.collect::<Vec<_>>()),
        textures: textures.collect(),
        light: Uint8Array::from(level.light().unwrap_or_default()),
        light_channels: level.light_sample(),
    })
}

/// The most entities and pairs of a level. Engines take some thousands.
const MOST_PAIRS: usize = 1 << 20;

/// The entities of a level: keys and values.
pub(crate) fn entities(file: &File<'_>) -> Result<Vec<BTreeMap<String, String>>, Failure> {
    let bytes = file.read()?;
    let level = quake_content::Level::parse(&bytes).and_then(|level| level.entities());
    let pairs = |entity: quake_content::Entity<'_>| {
        entity.pairs.iter().map(|(key, value)| (readable(key), readable(value))).collect()
    };
    let mut left = MOST_PAIRS;
    let mut found = Vec::new();
    for entity in level.map_err(|error| of_file(file, &error))? {
        let used = left.checked_sub(entity.pairs.len() + 1);
        left =
            used.ok_or_else(|| Failure::new(format!("{}: more than {MOST_PAIRS} keys", file.location())))?;
        found.push(pairs(entity));
    }
    Ok(found)
}

pub(crate) fn sound(file: &File<'_>) -> Result<Sound, Failure> {
    let bytes = file.read()?;
    let read = if bytes.starts_with(b"OggS") { quake_content::Sound::ogg } else { quake_content::Sound::wav };
    let sound = read(&bytes).map_err(|error| of_file(file, &error))?;
    let samples = bytes.get(sound.samples.clone()).unwrap_or_default();
    let samples = match sound.bits {
        Some(8) => Uint8Array::from(samples).into(),
        Some(16) => {
            let numbers = samples.as_chunks().0.iter().map(|sample| i16::from_le_bytes(*sample));
            Int16Array::from(&*numbers.collect::<Vec<_>>()).into()
        }
        _ => JsValue::NULL,
    };
    let quake_content::Sound { rate, channels, seconds, loops, .. } = sound;
    Ok(Sound { rate, channels, seconds, loops, samples })
}

/// A picture of a file that may have several.
#[derive(Serialize)]
pub(crate) struct Named {
    name: String,
    #[serde(flatten)]
    pixels: Pixels,
}

/// The picture of a file, the textures of a WAD, or the frames of a sprite.
pub(crate) fn pictures(quake: &SearchPath, file: &File<'_>) -> Result<Vec<Named>, Failure> {
    use Kind::{Jpeg, Lump, M8, M32, Pcx, Png, Sprite, TextureArchive, Tga, Wal};
    match kind(file) {
        Some(Png | Jpeg) => {
            let help = "a browser decodes it: `createImageBitmap(await quake.blob(file))`";
            Err(Failure::with_help(format!("{}: not decoded", file.name()), help))
        }
        Some(kind @ (Lump | Wal | M8 | M32 | Pcx | Tga | TextureArchive | Sprite)) => {
            let palette = palette(quake);
            match shown(file, kind, &palette)? {
                Preview::Pictures(pictures) => Ok(pictures.shown.into_iter().map(Named::from).collect()),
                _ => Err(of_file(file, &"it has no picture")),
            }
        }
        _ => Err(of_file(file, &"expected .lmp, .wal, .m8, .m32, .pcx, .tga, .wad or .spr")),
    }
}

impl From<quakefs_preview::Picture> for Named {
    fn from(picture: quakefs_preview::Picture) -> Self {
        let image = &picture.image;
        let pixels = Pixels::new(image.width(), image.height(), image.rgba());
        Named { name: readable(&picture.name), pixels }
    }
}

/// What a file tells: each fact with its value.
pub(crate) fn facts(file: &File<'_>) -> Result<BTreeMap<&'static str, String>, Failure> {
    let found = match kind(file) {
        Some(kind @ (Kind::Demo(_) | Kind::SavedGame | Kind::Program | Kind::Light)) => {
            shown(file, kind, &Palette::grey())?
        }
        _ => return Err(of_file(file, &"expected .dem, .dm2, .qwd, .mvd, .sav, .dat or .lit")),
    };
    let Preview::Facts(facts) = found else { return Ok(BTreeMap::new()) };
    Ok(facts.into_iter().map(|fact| (fact.about, fact.value.to_string())).collect())
}

fn kind(file: &File<'_>) -> Option<Kind> {
    Kind::of(file.name().as_bytes())
}

fn shown(file: &File<'_>, kind: Kind, palette: &Palette) -> Result<Preview, Failure> {
    // rows of a small WAD may share one large picture
    let budget = Budget::new(2 * MAX_PIXELS + file.size());
    let mut options = Options::new(palette);
    (options.side, options.pictures, options.budget) = (u32::MAX, usize::MAX, Some(&budget));
    preview(kind, &file.read()?, &options).map_err(|error| of_file(file, &error))
}

/// The palette of the game, or grey.
fn palette(quake: &SearchPath) -> Palette {
    quakefs_needs::palette(quake).unwrap_or_else(Palette::grey)
}
