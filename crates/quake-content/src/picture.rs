//! `.lmp` and `.wal`: pictures with one byte per pixel.

use crate::Error;
use crate::fields::{Fields, name};

/// A picture with one byte per pixel. Borrows from the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Picture<'a> {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels in rows from the top, one byte each.
    pub pixels: &'a [u8],
}

impl<'a> Picture<'a> {
    /// Reads a picture with a size header, as in the status bar (`.lmp`; `qpic_t` of Quake's `wad.h`).
    ///
    /// # Errors
    /// The picture has no pixels, or more than the file has bytes.
    pub fn with_size(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let size = (fields.u32("the width", 0)?, fields.u32("the height", 4)?);
        Picture::of_size(fields.from("the pixels", 8)?.0, size)
    }

    /// Reads a picture of known size.
    ///
    /// # Errors
    /// The size has no pixels, or more than the file has bytes.
    pub fn of_size(bytes: &'a [u8], (width, height): (u32, u32)) -> Result<Self, Error> {
        let count = usize::try_from(u64::from(width) * u64::from(height)).ok().filter(|count| *count > 0);
        let pixels = count.and_then(|count| bytes.get(..count)).ok_or_else(|| Error::size(width, height))?;
        Ok(Picture { width, height, pixels })
    }
}

/// A Quake II texture, `.wal` (Quake 2 BSP File Format of flipcode, 2000; `qfiles.h`). Borrows from the
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wal<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The next picture of its animation, as a name below `textures/` without extension; empty if it is not
    /// animated.
    pub next: &'a [u8],
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    bytes: &'a [u8],
}

impl<'a> Wal<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let names = fields.bytes("the name of the texture", 0, 32)?;
        let next = fields.bytes("the name of the next texture", 56, 32)?;
        let (width, height) = (fields.u32("the width", 32)?, fields.u32("the height", 36)?);
        Ok(Wal { name: name(names), next: name(next), width, height, bytes })
    }

    /// The largest of the four copies.
    ///
    /// # Errors
    /// The pixels are outside the file.
    pub fn picture(&self) -> Result<Picture<'a>, Error> {
        let fields = Fields(self.bytes);
        let pixels = fields.from("the pixels", fields.size("the offset of the pixels", 40)?)?;
        Picture::of_size(pixels.0, (self.width, self.height))
    }
}
