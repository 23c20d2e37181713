//! The textures of a level's surfaces, and the files that they need.

use std::collections::HashSet;

use quake_content::picture::Wal;
use quake_content::{Entities, Level, LevelFormat, Wad};
use quakefs::rules::SubstituteKind;

use crate::gathered::{Gathered, any_of};
use crate::need::{By, Kind, Need};
use crate::shaders;
use crate::substitutes;

/// Adds the needs of the surfaces.
pub(crate) fn gather(gathered: &mut Gathered<'_>, level: &Level<'_>, entities: &[u8]) {
    let names = match level.surface_names() {
        Ok(names) => names,
        Err(error) => return gathered.unreadable(gathered.level, &error),
    };
    match level.format() {
        LevelFormat::Bsp38 => wals(gathered, &names),
        LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp => shaders::gather(gathered, &names),
        _ => {
            let (map, by) = (gathered.map().to_vec(), gathered.by([]));
            replacements(gathered, &names, &map, &by);
            outside(gathered, level, entities);
        }
    }
}

/// The texture files of Quake II, and the next frames of their animations.
fn wals(gathered: &mut Gathered<'_>, names: &[&[u8]]) {
    let mut seen = HashSet::new();
    for first in names {
        let (mut name, mut by) = (first.to_vec(), gathered.by([]));
        // an animation ends where it began
        while !name.is_empty() && seen.insert(name.to_ascii_lowercase()) {
            let file = [b"textures/", &*name, b".wal"].concat();
            gathered.add(Need::new(file.clone(), Kind::Texture, by.clone()));
            let Some(bytes) = gathered.read(&file) else { break };
            name = match Wal::parse(&bytes) {
                Ok(wal) => wal.next.to_vec(),
                Err(error) => {
                    gathered.unreadable(&file, &error);
                    break;
                }
            };
            by.push(By::File(file.into()));
        }
    }
}

/// Replacement pictures for the textures of a level or a brush model, if they exist.
pub(crate) fn replacements(gathered: &mut Gathered<'_>, names: &[&[u8]], map: &[u8], by: &[By]) {
    // an engine does not replace the moving sky in a level (`Mod_LoadTextures`)
    let is_sky = |name: &[u8]| name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"sky"));
    for name in names.iter().filter(|name| !name.is_empty() && !is_sky(name)) {
        let texture = (SubstituteKind::Texture, *name);
        for need in substitutes::needs(gathered, texture, Some(map), Kind::Texture, by) {
            gathered.add(need.optional());
        }
    }
}

/// Textures without pixels, which the engine loads from the WADs that the world names.
fn outside(gathered: &mut Gathered<'_>, level: &Level<'_>, entities: &[u8]) {
    let Some(folders) = gathered.dialect.wads else { return };
    let textures = level.textures().into_iter().flatten().flatten().filter_map(Result::ok);
    let mut wanted: Vec<Vec<u8>> = textures
        .filter(|texture| !texture.has_pixels())
        .map(|texture| texture.name.to_ascii_lowercase())
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let world = Entities::new(entities).next().unwrap_or_default();
    let value = world.value(b"wad").or_else(|| world.value(b"_wad")).unwrap_or_default();
    let mut missing = Vec::new();
    for path in value.split(|byte| *byte == b';').filter(|path| !path.is_empty()) {
        // the value may begin with a folder of the editor's computer
        let file = path.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or(path);
        let stem =
            file.iter().rposition(|byte| *byte == b'.').and_then(|dot| file.get(..dot)).unwrap_or(file);
        let names = folders.iter().map(|folder| [folder.as_bytes(), stem, b".wad"].concat().into()).collect();
        let by =
            gathered.by([By::Entity { number: 0, class: world.class().into() }, By::Key(b"wad"[..].into())]);
        let Some(need) = any_of(names, Kind::Wad, by) else { continue };
        let Some(hit) = need.find(gathered.search_path) else {
            missing.push(need);
            continue;
        };
        let read = hit.read().map_err(|error| error.to_string());
        let wad = read.as_ref().map_err(Clone::clone);
        match wad.and_then(|bytes| Wad::parse(bytes).map_err(|error| error.to_string())) {
            Ok(wad) => {
                let held: HashSet<_> = wad.entries().map(|entry| entry.name.to_ascii_lowercase()).collect();
                wanted.retain(|name| !held.contains(name));
            }
            Err(reason) => gathered.unreadable(need.name.as_name().as_bytes(), &reason),
        }
        gathered.add(need.optional());
    }
    // the engine also opens a WAD without textures of the level, but the level looks the same without it
    for need in &missing {
        let need = need.clone();
        gathered.add(if wanted.is_empty() { need.optional() } else { need });
    }
    if missing.is_empty() {
        for name in wanted {
            let by = gathered.by([]);
            gathered.add(Need::new(name, Kind::Texture, by));
        }
    }
}
