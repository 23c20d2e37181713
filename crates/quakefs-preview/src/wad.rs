//! `.wad`: WAD2 of Quake, WAD3 of Half-Life.

use crate::fields::{Fields, name};
use crate::miptex::Own;
use crate::{Error, Options, Picture, Pictures, lump, miptex};

const ROW: usize = 32;

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Pictures, Error> {
    let own = match bytes.get(..4) {
        Some(b"WAD2") => Own::Nothing,
        Some(b"WAD3") => Own::Palette,
        _ => return Err(Error::format("WAD2 or WAD3", bytes)),
    };
    let fields = Fields(bytes);
    let count = fields.size("the number of rows", 4)?;
    let directory = fields.from("the directory", fields.size("the offset of the directory", 8)?)?;
    let (rows, _) = directory.0.as_chunks::<ROW>();
    if rows.len() < count {
        let needed = (count as u64).saturating_mul(ROW as u64) + (bytes.len() - directory.0.len()) as u64;
        return Err(Error::CutOff { what: "the directory", needed, found: bytes.len() as u64 });
    }
    let rows = || rows.iter().take(count).filter(|row| holds_picture(row));
    let pictures = rows().map(|row| picture(fields, row, own, options));
    Pictures::first(options.pictures, rows().count(), pictures)
}

/// What a row says it is, beside palettes, sounds and fonts.
const PICTURE: u8 = 0x42;
const TEXTURE_OF_WAD3: u8 = 0x43;
const TEXTURE: u8 = 0x44;
const PICTURE_OF_CONSOLE: u8 = 0x45;

fn holds_picture(row: &[u8; ROW]) -> bool {
    let is_stored = row.get(13) == Some(&0);
    is_stored && row.get(12).is_some_and(|kind| (PICTURE..=PICTURE_OF_CONSOLE).contains(kind))
}

fn picture(
    wad: Fields<'_>,
    row: &[u8; ROW],
    own: Own,
    options: &Options<'_>,
) -> Result<Option<Picture>, Error> {
    let row = Fields(row);
    let bytes = wad.bytes("an entry", row.size("its offset", 0)?, row.size("its size", 4)?)?;
    let name = name(row.bytes("its name", 16, 16)?);
    match row.bytes("its type", 12, 1)?.first() {
        Some(&(TEXTURE | TEXTURE_OF_WAD3)) => match lump::characters(name, bytes, options) {
            // the font of the console says that it is a texture
            Some(font) => font.map(Some),
            None => miptex::read(bytes, own, options),
        },
        _ => lump::with_size(name, bytes, options).map(Some),
    }
}
