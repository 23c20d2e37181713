//! Textures of Quake II (`.wal`) and of Heretic II (`.m8` and `.m32`).

use quake_content::picture::{M8, M32, Wal};

use crate::picture::pixel_count;
use crate::{Error, Options, Picture};

pub(crate) fn wal(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let wal = Wal::parse(bytes)?;
    Picture::indexed(wal.name.to_vec(), wal.picture()?, None, options)
}

pub(crate) fn m8(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let texture = M8::parse(bytes)?;
    Picture::indexed(texture.name.to_vec(), texture.picture()?, None, &options.palette(&texture.palette()?))
}

pub(crate) fn m32(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let texture = M32::parse(bytes)?;
    let (size, pixels) = ((texture.width, texture.height), texture.pixels()?);
    options.take(pixel_count(size.0, size.1))?;
    Ok(Picture::sampled(texture.name.to_vec(), size, options.side, |x, y| {
        pixels.get(y as usize * size.0 as usize + x as usize).copied().unwrap_or_default()
    }))
}
