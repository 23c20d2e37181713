//! `.mdl`: a model of Quake and Hexen II.

use crate::Error;
use crate::fields::{Fields, pixels};
use crate::model::mesh::{Frame, Gathered, named, vertex_number};
use crate::model::{Mesh, Vertex};
use crate::picture::Picture;

/// A model of Quake, lent from its bytes. Its skins are in the file (Unofficial Quake Specs 3.4, `modelgen.h`).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AliasModel<'a> {
    /// How many skins it says that it has.
    pub skins: usize,
    /// Pixels of a skin from left to right.
    pub width: u32,
    /// Pixels of a skin from top to bottom.
    pub height: u32,
    bytes: &'a [u8],
}

/// A skin of a model: one picture, or several that change in turns.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Skin<'a> {
    /// The first picture.
    pub picture: Picture<'a>,
    /// How many pictures there are.
    pub pictures: usize,
}

const HEADER: usize = 84;

impl<'a> AliasModel<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are no model, or the header is cut off.
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

    /// The skins. After one that is cut off, nothing follows: where a skin starts is known from the one before it.
    pub fn skins(&self) -> impl Iterator<Item = Result<Skin<'a>, Error>> + use<'a> {
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

    /// How many triangles it says that it has.
    ///
    /// # Errors
    /// The header is cut off.
    pub fn triangles(&self) -> Result<usize, Error> {
        Fields(self.bytes).size("the number of triangles", 64)
    }

    /// Its shape.
    ///
    /// # Errors
    /// A skin, a triangle or the first frame lies outside the file, or a triangle names a vertex that is not there.
    pub fn mesh(&self) -> Result<Mesh, Error> {
        let fields = Fields(self.bytes);
        let mut at = HEADER;
        for _ in 0..self.skins {
            at = skin(fields, at, (self.width, self.height))?.1;
        }
        let count = fields.size("the number of vertices", 60)?;
        let points = fields.rows::<12>("the points of the skin", at, count)?;
        at = at.saturating_add(points.len() * 12);
        let triangles = fields.rows::<16>("the triangles", at, self.triangles()?)?;
        let frame = first_frame(fields, at.saturating_add(triangles.len() * 16), count)?;

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
                    // the middle of a pixel, as `gl_mesh.c` has it
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

/// The first frame, or the first of a group.
fn first_frame(fields: Fields<'_>, at: usize, count: usize) -> Result<Frame<'_>, Error> {
    let what = "the first frame";
    let boxes = if fields.u32(what, at)? == 0 {
        at.saturating_add(4)
    } else {
        let frames = fields.size(what, at.saturating_add(4))?;
        at.saturating_add(16).saturating_add(frames.saturating_mul(4))
    };
    // after two corners of a box and a name
    let vertices = fields.rows(what, boxes.saturating_add(24), count)?;
    Ok(Frame { scale: fields.place(what, 8)?, origin: fields.place(what, 20)?, vertices })
}

/// A skin, and where the next one starts.
fn skin(fields: Fields<'_>, at: usize, size: (u32, u32)) -> Result<(Skin<'_>, usize), Error> {
    let what = "a skin";
    let (pictures, first) = if fields.u32(what, at)? == 0 {
        (1, at.saturating_add(4))
    } else {
        let pictures = fields.size(what, at.saturating_add(4))?;
        (pictures, at.saturating_add(8).saturating_add(pictures.saturating_mul(4)))
    };
    let picture = Picture::of_size(fields.from(what, first)?.0, size)?;
    Ok((Skin { picture, pictures }, first.saturating_add(picture.pixels.len().saturating_mul(pictures))))
}
