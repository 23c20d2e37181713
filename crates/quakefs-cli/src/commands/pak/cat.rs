//! `pak cat`: the bytes of entries.

use std::collections::HashSet;

use pak_format::name::escape;
use quakefs::Pattern;
use quakefs::archive::ArchiveEntry;

use super::selection::{EntryRow, SelectedArchive, Selection};
use crate::args::{NamedArchives, Strict};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Raw};
use crate::text::command_line;

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
    print(&selection, number, console)
}

/// Prints the selected entries, or the one of this number.
pub(super) fn print(
    selection: &Selection,
    number: Option<usize>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    selection.each(console, |opened, console| {
        let entries = match number {
            None if selection.patterns.is_empty() => {
                opened.entries().filter(|entry| !entry.row().is_folder).collect()
            }
            None => of_names(selection, opened),
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
            let failed =
                |error: quakefs::Error| Failure::from(Message::from(&error.in_archive(opened.name())));
            let row = || {
                let mut row = EntryRow::new(selection.many.then(|| opened.name()), entry);
                row.content = Some(escape(&entry.read().map_err(failed)?).into_owned());
                Ok(row)
            };
            let printed = output::one(console, "content", row, |console| {
                let stored = entry.name().to_string();
                let extract = command_line(["quakefs", "pak", "extract", opened.name(), &stored]);
                let mut name = Raw::new(format!("{}: {stored}", opened.name()), extract);
                if entry.range().is_some() {
                    // it is copied, because it may not fit into memory
                    let reader = entry.open().map_err(failed)?;
                    name.copy(reader, console, |error| failed(error.into()))
                } else {
                    // decoded and checked before the first byte is printed
                    name.write(&entry.read().map_err(failed)?, console)
                }
            });
            match printed {
                Err(Failure::Error(message)) => {
                    console.error(&message);
                    exit = Exit::Failed;
                }
                printed => printed?,
            }
        }
        Ok(exit)
    })
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
