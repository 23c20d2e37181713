//! What several commands print: tables, sizes, JSON objects, findings.

use std::collections::HashMap;
use std::io;

use comfy_table::{CellAlignment, Table, presets};
use quakefs::{EntryName, Finding, FindingKind, Hit, Place, Severity};
use serde::Serialize;

use crate::advice;
use crate::console::{Caveats, Console, Exit, Failure, Message};
use crate::text::{PrintableJson, escaped, printable};

/// How many findings about one place are printed before the rest are counted.
const PRINTED: usize = 10;

/// Prints one object on a line, with its `type` as the first key.
pub(crate) fn json(
    console: &mut Console<'_>,
    r#type: &'static str,
    object: &impl Serialize,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Typed<'a, T> {
        r#type: &'static str,
        #[serde(flatten)]
        object: &'a T,
        #[serde(flatten)]
        caveats: &'a Caveats,
    }
    let mut serializer = serde_json::Serializer::with_formatter(&mut *console.out, PrintableJson);
    Typed { r#type, object, caveats: &console.caveats }
        .serialize(&mut serializer)
        .map_err(io::Error::from)?;
    console.out.write_all(b"\n")?;
    Ok(())
}

/// A table without lines, its columns two spaces apart; numbers stand on the right.
pub(crate) fn table(
    titles: &[&str],
    numbers: &[usize],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(titles.iter().copied());
    for row in rows {
        table.add_row(row.iter().map(|cell| printable(cell)));
    }
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
    counted(size, "byte", "bytes")
}

/// A number and what is counted.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(number)) }
}

/// A copy of a file, for programs.
#[derive(Serialize)]
pub(crate) struct JsonCopy {
    layer: String,
    kind: &'static str,
    stored: String,
    entry: Option<usize>,
    size: u64,
}

impl From<&Hit<'_>> for JsonCopy {
    fn from(hit: &Hit<'_>) -> Self {
        JsonCopy {
            layer: hit.layer().name().to_owned(),
            kind: hit.layer().kind().name(),
            stored: escaped(hit.stored()),
            entry: hit.entry(),
            size: hit.size(),
        }
    }
}

/// Warns of findings, though of no more than some about one place.
pub(crate) fn warn_of<'f>(console: &mut Console<'_>, findings: impl IntoIterator<Item = &'f Finding>) {
    let findings: Vec<_> = findings.into_iter().collect();
    let alike = |a: &&Finding, b: &&Finding| {
        a.place.layer == b.place.layer && a.place.name.is_some() == b.place.name.is_some()
    };
    for group in findings.chunk_by(alike) {
        for finding in group.iter().take(PRINTED) {
            console.warn(&Message::from(*finding));
        }
        if let (Some(first), Some(more @ 1..)) = (group.first(), group.len().checked_sub(PRINTED)) {
            let text = format!("{}: {} more like this", first.place.layer, grouped(more as u64));
            console.warn(&Message::without_help(text));
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

/// A finding as it is printed, of a game or of an archive.
pub(crate) struct Reported {
    pub(crate) severity: Severity,
    pub(crate) kind: &'static str,
    pub(crate) place: Place,
    pub(crate) reason: String,
    pub(crate) help: String,
}

impl Reported {
    pub(crate) fn new(place: Place, kind: &FindingKind, reason: String) -> Self {
        Reported {
            severity: kind.severity(),
            kind: kind.name(),
            place,
            reason,
            help: advice::of_finding(kind),
        }
    }
}

impl From<&Finding> for Reported {
    fn from(finding: &Finding) -> Self {
        Reported::new(finding.place.clone(), &finding.kind, finding.reason())
    }
}

/// A finding, for programs.
#[derive(Serialize)]
pub(crate) struct JsonFinding {
    severity: &'static str,
    kind: &'static str,
    pub(crate) place: String,
    reason: String,
    help: String,
    pub(crate) layer: String,
    entry: Option<usize>,
    name: Option<String>,
}

impl From<&Reported> for JsonFinding {
    fn from(finding: &Reported) -> Self {
        JsonFinding {
            severity: finding.severity.name(),
            kind: finding.kind,
            place: finding.place.to_string(),
            reason: finding.reason.clone(),
            help: finding.help.clone(),
            layer: finding.place.layer.clone(),
            entry: finding.place.entry,
            name: finding.place.name().map(escaped),
        }
    }
}

/// Prints findings, and how many of each severity there are; notes alone are no reason to fail.
pub(crate) fn findings(
    findings: &[Reported],
    about: &str,
    in_json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    /// How many findings of one kind are printed before the rest are counted.
    const PRINTED: usize = 20;
    let mut of_kind: HashMap<&str, usize> = HashMap::new();
    for finding in findings {
        if in_json {
            json(console, "finding", &JsonFinding::from(finding))?;
            continue;
        }
        let count = of_kind.entry(finding.kind).or_default();
        *count += 1;
        if *count <= PRINTED {
            let Reported { severity, place, reason, help, .. } = finding;
            let place = place.to_string();
            writeln!(console.out, "{severity:8} {}: {}", printable(&place), printable(reason))?;
            writeln!(console.out, "         help: {}", printable(help))?;
        }
    }
    let mut left_out: Vec<_> = of_kind.into_iter().filter(|(_, count)| *count > PRINTED).collect();
    left_out.sort_unstable();
    for (kind, count) in left_out {
        let more = grouped((count - PRINTED) as u64);
        writeln!(console.out, "and {more} more findings of the kind {kind}")?;
    }
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if !in_json {
        let sums = [
            (errors, Severity::Error),
            (warnings, Severity::Warning),
            (count(Severity::Note), Severity::Note),
        ];
        let sums = sums.map(|(count, severity)| {
            counted(count as u64, severity.name(), &format!("{}s", severity.name()))
        });
        writeln!(console.out, "{} for {}", sums.join(", "), printable(about))?;
    }
    Ok(if errors + warnings > 0 { Exit::NotFound } else { Exit::Done })
}

/// A name of the command line, for programs.
pub(crate) fn asked(name: &[u8]) -> String {
    escaped(EntryName::from_bytes(name))
}
