//! The faces of a level.

use super::{Level, LevelFormat};
use crate::Error;
use crate::fields::{Fields, name, pixels};

/// A face of a level: a polygon.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    /// Its edge numbers or its corners, and the size of each in bytes.
    rows: &'a [u8],
    row: usize,
    edges: Edges<'a>,
    /// The corner numbers of its triangles; empty for triangles that all have the first corner.
    order: &'a [u8],
    texture: &'a [u8],
    /// How a position becomes one on the texture: two rows of four numbers. Without it, the corners have one.
    axes: Option<[[f32; 4]; 2]>,
    light: FaceLight<'a>,
}

/// The light of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Light {
    /// The offset of its first sample in [`Level::light`].
    pub start: usize,
    /// The width in samples.
    pub width: u32,
    /// The height in samples.
    pub height: u32,
    /// The number of styles, each with its samples after those of the last one.
    pub styles: u32,
}

impl Light {
    /// Offset, width, height and styles, as hosts keep them in one list.
    #[must_use]
    pub fn numbers(&self) -> [u32; 4] {
        [u32::try_from(self.start).unwrap_or(u32::MAX), self.width, self.height, self.styles]
    }
}

/// Where a face has its light.
#[derive(Clone, Copy, Debug)]
struct FaceLight<'a> {
    lump: &'a [u8],
    /// The bytes of a sample.
    sample: usize,
    part: LightPart<'a>,
}

#[derive(Clone, Copy, Debug)]
enum LightPart<'a> {
    /// The offset and the styles; the size follows from the texture.
    Own(u32, &'a [u8]),
    /// The number of a square page, and its side.
    Page(u32, u32),
}

/// A corner of a [`Face`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Corner {
    /// The position.
    pub place: [f32; 3],
    /// The position on the texture, to the right and down: in pixels, or in Quake III's formats from 0 to 1.
    pub point: [f32; 2],
    /// The position in the light of the face, from 0 to 1; 0 without light.
    pub light: [f32; 2],
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
/// The lump with the corner numbers of triangles (`LUMP_DRAWINDEXES`).
const ORDERS: usize = 11;

impl<'a> Level<'a> {
    /// The samples of light of all faces.
    ///
    /// # Errors
    /// The light is outside the file.
    pub fn light(&self) -> Result<&'a [u8], Error> {
        self.lump(
            "the light",
            match self.format {
                LevelFormat::Bsp38 | LevelFormat::Qbsp => 7,
                LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp => 14,
                _ => 8,
            },
        )
    }

    /// The bytes of a sample of light: 1 in Quake, 3 for red, green and blue in later games.
    #[must_use]
    pub fn light_sample(&self) -> usize {
        match self.format {
            LevelFormat::Bsp29 | LevelFormat::Psb2 | LevelFormat::Bsp2 | LevelFormat::Q64 => 1,
            _ => 3,
        }
    }

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
        let orders = self.lump("the triangles of faces", ORDERS).unwrap_or_default();
        let order = move |face: &Fields<'_>| {
            let at = face.size(what, 20).ok()?.checked_mul(4)?;
            orders.get(at..at.checked_add(face.size(what, 24).ok()?.checked_mul(4)?)?)
        };
        let is_drawn = move |face: &Fields<'_>| layout.edge > 0 || face.u32(what, 8) == Ok(PLANAR);
        let textures = TextureNames::of(self);
        let lights = Lights::of(self);
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
            let (rows, row) = (rows.get(first..end)?, layout.row);
            let order = order(&face).filter(|_| layout.edge == 0).unwrap_or_default();
            let (axes, light) = (textures.axes(info), lights.of_face(face));
            Some(Face { rows, row, edges, order, texture, axes, light })
        }))
    }
}

impl<'a> Face<'a> {
    /// The corners in order. Invalid corner numbers are left out.
    pub fn corners(&self) -> impl Iterator<Item = [f32; 3]> + use<'a> {
        let edges = self.edges;
        self.rows.chunks_exact(self.row).filter_map(move |row| edges.corner(Fields(row)))
    }

    /// The corners with their positions on the texture and in the light.
    pub fn points(&self) -> impl Iterator<Item = Corner> + use<'a> {
        let (face, frame) = (*self, self.light_frame());
        self.rows.chunks_exact(self.row).map(Fields).filter_map(move |row| {
            let place = face.edges.corner(row)?;
            let pair = |at| Some([row.f32("a corner", at).ok()?, row.f32("a corner", at + 4).ok()?]);
            Some(match (face.axes, frame) {
                (None, _) => Corner { place, point: pair(12)?, light: pair(20)? },
                (Some(axes), None) => Corner { place, point: on(axes, place), light: [0.0; 2] },
                (Some(axes), Some((least, sides))) => {
                    let point = on(axes, place);
                    let mut light = [0.0; 2];
                    for (((light, at), least), side) in light.iter_mut().zip(point).zip(least).zip(sides) {
                        // the middle of a sample
                        *light = (at / SAMPLE - least + 0.5) / pixels(side);
                    }
                    Corner { place, point, light }
                }
            })
        })
    }

    /// The triangles, as numbers of its first `corners` corners: in Quake III's formats as the face stores
    /// them, and else all with the first corner.
    pub fn triangles(&self, corners: u32) -> impl Iterator<Item = [u32; 3]> + use<'a> {
        let stored = self.order.as_chunks::<12>().0.iter().map(|triangle| {
            let (numbers, _) = triangle.as_chunks::<4>();
            [0, 1, 2].map(|corner| numbers.get(corner).map_or(u32::MAX, |number| u32::from_le_bytes(*number)))
        });
        let fan = if self.order.is_empty() { 2..corners } else { 0..0 };
        let stored = stored.filter(move |triangle| triangle.iter().all(|corner| *corner < corners));
        stored.chain(fan.map(|corner| [0, corner - 1, corner]))
    }

    /// The number of corners that its triangles have in the file.
    pub(super) fn stored_corners(&self) -> usize {
        self.order.len() / 4
    }

    /// The light, whose samples are in [`Level::light`]; `None` for a face without it, such as a sky.
    #[must_use]
    pub fn light(&self) -> Option<Light> {
        let FaceLight { lump, sample, part } = self.light;
        let (start, [width, height], styles) = match part {
            LightPart::Page(page, side) => {
                ((page as usize).checked_mul(side as usize * side as usize * sample)?, [side; 2], 1)
            }
            LightPart::Own(start, styles) => (start as usize, self.light_frame()?.1, styles.len()),
        };
        let styles = u32::try_from(styles).ok().filter(|styles| *styles > 0)?;
        let samples = u64::from(width) * u64::from(height) * u64::from(styles);
        let end = usize::try_from(samples).ok()?.checked_mul(sample)?.checked_add(start)?;
        (end <= lump.len()).then_some(Light { start, width, height, styles })
    }

    /// The first sample of its own light, counted from the origin of the texture, and the size in samples
    /// (`CalcSurfaceExtents`).
    fn light_frame(&self) -> Option<([f32; 2], [u32; 2])> {
        let (LightPart::Own(..), Some(axes)) = (self.light.part, self.axes) else { return None };
        let (mut least, mut sides) = ([f32::INFINITY; 2], [0; 2]);
        let mut most = [f32::NEG_INFINITY; 2];
        for place in self.corners() {
            for ((least, most), at) in least.iter_mut().zip(&mut most).zip(on(axes, place)) {
                *least = least.min((at / SAMPLE).floor());
                *most = most.max((at / SAMPLE).ceil());
            }
        }
        for ((side, least), most) in sides.iter_mut().zip(least).zip(most) {
            let length = most - least + 1.0;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is small")]
            let whole = (1.0..=MOST_SAMPLES).contains(&length).then_some(length as u32)?;
            *side = whole;
        }
        Some((least, sides))
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

    /// The two axes of a texture, with which the row of each info begins. Shaders have none.
    fn axes(&self, info: usize) -> Option<[[f32; 4]; 2]> {
        let (rows, size) = match *self {
            TextureNames::Numbered(infos, _) => (infos, 40),
            TextureNames::Named(rows, size, (40, _)) => (rows, size),
            TextureNames::Named(..) => return None,
        };
        let row = Fields(rows).bytes("a texture info", info.checked_mul(size)?, 32).ok()?;
        let axes: &[[u8; 16]; 2] = row.as_chunks().0.first_chunk()?;
        let number = |axis: &[u8; 16], at| Fields(axis).f32("a texture info", at).unwrap_or_default();
        Some(axes.each_ref().map(|axis| [0, 4, 8, 12].map(|at| number(axis, at))))
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

/// The light of a format.
struct Lights<'a> {
    lump: &'a [u8],
    sample: usize,
    /// The offset of a page's number in a face, and the side of a page.
    page: Option<(usize, u32)>,
}

impl<'a> Lights<'a> {
    fn of(level: &Level<'a>) -> Lights<'a> {
        let page = match level.format {
            LevelFormat::Bsp46 => Some((28, 128)),
            LevelFormat::Rbsp => Some((36, 128)),
            LevelFormat::Fbsp => Some((36, 512)),
            _ => None,
        };
        Lights { lump: level.light().unwrap_or_default(), sample: level.light_sample(), page }
    }

    fn of_face(&self, face: Fields<'a>) -> FaceLight<'a> {
        let what = "the light of a face";
        let number = |at| face.u32(what, at).unwrap_or(u32::MAX);
        let part = if let Some((at, side)) = self.page {
            LightPart::Page(number(at), side)
        } else {
            // a face ends with its styles and the offset; 255 is no style
            let end = face.0.len();
            let styles = face.bytes(what, end.saturating_sub(8), 4).unwrap_or_default();
            let count = styles.iter().take_while(|style| **style != u8::MAX).count();
            LightPart::Own(number(end.saturating_sub(4)), styles.get(..count).unwrap_or_default())
        };
        FaceLight { lump: self.lump, sample: self.sample, part }
    }
}

/// The pixels of a texture for a sample of light, and the most samples of a side.
const SAMPLE: f32 = 16.0;
const MOST_SAMPLES: f32 = 65_536.0;

/// A position on a texture.
fn on(axes: [[f32; 4]; 2], [x, y, z]: [f32; 3]) -> [f32; 2] {
    axes.map(|[a, b, c, d]| x * a + y * b + z * c + d)
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
