//! Mip textures of levels and WADs.

use std::collections::HashMap;

use crate::fields::{Fields, name};
use crate::picture::Picture;
use crate::{Error, Palette};

/// A mip texture: a texture with three smaller copies.
///
/// Sources: Unofficial Quake Specs 3.4; `wadlib` and `qlumpy` of the Half-Life SDK for the palette.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MipTexture<'a> {
    /// The name, up to its NUL.
    pub name: &'a [u8],
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    bytes: &'a [u8],
    has_palette: bool,
}

/// The version of a WAD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WadVersion {
    /// WAD2 of Quake. Textures use the palette of the game, whose colours from [`FIRST_BRIGHT`] on are
    /// fullbright.
    Wad2,
    /// WAD3 of Half-Life. Textures contain palettes.
    Wad3,
}

const HEADER: usize = 40;

impl<'a> MipTexture<'a> {
    /// Reads the header. `has_palette` tells whether a palette follows the smallest copy, as in Half-Life's
    /// files.
    ///
    /// # Errors
    /// The header is truncated.
    pub fn parse(bytes: &'a [u8], has_palette: bool) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let name = name(fields.bytes("the name of a texture", 0, 16)?);
        let (width, height) = (fields.u32("the width", 16)?, fields.u32("the height", 20)?);
        fields.bytes("the offsets of the pixels", 24, 16)?;
        Ok(MipTexture { name, width, height, bytes, has_palette })
    }

    /// The offset of a copy, from 0 (largest) to 3 (smallest). The offset is 0 if the pixels are in a WAD.
    fn offset(&self, copy: usize) -> usize {
        Fields(self.bytes).size("an offset", 24 + copy.min(3) * 4).unwrap_or_default()
    }

    /// Whether the texture contains its pixels. If not, the engine looks for them in a WAD.
    #[must_use]
    pub fn has_pixels(&self) -> bool {
        self.offset(0) != 0
    }

    /// The picture of a copy, from 0 (largest) to 3 (smallest); `None` if the pixels are in a WAD.
    ///
    /// # Errors
    /// The copy has no pixels, or they are outside the bytes.
    #[must_use]
    pub fn picture(&self, copy: usize) -> Option<Result<Picture<'a>, Error>> {
        let offset = self.offset(copy);
        let by = u32::try_from(copy.min(3)).unwrap_or_default();
        let size = (self.width >> by, self.height >> by);
        let pixels = || Fields(self.bytes).from("the pixels", offset.max(HEADER));
        (offset != 0).then(|| pixels().and_then(|pixels| Picture::of_size(pixels.0, size)))
    }

    /// The index of transparent pixels: a name that begins with `{` means them in Half-Life and in newer
    /// engines of Quake.
    #[must_use]
    pub fn hole(&self) -> Option<u8> {
        self.name.starts_with(b"{").then_some(HOLE)
    }

    /// The largest copy, and its colours as red, green, blue and opacity by its own palette, or else by this
    /// one. `None` if the pixels are in a WAD, or damaged.
    #[must_use]
    pub fn rgba(&self, palette: &Palette) -> Option<(Picture<'a>, Vec<u8>)> {
        let picture = self.picture(0)?.ok()?;
        let own = self.palette().map(Palette::of_colours);
        Some((picture, own.as_ref().unwrap_or(palette).rgba(picture.pixels, self.hole())))
    }

    /// Checks a texture as an engine reads it: sides that are multiples of 16, four copies inside the bytes,
    /// and behind them the palette, if textures of its kind have one.
    ///
    /// # Errors
    /// One of these is not so.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.width == 0 || self.height == 0 {
            return Err(Error::size(self.width, self.height));
        }
        if !self.width.is_multiple_of(16) || !self.height.is_multiple_of(16) {
            return Err(Error::uneven(self.width, self.height));
        }
        for copy in 0..4 {
            self.picture(copy).transpose()?;
        }
        if self.has_palette && self.has_pixels() && self.palette().is_none() {
            return Err(Error::cut_off("the palette", self.bytes.len() + 1, self.bytes.len()));
        }
        Ok(())
    }

    /// The bytes of the header, the copies and the palette; fewer if it is truncated.
    #[must_use]
    pub fn stored(&self) -> &'a [u8] {
        let ends = (0..4).filter_map(|copy| {
            let size = u64::from(self.width >> copy) * u64::from(self.height >> copy);
            let offset = self.offset(copy);
            (offset > 0).then(|| offset.saturating_add(usize::try_from(size).unwrap_or(usize::MAX)))
        });
        let end = ends.max().unwrap_or_default().max(HEADER);
        let palette = self.palette().map_or(0, |colours| 2 + colours.len() * 3);
        self.bytes.get(..end.saturating_add(palette)).unwrap_or(self.bytes)
    }

    /// Its palette: red, green and blue of at most 256 colours; `None` if the texture has no palette.
    #[must_use]
    pub fn palette(&self) -> Option<&'a [[u8; 3]]> {
        if !self.has_palette || !self.has_pixels() {
            return None;
        }
        let copies = (0..4).map(|copy| u64::from(self.width >> copy) * u64::from(self.height >> copy));
        let copies = copies.fold(0, u64::saturating_add);
        let at = self.offset(0).checked_add(usize::try_from(copies).ok()?)?;
        let fields = Fields(self.bytes);
        let colours = usize::from(fields.u16("the number of colours", at).ok()?).min(256);
        let colours = fields.rows("the colours", at.checked_add(2)?, colours).ok()?;
        (!colours.is_empty()).then_some(colours)
    }
}

/// The first fullbright colour of Quake (`gfx/colormap.lmp`).
pub const FIRST_BRIGHT: u8 = 224;
/// The transparent index in textures whose name starts with `{`.
pub const HOLE: u8 = 255;

impl MipTexture<'_> {
    /// Encodes a texture of a WAD with its four sizes; WAD3 adds the palette.
    ///
    /// A pixel of a smaller copy is the mean of the pixels that it replaces, in the nearest colour of the
    /// palette. It becomes fullbright or transparent only if most of those pixels are.
    ///
    /// ```
    /// use quake_content::picture::Picture;
    /// use quake_content::{MipTexture, Palette, WadVersion};
    /// let picture = Picture::of_size(&[7; 256], (16, 16))?;
    /// let bytes = MipTexture::encode(b"brick", picture, &Palette::quake(), WadVersion::Wad2)?;
    /// let texture = MipTexture::parse(&bytes, false)?;
    /// assert_eq!(texture.picture(3).expect("pixels")?.pixels, [7; 4]);
    /// # Ok::<(), quake_content::Error>(())
    /// ```
    ///
    /// # Errors
    /// The name has more than 15 bytes, or a side is not a multiple of 16.
    pub fn encode(
        name: &[u8],
        picture: Picture<'_>,
        palette: &Palette,
        version: WadVersion,
    ) -> Result<Vec<u8>, Error> {
        const LONGEST: usize = 15;
        let Picture { width, height, .. } = picture;
        if name.len() > LONGEST {
            return Err(Error::number("the length of the name", name.len(), LONGEST));
        }
        if !width.is_multiple_of(16) || !height.is_multiple_of(16) {
            return Err(Error::uneven(width, height));
        }
        let mut bytes = name.to_vec();
        bytes.resize(16, 0);
        for number in [width, height] {
            bytes.extend(number.to_le_bytes());
        }
        let too_large = || Error::size(width, height);
        let mut offset = HEADER as u64;
        for copy in 0..4 {
            bytes.extend(u32::try_from(offset).map_err(|_| too_large())?.to_le_bytes());
            offset += u64::from(width >> copy) * u64::from(height >> copy);
        }
        bytes.extend(picture.pixels);
        let mut smaller =
            Smaller { palette, version, has_holes: name.starts_with(b"{"), known: HashMap::new() };
        for copy in 1..4 {
            smaller.add(picture, 1 << copy, &mut bytes);
        }
        if version == WadVersion::Wad3 {
            bytes.extend(256_u16.to_le_bytes());
            bytes.extend(palette.colours().as_flattened());
            // Half-Life's tools pad textures to a multiple of four bytes
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        Ok(bytes)
    }
}

/// Creates the smaller copies of a texture.
struct Smaller<'p> {
    palette: &'p Palette,
    version: WadVersion,
    has_holes: bool,
    /// Cached nearest colours, with fullbright ones separate.
    known: HashMap<([u8; 3], bool), u8>,
}

impl Smaller<'_> {
    /// Adds a copy whose pixels replace squares with this side.
    fn add(&mut self, picture: Picture<'_>, side: usize, bytes: &mut Vec<u8>) {
        let width = picture.width as usize;
        let mut square = Vec::with_capacity(side * side);
        for rows in picture.pixels.chunks_exact(width * side) {
            for left in (0..width).step_by(side) {
                square.clear();
                let rows = rows.chunks_exact(width);
                square.extend(rows.flat_map(|row| row.get(left..left + side).unwrap_or_default()).copied());
                bytes.push(self.mean(&square));
            }
        }
    }

    fn mean(&mut self, square: &[u8]) -> u8 {
        let is_most = |count: usize| 2 * count > square.len();
        let is_hole = |index: u8| self.has_holes && index == HOLE;
        let is_bright = |index: u8| self.version == WadVersion::Wad2 && index >= FIRST_BRIGHT;
        if is_most(square.iter().filter(|index| is_hole(**index)).count()) {
            return HOLE;
        }
        let solid = || square.iter().copied().filter(|index| !is_hole(*index));
        let bright = is_most(solid().filter(|index| is_bright(*index)).count());
        let counted = || solid().filter(|index| !bright || is_bright(*index));
        let count = u32::try_from(counted().count()).unwrap_or(1).max(1);
        let mut sums = [0_u32; 3];
        for index in counted() {
            for (sum, part) in sums.iter_mut().zip(self.palette.colour(index)) {
                *sum += u32::from(part);
            }
        }
        let first = counted().next().unwrap_or_default();
        if bright == is_bright(first) && counted().all(|index| index == first) {
            return first;
        }
        let mean = sums.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX));
        let among = match self.version {
            WadVersion::Wad2 if bright => FIRST_BRIGHT..=HOLE - 1,
            WadVersion::Wad2 => 0..=FIRST_BRIGHT - 1,
            WadVersion::Wad3 if self.has_holes => 0..=HOLE - 1,
            WadVersion::Wad3 => 0..=u8::MAX,
        };
        *self.known.entry((mean, bright)).or_insert_with(|| self.palette.nearest(mean, among))
    }
}
