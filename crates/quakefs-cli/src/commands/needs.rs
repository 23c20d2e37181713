//! `needs`: the files that levels ask for, and which of them nothing serves.

use quakefs::{EntryName, SearchPath};
use quakefs_needs::{Levels, Need, Needs, Options, Presence};
use serde::Serialize;

use crate::args::{Game, Needs as Args, name_bytes};
use crate::console::{Console, Exit, Failure};
use crate::missing::{self};
use crate::output;
use crate::text::{escaped, printable};

#[derive(Serialize)]
struct JsonNeed {
    level: String,
    name: String,
    kind: &'static str,
    found: bool,
    presence: &'static str,
    optional: bool,
    by: Vec<String>,
}

pub(crate) fn run(game: &Game, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let stack = game.mount(console)?;
    let names: Vec<Vec<u8>> = args.levels.iter().map(|name| name_bytes(name).into()).collect();
    let levels = Levels::new(&stack, Options::default().modes(args.modes.modes()));
    let mut exit = Exit::Done;
    for (name, needs) in names.iter().zip(levels.of(&names)) {
        for need in needs.asked.iter().filter(|need| args.all || need.is_missing()) {
            let line = JsonNeed {
                level: output::asked(name),
                name: escaped(need.name.as_name()),
                kind: need.kind.name(),
                found: need.is_found,
                presence: need.presence.name(),
                optional: need.presence != Presence::Required,
                by: need.by.iter().map(ToString::to_string).collect(),
            };
            output::json(console, "need", &line)?;
        }
        for (incident, _) in &needs.incidents {
            console.note(format!(
                "{} {:?} {:?} ends {}",
                incident.kind.name(),
                String::from_utf8_lossy(&incident.at.class),
                String::from_utf8_lossy(&incident.at.function),
                incident.ends
            ));
        }
        for trouble in &needs.troubles {
            console.note(format!("{trouble:?}"));
        }
    }
    Ok(exit)
}
