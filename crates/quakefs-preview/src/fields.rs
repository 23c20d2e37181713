//! Little-endian fields at offsets.

use crate::Error;

/// The bytes of a file, whose parts are there or are an error.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    /// Bytes from an offset.
    pub(crate) fn bytes(self, what: &'static str, offset: usize, length: usize) -> Result<&'a [u8], Error> {
        let end = offset.checked_add(length);
        end.and_then(|end| self.0.get(offset..end)).ok_or(Error::CutOff {
            what,
            needed: (offset as u64).saturating_add(length as u64),
            found: self.0.len() as u64,
        })
    }

    /// The bytes from an offset to the end.
    pub(crate) fn from(self, what: &'static str, offset: usize) -> Result<Fields<'a>, Error> {
        self.bytes(what, offset, self.0.len().saturating_sub(offset)).map(Fields)
    }

    pub(crate) fn u32(self, what: &'static str, offset: usize) -> Result<u32, Error> {
        let bytes = self.bytes(what, offset, 4)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    pub(crate) fn u16(self, what: &'static str, offset: usize) -> Result<u16, Error> {
        let bytes = self.bytes(what, offset, 2)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u16::from(byte)))
    }

    /// A number that counts or places something.
    pub(crate) fn size(self, what: &'static str, offset: usize) -> Result<usize, Error> {
        // no system of 16 bits reads games
        Ok(usize::try_from(self.u32(what, offset)?).unwrap_or(usize::MAX))
    }
}

/// A name in a field of fixed width, up to its NUL.
pub(crate) fn name(field: &[u8]) -> Vec<u8> {
    field.iter().copied().take_while(|&byte| byte != 0).collect()
}
