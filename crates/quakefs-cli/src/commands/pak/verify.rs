//! `pak verify`: errors and oddities of archives.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};

use camino::Utf8Path;
use pak_format::verify::DecodeBudget;
use quakefs::archive::{ArchiveKind, Method};
use quakefs::findings::{FindingKind, Location, Severity};
use quakefs::why::examine;
use quakefs::{Archive, Engine, Error, ErrorKind, Finding, Layout, Rules};
use quakefs_archives::Budgeted;
use quakefs_game::Problem;
use serde::Serialize;

use super::selection::Selection;
use crate::args::{Format, Verify as Args, by_position};
use crate::console::{Console, Exit, Failure, Message};
use crate::findings::Printer;
use crate::output;
use crate::text::{SHELL, printable, slashed};
use crate::words::TooManyFor;

/// The summary of an archive.
#[derive(Serialize)]
struct Verdict<'a> {
    #[serde(serialize_with = "slashed")]
    archive: &'a str,
    /// The highest severity: `ok`, `note`, `warning` or `error`.
    #[serde(rename = "verdict")]
    worst: &'static str,
    errors: usize,
    warnings: usize,
    notes: usize,
    entries: usize,
}

/// The findings of an archive, or why it could not be checked.
type Verified = (String, usize, Result<Vec<Problem>, Message>);

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut printer = Printer::new(&args.findings, console);
    let why =
        "`pak verify` checks whole archives, because an entry is sound only together with its neighbours";
    let selection = Selection::whole(&args.archives, why, console)?.observed(console);
    let selection = selection.nested(&args.nested, args.decode.limit(), console);
    let (mut exit, mut sums, mut not_shown) = (selection.exit, HashMap::new(), false);
    selection.collection.each_within(
        &by_position().layout(args.archives.layout),
        args.decode.limit(),
        decoded,
        |path, budgeted| look(path, args.deep, budgeted, &selection),
        |(path, entries, looked): Verified| {
            let findings = match looked {
                Ok(findings) => findings,
                Err(message) => {
                    exit = Exit::Failed;
                    return selection.print(console, |console| {
                        console.error(&message);
                        Ok::<(), Failure>(())
                    });
                }
            };
            let verdict = Verdict::of(&path, entries, &findings);
            *sums.entry(verdict.worst).or_default() += 1;
            selection.print(console, |console| {
                let is_text = printer.format == Format::Text;
                if is_text && (selection.many && !args.long || verdict.worst == "ok") {
                    print(&verdict, &findings, console)?;
                    not_shown |= findings.len() > 1;
                }
                if !is_text || !selection.many || args.long && verdict.worst != "ok" {
                    printer.print(&findings, &path, console)?;
                } else {
                    printer.count(findings.iter().map(Problem::severity));
                }
                output::answer(console, "verdict", [&verdict], |_| Ok(()))
            })
        },
    )?;
    selection.finish()?;
    if selection.many && printer.format == Format::Text && !sums.is_empty() {
        print_sums(&sums, console)?;
        if not_shown {
            writeln!(console.out, "--long lists all findings of each")?;
        }
    }
    printer.end(exit, console)
}

/// The entries to decode. In a PACK archive these are the compressed ones.
fn decoded(archive: &Archive) -> Vec<usize> {
    let is_pack = archive.kind() == ArchiveKind::Pak;
    let decoded = archive.entries().filter(|entry| !is_pack || entry.row().method != Method::Stored);
    decoded.map(|entry| entry.index()).collect()
}

fn look(path: &Utf8Path, deep: bool, budgeted: Result<Budgeted, Error>, selection: &Selection) -> Verified {
    let name = path.to_string();
    if deep && let Err(message) = read_through(path, selection) {
        return (name, 0, Err(message));
    }
    match budgeted {
        Ok(Budgeted { archive, budget, .. }) => {
            let mut findings = archive.verify(&name, Some(budget));
            findings.extend(wrong_content(&archive, &name, deep));
            let mut findings: Vec<_> = findings.into_iter().map(Problem::from).collect();
            if let Some(layout) = archive.layout() {
                findings.extend(too_many(&name, archive.entries().len(), layout));
            }
            (name, archive.entries().len(), Ok(findings))
        }
        // a missing file is a failure, not a finding
        Err(error) if matches!(error.kind(), ErrorKind::Io { .. }) => (name, 0, Err(Message::from(&error))),
        Err(error) => {
            let finding = Finding::of_archive(Location::layer(&*name), FindingKind::NotAnArchive(error));
            (name, 0, Ok(vec![finding.into()]))
        }
    }
}

/// The files of an archive that engines cannot load: its WADs, and with `deep` all levels, models, programs,
/// sounds and pictures. The verification tells of those that cannot be read.
fn wrong_content(archive: &Archive, name: &str, deep: bool) -> Vec<Finding> {
    let mut budget = DecodeBudget::for_archive(archive.size());
    let files = archive.files(name).filter(|file| {
        let format = quake_content::Format::of(file.name().as_bytes());
        let is_read = format.is_some_and(|format| deep || format == quake_content::Format::Wad);
        is_read && budget.take(file.size())
    });
    let wrong = files.filter_map(|file| match examine(&file)? {
        Err(kind @ FindingKind::WrongContent(_)) => Some(Finding::of_archive(file.location(), kind)),
        _ => None,
    });
    wrong.collect()
}

impl<'a> Verdict<'a> {
    fn of(archive: &'a str, entries: usize, findings: &[Problem]) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity() == severity).count();
        let worst = findings.iter().map(Problem::severity).max();
        Verdict {
            archive,
            worst: worst.map_or("ok", Severity::name),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            entries,
        }
    }
}

/// Prints a verdict in one line, with the first finding of the highest severity.
fn print(verdict: &Verdict<'_>, findings: &[Problem], console: &mut Console<'_>) -> Result<(), Failure> {
    let worst = findings.iter().find(|finding| finding.severity().name() == verdict.worst);
    let Some(worst) = worst else {
        let entries = output::counted(verdict.entries as u64, "entry", "entries");
        writeln!(console.out, "{:8} {}: {entries}", verdict.worst, printable(verdict.archive))?;
        return Ok(());
    };
    let more = match findings.len() - 1 {
        0 => String::new(),
        more => format!(" (and {} more)", output::counted(more as u64, "finding", "findings")),
    };
    let (place, reason) = (worst.location().to_string(), worst.reason());
    let severity = console.severity(worst.severity());
    writeln!(console.out, "{severity} {}: {}{more}", printable(&place), printable(&reason))?;
    Ok(())
}

/// Prints the number of archives with each verdict.
fn print_sums(sums: &HashMap<&str, u64>, console: &mut Console<'_>) -> Result<(), Failure> {
    let count = |worst| sums.get(worst).copied().unwrap_or_default();
    let archives = output::counted(sums.values().sum(), "archive", "archives");
    write!(console.out, "{archives}: {} ok", output::grouped(count("ok")))?;
    for (worst, word) in [("error", "errors"), ("warning", "warnings"), ("note", "notes")] {
        if count(worst) > 0 {
            write!(console.out, ", {} with {word}", output::grouped(count(worst)))?;
        }
    }
    Ok(writeln!(console.out)?)
}

/// Reads a file from its start to its end, or until an interrupt.
fn read_through(file: &Utf8Path, selection: &Selection) -> Result<(), Message> {
    let mut read = 0;
    let mut buffer = vec![0; 1 << 20];
    // a pipe would wait for a writer; opening it as an archive reports the error
    if !file.is_file() {
        return Ok(());
    }
    let failed = |error, at| {
        let text = format!("{file}: cannot be read at byte {}: {error}", output::grouped(at));
        Message::new(text, "the disk may be damaged: get another copy of the archive")
    };
    let mut opened = File::open(file).map_err(|error| failed(error, 0))?;
    loop {
        let count = match opened.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(error) => return Err(failed(error, read)),
        };
        read += count;
        if selection.advance(count).is_break() {
            return Ok(());
        }
    }
}

/// The engines of this layout that have no room for so many entries.
fn too_many(file: &str, entries: usize, layout: Layout) -> Option<Problem> {
    let limit = |rules: &Rules| rules.limits.entries.filter(|limit| entries > limit.most as usize);
    let full = Engine::with(|rules| rules.paks.layout == Some(layout) && limit(rules).is_some());
    let engines: Vec<_> =
        full.filter_map(|engine| Some((engine.to_string(), limit(engine.rules())?.most))).collect();
    (!engines.is_empty()).then(|| {
        let too_many = TooManyFor { entries, engines };
        Problem::of(Severity::Note, "too-many-entries", Location::layer(file), &too_many, SHELL)
    })
}
