//! `--undo`: undoes the changes that a command recorded in a journal.

use camino::Utf8Path;
use quakefs_extract::journal::Journal;
use quakefs_game::UndoAnswer;

use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, named};
use crate::text::command_line;

pub(crate) fn undo(command: &str, file: &Utf8Path, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &*camino::absolute_utf8(file).unwrap_or_else(|_| file.to_owned());
    let again = |command| format!("`{}`", command_line(["quakefs", command, "--undo", file.as_str()]));
    let journal = Journal::open(file)?;
    if journal.command() != command {
        let text = format!("{file}: it is a journal of `quakefs {}`", journal.command());
        return Err(Message::new(text, format!("{} undoes it", again(journal.command()))).into());
    }
    let undone = UndoAnswer::of(&journal)?;
    output::answer(console, "undone", &undone.steps, |console| {
        let cells = undone.steps.iter().map(|row| vec![row.path.clone(), row.to_string()]);
        output::table(console, &named("path", &["outcome"]), cells)?;
        Ok(writeln!(console.out, "\n{undone}")?)
    })?;
    if undone.complete {
        return Ok(Exit::Done);
    }
    console.note(format!("the journal stays: {} tries again", again(command)));
    Ok(Exit::NotFound)
}
