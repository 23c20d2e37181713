//! `.mdl`: a model of Quake and Hexen II.

use crate::Error;
use crate::fields::{Fields, name, pixels};
use crate::model::mesh::{Frame, Gathered, named, vertex_number};
use crate::model::{Mesh, Vertex};
use crate::picture::Picture;

/// A Quake model, which contains its skins (Unofficial Quake Specs 3.4, `modelgen.h`). Borrows from the
/// bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AliasModel<'a> {
    /// The number of skins that the header states.
    pub skins: usize,
    /// The width of a skin in pixels.
    pub width: u32,
    /// The height of a skin in pixels.
    pub height: u32,
    pub(super) bytes: &'a [u8],
}

const HEADER: usize = 84;
/// The size of a bounding box.
const BOX: usize = 8;
const FRAME: &str = "a frame";

impl<'a> AliasModel<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a model of this format, or the header is truncated.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"IDPO") {
            return Err(Error::format("a model of Quake (IDPO)", bytes));
        }
        let fields = Fields(bytes);
        let skins = fields.size("the number of skins", 48)?;
        let (width, height) =
            (fields.u32("the width of the skins", 52)?, fields.u32("the height of the skins", 56)?);
        Ok(AliasModel { skins, width, height, bytes })
    }

    /// The skins, each by its first picture. Ends after a truncated one, because its size gives the start of
    /// the next.
    pub fn skins(&self) -> impl Iterator<Item = Result<Picture<'a>, Error>> + use<'a> {
        self.each_skin().map(|skin| skin.and_then(|skin| skin.picture(0)))
    }

    /// The pictures of each skin, which are shown in turn. Each has the time at which it ends, in seconds; a
    /// single one has 0.
    ///
    /// Ends after a truncated skin.
    pub fn skin_groups(&self) -> impl Iterator<Item = Result<Vec<(f32, Picture<'a>)>, Error>> + use<'a> {
        self.each_skin().map(|skin| {
            let skin = skin?;
            let picture =
                |(number, time): (usize, &[u8; 4])| Ok((f32::from_le_bytes(*time), skin.picture(number)?));
            skin.times.iter().enumerate().map(picture).collect()
        })
    }

    fn each_skin(&self) -> impl Iterator<Item = Result<Skin<'a>, Error>> + use<'a> {
        let (fields, size) = (Fields(self.bytes), (self.width, self.height));
        let mut next = Some(HEADER);
        (0..self.skins).map_while(move |_| {
            let at = next.take()?;
            let skin = Skin::read(fields, at, size);
            next = skin.as_ref().ok().map(|skin| skin.end);
            Some(skin)
        })
    }

    /// The number of triangles that the header states.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn triangles(&self) -> Result<usize, Error> {
        Fields(self.bytes).size("the number of triangles", 64)
    }

    /// The frames, in groups that are shown in turn; a frame without a group is one by itself. Each has the
    /// time at which it ends, in seconds (0 without a group), its name, and the position of each vertex.
    ///
    /// Ends after a truncated frame.
    ///
    /// # Errors
    /// A skin or a triangle is outside the file.
    #[expect(clippy::type_complexity, reason = "three facts about a frame")]
    pub fn frames(
        &self,
    ) -> Result<impl Iterator<Item = Result<Vec<(f32, &'a [u8], Vec<[f32; 3]>)>, Error>> + use<'a>, Error>
    {
        let with_places = |(time, name, frame): (f32, _, Frame<'_>)| (time, name, frame.places());
        Ok(self.tables()?.groups.map(move |group| Ok(group?.into_iter().map(with_places).collect())))
    }

    /// The number of its frames before a truncated group. Each frame of a group counts.
    ///
    /// # Errors
    /// A skin or a triangle is outside the file.
    pub fn frame_count(&self) -> Result<usize, Error> {
        Ok(self.tables()?.groups.map_while(Result::ok).map(|group| group.len()).sum())
    }

    /// Reads all skins, triangles and frames, and returns the number of frames. Each frame of a group counts.
    ///
    /// # Errors
    /// One of them is outside the file.
    pub(crate) fn whole_frames(&self) -> Result<u64, Error> {
        let mut count = 0;
        for group in self.tables()?.groups {
            count += group?.len() as u64;
        }
        Ok(count)
    }

    /// What follows the skins.
    fn tables(&self) -> Result<Tables<'a, impl Iterator<Item = Group<'a>> + use<'a>>, Error> {
        let fields = Fields(self.bytes);
        let mut at = HEADER;
        for skin in self.each_skin() {
            at = skin?.end;
        }
        let count = fields.size("the number of vertices", 60)?;
        let points = fields.rows("the points of the skin", at, count)?;
        at = at.saturating_add(points.len() * 12);
        let triangles = fields.rows("the triangles", at, self.triangles()?)?;
        let (model, mut next) = (*self, Some(at.saturating_add(triangles.len() * 16)));
        let frames = fields.size("the number of frames", 68)?;
        let groups = (0..frames).map_while(move |_| {
            let at = next.take()?;
            let group = model.group(at, count);
            next = group.as_ref().ok().map(|(_, end)| *end);
            Some(group.map(|(frames, _)| frames))
        });
        Ok(Tables { points, triangles, groups })
    }

    /// The frames of a group at an offset, and where it ends.
    #[expect(clippy::type_complexity, reason = "a group and its end")]
    fn group(&self, at: usize, vertices: usize) -> Result<(Vec<(f32, &'a [u8], Frame<'a>)>, usize), Error> {
        let fields = Fields(self.bytes);
        let (scale, origin) = (fields.place(FRAME, 8)?, fields.place(FRAME, 20)?);
        let (times, mut at) = times(fields, FRAME, at, BOX)?;
        let mut frames = Vec::new();
        for time in times {
            let label = name(fields.bytes(FRAME, at.saturating_add(BOX), 16)?);
            let vertices = fields.rows(FRAME, at.saturating_add(24), vertices)?;
            at = at.saturating_add(24 + vertices.len() * 4);
            frames.push((f32::from_le_bytes(*time), label, Frame { scale, origin, vertices }));
        }
        Ok((frames, at))
    }

    /// Reads its shape in a frame, counted from 0.
    ///
    /// # Errors
    /// A skin, a triangle or the frame is outside the file, or a triangle uses a vertex number that does not
    /// exist.
    pub fn mesh(&self, frame: usize) -> Result<Mesh, Error> {
        let Tables { points, triangles, groups } = self.tables()?;
        let mut before = 0;
        let mut wanted = None;
        for group in groups {
            let group = group?;
            wanted = group.get(frame - before).map(|(_, _, frame)| *frame);
            before += group.len();
            if wanted.is_some() {
                break;
            }
        }
        let frame = wanted.ok_or_else(|| Error::number("a frame", frame, before.saturating_sub(1)))?;

        let (width, height) = (pixels(self.width), pixels(self.height));
        let mut gathered = Gathered::default();
        for triangle in triangles {
            let triangle = Fields(triangle);
            let is_back = triangle.u32("a triangle", 0)? == 0;
            let mut corner = |place| {
                let number = vertex_number(triangle.size("a triangle", place)?, points.len())?;
                let point = Fields(named("a vertex of a triangle", points, number)?);
                // the back of the skin is its right half
                let is_moved = is_back && point.u32("a point", 0)? != 0;
                gathered.corner([number, is_moved.into()], number, || {
                    let across = pixels(point.u32("a point", 4)?);
                    let down = pixels(point.u32("a point", 8)?);
                    let half = if is_moved { width / 2.0 } else { 0.0 };
                    // the centre of the pixel, as in `gl_mesh.c`
                    let point = [(across + half + 0.5) / width, (down + 0.5) / height];
                    Ok(Vertex { place: frame.place(number)?, point })
                })
            };
            let corners = [corner(4)?, corner(8)?, corner(12)?];
            gathered.mesh.triangles.push(corners);
        }
        Ok(gathered.mesh)
    }
}

/// A group of frames, each with the time at which it ends and its name.
type Group<'a> = Result<Vec<(f32, &'a [u8], Frame<'a>)>, Error>;

/// The points on the skin, the triangles and the groups of frames.
struct Tables<'a, G> {
    points: &'a [[u8; 12]],
    triangles: &'a [[u8; 16]],
    groups: G,
}

/// A skin: its pictures follow each other.
struct Skin<'a> {
    /// When each picture ends.
    times: &'a [[u8; 4]],
    pictures: Fields<'a>,
    size: (u32, u32),
    /// The offset of the next skin.
    end: usize,
}

impl<'a> Skin<'a> {
    fn read(fields: Fields<'a>, at: usize, size: (u32, u32)) -> Result<Skin<'a>, Error> {
        let what = "a skin";
        let (times, first) = times(fields, what, at, 0)?;
        let pictures = fields.from(what, first)?;
        let skin = Skin { times, pictures, size, end: 0 };
        let pixels = skin.picture(0)?.pixels.len();
        Ok(Skin { end: first.saturating_add(pixels.saturating_mul(times.len())), ..skin })
    }

    fn picture(&self, number: usize) -> Result<Picture<'a>, Error> {
        let pixels = u64::from(self.size.0) * u64::from(self.size.1);
        let at = usize::try_from(pixels).unwrap_or(usize::MAX).saturating_mul(number);
        Picture::of_size(self.pictures.from("a skin", at)?.0, self.size)
    }
}

/// The times of a group of skins or frames, which follow its count after some bytes, and where the first
/// member is. A single member has the time 0.
fn times<'a>(
    fields: Fields<'a>,
    what: &'static str,
    at: usize,
    after_count: usize,
) -> Result<(&'a [[u8; 4]], usize), Error> {
    if fields.u32(what, at)? == 0 {
        return Ok((&[[0; 4]], at.saturating_add(4)));
    }
    let count = fields.size(what, at.saturating_add(4))?;
    let start = at.saturating_add(8).saturating_add(after_count);
    Ok((fields.rows(what, start, count)?, start.saturating_add(count.saturating_mul(4))))
}
