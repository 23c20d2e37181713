//! The options of a mount.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quakefs::disk::{Disk, FileKind, SystemDisk};
use quakefs::findings::FindingKind;
use quakefs::rules::Host;
use quakefs::sentences::Help as _;
use quakefs::{Access, Engine, Finding, LooseFiles};

use crate::search_path::SearchPath;
use crate::{errors, position};

/// Mounts a game as an engine would.
///
/// - base: the folder that contains id1. None: mount only the sources.
/// - engine: one of `engines()`; by default the engine whose program is in the base, or else "quakespasm".
/// - game: the mod that the engine is started with, such as "ad"; games: several, in order.
/// - missions: mission pack flags, such as "hipnotic".
/// - base_games: folders that replace id1.
/// - settings: settings of the engine by name, such as {"fs_basegame": "missionpack"}.
/// - more_bases: further base directories, for engines that support them.
/// - sources: archives and folders that override all others, the last one highest.
/// - user_directory: the folder with the user's own files; home: the home folder, in which the engine looks for the
///   user directory.
/// - host: the engine's operating system, "linux", "windows" or "macos"; by default this one.
/// - disk: where all these are, instead of on this computer: a filesystem of fsspec, or the file object of an archive, whose
///   root is the default base. Archives are read by position.
/// - listed: list loose files when mounting, so that `changes` notices edited ones. Otherwise each lookup accesses the disk.
///   By default True with a `disk`.
/// - mapped: map archives into memory. False: read them by position.
///
/// A single game, mission, base or source needs no list. An unknown engine or host raises ValueError. If a game or
/// mission is missing and the engine would start without it, `mount` warns, and the result has a finding; otherwise
/// FileNotFoundError is raised.
///
/// >>> quake = quakefs.mount("testdata/game", engine="quakespasm", game="mymod")
/// >>> [layer.name for layer in quake.layers][:3]
/// ['mymod/pak1.pak', 'mymod/pak0.pak', 'mymod/']
#[pyfunction]
#[pyo3(signature = (
    base=None, *, engine=None, game=None, games=Vec::new(), missions=Vec::new(), base_games=Vec::new(), more_bases=Vec::new(),
    sources=Vec::new(), user_directory=None, home=None, host=None, disk=None, listed=None, mapped=true, settings=BTreeMap::new(),
), text_signature = "(base=None, *, engine=None, game=None, games=(), missions=(), base_games=(), more_bases=(), sources=(), \
    user_directory=None, home=None, host=None, disk=None, listed=None, mapped=True, settings={})")]
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
    disk: Option<Bound<'_, PyAny>>,
    listed: Option<bool>,
    mapped: bool,
    settings: BTreeMap<String, String>,
) -> PyResult<SearchPath> {
    let options = PyDict::new(py);
    options.set_item("base", &base)?;
    options.set_item("engine", engine)?;
    options.set_item("game", &game)?;
    options.set_item("games", &games)?;
    options.set_item("missions", &missions)?;
    options.set_item("base_games", &base_games)?;
    options.set_item("more_bases", &more_bases)?;
    options.set_item("sources", &sources)?;
    options.set_item("user_directory", &user_directory)?;
    options.set_item("home", &home)?;
    options.set_item("host", host)?;
    options.set_item("disk", &disk)?;
    options.set_item("listed", listed)?;
    options.set_item("mapped", mapped)?;
    options.set_item("settings", &settings)?;
    if game.is_some() && !games.is_empty() {
        return Err(PyTypeError::new_err("game and games are both given: games takes them all, in order"));
    }
    let listed = listed.unwrap_or(disk.is_some());
    let (base, disk): (_, Arc<dyn Disk>) = match &disk {
        Some(disk) => (base.or_else(|| Some(".".into())), position::disk(disk)?),
        None => (base, Arc::new(SystemDisk)),
    };
    let engine = match engine {
        Some(engine) => Some(parsed::<Engine>(engine)?),
        None => base.as_deref().and_then(|base| py.detach(|| of_program(&*disk, base))),
    };
    let mut builder = match base {
        Some(base) => quakefs::SearchPath::builder(base),
        None => quakefs::Builder::new(),
    };
    if let Some(engine) = engine {
        builder = builder.engine(engine);
    }
    if let Some(host) = host {
        builder = builder.host(parsed::<Host>(host)?);
    }
    builder = more_bases.into_iter().fold(builder, quakefs::Builder::base_directory);
    builder = base_games.into_iter().fold(builder, quakefs::Builder::base_game);
    builder = missions.into_iter().fold(builder, quakefs::Builder::mission);
    builder = game.into_iter().chain(games).fold(builder, quakefs::Builder::game);
    builder = settings.into_iter().fold(builder, |builder, (name, value)| builder.set(name, value));
    if let Some(home) = home {
        builder = builder.home(home);
    }
    if let Some(user) = user_directory {
        builder = builder.user_directory(user);
    }
    let is_folder = |path: &Path| disk.stat(path).is_ok_and(|stat| stat.kind == FileKind::Folder);
    for source in sources {
        builder =
            if py.detach(|| is_folder(&source)) { builder.folder(source) } else { builder.archive(source) };
    }
    builder = builder
        .disk(Arc::clone(&disk))
        .loose_files(if listed { LooseFiles::Listed } else { LooseFiles::Live })
        .access(if mapped { Access::Map } else { Access::Read });
    let mounted = py.detach(|| builder.mount());
    let mounted = mounted.map_err(|error| errors::raised(py, &error))?;
    let missing = |finding: &&Finding| matches!(finding.kind, FindingKind::MissingDirectory { .. });
    for finding in mounted.findings().filter(missing) {
        let help = finding.help(None).map_or_else(String::new, |help| format!(" ({help})"));
        let text = CString::new(format!("{finding}{help}"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(SearchPath(mounted, options.unbind()))
}

/// The engine whose program is in the folder.
fn of_program(disk: &dyn Disk, base: &Path) -> Option<Engine> {
    let entries = disk.list(base).ok()?.into_iter();
    let entries = entries.filter_map(|item| {
        let is_file = match item.kind {
            FileKind::Link => disk
                .stat(&base.join(str::from_utf8(&item.name).ok()?))
                .is_ok_and(|stat| stat.kind == FileKind::File),
            kind => kind == FileKind::File,
        };
        Some((String::from_utf8(item.name).ok()?, is_file))
    });
    let entries: Vec<_> = entries.collect();
    Engine::of_base(&entries).map(|(engine, _)| engine)
}

/// A single value, or a list of them.
pub(crate) fn several<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    given: &Bound<'py, PyAny>,
) -> PyResult<Vec<T>> {
    if let Ok(one) = given.extract() {
        return Ok(vec![one]);
    }
    given.try_iter()?.map(|one| one?.extract()).collect()
}

pub(crate) fn parsed<T: FromStr<Err: Display>>(word: &str) -> PyResult<T> {
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
