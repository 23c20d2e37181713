//! TGA and PCX: pictures whose pixels may be packed in runs.

use quake_content::picture::Picture as Indexed;

use crate::picture::pixel_count;
use crate::{Error, MAX_PIXELS, Options, Palette, Picture};

/// Pictures up to this number of pixels are decoded however few bytes the file has.
const ALWAYS: u64 = 1 << 20;

/// The most bytes, and so pixels, that deflate can produce from one byte.
const OF_A_BYTE: u64 = 1032;

/// Checks a claimed size before anything is allocated for it.
pub(crate) fn check_size(width: u32, height: u32, bytes: &[u8], options: &Options<'_>) -> Result<(), Error> {
    let paid = (bytes.len() as u64).saturating_mul(OF_A_BYTE).max(ALWAYS);
    let pixels = pixel_count(width, height);
    if pixels == 0 || pixels > MAX_PIXELS.min(paid) {
        return Err(Error::Size { width, height });
    }
    options.take(pixels)
}

fn short() -> Error {
    Error::Decoder("the picture is cut short".to_owned())
}

/// Reads colours, grey, or colours by number (Truevision TGA File Format 2.0).
pub(crate) fn tga(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let (head, rest) = bytes.split_first_chunk::<18>().ok_or_else(short)?;
    let &[id, has_map, kind, first, first_high, count, count_high, map_bits, _, _, _, _, rest_of_head @ ..] =
        head;
    let [width, width_high, height, height_high, bits, flags] = rest_of_head;
    let number = |low, high| usize::from(u16::from_le_bytes([low, high]));
    let (width, height) = (number(width, width_high), number(height, height_high));
    let (is_packed, kind) = (kind & 8 != 0, kind & !8);
    let is_known = match kind {
        1 => has_map == 1 && matches!(bits, 8 | 16) && matches!(map_bits, 15 | 16 | 24 | 32),
        2 => matches!(bits, 15 | 16 | 24 | 32),
        3 => matches!(bits, 8 | 16),
        _ => false,
    };
    if !is_known {
        return Err(Error::Decoder(format!("a TGA of kind {kind} with {bits} bits has no preview")));
    }
    #[expect(clippy::cast_possible_truncation, reason = "each is below 65536")]
    let area = (width as u32, height as u32);
    check_size(area.0, area.1, bytes, options)?;
    let (of_colour, of_pixel) = (usize::from(map_bits.div_ceil(8)), usize::from(bits.div_ceil(8)));
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
            [index, index_high, ..] if kind == 1 => {
                part(map, number(index, index_high).wrapping_sub(number(first, first_high)), of_colour)
            }
            pixel => pixel,
        };
        match if kind == 1 { of_colour } else { of_pixel } {
            1 => [low, low, low, 255],
            2 if kind == 3 => [low, low, low, second],
            // five bits for each colour
            2 => {
                let colour = |shift: u32| u16::from_le_bytes([low, second]) >> shift & 31;
                let [red, green, blue] =
                    [10, 5, 0].map(|shift| ((colour(shift) * 255 + 15) / 31).to_le_bytes()[0]);
                [red, green, blue, 255]
            }
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

/// Reads colours by number or as three planes (`PCX` File Format Technical Reference Manual of 1991).
pub(crate) fn pcx(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let (head, rest) = bytes.split_first_chunk::<128>().ok_or_else(short)?;
    let &[
        magic,
        _,
        packing,
        bits,
        left,
        left_high,
        top,
        top_high,
        right,
        right_high,
        bottom,
        bottom_high,
        ref more @ ..,
    ] = head;
    let (&colours, more) = more[4..].split_first_chunk::<48>().ok_or_else(short)?;
    let &[_, planes, of_row, of_row_high, ..] = more else { return Err(short()) };
    let number = |low, high| u16::from_le_bytes([low, high]);
    let length = |start: u16, end: u16| u32::from(end.wrapping_sub(start)) + 1;
    let width = length(number(left, left_high), number(right, right_high));
    let height = length(number(top, top_high), number(bottom, bottom_high));
    let of_row = usize::from(number(of_row, of_row_high));
    let is_known = matches!((bits, planes), (8, 1 | 3) | (1, 1..=4) | (2, 1..=2) | (4, 1));
    if magic != 10 || !is_known || of_row * 8 < width as usize * usize::from(bits) {
        return Err(Error::Decoder(format!("a PCX with {planes} planes of {bits} bits has no preview")));
    }
    check_size(width, height, bytes, options)?;
    let size = of_row.checked_mul(usize::from(planes)).and_then(|row| row.checked_mul(height as usize));
    let size = size.ok_or_else(short)?;
    let unpacked = if packing == 1 { unpacked_pcx(rest, size) } else { None };
    let rows = unpacked.as_deref().or_else(|| rest.get(..size).filter(|_| packing != 1)).ok_or_else(short)?;
    // the part of a pixel in a plane
    let part = |x: u32, y: u32, plane: u8| {
        let row = (y as usize * usize::from(planes) + usize::from(plane)) * of_row;
        let bit = x as usize * usize::from(bits);
        let byte = rows.get(row + bit / 8).copied().unwrap_or_default();
        byte << (bit % 8) >> (8 - bits)
    };
    if (bits, planes) == (8, 3) {
        return Ok(Picture::sampled(Vec::new(), (width, height), options.side, |x, y| {
            [part(x, y, 0), part(x, y, 1), part(x, y, 2), 255]
        }));
    }
    let palette = if bits == 8 {
        Palette::from_pcx(bytes)
            .ok_or_else(|| Error::Decoder("the palette is missing at the end".to_owned()))?
    } else {
        Palette::of_colours(colours.as_chunks().0)
    };
    let index = |x, y| (0..planes).fold(0, |index, plane| index | part(x, y, plane) << (plane * bits));
    let indices: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| index(x, y)).collect();
    Picture::indexed(
        Vec::new(),
        Indexed::of_size(&indices, (width, height))?,
        None,
        &options.palette(&palette),
    )
}

/// Unpacks runs: a byte with the two high bits repeats the next one.
fn unpacked_pcx(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    let mut bytes = bytes.iter().copied();
    while unpacked.len() < size {
        let byte = bytes.next()?;
        let (count, byte) = if byte < 0xc0 { (1, byte) } else { (byte & 0x3f, bytes.next()?) };
        unpacked.resize(unpacked.len() + usize::from(count), byte);
    }
    Some(unpacked)
}
