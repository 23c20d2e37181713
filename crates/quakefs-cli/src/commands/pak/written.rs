//! The output of commands that write an archive.

use std::borrow::Cow;

use camino::Utf8Path;
use pak_format::Report;
use serde::Serialize;

use crate::changes::{Change, Deed, print_changes};
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
    removed: Vec<&'w str>,
    renamed: Vec<&'w str>,
    /// The size of the file that the archive replaced, or would replace.
    #[serde(skip_serializing_if = "Option::is_none")]
    overwritten: Option<u64>,
}

/// Prints the result of a write; `done` is false if the archive was only checked. `overwritten` is the size
/// of the file that it replaces. If printing fails, the error mentions that the archive is written.
pub(super) fn report(
    file: &Utf8Path,
    changes: &[Change<'_>],
    written: Report,
    done: bool,
    overwritten: Option<u64>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let printed = print_written(file, changes, written, done, overwritten, console);
    let done = if done { format!("{file}: the archive is written") } else { String::new() };
    console.after(&done, printed)?;
    Ok(Exit::Done)
}

fn print_written(
    file: &Utf8Path,
    changes: &[Change<'_>],
    written: Report,
    done: bool,
    overwritten: Option<u64>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let Report { entries, before, after, dropped, .. } = written;
    // null if nothing was written and the size is unknown
    let known = |size: u64| (size > 0 || done).then_some(size);
    let names = |deed| {
        let alike = changes.iter().filter(|change| change.deed == deed);
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
            added: names(Deed::Added),
            replaced: names(Deed::Replaced),
            removed: names(Deed::Removed),
            renamed: names(Deed::Renamed),
            overwritten,
        })
    };
    output::one(console, "written", row, |console| {
        let entries = output::counted(entries as u64, "entry", "entries");
        let file = printable(file.as_str());
        print_changes(changes, done, console)?;
        if !done {
            let replaces = output::replaced("would replace", overwritten);
            writeln!(console.out, "{file}: would have {entries}{replaces}; nothing was written")?;
            return Ok(());
        }
        write!(console.out, "{file}: {entries}, {}", output::bytes(after))?;
        if dropped > 0 {
            write!(console.out, "; dropped {} that no entry used", output::bytes(dropped))?;
        }
        Ok(writeln!(console.out, "{}", output::replaced("replaced", overwritten))?)
    })
}
