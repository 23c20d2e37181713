//! The faces of a level.

use super::{Level, LevelFormat};
use crate::Error;
use crate::fields::{Fields, name};

/// A face of a level: a polygon.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    /// Its edge numbers or its corners, and the size of each in bytes.
    rows: &'a [u8],
    row: usize,
    edges: Edges<'a>,
    texture: &'a [u8],
}

/// The tables that edge numbers refer to.
#[derive(Clone, Copy, Debug, Default)]
struct Edges<'a> {
    table: &'a [u8],
    /// The size of an edge, which is two corner numbers; 0 if faces contain corners directly.
    size: usize,
    corners: &'a [u8],
}

/// How the faces of a format are stored.
struct Layout {
    /// The size of a face, then the offset and size of the first row's number and of the row count in it.
    face: usize,
    first: usize,
    count: (usize, usize),
    /// The size of a row.
    row: usize,
    /// The offset of the faces in a model.
    world: usize,
    /// The lump numbers of faces, rows, edges and corners.
    lumps: [usize; 4],
    /// The size of an edge.
    edge: usize,
    /// The offset and the size of the number of the texture info or shader in a face.
    info: (usize, usize),
}

impl Layout {
    /// Sources: see [`Level`].
    const fn of(format: LevelFormat) -> Layout {
        let quake = Layout {
            face: 20,
            first: 4,
            count: (8, 2),
            row: 4,
            world: 56,
            lumps: [7, 13, 12, 3],
            edge: 4,
            info: (10, 2),
        };
        let quake3 = Layout {
            face: 104,
            first: 12,
            count: (16, 4),
            row: 44,
            world: 24,
            lumps: [13, 10, 0, 0],
            edge: 0,
            info: (0, 4),
        };
        match format {
            LevelFormat::Bsp29 | LevelFormat::Q64 | LevelFormat::Bsp30 => quake,
            LevelFormat::Bsp2 | LevelFormat::Psb2 => {
                Layout { face: 28, first: 8, count: (12, 4), edge: 8, info: (16, 4), ..quake }
            }
            LevelFormat::Bsp38 => Layout { world: 40, lumps: [6, 12, 11, 2], ..quake },
            LevelFormat::Qbsp => {
                let wide = Layout { face: 28, first: 8, count: (12, 4), edge: 8, info: (16, 4), ..quake };
                Layout { world: 40, lumps: [6, 12, 11, 2], ..wide }
            }
            LevelFormat::Bsp46 => quake3,
            LevelFormat::Rbsp | LevelFormat::Fbsp => Layout { face: 148, row: 80, ..quake3 },
        }
    }
}

/// The surface type of polygons in Quake III (`MST_PLANAR`). Other types are patches and models.
const PLANAR: u32 = 1;

impl<'a> Level<'a> {
    /// The faces of the world, without other models. In Quake III's formats, patches and meshes are skipped.
    ///
    /// Faces may share corners, so a small file can claim many.
    ///
    /// # Errors
    /// A table of the faces, or a face of the world, is outside the file.
    pub fn faces(&self) -> Result<impl Iterator<Item = Face<'a>> + use<'a>, Error> {
        let layout = Layout::of(self.format);
        let what = "the faces";
        let (_, models, _) = self.format.layout();
        let models = Fields(self.lump("the models", models)?);
        let [faces, rows, edges, corners] = layout.lumps;
        let (start, count) = if models.0.is_empty() {
            (0, 0)
        } else {
            (models.size("the world", layout.world)?, models.size("the world", layout.world + 4)?)
        };
        let size = |count: usize| count.saturating_mul(layout.face);
        let faces = Fields(self.lump(what, faces)?).bytes(what, size(start), size(count))?;
        let rows = self.lump("the corners of faces", rows)?;
        let edges = if layout.edge == 0 {
            Edges::default()
        } else {
            let edges = self.lump("the edges", edges)?;
            Edges { table: edges, size: layout.edge, corners: self.lump("the vertices", corners)? }
        };
        let is_drawn = move |face: &Fields<'_>| layout.edge > 0 || face.u32(what, 8) == Ok(PLANAR);
        let textures = TextureNames::of(self);
        let faces = faces.chunks_exact(layout.face).map(Fields).filter(is_drawn);
        Ok(faces.filter_map(move |face| {
            let first = face.size(what, layout.first).ok()?.checked_mul(layout.row)?;
            let count = match layout.count {
                (at, 2) => face.u16(what, at).ok()?.into(),
                (at, _) => face.size(what, at).ok()?,
            };
            let end = first.checked_add(count.checked_mul(layout.row)?)?;
            let info = match layout.info {
                (at, 2) => face.u16(what, at).map_or(usize::MAX, usize::from),
                (at, _) => face.size(what, at).unwrap_or(usize::MAX),
            };
            let texture = textures.name(info).unwrap_or_default();
            Some(Face { rows: rows.get(first..end)?, row: layout.row, edges, texture })
        }))
    }
}

impl<'a> Face<'a> {
    /// The corners in order. Invalid corner numbers are left out.
    pub fn corners(&self) -> impl Iterator<Item = [f32; 3]> + use<'a> {
        let edges = self.edges;
        self.rows.chunks_exact(self.row).filter_map(move |row| edges.corner(Fields(row)))
    }

    /// The stored name of the texture or shader, as in [`Level::surface_names`]; empty if it is missing.
    #[must_use]
    pub fn texture(&self) -> &'a [u8] {
        self.texture
    }

    /// The number of corners in the file.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() / self.row
    }

    /// Whether the face has no corners.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The names of textures by the numbers in faces.
enum TextureNames<'a> {
    /// Texture infos with the number of a texture, and the lump of textures.
    Numbered(&'a [u8], &'a [u8]),
    /// Rows with names: the size of a row, and the offset and size of the name in it.
    Named(&'a [u8], usize, (usize, usize)),
}

impl<'a> TextureNames<'a> {
    fn of(level: &Level<'a>) -> TextureNames<'a> {
        let lump = |number| level.lump("the texture infos", number).unwrap_or_default();
        match level.format {
            LevelFormat::Bsp29
            | LevelFormat::Q64
            | LevelFormat::Bsp30
            | LevelFormat::Bsp2
            | LevelFormat::Psb2 => TextureNames::Numbered(lump(6), lump(2)),
            LevelFormat::Bsp38 | LevelFormat::Qbsp => TextureNames::Named(lump(5), 76, (40, 32)),
            LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp => {
                TextureNames::Named(lump(1), 72, (0, 64))
            }
        }
    }

    fn name(&self, info: usize) -> Option<&'a [u8]> {
        let what = "a texture info";
        match *self {
            TextureNames::Numbered(infos, textures) => {
                let number = Fields(infos).size(what, info.checked_mul(40)?.checked_add(32)?).ok()?;
                let at = Fields(textures).size(what, number.checked_mul(4)?.checked_add(4)?).ok()?;
                Fields(textures).bytes(what, at, 16).ok()
            }
            TextureNames::Named(rows, size, (at, length)) => {
                Fields(rows).bytes(what, info.checked_mul(size)?.checked_add(at)?, length).ok()
            }
        }
        .map(name)
    }
}

impl Edges<'_> {
    fn corner(&self, row: Fields<'_>) -> Option<[f32; 3]> {
        let what = "a corner";
        if self.size == 0 {
            return row.place(what, 0).ok();
        }
        // a negative number means the edge in reverse
        let number = row.u32(what, 0).ok()?.cast_signed();
        let half = self.size / 2;
        let place = usize::try_from(number.unsigned_abs()).ok()?.checked_mul(self.size)?;
        let place = if number < 0 { place.checked_add(half)? } else { place };
        let edges = Fields(self.table);
        let corner =
            if half == 2 { edges.u16(what, place).ok()?.into() } else { edges.size(what, place).ok()? };
        Fields(self.corners).place(what, corner.checked_mul(12)?).ok()
    }
}
