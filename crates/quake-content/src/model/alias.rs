//! `.mdl`: a model of Quake and Hexen II.

use crate::Error;
use crate::fields::{Fields, pixels};
use crate::model::mesh::{Frame, Gathered, frame_of, named, vertex_number};
use crate::model::{Mesh, Vertex};
use crate::picture::Picture;

/// A Quake model, which contains its skins (Unofficial Quake Specs 3.4, `modelgen.h`). Borrows from the bytes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AliasModel<'a> {
    /// The number of skins that the header states.
    pub skins: usize,
    /// The width of a skin in pixels.
    pub width: u32,
    /// The height of a skin in pixels.
    pub height: u32,
    bytes: &'a [u8],
}

const HEADER: usize = 84;

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

    /// The skins, each by its first picture. Ends after a truncated one, because its size gives the start of the next.
    pub fn skins(&self) -> impl Iterator<Item = Result<Picture<'a>, Error>> + use<'a> {
        let (fields, size) = (Fields(self.bytes), (self.width, self.height));
        let mut next = Some(HEADER);
        (0..self.skins).map_while(move |_| {
            let at = next.take()?;
            let skin = skin(fields, at, size);
            if let Ok((_, end)) = &skin {
                next = Some(*end);
            }
            Some(skin.map(|(skin, _)| skin))
        })
    }

    /// The number of triangles that the header states.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn triangles(&self) -> Result<usize, Error> {
        Fields(self.bytes).size("the number of triangles", 64)
    }

    /// The number of its frames up to a truncated one. Each pose of a group counts.
    ///
    /// # Errors
    /// A skin, a triangle or the first frame is outside the file.
    pub fn frames(&self) -> Result<usize, Error> {
        Ok(self.parts()?.frames.len())
    }

    /// The points of the skin, the triangles and the frames, which stand behind the skins.
    fn parts(&self) -> Result<Parts<'a>, Error> {
        let fields = Fields(self.bytes);
        let mut at = HEADER;
        for _ in 0..self.skins {
            at = skin(fields, at, (self.width, self.height))?.1;
        }
        let count = fields.size("the number of vertices", 60)?;
        let points = fields.rows::<12>("the points of the skin", at, count)?;
        at = at.saturating_add(points.len() * 12);
        let triangles = fields.rows::<16>("the triangles", at, self.triangles()?)?;
        at = at.saturating_add(triangles.len() * 16);
        let mut frames = Vec::new();
        match read_frames(fields, at, count, &mut frames) {
            Err(error) if frames.is_empty() => Err(error),
            _ => Ok(Parts { points, triangles, frames }),
        }
    }

    /// Reads its shape in a frame, counted from 0.
    ///
    /// # Errors
    /// A skin, a triangle or the frame is outside the file, or a triangle uses a vertex number that does not exist.
    pub fn mesh(&self, frame: usize) -> Result<Mesh, Error> {
        let fields = Fields(self.bytes);
        let Parts { points, triangles, frames } = self.parts()?;
        let vertices = frames.get(frame_of(frame, frames.len())?).copied().unwrap_or_default();
        let frame =
            Frame { scale: fields.place("the scale", 8)?, origin: fields.place("the origin", 20)?, vertices };

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
                gathered.corner([number, is_moved.into()], || {
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

/// What stands behind the skins of a model.
struct Parts<'a> {
    points: &'a [[u8; 12]],
    triangles: &'a [[u8; 16]],
    /// The vertices of each frame.
    frames: Vec<&'a [[u8; 4]]>,
}

/// Reads the vertices of all frames, each of `count` vertices.
fn read_frames<'a>(
    fields: Fields<'a>,
    mut at: usize,
    count: usize,
    found: &mut Vec<&'a [[u8; 4]]>,
) -> Result<(), Error> {
    let what = "a frame";
    for _ in 0..fields.size("the number of frames", 68)? {
        let is_single = fields.u32(what, at)? == 0;
        let poses = if is_single { 1 } else { fields.size(what, at.saturating_add(4))? };
        // a group has its number of poses, its bounding box and the time of each pose
        let times = if is_single { 0 } else { poses.saturating_mul(4).saturating_add(12) };
        at = at.saturating_add(4).saturating_add(times);
        for _ in 0..poses {
            // a bounding box and a name
            let vertices = fields.rows(what, at.saturating_add(24), count)?;
            at = at.saturating_add(24).saturating_add(vertices.len() * 4);
            found.push(vertices);
        }
    }
    Ok(())
}

/// Reads the first picture of a skin. Returns it with the offset of the next skin.
fn skin(fields: Fields<'_>, at: usize, size: (u32, u32)) -> Result<(Picture<'_>, usize), Error> {
    let what = "a skin";
    let (pictures, first) = if fields.u32(what, at)? == 0 {
        (1, at.saturating_add(4))
    } else {
        let pictures = fields.size(what, at.saturating_add(4))?;
        (pictures, at.saturating_add(8).saturating_add(pictures.saturating_mul(4)))
    };
    let picture = Picture::of_size(fields.from(what, first)?.0, size)?;
    Ok((picture, first.saturating_add(picture.pixels.len().saturating_mul(pictures))))
}
