//! The options of a mount.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use quakefs::rules::Host;
use quakefs::{Access, Engine, LooseFiles};

use crate::errors;
use crate::search_path::SearchPath;

/// Mounts a game as an engine would.
///
/// - base: the folder that holds id1. None: the sources alone.
/// - engine: one of `engines()`, by default "winquake".
/// - game: the game that the engine is started with, such as "ad"; games: several, in their order.
/// - missions: the flags of mission packs, such as "hipnotic".
/// - base_games: folders in the place of id1.
/// - more_bases: other folders like the base; whether they count is the engine's rule.
/// - sources: archives and folders above all others, the last one highest.
/// - user_directory: the folder of the user's own files; home: the user's home folder, in which the engine looks for it.
/// - host: the system that the engine runs on, "linux", "windows" or "macos"; by default this one.
/// - listed: loose files are listed at the mount, so that `changes` sees an edited one. Else the disk is asked for each name.
/// - mapped: archives are mapped. False: they are read by position.
///
/// One game, mission, base or source need not be in a list. No such engine or host is a ValueError. A game or a mission that is not there
/// is a finding where the engine starts without it, and a FileNotFoundError where it stops.
///
/// >>> quake = quakefs.mount("testdata/game", engine="quakespasm", game="mymod")
/// >>> [layer.name for layer in quake.layers][:3]
/// ['mymod/pak1.pak', 'mymod/pak0.pak', 'mymod/']
#[pyfunction]
#[pyo3(signature = (
    base=None, *, engine=None, game=None, games=Vec::new(), missions=Vec::new(), base_games=Vec::new(), more_bases=Vec::new(),
    sources=Vec::new(), user_directory=None, home=None, host=None, listed=false, mapped=true,
), text_signature = "(base=None, *, engine=None, game=None, games=(), missions=(), base_games=(), more_bases=(), sources=(), \
    user_directory=None, home=None, host=None, listed=False, mapped=True)")]
#[expect(clippy::too_many_arguments, reason = "the keywords of Python")]
pub(crate) fn mount(
    py: Python<'_>,
    base: Option<PathBuf>,
    engine: Option<&str>,
    game: Option<String>,
    #[pyo3(from_py_with = several)] games: Vec<String>,
    #[pyo3(from_py_with = several)] missions: Vec<String>,
    #[pyo3(from_py_with = several)] base_games: Vec<String>,
    #[pyo3(from_py_with = several)] more_bases: Vec<PathBuf>,
    #[pyo3(from_py_with = several)] sources: Vec<PathBuf>,
    user_directory: Option<PathBuf>,
    home: Option<PathBuf>,
    host: Option<&str>,
    listed: bool,
    mapped: bool,
) -> PyResult<SearchPath> {
    if game.is_some() && !games.is_empty() {
        return Err(PyTypeError::new_err("game and games are both given: games takes them all, in order"));
    }
    let mut builder = match base {
        Some(base) => quakefs::SearchPath::builder(base),
        None => quakefs::SearchPath::layers_only(),
    };
    if let Some(engine) = engine {
        builder = builder.engine(parsed::<Engine>(engine)?);
    }
    if let Some(host) = host {
        builder = builder.host(parsed::<Host>(host)?);
    }
    builder = more_bases.into_iter().fold(builder, quakefs::Builder::base_directory);
    builder = base_games.into_iter().fold(builder, quakefs::Builder::base_game);
    builder = missions.into_iter().fold(builder, quakefs::Builder::mission);
    builder = game.into_iter().chain(games).fold(builder, quakefs::Builder::game);
    if let Some(home) = home {
        builder = builder.home(home);
    }
    if let Some(user) = user_directory {
        builder = builder.user_directory(user);
    }
    for source in sources {
        builder =
            if py.detach(|| source.is_dir()) { builder.folder(source) } else { builder.archive(source) };
    }
    builder = builder
        .loose_files(if listed { LooseFiles::Listed } else { LooseFiles::Live })
        .access(if mapped { Access::Map } else { Access::Read });
    let mounted = py.detach(|| builder.mount());
    mounted.map(SearchPath).map_err(|error| errors::raised(py, &error))
}

/// One, or several in a list.
fn several<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    given: &Bound<'py, PyAny>,
) -> PyResult<Vec<T>> {
    if let Ok(one) = given.extract() {
        return Ok(vec![one]);
    }
    given.try_iter()?.map(|one| one?.extract()).collect()
}

fn parsed<T: FromStr<Err: Display>>(word: &str) -> PyResult<T> {
    word.parse().map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

/// The names of the engines that `mount` knows.
///
/// >>> "ironwail" in quakefs.engines()
/// True
#[pyfunction]
pub(crate) fn engines() -> Vec<&'static str> {
    Engine::ALL.iter().map(|engine| engine.name()).collect()
}
