//! `.spr`: the frames of a sprite.

use quake_content::model::Sprite;

use crate::{Error, Options, Picture, Pictures};

/// The transparent index.
const TRANSPARENT: u8 = 255;

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Pictures, Error> {
    let sprite = Sprite::parse(bytes)?;
    let own = sprite.palette();
    let options = own.as_ref().map_or(*options, |palette| options.palette(palette));
    let frames = sprite.frames()?;
    let (all, is_coloured) = (frames.len(), sprite.pixel_size() == 4);
    let pictures = frames.into_iter().map(|frame| {
        if !is_coloured {
            return Picture::indexed(Vec::new(), frame, Some(TRANSPARENT), &options).map(Some);
        }
        options.take(frame.pixels.len() as u64)?;
        let (pixels, _) = frame.pixels.as_chunks();
        let width = frame.width / 4;
        Ok(Some(Picture::sampled(Vec::new(), (width, frame.height), options.side, |x, y| {
            pixels.get(y as usize * width as usize + x as usize).copied().unwrap_or_default()
        })))
    });
    Pictures::first(options.pictures, all, pictures)
}
