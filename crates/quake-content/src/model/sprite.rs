//! `.spr` and `.sp2`: pictures that face the player.

use crate::fields::{Fields, name};
use crate::picture::Picture;
use crate::{Error, Palette};

/// A sprite, borrowed from its bytes (Unofficial Quake Specs 3.4, the Half-Life SDK's `spritegn.h`,
/// `qfiles.h` of Quake II).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sprite<'a> {
    /// The number of frames that the header states.
    pub count: usize,
    form: Form,
    bytes: &'a [u8],
}

/// The versions of sprites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Quake,
    /// Four bytes a pixel, of DarkPlaces.
    Colours,
    HalfLife,
    /// Names of pictures, of Quake II.
    Names,
}

impl<'a> Sprite<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are not a sprite, or the header is truncated.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let version = fields.u32("the version", 4);
        let (frames, form) = match (bytes.first_chunk(), version) {
            (Some(b"IDSP"), Ok(1)) => (24, Form::Quake),
            (Some(b"IDSP"), Ok(32)) => (24, Form::Colours),
            (Some(b"IDSP"), Ok(2)) => (28, Form::HalfLife),
            (Some(b"IDS2"), Ok(2)) => (8, Form::Names),
            _ => return Err(Error::format("a sprite (IDSP or IDS2)", bytes)),
        };
        Ok(Sprite { count: fields.size("the number of frames", frames)?, form, bytes })
    }

    /// The size of its own palette in bytes, which Half-Life's sprites have behind the header.
    fn palette_size(&self) -> Result<usize, Error> {
        Fields(self.bytes).u16("the palette", 40).map(|colours| usize::from(colours) * 3)
    }

    /// Its own palette, which only sprites of Half-Life have.
    #[must_use]
    pub fn palette(&self) -> Option<Palette> {
        let size = (self.form == Form::HalfLife).then(|| self.palette_size().ok())??;
        let colours = Fields(self.bytes).bytes("the palette", 42, size).ok()?;
        Some(Palette::of_colours(colours.as_chunks().0))
    }

    /// The bytes of a pixel: 1, or 4 for red, green, blue and opacity.
    #[must_use]
    pub fn pixel_size(&self) -> u32 {
        if self.form == Form::Colours { 4 } else { 1 }
    }

    /// The pictures of its frames up to a truncated one. Each picture of a group counts. The width of a
    /// picture is in bytes.
    ///
    /// # Errors
    /// The first picture is outside the file.
    pub fn frames(&self) -> Result<Vec<Picture<'a>>, Error> {
        let mut found = Vec::new();
        match self.read(&mut found) {
            Err(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }

    /// Reads all frames, and returns their number.
    ///
    /// # Errors
    /// One of them is outside the file.
    pub(crate) fn whole_frames(&self) -> Result<usize, Error> {
        let mut found = Vec::new();
        self.read(&mut found)?;
        Ok(if self.form == Form::Names { self.count } else { self.count.min(found.len()) })
    }

    fn read(&self, found: &mut Vec<Picture<'a>>) -> Result<(), Error> {
        let (what, fields) = ("a frame", Fields(self.bytes));
        let (mut at, count) = match self.form {
            Form::Names => (0, 0),
            Form::HalfLife => (self.palette_size()?.saturating_add(42), self.count),
            _ => (36, self.count),
        };
        for _ in 0..count {
            let is_single = fields.u32(what, at)? == 0;
            let pictures = if is_single { 1 } else { fields.size(what, at.saturating_add(4))? };
            // a group has its number of pictures and the time of each
            let times = if is_single { 0 } else { pictures.saturating_mul(4).saturating_add(4) };
            at = at.saturating_add(4).saturating_add(times);
            for _ in 0..pictures {
                let field = |offset| fields.u32(what, at.saturating_add(offset));
                let size = (field(8)?.saturating_mul(self.pixel_size()), field(12)?);
                let picture = Picture::of_size(fields.from(what, at.saturating_add(16))?.0, size)?;
                at = at.saturating_add(16).saturating_add(picture.pixels.len());
                found.push(picture);
            }
        }
        Ok(())
    }

    /// The picture names of its frames; empty if the pixels are in the file.
    ///
    /// # Errors
    /// The frames are outside the file.
    pub fn pictures(&self) -> Result<impl ExactSizeIterator<Item = &'a [u8]> + use<'a>, Error> {
        let count = if self.form == Form::Names { self.count } else { 0 };
        let frames = Fields(self.bytes).rows::<80>("the frames", 12, count)?;
        Ok(frames.iter().map(|frame| name(frame.get(16..).unwrap_or_default())))
    }
}
