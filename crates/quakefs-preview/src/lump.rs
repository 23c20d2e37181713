//! `.lmp`: a picture with its size, or raw bytes whose meaning follows from the file size.

use quake_content::picture::Picture as Indexed;

use crate::{Error, Options, Palette, Picture};

/// The transparent index in pictures of the status bar.
pub(crate) const TRANSPARENT: u8 = 255;

/// The size in bytes and the width of lumps without a header.
const CHARACTERS: (usize, u32) = (128 * 128, 128);
const COLOUR_MAPS: [(usize, u32); 2] = [(256 * 64, 256), (256 * 64 + 1, 256)];
const MARK_OF_REGISTERED: (usize, u32) = (16 * 16, 16);
const PALETTE: usize = 768;

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    match with_size(Vec::new(), bytes, options) {
        Ok(picture) => Ok(picture),
        Err(error) => without_size(bytes, options).ok_or(error)?,
    }
}

/// A picture with a size header, also used in WADs.
pub(crate) fn with_size(name: Vec<u8>, bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    Picture::indexed(name, Indexed::with_size(bytes)?, Some(TRANSPARENT), options)
}

/// The console font, whose index 0 is transparent.
pub(crate) fn characters(
    name: Vec<u8>,
    bytes: &[u8],
    options: &Options<'_>,
) -> Option<Result<Picture, Error>> {
    let (length, width) = CHARACTERS;
    let is_font = bytes.len() == length;
    is_font.then(|| Picture::indexed(name, Indexed::of_size(bytes, (width, width))?, Some(0), options))
}

fn without_size(bytes: &[u8], options: &Options<'_>) -> Option<Result<Picture, Error>> {
    if bytes.len() == PALETTE {
        let indices: Vec<u8> = (0..=u8::MAX).collect();
        let palette = Palette::from_lump(bytes)?;
        let picture = Indexed::of_size(&indices, (16, 16)).ok()?;
        return Some(Picture::indexed(Vec::new(), picture, None, &options.palette(&palette)));
    }
    let shape =
        COLOUR_MAPS.into_iter().chain([MARK_OF_REGISTERED]).find(|(length, _)| *length == bytes.len())?;
    let height = u32::try_from(bytes.len()).ok()? / shape.1;
    let picture = Indexed::of_size(bytes, (shape.1, height)).ok()?;
    Some(Picture::indexed(Vec::new(), picture, None, options))
}
