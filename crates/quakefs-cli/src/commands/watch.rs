//! `watch`: reports every file whose winning copy changes.

use std::sync::atomic::Ordering;
use std::time::Duration;

use quakefs::watch::{Change, Update};
use quakefs::{File, Pattern};
use quakefs_game::{FileRow, Problem};
use serde::Serialize;

use crate::args::{GameArgs, Watch};
use crate::caveats;
use crate::commands::ls::globs;
use crate::console::{Console, Exit, Failure, Message, Part};
use crate::line::{LayerColumn, Line};
use crate::output;
use crate::text::{SHELL, escaped, printable};

/// How often to check for an interrupt.
const GLANCE: Duration = Duration::from_millis(100);

/// The watch begins.
#[derive(Serialize)]
struct WatchingRow {
    layers: usize,
}

/// The end of the changes that came together.
#[derive(Serialize)]
struct UpdateRow {
    changes: usize,
}

/// A name whose winner changed.
#[derive(Serialize)]
struct ChangedRow {
    name: String,
    change: &'static str,
    before: Option<FileRow>,
    after: Option<FileRow>,
}

/// A loose file that was written, and the copy that overrides it.
#[derive(Serialize)]
struct OverriddenChangeRow {
    name: String,
    file: FileRow,
    by: FileRow,
}

pub(crate) fn run(game: &GameArgs, args: &Watch, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.open(console)?.search_path;
    let patterns = globs(&search_path, &args.patterns)?;
    let interrupted = (console.interrupts)();
    let mut watcher = search_path.watch()?;
    // a mapped archive may be truncated from here on
    drop(search_path);
    let layers = watcher.search_path().layers().len();
    output::answer(console, "watching", [WatchingRow { layers }], |console| {
        let layers = output::counted(layers as u64, "layer", "layers");
        console.note(format!("watching {layers}; Ctrl-C ends"));
        Ok(())
    })?;
    console.out.flush()?;
    while !interrupted.load(Ordering::Relaxed) {
        let update = match watcher.wait(GLANCE) {
            None => continue,
            Some(Ok(update)) => update,
            Some(Err(error)) => {
                console.error(&Message::from(&error));
                continue;
            }
        };
        caveats::keep(&[&update.search_path], console);
        let Update { changes, findings, overridden, .. } = update;
        let changes = match &*patterns {
            [] => changes,
            patterns => Pattern::select(patterns, changes, Change::name).items,
        };
        let rows = findings.iter().map(|finding| Problem::from(finding.clone()).row(SHELL));
        output::answer(console, "finding", rows, |console| {
            output::warn_of(console, &findings);
            Ok(())
        })?;
        let overridden = match &*patterns {
            [] => overridden,
            patterns => Pattern::select(patterns, overridden, |(file, _)| file.name()).items,
        };
        print(&changes, console)?;
        print_overridden(&overridden, console)?;
        console.out.flush()?;
        if args.once && !changes.is_empty() {
            break;
        }
    }
    Ok(Exit::Done)
}

/// Reports written files that other copies override.
fn print_overridden(
    overridden: &[(File<'static>, File<'static>)],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let rows = overridden.iter().map(|(file, served)| OverriddenChangeRow {
        name: escaped(file.name()),
        file: file.into(),
        by: served.into(),
    });
    output::answer(console, "overridden-change", rows, |console| {
        for (file, served) in overridden {
            let (layer, by) = (printable(file.layer().name()), printable(served.layer().name()));
            let name = file.name();
            writeln!(console.out, "overridden  {layer}  {name}: changed, but {by} overrides it")?;
        }
        Ok(())
    })
}

fn print(changes: &[Change], console: &mut Console<'_>) -> Result<(), Failure> {
    let rows = changes.iter().map(|change| ChangedRow {
        name: escaped(change.name()),
        change: change.kind.name(),
        before: change.before.as_ref().map(FileRow::from),
        after: change.after.as_ref().map(FileRow::from),
    });
    output::answer(console, "change", rows, |console| {
        let files = changes.iter().filter_map(|change| change.after.as_ref().or(change.before.as_ref()));
        let layers = LayerColumn::new(files.map(|file| file.layer().name()), Part::Place, console);
        let mut line = Line::new(console);
        for change in changes {
            line.text(change.kind.name(), 7);
            let file = change.after.as_ref().or(change.before.as_ref());
            line.cell(layers.of(file.map_or("", |file| file.layer().name())));
            line.end(change.name(), console.out)?;
        }
        Ok(())
    })?;
    let ends = (!changes.is_empty()).then_some(UpdateRow { changes: changes.len() });
    output::answer(console, "update", ends, |_| Ok(()))
}
