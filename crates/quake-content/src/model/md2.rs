//! `.md2`: a model of Quake II.

use crate::Error;
use crate::fields::{Fields, name};

/// A model of Quake II, lent from its bytes (`qfiles.h` of Quake II).
#[derive(Clone, Copy, Debug)]
pub struct Md2<'a> {
    skins: &'a [[u8; 64]],
}

impl<'a> Md2<'a> {
    /// Reads the header and finds the names of the skins.
    ///
    /// # Errors
    /// The bytes are no model, or the names lie outside them.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"IDP2") {
            return Err(Error::format("a model of Quake II (IDP2)", bytes));
        }
        let fields = Fields(bytes);
        let (count, at) =
            (fields.size("the number of skins", 20)?, fields.size("the offset of the skins", 44)?);
        Ok(Md2 { skins: fields.rows("the names of the skins", at, count)? })
    }

    /// The names of its skins: pictures, by their whole names.
    #[must_use]
    pub fn skins(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + use<'a> {
        self.skins.iter().map(|skin| name(skin))
    }
}
