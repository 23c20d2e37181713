//! Little-endian fields at offsets.

use crate::Error;

/// The bytes of a file. Reading past the end is an error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    /// Bytes from an offset.
    pub(crate) fn bytes(self, what: &'static str, offset: usize, length: usize) -> Result<&'a [u8], Error> {
        let end = offset.saturating_add(length);
        self.0.get(offset..end).ok_or_else(|| Error::cut_off(what, end, self.0.len()))
    }

    /// Consecutive rows of equal size.
    pub(crate) fn rows<const SIZE: usize>(
        self,
        what: &'static str,
        offset: usize,
        count: usize,
    ) -> Result<&'a [[u8; SIZE]], Error> {
        Ok(self.bytes(what, offset, count.saturating_mul(SIZE))?.as_chunks().0)
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

    pub(crate) fn f32(self, what: &'static str, offset: usize) -> Result<f32, Error> {
        self.u32(what, offset).map(f32::from_bits)
    }

    pub(crate) fn i16(self, what: &'static str, offset: usize) -> Result<i16, Error> {
        self.u16(what, offset).map(u16::cast_signed)
    }

    /// A position as three numbers.
    pub(crate) fn place(self, what: &'static str, offset: usize) -> Result<[f32; 3], Error> {
        let at = |number: usize| self.f32(what, offset.saturating_add(number * 4));
        Ok([at(0)?, at(1)?, at(2)?])
    }

    /// A count or an offset.
    pub(crate) fn size(self, what: &'static str, offset: usize) -> Result<usize, Error> {
        // `usize` has at least 32 bits on every supported system
        Ok(usize::try_from(self.u32(what, offset)?).unwrap_or(usize::MAX))
    }
}

/// The name in a field of fixed width, up to its NUL.
pub(crate) fn name(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    field.get(..end).unwrap_or(field)
}

/// Converts a size or position of pixels for calculations.
#[expect(clippy::cast_precision_loss, reason = "what a picture has is small, and anything else is wrong")]
pub(crate) fn pixels(number: u32) -> f32 {
    number.cast_signed() as f32
}
