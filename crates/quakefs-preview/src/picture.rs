//! A picture of bounded size, and how it is made smaller and stored.

use std::fmt;

use quake_content::picture::Picture as Indexed;

use crate::{Error, Options};

/// The most pixels of a picture that is decoded whole, as PNG, TGA, JPG and PCX are: 4096 x 4096.
pub const MAX_PIXELS: u64 = 1 << 24;

/// Pictures of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pictures {
    /// The first of them.
    pub shown: Vec<Picture>,
    /// How many the file says it has.
    pub all: usize,
    /// How many of those that were looked at cannot be read.
    pub damaged: usize,
}

impl Pictures {
    pub(crate) fn one(picture: Picture) -> Self {
        Pictures { shown: vec![picture], all: 1, damaged: 0 }
    }

    /// The first `most` of many, each read by itself: one that is damaged costs no other.
    pub(crate) fn first(
        most: usize,
        all: usize,
        pictures: impl Iterator<Item = Result<Option<Picture>, Error>>,
    ) -> Result<Self, Error> {
        /// How many are looked at for one that can be read.
        const TRIES: usize = 4;
        let mut found = Pictures { all, ..Pictures::default() };
        for picture in pictures.take(most.saturating_mul(TRIES)) {
            if found.shown.len() >= most {
                break;
            }
            match picture {
                Ok(picture) => found.shown.extend(picture),
                Err(Error::Budget) => return Err(Error::Budget),
                Err(_) => found.damaged += 1,
            }
        }
        Ok(found)
    }
}

/// A picture, at most as large as the [`Options`](crate::Options) say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Picture {
    /// The name in the file; empty where the file is the picture.
    pub name: Vec<u8>,
    /// Pixels from left to right, as stored.
    pub width: u32,
    /// Pixels from top to bottom, as stored.
    pub height: u32,
    /// Whether its colours are those of [`Options::palette`](field@crate::Options::palette), as it has none of its own.
    pub in_palette: bool,
    /// The pixels, made smaller.
    pub image: Image,
}

impl Picture {
    /// A picture whose pixels are asked for one by one, in rows.
    pub(crate) fn sampled(
        name: Vec<u8>,
        (width, height): (u32, u32),
        side: u32,
        pixel: impl Fn(u32, u32) -> [u8; 4],
    ) -> Picture {
        let image = Image::sampled((width, height), side, pixel);
        Picture { name, width, height, in_palette: false, image }
    }

    /// A picture of one byte a pixel, in the palette of the options. `transparent` is the index without a colour.
    pub(crate) fn indexed(
        name: Vec<u8>,
        picture: Indexed<'_>,
        transparent: Option<u8>,
        options: &Options<'_>,
    ) -> Result<Picture, Error> {
        options.take(picture.pixels.len() as u64)?;
        let row = picture.width as usize;
        let sampled = Picture::sampled(name, (picture.width, picture.height), options.side, |x, y| {
            let index = picture.pixels.get(y as usize * row + x as usize).copied().unwrap_or_default();
            let [red, green, blue] = options.palette.colour(index);
            if Some(index) == transparent { [0; 4] } else { [red, green, blue, 255] }
        });
        Ok(Picture { in_palette: !options.of_file, ..sampled })
    }
}

pub(crate) fn pixel_count(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Pixels of red, green, blue and opacity, in rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Image {
    /// Pixels from left to right.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels from top to bottom.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Four bytes a pixel.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// One pixel; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let (pixels, _) = self.rgba.as_chunks();
        let row = y as usize * self.width as usize;
        (x < self.width).then(|| pixels.get(row + x as usize).copied()).flatten()
    }

    /// A larger picture is made smaller: each pixel is the mean of those that it stands for.
    fn sampled((width, height): (u32, u32), side: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let longer = u64::from(width.max(height).max(1));
        let side = u64::from(side.max(1)).min(longer);
        // at least one pixel, also of a line
        let scaled = |length: u32| u32::try_from((u64::from(length) * side / longer).max(1)).unwrap_or(1);
        let (columns, rows) = (scaled(width), scaled(height));
        let place = |number: u32, of: u32, length: u32| {
            u32::try_from(u64::from(number) * u64::from(length) / u64::from(of)).unwrap_or(length)
        };
        let mut rgba = Vec::with_capacity(columns as usize * rows as usize * 4);
        for row in 0..rows {
            let (top, bottom) = (place(row, rows, height), place(row + 1, rows, height));
            for column in 0..columns {
                let (left, right) = (place(column, columns, width), place(column + 1, columns, width));
                rgba.extend(mean(left..right.max(left + 1), top..bottom.max(top + 1), &pixel));
            }
        }
        Image { width: columns, height: rows, rgba }
    }

    /// The picture as a file: a PNG where it has at most 256 colours or transparent parts, else a JPEG, which takes a third
    /// of the bytes. Without the feature `jpeg` always a PNG; without `png` a BMP, which takes no code that compresses.
    ///
    /// # Errors
    /// The encoder failed, which it does not for a picture of this crate.
    pub fn encode(&self) -> Result<Encoded, Error> {
        #[cfg(feature = "png")]
        return crate::compressed::encode(self);
        #[cfg(not(feature = "png"))]
        return self.encode_plain();
    }

    #[cfg(not(feature = "png"))]
    fn encode_plain(&self) -> Result<Encoded, Error> {
        let mut file = Vec::new();
        image::codecs::bmp::BmpEncoder::new(&mut file)
            .encode(&self.rgba, self.width, self.height, image::ExtendedColorType::Rgba8)
            .map_err(|error| Error::decoder(&error))?;
        Ok(Encoded { media_type: "image/bmp", bytes: file })
    }
}

/// The mean of some pixels, each as much as it is opaque.
fn mean(
    columns: std::ops::Range<u32>,
    rows: std::ops::Range<u32>,
    pixel: &impl Fn(u32, u32) -> [u8; 4],
) -> [u8; 4] {
    if columns.len() == 1 && rows.len() == 1 {
        return pixel(columns.start, rows.start);
    }
    let (mut sums, mut opacities, mut count) = ([0_u64; 3], 0_u64, 0_u64);
    for y in rows {
        for x in columns.clone() {
            let [red, green, blue, opacity] = pixel(x, y).map(u64::from);
            for (sum, part) in sums.iter_mut().zip([red, green, blue]) {
                *sum += part * opacity;
            }
            opacities += opacity;
            count += 1;
        }
    }
    let byte = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
    let [red, green, blue] = sums.map(|sum| byte(sum.checked_div(opacities).unwrap_or_default()));
    [red, green, blue, byte(opacities.checked_div(count).unwrap_or_default())]
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

/// A picture as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// `image/png`, `image/jpeg` or `image/bmp`.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}
