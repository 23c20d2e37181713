//! The files with which models and pictures are shown.

use quake_content::{Entities, Palette};
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::SubstituteKind;
use quakefs::{File, SearchPath};

use crate::textures;

/// The palette of a game: of Quake and Hexen II, or of Quake II. `None` if no file has one.
///
/// ```
/// # let pak = testutils::pack(quakefs::Layout::Quake, [("gfx/palette.lmp", testutils::content::palette())]);
/// let quake = quakefs::Builder::new().memory("a.pak", pak).mount()?;
/// let palette = quakefs_needs::palette(&quake).expect("gfx/palette.lmp");
/// assert_eq!(palette.colour(1), [1, 2, 254]);
/// # Ok::<(), quakefs::Error>(())
/// ```
#[must_use]
pub fn palette(quake: &SearchPath) -> Option<Palette> {
    let read = |name| quake.read(name).ok();
    let lump = read("gfx/palette.lmp").and_then(|bytes| Palette::from_lump(&bytes));
    lump.or_else(|| Palette::from_pcx(&read("pics/colormap.pcx")?))
}

/// The WADs that the world of a level names, as far as the engine finds them.
#[must_use]
pub fn wads<'q>(quake: &'q SearchPath, entities: &[u8]) -> Vec<File<'q>> {
    let world = Entities::new(entities).next().unwrap_or_default();
    let found = |names: Vec<EntryNameBuf>| names.iter().find_map(|name| quake.find(name));
    textures::wads(quake.rules(), &world).filter_map(found).collect()
}

/// The file that the engine loads as a skin that a model names, or as the picture of a shader.
#[must_use]
pub fn skin<'q>(quake: &'q SearchPath, name: &[u8]) -> Option<File<'q>> {
    let skins = quake.substitutes(SubstituteKind::Skin, name, None);
    let first = skins.and_then(|files| files.into_iter().flat_map(|file| file.copies).next());
    first.map(|copy| copy.file).or_else(|| quake.find(name))
}
