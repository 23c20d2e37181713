//! The textures of a level's surfaces, and the files that they need.

use std::collections::HashSet;

use quake_content::{Entities, Entity, Level, LevelFormat};
use quakefs::Rules;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::SubstituteKind;

use crate::contents::NameKind;
use crate::gathered::{Gathered, any_of};
use crate::need::{By, Kind, Need};
use crate::shaders;
use crate::substitutes;

/// Adds the needs of the surfaces.
pub(crate) fn gather(gathered: &mut Gathered<'_>, level: &Level<'_>, entities: &[u8]) {
    let mut names = match level.surface_names() {
        Ok(names) => names,
        Err(error) => return gathered.unreadable(gathered.level, &error),
    };
    names.sort_unstable();
    names.dedup();
    match level.format() {
        LevelFormat::Bsp38 => wals(gathered, &names),
        LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp => {
            shaders::gather(gathered, &names, &gathered.by([]));
        }
        _ => {
            let (map, by) = (gathered.map().to_vec(), gathered.by([]));
            replacements(gathered, names.into_iter(), &map, &by);
            outside(gathered, level, entities);
        }
    }
}

/// The texture files of Quake II, and the next frames of their animations. The level needs a first frame;
/// each frame needs the next one.
fn wals(gathered: &mut Gathered<'_>, names: &[&[u8]]) {
    let mut seen = HashSet::new();
    for first in names {
        let (mut name, mut by) = (first.to_vec(), gathered.by([]));
        // an animation ends where it began
        while !name.is_empty() && seen.insert(name.to_ascii_lowercase()) {
            let texture = (SubstituteKind::Texture, &*name);
            let need = match substitutes::needs(gathered, texture, None, Kind::Texture, &by).pop() {
                Some(need) => {
                    // of several missing names the last is the one that the level means
                    let last = need.others.last().unwrap_or(&need.name).as_bytes().to_vec();
                    need.called(&last, gathered.search_path)
                }
                None => Need::new([b"textures/", &*name, b".wal"].concat(), Kind::Texture, by),
            };
            let file = need.name.as_bytes().to_vec();
            gathered.add(need);
            if !file.ends_with(b".wal") {
                break;
            }
            let next = gathered.names_in(&file, NameKind::Wal);
            let Some(next) = next.as_ref().and_then(|names| names.first()) else { break };
            name.clone_from(next);
            by = gathered.by([By::File(file.into())]);
        }
    }
}

/// Replacement pictures for the textures of a level or a brush model, if they exist.
pub(crate) fn replacements<'t>(
    gathered: &mut Gathered<'_>,
    names: impl Iterator<Item = &'t [u8]>,
    map: &[u8],
    by: &[By],
) {
    // an engine does not replace the moving sky in a level (`Mod_LoadTextures`)
    let is_sky = |name: &[u8]| name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"sky"));
    for name in names.filter(|name| !name.is_empty() && !is_sky(name)) {
        let texture = (SubstituteKind::Texture, name);
        for need in substitutes::needs(gathered, texture, Some(map), Kind::Texture, by) {
            gathered.add(need.optional());
        }
    }
}

/// The names under which the engine looks for each WAD that a world names.
pub(crate) fn wads<'w>(
    rules: &'w Rules,
    world: &Entity<'w>,
) -> impl Iterator<Item = Vec<EntryNameBuf>> + use<'w> {
    let value = world.value(b"wad").or_else(|| world.value(b"_wad")).unwrap_or_default();
    let mut seen = HashSet::new();
    let stems = value.split(|byte| *byte == b';').filter(|path| !path.is_empty()).map(|path| {
        // the value may begin with a folder of the editor's computer
        let file = path.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or(path);
        file.iter().rposition(|byte| *byte == b'.').and_then(|dot| file.get(..dot)).unwrap_or(file)
    });
    let folders = rules.wads.items();
    let names = move |stem: &[u8]| {
        folders.iter().map(|folder| [folder.as_bytes(), stem, b".wad"].concat().into()).collect()
    };
    stems.filter(move |stem| seen.insert(*stem)).map(names)
}

/// Textures without pixels, which the engine loads from the WADs that the world names.
fn outside(gathered: &mut Gathered<'_>, level: &Level<'_>, entities: &[u8]) {
    let search_path = gathered.search_path;
    if search_path.rules().wads.items().is_empty() {
        return;
    }
    let textures = level.textures().into_iter().flatten().flatten().filter_map(Result::ok);
    let mut wanted: Vec<Vec<u8>> = textures
        .filter(|texture| !texture.has_pixels())
        .map(|texture| texture.name.to_ascii_lowercase())
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let world = Entities::new(entities).next().unwrap_or_default();
    let by = gathered.by([By::entity(0, world.class()), By::Key(b"wad"[..].into())]);
    let mut missing = Vec::new();
    for names in wads(search_path.rules(), &world) {
        if gathered.is_ended() {
            break;
        }
        let Some(need) = any_of(names, Kind::Wad, by.clone()) else { continue };
        match need.find(gathered.search_path).map(|found| found.name().as_bytes().to_vec()) {
            Some(file) => {
                let held = gathered.names_in(&file, NameKind::Wad).unwrap_or_default();
                wanted.retain(|name| held.binary_search(name).is_err());
            }
            None => missing.push(need.name.clone()),
        }
        gathered.add(need.optional());
    }
    // the engine also opens a WAD without textures of the level, but the level looks the same without it
    for name in missing.iter().filter(|_| !wanted.is_empty()) {
        gathered.require(Kind::Wad, name);
    }
    if missing.is_empty() {
        for name in wanted {
            let by = gathered.by([]);
            gathered.add(Need::new(name, Kind::Texture, by));
        }
    }
}
