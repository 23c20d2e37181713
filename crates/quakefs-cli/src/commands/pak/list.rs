//! `pak list`: the entries of archives.

use quakefs::archive::ArchiveKind;

use super::selection::{EntryRow, SelectedArchive, Selection};
use crate::args::List;
use crate::console::{Console, Exit, Failure};
use crate::line::{Line, print_names};
use crate::output;
use crate::text::printable;

pub(super) fn run(args: &List, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let selection = Selection::named(&args.archives, console)?.strict(&args.strict);
    let mut is_first = true;
    selection.each(console, |opened, console| {
        if opened.archive.kind() == ArchiveKind::Anachronox {
            console.note(format!("{}: an archive of Anachronox, which no engine here loads", opened.name()));
        }
        let archive = selection.many.then(|| opened.name());
        let rows = opened.entries().map(|entry| EntryRow::new(archive, entry));
        output::answer(console, "entry", rows, |console| {
            if let Some(end) = args.names.end(console) {
                return Ok(print_names(opened.entries().map(|entry| entry.name()), end, console)?);
            }
            if selection.many {
                let between = if is_first { "" } else { "\n" };
                writeln!(console.out, "{between}{}:", printable(opened.name()))?;
            }
            is_first = false;
            list(opened, args.long, console)
        })?;
        opened.warn_of_problems(console);
        Ok(Exit::Done)
    })
}

fn list(opened: &SelectedArchive, long: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    if long {
        writeln!(
            console.out,
            "{:>7}  {:>10}  {:>10}  {:>10}  {:<10}  name",
            "entry", "offset", "size", "stored", "type"
        )?;
    }
    let mut line = Line::new(console);
    for entry in opened.entries() {
        let name = entry.name();
        if long {
            line.number(entry.index() as u64, 7);
            line.number(entry.row().offset, 10);
            line.number(entry.size(), 10);
            line.number(entry.row().stored_size, 10);
            line.text(entry.content_type().name(), 10);
        }
        line.end(name, console.out)?;
    }
    Ok(())
}
