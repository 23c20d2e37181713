//! `.spr` and `.sp2`: pictures that face the player.

use crate::Error;
use crate::fields::{Fields, name};

/// A sprite, borrowed from its bytes (Unofficial Quake Specs 3.4, the Half-Life SDK's `spritegn.h`, `qfiles.h` of Quake
/// II).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sprite<'a> {
    /// The format.
    pub format: SpriteFormat,
    /// The number of frames that the header states.
    pub frames: usize,
    bytes: &'a [u8],
}

/// A format of sprites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SpriteFormat {
    /// Quake's: pixels in the file.
    Quake,
    /// The format of DarkPlaces and FTE: pixels with four bytes.
    Sprite32,
    /// Half-Life's: pixels and a palette.
    HalfLife,
    /// Quake II's: names of pictures.
    Quake2,
}

impl<'a> Sprite<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a sprite, or the header is truncated.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let version = fields.u32("the version", 4);
        let (format, frames) = match (bytes.first_chunk(), version) {
            (Some(b"IDSP"), Ok(1)) => (SpriteFormat::Quake, 24),
            (Some(b"IDSP"), Ok(32)) => (SpriteFormat::Sprite32, 24),
            (Some(b"IDSP"), Ok(2)) => (SpriteFormat::HalfLife, 28),
            (Some(b"IDS2"), Ok(2)) => (SpriteFormat::Quake2, 8),
            _ => return Err(Error::format("a sprite (IDSP or IDS2)", bytes)),
        };
        Ok(Sprite { format, frames: fields.size("the number of frames", frames)?, bytes })
    }

    /// The picture names of its frames; empty if the pixels are in the file.
    ///
    /// # Errors
    /// The frames are outside the file.
    pub fn pictures(&self) -> Result<impl ExactSizeIterator<Item = &'a [u8]> + use<'a>, Error> {
        let count = if self.format == SpriteFormat::Quake2 { self.frames } else { 0 };
        let frames = Fields(self.bytes).rows::<80>("the frames", 12, count)?;
        Ok(frames.iter().map(|frame| name(frame.get(16..).unwrap_or_default())))
    }
}
