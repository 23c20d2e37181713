//! `.bsp`: compiled levels.

mod atlas;
mod faces;
mod shape;
mod tables;

use std::borrow::Cow;
use std::ops::Range;

pub use self::atlas::LightAtlas;
pub use self::faces::{Corner, Face, Light};
pub use self::shape::LevelShape;
use crate::fields::{Fields, name};
use crate::{Entities, Error, MipTexture};

/// A compiled level. Borrows from the bytes.
///
/// Sources: Unofficial Quake Specs 3.4 (29), `ericw-tools` (2PSB, BSP2), the Half-Life SDK (30), Quake 2 BSP
/// File Format of flipcode, 2000 (38), `qfiles.h` of Quake III (46), of Raven (RBSP) and of `QFusion` (FBSP).
#[derive(Clone, Copy, Debug)]
pub struct Level<'a> {
    bytes: &'a [u8],
    format: LevelFormat,
}

/// A format of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LevelFormat {
    /// Quake and Hexen II.
    Bsp29,
    /// `2PSB`, the first format with wider numbers.
    Psb2,
    /// `BSP2`, the second format with wider numbers.
    Bsp2,
    /// Quake 64's levels, as the remaster has them. Their textures are not read.
    Q64,
    /// Half-Life, whose textures have palettes.
    Bsp30,
    /// Quake II.
    Bsp38,
    /// `QBSP`, Quake II's format with wider numbers.
    Qbsp,
    /// Quake III and later versions.
    Bsp46,
    /// Raven's variant of Quake III's format.
    Rbsp,
    /// `QFusion`'s variant of Quake III's format.
    Fbsp,
}

impl LevelFormat {
    /// The offset of the lump table, the lump number of models, and the size of a model.
    const fn layout(self) -> (usize, usize, usize) {
        match self {
            LevelFormat::Bsp29
            | LevelFormat::Psb2
            | LevelFormat::Bsp2
            | LevelFormat::Q64
            | LevelFormat::Bsp30 => (4, 14, 64),
            LevelFormat::Bsp38 | LevelFormat::Qbsp => (8, 13, 48),
            LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp => (8, 7, 40),
        }
    }

    /// The number of lumps.
    const fn lumps(self) -> usize {
        match self {
            LevelFormat::Bsp29
            | LevelFormat::Psb2
            | LevelFormat::Bsp2
            | LevelFormat::Q64
            | LevelFormat::Bsp30 => 15,
            LevelFormat::Bsp38 | LevelFormat::Qbsp => 19,
            LevelFormat::Rbsp => 18,
            LevelFormat::Bsp46 | LevelFormat::Fbsp => 17,
        }
    }
}

/// A bounding box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// The minimum of each coordinate.
    pub least: [f32; 3],
    /// The maximum of each coordinate.
    pub greatest: [f32; 3],
}

impl<'a> Level<'a> {
    /// Checks the first bytes. Lumps are checked when they are used.
    ///
    /// # Errors
    /// The bytes are not a level.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let format = match bytes.first_chunk::<8>() {
            Some([29, 0, 0, 0, ..]) => LevelFormat::Bsp29,
            Some([30, 0, 0, 0, ..]) => LevelFormat::Bsp30,
            Some([b'B', b'S', b'P', b'2', ..]) => LevelFormat::Bsp2,
            Some([b'2', b'P', b'S', b'B', ..]) => LevelFormat::Psb2,
            Some([b' ', b'4', b'6', b'Q', ..]) => LevelFormat::Q64,
            Some([b'I', b'B', b'S', b'P', 38, ..]) => LevelFormat::Bsp38,
            Some([b'Q', b'B', b'S', b'P', 38, ..]) => LevelFormat::Qbsp,
            Some([b'I', b'B', b'S', b'P', ..]) => LevelFormat::Bsp46,
            Some([b'R', b'B', b'S', b'P', ..]) => LevelFormat::Rbsp,
            Some([b'F', b'B', b'S', b'P', ..]) => LevelFormat::Fbsp,
            _ => {
                return Err(Error::format("a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP)", bytes));
            }
        };
        Ok(Level { bytes, format })
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> LevelFormat {
        self.format
    }

    /// The version, as tools and engines write it: `29`, `BSP2`, `46`.
    pub(crate) fn version(&self) -> Cow<'static, str> {
        match self.format {
            LevelFormat::Bsp29 => "29".into(),
            LevelFormat::Psb2 => "2PSB".into(),
            LevelFormat::Bsp2 => "BSP2".into(),
            LevelFormat::Q64 => "Q64".into(),
            LevelFormat::Bsp30 => "30".into(),
            LevelFormat::Qbsp => "QBSP".into(),
            LevelFormat::Rbsp => "RBSP".into(),
            LevelFormat::Fbsp => "FBSP".into(),
            LevelFormat::Bsp38 | LevelFormat::Bsp46 => {
                Fields(self.bytes).u32("the version", 4).unwrap_or_default().to_string().into()
            }
        }
    }

    /// The end of the last lump or of the header. A shorter file is truncated. Reads only the header, for
    /// which [`HEADER`](Self::HEADER) bytes are enough.
    #[must_use]
    pub fn end(&self) -> u64 {
        let rows = self.format.layout().0;
        let header = (rows + self.format.lumps() * 8) as u64;
        let field = |at| Fields(self.bytes).u32("a lump", at).unwrap_or(0);
        let lumps = (0..self.format.lumps()).map(|number| rows + number * 8);
        // some compilers leave random offsets for empty lumps
        let ends = lumps.map(|row| (field(row), field(row + 4))).filter(|(_, size)| *size > 0);
        ends.map(|(start, size)| u64::from(start) + u64::from(size)).fold(header, u64::max)
    }

    /// The size of the largest header of all formats.
    pub const HEADER: usize = 160;

    fn lump(&self, what: &'static str, number: usize) -> Result<&'a [u8], Error> {
        let fields = Fields(self.bytes);
        let row = self.format.layout().0 + number * 8;
        fields.bytes(what, fields.size(what, row)?, fields.size(what, row + 4)?)
    }

    /// The text of its entities.
    ///
    /// # Errors
    /// The text is outside the file.
    pub fn entity_text(&self) -> Result<&'a [u8], Error> {
        self.lump("the text of the entities", 0)
    }

    /// Its entities.
    ///
    /// # Errors
    /// The text is outside the file.
    pub fn entities(&self) -> Result<Entities<'a>, Error> {
        self.entity_text().map(Entities::new)
    }

    /// The boxes of its models: the world, then `*1`, `*2` and so on.
    ///
    /// # Errors
    /// The models are outside the file.
    pub fn models(&self) -> Result<impl ExactSizeIterator<Item = Bounds> + use<'a>, Error> {
        let (_, number, size) = self.format.layout();
        let lump = self.lump("the models", number)?;
        Ok(lump.chunks_exact(size).map(|model| {
            let at = |number: usize| Fields(model).f32("a model", number * 4).unwrap_or_default();
            Bounds { least: [at(0), at(1), at(2)], greatest: [at(3), at(4), at(5)] }
        }))
    }

    /// The textures in the level by number; `None` for an unused number. Only Quake's and Half-Life's formats
    /// contain textures.
    ///
    /// # Errors
    /// The table of textures is outside the file. A texture outside the file has its own error.
    pub fn textures(&self) -> Result<Textures<'a>, Error> {
        let range = self.textures_range()?;
        Textures::parse(Fields(self.bytes).bytes("the textures", range.start, range.len())?, self.format)
    }

    /// The range of the textures, for [`Textures::parse`]. Reads only the header, like [`end`](Self::end).
    ///
    /// # Errors
    /// The header is truncated.
    pub fn textures_range(&self) -> Result<Range<usize>, Error> {
        if matches!(
            self.format,
            LevelFormat::Q64
                | LevelFormat::Bsp38
                | LevelFormat::Qbsp
                | LevelFormat::Bsp46
                | LevelFormat::Rbsp
                | LevelFormat::Fbsp
        ) {
            return Ok(0..0);
        }
        let (fields, row) = (Fields(self.bytes), self.format.layout().0 + 2 * 8);
        let (start, size) = (fields.size("the textures", row)?, fields.size("the textures", row + 4)?);
        Ok(start..start.saturating_add(size))
    }

    /// The stored names of the textures or shaders on its surfaces; in Quake II, of `.wal` files below
    /// `textures/`. Names may repeat.
    ///
    /// # Errors
    /// The names are outside the file.
    pub fn surface_names(&self) -> Result<Vec<&'a [u8]>, Error> {
        Ok(match self.format {
            LevelFormat::Bsp38 | LevelFormat::Qbsp => {
                let rows = self.lump("the texture infos", 5)?.chunks_exact(76);
                rows.filter_map(|row| row.get(40..72)).map(name).collect()
            }
            LevelFormat::Bsp46 => self.drawn_shaders(104)?,
            LevelFormat::Rbsp | LevelFormat::Fbsp => self.drawn_shaders(148)?,
            _ => self.textures()?.filter_map(|texture| Some(texture?.ok()?.name)).collect(),
        })
    }
}

impl<'a> Level<'a> {
    /// The shaders of surfaces by number, and the shaders of fog (`R_LoadSurfaces`, `R_LoadFogs`).
    fn drawn_shaders(&self, surface: usize) -> Result<Vec<&'a [u8]>, Error> {
        let surfaces = self.lump("the surfaces", 13)?.chunks_exact(surface);
        let numbers = surfaces.filter_map(|surface| surface.first_chunk().copied().map(u32::from_le_bytes));
        let mut drawn: Vec<u32> = numbers.collect();
        drawn.sort_unstable();
        drawn.dedup();
        let (shaders, _) = self.lump("the shaders", 1)?.as_chunks::<72>();
        let (fogs, _) = self.lump("the fogs", 12)?.as_chunks::<72>();
        let drawn = drawn.into_iter().filter_map(|number| shaders.get(number as usize));
        Ok(drawn.chain(fogs).filter_map(|row| row.get(..64)).map(name).collect())
    }
}

/// The textures of a level.
#[derive(Clone, Debug)]
pub struct Textures<'a> {
    lump: &'a [u8],
    offsets: std::slice::Iter<'a, [u8; 4]>,
    has_palettes: bool,
}

impl<'a> Textures<'a> {
    /// Reads the textures from the bytes at [`textures_range`](Level::textures_range).
    ///
    /// # Errors
    /// The table of textures is outside these bytes.
    pub fn parse(lump: &'a [u8], format: LevelFormat) -> Result<Self, Error> {
        let has_palettes = format == LevelFormat::Bsp30;
        if lump.is_empty() {
            return Ok(Textures { lump, offsets: [].iter(), has_palettes });
        }
        let fields = Fields(lump);
        let count = fields.size("the number of textures", 0)?;
        let offsets = fields.rows("the offsets of the textures", 4, count)?.iter();
        Ok(Textures { lump, offsets, has_palettes })
    }

    /// The textures whose pixels are in the level: name and range in these bytes. Textures outside the bytes
    /// are left out.
    pub fn held(self) -> impl Iterator<Item = (&'a [u8], Range<usize>)> {
        let start = self.lump.as_ptr().addr();
        self.filter_map(move |texture| {
            let texture = texture?.ok().filter(MipTexture::has_pixels)?;
            let stored = texture.stored();
            let from = stored.as_ptr().addr() - start;
            Some((texture.name, from..from + stored.len()))
        })
    }
}

impl<'a> Iterator for Textures<'a> {
    type Item = Option<Result<MipTexture<'a>, Error>>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = u32::from_le_bytes(*self.offsets.next()?);
        // the compiler did not find this texture
        if offset == u32::MAX {
            return Some(None);
        }
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let texture = Fields(self.lump).from("a texture", offset);
        Some(Some(texture.and_then(|fields| MipTexture::parse(fields.0, self.has_palettes))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.offsets.size_hint()
    }
}

impl ExactSizeIterator for Textures<'_> {}
