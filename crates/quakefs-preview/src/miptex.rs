//! A texture with its smaller copies, as levels and WADs hold it.

use crate::fields::{Fields, name};
use crate::{Error, Options, Palette, Picture};

/// Whether a palette follows the smallest copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Own {
    Palette,
    Nothing,
}

const HEADER: usize = 40;

/// `None` for a texture whose pixels are in another file.
pub(crate) fn read(bytes: &[u8], own: Own, options: &Options<'_>) -> Result<Option<Picture>, Error> {
    let fields = Fields(bytes);
    let name = name(fields.bytes("the name of a texture", 0, 16)?);
    let (width, height) = (fields.u32("the width", 16)?, fields.u32("the height", 20)?);
    let pixels = fields.size("the offset of the pixels", 24)?;
    if pixels == 0 {
        return Ok(None);
    }
    let palette = match own {
        Own::Palette => palette(fields, pixels, width, height),
        Own::Nothing => None,
    };
    let options = palette.as_ref().map_or(*options, |palette| options.palette(palette));
    // a name that begins so has holes, in Half-Life and in engines after Quake
    let transparent = name.starts_with(b"{").then_some(255);
    let pixels = fields.from("the pixels", pixels.max(HEADER))?.0;
    Picture::indexed(name, (width, height), pixels, transparent, &options).map(Some)
}

/// The palette after the four copies: a number of colours, then red, green and blue of each.
fn palette(fields: Fields<'_>, pixels: usize, width: u32, height: u32) -> Option<Palette> {
    let copies = (0..4).map(|level| u64::from(width >> level) * u64::from(height >> level)).sum::<u64>();
    let at = pixels.checked_add(usize::try_from(copies).ok()?)?;
    let colours = usize::from(fields.u16("the number of colours", at).ok()?).min(256);
    let bytes = fields.bytes("the colours", at.checked_add(2)?, colours * 3).ok()?;
    (colours > 0).then(|| Palette::of_colours(bytes))
}
