//! Pictures that models and sprites name, and replacements for their textures.

use quake_content::Format;
use quakefs::rules::{PlayerModel, StudioGroups, Substitute, SubstituteKind};

use crate::contents::{NameKind, STEM};
use crate::gathered::Gathered;
use crate::need::{By, Kind, Need};
use crate::{shaders, shown, substitutes, textures};

/// Adds the pictures of needed models, if the engine loads them from files.
pub(crate) fn gather(gathered: &mut Gathered<'_>) {
    let models = gathered.needed.iter().filter(|need| need.kind == Kind::Model);
    let mut models: Vec<_> =
        models.map(|need| (need.name.as_name().as_bytes().to_vec(), need.by.clone())).collect();
    models.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    of(gathered, models);
}

/// Whether a file has the name of a model or a sprite.
pub(crate) fn is_one(name: &[u8]) -> bool {
    matches!(Format::of(name), Some(Format::Model | Format::Sprite))
}

/// Adds the pictures of a model that no level needs, such as a player's, and the other files of a player.
pub(crate) fn alone(gathered: &mut Gathered<'_>, bytes: &[u8]) {
    let model = gathered.level;
    let rules = gathered.search_path.rules().player_model.as_ref();
    let Some((rules, player)) = rules.and_then(|rules| Some((rules, rules.player(model)?))) else {
        return worn(gathered, model, bytes, false);
    };
    worn(gathered, model, bytes, true);
    let parts = rules.models.iter().flat_map(|pattern| PlayerModel::of(pattern, player));
    for part in parts.filter(|part| !part.eq_ignore_ascii_case(model)) {
        gathered.add(Need::new(&*part, Kind::Model, gathered.by([])));
        if let Some(bytes) = gathered.read(&part) {
            worn(gathered, &part, &bytes, true);
        }
    }
    player_files(gathered, rules, player);
}

/// Adds the texts with a model's skins, and what they name; or what the model names itself, unless it is a
/// player's of Quake III, which is shown only with such a text.
fn worn(gathered: &mut Gathered<'_>, model: &[u8], bytes: &[u8], is_player: bool) {
    let search_path = gathered.search_path;
    let default = shown::skin_text(search_path, model);
    if default.is_none() && !(is_player && ending(model) == b".md3") {
        of(gathered, vec![(model.to_vec(), Vec::new())]);
    }
    // the player chooses another one
    let others = shown::other_skin_texts(search_path, model);
    let names = default.iter().map(|file| file.name().as_bytes().to_vec()).chain(others);
    for (number, name) in names.enumerate() {
        let by = gathered.by([]);
        let need = Need::new(&*name, Kind::Skin, by);
        gathered.add(if number == 0 && default.is_some() { need } else { need.optional() });
        let Some(text) = gathered.read(&name) else { continue };
        // each model reads the text again
        if !gathered.can_work(text.len()) {
            return;
        }
        let worn = shown::worn_by(&text, bytes);
        let worn: Vec<&[u8]> = worn.iter().map(|name| &**name).collect();
        shaders::gather(gathered, &worn, &gathered.by([By::File(name.into())]));
    }
}

/// Adds the files of a player besides his models: his weapon, skins with their pictures in menus, and sounds.
fn player_files(gathered: &mut Gathered<'_>, rules: &PlayerModel, player: &[u8]) {
    for name in rules.files.iter().flat_map(|pattern| PlayerModel::of(pattern, player)) {
        let kind = if is_one(&name) { Kind::Model } else { Kind::Companion };
        let by = gathered.by([]);
        gathered.add(Need::new(&*name, kind, by.clone()));
        if kind == Kind::Model {
            of(gathered, vec![(name, by)]);
        }
    }
    let mut skins = shown::player_skins(gathered.search_path, rules, player);
    if skins.is_empty() {
        skins.push(rules.default_skin.as_bytes().to_vec());
    }
    for name in skins.iter().flat_map(|skin| rules.files_of(player, skin)) {
        let by = gathered.by([]);
        let of = |of| substitutes::needs(gathered, (of, &name), None, Kind::Skin, &by);
        let mut needs = of(SubstituteKind::Skin);
        if needs.is_empty() {
            needs = of(SubstituteKind::Image);
        }
        if needs.is_empty() {
            needs.push(Need::new(&*name, Kind::Skin, by));
        }
        for need in needs {
            gathered.add(need.called(&name, gathered.search_path));
        }
    }
    for name in rules.optional.iter().flat_map(|pattern| PlayerModel::of(pattern, player)) {
        let (kind, by) = (if is_one(&name) { Kind::Model } else { Kind::Sound }, gathered.by([]));
        if kind == Kind::Sound || gathered.search_path.find(&name).is_some() {
            gathered.add(Need::new(&*name, kind, by.clone()).optional());
            if kind == Kind::Model && ending(&name) == b".md2" {
                of(gathered, vec![(name, by)]);
            }
        }
    }
}

fn of(gathered: &mut Gathered<'_>, models: Vec<(Vec<u8>, Vec<By>)>) {
    let takes_skin = |rule: &Substitute| rule.of == SubstituteKind::Skin && !rule.names.is_empty();
    let takes_skins = gathered.rules().substitutes.items().iter().any(takes_skin);
    let studio = gathered.rules().studio_groups;
    let has_shaders = gathered.rules().substitute(SubstituteKind::Image, b"").is_some();
    for (model, mut by) in models {
        let content = match &*ending(&model) {
            b".bsp" if model != gathered.level => NameKind::Brushes,
            b".mdl" if studio != StudioGroups::None => {
                NameKind::Studio { recorded: studio == StudioGroups::Recorded }
            }
            b".mdl" if takes_skins => NameKind::Skins,
            b".md2" => NameKind::Md2,
            b".md3" => NameKind::Md3,
            b".sp2" => NameKind::Sprite,
            _ => continue,
        };
        let Some(names) = gathered.names_in(&model, content) else { continue };
        by.push(By::File(model[..].into()));
        match content {
            NameKind::Brushes => brushes(gathered, &model, &names, &by),
            NameKind::Skins => skins(gathered, &model, &names, &by),
            NameKind::Studio { .. } => studio_files(gathered, &model, &names, &by),
            NameKind::Md3 if has_shaders => {
                coarser(gathered, &model, &by);
                let names: Vec<&[u8]> = names.iter().map(|name| &**name).collect();
                shaders::gather(gathered, &names, &by);
            }
            _ => outside(gathered, &names, &by),
        }
    }
}

fn ending(model: &[u8]) -> Vec<u8> {
    let dot = model.iter().rposition(|byte| *byte == b'.');
    dot.and_then(|dot| model.get(dot..)).unwrap_or_default().to_ascii_lowercase()
}

/// The pictures that a model or a sprite names.
fn outside(gathered: &mut Gathered<'_>, pictures: &[Vec<u8>], by: &[By]) {
    for picture in pictures {
        let mut needs = substitutes::needs(gathered, (SubstituteKind::Skin, picture), None, Kind::Skin, by);
        if needs.is_empty() {
            needs.push(Need::new(&**picture, Kind::Skin, by.to_vec()));
        }
        for need in needs {
            gathered.add(if gathered.rules().requires_skins { need } else { need.optional() });
        }
    }
}

/// The files of a model of Half-Life: its textures and further sequences, and the sounds and sprites of its
/// events, without which the engine goes on.
fn studio_files(gathered: &mut Gathered<'_>, model: &[u8], names: &[Vec<u8>], by: &[By]) {
    let stem = model.get(..model.len().saturating_sub(b".mdl".len())).unwrap_or_default();
    for name in names {
        let kind = if name.starts_with(b"sound/") { Kind::Sound } else { Kind::Model };
        let of_stem = name.strip_prefix(STEM).map(|end| [stem, end].concat());
        let need = Need::new(of_stem.unwrap_or_else(|| name.clone()), kind, by.to_vec());
        let need = if ending(name) == b".mdl" { need } else { need.optional() };
        gathered.add(need);
    }
}

/// A model as it is shown far away, if it is there.
///
/// Source: ioquake3, `code/renderergl1/tr_model.c`, `R_RegisterMD3`.
fn coarser(gathered: &mut Gathered<'_>, model: &[u8], by: &[By]) {
    let stem = model.get(..model.len().saturating_sub(b".md3".len())).unwrap_or_default();
    for end in ["_1.md3", "_2.md3"] {
        let name = [stem, end.as_bytes()].concat();
        if gathered.search_path.find(&name).is_some() {
            gathered.add(Need::new(name, Kind::Model, by.to_vec()).optional());
        }
    }
}

/// Replacement files for the skins in a model, if they exist.
fn skins(gathered: &mut Gathered<'_>, model: &[u8], numbers: &[Vec<u8>], by: &[By]) {
    for number in numbers {
        let name = [model, number].concat();
        for need in substitutes::needs(gathered, (SubstituteKind::Skin, &name), None, Kind::Skin, by) {
            if need.find(gathered.search_path).is_some() {
                gathered.add(need.optional());
            }
        }
    }
}

/// Brush models, such as boxes of ammunition, have textures like a level (`Mod_LoadTextures`).
fn brushes(gathered: &mut Gathered<'_>, model: &[u8], names: &[Vec<u8>], by: &[By]) {
    let stem = model.rsplit(|byte| *byte == b'/').next().unwrap_or(model);
    let end = stem.len().saturating_sub(b".bsp".len());
    textures::replacements(
        gathered,
        names.iter().map(|name| &**name),
        stem.get(..end).unwrap_or_default(),
        by,
    );
}
