//! Pictures that the crate `image` decodes: PNG and JPEG.

use std::io::Cursor;

use image::{ImageDecoder, Limits, codecs};

use crate::packed::check_size;
use crate::{Error, MAX_PIXELS, Options, Picture};

/// Decodes a picture with the crate `image`. Its own colour conversions would add colour profiles to the
/// browser's module.
fn read(
    decoder: image::ImageResult<impl ImageDecoder>,
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<Picture, Error> {
    let failed = |error: image::ImageError| Error::decoder(&error);
    let mut decoder = decoder.map_err(failed)?;
    decoder.set_limits(limits()).map_err(failed)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height, bytes, options)?;
    let colours = decoder.color_type();
    let (parts, of_pixel) = (usize::from(colours.channel_count()), usize::from(colours.bytes_per_pixel()));
    let mut pixels = vec![0; of_pixel * width as usize * height as usize];
    decoder.read_image(&mut pixels).map_err(failed)?;
    Ok(Picture::sampled(Vec::new(), (width, height), options.side, |x, y| {
        let number = y as usize * width as usize + x as usize;
        let pixel = pixels.get(number * of_pixel..).unwrap_or_default();
        // the higher of two bytes in this system's byte order
        let size = of_pixel / parts;
        let part = |number: usize| {
            let high = if cfg!(target_endian = "little") { size - 1 } else { 0 };
            pixel.get(number * size + high).copied().unwrap_or_default()
        };
        match parts {
            1 => [part(0), part(0), part(0), 255],
            2 => [part(0), part(0), part(0), part(1)],
            3 => [part(0), part(1), part(2), 255],
            _ => [part(0), part(1), part(2), part(3)],
        }
    }))
}

/// 8 bytes per pixel, and as much again for the decoder itself.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PIXELS * 16);
    limits
}

#[cfg(feature = "png")]
pub(crate) fn png(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    read(codecs::png::PngDecoder::with_limits(Cursor::new(bytes), limits()), bytes, options)
}

#[cfg(feature = "jpeg")]
pub(crate) fn jpeg(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    read(codecs::jpeg::JpegDecoder::new(Cursor::new(bytes)), bytes, options)
}
