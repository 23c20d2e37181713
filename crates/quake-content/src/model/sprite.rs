//! `.spr` and `.sp2`: pictures that face the player.

use crate::Error;
use crate::fields::{Fields, name};

/// A sprite, borrowed from its bytes (Unofficial Quake Specs 3.4, the Half-Life SDK's `spritegn.h`, `qfiles.h` of Quake
/// II).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sprite<'a> {
    /// The number of frames that the header states.
    pub frames: usize,
    has_names: bool,
    bytes: &'a [u8],
}

impl<'a> Sprite<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a sprite, or the header is truncated.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let version = fields.u32("the version", 4);
        // versions of Quake, DarkPlaces (four bytes a pixel), Half-Life (with a palette) and Quake II (names of pictures)
        let (frames, has_names) = match (bytes.first_chunk(), version) {
            (Some(b"IDSP"), Ok(1 | 32)) => (24, false),
            (Some(b"IDSP"), Ok(2)) => (28, false),
            (Some(b"IDS2"), Ok(2)) => (8, true),
            _ => return Err(Error::format("a sprite (IDSP or IDS2)", bytes)),
        };
        Ok(Sprite { frames: fields.size("the number of frames", frames)?, has_names, bytes })
    }

    /// The picture names of its frames; empty if the pixels are in the file.
    ///
    /// # Errors
    /// The frames are outside the file.
    pub fn pictures(&self) -> Result<impl ExactSizeIterator<Item = &'a [u8]> + use<'a>, Error> {
        let count = if self.has_names { self.frames } else { 0 };
        let frames = Fields(self.bytes).rows::<80>("the frames", 12, count)?;
        Ok(frames.iter().map(|frame| name(frame.get(16..).unwrap_or_default())))
    }
}
