//! `--undo`: undoes the changes that a command recorded in a journal.

use camino::Utf8Path;
use quakefs_extract::journal::Journal;
use quakefs_game::{UndoAnswer, UndoneRow};

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
    let UndoAnswer { steps, complete } = UndoAnswer::of(&journal)?;
    output::answer(console, "undone", &steps, |console| {
        let cells = steps.iter().map(|row| vec![row.path.clone(), outcome(row)]);
        output::table(console, &["path", "outcome"], &[], cells)?;
        let count = steps.iter().filter(|row| row.done).count() as u64;
        Ok(writeln!(console.out, "\n{} undone", counted(count, "change", "changes"))?)
    })?;
    if complete {
        return Ok(Exit::Done);
    }
    console.note(format!("the journal stays: {} tries again", again(command)));
    Ok(Exit::NotFound)
}

fn outcome(row: &UndoneRow) -> String {
    match (row.done, &row.error, &row.before) {
        (true, _, Some(before)) => {
            format!("renamed to {}", Utf8Path::new(before).file_name().unwrap_or_default())
        }
        (true, _, None) => "removed".to_owned(),
        (false, Some(error), _) => format!("left: {error}"),
        (false, None, _) => "not there".to_owned(),
    }
}
