//! `.mdl`: the skins of a model of Quake.

use crate::fields::Fields;
use crate::{Error, Options, Picture, Pictures};

const HEADER: usize = 84;

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Pictures, Error> {
    if bytes.get(..4) != Some(b"IDPO") {
        return Err(Error::format("a model of Quake (IDPO)", bytes));
    }
    let fields = Fields(bytes);
    let count = fields.size("the number of skins", 48)?;
    let (width, height) =
        (fields.u32("the width of the skins", 52)?, fields.u32("the height of the skins", 56)?);
    let wrong = Error::Size { width, height };
    let Some(size) = width.checked_mul(height).filter(|size| *size > 0) else { return Err(wrong) };
    let mut next = HEADER;
    let skins = (0..count).map(|_| {
        let first = skip(fields, &mut next, size as usize)?;
        let pixels = fields.bytes("a skin", first, size as usize)?;
        Picture::indexed(Vec::new(), (width, height), pixels, None, options).map(Some)
    });
    // where a skin is says the one before it, so nothing follows one that is cut off
    let mut ended = false;
    let skins = skins.take_while(|skin| !std::mem::replace(&mut ended, skin.is_err()));
    Pictures::first(options.pictures, count, skins)
}

/// Goes on to the next skin, and gives where the first picture of this one is: some change in turns.
fn skip(fields: Fields<'_>, next: &mut usize, size: usize) -> Result<usize, Error> {
    let what = "a skin";
    let pictures = if fields.u32(what, *next)? == 0 { None } else { Some(fields.size(what, *next + 4)?) };
    let first = match pictures {
        None => next.saturating_add(4),
        Some(count) => next.saturating_add(8).saturating_add(count.saturating_mul(4)),
    };
    *next = first.saturating_add(size.saturating_mul(pictures.unwrap_or(1)));
    Ok(first)
}
