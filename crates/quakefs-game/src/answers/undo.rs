//! What a journal's undo did.

use std::fmt;

use camino::Utf8Path;
use quakefs::sentences::{counted, printable};
use quakefs_extract::journal::{Journal, Step, Undone};
use serde::Serialize;

use crate::error::Error;

/// What the undo of a journal did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UndoAnswer {
    /// The steps, the last one first.
    pub steps: Vec<UndoneRow>,
    /// Whether everything was undone. The journal is then removed; otherwise it stays, and a second undo
    /// tries again.
    pub complete: bool,
}

/// `2 changes undone`.
impl fmt::Display for UndoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.steps.iter().filter(|row| row.done).count() as u64;
        write!(f, "{} undone", counted(count, "change", "changes"))
    }
}

/// What the undo of one step did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UndoneRow {
    /// The path that the step left, below the folder of the journal.
    pub path: String,
    /// The path before the step, if the step was a rename; null for a file or a folder, which the undo
    /// removes.
    pub before: Option<String>,
    /// Whether it was undone. A step that has nothing to undo is not done, and has no error.
    pub done: bool,
    /// Why it was not undone.
    pub error: Option<String>,
}

/// What became of the path: `removed`, `renamed to pak2.pak`, `left: why`, `not there`.
impl fmt::Display for UndoneRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.done, &self.error, &self.before) {
            (true, _, Some(before)) => {
                write!(f, "renamed to {}", printable(Utf8Path::new(before).file_name().unwrap_or_default()))
            }
            (true, _, None) => f.write_str("removed"),
            (false, Some(error), _) => write!(f, "left: {error}"),
            (false, None, _) => f.write_str("not there"),
        }
    }
}

impl UndoAnswer {
    /// Undoes the changes of a journal, the last one first. A file that was changed since then stays, and so
    /// does a folder with other files.
    ///
    /// # Errors
    /// The folder of the journal cannot be opened, or the journal cannot be removed at the end.
    pub fn of(journal: &Journal) -> Result<UndoAnswer, Error> {
        let mut steps = Vec::with_capacity(journal.steps().len());
        let complete = journal.undo(&mut |step, undone| steps.push(row(step, undone)))?;
        Ok(UndoAnswer { steps, complete })
    }
}

fn row(step: &Step, undone: &Undone) -> UndoneRow {
    let (path, before) = match step {
        Step::Renamed { path, name } => {
            (Utf8Path::new(path).with_file_name(name).into_string(), Some(path.clone()))
        }
        _ => (step.path().to_owned(), None),
    };
    let error = match undone {
        Undone::Left(error) => Some(error.reason()),
        _ => None,
    };
    UndoneRow { path, before, done: matches!(undone, Undone::Done), error }
}
