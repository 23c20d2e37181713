//! The needs of one level.

use quake_content::{Bounds, Level};
use quakefs::FileData;
use quakefs::rules::entities_crc;

use crate::dialect::EntityFiles;
use crate::gathered::{Gathered, any_of};
use crate::need::{Kind, Need, Needs, Trouble};
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
            Ok(level) => needs.incidents = of_level(&mut gathered, program, &level, modes),
            Err(error) => gathered.unreadable(name, &error),
        }
    }
    needs.troubles = gathered.troubles;
    needs.asked = gathered.asked;
    needs.asked.sort_unstable_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    for need in &mut needs.asked {
        if need.modes.len() == modes.len() {
            need.modes.clear();
        }
        // textures of WADs were looked up earlier
        need.is_found = need.find(search_path).is_some();
    }
    needs
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
    companions(gathered);
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

/// Optional files beside a level.
fn companions(gathered: &mut Gathered<'_>) {
    for ending in gathered.dialect.companions {
        let name = [gathered.stem(), b".", ending.as_bytes()].concat();
        let need = Need::new(name, Kind::Companion, gathered.by([]));
        gathered.add(need.optional());
    }
}

/// The text of an entity file beside the level. It replaces the entities in the level if it is in the same game directory or a higher one
/// (`Mod_LoadEntities` of QuakeSpasm).
fn entity_file(gathered: &mut Gathered<'_>, held: &[u8]) -> Option<FileData> {
    let plain = [gathered.stem(), b".ent"].concat();
    let names = match gathered.dialect.entities {
        EntityFiles::None => return None,
        EntityFiles::Plain => vec![plain],
        EntityFiles::Checksum => {
            let checked = format!("@{:04x}.ent", entities_crc(held));
            vec![[gathered.stem(), checked.as_bytes()].concat(), plain]
        }
    };
    let names = names.into_iter().map(Into::into).collect();
    let need = any_of(names, Kind::Companion, gathered.by([]))?.optional();
    let search_path = gathered.search_path;
    let rank = |hit: &quakefs::File<'_>| search_path.rank(hit.layer());
    let hit = need.find(search_path);
    gathered.add(need);
    let hit =
        hit.filter(|hit| search_path.find(gathered.level).is_none_or(|level| rank(hit) >= rank(&level)))?;
    let name = hit.name().as_bytes().to_vec();
    gathered.read(&name)
}
