//! PNG and JPEG: pictures that another crate decodes.

use crate::packed::check_size;
use crate::{Error, Options, Picture};

/// Scales decoded pixels of 1, 2, 3 or 4 bytes: grey or colours, and an opacity if their number is even.
fn picture(pixels: &[u8], size: (u32, u32), of_pixel: usize, options: &Options<'_>) -> Picture {
    Picture::sampled(Vec::new(), size, options.side, |x, y| {
        let number = y as usize * size.0 as usize + x as usize;
        match *pixels.get(number * of_pixel..).and_then(|rest| rest.get(..of_pixel)).unwrap_or_default() {
            [grey] => [grey, grey, grey, 255],
            [grey, opacity] => [grey, grey, grey, opacity],
            [red, green, blue] => [red, green, blue, 255],
            [red, green, blue, opacity] => [red, green, blue, opacity],
            _ => [0; 4],
        }
    })
}

#[cfg(feature = "png")]
pub(crate) fn png(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let failed = |error: png::DecodingError| Error::decoder(&error);
    // for the decoder itself: 8 bytes for each pixel of two rows
    let limits = png::Limits { bytes: usize::try_from(crate::MAX_PIXELS * 16).unwrap_or(usize::MAX) };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.info().size();
    check_size(size.0, size.1, bytes, options)?;
    let of_pixel = reader.output_color_type().0.samples();
    let mut pixels = vec![0; of_pixel * size.0 as usize * size.1 as usize];
    reader.next_frame(&mut pixels).map_err(failed)?;
    Ok(picture(&pixels, size, of_pixel, options))
}

#[cfg(feature = "jpeg")]
pub(crate) fn jpeg(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};

    let failed = |error: zune_jpeg::errors::DecodeErrors| Error::decoder(&error);
    let longest = usize::from(u16::MAX);
    let settings = DecoderOptions::default().set_max_width(longest).set_max_height(longest);
    let settings = settings.jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), settings);
    decoder.decode_headers().map_err(failed)?;
    let info = decoder.info().unwrap_or_default();
    let size = (info.width.into(), info.height.into());
    check_size(size.0, size.1, bytes, options)?;
    let pixels = decoder.decode().map_err(failed)?;
    Ok(picture(&pixels, size, 3, options))
}
