//! `pak duplicates`: contents that are stored several times.

use quakefs::{EntryName, Layout};
use quakefs_archives::{Copy, Differing, DigestKind, DigestOptions, Duplicate, Duplicates};
use serde::Serialize;

use super::selection::Selection;
use crate::args::{Digests, Duplicates as Args};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{escaped, printable, with_slashes};

#[derive(Serialize)]
struct JsonDuplicate {
    hash: String,
    size: u64,
    saved: u64,
    copies: Vec<JsonCopy>,
}

#[derive(Serialize)]
struct JsonCopy {
    archive: String,
    entry: usize,
    name: String,
    stored_size: u64,
}

#[derive(Serialize)]
struct JsonDiffering {
    name: String,
    contents: Vec<Vec<JsonCopy>>,
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
    for content in &found.contents {
        if console.json { print_json(content, console)? } else { print(content, console)? }
    }
    let damaged = selection.damaged().add_all(&found.faults, console);
    let exit = damaged.end(found.archives > 0, console).max(report_missed(found.over_limit, console));
    print_sum(&found, console)?;
    Ok(selection.exit.max(exit))
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
        if console.json {
            let contents = name.contents.iter().map(|copies| copies.iter().map(JsonCopy::of).collect());
            let line = JsonDiffering { name: escaped(name.name.as_name()), contents: contents.collect() };
            output::json(console, "differing", &line)?;
            continue;
        }
        writeln!(console.out, "{}: {} contents", name.name, name.contents.len())?;
        for (number, copies) in name.contents.iter().enumerate() {
            for copy in copies {
                writeln!(console.out, "  {}: {}", number + 1, printable(&copy.location().to_string()))?;
            }
        }
    }
    let damaged = selection.damaged().add_all(&found.faults, console);
    let exit = damaged.end(found.archives > 0, console).max(report_missed(found.over_limit, console));
    let Differing { names, shared, archives, over_limit, .. } = found;
    if console.json {
        let pairs = [
            ("differing", names.len().into()),
            ("shared", shared.into()),
            ("archives", archives.into()),
            ("not_compared", over_limit.into()),
        ];
        output::pairs(console, "differing-names", &pairs)?;
    } else {
        let differing = output::counted(names.len() as u64, "name has", "names have");
        let shared = output::counted(shared, "name is", "names are");
        let archives = output::counted(archives, "archive", "archives");
        writeln!(console.out, "{differing} several contents; {shared} in several places of {archives}")?;
    }
    Ok(selection.exit.max(exit))
}

impl JsonCopy {
    fn of(copy: &Copy) -> JsonCopy {
        JsonCopy {
            archive: escaped(EntryName::from(&*with_slashes(copy.archive.as_str()))),
            entry: copy.entry,
            name: escaped(copy.name.as_name()),
            stored_size: copy.stored_size,
        }
    }
}

fn print_json(content: &Duplicate, console: &mut Console<'_>) -> Result<(), Failure> {
    let copies = content.copies.iter().map(JsonCopy::of);
    let line = JsonDuplicate {
        hash: content.digest.to_string(),
        size: content.size,
        saved: content.saved,
        copies: copies.collect(),
    };
    output::json(console, "duplicate", &line)
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
    if console.json {
        let pairs = [
            ("contents", contents.into()),
            ("copies", copies.into()),
            ("saved", saved.into()),
            ("entries", entries.into()),
            ("archives", archives.into()),
            ("not_compared", over_limit.into()),
        ];
        return output::pairs(console, "duplicates", &pairs);
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
}
