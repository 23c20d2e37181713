//! `pak cat`: the bytes of entries.

use std::collections::HashSet;

use pak_format::name::escape;
use quakefs::archive::ArchiveEntry;
use quakefs::{FileData, FileReader, Pattern};

use super::selection::{EntryRow, SelectedArchive, Selection};
use crate::args::{NamedArchives, Strict};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Raw};

pub(super) fn run(
    archives: &NamedArchives,
    number: Option<usize>,
    strict: &Strict,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let selection = Selection::named(archives, console)?.strict(strict);
    let help = "name an entry, or give its number with --entry";
    match (selection.patterns.is_empty(), number) {
        (true, None) => return Err(Message::new("no entry is named", help).into()),
        (false, Some(_)) => return Err(Message::new("both names and a number select entries", help).into()),
        _ => {}
    }
    selection.each(console, |opened, console| {
        let entries = match number {
            None => of_names(&selection, opened),
            Some(number) => {
                let Some(entry) = opened.archive.entry(number) else {
                    let entries = output::counted(opened.archive.entries().len() as u64, "entry", "entries");
                    let message = format!("{}: entry {number}: not found among {entries}", opened.name());
                    console.error(&Message::new(message, format!("`{}` lists the names", opened.list())));
                    return Ok(Exit::NotFound);
                };
                vec![entry]
            }
        };
        let mut exit = Exit::Done;
        for entry in entries {
            // a stored entry is copied, because it may not fit into memory; a compressed entry is decoded and
            // checked first
            let is_stored = !console.json && entry.range().is_some();
            let failed = |error: quakefs::Error| Message::from(&error.in_archive(opened.name()));
            let name = || Raw::new(format!("{}: {}", opened.name(), entry.name()));
            let read =
                if is_stored { entry.open().map(Content::Stream) } else { entry.read().map(Content::Whole) };
            match read {
                Err(error) => {
                    console.error(&failed(error));
                    exit = Exit::Failed;
                }
                Ok(Content::Stream(reader)) => {
                    name().copy(reader, console, |error| failed(error.into()).into())?;
                }
                Ok(Content::Whole(content)) => {
                    let row = || {
                        let mut row = EntryRow::new(selection.many.then(|| opened.name()), entry);
                        row.content = Some(escape(&content).into_owned());
                        row
                    };
                    output::answer(console, "content", std::iter::once_with(row), |console| {
                        name().write(&content, console)
                    })?;
                }
            }
        }
        Ok(exit)
    })
}

enum Content {
    Stream(FileReader),
    Whole(FileData),
}

/// The entries in the order of the names. If an archive has equal names, the first entry counts.
fn of_names<'o>(selection: &Selection, opened: &'o SelectedArchive) -> Vec<ArchiveEntry<'o>> {
    let (mut entries, mut names) = (Vec::new(), HashSet::new());
    for pattern in selection.patterns_of(&opened.archive) {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the result lives as long as the archive"
        )]
        for entry in Pattern::select([pattern], opened.archive.entries(), |entry| entry.name()).items {
            if !entry.row().is_folder && names.insert(entry.name()) {
                entries.push(entry);
            }
        }
    }
    entries
}
