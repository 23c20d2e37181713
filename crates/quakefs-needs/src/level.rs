//! The needs of one level.

use std::collections::HashSet;

use quake_content::{Bounds, Entities, Level};
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::{Companion, CompanionKind, entities_crc};
use quakefs::search_path::names_beside;
use quakefs::{File, FileData};

use crate::gathered::{Gathered, any_of};
use crate::need::{By, Kind, Need, Needs, Trouble};
use crate::program::{Executable, Incident, Mode};
use crate::{keys, models, spawned, textures};

/// The needs of the level that `gathered` is about.
pub(crate) fn needs(mut gathered: Gathered<'_>, program: Option<&Executable<'_>>, modes: &[Mode]) -> Needs {
    let (search_path, name) = (gathered.search_path, gathered.level);
    let mut needs = Needs::default();
    if search_path.find(name).is_none() {
        gathered.troubles.push(Trouble::NoLevel);
    }
    if let Some(bytes) = gathered.read(name) {
        match Level::parse(&bytes) {
            Ok(level) => {
                needs.is_model = level.entity_text().is_ok_and(|text| !is_level(text));
                needs.incidents = of_level(&mut gathered, program, &level, modes);
            }
            Err(_) if models::is_one(name) => models::alone(&mut gathered, &bytes),
            // the file itself is examined below
            Err(_) if gathered.examines => {}
            Err(error) => gathered.unreadable(name, &error),
        }
    }
    if gathered.examines {
        examine(&mut gathered);
    }
    needs.troubles = gathered.troubles;
    needs.needed = gathered.needed;
    needs.needed.sort_unstable_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    for need in &mut needs.needed {
        if need.modes.len() == modes.len() {
            need.modes.clear();
        }
        // textures of WADs were looked up earlier, and music may lie beside the search path
        need.is_found |= need.find(search_path).is_some();
    }
    needs
}

/// Whether the entities are those of a level, and not of a model.
pub(crate) fn is_level(entities: &[u8]) -> bool {
    Entities::new(entities).nth(1).is_some()
}

/// Records the level and each needed file that the engine cannot load. A file that could not be read is
/// recorded already.
fn examine(gathered: &mut Gathered<'_>) {
    let search_path = gathered.search_path;
    let needed = gathered.needed.iter().filter(|need| need.kind != Kind::Level);
    let files: Vec<_> = search_path
        .find(gathered.level)
        .into_iter()
        .chain(needed.filter_map(|need| need.find(search_path)))
        .collect();
    let (mut names, mut not_loaded) = (HashSet::new(), Vec::new());
    for file in files {
        if !gathered.can_work(usize::try_from(file.size() / 16).unwrap_or(usize::MAX)) {
            break;
        }
        if let Some(found) = gathered.contents.not_loaded(search_path, &file) {
            names.insert(file.name().as_bytes().to_vec());
            not_loaded.push(Trouble::NotLoaded(found));
        }
    }
    // why the work has ended stays the last one
    let end = if gathered.is_ended() { gathered.troubles.pop() } else { None };
    gathered.troubles.retain(|trouble| match trouble {
        Trouble::Unreadable { name, .. } => !names.contains(name.as_bytes()),
        _ => true,
    });
    gathered.troubles.extend(not_loaded.into_iter().chain(end));
}

type Incidents = Vec<(Incident, Vec<Mode>)>;

fn of_level(
    gathered: &mut Gathered<'_>,
    program: Option<&Executable<'_>>,
    level: &Level<'_>,
    modes: &[Mode],
) -> Incidents {
    let held = match level.entity_text() {
        Ok(text) => text,
        Err(error) => {
            gathered.unreadable(gathered.level, &error);
            return Vec::new();
        }
    };
    companions(gathered, level);
    let outside = entity_file(gathered, held);
    let entities: &[u8] = outside.as_deref().unwrap_or(held);
    let bounds: Vec<Bounds> = level.models().into_iter().flatten().collect();
    let incidents =
        program.map_or_else(Vec::new, |program| spawned::gather(gathered, program, entities, &bounds, modes));
    keys::gather(gathered, entities);
    textures::gather(gathered, level, entities);
    models::gather(gathered);
    incidents
}

/// The files that the engine may load beside a level, but for its entities.
fn companions(gathered: &mut Gathered<'_>, level: &Level<'_>) {
    let search_path = gathered.search_path;
    for companion in search_path.rules().companions.items() {
        if companion.kind != CompanionKind::Entities
            && let Some(need) = beside(gathered, companion, None)
        {
            let file = need.find(search_path).map(|file| file.name().as_bytes().to_vec());
            gathered.add(need);
            if let Some(file) = file {
                named(gathered, companion, &file, level);
            }
        }
    }
}

/// The files that a text beside the level names: pictures, or what clients download.
fn named(gathered: &mut Gathered<'_>, companion: &Companion, file: &[u8], level: &Level<'_>) {
    let textures = match companion.kind {
        CompanionKind::Details => level.surface_names().unwrap_or_default(),
        CompanionKind::Overview | CompanionKind::List { .. } => Vec::new(),
        _ => return,
    };
    let textures: HashSet<Vec<u8>> = textures.into_iter().map(<[u8]>::to_ascii_lowercase).collect();
    let Some(text) = gathered.read(file) else { return };
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    for (number, line) in (1..).zip(lines) {
        let comment = line.windows(2).position(|pair| pair == b"//").unwrap_or(line.len());
        let words = line.get(..comment).unwrap_or_default().split(u8::is_ascii_whitespace);
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        // each set has the names of one file
        let sets: Vec<Vec<EntryNameBuf>> = match (&companion.kind, &*words) {
            (CompanionKind::Overview, words) => {
                let image = |pair: &[&[u8]]| match pair {
                    [first, second] if first.eq_ignore_ascii_case(b"image") => {
                        Some(vec![unquoted(second).into()])
                    }
                    _ => None,
                };
                words.windows(2).filter_map(image).collect()
            }
            (CompanionKind::Details, [first, second, ..])
                if textures.contains(&first.to_ascii_lowercase()) =>
            {
                vec![DETAILS.iter().map(|ending| [b"gfx/", *second, *ending].concat().into()).collect()]
            }
            (CompanionKind::List { .. }, words) => {
                words.iter().map(|word| vec![unquoted(word).into()]).collect()
            }
            _ => continue,
        };
        let kind =
            if matches!(companion.kind, CompanionKind::List { .. }) { Kind::File } else { Kind::Image };
        for mut names in sets {
            if !gathered.can_work(256 + line.len() / 16) {
                return;
            }
            names.sort_by_key(|name| gathered.search_path.find(name).is_none());
            let by = gathered.by([By::File(file.into()), By::Line(number)]);
            if let Some(need) = any_of(names, kind, by) {
                gathered.add(need.optional());
            }
        }
    }
}

fn unquoted(word: &[u8]) -> &[u8] {
    word.split(|byte| *byte == b'"').find(|part| !part.is_empty()).unwrap_or(word)
}

/// The endings of pictures of details, in the order of the engine.
const DETAILS: [&[u8]; 4] = [b".dds", b".bmp", b".tga", b".png"];

/// The text of an entity file beside the level, which replaces the entities in it.
fn entity_file(gathered: &mut Gathered<'_>, held: &[u8]) -> Option<FileData> {
    let search_path = gathered.search_path;
    let is_read =
        |companion: &&Companion| companion.kind == CompanionKind::Entities && companion.setting.is_none();
    let companion = search_path.rules().companions.items().iter().find(is_read)?;
    let need = beside(gathered, companion, Some(entities_crc(held)))?;
    let found = need.find(search_path);
    gathered.add(need);
    let of = |file: &File<'_>| (search_path.rank(file.layer()), file.layer().index());
    let level = search_path.find(gathered.level);
    let found =
        found.filter(|found| level.is_none_or(|level| !companion.rank.ignores(of(found), of(&level))))?;
    let name = found.name().as_bytes().to_vec();
    gathered.read(&name)
}

/// An optional file beside the level; `None` if the engine looks for none.
fn beside(gathered: &Gathered<'_>, companion: &Companion, crc: Option<u16>) -> Option<Need> {
    let level = std::str::from_utf8(gathered.stem()).ok()?;
    let names = names_beside(gathered.search_path, companion, level, crc);
    let names = names.iter().map(|name| name.as_bytes().into()).collect();
    Some(any_of(names, Kind::Companion, gathered.by([]))?.optional())
}
