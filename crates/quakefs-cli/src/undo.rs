//! `--undo`: undoes the changes that a command recorded in a journal.

use camino::Utf8Path;
use quakefs_extract::journal::{Journal, Step, Undone};

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
    if console.json {
        for (step, undone) in rows() {
            print_json(step, undone, journal.base(), console)?;
        }
    } else {
        let cells = rows().map(|(step, undone)| vec![path_now(step), outcome(step, undone)]);
        output::table(console, &["path", "outcome"], &[], cells)?;
        let count = outcomes.iter().filter(|undone| matches!(undone, Undone::Done)).count();
        writeln!(console.out, "\n{} undone", counted(count as u64, "change", "changes"))?;
    }
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

fn print_json(
    step: &Step,
    undone: &Undone,
    base: &Utf8Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let path = |path: &str| base.join(path).into_string().into();
    let done = ("done", matches!(undone, Undone::Done).into());
    let error = match undone {
        Undone::Left(error) => Some(error.reason()),
        _ => None,
    };
    let error = ("error", error.into());
    match step {
        Step::Renamed { path: old, .. } => output::pairs(
            console,
            "rename",
            &[("from", path(&path_now(step))), ("to", path(old)), done, error],
        ),
        _ => output::pairs(console, "remove", &[("path", path(step.path())), done, error]),
    }
}
