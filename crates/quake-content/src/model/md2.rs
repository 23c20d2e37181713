//! `.md2`: a model of Quake II.

use crate::Error;
use crate::fields::{Fields, name, pixels};
use crate::model::mesh::{Frame, Gathered, frame_of, named};
use crate::model::{Mesh, Vertex};

/// A model of Quake II, borrowed from its bytes (`qfiles.h` of Quake II).
#[derive(Clone, Copy, Debug)]
pub struct Md2<'a> {
    pub(super) bytes: &'a [u8],
    skins: &'a [[u8; 64]],
}

impl<'a> Md2<'a> {
    /// Reads the header and locates the skin names.
    ///
    /// # Errors
    /// The bytes are not an MD2 model, or the names are outside them.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"IDP2") {
            return Err(Error::format("a model of Quake II (IDP2)", bytes));
        }
        let fields = Fields(bytes);
        let (count, at) =
            (fields.size("the number of skins", 20)?, fields.size("the offset of the skins", 44)?);
        Ok(Md2 { bytes, skins: fields.rows("the names of the skins", at, count)? })
    }

    /// The names of its skin files.
    #[must_use]
    pub fn skins(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        self.skins.iter().map(|skin| name(skin))
    }

    /// The number of triangles that the header states.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn triangles(&self) -> Result<usize, Error> {
        Fields(self.bytes).size("the number of triangles", 32)
    }

    /// The frames: the name of each, and the position of each vertex. Ends after a truncated frame.
    pub fn frames(&self) -> impl Iterator<Item = Result<(&'a [u8], Vec<[f32; 3]>), Error>> + use<'a> {
        let (model, mut is_whole) = (*self, true);
        let count = self.frame_count().unwrap_or_default();
        (0..count).map_while(move |number| {
            let frame = is_whole.then(|| model.frame(number))?;
            is_whole = frame.is_ok();
            Some(frame.map(|(name, frame)| (name, frame.places())))
        })
    }

    /// The number of frames that the header states.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn frame_count(&self) -> Result<usize, Error> {
        Fields(self.bytes).size("the number of frames", 40)
    }

    fn frame(&self, number: usize) -> Result<(&'a [u8], Frame<'a>), Error> {
        let (fields, what) = (Fields(self.bytes), "a frame");
        let vertices = fields.size(what, 24)?;
        // scale, origin and name precede the vertices
        let size = 40_usize.saturating_add(vertices.saturating_mul(4));
        let size = size.max(fields.size(what, 16)?);
        let start = fields.size(what, 56)?.saturating_add(size.saturating_mul(number));
        let frame = Frame {
            scale: fields.place(what, start)?,
            origin: fields.place(what, start.saturating_add(12))?,
            vertices: fields.rows(what, start.saturating_add(40), vertices)?,
        };
        Ok((name(fields.bytes(what, start.saturating_add(24), 16)?), frame))
    }

    /// Reads its shape in a frame, counted from 0.
    ///
    /// # Errors
    /// A triangle, a point of the skin or the frame is outside the file, the frame does not exist, or a
    /// triangle uses a number that does not exist.
    pub fn mesh(&self, frame: usize) -> Result<Mesh, Error> {
        let fields = Fields(self.bytes);
        let at = |what, offset| fields.size(what, offset);
        let width = pixels(fields.u32("the width of the skin", 8)?);
        let height = pixels(fields.u32("the height of the skin", 12)?);
        let what = "the points of the skin";
        let points = fields.rows::<4>(what, at(what, 48)?, at(what, 28)?)?;
        let what = "the triangles";
        let triangles = fields.rows::<12>(what, at(what, 52)?, self.triangles()?)?;
        let (_, frame) = self.frame(frame_of(frame, self.frame_count()?)?)?;

        let mut gathered = Gathered::default();
        for triangle in triangles {
            let numbers = |number: usize| Fields(triangle).u16("a triangle", number * 2);
            let mut corner = |number| {
                let (place, point) = (numbers(number)?, numbers(number + 3)?);
                gathered.corner([place, point], place, || {
                    let point = Fields(named("a point of a triangle", points, point)?);
                    let across = f32::from(point.i16("a point", 0)?) / width;
                    let down = f32::from(point.i16("a point", 2)?) / height;
                    Ok(Vertex { place: frame.place(place)?, point: [across, down] })
                })
            };
            let corners = [corner(0)?, corner(1)?, corner(2)?];
            gathered.mesh.triangles.push(corners);
        }
        Ok(gathered.mesh)
    }
}
