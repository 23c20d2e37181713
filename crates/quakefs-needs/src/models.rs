//! Pictures that models and sprites name, or that stand in the place of their textures.

use quake_content::model::{Md2, Md3, Sprite};
use quake_content::{Error, Level};

use crate::gathered::Gathered;
use crate::need::{By, Kind, Need};
use crate::textures;

/// Endings of models whose pictures are in files of their own.
const PICTURES_OUTSIDE: [&[u8]; 3] = [b".md2", b".md3", b".sp2"];

/// The pictures that a model names.
fn named(ending: &[u8], bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let own = |name: &[u8]| name.to_vec();
    Ok(match ending {
        b".md2" => Md2::parse(bytes)?.skins().map(own).collect(),
        b".md3" => Md3::parse(bytes)?.shaders()?.into_iter().map(own).collect(),
        _ => Sprite::parse(bytes)?.pictures()?.map(own).collect(),
    })
}

/// Adds the pictures of the models that are asked for, where the engine takes them from files.
pub(crate) fn gather(gathered: &mut Gathered<'_>) {
    let models = gathered.asked.values().filter(|need| need.kind == Kind::Model);
    let models: Vec<_> =
        models.map(|need| (need.name.as_name().as_bytes().to_vec(), need.by.clone())).collect();
    for (model, mut by) in models {
        let dot = model.iter().rposition(|byte| *byte == b'.');
        let ending = dot.and_then(|dot| model.get(dot..)).unwrap_or_default().to_ascii_lowercase();
        let is_brushes = ending == b".bsp" && model != gathered.level;
        if !is_brushes && !PICTURES_OUTSIDE.contains(&&*ending) {
            continue;
        }
        let Some(bytes) = gathered.read(&model) else { continue };
        by.push(By::File(model[..].into()));
        if is_brushes {
            brushes(gathered, &model, &bytes, &by);
            continue;
        }
        match named(&ending, &bytes) {
            Ok(skins) => {
                for skin in skins.into_iter().filter(|skin| !skin.is_empty()) {
                    let need = Need::new(skin, Kind::Skin, by.clone());
                    gathered.add(if gathered.dialect.needs_skins { need } else { need.optional() });
                }
            }
            Err(error) => gathered.unreadable(&model, &error),
        }
    }
}

/// A model of brushes, as boxes of ammunition are, has textures as a level has (`Mod_LoadTextures`).
fn brushes(gathered: &mut Gathered<'_>, model: &[u8], bytes: &[u8], by: &[By]) {
    let names = match Level::parse(bytes).and_then(|level| level.surface_names()) {
        Ok(names) => names,
        Err(error) => return gathered.unreadable(model, &error),
    };
    let stem = model.rsplit(|byte| *byte == b'/').next().unwrap_or(model);
    let end = stem.len().saturating_sub(b".bsp".len());
    textures::replacements(gathered, &names, stem.get(..end).unwrap_or_default(), by);
}
