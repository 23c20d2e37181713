//! Pictures of bounded size, scaled down and encoded.

use std::fmt;

use quake_content::picture::Picture as Indexed;

use crate::{Error, Options};

/// The most pixels of a decoded picture (PNG, TGA, JPG and PCX): 4096 x 4096.
pub const MAX_PIXELS: u64 = 1 << 24;

/// The pictures of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pictures {
    /// The first pictures.
    pub shown: Vec<Picture>,
    /// The number of pictures, according to the file.
    pub all: usize,
    /// The number of examined pictures that cannot be read.
    pub damaged: usize,
}

impl Pictures {
    pub(crate) fn one(picture: Picture) -> Self {
        Pictures { shown: vec![picture], all: 1, damaged: 0 }
    }

    /// The first `most` readable pictures. Damaged pictures are only counted.
    pub(crate) fn first(
        most: usize,
        all: usize,
        pictures: impl Iterator<Item = Result<Option<Picture>, Error>>,
    ) -> Result<Self, Error> {
        /// The number of pictures examined for each one that can be shown.
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

/// A picture, no larger than the [`Options`](crate::Options) allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Picture {
    /// The name in the file; empty if the file itself is the picture.
    pub name: Vec<u8>,
    /// The stored width in pixels.
    pub width: u32,
    /// The stored height in pixels.
    pub height: u32,
    /// Whether its colours come from [`Options::palette`](field@crate::Options::palette), because the file
    /// contains no palette.
    pub in_palette: bool,
    /// The pixels, scaled down.
    pub image: Image,
}

impl Picture {
    /// Creates a picture from a function that returns single pixels, called row by row.
    pub(crate) fn sampled(
        name: Vec<u8>,
        (width, height): (u32, u32),
        side: u32,
        pixel: impl Fn(u32, u32) -> [u8; 4],
    ) -> Picture {
        let image = Image::sampled((width, height), side, &pixel);
        Picture { name, width, height, in_palette: false, image }
    }

    /// Creates a picture from one byte per pixel and the palette of the options. `transparent` is the
    /// transparent index.
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

/// RGBA pixels in rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgba: Vec<u8>,
}

impl Image {
    /// The width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels, four bytes each.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// One pixel; `None` outside the image.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let (pixels, _) = self.rgba.as_chunks();
        let row = y as usize * self.width as usize;
        (x < self.width).then(|| pixels.get(row + x as usize).copied()).flatten()
    }

    /// Scales a larger picture down. Each pixel is the mean of the pixels that it replaces.
    fn sampled((width, height): (u32, u32), side: u32, pixel: &dyn Fn(u32, u32) -> [u8; 4]) -> Image {
        let longer = u64::from(width.max(height).max(1));
        let side = u64::from(side.max(1)).min(longer);
        // at least one pixel, even for a picture with one row
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
                rgba.extend(mean(left..right.max(left + 1), top..bottom.max(top + 1), pixel));
            }
        }
        Image { width: columns, height: rows, rgba }
    }
}

/// The mean of some pixels, weighted by their opacity.
fn mean(
    columns: std::ops::Range<u32>,
    rows: std::ops::Range<u32>,
    pixel: &dyn Fn(u32, u32) -> [u8; 4],
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
