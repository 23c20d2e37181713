//! What the keys of entities name, as far as the engine or the game reads them as names of files.

use quake_content::{Entities, Entity};

use crate::gathered::{Gathered, any_of, with_endings};
use crate::need::{By, Kind, Need};

/// A key whose value names a file.
#[derive(Debug)]
pub(crate) struct Key {
    /// The class of the entity, or any where it is empty.
    pub(crate) class: &'static str,
    /// The keys of one meaning.
    pub(crate) keys: &'static [&'static str],
    pub(crate) names: Names,
}

/// Which files a value names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names {
    /// A level, by its name below `maps/`. In Quake II, with a place in it, and several after one another.
    Level,
    /// A sound, in a folder and with an extension that is added where it is not there.
    Sound(&'static str),
    /// Music by its name, in one of some formats.
    Music(&'static [&'static str]),
    /// The number of a piece of music: what is before the number of so many digits, and the endings.
    Track(&'static str, usize, &'static [&'static str]),
    /// A model or a sprite by its whole name.
    Model,
    /// Six pictures of a sky: the folders to look in, and the endings.
    Sky(&'static [&'static str], &'static [&'static str]),
}

/// The sides of a sky.
pub(crate) const SIDES: [&str; 6] = ["rt", "bk", "lf", "ft", "up", "dn"];

/// Adds what the keys name.
pub(crate) fn gather(gathered: &mut Gathered<'_>, entities: &[u8]) {
    let keys = gathered.dialect.keys;
    if keys.is_empty() {
        return;
    }
    for (number, entity) in Entities::new(entities).enumerate() {
        let class = entity.class();
        for key in keys.iter().filter(|key| key.class.is_empty() || key.class.as_bytes() == class) {
            let found = key.keys.iter().find_map(|name| Some((*name, entity.value(name.as_bytes())?)));
            let Some((name, value)) = found.filter(|(_, value)| !value.is_empty()) else { continue };
            let by =
                gathered.by([By::Entity { number, class: class.into() }, By::Key(name.as_bytes().into())]);
            for need in named(key.names, value, &entity, &by) {
                gathered.add(need);
            }
        }
    }
}

fn named(names: Names, value: &[u8], entity: &Entity<'_>, by: &[By]) -> Vec<Need> {
    let by = || by.to_vec();
    match names {
        Names::Level => levels(value).map(|name| Need::new(name, Kind::Level, by())).collect(),
        Names::Sound(folder) => {
            // a sound of the player's own model, a sentence of several, or the sound of another entity
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
        Names::Music(endings) => {
            // an introduction, and what is repeated after it
            let pieces = value.split(|byte| *byte == b' ').filter(|piece| !piece.is_empty());
            let one = |piece: &[u8]| {
                let dot = piece.iter().rposition(|byte| *byte == b'.');
                let stem = dot.and_then(|dot| piece.get(..dot)).unwrap_or(piece);
                let mut names = vec![piece.to_vec()];
                names.extend(with_endings(stem, endings));
                names.dedup();
                any_of(names, Kind::Music, by())
            };
            pieces.filter_map(one).collect()
        }
        Names::Track(before, digits, endings) => {
            let Some(number) =
                std::str::from_utf8(value).ok().and_then(|text| text.trim().parse::<u16>().ok())
            else {
                return Vec::new();
            };
            let stem = format!("{before}{number:0digits$}");
            // a player without music hears none, and needs none
            any_of(with_endings(stem.as_bytes(), endings), Kind::Music, by())
                .map(Need::optional)
                .into_iter()
                .collect()
        }
        Names::Model => {
            // a part of the level has a number
            let is_file = !value.starts_with(b"*");
            is_file.then(|| Need::new(value, Kind::Model, by())).into_iter().collect()
        }
        Names::Sky(folders, endings) => {
            let side = |side: &str| {
                let stems = folders.iter().map(|folder| [folder.as_bytes(), value, side.as_bytes()].concat());
                let names = stems.flat_map(|stem| with_endings(&stem, endings)).collect();
                any_of(names, Kind::Sky, by())
            };
            SIDES.iter().filter_map(|name| side(name)).collect()
        }
    }
}

/// The levels that a value names: in Quake II `*base2$start` of another unit, `end.pcx` and `film.cin` for pictures and films,
/// and `+` before what follows (`SV_Map_f`, `target_changelevel`).
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
