//! The needs of the game's program while it spawns the entities of a level.

use std::collections::HashMap;

use quake_content::Bounds;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::SubstituteKind;

use crate::gathered::Gathered;
use crate::need::{By, Kind, Need, Presence};
use crate::program::{Call, Executable, Incident, Mode, Setting, Spawned, spawn};

/// The results of `random()`: first the middle; if a branch depends on it, also a low and a high one.
const CHANCES: [f32; 3] = [0.5, 0.01, 0.99];

/// Runs the program over the entities in each mode.
pub(crate) fn gather(
    gathered: &mut Gathered<'_>,
    program: &Executable<'_>,
    entities: &[u8],
    bounds: &[Bounds],
    games: &[Mode],
) -> Vec<(Incident, Vec<Mode>)> {
    let mut incidents = Incidents::default();
    for mode in games {
        for chance in CHANCES {
            let Some(server) = gathered.search_path.rules().program.quake_c() else { return Vec::new() };
            let map = gathered.level;
            let (search_path, cvars, budget) = (gathered.search_path, gathered.cvars, gathered.budget);
            let setting = Setting {
                map,
                entities,
                models: bounds,
                mode: *mode,
                server,
                search_path: Some(search_path),
                cvars,
                budget,
                chance,
            };
            let mut spawned = spawn(program, &setting);
            let trouble = spawned.trouble.take();
            let again = spawned.depends_on_chance && trouble.is_none();
            add(gathered, spawned, *mode, &mut incidents);
            if let Some(trouble) = trouble {
                gathered.troubles.push(trouble.into());
            }
            if gathered.is_ended() {
                return incidents.found;
            }
            if !again {
                break;
            }
        }
    }
    incidents.found
}

/// The other files that an engine tries for a sound below `sound/`.
fn other_sounds(gathered: &Gathered<'_>, name: &[u8]) -> Vec<EntryNameBuf> {
    let Some(rule) = gathered.rules().substitute(SubstituteKind::Sound, name) else { return Vec::new() };
    let own = [b"sound/", name].concat();
    let names = rule.names_for(name, None, "").into_iter().flatten().filter(|other| *other != own);
    names.map(EntryNameBuf::from).collect()
}

/// Incidents with the modes in which they happen, and the number of each.
#[derive(Default)]
struct Incidents {
    found: Vec<(Incident, Vec<Mode>)>,
    numbers: HashMap<Incident, usize>,
}

fn add(gathered: &mut Gathered<'_>, spawned: Spawned, mode: Mode, incidents: &mut Incidents) {
    for asked in spawned.asked {
        let (kind, name) = match asked.call {
            Call::Model => (Kind::Model, asked.name.to_vec()),
            Call::Sound => (Kind::Sound, [b"sound/", &*asked.name].concat()),
            Call::Level => (Kind::Level, [b"maps/", &*asked.name, b".bsp"].concat()),
            Call::File => (Kind::File, asked.name.to_vec()),
        };
        let mut others = if kind == Kind::Sound { other_sounds(gathered, &asked.name) } else { Vec::new() };
        let first = others.iter().position(|other| gathered.search_path.find(other).is_some());
        let name = match first.filter(|_| gathered.search_path.find(&name).is_none()) {
            Some(first) => {
                let found = others.remove(first);
                others.insert(0, name.into());
                found.as_bytes().to_vec()
            }
            None => name,
        };
        if let Some(need) = gathered.asked(kind, &name) {
            if need.modes.last() != Some(&mode) {
                need.modes.push(mode);
                need.others = others;
            }
            continue;
        }
        let entity = By::Entity { number: asked.entity, class: asked.class };
        let by = gathered.by([entity, By::Function(asked.function)]);
        let mut need = Need::new(name, kind, by);
        need.modes.push(mode);
        if kind == Kind::File {
            need.presence = Presence::Packed;
        }
        gathered.add(need);
    }
    for incident in spawned.incidents {
        let known = incidents.numbers.get(&incident).and_then(|number| incidents.found.get_mut(*number));
        match known {
            Some((_, modes)) if modes.last() == Some(&mode) => {}
            Some((_, modes)) => modes.push(mode),
            None if gathered.can_keep(size_of_val(&incident) * 4) => {
                incidents.numbers.insert(incident.clone(), incidents.found.len());
                incidents.found.push((incident, vec![mode]));
            }
            None => return,
        }
    }
}
