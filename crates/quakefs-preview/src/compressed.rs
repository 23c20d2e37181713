//! Encodes pictures as small files.

use std::collections::HashMap;

use crate::{Error, Image};

/// The media type of a file, and its bytes.
type Encoded = (&'static str, Vec<u8>);

pub(crate) fn encode(image: &Image) -> Result<Encoded, Error> {
    let (pixels, _) = image.rgba().as_chunks::<4>();
    let mut colours: HashMap<[u8; 4], u8> = HashMap::new();
    for pixel in pixels {
        let next = u8::try_from(colours.len());
        if colours.contains_key(pixel) {
            continue;
        }
        let Ok(next) = next else { return many(image) };
        colours.insert(*pixel, next);
    }
    let mut table: Vec<_> = colours.iter().map(|(colour, index)| (*index, *colour)).collect();
    table.sort_unstable();
    let indices: Vec<u8> =
        pixels.iter().map(|pixel| colours.get(pixel).copied().unwrap_or_default()).collect();
    png(image, &indices, png::Filter::NoFilter, |encoder| {
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(
            table.iter().flat_map(|(_, [red, green, blue, _])| [*red, *green, *blue]).collect::<Vec<u8>>(),
        );
        if table.iter().any(|(_, [.., opacity])| *opacity < 255) {
            encoder.set_trns(table.iter().map(|(_, [.., opacity])| *opacity).collect::<Vec<u8>>());
        }
    })
}

/// Encodes a picture with more than 256 colours.
fn many(image: &Image) -> Result<Encoded, Error> {
    #[cfg(feature = "jpeg")]
    if image.rgba().as_chunks::<4>().0.iter().all(|[.., opacity]| *opacity == 255)
        && let (Ok(width), Ok(height)) = (image.width().try_into(), image.height().try_into())
    {
        return jpeg(image.rgba(), width, height);
    }
    png(image, image.rgba(), png::Filter::Adaptive, |encoder| encoder.set_color(png::ColorType::Rgba))
}

fn png(
    image: &Image,
    pixels: &[u8],
    filter: png::Filter,
    set: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Result<Encoded, Error> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, image.width(), image.height());
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(filter);
    set(&mut encoder);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.map_err(|error| Error::decoder(&error))?;
    Ok(("image/png", file))
}

#[cfg(feature = "jpeg")]
fn jpeg(rgba: &[u8], width: u16, height: u16) -> Result<Encoded, Error> {
    /// At 80 of 100, small pictures show no visible blocks.
    const QUALITY: u8 = 80;
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, QUALITY);
    // a colour for each pixel: textures are small and have sharp edges
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_1_1);
    let written = encoder.encode(rgba, width, height, jpeg_encoder::ColorType::Rgba);
    written.map_err(|error| Error::decoder(&error))?;
    Ok(("image/jpeg", file))
}
