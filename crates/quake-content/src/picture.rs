//! `.lmp` and `.wal`: pictures of one byte a pixel.

use crate::Error;
use crate::fields::{Fields, name};

/// A picture of one byte a pixel, lent from its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Picture<'a> {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// A byte each, in rows from the top; exactly as many as there are pixels.
    pub pixels: &'a [u8],
}

impl<'a> Picture<'a> {
    /// A picture with its size before it, as the status bar has them (`.lmp`; `qpic_t` of Quake's `wad.h`).
    ///
    /// # Errors
    /// The picture has no pixels, or more than there are bytes.
    pub fn with_size(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let size = (fields.u32("the width", 0)?, fields.u32("the height", 4)?);
        Picture::of_size(fields.from("the pixels", 8)?.0, size)
    }

    /// A picture of a known size.
    ///
    /// # Errors
    /// There are fewer bytes than pixels, or no pixels.
    pub fn of_size(bytes: &'a [u8], (width, height): (u32, u32)) -> Result<Self, Error> {
        let count = usize::try_from(u64::from(width) * u64::from(height)).ok().filter(|count| *count > 0);
        let pixels = count.and_then(|count| bytes.get(..count)).ok_or_else(|| Error::size(width, height))?;
        Ok(Picture { width, height, pixels })
    }
}

/// `.wal`: a texture of Quake II, lent from its bytes (Quake 2 BSP File Format of flipcode, 2000; `qfiles.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wal<'a> {
    /// Its own name.
    pub name: &'a [u8],
    /// The name of the next picture of its animation, below `textures/` and without extension; empty where there is none.
    pub next: &'a [u8],
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    bytes: &'a [u8],
}

impl<'a> Wal<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The header is cut off.
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
    /// The pixels lie outside the file.
    pub fn picture(&self) -> Result<Picture<'a>, Error> {
        let fields = Fields(self.bytes);
        let pixels = fields.from("the pixels", fields.size("the offset of the pixels", 40)?)?;
        Picture::of_size(pixels.0, (self.width, self.height))
    }
}
