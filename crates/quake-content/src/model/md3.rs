//! `.md3`: a model of Quake III.

use crate::Error;
use crate::fields::{Fields, name};

/// A model of Quake III, lent from its bytes (`qfiles.h` of Quake III).
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
    /// The bytes are no model, or it has more surfaces than the engine takes.
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

    /// The names of the shaders of its surfaces. After a surface that is cut off, nothing follows.
    ///
    /// # Errors
    /// A surface lies outside the file.
    pub fn shaders(&self) -> Result<Vec<&'a [u8]>, Error> {
        let what = "a surface";
        let (mut at, mut names) = (self.first, Vec::new());
        for _ in 0..self.surfaces {
            let surface = Fields(self.bytes).from(what, at)?;
            let count = surface.size(what, 76)?.min(MOST_SHADERS);
            let shaders = surface.rows::<68>("the shaders", surface.size(what, 92)?, count)?;
            names.extend(shaders.iter().filter_map(|shader| shader.get(..64)).map(name));
            at = at.saturating_add(surface.size(what, 104)?);
        }
        Ok(names)
    }
}
