//! A texture with its smaller copies, as levels and WADs hold it.

use crate::Error;
use crate::fields::{Fields, name};
use crate::picture::Picture;

/// A texture with its smaller copies.
///
/// Sources: Unofficial Quake Specs 3.4; `wadlib` and `qlumpy` of the Half-Life SDK for the palette.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MipTexture<'a> {
    /// Its name, without what follows the NUL.
    pub name: &'a [u8],
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    bytes: &'a [u8],
    has_palette: bool,
}

const HEADER: usize = 40;

impl<'a> MipTexture<'a> {
    /// Reads the header. `has_palette` says whether a palette follows the smallest copy, as in Half-Life's files.
    ///
    /// # Errors
    /// The header is cut off.
    pub fn parse(bytes: &'a [u8], has_palette: bool) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let name = name(fields.bytes("the name of a texture", 0, 16)?);
        let (width, height) = (fields.u32("the width", 16)?, fields.u32("the height", 20)?);
        fields.bytes("the offsets of the pixels", 24, 16)?;
        Ok(MipTexture { name, width, height, bytes, has_palette })
    }

    /// Where a copy starts: 0 is the largest and 3 the smallest. 0 for a texture whose pixels are in a WAD.
    fn offset(&self, copy: usize) -> usize {
        Fields(self.bytes).size("an offset", 24 + copy.min(3) * 4).unwrap_or_default()
    }

    /// Whether the pixels are here; where not, an engine looks for them in a WAD.
    #[must_use]
    pub fn has_pixels(&self) -> bool {
        self.offset(0) != 0
    }

    /// The picture of a copy, 0 for the largest up to 3 for the smallest; `None` where the pixels are in a WAD.
    ///
    /// # Errors
    /// The copy has no pixels, or they lie outside the bytes.
    #[must_use]
    pub fn picture(&self, copy: usize) -> Option<Result<Picture<'a>, Error>> {
        let offset = self.offset(copy);
        let by = u32::try_from(copy.min(3)).unwrap_or_default();
        let size = (self.width >> by, self.height >> by);
        let pixels = || Fields(self.bytes).from("the pixels", offset.max(HEADER));
        (offset != 0).then(|| pixels().and_then(|pixels| Picture::of_size(pixels.0, size)))
    }

    /// Its bytes: the header, the copies and, where it has one, the palette; fewer where it is cut off.
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

    /// The palette of its own: red, green and blue of at most 256 colours. `None` where it has none.
    #[must_use]
    pub fn palette(&self) -> Option<&'a [[u8; 3]]> {
        if !self.has_palette || !self.has_pixels() {
            return None;
        }
        let copies =
            (0..4).map(|copy| u64::from(self.width >> copy) * u64::from(self.height >> copy)).sum::<u64>();
        let at = self.offset(0).checked_add(usize::try_from(copies).ok()?)?;
        let fields = Fields(self.bytes);
        let colours = usize::from(fields.u16("the number of colours", at).ok()?).min(256);
        let colours = fields.rows("the colours", at.checked_add(2)?, colours).ok()?;
        (!colours.is_empty()).then_some(colours)
    }
}
