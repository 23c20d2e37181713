//! `needs`: the files that levels need, and which of them are missing.

use std::collections::{HashMap, HashSet};

use pak_format::EntryNameBuf;
use quakefs::findings::{Location, Severity};
use quakefs::sentences::Help as _;
use quakefs::why::{Explanation, Missing};
use quakefs::{EntryName, SearchPath};
use quakefs_needs::{Incident, Levels, Need, Needs, Presence, Trouble};
use serde::Serialize;

use crate::args::{Game, Needs as Args};
use crate::commands::ls::matching;
use crate::console::{Console, Exit, Failure, Message};
use crate::findings::{Printer, Reported};
use crate::output::{self, counted};
use crate::text::{SHELL, escaped, printable};

#[derive(Serialize)]
struct JsonNeed {
    name: String,
    kind: &'static str,
    found: bool,
    layer: Option<String>,
    /// Names that the engine would accept as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
    /// A file with a similar name, which was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
    by: Vec<String>,
    /// The modes that need the file; empty for all.
    #[serde(skip_serializing_if = "String::is_empty")]
    games: String,
    presence: &'static str,
    optional: bool,
}

pub(crate) fn run(game: &Game, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut printer = Printer::new(&args.findings, console);
    let stack = game.mount(console)?;
    let levels = Levels::new(&stack).modes(args.modes.modes());
    let (names, exit) = asked(game, &levels, &args.levels, console)?;
    if names.is_empty() && !args.levels.is_empty() {
        return Ok(exit);
    }
    let needs = levels.of(&names);
    for note in levels.notes() {
        console.note(note);
    }
    let engine = if args.levels.is_empty() { levels.engine() } else { Vec::new() };
    let unsupported = unsupported(&levels, &needs);
    let mut problems = problems(&stack, &names, &needs, &engine);
    if let Some(program) = levels.program().and_then(|name| stack.find(name)) {
        let location = program.location();
        let of_program = |incident| Problem { location: location.clone(), of: Of::Program(incident) };
        problems.extend(unsupported.iter().map(of_program));
    }
    if printer.format.has_only_findings() {
        printer = printer.of_game(game, &stack, console);
        let findings: Vec<_> = problems.iter().map(|problem| problem.reported(&stack)).collect();
        printer.print(&findings, &stack.rules().name, console)?;
        return printer.end(exit, console);
    }
    printer.count(problems.iter().map(Problem::severity));
    for incident in &unsupported {
        of_program(incident, levels.program(), console)?;
    }
    for (name, needs) in names.iter().zip(&needs) {
        incidents(name, needs, console)?;
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
        let levels = counted(names.len() as u64, "level needs", "levels need");
        let verb = if lost == 1 { "is" } else { "are" };
        writeln!(console.out, "{levels} {files}; {} {verb} missing", output::grouped(lost))?;
    }
    printer.end(exit, console)
}

/// The kind of a finding about a missing file.
pub(super) const MISSING_FILE: &str = "missing-file";

/// The missing files of the game's levels, and the levels that do not load. For the base game, only why no level loads.
pub(super) fn reported(stack: &SearchPath, starts: bool) -> Vec<Reported> {
    let levels = Levels::new(stack);
    let names = if levels.is_base_game() { Vec::new() } else { levels.own() };
    let needs = levels.of(&names);
    let mut problems = problems(stack, &names, &needs, &[]);
    // no level tells it, and an engine that stops does not come to the program
    let of_all = if names.is_empty() && starts { levels.trouble() } else { None };
    problems.extend(of_all.iter().map(|trouble| Problem { location: lowest(stack), of: Of::Level(trouble) }));
    // the check reports unreadable files itself
    let serious = problems.iter().filter(|problem| problem.severity() > Severity::Note);
    serious.map(|problem| problem.reported(stack)).collect()
}

/// What is wrong with a level or its program. Only what is printed is put into words.
struct Problem<'n> {
    location: Location,
    of: Of<'n>,
}

enum Of<'n> {
    Level(&'n Trouble),
    /// An incident, and the number of further ones of its kind and class.
    Entity(&'n Incident, u64),
    Program(&'n Incident),
    Missing(&'n Need),
}

impl Problem<'_> {
    fn severity(&self) -> Severity {
        match self.of {
            Of::Level(Trouble::OtherProgram { .. } | Trouble::NoProgram { .. }) => Severity::Error,
            Of::Entity(incident, _) if incident.ends => Severity::Error,
            Of::Level(Trouble::Budget) | Of::Missing(_) => Severity::Warning,
            Of::Level(_) | Of::Entity(..) | Of::Program(_) => Severity::Note,
        }
    }

    fn reported(&self, stack: &SearchPath) -> Reported {
        let (kind, message) = match self.of {
            Of::Level(trouble) => (trouble.name(), Message::of(trouble, SHELL)),
            Of::Entity(incident, more) => (incident.kind.name(), of_entity(incident, more)),
            Of::Program(incident) => (incident.kind.name(), Message::of(incident, SHELL)),
            Of::Missing(need) => {
                let better = explain(need, stack).and_then(|missing| missing.help(None));
                let Message { text, help } = Message::of(need, SHELL);
                (MISSING_FILE, Message { text, help: better.or(help) })
            }
        };
        Reported::OfCommand { severity: self.severity(), kind, location: self.location.clone(), message }
    }
}

/// The lowest layer, in which the engine's own files are.
fn lowest(stack: &SearchPath) -> Location {
    Location::layer(stack.layers().last().map_or("./", |layer| layer.name()))
}

/// The problems of levels and of the engine, each missing file once.
fn problems<'n>(
    stack: &SearchPath,
    names: &[EntryNameBuf],
    needs: &'n [Needs],
    engine: &'n [Need],
) -> Vec<Problem<'n>> {
    let (mut seen, mut told) = (HashSet::new(), HashSet::new());
    let mut problems = Vec::new();
    let mut add = |location: &Location, of| problems.push(Problem { location: location.clone(), of });
    for (name, needs) in names.iter().zip(needs) {
        let Some(location) = stack.find(name).map(|hit| hit.location()) else { continue };
        for trouble in needs.troubles.iter().filter(|trouble| told.insert(trouble.to_string())) {
            add(&location, Of::Level(trouble));
        }
        for (incident, more) in first_incidents(needs) {
            add(&location, Of::Entity(incident, more));
        }
        for need in needs.missing().filter(|need| seen.insert(&need.name)) {
            add(&location, Of::Missing(need));
        }
    }
    // the engine's own files are files of the base game
    let base = lowest(stack);
    for need in engine.iter().filter(|need| need.is_missing() && seen.insert(&need.name)) {
        add(&base, Of::Missing(need));
    }
    problems
}

/// What the program uses during play and the engine does not have, except what already ends a level.
fn unsupported(levels: &Levels, needs: &[Needs]) -> Vec<Incident> {
    let mut of_program = levels.unsupported();
    let while_loading: HashSet<_> =
        needs.iter().flat_map(|needs| &needs.incidents).map(|(incident, _)| &incident.kind).collect();
    of_program.retain(|incident| !while_loading.contains(&incident.kind));
    of_program
}

/// The first incident of each kind and class, with the number of further ones.
fn first_incidents(needs: &Needs) -> impl Iterator<Item = (&Incident, u64)> {
    let mut seen = HashSet::new();
    let incidents = needs.incidents.iter().map(|(incident, _)| incident);
    let first = incidents.filter(move |incident| seen.insert((incident.kind.name(), &incident.class)));
    first.map(|incident| {
        let is_alike = |(other, _): &&(Incident, _)| {
            other.kind.name() == incident.kind.name() && other.class == incident.class
        };
        (incident, needs.incidents.iter().filter(is_alike).count() as u64 - 1)
    })
}

fn of_entity(incident: &Incident, more: u64) -> Message {
    let more = if more > 0 { format!(" and {} more", output::grouped(more)) } else { String::new() };
    let class = EntryName::from_bytes(&incident.class);
    Message::of(incident, SHELL).about(format_args!("{class} #{}{more}", incident.entity))
}

/// The levels that the patterns name; without patterns, all levels of the game.
pub(super) fn asked(
    game: &Game,
    levels: &Levels,
    patterns: &[String],
    console: &mut Console<'_>,
) -> Result<(Vec<EntryNameBuf>, Exit), Failure> {
    if patterns.is_empty() {
        return Ok((levels.own(), Exit::Done));
    }
    let patterns: Vec<String> = patterns.iter().map(|word| level_path(levels.search_path(), word)).collect();
    let (hits, exit) = matching(game, levels.search_path(), &patterns, console)?;
    // a folder stands for its levels
    let names = hits.iter().map(|hit| hit.name()).filter(|name| name.as_bytes().ends_with(b".bsp"));
    Ok((names.map(Into::into).collect(), exit))
}

/// The path of a level for its bare name, as in `map start` at the engine's console.
fn level_path(search_path: &SearchPath, word: &str) -> String {
    let path = format!("maps/{}.bsp", word.strip_suffix(".bsp").unwrap_or(word));
    let is_bare =
        !word.contains('/') && search_path.find(word).is_none() && search_path.find(&path).is_some();
    if is_bare { path } else { word.to_owned() }
}

/// Prints the problems of a level while it loads.
fn incidents(level: &EntryNameBuf, needs: &Needs, console: &mut Console<'_>) -> Result<(), Failure> {
    for trouble in &needs.troubles {
        let text = match trouble {
            // the sentence already names the level
            Trouble::Unreadable { name, .. } if name == level => trouble.to_string(),
            _ => format!("{level}: {trouble}"),
        };
        console.warn(&Message { text, help: trouble.help(None) });
    }
    if !console.json {
        for (incident, more) in first_incidents(needs) {
            console.warn(&of_entity(incident, more).about(level));
        }
        return Ok(());
    }
    for (incident, _) in &needs.incidents {
        let pairs = [
            ("level", escaped(level.as_name()).into()),
            ("kind", incident.kind.name().into()),
            ("entity", incident.entity.into()),
            ("class", escaped(EntryName::from_bytes(&incident.class)).into()),
            ("function", escaped(EntryName::from_bytes(&incident.function)).into()),
            ("ends", incident.ends.into()),
            ("reason", incident.to_string().into()),
        ];
        output::pairs(console, "incident", &pairs)?;
    }
    Ok(())
}

/// Prints what the engine does not have of the things that a program uses.
fn of_program(incident: &Incident, program: Option<&str>, console: &mut Console<'_>) -> Result<(), Failure> {
    let program = program.unwrap_or_default();
    if !console.json {
        console.note(Message::of(incident, SHELL).about(program).text);
        return Ok(());
    }
    let pairs = [
        ("program", program.into()),
        ("kind", incident.kind.name().into()),
        ("function", escaped(EntryName::from_bytes(&incident.function)).into()),
        ("ends", incident.ends.into()),
        ("reason", incident.to_string().into()),
    ];
    output::pairs(console, "incident", &pairs)?;
    Ok(())
}

fn json(need: &Need, stack: &SearchPath) -> JsonNeed {
    let missing = need.is_missing().then(|| explain(need, stack)).flatten();
    let instead = missing.as_ref().and_then(|missing| Some(missing.nearest_file.as_ref()?.name().into()));
    let instead: Option<EntryNameBuf> = instead;
    JsonNeed {
        name: escaped(need.name.as_name()),
        kind: need.kind.name(),
        found: need.is_found,
        layer: need.find(stack).map(|hit| hit.layer().name().to_owned()),
        others: need.others.iter().map(|name| escaped(name.as_name())).collect(),
        instead: instead.map(|name| escaped(name.as_name())),
        because: missing.as_ref().map(|missing| missing.cause),
        by: need.by.iter().map(ToString::to_string).collect(),
        games: need.games(),
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

/// Prints each missing file once, with the first need and the number of further ones.
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
        let said = explain(need, stack);
        let text = said.as_ref().map_or_else(|| need.name.to_string(), ToString::to_string);
        writeln!(console.out, "missing {}: {}", need.kind.name(), printable(&text))?;
        let others = more.get(&need.name).map_or(0, |count| count - 1);
        let others = match others {
            0 => String::new(),
            count => format!(", and by {}", counted(count, "more level", "more levels")),
        };
        let games = need.games();
        let games = if games.is_empty() { games } else { format!(" ({games})") };
        writeln!(console.out, "  needed by {}{games}{others}", printable(&need.chain()))?;
        let help = said.as_ref().and_then(|said| said.help(Some(game)));
        if let Some(help) = help.filter(|help| advised.insert(help.clone())) {
            writeln!(console.out, "  help: {}", printable(&help))?;
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
        vec![need.name.to_string(), need.kind.name().to_owned(), presence, layer, need.chain()]
    };
    let mut rows: Vec<&Need> = needs.collect();
    // missing ones first
    rows.sort_by_key(|need| !need.is_missing());
    output::table(
        console,
        &["name", "kind", "presence", "layer", "needed by"],
        &[],
        rows.into_iter().map(row),
    )
}
