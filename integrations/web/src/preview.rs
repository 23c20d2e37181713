//! What a file shows.

use js_sys::Uint16Array;
use quakefs::rules::SubstituteKind;
use quakefs::{File, SearchPath};
use quakefs_preview::{Kind, Options, Palette, Pictures, Preview as Shown, preview, readable};
use serde::{Serialize, Serializer};
use serde_wasm_bindgen::preserve;

use crate::failure::Failure;

/// The largest file that is read for a preview.
const LARGEST: u64 = 64 << 20;

/// A picture.
#[derive(Debug, Serialize)]
pub(crate) struct Picture {
    /// Its name in the file; empty if the file itself is the picture.
    name: String,
    /// The stored width in pixels; null if the browser decodes the picture.
    width: Option<u32>,
    /// The stored height in pixels.
    height: Option<u32>,
    /// The media type of the data.
    media: &'static str,
    /// The picture, perhaps scaled down.
    #[serde(serialize_with = "bytes")]
    data: Vec<u8>,
}

/// Triangles of a model that share one skin.
#[derive(Debug, Serialize)]
pub(crate) struct Surface {
    /// The index of its picture, or null.
    picture: Option<usize>,
    /// 16-bit numbers, five for each vertex: x (forward), y (left) and z (up), where the longest side of the
    /// model is 65535; then the position in the skin, to the right and down, where 4096 is the whole skin.
    #[serde(with = "preserve")]
    vertices: Uint16Array,
    /// 16-bit numbers, three vertices for a triangle, clockwise seen from the front.
    #[serde(with = "preserve")]
    triangles: Uint16Array,
}

/// What a file shows.
#[derive(Debug, Serialize)]
pub(crate) struct Preview {
    /// `pictures`, `model`, `level`, `sound`, `facts` or `text`.
    kind: &'static str,
    /// The pictures, the skins of a model or the textures of a level.
    pictures: Vec<Picture>,
    /// The triangles of a model.
    surfaces: Vec<Surface>,
    /// A text, the title of a level, or a fact a line.
    text: Option<String>,
}

fn bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

/// The preview of a file; `None` if its type shows nothing.
pub(crate) fn of(quake: &SearchPath, file: &File<'_>) -> Result<Option<Preview>, Failure> {
    let Some(kind) = Kind::of(file.name().as_bytes()) else { return Ok(None) };
    let palette = palette(quake);
    let mut preview = Preview { kind: "pictures", pictures: Vec::new(), surfaces: Vec::new(), text: None };
    match preview.add(read(file, kind, &palette)?) {
        Some(Shown::Model(model)) => {
            preview.kind = "model";
            preview.add_pictures(model.skins);
            let own = (!preview.pictures.is_empty()).then_some(0);
            for surface in model.shape.map_err(|error| Failure::new(error.to_string()))? {
                let mut picture = own.filter(|_| surface.picture.is_empty());
                if let Some((skin, kind)) = skin(quake, &surface.picture) {
                    let before = preview.pictures.len();
                    preview.add(read(&skin, kind, &palette)?);
                    picture = (preview.pictures.len() > before).then_some(before);
                }
                preview.surfaces.push(Surface {
                    picture,
                    vertices: Uint16Array::from(surface.vertices.as_flattened()),
                    triangles: Uint16Array::from(surface.triangles.as_flattened()),
                });
            }
        }
        Some(Shown::Level(level)) => {
            (preview.kind, preview.text) = ("level", level.title);
            preview.add_pictures(level.textures);
        }
        Some(Shown::Facts(facts)) => {
            let lines = facts.iter().map(|fact| format!("{}: {}\n", fact.about, fact.value));
            (preview.kind, preview.text) = ("facts", Some(lines.collect()));
        }
        Some(Shown::Text { text, .. }) => (preview.kind, preview.text) = ("text", Some(text)),
        Some(_) => preview.kind = "sound",
        None => {}
    }
    Ok(Some(preview))
}

impl Preview {
    /// Adds pictures, and returns everything else.
    fn add(&mut self, read: Read) -> Option<Shown> {
        match read {
            Read::Encoded(media, data) => {
                let data = data.to_vec();
                self.pictures.push(Picture { name: String::new(), width: None, height: None, media, data });
            }
            Read::Decoded(Shown::Pictures(pictures)) => self.add_pictures(pictures),
            Read::Decoded(shown) => return Some(shown),
        }
        None
    }

    fn add_pictures(&mut self, pictures: Pictures) {
        for picture in pictures.shown {
            let Ok((media, data)) = picture.image.encode() else { continue };
            self.pictures.push(Picture {
                name: readable(&picture.name),
                width: Some(picture.width),
                height: Some(picture.height),
                media,
                data,
            });
        }
    }
}

/// A decoded file, or a picture that the browser decodes.
enum Read {
    Decoded(Shown),
    Encoded(&'static str, quakefs::FileData),
}

fn read(file: &File<'_>, kind: Kind, palette: &Palette) -> Result<Read, Failure> {
    if file.size() > LARGEST {
        return Err(Failure::new(format!("{}: it has more than {LARGEST} bytes", file.name())));
    }
    let bytes = file.read()?;
    match kind {
        Kind::Png => return Ok(Read::Encoded("image/png", bytes)),
        Kind::Jpeg => return Ok(Read::Encoded("image/jpeg", bytes)),
        _ => {}
    }
    let mut options = Options::new(palette);
    (options.side, options.pictures, options.shape) = (1024, 4096, 8192);
    let made = preview(kind, &bytes, &options);
    made.map(Read::Decoded).map_err(|error| Failure::new(format!("{}: {error}", file.name())))
}

/// The file that the engine loads as a skin that a model names.
pub(crate) fn skin<'q>(quake: &'q SearchPath, name: &[u8]) -> Option<(File<'q>, Kind)> {
    let skins = quake.substitutes(SubstituteKind::Skin, name, None);
    let first = skins.and_then(|files| files.into_iter().flat_map(|file| file.copies).next());
    let file = first.map(|copy| copy.file).or_else(|| quake.find(name))?;
    let kind = Kind::of(file.name().as_bytes())?;
    matches!(kind, Kind::Lump | Kind::Wal | Kind::Pcx | Kind::Tga | Kind::Png | Kind::Jpeg)
        .then_some((file, kind))
}

/// The palette of the game, or grey.
pub(crate) fn palette(quake: &SearchPath) -> Palette {
    let read = |name| quake.read(name).ok();
    let lump = read("gfx/palette.lmp").and_then(|bytes| Palette::from_lump(&bytes));
    lump.or_else(|| Palette::from_pcx(&read("pics/colormap.pcx")?)).unwrap_or_else(Palette::grey)
}
