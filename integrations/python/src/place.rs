//! Where a download goes in a base directory, and how it is started.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quakefs::disk::{Disk, SystemDisk, folders_in};
use quakefs::errors::utf8;
use quakefs::sentences::Help as _;
use quakefs::{Engine, Error, ErrorKind, SearchPath};
use quakefs_extract::journal::{Journal, Undone};
use quakefs_installed::{Download, Nothing, PlaceOptions};

use crate::archive::extract;
use crate::errors::{self, noted, raised};
use crate::mount::parsed;

/// EEXIST, which has this number on every system that Python runs on.
const EXISTS: i32 = 17;
/// How many names of files an exception lists.
const LISTED: usize = 20;

/// Finds where the files of a download go, and how it is started. Nothing is written.
///
/// - path: an archive, a level, a demo, or a folder that was unpacked somewhere.
/// - basedir: the folder that contains id1. A folder of the download belongs to a game directory there with the same name.
/// - engine: the engine that will load the download, one of `engines()`. Its base game is used if the download does not
///   show the family of its game.
/// - name: the name of the game directory. None: find it.
///
/// The folders of the download decide, then the author's text. Levels without a folder go into the base game. If only
/// the file name of the download is left, the place is a guess: `by` of the part is "name".
///
/// >>> (part,) = quakefs.place("testdata/game/id1/maps/mine.bsp").parts
/// >>> part.to, part.by
/// ('id1/maps/', 'levels')
#[pyfunction]
#[pyo3(signature = (path, *, basedir=None, engine=None, name=None))]
pub(crate) fn place(
    py: Python<'_>,
    path: PathBuf,
    basedir: Option<PathBuf>,
    engine: Option<&str>,
    name: Option<String>,
) -> PyResult<Placement> {
    let engine = engine.map(parsed::<Engine>).transpose()?;
    let placed = py.detach(|| {
        let disk: Arc<dyn Disk> = Arc::new(SystemDisk);
        let directories = basedir.map(|base| folders(&base)).transpose()?.unwrap_or_default();
        let options = PlaceOptions {
            engine: engine.map(Engine::rules),
            name: name.as_deref(),
            directories: &directories,
            ..PlaceOptions::default()
        };
        let placed = quakefs_installed::place(&Download::open(&disk, utf8(&path)?)?, &options);
        match (placed.nothing, &name) {
            (Some(Nothing::BadName), Some(game)) => Err(ErrorKind::BadGame { game: game.clone() }.into()),
            _ => Ok(placed),
        }
    });
    let placed = placed.map_err(|error| raised(py, &error))?;
    let engine = engine.unwrap_or(placed.family.engine());
    Ok(Placement { download: path.display().to_string(), engine, placed })
}

/// The folders in a base directory.
fn folders(base: &std::path::Path) -> Result<Vec<String>, Error> {
    let base = utf8(base)?;
    folders_in(&SystemDisk, base).map_err(|error| Error::io(base, "open", error))
}

/// Undoes the changes that a journal lists. The journal comes from `Placement.write`, `quakefs place --write` or
/// `quakefs fix --write`. A file that was changed since then stays, and so does a folder with other files. Nothing
/// outside the folder of the journal is changed.
///
/// The result has the path of everything that stayed, with the reason. If it is empty, the journal is removed too;
/// otherwise a second call tries again.
#[pyfunction]
pub(crate) fn undo(py: Python<'_>, journal: PathBuf) -> PyResult<BTreeMap<String, String>> {
    let undone = py.detach(|| {
        let mut left = BTreeMap::new();
        Journal::open(&journal)?.undo(&mut |step, undone| {
            if let Undone::Left(error) = undone {
                left.insert(step.path().to_owned(), error.reason());
            }
        })?;
        Ok(left)
    });
    undone.map_err(|error| raised(py, &error))
}

/// Where the files of a download go, and how it is started.
///
/// >>> guess = quakefs.place("testdata/game/mymod")
/// >>> [(part.to, part.by) for part in guess.parts]
/// [('mymod/', 'name')]
/// >>> guess.starts[0].words
/// ['-game', 'mymod']
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Placement {
    /// The path for messages.
    download: String,
    engine: Engine,
    placed: quakefs_installed::Placement,
}

#[pymethods]
impl Placement {
    /// The family of games that the download is for: "Quake", "Quake II", "Quake III" or "Half-Life".
    #[getter]
    fn family(&self) -> &str {
        &self.placed.family.name
    }

    /// The parts of the download that go somewhere.
    #[getter]
    fn parts(&self) -> Vec<Part> {
        self.placed.parts.iter().map(Part::from).collect()
    }

    /// How to start each game directory of the download.
    #[getter]
    fn starts(&self) -> Vec<Start> {
        let start = |start: &quakefs_installed::Start| Start {
            words: start.words(&self.placed.family),
            missions: start.missions.clone(),
            games: start.games.clone(),
            level: start.level.clone(),
        };
        self.placed.starts.iter().map(start).collect()
    }

    /// The files that stay in the download, such as a text beside the folder of a mod.
    #[getter]
    fn left(&self) -> &[String] {
        &self.placed.left
    }

    /// What is unclear or could not be read, one sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.placed.notes.iter().map(ToString::to_string).collect()
    }

    /// Why no file goes anywhere, as a word that stays the same in all versions: "empty", "texts", "loose", "textures",
    /// "source" or "unknown". None if the download has parts.
    #[getter]
    fn nothing(&self) -> Option<&'static str> {
        self.placed.nothing.map(Nothing::name)
    }

    /// The same as a sentence, or None.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.placed.nothing.map(|nothing| nothing.to_string())
    }

    /// Advice for a download that goes nowhere, or None.
    #[getter]
    fn help(&self) -> Option<String> {
        self.placed.nothing?.help(None)
    }

    /// Unpacks the files to their places below a base directory, and returns the path of a journal for `undo`. If all files
    /// are there already, returns None.
    ///
    /// Before anything is written, raises ValueError for a download that goes nowhere and for a guess, and
    /// FileExistsError if a file is there with other content. No file is ever replaced.
    fn write(&self, py: Python<'_>, basedir: PathBuf) -> PyResult<Option<String>> {
        self.check(py)?;
        let base = utf8(&basedir).map_err(|error| raised(py, &error))?;
        let different = py.detach(|| {
            // explains a folder without the game
            SearchPath::builder(base).engine(self.engine).mount()?;
            let existing = self.placed.existing(&SystemDisk, base);
            let different = existing.into_iter().filter(|(_, is_same)| !is_same);
            Ok(different.filter_map(|(number, _)| self.placed.files.get(number)).collect::<Vec<_>>())
        });
        let different = different.map_err(|error| raised(py, &error))?;
        if !different.is_empty() {
            let names: Vec<&str> = different.iter().take(LISTED).map(|file| &*file.to).collect();
            let more = match different.len() - names.len() {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let text = format!("these files exist and differ: {}{more}", names.join(", "));
            let refused = errors::of_system(EXISTS, text, Some(base.to_string()));
            noted(py, &refused, "move them away, or choose another folder: place(..., name=...)");
            return Err(refused);
        }
        let written = py.detach(|| {
            let (plan, limits) = (self.placed.plan(base)?, self.placed.limits());
            plan.check(&limits)?;
            let journal = Journal::of_plan(base, &plan)?.map(|journal| journal.path().to_string());
            Ok((journal, extract(&plan, &basedir, &limits)?.1))
        });
        let (journal, refused) = written.map_err(|error| raised(py, &error))?;
        let Some(failed) = errors::of_files(py, &refused) else { return Ok(journal) };
        if let Some(journal) = journal {
            noted(py, &failed, &format!("quakefs.undo({journal:?}) removes the other files"));
        }
        Err(failed)
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Placement {}: {} files>", self.download, self.placed.files.len())
    }
}

impl Placement {
    /// Raises an exception unless every file has a place that is not a guess.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let (text, help) = match (self.placed.nothing, self.placed.guess()) {
            (Some(nothing), _) => (format!("nothing of it goes into a game: {nothing}"), nothing.help(None)),
            (None, Some(guess)) => {
                let name = guess.to.split('/').next().unwrap_or_default();
                let help = format!("name the game directory: place(..., name={name:?})");
                (format!("{} is a guess", guess.to), Some(help))
            }
            (None, None) => return Ok(()),
        };
        let refused = PyValueError::new_err(format!("{}: {text}", self.download));
        if let Some(help) = help {
            noted(py, &refused, &help);
        }
        Err(refused)
    }
}

/// Files of a download that go to one folder for one reason.
#[pyclass(frozen, get_all, module = "quakefs")]
pub(crate) struct Part {
    /// The folder in the download, such as "progs_dump/pd/"; empty for the download itself. `from` is a keyword of Python.
    from_: String,
    /// The folder below the base directory, such as "pd/", or "id1/maps/" for levels.
    to: String,
    /// The reason, as a word that stays the same in all versions: "as" for the name that was given, "folder" for the
    /// download's own folder, "text" for the author's text, "base" and "levels" for the base game, "name" for a guess.
    by: &'static str,
    /// The number of files.
    files: usize,
    /// The game directory, if an option of the engine selects it, or None.
    game: Option<String>,
    /// The line of the author's text that names the place, or None.
    text: Option<String>,
}

impl From<&quakefs_installed::Part> for Part {
    fn from(part: &quakefs_installed::Part) -> Self {
        Part {
            from_: part.from.clone(),
            to: part.to.clone(),
            by: part.by.name(),
            files: part.files,
            game: part.game.clone(),
            text: part.by.line().map(str::to_owned),
        }
    }
}

#[pymethods]
impl Part {
    fn __repr__(&self) -> String {
        format!("<quakefs.Part {:?} to {:?}, by {}, {} files>", self.from_, self.to, self.by, self.files)
    }
}

/// How a game directory of a download is started.
#[pyclass(frozen, get_all, module = "quakefs")]
pub(crate) struct Start {
    /// The words for the engine's command line, such as ["-game", "pd", "+map", "start"].
    words: Vec<String>,
    /// The mission flags without the dash, for `missions` of `mount`.
    missions: Vec<String>,
    /// The game directories, for `games` of `mount`.
    games: Vec<String>,
    /// The level that the words start, or None.
    level: Option<String>,
}

#[pymethods]
impl Start {
    fn __repr__(&self) -> String {
        format!("<quakefs.Start {:?}>", self.words)
    }
}
