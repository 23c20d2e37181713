//! What Python says about a game, as the options of the waist.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::PathBuf;

use camino::Utf8PathBuf;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quakefs::errors::utf8;
use quakefs::findings::{FindingKind, Severity};
use quakefs::rules::Rules;
use quakefs::sentences::Help as _;
use quakefs::{Access, Engine, Finding, LooseFiles};
use quakefs_game::{Game, InstalledAnswer, Note, Options, Over, Surroundings};
use quakefs_installed::Places;

use crate::errors::detached;
use crate::names::parsed;
use crate::rows::rows;
use crate::search_path::SearchPath;
use crate::{errors, position};

/// The keywords of Python, in the form that `quakefs._mount` brings them to.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    bases: Vec<PathBuf>,
    #[pyo3(default)]
    engine: Option<String>,
    #[pyo3(default)]
    rules: Option<String>,
    #[pyo3(default)]
    games: Vec<String>,
    #[pyo3(default)]
    missions: Vec<String>,
    #[pyo3(default)]
    base_games: Vec<String>,
    #[pyo3(default)]
    settings: BTreeMap<String, String>,
    #[pyo3(default)]
    over: Vec<(Option<String>, PathBuf)>,
    #[pyo3(default)]
    mounts: Vec<PathBuf>,
    #[pyo3(default)]
    user_directory: Option<PathBuf>,
    #[pyo3(default)]
    program_directory: Option<PathBuf>,
    #[pyo3(default)]
    on: Option<String>,
    #[pyo3(default)]
    games_exist: bool,
    #[pyo3(default)]
    folder: Option<PathBuf>,
    #[pyo3(default)]
    home: Option<PathBuf>,
    /// The folder in which stores are looked for.
    #[pyo3(default)]
    stores: Option<PathBuf>,
}

impl Asked {
    pub(crate) fn read(
        self,
        py: Python<'_>,
        disk: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Options, Surroundings)> {
        let path = |path: PathBuf| match utf8(&path) {
            Ok(path) => Ok(path.to_owned()),
            Err(error) => Err(errors::raised(py, &error)),
        };
        let paths = |given: Vec<PathBuf>| given.into_iter().map(path).collect::<PyResult<Vec<_>>>();
        let over = |(name, file)| PyResult::Ok(Over { name, file: path(file)? });
        let options = Options {
            bases: paths(self.bases)?,
            engine: self.engine.as_deref().map(parsed).transpose()?,
            rules: self.rules.as_deref().map(rules_of).transpose()?,
            games: self.games,
            missions: self.missions,
            base_games: self.base_games,
            settings: self.settings,
            over: self.over.into_iter().map(over).collect::<PyResult<_>>()?,
            mounts: paths(self.mounts)?,
            user_directory: self.user_directory.map(path).transpose()?,
            no_user_directory: false,
            program_directory: self.program_directory.map(path).transpose()?,
            on: self.on.as_deref().map(parsed).transpose()?,
            games_exist: self.games_exist,
        };
        let mut surroundings = match disk {
            Some(disk) => Surroundings::of(position::disk(disk)?),
            None => Surroundings { stores: places(self.stores), ..Surroundings::default() },
        };
        surroundings.folder = self.folder.map(path).transpose()?;
        surroundings.home = self.home.map(path).transpose()?;
        if disk.is_some() && options.bases.is_empty() && surroundings.folder.is_none() {
            surroundings.folder = Some(Utf8PathBuf::from("."));
        }
        Ok((options, surroundings))
    }
}

fn rules_of(text: &str) -> PyResult<Rules> {
    Rules::from_toml(text).map_err(|error| PyValueError::new_err(format!("rules: {error}")))
}

/// Mounts a game. `arguments` are those of `quakefs.mount`, for another process.
#[pyfunction]
pub(crate) fn mount(
    py: Python<'_>,
    asked: Asked,
    disk: Option<Bound<'_, PyAny>>,
    listed: Option<bool>,
    mapped: bool,
    arguments: Py<PyDict>,
) -> PyResult<SearchPath> {
    let (options, surroundings) = asked.read(py, disk.as_ref())?;
    let loose_files = if listed.unwrap_or(disk.is_some()) { LooseFiles::Listed } else { LooseFiles::Live };
    let access = if mapped { Access::Map } else { Access::Read };
    let game = detached(py, || {
        let mut prepared = Game::prepare(&options, &surroundings)?;
        prepared.builder = prepared.builder.loose_files(loose_files).access(access);
        prepared.mount()
    })?;
    let game = game.map_err(|error| errors::of_game(py, &error))?;
    let help = |help: Option<String>| help.map_or_else(String::new, |help| format!(" ({help})"));
    let notes = game.notes.iter().filter(|note| note.severity() >= Severity::Warning);
    let notes = notes.map(|note: &Note| format!("{note}{}", help(note.help(None))));
    let missing = |finding: &&Finding| matches!(finding.kind, FindingKind::MissingDirectory { .. });
    let missing = game.search_path.findings().filter(missing);
    for text in notes.chain(missing.map(|found| format!("{found}{}", help(found.help(None))))) {
        // from Python's half, and its caller
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 2)?;
    }
    Ok(SearchPath(game, arguments))
}

/// The names of the engines that `mount` knows.
///
/// >>> "ironwail" in quakefs.engines()
/// True
#[pyfunction]
pub(crate) fn engines() -> Vec<&'static str> {
    Engine::ALL.iter().map(|engine| engine.name()).collect()
}

/// The games that stores have installed, each tried with an engine.
#[pyfunction]
pub(crate) fn installed<'py>(
    py: Python<'py>,
    home: Option<PathBuf>,
    engine: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let engine = engine.map(parsed).transpose()?;
    rows(py, "InstalledAnswer", &detached(py, || InstalledAnswer::of(&places(home), engine))?)
}

/// The places of the stores on this computer.
fn places(home: Option<PathBuf>) -> Places {
    let system = home.as_deref().and_then(|home| home.ancestors().last()).map(PathBuf::from);
    let places = Places { home, system, ..Places::default() };
    #[cfg(windows)]
    let places = if places.system.is_some() { places.registry() } else { places };
    places
}
