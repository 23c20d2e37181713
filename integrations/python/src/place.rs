//! Where a download goes in a base directory, and how it is started.

use std::path::PathBuf;

use pyo3::prelude::*;
use quakefs_extract::journal::Journal;
use quakefs_game::{JournalRow, Over, UndoAnswer};

use crate::archive::extract;
use crate::errors::{self, detached, noted, of_game, raised};
use crate::mount::Asked;
use crate::rows::rows;

/// Where the files of a download go, how it is started, and what it changes.
///
/// >>> guess = quakefs.place("testdata/game/mymod")
/// >>> [(part.to, part.by) for part in guess.answer.parts]
/// [('mymod/', 'name')]
/// >>> guess.answer.starts[0].words
/// ['-game', 'mymod']
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Placed(quakefs_game::Placed);

#[pymethods]
impl Placed {
    /// The parts of the download with their places, how it is started, and what is there already.
    #[getter]
    fn answer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, "PlaceAnswer", &self.0.answer)
    }

    /// What the engine would load differently, what would be wrong, and which game fits the levels. None
    /// without a base directory that contains the game, or if nothing is placed.
    fn effects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let effects = detached(py, || self.0.effects())?.map_err(|error| of_game(py, &error))?;
        rows(py, "EffectsRow", &effects)
    }

    /// Unpacks the files to their places below the base directory, and returns the path of a journal for
    /// `undo`. If all files are there already, returns None.
    ///
    /// Before anything is written, raises ValueError for a download that goes nowhere and for a guess,
    /// FileNotFoundError without a base directory that contains the game, and FileExistsError if a file is
    /// there with other content. No file is ever replaced.
    fn write(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let written =
            detached(py, || self.0.write(|plan, base, options| extract(plan, base.as_std_path(), options)))?;
        let (journal, written) = written.map_err(|error| of_game(py, &error))?;
        let (_, refused) = written.map_err(|error| raised(py, &error))?;
        let journal = journal.map(|journal| journal.path().to_string());
        let Some(failed) = errors::of_files(py, &refused) else { return Ok(journal) };
        if let Some(journal) = journal {
            noted(py, &failed, &format!("quakefs.undo({journal:?}) removes the other files"));
        }
        Err(failed)
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Placed {}: {} files>", self.0.answer.file, self.0.placement.files.len())
    }
}

/// Finds where the files of a download go.
#[pyfunction]
pub(crate) fn place(py: Python<'_>, file: PathBuf, name: Option<String>, asked: Asked) -> PyResult<Placed> {
    let (options, surroundings) = asked.read(py, None)?;
    let file = quakefs::errors::utf8(&file).map_err(|error| raised(py, &error))?.to_owned();
    let placed = detached(py, || quakefs_game::Placed::of(&options, &surroundings, &Over { name, file }))?;
    Ok(Placed(placed.map_err(|error| of_game(py, &error))?))
}

/// The downloads that were placed in a base directory.
#[pyfunction]
pub(crate) fn placements(py: Python<'_>, asked: Asked) -> PyResult<Bound<'_, PyAny>> {
    let (options, surroundings) = asked.read(py, None)?;
    let all = detached(py, || JournalRow::all(&options, &surroundings))?;
    rows(py, "JournalRow", &all.map_err(|error| of_game(py, &error))?)
}

/// Undoes the changes that a journal lists. The journal comes from `Placed.write`, `quakefs place --write` or
/// `quakefs fix --write`. A file that was changed since then stays, and so does a folder with other files.
/// Nothing outside the folder of the journal is changed.
///
/// The result has each step, and the reason for each that was not undone. If it is complete, the journal is
/// removed too; otherwise a second call tries again.
#[pyfunction]
pub(crate) fn undo(py: Python<'_>, journal: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let undone = detached(py, || UndoAnswer::of(&Journal::open(&journal)?))?;
    rows(py, "UndoAnswer", &undone.map_err(|error| of_game(py, &error))?)
}
