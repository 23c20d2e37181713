//! What several commands print: tables, sizes, JSON lines, problems.

use std::collections::HashMap;
use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use pak_format::name::spell;
use quakefs::{EntryName, Hit, Problem};
use serde::Serialize;

use crate::console::{Console, Exit, Failure, harmless};

/// How many problems of one layer are told before the rest are counted.
const TOLD: usize = 10;

/// Prints one object on a line.
pub(crate) fn json(console: &mut Console<'_>, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *console.out, value).map_err(io::Error::from)?;
    console.out.write_all(b"\n")?;
    Ok(())
}

/// A name as programs read it: `\xNN` for what is not UTF-8.
pub(crate) fn spelled(name: EntryName<'_>) -> String {
    spell(name.as_bytes()).into_owned()
}

/// Writes a name so that it cannot steer a terminal. Most names need no more than a copy.
pub(crate) fn name(out: &mut dyn Write, name: EntryName<'_>) -> io::Result<()> {
    match name.as_printable() {
        Some(text) => out.write_all(text.as_bytes()),
        None => write!(out, "{name}"),
    }
}

/// Writes text of which a part comes from an archive or a disk, with control characters escaped.
pub(crate) fn text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    name(out, EntryName::from_bytes(text.as_bytes()))
}

/// A table without lines, its columns two spaces apart; numbers stand on the right.
pub(crate) fn table(titles: &[&str], numbers: &[usize], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(titles.iter().copied());
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if numbers.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// A number with spaces between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `1 byte`, `812 bytes`.
pub(crate) fn bytes(size: u64) -> String {
    if size == 1 { "1 byte".to_owned() } else { format!("{} bytes", grouped(size)) }
}

/// A copy of a file, for programs.
#[derive(Serialize)]
pub(crate) struct JsonCopy {
    pub(crate) layer: String,
    pub(crate) kind: &'static str,
    pub(crate) stored: String,
    pub(crate) entry: Option<usize>,
    pub(crate) size: u64,
}

impl From<&Hit<'_>> for JsonCopy {
    fn from(hit: &Hit<'_>) -> Self {
        JsonCopy {
            layer: hit.layer().name().to_owned(),
            kind: hit.layer().kind().name(),
            stored: spelled(hit.stored()),
            entry: hit.entry(),
            size: hit.size(),
        }
    }
}

/// A problem, for programs.
#[derive(Serialize)]
pub(crate) struct JsonProblem {
    place: String,
    entry: Option<usize>,
    name: Option<String>,
    problem: String,
    help: String,
}

impl From<&Problem> for JsonProblem {
    fn from(problem: &Problem) -> Self {
        JsonProblem {
            place: problem.place().to_owned(),
            entry: problem.entry().map(|(entry, _)| entry),
            name: problem.entry().map(|(_, name)| spelled(name)),
            problem: problem.reason(),
            help: problem.help(),
        }
    }
}

/// Warns of every problem, though of no more than some about one layer.
pub(crate) fn warn_of(console: &mut Console<'_>, problems: &[&Problem]) {
    for group in
        problems.chunk_by(|a, b| a.place() == b.place() && a.entry().is_some() == b.entry().is_some())
    {
        for problem in group.iter().take(TOLD) {
            console.warn(problem, Some(&problem.help()));
        }
        if let (Some(first), true) = (group.first(), group.len() > TOLD) {
            let more = group.len() - TOLD;
            console.warn(format!("{}: {} more like this", first.place(), grouped(more as u64)), None);
        }
    }
}

/// What may have been meant by a pattern that matches nothing. `matches` says whether another one would;
/// `lister` is the command that lists the names.
pub(crate) fn other_pattern(pattern: &str, lister: &str, matches: impl Fn(&str) -> bool) -> String {
    let below = format!("{}/**", pattern.trim_end_matches('/'));
    if matches(&below) {
        format!("it is a folder: '{below}' matches what is in it")
    } else if pattern.contains(['*', '?', '[', '{']) {
        "* stops at /: '**/*.wav' matches in every folder".to_owned()
    } else {
        format!("`{lister}` lists the names")
    }
}

/// Something odd or wrong, of a game or of an archive.
#[derive(Serialize)]
pub(crate) struct Finding {
    /// `error`, `warning` or `note`.
    pub(crate) severity: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) place: String,
    pub(crate) reason: String,
    pub(crate) help: String,
}

/// Prints findings, and how many of each severity there are; notes alone are no reason to fail.
pub(crate) fn findings(
    findings: &[Finding],
    about: &str,
    in_json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    /// How many of one kind are told before the rest are counted.
    const TOLD: usize = 20;
    let mut of_kind: HashMap<&str, usize> = HashMap::new();
    for finding in findings {
        if in_json {
            json(console, finding)?;
            continue;
        }
        let told = of_kind.entry(finding.kind).or_default();
        *told += 1;
        if *told <= TOLD {
            let Finding { severity, place, reason, help, .. } = finding;
            writeln!(console.out, "{severity:8} {}: {}", harmless(place), harmless(reason))?;
            writeln!(console.out, "         help: {}", harmless(help))?;
        }
    }
    let mut left_out: Vec<_> = of_kind.into_iter().filter(|(_, count)| *count > TOLD).collect();
    left_out.sort_unstable();
    for (kind, count) in left_out {
        let more = grouped((count - TOLD) as u64);
        writeln!(console.out, "and {more} more findings of the kind {kind}")?;
    }
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    if !in_json {
        let sums = ["error", "warning", "note"].map(|severity| {
            let count = count(severity);
            format!("{} {severity}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
        });
        writeln!(console.out, "{} for {}", sums.join(", "), harmless(about))?;
    }
    Ok(if count("error") + count("warning") > 0 { Exit::NotFound } else { Exit::Done })
}

/// Says that there are problems, for commands whose answer they may explain.
pub(crate) fn mention_problems(console: &mut Console<'_>, search_path: &quakefs::SearchPath) {
    let (count, word) = match search_path.problems().count() {
        0 => return,
        1 => ("1".to_owned(), "problem"),
        count => (grouped(count as u64), "problems"),
    };
    console.warn(
        format!("{count} {word} with this game"),
        Some("`quakefs path` tells what was left out and why"),
    );
}
