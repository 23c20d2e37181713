//! `fix`: renames files so that they load on Linux too.

use camino::Utf8Path;
use quakefs::rules::Host;
use quakefs_extract::Rename;
use serde::Serialize;

use crate::args::{Fix, note_engine};
use crate::caveats;
use crate::console::{Console, Exit, Failure};
use crate::output::{self, Column, counted};
use crate::text::command_line;
use crate::undo::undo;

/// A rename, done or planned.
#[derive(Serialize)]
struct RenameRow<'r> {
    from: &'r str,
    to: &'r str,
    done: bool,
    error: Option<&'r str>,
}

pub(crate) fn run(args: &Fix, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(file) = &args.undo {
        return undo("fix", file, console);
    }
    let mut options = args.game.options(&console.environment)?;
    options.on = Some(Host::Windows);
    let mut game = args.game.open_with(&options, console)?;
    note_engine(&game, console);
    caveats::list(&mut game, console);
    let search_path = game.search_path;
    let fix = quakefs_extract::fix(&search_path)?;
    let roots = search_path.roots();
    let root = roots.first().map(|root| &**root);
    if fix.renames.is_empty() && fix.refused.is_empty() {
        output::for_people(console, |console| Ok(writeln!(console.out, "nothing to rename")?))?;
        return Ok(Exit::Done);
    }
    let mut rows = Vec::new();
    let mut journals = Vec::new();
    if args.write {
        journals = fix.write(&mut |rename, renamed| {
            rows.push((rename.clone(), renamed.err().map(|error| error.reason())));
        })?;
    } else {
        rows.extend(fix.renames.iter().map(|rename| (rename.clone(), None)));
    }
    rows.extend(fix.refused.iter().map(|(rename, refusal)| (rename.clone(), Some(refusal.to_string()))));
    print(&rows, root, args.write, console)?;
    if !args.write && !fix.renames.is_empty() {
        output::for_people(console, |console| {
            console.note(format!("`{} --write` renames them", args.game.suggest("fix")));
            Ok(())
        })?;
    }
    for journal in &journals {
        let line = command_line(["quakefs", "fix", "--undo", journal.path().as_str()]);
        console.note(format!("`{line}` undoes this"));
    }
    let is_done = args.write && rows.iter().all(|(_, error)| error.is_none());
    Ok(if is_done { Exit::Done } else { Exit::NotFound })
}

/// Prints renames, with paths relative to a folder if possible.
fn print(
    renames: &[(Rename, Option<String>)],
    root: Option<&Utf8Path>,
    done: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let rows = renames.iter().map(|(rename, error)| RenameRow {
        from: rename.from.as_str(),
        to: rename.to.as_str(),
        done: done && error.is_none(),
        error: error.as_deref(),
    });
    output::answer(console, "rename", rows, |console| {
        let any_error = renames.iter().any(|(_, error)| error.is_some());
        let mut titles = vec![Column::Copied("path"), Column::Copied("new name")];
        titles.extend(any_error.then_some(Column::Text("problem")));
        let rows = renames.iter().map(|(rename, error)| {
            let name = rename.to.file_name().unwrap_or_default().to_owned();
            let problem = any_error.then(|| error.clone().unwrap_or_else(|| "-".to_owned()));
            let path = root.and_then(|root| rename.from.strip_prefix(root).ok()).unwrap_or(&rename.from);
            [path.to_string(), name].into_iter().chain(problem).collect()
        });
        output::table(console, &titles, rows)?;
        let count = renames.iter().filter(|(_, error)| error.is_none()).count();
        let verb = if done { "renamed" } else { "to rename" };
        writeln!(console.out, "\n{} {verb}", counted(count as u64, "name", "names"))?;
        Ok(())
    })
}
