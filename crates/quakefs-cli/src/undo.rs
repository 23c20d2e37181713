//! `--undo`: undoes the changes that a command recorded in a journal.

use camino::Utf8Path;
use quakefs_extract::journal::{Journal, Step, Undone};
use serde::Serialize;

use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, counted};
use crate::text::command_line;

pub(crate) fn undo(command: &str, file: &Utf8Path, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &*camino::absolute_utf8(file).unwrap_or_else(|_| file.to_owned());
    let again = |command| format!("`{}`", command_line(["quakefs", command, "--undo", file.as_str()]));
    let journal = Journal::open(file)?;
    if journal.command() != command {
        let text = format!("{file}: it is a journal of `quakefs {}`", journal.command());
        return Err(Message::new(text, format!("{} undoes it", again(journal.command()))).into());
    }
    let mut outcomes = Vec::new();
    let complete = journal.undo(&mut |_, undone| outcomes.push(undone.clone()))?;
    let rows = || journal.steps().iter().rev().zip(&outcomes);
    output::answer(
        console,
        "undone",
        rows().map(|(step, undone)| UndoneRow::of(step, undone, journal.base())),
        |console| {
            let cells = rows().map(|(step, undone)| vec![path_now(step), outcome(step, undone)]);
            output::table(console, &["path", "outcome"], &[], cells)?;
            let count = outcomes.iter().filter(|undone| matches!(undone, Undone::Done)).count();
            Ok(writeln!(console.out, "\n{} undone", counted(count as u64, "change", "changes"))?)
        },
    )?;
    if complete {
        return Ok(Exit::Done);
    }
    console.note(format!("the journal stays: {} tries again", again(command)));
    Ok(Exit::NotFound)
}

/// The path that the step left.
fn path_now(step: &Step) -> String {
    match step {
        Step::Renamed { path, name } => Utf8Path::new(path).with_file_name(name).into_string(),
        _ => step.path().to_owned(),
    }
}

fn outcome(step: &Step, undone: &Undone) -> String {
    match (undone, step) {
        (Undone::Done, Step::Renamed { path, .. }) => {
            format!("renamed to {}", Utf8Path::new(path).file_name().unwrap_or_default())
        }
        (Undone::Done, _) => "removed".to_owned(),
        (Undone::Left(error), _) => format!("left: {}", error.reason()),
        _ => "not there".to_owned(),
    }
}

/// A change that was undone, or why not.
#[derive(Serialize)]
struct UndoneRow {
    /// The path that the change left.
    path: String,
    /// The path that a renamed file has again.
    to: Option<String>,
    done: bool,
    error: Option<String>,
}

impl UndoneRow {
    fn of(step: &Step, undone: &Undone, base: &Utf8Path) -> Self {
        let below = |path: &str| base.join(path).into_string();
        UndoneRow {
            path: below(&path_now(step)),
            to: match step {
                Step::Renamed { path, .. } => Some(below(path)),
                _ => None,
            },
            done: matches!(undone, Undone::Done),
            error: match undone {
                Undone::Left(error) => Some(error.reason()),
                _ => None,
            },
        }
    }
}
