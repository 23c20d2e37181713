//! `compare`: the names for which engines load different files, and the reason.

use std::collections::BTreeMap;

use quakefs::archive::ArchiveKind;
use quakefs::content::ContentType;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::Case;
use quakefs::why::{Because, Cause, Comparison, compare};
use quakefs::{EntryName, File, Pattern, SearchPath};
use quakefs_needs::{Kind, Levels, Presence};
use serde::Serialize;

use crate::args::{Compare, EngineOn, Folders};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output::{self, JsonCopy};
use crate::text::{escaped, printable};

#[derive(Serialize)]
struct JsonDifference<'a> {
    name: String,
    engines: Vec<JsonWinner<'a>>,
    cause: &'static str,
    rule: &'a str,
}

#[derive(Serialize)]
struct JsonWinner<'a> {
    engine: &'a str,
    #[serde(flatten)]
    winner: Option<JsonCopy>,
}

#[derive(Serialize)]
struct JsonNeeds<'a> {
    name: String,
    kind: &'static str,
    engines: Vec<JsonNeed<'a>>,
}

#[derive(Serialize)]
struct JsonNeed<'a> {
    engine: &'a str,
    asked: bool,
    found: bool,
}

/// Prints the files that levels need but only some of the engines find.
fn needs(search_paths: &[SearchPath], args: &Compare, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut all: BTreeMap<(EntryNameBuf, Kind), Vec<Option<bool>>> = BTreeMap::new();
    for (number, search_path) in search_paths.iter().enumerate() {
        let levels = Levels::new(search_path);
        let asked = levels.of(&levels.own()).into_iter().flat_map(|needs| needs.asked);
        for need in asked.filter(|need| need.presence == Presence::Required) {
            let row = all.entry((need.name, need.kind)).or_insert_with(|| vec![None; search_paths.len()]);
            if let Some(cell) = row.get_mut(number) {
                *cell = Some(need.is_found);
            }
        }
    }
    let asked = all.len() as u64;
    // if one engine does not need the file and the others find it, nothing is missing
    all.retain(|_, row| row.contains(&Some(false)) && row.iter().any(|cell| *cell != Some(false)));
    let engines: Vec<String> = args.engines.iter().map(EngineOn::to_string).collect();
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    if console.json {
        for ((name, kind), row) in &all {
            let cells = engines.iter().zip(row).map(|(engine, cell)| JsonNeed {
                engine,
                asked: cell.is_some(),
                found: *cell == Some(true),
            });
            let engines = cells.collect();
            let line = JsonNeeds { name: escaped(name.as_name()), kind: kind.name(), engines };
            output::json(console, "difference", &line)?;
        }
    } else if let Some(end) = args.names.end() {
        print_names(all.keys().map(|(name, _)| name), end, console)?;
    } else if all.is_empty() {
        let compared = output::counted(asked, "file", "files");
        writeln!(console.out, "they find the same files for the levels: {compared} compared")?;
    } else {
        let word = |cell: &Option<bool>| match cell {
            Some(true) => "found",
            Some(false) => "missing",
            None => "-",
        };
        let row = |((name, _), row): (&(EntryNameBuf, Kind), &Vec<Option<bool>>)| {
            std::iter::once(name.to_string()).chain(row.iter().map(|cell| word(cell).to_owned())).collect()
        };
        let titles: Vec<&str> = std::iter::once("name").chain(engines).collect();
        output::table(console, &titles, &[], all.iter().map(row).collect::<Vec<_>>())?;
    }
    Ok(if all.is_empty() { Exit::Done } else { Exit::NotFound })
}

/// The values of `--only`.
struct OnlyOption<'a> {
    causes: Vec<&'a str>,
    patterns: Vec<(&'a str, Pattern)>,
}

impl<'a> OnlyOption<'a> {
    fn new(values: &'a [String]) -> Result<Self, Failure> {
        let (causes, patterns): (Vec<&str>, Vec<&str>) =
            values.iter().map(String::as_str).partition(|value| Because::NAMES.contains(value));
        let pattern = |text| Ok((text, Pattern::new(text, Case::Ignored)?));
        let patterns = patterns.into_iter().map(pattern).collect::<Result<_, quakefs::Error>>()?;
        Ok(OnlyOption { causes, patterns })
    }

    fn has_name(&self, name: &[u8]) -> bool {
        let name = EntryName::from_bytes(name);
        self.patterns.is_empty() || self.patterns.iter().any(|(_, pattern)| pattern.matches(name))
    }

    fn has_cause(&self, because: &Because) -> bool {
        self.causes.is_empty() || self.causes.contains(&because.name())
    }
}

pub(crate) fn run(args: &Compare, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folders = &args.folders;
    folders.warn_of_user_directory(console);
    if !args.force {
        refuse_other_games(&args.engines)?;
    }
    let only = OnlyOption::new(&args.only)?;
    let mut search_paths = Vec::new();
    for engine in &args.engines {
        let rules = engine.engine.rules().clone();
        let search_path = folders.mount_on(engine.host, rules, console);
        search_paths.push(search_path.map_err(|failure| failure.about(engine))?);
    }
    caveats::report(&search_paths, console);
    if args.needs {
        return needs(&search_paths, args, console);
    }
    // an archive may be a layer in one engine and a loose file in another, but no game reads it as a file
    let is_archive = |name: &[u8]| !name.contains(&b'/') && ContentType::of(name) == ContentType::Archive;
    let mut comparison = compare(&search_paths, |name| only.has_name(name) && !is_archive(name));
    if let (0, [(pattern, _), ..]) = (comparison.names, &*only.patterns) {
        console.error(&Message::new(
            format!("nothing matches \"{pattern}\""),
            meant(pattern, folders, &search_paths),
        ));
        return Ok(Exit::NotFound);
    }
    let differ = count(&comparison);
    comparison.causes.retain(|cause| only.has_cause(&cause.because));
    let engines: Vec<String> = args.engines.iter().map(EngineOn::to_string).collect();
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    if console.json {
        print_json(&comparison, &engines, console)?;
    } else if let Some(end) = args.names.end() {
        print_names(comparison.causes.iter().flat_map(|cause| &cause.names), end, console)?;
    } else if comparison.causes.is_empty() {
        let compared = output::counted(comparison.names as u64, "name", "names");
        let line = match differ {
            0 => format!("they load the same files: {compared} compared"),
            more => format!(
                "no name differs by {}: {compared} compared, {} by other causes",
                only.causes.join(" or "),
                output::counted(more as u64, "differs", "differ")
            ),
        };
        writeln!(console.out, "{line}")?;
    } else {
        print_tables(&comparison, &engines, console)?;
    }
    Ok(if comparison.causes.is_empty() { Exit::Done } else { Exit::NotFound })
}

/// Refuses engines that share no game directory with the first one.
fn refuse_other_games(engines: &[EngineOn]) -> Result<(), Failure> {
    let Some((first, others)) = engines.split_first() else { return Ok(()) };
    let directories = |engine: &EngineOn| &engine.engine.rules().directories;
    let Some(other) = others.iter().find(|other| !directories(first).share_base(directories(other))) else {
        return Ok(());
    };
    // a placeholder for the directories of missions
    let base = |engine| {
        let base = directories(engine).base.iter().map(|name| &**name).filter(|name| *name != "{}");
        base.collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "{first} and {other} are for different games: {first} looks in {}; {other} in {}",
        base(first),
        base(other)
    );
    Err(Message::new(text, "name engines of one game, or add --force").into())
}

/// Help for a value of `--only` that is not a cause and matches no name.
fn meant(pattern: &str, folders: &Folders, search_paths: &[SearchPath]) -> String {
    if pattern.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        return format!(
            "a cause is one of {}; anything else is a glob over names",
            Because::NAMES.join(", ")
        );
    }
    let lister = format!("`{}` lists", folders.suggest("ls"));
    output::other_pattern(pattern, &lister, |other| {
        search_paths
            .iter()
            .any(|search_path| search_path.glob(other).is_ok_and(|mut found| found.next().is_some()))
    })
}

fn count(comparison: &Comparison) -> usize {
    comparison.causes.iter().map(|cause| cause.names.len()).sum()
}

fn print_json(comparison: &Comparison, engines: &[&str], console: &mut Console<'_>) -> Result<(), Failure> {
    for Cause { because, names, .. } in &comparison.causes {
        let (cause, rule) = (because.name().into(), because.to_string().into());
        output::pairs(console, "cause", &[("cause", cause), ("rule", rule), ("names", names.len().into())])?;
    }
    for Cause { because, names, .. } in &comparison.causes {
        let rule = because.to_string();
        for name in names {
            let winners = comparison.search_paths.iter().zip(engines).map(|(search_path, engine)| {
                let winner = search_path.find(name);
                JsonWinner { engine, winner: winner.as_ref().map(JsonCopy::from) }
            });
            let line = JsonDifference {
                name: escaped(name.as_name()),
                engines: winners.collect(),
                cause: because.name(),
                rule: &rule,
            };
            output::json(console, "difference", &line)?;
        }
    }
    Ok(())
}

/// Prints each cause with its number of names, then the names.
fn print_tables(comparison: &Comparison, engines: &[&str], console: &mut Console<'_>) -> Result<(), Failure> {
    let heading = |Cause { because, names, .. }: &Cause| {
        let names = output::counted(names.len() as u64, "name", "names");
        printable(&format!("{names}: {}: {because}", because.name())).into_owned()
    };
    for cause in &comparison.causes {
        writeln!(console.out, "{}", heading(cause))?;
    }
    let titles: Vec<&str> = std::iter::once("name").chain(engines.iter().copied()).collect();
    for cause in &comparison.causes {
        writeln!(console.out)?;
        if comparison.causes.len() > 1 {
            writeln!(console.out, "{}", heading(cause))?;
        }
        let rows = cause.names.iter().map(|name| row(comparison, name));
        output::table(console, &titles, &[], rows)?;
    }
    Ok(())
}

fn row(comparison: &Comparison, name: &EntryNameBuf) -> Vec<String> {
    let winners = comparison.search_paths.iter().map(|search_path| describe(search_path.find(name).as_ref()));
    std::iter::once(name.as_name().to_string()).chain(winners).collect()
}

fn describe(winner: Option<&File<'_>>) -> String {
    match winner {
        None => "-".to_owned(),
        Some(hit) if hit.layer().kind() == ArchiveKind::Folder => hit.location().to_string(),
        Some(hit) => hit.entry().map_or_else(String::new, |entry| format!("{}:{entry}", hit.layer().name())),
    }
}
