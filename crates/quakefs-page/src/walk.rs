//! A level to walk through: its faces with their textures and their light.

use std::cell::OnceCell;
use std::collections::HashMap;

use quake_content::{Entities, Level, LevelFormat, MipTexture, Wad, shader};
use quakefs::content::ContentType;
use quakefs::rules::SubstituteKind;
use quakefs::{File, FileData, SearchPath};
use quakefs_needs::wads;
use serde::Serialize;

use crate::json::json;
use crate::previews::content;

/// A level to walk through. The bytes of [`walk`] are little-endian: `corners` times seven numbers of 32 bits
/// (a position, a position on the texture, a position in the light), three corner numbers of 32 bits for each
/// triangle, and the picture of the light in red, green and blue.
#[derive(Serialize)]
struct Walk {
    corners: usize,
    triangles: usize,
    /// The width and height of the picture of the light.
    light: [u32; 2],
    /// The triangles of each texture, one after another.
    parts: Vec<Part>,
    /// Where a player starts, and the direction in degrees.
    start: Option<[f32; 4]>,
}

#[derive(Serialize)]
struct Part {
    texture: String,
    /// The file that holds the texture, unless the level does.
    file: Option<String>,
    /// Whether positions on the texture count its pixels.
    in_pixels: bool,
    triangles: usize,
}

/// A level to walk through, as JSON and bytes.
///
/// # Errors
/// A sentence: the file cannot be read, or is no level.
pub fn walk(search_path: &SearchPath, file: &File<'_>) -> Result<(String, Vec<u8>), String> {
    let bytes = content(file)?;
    let level = Level::parse(&bytes).map_err(|error| error.to_string())?;
    let shape = level.shape().map_err(|error| error.to_string())?;
    let atlas = shape.light_atlas(&level).map_err(|error| error.to_string())?;
    let of_textures = shape.triangles_of_textures();
    let in_pixels = !matches!(level.format(), LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp);
    let entities = level.entity_text().unwrap_or_default();
    let wads = wads(search_path, entities);
    let wads = wads.iter().filter_map(|file| Some((file.name().to_string(), content(file).ok()?))).collect();
    let outside = Outside { search_path, wads, images: OnceCell::new() };
    let parts = of_textures.iter().filter_map(|(number, triangles)| {
        let (name, texture) = shape.textures.get(*number as usize)?;
        let is_here = texture.as_ref().is_some_and(MipTexture::has_pixels);
        let file = if is_here { None } else { outside.file(name) };
        let texture = quakefs_preview::readable(name);
        Some(Part { texture, file, in_pixels, triangles: triangles.len() })
    });
    let walk = Walk {
        corners: shape.corners.len(),
        triangles: shape.triangles.len(),
        light: [atlas.width, atlas.height],
        parts: parts.collect(),
        start: start(entities),
    };
    let mut data = Vec::with_capacity(shape.corners.len() * 28 + shape.triangles.len() * 12);
    for (corner, light) in shape.corners.iter().zip(&atlas.points) {
        let numbers = corner.place.iter().chain(&corner.point).chain(light);
        data.extend(numbers.flat_map(|number| number.to_le_bytes()));
    }
    data.extend(of_textures.values().flatten().flatten().flat_map(|number| number.to_le_bytes()));
    data.extend(atlas.pixels);
    Ok((json(&walk), data))
}

/// Where the textures are that are not in a level.
struct Outside<'s> {
    search_path: &'s SearchPath,
    /// The WADs of the level, and their bytes.
    wads: Vec<(String, FileData)>,
    /// The first image of each shader.
    images: OnceCell<HashMap<Vec<u8>, Vec<u8>>>,
}

impl Outside<'_> {
    /// The file of a texture: a picture of its name, the first image of its shader, or one of the WADs.
    fn file(&self, name: &[u8]) -> Option<String> {
        let holds = |(_, bytes): &&(String, FileData)| {
            let wad = Wad::parse(bytes);
            wad.is_ok_and(|wad| wad.entries().any(|entry| entry.name.eq_ignore_ascii_case(name)))
        };
        self.picture(name)
            .or_else(|| self.picture(self.images().get(&name.to_ascii_lowercase())?))
            .or_else(|| self.wads.iter().find(holds).map(|(wad, _)| wad.clone()))
    }

    fn picture(&self, name: &[u8]) -> Option<String> {
        let of = |kind| {
            let files = self.search_path.substitutes(kind, name, None)?;
            files.into_iter().flat_map(|file| file.copies).next().map(|copy| copy.file)
        };
        let wal = || self.search_path.find([b"textures/", name, b".wal"].concat());
        let file = of(SubstituteKind::Image).or_else(|| of(SubstituteKind::Texture)).or_else(wal);
        file.map(|file| file.name().to_string())
    }

    fn images(&self) -> &HashMap<Vec<u8>, Vec<u8>> {
        self.images.get_or_init(|| {
            let mut images = HashMap::new();
            let is_shader = |file: &File<'_>| ContentType::of(file.name().as_bytes()) == ContentType::Shader;
            for text in self.search_path.files().filter(is_shader).filter_map(|file| content(&file).ok()) {
                for shader in shader::parse(&text) {
                    if let Some(image) = shader.images.iter().find(|image| !image.is_sky_box) {
                        images.entry(shader.name.to_ascii_lowercase()).or_insert(image.name.to_vec());
                    }
                }
            }
            images
        })
    }
}

/// Where the first player starts.
fn start(entities: &[u8]) -> Option<[f32; 4]> {
    let starts = |class: &[u8]| class.starts_with(b"info_player") || class.starts_with(b"testplayer");
    let entity = Entities::new(entities).find(|entity| starts(entity.class()))?;
    let text = |key: &[u8]| entity.value(key).and_then(|value| std::str::from_utf8(value).ok());
    let mut numbers = text(b"origin")?.split_whitespace().map(str::parse);
    let mut next = || numbers.next()?.ok();
    let angle = text(b"angle").and_then(|angle| angle.parse().ok()).unwrap_or_default();
    Some([next()?, next()?, next()?, angle])
}

/// The levels with a texture: the name of the texture, or of its picture.
#[must_use]
pub fn users(search_path: &SearchPath, texture: &[u8]) -> Vec<String> {
    let dot = texture.iter().rposition(|byte| *byte == b'.').filter(|dot| texture.len() - dot <= 5);
    let stem = dot.and_then(|dot| texture.get(..dot)).unwrap_or(texture);
    // Quake III's names have the folder, and those of other games do not
    let bare = stem.strip_prefix(b"textures/").unwrap_or(stem);
    let is_it = |name: &[u8]| [texture, stem, bare].iter().any(|known| known.eq_ignore_ascii_case(name));
    let levels =
        search_path.files().filter(|file| ContentType::of(file.name().as_bytes()) == ContentType::Level);
    let has_it = |file: &File<'_>| {
        let bytes = content(file).ok();
        let names = bytes.as_ref().and_then(|bytes| Level::parse(bytes).ok()?.surface_names().ok());
        names.is_some_and(|names| names.into_iter().any(is_it))
    };
    levels.filter(has_it).map(|file| file.name().to_string()).collect()
}
