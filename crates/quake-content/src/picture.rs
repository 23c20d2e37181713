//! `.lmp`, `.wal` and `.m8`: pictures with one byte per pixel; `.m32` with four.

use crate::fields::{Fields, name};
use crate::{Error, Palette};

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

/// A texture of Heretic II with its palette, `.m8`. Borrows from the bytes.
///
/// Source of both kinds: `Heretic2R`, `src/qcommon/qfiles.h`, `miptex_t` and `miptex32_t`. Of the 16 sizes
/// the first is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct M8<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    pub(crate) offset: u32,
    bytes: &'a [u8],
}

impl<'a> M8<'a> {
    const VERSION: u32 = 2;
    const PALETTE: usize = 260;

    /// Reads the header.
    ///
    /// # Errors
    /// The header is truncated, or of another version.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let (name, (width, height), offset) = header_of_heretic2(bytes, Self::VERSION, 32, 36)?;
        Ok(M8 { name, width, height, offset, bytes })
    }

    /// The palette.
    ///
    /// # Errors
    /// The file ends before it.
    pub fn palette(&self) -> Result<Palette, Error> {
        Ok(Palette::of_colours(Fields(self.bytes).rows("the palette", Self::PALETTE, 256)?))
    }

    /// The largest of the copies.
    ///
    /// # Errors
    /// The pixels are outside the file.
    pub fn picture(&self) -> Result<Picture<'a>, Error> {
        let pixels = Fields(self.bytes).from("the pixels", self.offset as usize)?;
        Picture::of_size(pixels.0, (self.width, self.height))
    }
}

/// A texture of Heretic II with four bytes per pixel, `.m32`. Borrows from the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct M32<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    pub(crate) offset: u32,
    bytes: &'a [u8],
}

impl<'a> M32<'a> {
    const VERSION: u32 = 4;

    /// Reads the header.
    ///
    /// # Errors
    /// The header is truncated, or of another version.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let (name, (width, height), offset) = header_of_heretic2(bytes, Self::VERSION, 128, 516)?;
        Ok(M32 { name, width, height, offset, bytes })
    }

    /// The pixels of the largest copy in rows from the top: red, green, blue and opacity.
    ///
    /// # Errors
    /// The picture has no pixels, or more than the file has bytes.
    pub fn pixels(&self) -> Result<&'a [[u8; 4]], Error> {
        let wrong = || Error::size(self.width, self.height);
        let count = usize::try_from(u64::from(self.width) * u64::from(self.height)).map_err(|_| wrong())?;
        let pixels =
            Fields(self.bytes).rows("the pixels", self.offset as usize, count).map_err(|_| wrong())?;
        if pixels.is_empty() { Err(wrong()) } else { Ok(pixels) }
    }
}

/// Name, size and offset of the largest copy.
type Largest<'a> = (&'a [u8], (u32, u32), u32);

fn header_of_heretic2(
    bytes: &[u8],
    expected: u32,
    name_width: usize,
    sizes: usize,
) -> Result<Largest<'_>, Error> {
    let fields = Fields(bytes);
    let found = fields.u32("the version", 0)?;
    if found != expected {
        return Err(Error::version("a texture", found, expected));
    }
    let stored = fields.bytes("the name of the texture", 4, name_width)?;
    let size = (fields.u32("the width", sizes)?, fields.u32("the height", sizes + 64)?);
    Ok((name(stored), size, fields.u32("the offset of the pixels", sizes + 128)?))
}
