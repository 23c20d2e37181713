//! Pictures that models and sprites name, and replacements for their textures.

use quake_content::model::{AliasModel, Md2, Md3, Sprite};
use quake_content::{Error, Level};
use quakefs::rules::{Substitute, SubstituteKind};

use crate::gathered::Gathered;
use crate::need::{By, Kind, Need};
use crate::substitutes;
use crate::textures;

/// Endings of models that keep their pictures in separate files.
const PICTURES_OUTSIDE: [&[u8]; 3] = [b".md2", b".md3", b".sp2"];

/// `MAX_SKINS` of `gl_model.h`.
const MOST_SKINS: usize = 32;

/// The pictures that a model names.
fn named(ending: &[u8], bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let own = |name: &[u8]| name.to_vec();
    Ok(match ending {
        b".md2" => Md2::parse(bytes)?.skins().map(own).collect(),
        b".md3" => Md3::parse(bytes)?.shaders()?.into_iter().map(own).collect(),
        _ => Sprite::parse(bytes)?.pictures()?.map(own).collect(),
    })
}

/// Adds the pictures of needed models, if the engine loads them from files.
pub(crate) fn gather(gathered: &mut Gathered<'_>) {
    let rules = gathered.search_path.rules();
    let takes_skin = |rule: &Substitute| rule.of == SubstituteKind::Skin && !rule.names.is_empty();
    let takes_skins = rules.substitutes.iter().any(takes_skin);
    let models = gathered.asked.values().filter(|need| need.kind == Kind::Model);
    let models: Vec<_> =
        models.map(|need| (need.name.as_name().as_bytes().to_vec(), need.by.clone())).collect();
    for (model, mut by) in models {
        let ending = ending(&model);
        let look: fn(&mut Gathered<'_>, &[u8], &[u8], &[By]) = match &*ending {
            b".bsp" if model != gathered.level => brushes,
            b".mdl" if takes_skins => skins,
            ending if PICTURES_OUTSIDE.contains(&ending) => outside,
            _ => continue,
        };
        let Some(bytes) = gathered.read(&model) else { continue };
        by.push(By::File(model[..].into()));
        look(gathered, &model, &bytes, &by);
    }
}

fn ending(model: &[u8]) -> Vec<u8> {
    let dot = model.iter().rposition(|byte| *byte == b'.');
    dot.and_then(|dot| model.get(dot..)).unwrap_or_default().to_ascii_lowercase()
}

/// The pictures that a model or a sprite names.
fn outside(gathered: &mut Gathered<'_>, model: &[u8], bytes: &[u8], by: &[By]) {
    let skins = match named(&ending(model), bytes) {
        Ok(skins) => skins,
        Err(error) => return gathered.unreadable(model, &error),
    };
    for skin in skins.into_iter().filter(|skin| !skin.is_empty()) {
        let mut needs = substitutes::needs(gathered, (SubstituteKind::Skin, &skin), None, Kind::Skin, by);
        if needs.is_empty() {
            needs.push(Need::new(&*skin, Kind::Skin, by.to_vec()));
        }
        for need in needs {
            gathered.add(if gathered.dialect.needs_skins { need } else { need.optional() });
        }
    }
}

/// Replacement files for the skins in a model, if they exist.
fn skins(gathered: &mut Gathered<'_>, model: &[u8], bytes: &[u8], by: &[By]) {
    // engines recognise a model by its first bytes, so the ending may be wrong
    let Ok(alias) = AliasModel::parse(bytes) else { return };
    for (number, _) in alias.skins().filter_map(Result::ok).take(MOST_SKINS).enumerate() {
        let name = [model, format!("_{number}").as_bytes()].concat();
        for need in substitutes::needs(gathered, (SubstituteKind::Skin, &name), None, Kind::Skin, by) {
            if need.find(gathered.search_path).is_some() {
                gathered.add(need.optional());
            }
        }
    }
}

/// Brush models, such as boxes of ammunition, have textures like a level (`Mod_LoadTextures`).
fn brushes(gathered: &mut Gathered<'_>, model: &[u8], bytes: &[u8], by: &[By]) {
    let names = match Level::parse(bytes).and_then(|level| level.surface_names()) {
        Ok(names) => names,
        Err(error) => return gathered.unreadable(model, &error),
    };
    let stem = model.rsplit(|byte| *byte == b'/').next().unwrap_or(model);
    let end = stem.len().saturating_sub(b".bsp".len());
    textures::replacements(gathered, &names, stem.get(..end).unwrap_or_default(), by);
}
