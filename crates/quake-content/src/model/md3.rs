//! `.md3`: a model of Quake III.

use crate::Error;
use crate::fields::{Fields, name};
use crate::model::mesh::{Gathered, frame_of, named, vertex_number};
use crate::model::{Mesh, Vertex};

/// A model of Quake III, borrowed from its bytes (`qfiles.h` of Quake III).
#[derive(Clone, Copy, Debug)]
pub struct Md3<'a> {
    pub(super) bytes: &'a [u8],
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

    /// The names of its surfaces.
    ///
    /// # Errors
    /// A surface is outside the file.
    pub fn surface_names(&self) -> Result<Vec<&'a [u8]>, Error> {
        self.surfaces().map(|surface| Ok(name(surface?.bytes("the name of a surface", 4, 64)?))).collect()
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

impl<'a> Md3<'a> {
    /// The names of its frames.
    pub(super) fn frame_names(&self) -> Result<impl Iterator<Item = &'a [u8]> + use<'a>, Error> {
        let at = Fields(self.bytes).size("the offset of the frames", 92)?;
        let rows = Fields(self.bytes).rows::<56>("the frames", at, self.frame_count()?)?;
        Ok(rows.iter().map(|row| name(row.get(40..).unwrap_or_default())))
    }

    /// The number of each surface's first vertex, if all surfaces are one after the other.
    pub(super) fn vertex_starts(&self) -> Result<Vec<usize>, Error> {
        let mut next = 0_usize;
        self.surfaces()
            .map(|surface| {
                let start = next;
                next = start.saturating_add(surface?.size("the vertices", 80)?);
                Ok(start)
            })
            .collect()
    }

    /// The vertices of all surfaces in a frame.
    pub(super) fn places(&self, frame: usize) -> Result<Vec<[f32; 3]>, Error> {
        let mut places = Vec::new();
        for surface in self.surfaces() {
            for row in rows(surface?, frame)? {
                places.push(place(Fields(row))?);
            }
        }
        Ok(places)
    }
}

/// The vertices of a surface in a frame.
fn rows(surface: Fields<'_>, frame: usize) -> Result<&[[u8; 8]], Error> {
    let what = "the vertices";
    let count = surface.size(what, 80)?;
    let frame = frame_of(frame, surface.size(what, 72)?)?;
    let before = frame.saturating_mul(count).saturating_mul(8);
    surface.rows(what, surface.size(what, 100)?.saturating_add(before), count)
}

fn place(row: Fields<'_>) -> Result<[f32; 3], Error> {
    // a unit has 64 steps
    let at = |offset| row.i16("a vertex of a triangle", offset).map(|steps| f32::from(steps) / 64.0);
    Ok([at(0)?, at(2)?, at(4)?])
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
    let places = rows(surface, frame)?;
    let points = surface.rows::<8>(what, surface.size(what, 96)?, count)?;
    let what = "the triangles";
    let triangles = surface.rows::<12>(what, surface.size(what, 88)?, surface.size(what, 84)?)?;
    let mut gathered = Gathered::default();
    for triangle in triangles {
        let mut corner = |at| {
            let number = vertex_number(Fields(triangle).size("a triangle", at)?, count)?;
            gathered.corner([number, 0], number, || {
                let what = "a vertex of a triangle";
                let point = Fields(named(what, points, number)?);
                let place = place(Fields(named(what, places, number)?))?;
                Ok(Vertex { place, point: [point.f32(what, 0)?, point.f32(what, 4)?] })
            })
        };
        let corners = [corner(0)?, corner(4)?, corner(8)?];
        gathered.mesh.triangles.push(corners);
    }
    Ok(gathered.mesh)
}
