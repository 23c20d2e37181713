//! `compare`: the names for which engines load different files, and the reason.

use quakefs::archive::ArchiveKind;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::Case;
use quakefs::why::{Because, Cause, Comparison};
use quakefs::{EntryName, File, Pattern};
use quakefs_game::{CauseRow, Compared, EngineOn, Game, NeedDifferenceRow};

use crate::args::{Compare, FolderArgs};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output::{self, named};
use crate::text::printable;

/// Prints the files that levels need but only some of the engines find.
fn needs(games: &[Game], args: &Compare, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (rows, compared) = Compared::needs(&args.engines, games);
    output::answer(console, "need-difference", &rows, |console| {
        if let Some(end) = args.names.end(console) {
            return Ok(print_names(rows.iter().map(|row| &*row.name), end, console)?);
        }
        if rows.is_empty() {
            let compared = output::counted(compared as u64, "file", "files");
            return Ok(writeln!(
                console.out,
                "they find the same files for the levels: {compared} compared"
            )?);
        }
        let engines: Vec<_> = args.engines.iter().map(EngineOn::to_string).collect();
        let row = |row: &NeedDifferenceRow| {
            let word = args.engines.iter().map(|engine| match engine.to_string() {
                engine if row.found.contains(&engine) => "found",
                engine if row.missing.contains(&engine) => "missing",
                _ => "-",
            });
            std::iter::once(row.name.clone()).chain(word.map(str::to_owned)).collect()
        };
        output::table(console, &named("name", &engines), rows.iter().map(row))
    })?;
    Ok(if rows.is_empty() { Exit::Done } else { Exit::NotFound })
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
    let only = OnlyOption::new(&args.only)?;
    let options = args.folders.options(&console.environment);
    let surroundings = FolderArgs::surroundings(&console.environment)?;
    let mut games = Compared::games(&options, &surroundings, &args.engines, args.force)?;
    for note in games.iter().flat_map(|game| &game.notes) {
        crate::args::say(note, console);
    }
    caveats::report(&games.iter().map(|game| &game.search_path).collect::<Vec<_>>(), console);
    games.iter_mut().take(1).for_each(|game| caveats::list(game, console));
    if args.needs {
        return needs(&games, args, console);
    }
    let mut compared = Compared::with(args.engines.clone(), games, |name| only.has_name(name));
    if let (0, [(pattern, _), ..]) = (compared.comparison.names, &*only.patterns) {
        console.error(&Message::new(
            format!("nothing matches \"{pattern}\""),
            meant(pattern, &args.folders, &compared.games),
        ));
        return Ok(Exit::NotFound);
    }
    let differ = count(&compared.comparison);
    compared.comparison.causes.retain(|cause| only.has_cause(&cause.because));
    let causes = &compared.comparison.causes;
    let rows = causes.iter().map(CauseRow::from);
    output::answer(console, "cause", rows, |_| Ok(()))?;
    output::answer(console, "difference", compared.differences(), |console| {
        if let Some(end) = args.names.end(console) {
            print_names(causes.iter().flat_map(|cause| &cause.names), end, console)?;
        } else if causes.is_empty() {
            let names = output::counted(compared.comparison.names as u64, "name", "names");
            let line = match differ {
                0 => format!("they load the same files: {names} compared"),
                more => format!(
                    "no name differs by {}: {names} compared, {} by other causes",
                    only.causes.join(" or "),
                    output::counted(more as u64, "differs", "differ")
                ),
            };
            writeln!(console.out, "{line}")?;
        } else {
            print_tables(&compared, console)?;
        }
        Ok(())
    })?;
    Ok(if causes.is_empty() { Exit::Done } else { Exit::NotFound })
}

/// Help for a value of `--only` that is not a cause and matches no name.
fn meant(pattern: &str, folders: &FolderArgs, games: &[Game]) -> String {
    if pattern.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        return format!(
            "a cause is one of {}; anything else is a glob over names",
            Because::NAMES.join(", ")
        );
    }
    let lister = format!("`{}` lists", folders.suggest("ls"));
    output::other_pattern(pattern, &lister, |other| {
        games.iter().any(|game| game.search_path.glob(other).is_ok_and(|mut found| found.next().is_some()))
    })
}

fn count(comparison: &Comparison) -> usize {
    comparison.causes.iter().map(|cause| cause.names.len()).sum()
}

/// Prints each cause with its number of names, then the names.
fn print_tables(compared: &Compared, console: &mut Console<'_>) -> Result<(), Failure> {
    let heading = |Cause { because, names, .. }: &Cause| {
        let names = output::counted(names.len() as u64, "name", "names");
        printable(&format!("{names}: {}: {because}", because.name())).into_owned()
    };
    let comparison = &compared.comparison;
    for cause in &comparison.causes {
        writeln!(console.out, "{}", heading(cause))?;
    }
    let engines: Vec<String> = compared.engines.iter().map(EngineOn::to_string).collect();
    let titles = named("name", &engines);
    for cause in &comparison.causes {
        writeln!(console.out)?;
        if comparison.causes.len() > 1 {
            writeln!(console.out, "{}", heading(cause))?;
        }
        let rows = cause.names.iter().map(|name| row(comparison, cause, name));
        output::table(console, &titles, rows)?;
    }
    Ok(())
}

fn row(comparison: &Comparison, cause: &Cause, name: &EntryNameBuf) -> Vec<String> {
    let winner = |search_path| describe(cause.winner(search_path, name).as_ref());
    let winners = comparison.search_paths.iter().map(winner);
    std::iter::once(name.as_name().to_string()).chain(winners).collect()
}

fn describe(winner: Option<&File<'_>>) -> String {
    match winner {
        None => "-".to_owned(),
        Some(file) if file.layer().kind() == ArchiveKind::Folder => file.location().to_string(),
        Some(file) => {
            file.entry().map_or_else(String::new, |entry| format!("{}:{entry}", file.layer().name()))
        }
    }
}
