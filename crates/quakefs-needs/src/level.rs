//! What one level asks for.

use std::collections::BTreeMap;

use quake_content::run::{self, Call, Incident, Mode, Setting, Spawned};
use quake_content::{Bounds, Level, Program};
use quakefs::SearchPath;

use crate::asked::Options;
use crate::dialect::Dialect;
use crate::need::{By, Kind, Need, Needs, Presence, Trouble};

/// What `random()` gives: the middle, and where a branch depends on it almost the least and almost the greatest.
const CHANCES: [f32; 3] = [0.5, 0.01, 0.99];

pub(crate) fn needs(
    stack: &SearchPath,
    dialect: &Dialect,
    program: Option<&Program<'_>>,
    name: &[u8],
    options: &Options,
) -> Needs {
    let mut needs = Needs::default();
    let Some(hit) = stack.find(name) else {
        needs.troubles.push(Trouble::NoLevel);
        return needs;
    };
    let bytes = match hit.read() {
        Ok(bytes) => bytes,
        Err(error) => {
            needs.troubles.push(Trouble::Unreadable { name: name.into(), reason: error.to_string() });
            return needs;
        }
    };
    let level = match Level::parse(&bytes) {
        Ok(level) => level,
        Err(error) => {
            needs.troubles.push(Trouble::Unreadable { name: name.into(), reason: error.to_string() });
            return needs;
        }
    };
    let entities = level.entity_text().unwrap_or_default();
    let models: Vec<Bounds> = level.models().into_iter().flatten().collect();
    let mut asked = Gathered { level: name, asked: BTreeMap::new() };
    if let Some(program) = program {
        for mode in &options.modes {
            let setting = Setting {
                map: name,
                entities,
                models: &models,
                mode: *mode,
                server: &dialect.server,
                chance: 0.5,
            };
            for chance in CHANCES {
                let spawned = run::spawn(program, &Setting { chance, ..setting });
                let again = spawned.depends_on_chance;
                asked.add_run(spawned, *mode, &mut needs.incidents);
                if !again {
                    break;
                }
            }
        }
    }
    needs.asked = asked.asked.into_values().collect();
    for need in &mut needs.asked {
        if need.modes.len() == options.modes.len() {
            need.modes.clear();
        }
        need.is_found = need.find(stack).is_some();
    }
    needs
}

/// The needs of a level, each once.
struct Gathered<'n> {
    level: &'n [u8],
    asked: BTreeMap<(Kind, Vec<u8>), Need>,
}

impl Gathered<'_> {
    fn add_run(&mut self, spawned: Spawned, mode: Mode, incidents: &mut Vec<(Incident, Vec<Mode>)>) {
        for asked in spawned.asked {
            let (kind, name) = match asked.call {
                Call::Model => (Kind::Model, asked.name.into_vec()),
                Call::Sound => (Kind::Sound, [b"sound/", &*asked.name].concat()),
                Call::Level => (Kind::Level, [b"maps/", &*asked.name, b".bsp"].concat()),
                _ => (Kind::File, asked.name.into_vec()),
            };
            let level = self.level;
            let need = self.asked.entry((kind, name.clone())).or_insert_with(|| {
                let entity = By::Entity { number: asked.by.entity, class: asked.by.class };
                let by = vec![By::File(level.into()), entity, By::Function(asked.by.function)];
                let need = Need::new(name, kind, by);
                if kind == Kind::File { Need { presence: Presence::Packed, ..need } } else { need }
            });
            if need.modes.last() != Some(&mode) {
                need.modes.push(mode);
            }
        }
        for incident in spawned.incidents {
            match incidents.iter_mut().find(|(other, _)| *other == incident) {
                Some((_, modes)) if modes.last() == Some(&mode) => {}
                Some((_, modes)) => modes.push(mode),
                None => incidents.push((incident, vec![mode])),
            }
        }
    }
}
