//! The output of commands that write an archive.

use std::borrow::Cow;

use camino::Utf8Path;
use pak_format::Report;
use serde::Serialize;

use crate::console::{Console, Exit, Failure};
use crate::output;
use crate::text::{printable, with_slashes};

/// What was written.
#[derive(Serialize)]
struct WrittenRow<'w> {
    file: Cow<'w, str>,
    written: bool,
    entries: usize,
    before: Option<u64>,
    after: Option<u64>,
    dropped: u64,
    added: Vec<&'w str>,
    replaced: Vec<&'w str>,
}

/// An entry that was made from a file.
pub(super) struct Change<'n> {
    pub(super) name: &'n str,
    pub(super) replaced: bool,
}

/// Prints added and replaced entries; of a long list only the start.
fn print_changes(changes: &[Change<'_>], console: &mut Console<'_>) -> Result<(), Failure> {
    const PRINTED: usize = 20;
    for change in changes.iter().take(PRINTED) {
        let word = if change.replaced { "replaced" } else { "added" };
        writeln!(console.out, "{word:8}  {}", printable(change.name))?;
    }
    if let Some(more @ 1..) = changes.len().checked_sub(PRINTED) {
        writeln!(console.out, "and {} more", output::grouped(more as u64))?;
    }
    Ok(())
}

/// Prints the result of a write; `done` is false if the archive was only checked. If printing fails, the
/// error mentions that the archive is written.
pub(super) fn report(
    file: &Utf8Path,
    changes: &[Change<'_>],
    written: Report,
    done: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let printed = print_written(file, changes, written, done, console);
    let done = if done { format!("{file}: the archive is written") } else { String::new() };
    console.after(&done, printed)?;
    Ok(Exit::Done)
}

fn print_written(
    file: &Utf8Path,
    changes: &[Change<'_>],
    written: Report,
    done: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let Report { entries, before, after, dropped, .. } = written;
    // null if nothing was written and the size is unknown
    let known = |size: u64| (size > 0 || done).then_some(size);
    let names = |replaced| {
        let alike = changes.iter().filter(|change| change.replaced == replaced);
        alike.map(|change| change.name).collect()
    };
    let row = || {
        Ok(WrittenRow {
            file: with_slashes(file.as_str()),
            written: done,
            entries,
            before: known(before),
            after: known(after),
            dropped,
            added: names(false),
            replaced: names(true),
        })
    };
    output::one(console, "written", row, |console| {
        let entries = output::counted(entries as u64, "entry", "entries");
        let file = printable(file.as_str());
        if !done {
            writeln!(console.out, "{file}: would have {entries}; nothing was written")?;
            return Ok(());
        }
        print_changes(changes, console)?;
        write!(console.out, "{file}: {entries}, {}", output::bytes(after))?;
        if dropped > 0 {
            write!(console.out, "; dropped {} that no entry used", output::bytes(dropped))?;
        }
        writeln!(console.out)?;
        Ok(())
    })
}
