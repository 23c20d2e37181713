//! The pixels of a PNG.

use std::io::Cursor;

use png::{ColorType, Transformations};
use quake_content::HOLE;
use quake_content::Palette;
use quake_content::picture::Picture;

use super::error::LumpError;

/// A picture whose pixels are indices into a table of colours with opacity.
pub(super) struct Decoded {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pixels: Vec<u32>,
    pub(super) colours: Vec<[u8; 4]>,
    /// Whether the table comes from the file, so that two indices of the same colour stay distinct.
    pub(super) is_indexed: bool,
    /// The entry that the file was made of, as a WAD of its own.
    pub(super) entry: Option<Vec<u8>>,
}

/// The chunk with the entry that a PNG was made of. By its letters other programs may ignore it, and drop it
/// when they change the picture.
pub(super) const ENTRY_CHUNK: [u8; 4] = *b"quWD";

/// The content of that chunk, which comes before the pixels.
pub(super) fn entry_in_png(png: &[u8]) -> Option<&[u8]> {
    const SIGNATURE: usize = 8;
    const CHECK_SUM: usize = 4;
    let mut rest = png.get(SIGNATURE..)?;
    loop {
        let (length, of_kind) = rest.split_first_chunk()?;
        let (kind, of_content) = of_kind.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (content, after) = of_content.split_at_checked(length)?;
        match kind {
            &ENTRY_CHUNK => return Some(content),
            b"IDAT" => return None,
            _ => rest = after.get(CHECK_SUM..)?,
        }
    }
}

/// The most bytes that deflate can produce from one byte.
const MOST_EXPANSION: usize = 1032;
/// The most pixels: 4096 x 4096.
const MOST_PIXELS: u64 = 1 << 24;

impl Decoded {
    /// A picture whose last colour may be transparent.
    pub(super) fn of(picture: Picture<'_>, palette: &Palette, has_holes: bool) -> Decoded {
        let opacity = |number| if has_holes && number == usize::from(HOLE) { 0 } else { 255 };
        let colours = palette.colours().iter().enumerate();
        let colours = colours.map(|(number, [red, green, blue])| [*red, *green, *blue, opacity(number)]);
        Decoded {
            width: picture.width,
            height: picture.height,
            pixels: picture.pixels.iter().copied().map(u32::from).collect(),
            colours: colours.collect(),
            is_indexed: true,
            entry: None,
        }
    }

    pub(super) fn of_png(bytes: &[u8]) -> Result<Decoded, LumpError> {
        /// Offset of the colour type in the header.
        const COLOUR_TYPE_AT: usize = 25;
        let failed = |error: png::DecodingError| LumpError::Png(error.to_string());
        let is_indexed = bytes.get(COLOUR_TYPE_AT) == Some(&(ColorType::Indexed as u8));
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(if is_indexed {
            Transformations::IDENTITY
        } else {
            Transformations::normalize_to_color8() | Transformations::ALPHA
        });
        let mut reader = decoder.read_info().map_err(failed)?;
        let (width, height) = (reader.info().width, reader.info().height);
        let size = reader.output_buffer_size().unwrap_or(usize::MAX);
        // a few bytes may claim any size
        if u64::from(width) * u64::from(height) > MOST_PIXELS
            || size / 4 > bytes.len().saturating_mul(MOST_EXPANSION)
        {
            return Err(LumpError::TooLarge { width, height });
        }
        let mut buffer = vec![0; size];
        let frame = reader.next_frame(&mut buffer).map_err(failed)?;
        buffer.truncate(frame.buffer_size());
        let info = reader.info();
        let entry = entry_in_png(bytes).map(<[u8]>::to_vec);
        if is_indexed {
            let (table, _) = info.palette.as_deref().unwrap_or_default().as_chunks::<3>();
            let opacity = info.trns.as_deref().unwrap_or_default();
            let colour = |(number, [red, green, blue]): (usize, &[u8; 3])| {
                [*red, *green, *blue, opacity.get(number).copied().unwrap_or(255)]
            };
            let colours = table.iter().enumerate().map(colour).collect();
            let pixels = unpacked(&buffer, width as usize, frame.line_size, frame.bit_depth as usize);
            return Ok(Decoded { width, height, pixels, colours, is_indexed, entry });
        }
        let rgba: Vec<[u8; 4]> = match frame.color_type {
            ColorType::GrayscaleAlpha => {
                let (pixels, _) = buffer.as_chunks();
                pixels.iter().map(|[grey, opacity]| [*grey, *grey, *grey, *opacity]).collect()
            }
            _ => buffer.as_chunks().0.to_vec(),
        };
        let mut numbers = std::collections::HashMap::new();
        let mut colours = Vec::new();
        let number = |colour: [u8; 4]| {
            *numbers.entry(colour).or_insert_with(|| {
                colours.push(colour);
                u32::try_from(colours.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let pixels = rgba.into_iter().map(number).collect();
        Ok(Decoded { width, height, pixels, colours, is_indexed, entry })
    }
}

/// Unpacks numbers of 1, 2, 4 or 8 bits. Each row starts at a new byte.
fn unpacked(buffer: &[u8], width: usize, line: usize, bits: usize) -> Vec<u32> {
    let mask = u8::try_from((1_usize << bits) - 1).unwrap_or(u8::MAX);
    let in_byte = 8 / bits.clamp(1, 8);
    let row = |row: &[u8]| -> Vec<u32> {
        let number = |x: usize| {
            let byte = row.get(x / in_byte).copied().unwrap_or_default();
            u32::from(byte >> (8 - bits - bits * (x % in_byte)) & mask)
        };
        (0..width).map(number).collect()
    };
    buffer.chunks_exact(line.max(1)).flat_map(row).collect()
}
