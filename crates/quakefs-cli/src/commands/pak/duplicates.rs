//! `pak duplicates`: contents that are stored several times.

use std::collections::{BTreeMap, HashMap};
use std::fs::Metadata;

use camino::Utf8PathBuf;
use quakefs::{EntryName, Layout};
use quakefs_archives::{Copy, Differing, Digest, DigestKind, DigestOptions, Duplicate, Duplicates};
use serde::Serialize;

use super::selection::Selection;
use crate::args::{Digests, Duplicates as Args, by_position};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{escaped, printable, with_slashes};

/// A content that several entries have.
#[derive(Serialize)]
struct DuplicateRow {
    hash: String,
    size: u64,
    saved: u64,
    copies: Vec<CopyRow>,
}

/// One of its places.
#[derive(Serialize)]
struct CopyRow {
    archive: String,
    entry: usize,
    name: String,
    stored_size: u64,
}

/// A name with several contents.
#[derive(Serialize)]
struct DifferingRow {
    name: String,
    contents: Vec<Vec<CopyRow>>,
}

/// An archive that is equal to an earlier one.
#[derive(Serialize)]
struct EqualRow {
    archive: String,
    equal_to: String,
}

/// The sum of `pak duplicates`.
#[derive(Serialize)]
struct DuplicatesRow {
    contents: usize,
    copies: usize,
    saved: u64,
    entries: u64,
    archives: u64,
    not_compared: u64,
}

/// The sum of `pak duplicates --names`.
#[derive(Serialize)]
struct DifferingNamesRow {
    differing: usize,
    shared: u64,
    archives: u64,
    not_compared: u64,
}

impl Digests {
    pub(super) fn options(&self, layout: Option<Layout>) -> DigestOptions {
        let kind = if self.blake3 { DigestKind::Blake3 } else { DigestKind::Xxh3 };
        DigestOptions { kind, limit: self.decode.limit(), layout, ..DigestOptions::default() }
    }
}

/// The archives of the command line.
fn selection(args: &Args, console: &mut Console<'_>) -> Result<Selection, Failure> {
    let selection = Selection::archives(&args.archives, console)?.strict(&args.strict).observed(console);
    Ok(selection.nested(&args.nested, args.digests.decode.limit(), console))
}

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let selection = selection(args, console)?;
    let found = selection.collection.duplicates(&args.digests.options(args.archives.layout));
    selection.finish()?;
    let equal = equal_files(selection.collection.archives(), args.archives.layout);
    let rows = equal.iter().map(|(one, other)| EqualRow { archive: place(other), equal_to: place(one) });
    output::answer(console, "equal-archive", rows, |console| {
        for (one, other) in &equal {
            let (one, other) = (printable(one), printable(other));
            console.note(format!("{one} and {other} are the same file, byte for byte"));
        }
        Ok(())
    })?;
    for content in &found.contents {
        let row = || {
            Ok(DuplicateRow {
                hash: content.digest.to_string(),
                size: content.size,
                saved: content.saved,
                copies: content.copies.iter().map(CopyRow::of).collect(),
            })
        };
        output::one(console, "duplicate", row, |console| print(content, console))?;
    }
    let damaged = selection.damaged().add_all(&found.faults, console);
    let exit = damaged.end(found.archives > 0, console).max(report_missed(found.over_limit, console));
    print_sum(&found, console)?;
    Ok(selection.exit.max(exit))
}

/// The archives on the disk that are equal to an earlier one of the list. Only those of one size are read,
/// and no file that is not an archive: it may have a terabyte of nothing.
fn equal_files(archives: &[Utf8PathBuf], layout: Option<Layout>) -> Vec<(&str, &str)> {
    let is_archive =
        |path: &&str| by_position().layout(layout).open(path).is_ok_and(|found| !found.is_empty());
    let mut sizes: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for path in archives {
        if let Some(found) = path.metadata().ok().filter(Metadata::is_file) {
            sizes.entry(found.len()).or_default().push(path.as_str());
        }
    }
    let mut equal = Vec::new();
    for paths in sizes.into_values().filter(|paths| paths.len() > 1) {
        let mut firsts = HashMap::new();
        for path in paths.into_iter().filter(is_archive) {
            let Ok(digest) = Digest::several_at(&[DigestKind::Blake3], path) else { continue };
            let first = *firsts.entry(digest.first().map(ToString::to_string)).or_insert(path);
            equal.extend((first != path).then_some((first, path)));
        }
    }
    equal
}

/// Reports entries that were not compared.
fn report_missed(over_limit: u64, console: &mut Console<'_>) -> Exit {
    if over_limit == 0 {
        return Exit::Done;
    }
    let entries = output::counted(over_limit, "entry was", "entries were");
    let text = format!("{entries} not compared, because the archives claim too many bytes");
    console.error(&Message::new(text, "allow more with --max-output"));
    Exit::Failed
}

/// The names with several contents.
pub(super) fn names(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let selection = selection(args, console)?;
    let found = selection.collection.differing(&args.digests.options(args.archives.layout));
    selection.finish()?;
    for name in &found.names {
        let row = || {
            Ok(DifferingRow {
                name: escaped(name.name.as_name()),
                contents: name
                    .contents
                    .iter()
                    .map(|copies| copies.iter().map(CopyRow::of).collect())
                    .collect(),
            })
        };
        output::one(console, "differing", row, |console| {
            writeln!(console.out, "{}: {} contents", name.name, name.contents.len())?;
            for (number, copies) in name.contents.iter().enumerate() {
                for copy in copies {
                    let location = copy.location().to_string();
                    writeln!(console.out, "  {}: {}", number + 1, printable(&location))?;
                }
            }
            Ok(())
        })?;
    }
    let damaged = selection.damaged().add_all(&found.faults, console);
    let exit = damaged.end(found.archives > 0, console).max(report_missed(found.over_limit, console));
    let Differing { names, shared, archives, over_limit, .. } = found;
    let row = DifferingNamesRow { differing: names.len(), shared, archives, not_compared: over_limit };
    output::answer(console, "differing-names", [row], |console| {
        // what was not read has no answer
        if archives == 0 {
            return Ok(());
        }
        let differing = output::counted(names.len() as u64, "name has", "names have");
        let shared = output::counted(shared, "name is", "names are");
        let archives = output::counted(archives, "archive", "archives");
        Ok(writeln!(console.out, "{differing} several contents; {shared} in several places of {archives}")?)
    })?;
    Ok(selection.exit.max(exit))
}

impl CopyRow {
    fn of(copy: &Copy) -> CopyRow {
        CopyRow {
            archive: place(copy.archive.as_str()),
            entry: copy.entry,
            name: escaped(copy.name.as_name()),
            stored_size: copy.stored_size,
        }
    }
}

/// The path of an archive for JSON.
fn place(archive: &str) -> String {
    escaped(EntryName::from(&*with_slashes(archive)))
}

fn print(content: &Duplicate, console: &mut Console<'_>) -> Result<(), Failure> {
    let (size, copies) = (output::bytes(content.size), output::grouped(content.copies.len() as u64));
    writeln!(console.out, "{size}, {copies} times; {} could be saved", output::bytes(content.saved))?;
    for copy in &content.copies {
        writeln!(console.out, "  {}", printable(&copy.location().to_string()))?;
    }
    Ok(())
}

fn print_sum(found: &Duplicates, console: &mut Console<'_>) -> Result<(), Failure> {
    let Duplicates { entries, archives, over_limit, .. } = *found;
    let copies: usize = found.contents.iter().map(|content| content.copies.len()).sum();
    let (contents, saved) = (found.contents.len(), found.saved());
    let row = DuplicatesRow { contents, copies, saved, entries, archives, not_compared: over_limit };
    output::answer(console, "duplicates", [row], |console| {
        // what was not read has no answer
        if archives == 0 {
            return Ok(());
        }
        let places = output::counted(contents as u64, "content is", "contents are");
        let (copies, saved) = (output::grouped(copies as u64), output::bytes(saved));
        let entries = output::counted(entries, "entry", "entries");
        let archives = output::counted(archives, "archive", "archives");
        let of = format!("{entries} of {archives}");
        if contents == 0 {
            writeln!(console.out, "no content repeats among {of}")?;
        } else {
            writeln!(console.out, "{places} in {copies} places among {of}; {saved} could be saved")?;
        }
        Ok(())
    })
}
