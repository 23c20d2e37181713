//! `needs`: the files that levels ask for, and which of them nothing serves.

use std::collections::{HashMap, HashSet};

use pak_format::EntryNameBuf;
use quakefs::findings::Severity;
use quakefs::why::words::{Reader, Said, Say as _};
use quakefs::why::{Explanation, Missing};
use quakefs::{EntryName, SearchPath};
use quakefs_needs::{Incident, Levels, Need, Needs, Options, Presence, words as needs_words};
use serde::Serialize;

use crate::args::{Game, Needs as Args};
use crate::commands::ls::matching;
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Reported, counted};
use crate::text::{SHELL, escaped, printable};

#[derive(Serialize)]
struct JsonNeed {
    name: String,
    kind: &'static str,
    found: bool,
    layer: Option<String>,
    /// The names that do equally well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
    /// A file that is there and may be meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
    by: Vec<String>,
    /// The games in which the file is asked for, where these are not all.
    #[serde(skip_serializing_if = "String::is_empty")]
    games: String,
    presence: &'static str,
    optional: bool,
}

#[derive(Serialize)]
struct JsonIncident {
    level: String,
    kind: &'static str,
    entity: usize,
    class: String,
    function: String,
    ends: bool,
    reason: String,
}

pub(crate) fn run(game: &Game, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let stack = game.mount(console)?;
    let levels = Levels::new(&stack, Options::default().modes(args.modes.modes()));
    let (names, mut exit) = asked(game, &levels, &args.levels, console)?;
    if names.is_empty() && !args.levels.is_empty() {
        return Ok(exit);
    }
    let needs = levels.of(&names);
    if levels.program().is_none() {
        console.note(needs_words::native(&stack.rules().name));
    }
    let engine = if args.levels.is_empty() { levels.engine() } else { Vec::new() };
    for (name, needs) in names.iter().zip(&needs) {
        exit = exit.max(incidents(name, needs, console)?);
    }
    let all = needs.iter().flat_map(|needs| &needs.asked).chain(&engine);
    if console.json {
        for need in all.clone().filter(|need| args.all || need.is_missing()) {
            output::json(console, "need", &json(need, &stack))?;
        }
    } else if args.all {
        table(all.clone(), &stack, console)?;
    } else {
        missing(all.clone().filter(|need| need.is_missing()), game, &stack, console)?;
    }
    let count = |of: &dyn Fn(&Need) -> bool| {
        let names = all.clone().filter(|need| need.presence == Presence::Required && of(need));
        names.map(|need| &need.name).collect::<HashSet<_>>().len() as u64
    };
    let lost = count(&Need::is_missing);
    if !console.json {
        let files = counted(count(&|_| true), "file", "files");
        let levels = counted(names.len() as u64, "level asks", "levels ask");
        writeln!(console.out, "{levels} for {files}, of which {} missing", output::grouped(lost))?;
    }
    Ok(if lost > 0 { exit.max(Exit::NotFound) } else { exit })
}

/// What the levels of the game ask for and nothing serves, and the levels that do not load. The base game's are left out.
pub(super) fn reported(stack: &SearchPath) -> Vec<Reported> {
    let levels = Levels::new(stack, Options::default());
    let names = if levels.is_base_game() { Vec::new() } else { levels.own() };
    let mut seen = HashSet::new();
    let mut findings = Vec::new();
    for (name, needs) in names.iter().zip(levels.of(&names)) {
        let Some(hit) = stack.find(name) else { continue };
        let mut add = |severity, kind, said: Said| {
            findings.push(Reported::Said { severity, kind, place: hit.place(), said });
        };
        for (incident, _) in needs.incidents.iter().filter(|(incident, _)| incident.ends) {
            add(Severity::Error, incident.kind.name(), incident.say_to(SHELL));
        }
        for need in needs.missing() {
            if seen.insert(need.name.clone()) {
                add(Severity::Warning, "missing-file", need.say_to(SHELL));
            }
        }
    }
    findings
}

/// The levels that are asked for, or else those of the game.
pub(super) fn asked(
    game: &Game,
    levels: &Levels,
    patterns: &[String],
    console: &mut Console<'_>,
) -> Result<(Vec<EntryNameBuf>, Exit), Failure> {
    if patterns.is_empty() {
        return Ok((levels.own(), Exit::Done));
    }
    let (hits, exit) = matching(game, levels.stack(), patterns, console)?;
    // a folder is asked for its levels
    let names = hits.iter().map(|hit| hit.name()).filter(|name| name.as_bytes().ends_with(b".bsp"));
    Ok((names.map(Into::into).collect(), exit))
}

/// Says what goes wrong while a level is loaded. A level that is not loaded is a finding.
fn incidents(level: &EntryNameBuf, needs: &Needs, console: &mut Console<'_>) -> Result<Exit, Failure> {
    for trouble in &needs.troubles {
        let Message { text, help } = trouble.say_to(SHELL).into();
        console.warn(&Message { text: format!("{level}: {text}"), help });
    }
    let alike = |incident: &Incident| {
        let of_kind = |other: &&(Incident, _)| {
            other.0.kind.name() == incident.kind.name() && other.0.class == incident.class
        };
        needs.incidents.iter().filter(of_kind).count() as u64
    };
    let mut printed = HashSet::new();
    for (incident, _) in &needs.incidents {
        let class = EntryName::from_bytes(&incident.class);
        let said = incident.say_to(SHELL);
        if console.json {
            let line = JsonIncident {
                level: escaped(level.as_name()),
                kind: incident.kind.name(),
                entity: incident.entity,
                class: escaped(class),
                function: escaped(EntryName::from_bytes(&incident.function)),
                ends: incident.ends,
                reason: said.to_string(),
            };
            output::json(console, "incident", &line)?;
        } else if printed.insert((incident.kind.name(), &incident.class)) {
            let Message { text, help } = said.into();
            let more = match alike(incident) {
                1 => String::new(),
                count => format!(" and {} more", output::grouped(count - 1)),
            };
            console.warn(&Message {
                text: format!("{level}: {class} #{}{more}: {text}", incident.entity),
                help,
            });
        }
    }
    let ends = needs.incidents.iter().any(|(incident, _)| incident.ends);
    Ok(if ends { Exit::NotFound } else { Exit::Done })
}

fn json(need: &Need, stack: &SearchPath) -> JsonNeed {
    let missing = need.is_missing().then(|| explain(need, stack)).flatten();
    let instead = missing.as_ref().and_then(|missing| Some(missing.because.first()?.file()?.name().into()));
    let instead: Option<EntryNameBuf> = instead;
    JsonNeed {
        name: escaped(need.name.as_name()),
        kind: need.kind.name(),
        found: need.is_found,
        layer: need.find(stack).map(|hit| hit.layer().name().to_owned()),
        others: need.others.iter().map(|name| escaped(name.as_name())).collect(),
        instead: instead.map(|name| escaped(name.as_name())),
        because: missing.as_ref().map(Missing::cause),
        by: need.by.iter().map(ToString::to_string).collect(),
        games: needs_words::games(&need.modes),
        presence: need.presence.name(),
        optional: need.presence != Presence::Required,
    }
}

fn explain<'s>(need: &Need, stack: &'s SearchPath) -> Option<Missing<'s>> {
    match quakefs::why::explain(stack, &need.name) {
        Explanation::Missing(missing) => Some(missing),
        Explanation::Served { .. } => None,
    }
}

/// Prints each missing file once, with who asks for it first and how many more do.
pub(super) fn missing<'n>(
    needs: impl Iterator<Item = &'n Need>,
    game: &Game,
    stack: &SearchPath,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let mut order: Vec<&Need> = Vec::new();
    let mut more: HashMap<&EntryNameBuf, u64> = HashMap::new();
    for need in needs {
        let count = more.entry(&need.name).or_default();
        if *count == 0 {
            order.push(need);
        }
        *count += 1;
    }
    // many names have the same advice
    let mut advised = HashSet::new();
    for need in order {
        let said = explain(need, stack).map(|missing| missing.say_to(Reader::Shell(game)));
        let text = said.as_ref().map_or_else(|| need.name.to_string(), ToString::to_string);
        writeln!(console.out, "missing {}: {}", need.kind.name(), printable(&text))?;
        let others = more.get(&need.name).map_or(0, |count| count - 1);
        let others = match others {
            0 => String::new(),
            count => format!(", and by {}", counted(count, "more level", "more levels")),
        };
        let games = needs_words::games(&need.modes);
        let games = if games.is_empty() { games } else { format!(" ({games})") };
        writeln!(console.out, "  asked for by {}{games}{others}", printable(&needs_words::chain(need)))?;
        let help = said.as_ref().and_then(|said| said.help());
        if let Some(help) = help.filter(|help| advised.insert((*help).to_owned())) {
            writeln!(console.out, "  help: {}", printable(help))?;
        }
    }
    Ok(())
}

fn table<'n>(
    needs: impl Iterator<Item = &'n Need>,
    stack: &SearchPath,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let row = |need: &Need| {
        let layer = match need.find(stack) {
            Some(hit) => hit.layer().name().to_owned(),
            None if need.is_missing() => "missing".to_owned(),
            None => "-".to_owned(),
        };
        let presence = need.presence.name().to_owned();
        vec![need.name.to_string(), need.kind.name().to_owned(), presence, layer, needs_words::chain(need)]
    };
    let mut rows: Vec<&Need> = needs.collect();
    // missing ones first
    rows.sort_by_key(|need| !need.is_missing());
    output::table(
        console,
        &["name", "kind", "presence", "layer", "asked for by"],
        &[],
        rows.into_iter().map(row),
    )
}
