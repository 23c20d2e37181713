//! Pictures that a crate for their format decodes as a whole.

use std::io::Cursor;

use image::{ImageDecoder, Limits, codecs};

use quake_content::picture::Picture as Indexed;

use crate::picture::pixel_count;
use crate::{Error, MAX_PIXELS, Options, Palette, Picture};

/// Pictures up to this number of pixels are decoded however few bytes the file has.
const ALWAYS: u64 = 1 << 20;

/// The most bytes, and so pixels, that deflate can produce from one byte.
const OF_A_BYTE: u64 = 1032;

/// Checks a claimed size before anything is allocated for it.
fn check_size(width: u32, height: u32, bytes: &[u8], options: &Options<'_>) -> Result<(), Error> {
    let paid = (bytes.len() as u64).saturating_mul(OF_A_BYTE).max(ALWAYS);
    let pixels = pixel_count(width, height);
    if pixels == 0 || pixels > MAX_PIXELS.min(paid) {
        return Err(Error::Size { width, height });
    }
    options.take(pixels)
}

/// Decodes a picture with the crate `image`. Its own colour conversions would add colour profiles to the browser's module.
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

pub(crate) fn tga(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    read(codecs::tga::TgaDecoder::new(Cursor::new(bytes)), bytes, options)
}

#[cfg(feature = "png")]
pub(crate) fn png(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    read(codecs::png::PngDecoder::with_limits(Cursor::new(bytes), limits()), bytes, options)
}

#[cfg(feature = "jpeg")]
pub(crate) fn jpeg(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    read(codecs::jpeg::JpegDecoder::new(Cursor::new(bytes)), bytes, options)
}

pub(crate) fn pcx(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let failed = |error: std::io::Error| Error::decoder(&error);
    let mut reader = pcx::Reader::from_mem(bytes).map_err(failed)?;
    let (width, height) = (reader.width(), reader.height());
    let size = (u32::from(width), u32::from(height));
    check_size(size.0, size.1, bytes, options)?;
    let row = usize::from(width);
    if !reader.is_paletted() {
        let mut rgb = vec![0; row * 3 * usize::from(height)];
        reader.read_rgb_pixels(&mut rgb).map_err(failed)?;
        let (pixels, _) = rgb.as_chunks::<3>();
        return Ok(Picture::sampled(Vec::new(), size, options.side, |x, y| {
            let [red, green, blue] = pixels.get(y as usize * row + x as usize).copied().unwrap_or_default();
            [red, green, blue, 255]
        }));
    }
    let mut indices = vec![0; row * usize::from(height)];
    for row in indices.chunks_exact_mut(row) {
        reader.next_row_paletted(row).map_err(failed)?;
    }
    let palette = if reader.palette_length() == Some(256) {
        Palette::from_pcx(bytes)
            .ok_or_else(|| Error::Decoder("the palette is missing at the end".to_owned()))?
    } else {
        let mut colours = [0; 48];
        reader.get_palette(&mut colours).map_err(failed)?;
        Palette::of_colours(colours.as_chunks().0)
    };
    Picture::indexed(Vec::new(), Indexed::of_size(&indices, size)?, None, &options.palette(&palette))
}
