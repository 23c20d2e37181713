//! `.bsp`: a level's title, what its entities name, its textures.

use crate::entities::{self, Uses};
use crate::fields::Fields;
use crate::miptex::Own;
use crate::{Error, Options, Pictures, miptex};

/// A compiled level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// What the level calls itself: the `message` of its world.
    pub title: Option<String>,
    /// How many entities it has.
    pub entities: usize,
    /// The files that its entities name.
    pub uses: Uses,
    /// The textures in the level. Quake II keeps them in files of their own.
    pub textures: Pictures,
}

/// Where lumps are named, and what the textures are like.
enum Layout {
    Textures(Own),
    None,
}

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Level, Error> {
    let (lumps, layout) = match bytes.get(..4) {
        Some([29, 0, 0, 0] | b"BSP2" | b"2PSB") => (4, Layout::Textures(Own::Nothing)),
        Some([30, 0, 0, 0]) => (4, Layout::Textures(Own::Palette)),
        Some(b"IBSP" | b"RBSP" | b"FBSP") => (8, Layout::None),
        _ => return Err(Error::format("a level (29, 30, BSP2, 2PSB, IBSP, RBSP or FBSP)", bytes)),
    };
    let fields = Fields(bytes);
    let lump = |number: usize| {
        let row = lumps + number * 8;
        let (offset, length) = (fields.size("a lump", row)?, fields.size("a lump", row + 4)?);
        fields.bytes("a lump", offset, length)
    };
    let entities = lump(0)?;
    options.take(entities.len() as u64)?;
    let found = entities::read(entities);
    let textures = match layout {
        Layout::Textures(own) => lump(2).and_then(|lump| textures(lump, own, options)),
        Layout::None => Ok(Pictures::default()),
    };
    let textures = match textures {
        Err(Error::Budget) => return Err(Error::Budget),
        // a level that is cut off after its entities still says what it is
        textures => textures.unwrap_or_else(|_| Pictures { damaged: 1, ..Pictures::default() }),
    };
    Ok(Level { title: found.title, entities: found.count, uses: found.uses, textures })
}

fn textures(lump: &[u8], own: Own, options: &Options<'_>) -> Result<Pictures, Error> {
    if lump.is_empty() {
        return Ok(Pictures::default());
    }
    let fields = Fields(lump);
    let count = fields.size("the number of textures", 0)?;
    let offsets = fields.bytes("the offsets of the textures", 4, count.saturating_mul(4))?;
    let (offsets, _) = offsets.as_chunks::<4>();
    // a texture that the compiler did not find has the offset -1
    let offsets =
        || offsets.iter().map(|offset| u32::from_le_bytes(*offset)).filter(|offset| *offset != u32::MAX);
    let pictures = offsets().map(|offset| {
        miptex::read(fields.from("a texture", usize::try_from(offset).unwrap_or(usize::MAX))?.0, own, options)
    });
    Pictures::first(options.pictures, offsets().count(), pictures)
}
