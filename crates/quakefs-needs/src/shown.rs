//! The files with which models and pictures are shown.

use std::collections::HashMap;

use quake_content::model::Md3;
use quake_content::{Entities, Palette};
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::{PlayerModel, SubstituteKind};
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
    let of = |kind| first(quake, kind, name);
    of(SubstituteKind::Skin).or_else(|| of(SubstituteKind::Image)).or_else(|| quake.find(name))
}

fn first<'q>(quake: &'q SearchPath, kind: SubstituteKind, name: &[u8]) -> Option<File<'q>> {
    let files = quake.substitutes(kind, name, None)?;
    files.into_iter().flat_map(|file| file.copies).next().map(|copy| copy.file)
}

/// The text with the default skin of a player's model of Quake III.
pub(crate) fn skin_text<'q>(quake: &'q SearchPath, model: &[u8]) -> Option<File<'q>> {
    let file = first(quake, SubstituteKind::Skin, model)?;
    file.name().as_bytes().ends_with(SKIN.as_bytes()).then_some(file)
}

/// The texts with the other skins of a player's model of Quake III, such as `lower_red.skin`.
///
/// Source: ioquake3, `code/cgame/cg_players.c`, `CG_FindClientModelFile`.
pub(crate) fn other_skin_texts(quake: &SearchPath, model: &[u8]) -> Vec<Vec<u8>> {
    let others = || {
        let files = quake.substitutes(SubstituteKind::Skin, model, None)?;
        let default = files.first()?.tried.first()?.to_string();
        let (folder, default) = default.rsplit_once('/')?;
        let (part, _) = default.strip_suffix(SKIN)?.rsplit_once('_')?;
        let is_other = |name: &String| {
            let lower = name.to_ascii_lowercase();
            let skin =
                lower.strip_suffix(SKIN).and_then(|stem| stem.strip_prefix(&*part.to_ascii_lowercase()));
            skin.is_some_and(|skin| skin.starts_with('_')) && !name.eq_ignore_ascii_case(default)
        };
        let items = quake.read_dir(folder).ok()?.into_iter().filter(|item| !item.is_dir());
        let names = items.map(|item| item.name.to_string()).filter(is_other);
        Some(names.map(|name| format!("{folder}/{name}").into_bytes()).collect())
    };
    others().unwrap_or_default()
}

/// The skins of a player on the search path, each once.
pub(crate) fn player_skins(quake: &SearchPath, rules: &PlayerModel, player: &[u8]) -> Vec<Vec<u8>> {
    let folder = rules.skin.rsplit_once('/').map_or("", |(folder, _)| folder);
    let Some(folder) = PlayerModel::of(folder, player).next() else { return Vec::new() };
    let items = quake.read_dir(&folder).unwrap_or_default().into_iter().filter(|item| !item.is_dir());
    let names: Vec<_> = items.map(|item| [&*folder, b"/", item.name.as_bytes()].concat()).collect();
    let mut skins: Vec<Vec<u8>> =
        names.iter().filter_map(|name| Some(rules.skin_of(player, name)?.to_vec())).collect();
    skins.sort_unstable();
    skins.dedup();
    // a picture without one in menus is none; a text is one in any case
    let is_picture = !rules.skin.as_bytes().ends_with(SKIN.as_bytes());
    let has_icon = |skin: &Vec<u8>| {
        let icon = rules.icon_of(player, skin);
        icon.is_some_and(|icon| names.iter().any(|name| name.eq_ignore_ascii_case(&icon)))
    };
    skins.retain(|skin| !is_picture || has_icon(skin));
    skins
}

/// The ending of such a text.
const SKIN: &str = ".skin";

/// The shader of each surface of a model of Quake III, by the text with its skin; empty for a surface that
/// the text does not name, which the engine shows without a shader.
pub(crate) fn worn_by(text: &[u8], model: &[u8]) -> Vec<Vec<u8>> {
    let names = Md3::parse(model).and_then(|model| model.surface_names()).unwrap_or_default();
    let mut shaders = HashMap::new();
    for (surface, shader) in quake_content::skin::surfaces(text) {
        shaders.entry(surface.to_ascii_lowercase()).or_insert(shader);
    }
    let of = |surface: &[u8]| {
        shaders.get(&surface.to_ascii_lowercase()).map_or(Vec::new(), |shader| shader.to_vec())
    };
    names.into_iter().map(of).collect()
}

/// The shader of each surface of a player's model of Quake III in its default skin, in the order of the
/// surfaces. `None` for other models, which name their shaders themselves.
#[must_use]
pub fn worn(quake: &SearchPath, name: &[u8], model: &[u8]) -> Option<Vec<Vec<u8>>> {
    let text = skin_text(quake, name)?.read().ok()?;
    Some(worn_by(&text, model))
}
