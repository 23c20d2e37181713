//! What was placed in a base directory, and what an undo did.

use std::collections::BTreeSet;
use std::fmt;

use camino::Utf8Path;
use quakefs::sentences::{counted, printable};
use quakefs_extract::journal::{Journal, Step, Undone};
use serde::Serialize;

use super::joined;
use super::path::slashed;
use super::place::some;
use crate::choose::Choices;
use crate::error::Error;
use crate::options::{Options, Surroundings};

/// A download that was placed in a base directory, from the journal for its undo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JournalRow {
    /// The file name of the download; null in journals of versions that did not write it.
    pub download: Option<String>,
    /// The folders of its files in the base directory, such as `pd/` and `id1/`.
    pub folders: Vec<String>,
    /// How many files it has.
    pub files: u64,
    /// The path of the journal.
    pub journal: String,
}

/// `pd.zip: 2 files in pd/`.
impl fmt::Display for JournalRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.download.as_deref().unwrap_or(&self.journal);
        let folders = some(self.folders.iter().map(String::as_str));
        let files = counted(self.files, "file", "files");
        write!(f, "{}: {files} in {}", printable(name), printable(&folders))
    }
}

impl JournalRow {
    /// The downloads that were placed in the base directory.
    ///
    /// # Errors
    /// As [`Choices::of`]. There is no base directory, it cannot be listed, or a journal in it cannot be
    /// read.
    pub fn all(options: &Options, surroundings: &Surroundings) -> Result<Vec<JournalRow>, Error> {
        let Some(base) = Choices::of(options, surroundings)?.base else {
            let folder = surroundings.folder.as_ref().map_or(".", |folder| folder.as_str());
            return Err(Error::no_game(folder.to_owned(), "there is no game here", surroundings.shell()));
        };
        let row = |journal: &Journal| {
            let folders = journal.files().filter_map(|path| Some(path.split_once('/')?.0.to_owned() + "/"));
            JournalRow {
                download: journal.download().map(str::to_owned),
                folders: folders.collect::<BTreeSet<_>>().into_iter().collect(),
                files: journal.files().count() as u64,
                journal: slashed(journal.path().as_str()),
            }
        };
        Ok(Journal::placed_in(&base)?.iter().map(row).collect())
    }

    /// The download that somebody means by a name: its own, also without its ending, or that of a folder with
    /// its files. Upper and lower case are the same.
    ///
    /// # Errors
    /// As [`all`](Self::all). [`Error::NotPlaced`] if no download has the name, or several have it.
    pub fn named(name: &str, options: &Options, surroundings: &Surroundings) -> Result<JournalRow, Error> {
        let all = JournalRow::all(options, surroundings)?;
        let same = |other: &str| other.eq_ignore_ascii_case(name);
        let of_download = |file: &str| same(file) || Utf8Path::new(file).file_stem().is_some_and(same);
        let is = |row: &&JournalRow| row.download.as_deref().is_some_and(of_download);
        let is_in = |row: &&JournalRow| row.folders.iter().any(|folder| same(folder.trim_end_matches('/')));
        let mut found: Vec<&JournalRow> = all.iter().filter(is).collect();
        if found.is_empty() {
            found = all.iter().filter(is_in).collect();
        }
        let (because, reason, help) = match &*found {
            [one] => return Ok((*one).clone()),
            [] => {
                let list = surroundings.shell().map(|shell| shell.command("place", None) + " --list");
                let help = match (&*all, list) {
                    ([], _) => None,
                    (_, Some(list)) => Some(format!("`{list}` lists what was placed")),
                    (all, None) => Some(format!("name one of these: {}", joined(all, ", "))),
                };
                ("not-placed", "no download of this name was placed".to_owned(), help)
            }
            several => {
                let journals = some(several.iter().map(|row| &*row.journal));
                let reason = format!("{} downloads have this name", several.len());
                ("several", reason, Some(format!("name the journal: {journals}")))
            }
        };
        Err(Error::NotPlaced { file: name.to_owned(), because, reason, help })
    }
}

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
    /// Whether it stays, because it is a folder with other files, or a file that another download brought.
    pub shared: bool,
    /// Why it was not undone.
    pub error: Option<String>,
}

/// What became of the path: `removed`, `renamed to pak2.pak`, `left: why`, `stays: why`, `not there`.
impl fmt::Display for UndoneRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.done, &self.error, &self.before) {
            (true, _, Some(before)) => {
                write!(f, "renamed to {}", printable(Utf8Path::new(before).file_name().unwrap_or_default()))
            }
            (true, _, None) => f.write_str("removed"),
            (false, Some(error), _) => write!(f, "left: {error}"),
            (false, None, _) if self.shared => f.write_str("stays: it is also another's"),
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
    let shared = matches!(undone, Undone::Shared);
    UndoneRow { path, before, done: matches!(undone, Undone::Done), shared, error }
}
