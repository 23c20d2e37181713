//! The keys of entities that the engine or the game reads as file names.

use quake_content::{Entities, Entity};
use quakefs::File;
use quakefs::rules::{EntityKey, KeyNames, SubstituteKind, Text};

use crate::contents::NameKind;
use crate::gathered::Gathered;
use crate::need::{By, Kind, Need};
use crate::substitutes;

/// Adds the files that the keys name.
pub(crate) fn gather(gathered: &mut Gathered<'_>, entities: &[u8]) {
    let search_path = gathered.search_path;
    let keys = search_path.rules().keys.items();
    if keys.is_empty() {
        return;
    }
    for (number, entity) in Entities::new(entities).enumerate() {
        let class = entity.class();
        let mut known: Vec<&[u8]> = Vec::new();
        let of_class = keys.iter().filter(|key| key.is_of(class));
        for key in of_class.filter(|key| counts(key, &entity)) {
            if key.names == KeyNames::OwnCode {
                of_own_code(gathered, number, &entity, &known);
                continue;
            }
            if let KeyNames::MusicSet { of } = &key.names {
                of_music_set(gathered, number, &entity, (&key.keys, of));
                continue;
            }
            let found = key.keys.iter().find_map(|name| Some((name, entity.value(name.as_bytes())?)));
            let default = || Some((key.keys.first()?, key.default.as_bytes()));
            let found = found.filter(|(_, value)| !value.is_empty()).or_else(default);
            let Some((name, value)) = found.filter(|(_, value)| !value.is_empty()) else { continue };
            known.push(name.as_bytes());
            let by = gathered.by([By::entity(number, class), By::Key(name.as_bytes().into())]);
            for need in named(gathered, &key.names, value, &entity, &by) {
                gathered.add(need);
            }
        }
    }
}

/// Whether a key is read for this entity.
fn counts(key: &EntityKey, entity: &Entity<'_>) -> bool {
    let is_set = |name: &Text| entity.value(name.as_bytes()).is_some_and(|value| !value.is_empty());
    let flags = || {
        let flags = std::str::from_utf8(entity.value(b"spawnflags")?).ok()?;
        flags.trim().parse::<u32>().ok()
    };
    (key.unless.is_empty() || !is_set(&key.unless))
        && (key.with_flags == 0 || flags().is_some_and(|flags| flags & key.with_flags != 0))
}

/// The files that other keys name, which the game's own code may load.
fn of_own_code(gathered: &mut Gathered<'_>, number: usize, entity: &Entity<'_>, known: &[&[u8]]) {
    for &(key, value) in &entity.pairs {
        let ending = value.len().checked_sub(4).and_then(|at| value.get(at..)).unwrap_or_default();
        let (folder, kind): (&[u8], _) = match &*ending.to_ascii_lowercase() {
            b".mdl" | b".spr" => (b"", Kind::Model),
            b".wav" => (b"sound/", Kind::Sound),
            _ => continue,
        };
        // the key of several files, such as a list of replaced models, is no name
        if known.contains(&key) || value.iter().any(|byte| matches!(byte, b';' | b'\n' | b'"')) {
            continue;
        }
        let folder = if value.starts_with(folder) { b"" } else { folder };
        let by = gathered.by([By::entity(number, entity.class()), By::Key(key.into()), By::OwnCode]);
        gathered.add(Need::new([folder, value].concat(), kind, by).optional());
    }
}

/// A piece of music if it is there, or else the pieces of a set.
fn of_music_set(
    gathered: &mut Gathered<'_>,
    number: usize,
    entity: &Entity<'_>,
    (keys, of): (&[Text], &Text),
) {
    let Some(key) = keys.first().map(|key| key.as_bytes()) else { return };
    let value = entity.value(key).unwrap_or_default();
    let by = gathered.by([By::entity(number, entity.class()), By::Key(key.into())]);
    let pieces = named(gathered, &KeyNames::Music, value, entity, &by);
    let search_path = gathered.search_path;
    if value.contains(&b'/') && pieces.first().is_some_and(|piece| piece.find(search_path).is_some()) {
        return pieces.into_iter().for_each(|piece| gathered.add(piece));
    }
    let first = value.split(|byte| *byte == b' ').next().unwrap_or_default();
    let name = first.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let name = if name.is_empty() { gathered.map().to_vec() } else { name.to_vec() };
    let text = gathered.read(of.as_bytes()).unwrap_or_default();
    // each entity has its own set, and reads the text for it
    if !gathered.can_work(text.len()) {
        return;
    }
    match quake_content::music::set(&text, &name) {
        Some(set) => {
            gathered.add(Need::new(of.as_bytes(), Kind::File, by.clone()));
            for piece in set {
                // it is added, or found among those of another entity
                if !gathered.can_work(256 + piece.name.len() / 16) {
                    break;
                }
                let line = Some(By::Line(piece.line)).filter(|_| piece.line > 0);
                let of_text = [By::File(of.as_bytes().into())].into_iter().chain(line);
                let by = by.iter().cloned().chain(of_text).collect();
                gathered.add(Need::new(piece.name, Kind::Music, by));
            }
        }
        None => pieces.into_iter().for_each(|piece| gathered.add(piece)),
    }
}

fn named(
    gathered: &mut Gathered<'_>,
    names: &KeyNames,
    value: &[u8],
    entity: &Entity<'_>,
    by: &[By],
) -> Vec<Need> {
    let separator = match names {
        KeyNames::Level => Some(b'+'),
        KeyNames::Music => Some(b' '),
        _ => None,
    };
    let parts = separator.map_or(0, |separator| value.split(|byte| *byte == separator).skip(1).count());
    if !gathered.can_work(parts.saturating_mul(PART)) {
        return Vec::new();
    }
    let gathered = &*gathered;
    let substitutes = |of, name: &[u8], kind| substitutes::needs(gathered, (of, name), None, kind, by);
    let by = || by.to_vec();
    match names {
        KeyNames::Level => levels(value).map(|name| Need::new(name, Kind::Level, by())).collect(),
        KeyNames::OwnCode | KeyNames::MusicSet { .. } => Vec::new(),
        KeyNames::Numbers { .. } => {
            let of_name = |name: String| {
                let kind = if name.starts_with("sound/") { Kind::Sound } else { Kind::Model };
                Need::new(name, kind, by())
            };
            names.of_number(value).into_iter().map(of_name).collect()
        }
        KeyNames::Entry { of } => {
            let mut needs = vec![Need::new(of.as_bytes(), Kind::File, by()).optional()];
            // the WADs of all games have their entries; a text without the entry is no fault
            let wads = gathered.search_path.copies(of.as_bytes());
            let holds = |wad: &File<'_>| {
                let held = gathered.contents.names(wad, NameKind::Wad, gathered.budget);
                held.is_ok_and(|held| held.binary_search(&value.to_ascii_lowercase()).is_ok())
            };
            if of.ends_with(".wad") && !wads.is_empty() && !wads.iter().any(holds) {
                needs.push(Need::new(value, Kind::Texture, by()));
            }
            needs
        }
        KeyNames::Sound { folder, streams } => {
            let value = value.strip_prefix(b"*").filter(|_| *streams).unwrap_or(value);
            // a sound of the player's model, a sentence of several sounds, or the sound of another entity
            let is_other = matches!(value.first(), Some(b'*' | b'!' | b'#'));
            if is_other || entity.class().is_empty() {
                return Vec::new();
            }
            let name = [folder.as_bytes(), value].concat();
            let has_ending = value.iter().rposition(|byte| matches!(byte, b'.' | b'/'));
            let has_ending = has_ending.is_some_and(|at| value.get(at) == Some(&b'.'));
            let name = if has_ending { name } else { [&*name, b".wav"].concat() };
            vec![Need::new(name, Kind::Sound, by())]
        }
        KeyNames::Music => {
            // an introduction, and a loop after it
            // and a word of RTCW and ET for no loop
            let is_file = |piece: &&[u8]| !piece.is_empty() && *piece != b"onetimeonly";
            let pieces = value.split(|byte| *byte == b' ').filter(is_file);
            let of = |piece| {
                let needs = substitutes(SubstituteKind::Music, piece, Kind::Music);
                needs.into_iter().map(move |need| need.called(piece, gathered.search_path))
            };
            pieces.flat_map(of).collect()
        }
        KeyNames::Track => {
            let number = std::str::from_utf8(value).ok().and_then(|text| text.trim().parse::<u8>().ok());
            let needs =
                |number: u8| substitutes(SubstituteKind::Music, number.to_string().as_bytes(), Kind::Music);
            // music is optional
            number.map(needs).into_iter().flatten().map(Need::optional).collect()
        }
        KeyNames::Model => {
            // a model inside the level has a number
            let is_file = !value.starts_with(b"*");
            is_file.then(|| Need::new(value, Kind::Model, by())).into_iter().collect()
        }
        KeyNames::Sky => {
            let (sky, level) = ((SubstituteKind::Sky, value), gathered.map());
            substitutes::needs(gathered, sky, Some(level), Kind::Sky, &by())
        }
    }
}

/// The steps for a part of a value, which is looked up under several names.
const PART: usize = 4096;

/// The levels in the value of an exit. In Quake II, `*base2$start` is a level of another unit at a spawn
/// point, `end.pcx` and `film.cin` are pictures and films, and `+` separates the parts of a sequence
/// (`SV_Map_f`, `target_changelevel`).
fn levels(value: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let parts = value.split(|byte| *byte == b'+');
    parts.filter_map(|part| {
        let part = part.strip_prefix(b"*").unwrap_or(part);
        let name = part.split(|byte| *byte == b'$').next().filter(|name| !name.is_empty())?;
        let ending = name.iter().rposition(|byte| *byte == b'.').and_then(|dot| name.get(dot..));
        match ending.map(<[u8]>::to_ascii_lowercase).as_deref() {
            Some(b".cin" | b".roq" | b".ogv" | b".dm2") => Some([b"video/", name].concat()),
            Some(b".pcx" | b".tga") => Some([b"pics/", name].concat()),
            Some(b".bsp") => Some([b"maps/", name].concat()),
            _ => Some([b"maps/", name, b".bsp"].concat()),
        }
    })
}
