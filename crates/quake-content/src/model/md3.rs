//! `.md3`: a model of Quake III.

use crate::Error;
use crate::fields::{Fields, name};
use crate::model::mesh::{Gathered, frame_of, named, vertex_number};
use crate::model::{Mesh, Vertex};

/// A model of Quake III, borrowed from its bytes (`qfiles.h` of Quake III).
#[derive(Clone, Copy, Debug)]
pub struct Md3<'a> {
    bytes: &'a [u8],
    surfaces: usize,
    first: usize,
}

/// `MD3_MAX_SURFACES` and `MD3_MAX_SHADERS`.
const MOST_SURFACES: usize = 32;
const MOST_SHADERS: usize = 256;

impl<'a> Md3<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not an MD3 model, or it has more surfaces than the engine supports.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"IDP3") {
            return Err(Error::format("a model of Quake III (IDP3)", bytes));
        }
        let fields = Fields(bytes);
        let surfaces = fields.size("the number of surfaces", 84)?;
        if surfaces > MOST_SURFACES {
            return Err(Error::number("the number of surfaces", surfaces, MOST_SURFACES));
        }
        Ok(Md3 { bytes, surfaces, first: fields.size("the offset of the surfaces", 100)? })
    }

    /// The bytes from the start of each surface. Ends after a truncated one.
    fn surfaces(&self) -> impl Iterator<Item = Result<Fields<'a>, Error>> + use<'a> {
        let what = "a surface";
        let (bytes, mut next) = (Fields(self.bytes), Some(self.first));
        (0..self.surfaces).map_while(move |_| {
            let at = next.take()?;
            let surface = bytes.from(what, at);
            let length = surface.clone().and_then(|surface| surface.size(what, 104));
            next = length.as_ref().ok().map(|length| at.saturating_add(*length));
            Some(length.and(surface))
        })
    }

    /// The names of the shaders of its surfaces.
    ///
    /// # Errors
    /// A surface is outside the file.
    pub fn shaders(&self) -> Result<Vec<&'a [u8]>, Error> {
        let mut names = Vec::new();
        for surface in self.surfaces() {
            names.extend(shaders(surface?)?);
        }
        Ok(names)
    }

    /// The number of triangles that its surfaces state.
    ///
    /// # Errors
    /// A surface is outside the file.
    pub fn triangles(&self) -> Result<usize, Error> {
        let count = |surface: Fields<'_>| surface.size("the number of triangles", 84);
        self.surfaces().try_fold(0_usize, |sum, surface| Ok(sum.saturating_add(count(surface?)?)))
    }

    /// The number of frames that the header states.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn frame_count(&self) -> Result<usize, Error> {
        Fields(self.bytes).size("the number of frames", 76)
    }

    /// The shape of each surface in a frame, counted from 0, with the name of its first shader.
    ///
    /// # Errors
    /// A surface is outside the file, the frame does not exist, or a triangle uses a vertex number that does
    /// not exist.
    pub fn meshes(&self, frame: usize) -> Result<Vec<(&'a [u8], Mesh)>, Error> {
        self.surfaces()
            .map(|surface| {
                let surface = surface?;
                Ok((shaders(surface)?.next().unwrap_or_default(), mesh(surface, frame)?))
            })
            .collect()
    }
}

fn shaders(surface: Fields<'_>) -> Result<impl Iterator<Item = &[u8]>, Error> {
    let what = "the shaders";
    let count = surface.size(what, 76)?.min(MOST_SHADERS);
    let shaders = surface.rows::<68>(what, surface.size(what, 92)?, count)?;
    Ok(shaders.iter().filter_map(|shader| shader.get(..64)).map(name))
}

fn mesh(surface: Fields<'_>, frame: usize) -> Result<Mesh, Error> {
    let what = "the vertices";
    let count = surface.size(what, 80)?;
    let frame = frame_of(frame, surface.size(what, 72)?)?;
    let before = frame.saturating_mul(count).saturating_mul(8);
    let places = surface.rows::<8>(what, surface.size(what, 100)?.saturating_add(before), count)?;
    let points = surface.rows::<8>(what, surface.size(what, 96)?, count)?;
    let what = "the triangles";
    let triangles = surface.rows::<12>(what, surface.size(what, 88)?, surface.size(what, 84)?)?;
    let mut gathered = Gathered::default();
    for triangle in triangles {
        let mut corner = |at| {
            let number = vertex_number(Fields(triangle).size("a triangle", at)?, count)?;
            gathered.corner([number, 0], number, || {
                let what = "a vertex of a triangle";
                let (place, point) =
                    (Fields(named(what, places, number)?), Fields(named(what, points, number)?));
                // a unit has 64 steps
                let at = |offset| place.i16(what, offset).map(|steps| f32::from(steps) / 64.0);
                let place = [at(0)?, at(2)?, at(4)?];
                Ok(Vertex { place, point: [point.f32(what, 0)?, point.f32(what, 4)?] })
            })
        };
        let corners = [corner(0)?, corner(4)?, corner(8)?];
        gathered.mesh.triangles.push(corners);
    }
    Ok(gathered.mesh)
}
