//! Pictures that a crate for their format decodes as a whole.

#[cfg(any(feature = "jpeg", feature = "png"))]
use std::io::Cursor;

#[cfg(any(feature = "jpeg", feature = "png"))]
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

#[cfg(any(feature = "jpeg", feature = "png"))]
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

#[cfg(any(feature = "jpeg", feature = "png"))]
/// 8 bytes per pixel, and as much again for the decoder itself.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PIXELS * 16);
    limits
}

/// Reads colours, grey, or colours by number (Truevision TGA File Format 2.0). The crate `image` would add 14 KB to the module of
/// the page.
pub(crate) fn tga(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let short = || Error::Decoder("the picture is cut short".to_owned());
    let (head, rest) = bytes.split_first_chunk::<18>().ok_or_else(short)?;
    let &[id, has_map, kind, first, first_high, count, count_high, map_bits, _, _, _, _, rest_of_head @ ..] =
        head;
    let [width, width_high, height, height_high, bits, flags] = rest_of_head;
    let number = |low, high| usize::from(u16::from_le_bytes([low, high]));
    let (width, height) = (number(width, width_high), number(height, height_high));
    let (is_packed, kind) = (kind & 8 != 0, kind & !8);
    let is_known = match kind {
        1 => has_map == 1 && bits == 8 && matches!(map_bits, 24 | 32),
        2 => matches!(bits, 24 | 32),
        3 => matches!(bits, 8 | 16),
        _ => false,
    };
    if !is_known {
        return Err(Error::Decoder(format!("a TGA of kind {kind} with {bits} bits has no preview")));
    }
    #[expect(clippy::cast_possible_truncation, reason = "each is below 65536")]
    let area = (width as u32, height as u32);
    check_size(area.0, area.1, bytes, options)?;
    let (of_colour, of_pixel) = (usize::from(map_bits.div_ceil(8)), usize::from(bits / 8));
    let map_size = if has_map == 1 { number(count, count_high) * of_colour } else { 0 };
    let (map, rest) =
        rest.get(usize::from(id)..).and_then(|rest| rest.split_at_checked(map_size)).ok_or_else(short)?;
    let size = width * height * of_pixel;
    let unpacked = if is_packed { unpacked(rest, of_pixel, size) } else { None };
    let pixels = unpacked.as_deref().or_else(|| rest.get(..size).filter(|_| !is_packed)).ok_or_else(short)?;
    Ok(Picture::sampled(Vec::new(), area, options.side, |x, y| {
        let (x, y) = (x as usize, y as usize);
        let x = if flags & 0x10 == 0 { x } else { width - 1 - x };
        let y = if flags & 0x20 == 0 { height - 1 - y } else { y };
        let part = |of: &[u8], number: usize, size: usize| -> [u8; 4] {
            let mut part = [0; 4];
            let found = of.get(number.saturating_mul(size)..).and_then(|rest| rest.get(..size));
            part.iter_mut().zip(found.unwrap_or_default()).for_each(|(part, found)| *part = *found);
            part
        };
        let [low, second, third, fourth] = match part(pixels, y * width + x, of_pixel) {
            [index, ..] if kind == 1 => {
                part(map, usize::from(index).wrapping_sub(number(first, first_high)), of_colour)
            }
            pixel => pixel,
        };
        match if kind == 1 { of_colour } else { of_pixel } {
            1 => [low, low, low, 255],
            2 => [low, low, low, second],
            3 => [third, second, low, 255],
            _ => [third, second, low, fourth],
        }
    }))
}

/// Unpacks runs: a byte with the high bit repeats the next pixel, another one precedes some pixels.
fn unpacked(mut bytes: &[u8], of_pixel: usize, size: usize) -> Option<Vec<u8>> {
    let mut pixels = Vec::new();
    while pixels.len() < size {
        let (&head, rest) = bytes.split_first()?;
        let count = usize::from(head & 0x7f) + 1;
        let (times, stored) = if head & 0x80 == 0 { (1, count) } else { (count, 1) };
        let (run, rest) = rest.split_at_checked(stored * of_pixel)?;
        for _ in 0..times {
            pixels.extend_from_slice(run);
        }
        bytes = rest;
    }
    Some(pixels)
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
