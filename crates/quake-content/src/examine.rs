//! Reads a file as an engine does when it loads it, without keeping anything.

use std::borrow::Cow;

use crate::fields::Fields;
use crate::model::{AliasModel, Md2, Md3, Sprite, end_of_groups};
use crate::picture::{M8, M32, Picture, Wal};
use crate::program::Program;
use crate::{Error, Level, MipTexture, Sound, Wad, WadKind, WadVersion};

/// The formats that [`examine`](Format::examine) reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.bsp`: a level, or a model of brushes.
    Level,
    /// `.mdl`, `.md2`, `.md3`: a model. Engines tell the formats apart by the first bytes.
    Model,
    /// `.spr`, `.spr32`, `.sp2`: a sprite.
    Sprite,
    /// `.wav`.
    Wav,
    /// `.ogg`, `.opus`.
    Ogg,
    /// `.lmp`: a picture with its size, or bytes whose meaning only the engine knows.
    Lump,
    /// `.wal`: a texture of Quake II.
    Wal,
    /// `.m8`: a texture of Heretic II.
    M8,
    /// `.m32`: a texture of Heretic II without a palette.
    M32,
    /// `.pcx`.
    Pcx,
    /// `.tga`.
    Tga,
    /// `.png`.
    Png,
    /// `.jpg`.
    Jpeg,
    /// `.wad`: textures and pictures.
    Wad,
    /// A QuakeC program, by one of the names that engines load.
    Program,
}

/// What decides whether an engine loads a file that is not damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examined {
    /// The version of the format, as engines and their tools write it: `29`, `BSP2`, `6`. Empty for a format
    /// with one version.
    pub version: Cow<'static, str>,
    /// Numbers for which engines have limits, each with its name: `vertices`, `frames`.
    pub counts: Vec<(&'static str, u64)>,
}

/// The names of QuakeC programs: of the game, of `QuakeWorld`, of Hexen II and its mission pack, of clients
/// and of menus.
const PROGRAMS: [&[u8]; 7] = [
    b"progs.dat",
    b"qwprogs.dat",
    b"hwprogs.dat",
    b"progs2.dat",
    b"spprogs.dat",
    b"csprogs.dat",
    b"menu.dat",
];

/// The largest width and height of a lump that is taken for a picture; anything else is raw bytes.
const MOST_OF_LUMP: u32 = 4096;

/// Sizes of lumps without a header: the palette, the console's letters, the colour map (with and without the
/// number of bright colours), the mark of the registered version, the table of Hexen II's translucency.
const RAW_LUMPS: [u64; 6] = [768, 128 * 128, 256 * 64, 256 * 64 + 1, 256, 256 * 256];

/// The name without its folders.
fn file_name(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default()
}

impl Format {
    /// The word for it: `level`, `model`, `sprite`, `sound`, `picture`, `wad` or `program`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Level => "level",
            Format::Model => "model",
            Format::Sprite => "sprite",
            Format::Wav | Format::Ogg => "sound",
            Format::Wad => "wad",
            Format::Program => "program",
            _ => "picture",
        }
    }

    /// How many bytes from the start are enough for most formats: see [`reads_all`](Self::reads_all).
    pub const START: usize = 1024;

    /// The format of a file of this name, by its extension in any case.
    #[must_use]
    pub fn of(name: &[u8]) -> Option<Format> {
        let mut lower = [0; 5];
        let end = name.get(name.len().saturating_sub(lower.len() + 1)..)?;
        let extension = end.get(end.iter().rposition(|byte| *byte == b'.')? + 1..)?;
        let lower = lower.get_mut(..extension.len())?;
        lower.copy_from_slice(extension);
        lower.make_ascii_lowercase();
        Some(match &*lower {
            b"bsp" => Format::Level,
            b"mdl" | b"md2" | b"md3" => Format::Model,
            b"spr" | b"spr32" | b"sp2" => Format::Sprite,
            b"wav" => Format::Wav,
            b"ogg" | b"opus" => Format::Ogg,
            b"lmp" => Format::Lump,
            b"wal" => Format::Wal,
            b"m8" => Format::M8,
            b"m32" => Format::M32,
            b"pcx" => Format::Pcx,
            b"tga" => Format::Tga,
            b"png" => Format::Png,
            b"jpg" | b"jpeg" => Format::Jpeg,
            b"wad" => Format::Wad,
            b"dat" if PROGRAMS.iter().any(|known| file_name(name).eq_ignore_ascii_case(known)) => {
                Format::Program
            }
            _ => return None,
        })
    }

    /// Whether [`examine`](Self::examine) needs the whole file, by the format and the first bytes. Otherwise
    /// [`START`](Self::START) bytes tell as much as an engine checks.
    #[must_use]
    pub fn reads_all(self, start: &[u8]) -> bool {
        match self {
            Format::Program | Format::Wad | Format::Sprite => true,
            Format::Model => start.starts_with(b"IDPO"),
            // the textures of Quake's levels are in them
            Format::Level => {
                Level::parse(start).is_ok_and(|level| level.textures_range().is_ok_and(|lump| lump != (0..0)))
            }
            _ => false,
        }
    }

    /// Reads a file of `size` bytes as an engine would at a load. `bytes` are the whole file, or its first
    /// [`START`](Self::START) bytes, which find less.
    ///
    /// ```
    /// use quake_content::Format;
    /// assert!(Format::Model.examine(b"", 0).is_err());
    /// assert!(Format::Png.examine(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01", 67).is_ok());
    /// ```
    ///
    /// # Errors
    /// The file is empty, cut off, of another format or version, or one of its tables is outside it.
    pub fn examine(self, bytes: &[u8], size: u64) -> Result<Examined, Error> {
        match self {
            Format::Level => level(bytes, size),
            Format::Model => model(bytes, size),
            Format::Sprite => {
                let sprite = Sprite::parse(bytes)?;
                let _names = sprite.pictures()?;
                let frames = sprite.whole_frames()?;
                let version = Fields(bytes).u32("the version", 4)?.to_string();
                Ok(Examined { version: version.into(), counts: vec![("frames", frames as u64)] })
            }
            Format::Wav => match Sound::wav(bytes) {
                // the samples follow a long chunk
                Err(_) if !is_whole(bytes, size) && bytes.starts_with(b"RIFF") => Ok(Examined::default()),
                sound => {
                    let sound = sound?;
                    let bits = sound.bits.map(|bits| ("bits", bits.into()));
                    let counts = [("channels", sound.channels.into())].into_iter().chain(bits).collect();
                    Ok(Examined { counts, ..Examined::default() })
                }
            },
            Format::Ogg => match Sound::ogg(bytes) {
                Err(_) if !is_whole(bytes, size) && bytes.starts_with(b"OggS") => Ok(Examined::default()),
                sound => sound.map(|_| Examined::default()),
            },
            Format::Program => Program::parse(bytes).map(|_| Examined::default()),
            Format::Wad => wad(bytes).map(|()| Examined::default()),
            _ => picture(self, bytes, size).map(|()| Examined::default()),
        }
    }
}

/// Whether these are all bytes of a file, and not only its start.
fn is_whole(bytes: &[u8], size: u64) -> bool {
    bytes.len() as u64 == size
}

/// A level: its tables are in the file and have whole rows, and the textures of Quake's levels are readable.
fn level(bytes: &[u8], size: u64) -> Result<Examined, Error> {
    let level = Level::parse(bytes)?;
    let examined = Examined { version: level.version(), counts: level.tables(size)? };
    if is_whole(bytes, size) {
        for texture in level.textures()?.flatten() {
            texture?;
        }
        let _faces = level.faces()?;
    }
    Ok(examined)
}

fn model(bytes: &[u8], size: u64) -> Result<Examined, Error> {
    const VERSIONS: [(&[u8; 4], u32); 5] =
        [(b"IDPO", 6), (b"IDP2", 8), (b"IDP3", 15), (b"IDST", 10), (b"IDSQ", 10)];
    let fields = Fields(bytes);
    let count = |what, at| fields.u32(what, at).map(|count| (what, u64::from(count)));
    let within = |what, at| {
        let end = fields.size(what, at)?;
        if end as u64 > size { Err(Error::cut_off(what, end, clamped(size))) } else { Ok(()) }
    };
    let known = VERSIONS.iter().find(|(magic, _)| bytes.starts_with(*magic));
    match known {
        // Hexen II's mission pack, levels and sprites, which engines tell apart by these bytes
        _ if bytes.starts_with(b"RAPO") => return Ok(Examined::default()),
        _ if bytes.starts_with(b"IDSP") || bytes.starts_with(b"IDS2") => {
            return Format::Sprite.examine(bytes, size);
        }
        _ if Level::parse(bytes).is_ok() => return level(bytes, size),
        None => return Err(Error::format("a model (IDPO, IDP2, IDP3 or IDST)", bytes)),
        Some((_, version)) if fields.u32("the version", 4)? != *version => {
            return Err(Error::version("a model", fields.u32("the version", 4)?, *version));
        }
        Some((b"IDP2", _)) => {
            within("the model", 64)?;
            if is_whole(bytes, size) {
                Md2::parse(bytes)?.frames().try_for_each(|frame| frame.map(|_| ()))?;
            }
        }
        Some((b"IDP3", _)) => {
            within("the model", 104)?;
            if is_whole(bytes, size) {
                Md3::parse(bytes)?.shaders()?;
            }
        }
        // sequences of a model of Half-Life
        Some((b"IDSQ", _)) => {}
        Some((b"IDST", _)) => {
            within("the model", 72)?;
            if let Some(end) = end_of_groups(fields)?.filter(|end| *end as u64 > size) {
                return Err(Error::cut_off("the groups of sequences", end, clamped(size)));
            }
            return Ok(Examined { version: "10".into(), counts: Vec::new() });
        }
        Some(_) => {
            let model = AliasModel::parse(bytes)?;
            let (frames, skins) = (("frames", model.whole_frames()?), ("skins", model.skins as u64));
            let height = ("skin height", u64::from(model.height));
            let counts = vec![count("vertices", 60)?, count("triangles", 64)?, frames, skins, height];
            return Ok(Examined { version: "6".into(), counts });
        }
    }
    Ok(Examined::default())
}

fn clamped(size: u64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// A WAD: each entry is in the file, and textures, pictures and fonts hold their pixels.
fn wad(bytes: &[u8]) -> Result<(), Error> {
    let wad = Wad::parse(bytes)?;
    for entry in wad.entries() {
        let read = entry.bytes().and_then(|bytes| entry.kind.examine(bytes, wad.version()));
        read.map_err(|error| error.within(entry.name))?;
    }
    Ok(())
}

impl WadKind {
    /// Reads an entry of this kind as an engine does.
    ///
    /// # Errors
    /// Its size is none that an engine takes, or its pixels or its palette are outside it.
    pub fn examine(self, bytes: &[u8], version: WadVersion) -> Result<(), Error> {
        match self {
            // the console's letters have the type of a texture, and no header
            WadKind::Texture if bytes.len() == 128 * 128 => Ok(()),
            WadKind::Texture | WadKind::Decal => {
                MipTexture::parse(bytes, version == WadVersion::Wad3)?.check()
            }
            WadKind::Picture => Picture::with_size(bytes).map(|_| ()),
            WadKind::Font => Fields(bytes).bytes("the widths of the letters", 0, 16 + 256 * 4).map(|_| ()),
            _ => Ok(()),
        }
    }
}

/// A picture: its header, and that the file holds the pixels as far as the header tells.
fn picture(format: Format, bytes: &[u8], size: u64) -> Result<(), Error> {
    let fields = Fields(bytes);
    let starts = |expected, is_good: bool| if is_good { Ok(()) } else { Err(Error::format(expected, bytes)) };
    let holds = |needed: u64, (width, height): (u32, u32)| {
        if width == 0 || height == 0 || needed > size { Err(Error::size(width, height)) } else { Ok(()) }
    };
    match format {
        Format::Pcx => {
            let is_good = matches!(bytes.get(..4), Some([10, _, 1, 1 | 2 | 4 | 8]));
            starts("a PCX picture", is_good)?;
            fields.bytes("the header", 0, bytes.len().max(128)).map(|_| ())
        }
        Format::Tga => {
            let kind = bytes.get(2).copied().unwrap_or_default();
            starts("a TGA picture", bytes.len() >= 18 && matches!(kind, 1..=3 | 9..=11))?;
            let [text, is_mapped] = [0, 1].map(|at| u64::from(bytes.get(at).copied().unwrap_or_default()));
            let (colours, bits) = (fields.u16("the header", 5)?, bytes.get(7).copied().unwrap_or_default());
            let map = is_mapped * u64::from(colours) * u64::from(bits).div_ceil(8);
            let (width, height) =
                (fields.u16("the header", 12)?.into(), fields.u16("the header", 14)?.into());
            let depth = u64::from(bytes.get(16).copied().unwrap_or_default()).div_ceil(8);
            // compressed pixels may take any size
            let pixels = if kind < 9 { u64::from(width) * u64::from(height) * depth } else { 1 };
            holds(18 + text + map + pixels, (width, height))
        }
        Format::Png => {
            starts("a PNG picture", bytes.starts_with(b"\x89PNG\r\n\x1a\n"))?;
            let at = |offset| Fields(bytes).u32("the header", offset).map(u32::swap_bytes);
            holds(45, (at(16)?, at(20)?))
        }
        Format::Jpeg => starts("a JPEG picture", bytes.starts_with(&[0xff, 0xd8, 0xff])),
        Format::Wal => {
            let wal = Wal::parse(bytes)?;
            let at = u64::from(fields.u32("the offset of the pixels", 40)?);
            holds(at + u64::from(wal.width) * u64::from(wal.height), (wal.width, wal.height))
        }
        Format::M8 => {
            let M8 { width, height, offset, .. } = M8::parse(bytes)?;
            holds(u64::from(offset) + u64::from(width) * u64::from(height), (width, height))
        }
        Format::M32 => {
            let M32 { width, height, offset, .. } = M32::parse(bytes)?;
            let pixels = (u64::from(width) * u64::from(height)).saturating_mul(4);
            holds(u64::from(offset).saturating_add(pixels), (width, height))
        }
        Format::Lump if RAW_LUMPS.contains(&size) => Ok(()),
        Format::Lump if size < 8 => Err(Error::cut_off("a picture with its size", 9, bytes.len())),
        Format::Lump => {
            let (width, height) = (fields.u32("the width", 0)?, fields.u32("the height", 4)?);
            let is_picture = (1..=MOST_OF_LUMP).contains(&width) && (1..=MOST_OF_LUMP).contains(&height);
            if is_picture { holds(8 + u64::from(width) * u64::from(height), (width, height)) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}
