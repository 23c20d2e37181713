//! `which`: the winner, or every copy.

use std::cell::OnceCell;
use std::io::{self, BufRead as _, Read as _};

use pak_format::name::unescape;
use quakefs::search_path::CompanionBecause;
use quakefs::why::Explanation;
use quakefs::{EntryName, Finding, SearchPath};
use serde::Serialize;

use super::substitutes;
use crate::args::{Game, Which, name_bytes};
use crate::console::{Console, Exit, Failure, Message};
use crate::missing::{self, Cause};
use crate::output::{self, JsonCopy};
use crate::text::{escaped, printable};

#[derive(Serialize)]
struct JsonFound {
    name: String,
    found: bool,
    #[serde(flatten)]
    copy: JsonCopy,
    /// Why the copy cannot be read, or why the engine stops on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// The kind of that problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem_kind: Option<&'static str>,
    /// Whether the winner depends on the order in which the disk lists the archives.
    #[serde(skip_serializing_if = "Option::is_none")]
    disk_decides: Option<bool>,
    /// For a file beside a level: whether the engine loads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    companion: Option<JsonCompanion>,
    /// A file in a higher layer that the engine ignores because its name differs in case.
    #[serde(skip_serializing_if = "Option::is_none")]
    passed_over: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed: Option<Vec<JsonShadowed>>,
}

#[derive(Serialize)]
struct JsonCompanion {
    level: String,
    loaded: bool,
    because: String,
    reason: &'static str,
}

#[derive(Serialize)]
struct JsonShadowed {
    #[serde(flatten)]
    copy: JsonCopy,
    /// Why the winner ranks above this copy.
    rule: String,
    /// The stable name of the rule.
    because: &'static str,
}

pub(crate) fn run(game: &Game, args: &Which, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let (mut exit, mut is_missing) = (Exit::Done, false);
    let misplaced = OnceCell::new();
    for name in asked(args) {
        let name = name?;
        if let Some(kind) = args.substitute {
            exit = exit.max(substitutes::run(game, &search_path, kind, &name, args, console)?);
            continue;
        }
        exit = exit.max(match quakefs::why::explain(&search_path, &name) {
            Explanation::Missing(missing) => {
                is_missing = true;
                print_missing(&name, missing::cause(game, &search_path, &missing, &misplaced), console)?;
                Exit::NotFound
            }
            served @ Explanation::Served { .. } => {
                print_served(&name, served, &search_path, args.all, console)?
            }
        });
    }
    if is_missing && !console.json {
        missing::mention_findings(console, game, &search_path);
    }
    Ok(exit)
}

fn print_missing(name: &[u8], cause: Cause, console: &mut Console<'_>) -> Result<(), Failure> {
    if !console.json {
        console.error(&cause.message);
        return Ok(());
    }
    let pairs = [
        ("name", output::asked(name).into()),
        ("found", false.into()),
        ("because", cause.because.into()),
        ("reason", cause.message.text.into()),
        ("help", cause.message.help.into()),
    ];
    output::pairs(console, "which", &pairs)
}

/// Prints the winner, and with `all` the copies that it overrides. If the engine stops on the winner, the file counts as not found.
fn print_served(
    name: &[u8],
    served: Explanation<'_>,
    search_path: &SearchPath,
    all: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let Explanation::Served { winner, hidden, disk_decides, passed_over, companion, .. } = served else {
        return Ok(Exit::NotFound);
    };
    let finding = quakefs::why::check_file(search_path, &winner);
    if console.json {
        let hidden = hidden.iter().map(|(copy, rule)| JsonShadowed {
            copy: copy.into(),
            rule: rule.to_string(),
            because: rule.name(),
        });
        let line = JsonFound {
            name: output::asked(name),
            found: true,
            copy: (&winner).into(),
            problem: finding.as_ref().map(Finding::sentence),
            problem_kind: finding.as_ref().map(|finding| finding.kind.name()),
            disk_decides: disk_decides.then_some(true),
            companion: companion.map(|(level, copy)| JsonCompanion {
                level: escaped(level.as_name()),
                loaded: copy.because == CompanionBecause::Loaded,
                because: copy.to_string(),
                reason: copy.because.name(),
            }),
            passed_over: passed_over.map(|place| place.to_string()),
            shadowed: all.then(|| hidden.collect()),
        };
        output::json(console, "which", &line)?;
    } else {
        let asked = EntryName::from_bytes(name);
        let mark = if disk_decides { ", by the order in which the disk lists files" } else { "" };
        writeln!(console.out, "{asked}: {}{mark}", output::describe(&winner, asked))?;
        for (copy, rule) in hidden.into_iter().filter(|_| all) {
            let rule = rule.to_string();
            let copy = output::describe(&copy, asked);
            writeln!(console.out, "  overrides {copy}: {}", printable(&rule))?;
        }
        if let Some(place) = passed_over {
            writeln!(console.out, "  ignores {place}: {}", crate::words::PASSED_OVER)?;
        }
        if let Some((level, copy)) = companion {
            writeln!(console.out, "  beside {}: {}", level.as_name(), printable(&copy.to_string()))?;
        }
        if let Some(finding) = &finding {
            console.warn(&finding.into());
        }
    }
    Ok(if finding.is_some_and(|finding| finding.stops_engine) { Exit::NotFound } else { Exit::Done })
}

/// The names of the command line, with the names on standard input instead of `-`.
fn asked(args: &Which) -> impl Iterator<Item = Result<Vec<u8>, Failure>> {
    args.names.iter().flat_map(|name| -> Box<dyn Iterator<Item = _>> {
        if name == "-" {
            Box::new(names_of_stdin(args.null))
        } else {
            Box::new(std::iter::once(Ok(name_bytes(name))))
        }
    })
}

/// The longest name on standard input, in bytes: more than any engine accepts.
const LONGEST: u64 = 1 << 16;

/// Names from standard input: escaped, one per line, or unescaped with a NUL after each.
fn names_of_stdin(null: bool) -> impl Iterator<Item = Result<Vec<u8>, Failure>> {
    let end = if null { 0 } else { b'\n' };
    std::iter::from_fn(move || {
        let mut name = Vec::new();
        match io::stdin().lock().take(LONGEST).read_until(end, &mut name) {
            Ok(0) => return None,
            Ok(read) if read as u64 == LONGEST => {
                let text = format!("standard input: a name of more than {} bytes", output::grouped(LONGEST));
                return Some(Err(Message::without_help(text).into()));
            }
            Ok(_) => {}
            Err(error) => {
                let text = format!("standard input cannot be read: {error}");
                return Some(Err(Message::without_help(text).into()));
            }
        }
        name.pop_if(|last| *last == end);
        if null {
            return Some(Ok(name));
        }
        name.pop_if(|last| *last == b'\r');
        Some(Ok(match str::from_utf8(&name) {
            Ok(text) => unescape(text).into_owned(),
            Err(_) => name,
        }))
    })
}
