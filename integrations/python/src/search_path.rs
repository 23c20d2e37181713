//! A mounted game.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMemoryView, PyString, PyTuple};
use quakefs::FileData;
use quakefs::rules::SubstituteKind;
use quakefs_game::{CheckOptions, EngineOn, Game, Needed, Problem};
use quakefs_needs::Levels;

use crate::errors::detached;
use crate::file::{Change, File};
use crate::names::parsed;
use crate::rows::rows;
use crate::{contents, errors, names};

/// A mounted game. It answers what an engine would load for a name, does not change after the mount, and may
/// be shared by threads.
///
/// >>> quake = quakefs.mount("testdata/game", games="mymod")
/// >>> bytes(quake["progs/ogre.mdl"][:4])
/// b'IDPO'
/// >>> "maps/e9m9.bsp" in quake
/// False
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct SearchPath(
    pub(crate) Game,
    /// The arguments of `mount`.
    pub(crate) Py<PyDict>,
);

#[pymethods]
impl SearchPath {
    /// The content of a file as a read-only memoryview. Raises KeyError if no layer has the name.
    ///
    /// >>> quake = quakefs.mount("testdata/game")
    /// >>> view = quake["maps/start.bsp"]
    /// >>> view.readonly, view.nbytes
    /// (True, 201)
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyMemoryView>> {
        let content = self.content(py, name)?.map_err(|error| errors::of_key(py, &error))?;
        contents::view(py, content)
    }

    /// Whether the engine would find a file with this name.
    fn __contains__(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let name = names::bytes(name)?;
        // this may access the disk
        detached(py, || self.0.search_path.find(&*name).is_some())
    }

    /// All names, sorted.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(py);
        for file in detached(py, || self.0.search_path.files().collect::<Vec<_>>())? {
            list.append(names::text(py, file.name().as_bytes())?)?;
        }
        Ok(list.try_iter()?.into_any())
    }

    /// The number of names.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        detached(py, || self.0.search_path.files().count())
    }

    /// The names, as of a mapping.
    ///
    /// >>> "progs.dat" in quakefs.mount("testdata/game").keys()
    /// True
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view_of(slf, "KeysView")
    }

    /// The names and contents, as of a mapping. Each content is read when it is reached.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view_of(slf, "ItemsView")
    }

    /// The contents, as of a mapping.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view_of(slf, "ValuesView")
    }

    /// The content of a file, or `default` if no layer has the name.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.__contains__(py, name)? {
            self.__getitem__(py, name).map(|view| Some(view.into_any()))
        } else {
            Ok(default)
        }
    }

    /// The content of a file as bytes: of the winner of a name or a `Path`, or of a copy that `copies` gave.
    /// Raises FileNotFoundError if no layer has the name.
    ///
    /// >>> quakefs.mount("testdata/game").read("default.cfg")[:4]
    /// b'bind'
    fn read<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let content = self.content(py, name)?.map_err(|error| errors::raised(py, &error))?;
        contents::bytes(py, &content)
    }

    /// The content of a file as a binary file object. Raises FileNotFoundError if no layer has the name.
    ///
    /// >>> with quakefs.mount("testdata/game").open("default.cfg") as file:
    /// ...     file.read(4)
    /// b'bind'
    fn open<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let content = self.content(py, name)?.map_err(|error| errors::raised(py, &error))?;
        py.import("quakefs._io")?.call_method1("reader", (contents::view(py, content)?, name))
    }

    /// A model, as buffers for numpy: .mdl, .md2 or .md3.
    fn model<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        content_of(slf, "model", name)
    }

    /// A picture in RGBA, with the palette of the game: .lmp, .wal, .m8, .m32, .pcx or .tga.
    fn picture<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        content_of(slf, "picture", name)
    }

    /// The entities, faces and textures of a level.
    fn level<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        content_of(slf, "level", name)
    }

    /// The samples of a .wav, or the length and format of an .ogg.
    fn sound<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        content_of(slf, "sound", name)
    }

    /// The file that the engine would load for a name, or None.
    ///
    /// >>> quakefs.mount("testdata/game").find("maps/start.bsp").layer
    /// 'id1/pak0.pak'
    fn find(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<Option<File>> {
        let name = names::bytes(name)?;
        Ok(files(slf, |quake| quake.find(&*name))?.pop())
    }

    /// Every copy of a name, the winner first.
    ///
    /// >>> quake = quakefs.mount("testdata/game", games="mymod")
    /// >>> [file.layer for file in quake.copies("maps/start.bsp")]
    /// ['mymod/pak1.pak', 'mymod/pak0.pak', 'id1/pak0.pak', 'id1/']
    pub(crate) fn copies(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<Vec<File>> {
        let name = names::bytes(name)?;
        files(slf, |quake| quake.copies(&*name))
    }

    /// Which copy of a name wins, which ones it overrides and why, or why none is found.
    ///
    /// >>> row = quakefs.mount("testdata/game").which("maps/start.bsp")
    /// >>> row.layer, [(copy.layer, copy.rule) for copy in row.overridden]
    /// ('id1/pak0.pak', [('id1/', 'archives rank above loose files')])
    fn which<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let name = names::bytes(name)?;
        rows(py, "WhichRow", &detached(py, || self.0.which(&*name))?)
    }

    /// The search path as data: the engine and the reason for it, the layers, what is skipped and why, the
    /// user directory.
    ///
    /// >>> answer = quakefs.mount("testdata/game", games="mymod").describe()
    /// >>> answer.chosen.reason, [layer.layer for layer in answer.layers][:2]
    /// ('the default, because nothing shows another engine', ['mymod/pak1.pak', 'mymod/pak0.pak'])
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, "PathAnswer", &detached(py, || self.0.path())?)
    }

    /// Every overridden copy with its winner, sorted by name. This reads the copies to compare them.
    ///
    /// >>> rows = quakefs.mount("testdata/game").overridden()
    /// >>> [(row.name, row.overridden.layer, row.same) for row in rows]
    /// [('default.cfg', 'id1/pak0.pak', False), ('maps/start.bsp', 'id1/', False)]
    fn overridden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.0.clone();
        rows(py, "OverriddenRow", &attended(py, move || game.overridden())?)
    }

    /// The files that the engine loads beside a level, and those that it ignores.
    fn companions<'py>(&self, py: Python<'py>, level: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let level = names::bytes(level)?;
        rows(py, "CompanionsAnswer", &detached(py, || self.0.companions(&*level))?)
    }

    /// The files beside levels that the engine ignores.
    fn skipped_companions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, "CompanionRow", &detached(py, || self.0.skipped_companions())?)
    }

    /// What the engine loads instead of a thing: `kind` is "texture", "sky", "music", "model", "skin",
    /// "image" or "sound". `level` is the current level.
    ///
    /// >>> (row,) = quakefs.mount("testdata/game", engine="darkplaces").substitutes("texture", "wall")
    /// >>> row.loaded, row.tried[0]
    /// (None, 'textures/wall.tga')
    #[pyo3(signature = (kind, name, level=None))]
    fn substitutes<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        name: &Bound<'py, PyAny>,
        level: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kind: SubstituteKind = parsed(kind)?;
        let name = names::bytes(name)?;
        let found = detached(py, || self.0.substitutes(kind, &*name, level))?;
        rows(py, "SubstituteRow", &found.map_err(|error| errors::of_game(py, &error))?)
    }

    /// The names for which engines load different files, by cause. An engine may have a system:
    /// "fte@windows".
    ///
    /// >>> quake = quakefs.mount("testdata/game", games="mymod")
    /// >>> {row.because for row in quake.compare("quakespasm", "darkplaces")} >= {'loose'}
    /// True
    #[pyo3(signature = (*engines))]
    fn compare<'py>(&self, py: Python<'py>, engines: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let engines = engines.iter().map(|word| parsed(word)).collect::<PyResult<Vec<EngineOn>>>()?;
        let compared = detached(py, || {
            let compared = self.0.compare(&engines, false)?;
            Ok(compared.differences().collect::<Vec<_>>())
        })?;
        rows(py, "DifferenceRow", &compared.map_err(|error| errors::of_game(py, &error))?)
    }

    /// The folders of the base directories and of the user directory that look like game directories.
    ///
    /// >>> [row.name for row in quakefs.mount("testdata/game").mods() if row.selectable][:2]
    /// ['gapmod', 'id1']
    fn mods<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, "ModRow", &detached(py, || self.0.mods())?)
    }

    /// The files of the game that no level, program or engine needs. Raises ValueError if the program cannot
    /// be read.
    fn unused<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.0.clone();
        let unused = attended(py, move || game.unused())?;
        rows(py, "UnusedRow", &unused.map_err(|error| errors::of_game(py, &error))?)
    }

    /// The files whose names match a pattern: * matches any text without a slash, ** any text, ? one
    /// character, and [a-z] one character of the range.
    ///
    /// >>> quake = quakefs.mount("testdata/game", games="mymod")
    /// >>> [file.name for file in quake.glob("maps/m*.bsp")]
    /// ['maps/mine.bsp', 'maps/mymod1.bsp']
    fn glob(slf: &Bound<'_, Self>, pattern: &Bound<'_, PyAny>) -> PyResult<Vec<File>> {
        matching(slf, &names::pattern(&names::bytes(pattern)?))
    }

    /// All files, the winner for each name, sorted by name.
    #[pyo3(name = "files")]
    fn all(slf: &Bound<'_, Self>) -> PyResult<Vec<File>> {
        files(slf, quakefs::SearchPath::files)
    }

    /// What is wrong with the game, or probably a mistake. This reads overridden copies, and runs the game's
    /// program. Findings that are alike are one, as in the command; `all` gives each.
    ///
    /// >>> [finding.kind for finding in quakefs.mount("testdata/game").check()]
    /// ['engine-stops', 'overridden-loose']
    #[pyo3(signature = (all=false))]
    fn check<'py>(&self, py: Python<'py>, all: bool) -> PyResult<Bound<'py, PyAny>> {
        let game = self.0.clone();
        rows(
            py,
            "FindingRow",
            &attended(py, move || game.check(&CheckOptions { all, decode: None }).rows(None))?,
        )
    }

    /// Whether the engine starts, and whether anything is wrong. This reads as `check` does.
    ///
    /// >>> quakefs.mount("testdata/lamps", games="dusk").verdict().verdict
    /// 'does-not-start'
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.0.clone();
        rows(py, "VerdictRow", &attended(py, move || game.verdict())?)
    }

    /// Reasons why an answer may differ from the game that was meant: the engine does not start, an archive
    /// cannot be opened, a game is missing.
    ///
    /// >>> quakefs.mount("testdata/game").caveats().game_missing is None
    /// True
    fn caveats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, "Caveats", &detached(py, || self.0.caveats())?)
    }

    /// The findings that keep the engine from starting; empty if it starts.
    fn stops<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stops = detached(py, || quakefs::why::starts(&self.0.search_path))?.err().unwrap_or_default();
        rows(
            py,
            "FindingRow",
            &stops.into_iter().map(|found| Problem::from(found).row(None)).collect::<Vec<_>>(),
        )
    }

    /// The files that these levels need. Without arguments, of all levels and of the engine. This runs the
    /// game's program, on all cores. Raises FileNotFoundError if no layer has a level, and ValueError for a
    /// file that is no level.
    ///
    /// >>> answer = quakefs.mount("testdata/lamps", games="dusk").needs("maps/dusk.bsp")
    /// >>> [(need.kind, need.name) for need in answer.levels[0].needed if need.missing]
    /// [('model', 'progs/lamp.mdl'), ('sound', 'sound/dusk/gate.wav')]
    #[pyo3(signature = (*levels))]
    fn needs<'py>(&self, py: Python<'py>, levels: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let mut named = Vec::new();
        for level in levels {
            let name = names::bytes(&level)?;
            named.push(
                self.0.level_named(&self.0.level_path(&name)).map_err(|error| errors::of_game(py, &error))?,
            );
        }
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let game = self.0.clone();
        let work = move || {
            let finder = Levels::new(&game.search_path).observed_by(move |_, _| {
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let is_all = named.is_empty();
            let needed =
                if is_all { Needed::of_own(&finder, true) } else { Needed::of(&finder, named, false) };
            game.needs_answer(&needed)
        };
        let needs = attended(py, work);
        stopped.store(needs.is_err(), Ordering::Relaxed);
        rows(py, "NeedsAnswer", &needs?)
    }

    /// The names whose files differ from an earlier mount, sorted. Edited loose files are noticed only if the
    /// earlier mount used listed=True.
    ///
    /// >>> old = quakefs.mount("testdata/game")
    /// >>> changes = quakefs.mount("testdata/game", games="mymod").changes(old)
    /// >>> changes[0].kind, changes[0].name
    /// ('changed', 'config.cfg')
    fn changes(slf: &Bound<'_, Self>, old: &Bound<'_, Self>) -> PyResult<Vec<Change>> {
        let (now, then) = (&slf.get().0.search_path, &old.get().0.search_path);
        let changes = detached(slf.py(), || now.changes_since(then))?;
        let of = |found| Change {
            found,
            before: old.clone().into_any().unbind(),
            after: slf.clone().into_any().unbind(),
        };
        Ok(changes.into_iter().map(of).collect())
    }

    /// Mounts the present state of the disk with the same options. Unchanged archives are not opened again.
    fn remount(&self, py: Python<'_>) -> PyResult<SearchPath> {
        let game = detached(py, || self.0.remount())?.map_err(|error| errors::of_game(py, &error))?;
        Ok(SearchPath(game, self.1.clone_ref(py)))
    }

    /// Pickles the arguments of `mount`. Unpickling mounts the game again, also in another process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let mount = py.import("quakefs")?.getattr("mount")?;
        let again = py.import("functools")?.getattr("partial")?.call((mount,), Some(self.1.bind(py)))?;
        Ok((again, PyTuple::empty(py)))
    }

    /// The layers, the highest first.
    #[getter]
    fn layers(&self) -> Vec<Layer> {
        self.0.search_path.layers().map(|layer| Layer(layer.clone())).collect()
    }

    /// The archives that the mount skipped, with the reason, and files that cannot be read or reached.
    ///
    /// >>> finding = quakefs.mount("testdata/game", games="gapmod").findings[0]
    /// >>> finding.kind, finding.layer
    /// ('archive-case', 'gapmod/PAK2.PAK')
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, "FindingRow", &self.0.findings())
    }

    /// How the options were understood: where a download of `over` goes, a base directory that was looked
    /// for, one sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.iter().map(ToString::to_string).collect()
    }

    /// The name of the engine whose rules apply.
    #[getter]
    fn engine(&self) -> String {
        self.0.search_path.rules().name.to_string()
    }

    /// A path in the merged tree, with the methods of `zipfile.Path`.
    ///
    /// >>> [path.name for path in quakefs.mount("testdata/game").path("maps").iterdir()]
    /// ['e1m1.bsp', 'e2m1.bsp', 'mine.bsp', 'start.bsp']
    #[pyo3(signature = (at=None))]
    fn path<'py>(slf: &Bound<'py, Self>, at: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let path = slf.py().import("quakefs._path")?.getattr("Path")?;
        match at {
            Some(at) => path.call1((slf, at)),
            None => path.call1((slf,)),
        }
    }

    fn __truediv__<'py>(slf: &Bound<'py, Self>, at: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Self::path(slf, Some(at))
    }

    /// The files below a folder whose names match a pattern.
    fn _glob(
        slf: &Bound<'_, Self>,
        folder: &Bound<'_, PyAny>,
        pattern: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<File>> {
        let (folder, pattern) = (names::bytes(folder)?, names::bytes(pattern)?);
        let below = if folder.is_empty() { String::new() } else { names::literal(&folder) + "/" };
        matching(slf, &(below + &names::pattern(&pattern)))
    }

    /// The names in a folder of the merged tree, and whether each is a folder.
    fn _list<'py>(
        &self,
        py: Python<'py>,
        folder: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(Bound<'py, PyString>, bool)>> {
        let folder = names::bytes(folder)?;
        let found = detached(py, || self.0.search_path.read_dir(&*folder))?
            .map_err(|error| errors::raised(py, &error))?;
        found.iter().map(|item| Ok((names::text(py, item.name.as_bytes())?, item.is_dir()))).collect()
    }

    /// Whether a name is a folder of the merged tree.
    fn _is_dir(&self, py: Python<'_>, folder: &Bound<'_, PyAny>) -> PyResult<bool> {
        let folder = names::bytes(folder)?;
        detached(py, || self.0.search_path.is_dir(&*folder))
    }

    /// The layers as a table, for notebooks.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("quakefs._html")?.call_method1("of_search_path", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.SearchPath {}: {} layers>", self.engine(), self.0.search_path.layers().len())
    }
}

impl SearchPath {
    /// The content of a copy, or of the winner of a name.
    pub(crate) fn content(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
    ) -> PyResult<Result<FileData, quakefs::Error>> {
        if let Ok(file) = name.cast::<File>() {
            let file = &file.get().0;
            return detached(py, || file.read());
        }
        let name = names::bytes(name)?;
        detached(py, || self.0.search_path.read(&*name))
    }
}

fn content_of<'py>(
    quake: &Bound<'py, SearchPath>,
    kind: &str,
    name: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    quake.py().import("quakefs._content")?.call_method1(kind, (quake, name))
}

/// A view of a mapping from `collections.abc`.
fn view_of<'py>(mapping: &Bound<'py, SearchPath>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    mapping.py().import("collections.abc")?.getattr(kind)?.call1((mapping,))
}

/// The copy of a name in a layer, for the pickle module.
#[pyfunction]
pub(crate) fn _copy<'py>(
    quake: &Bound<'py, SearchPath>,
    name: Bound<'py, PyAny>,
    layer: &str,
    entry: Option<usize>,
) -> PyResult<File> {
    let copies = SearchPath::copies(quake, &name)?;
    let is_it = |copy: &File| copy.0.layer().name() == layer && copy.0.entry() == entry;
    let copy = copies.into_iter().find(is_it);
    copy.ok_or_else(|| PyKeyError::new_err((name.unbind(), layer.to_owned())))
}

fn matching(quake: &Bound<'_, SearchPath>, pattern: &str) -> PyResult<Vec<File>> {
    let search_path = &quake.get().0.search_path;
    let found = detached(quake.py(), || search_path.glob(pattern).map(owned))?;
    Ok(of_game(quake, found.map_err(|error| errors::raised(quake.py(), &error))?))
}

/// Files of a game, found without the interpreter's lock.
fn files<'q, I>(
    quake: &'q Bound<'_, SearchPath>,
    find: impl FnOnce(&'q quakefs::SearchPath) -> I + Send,
) -> PyResult<Vec<File>>
where
    I: IntoIterator<Item = quakefs::File<'q>>,
{
    let search_path = &quake.get().0.search_path;
    Ok(of_game(quake, detached(quake.py(), || owned(find(search_path)))?))
}

fn owned<'q>(files: impl IntoIterator<Item = quakefs::File<'q>>) -> Vec<quakefs::File<'static>> {
    files.into_iter().map(quakefs::File::into_owned).collect()
}

fn of_game(quake: &Bound<'_, SearchPath>, files: Vec<quakefs::File<'static>>) -> Vec<File> {
    files.into_iter().map(|file| File(file, quake.clone().into_any().unbind())).collect()
}

/// An archive, or the loose files of a folder.
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Layer(quakefs::Layer);

#[pymethods]
impl Layer {
    /// The name, such as "id1/pak0.pak", or "id1/" for loose files.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// "pak", "zip" or "dir".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    /// The path on disk.
    #[getter]
    fn path(&self) -> Option<String> {
        self.0.system_path().map(String::from)
    }

    /// The game directory; None for a source.
    #[getter]
    fn game(&self) -> Option<String> {
        self.0.game_directory().map(|directory| directory.name.clone())
    }

    /// The number of entries of the archive; None for loose files.
    #[getter]
    fn entries(&self) -> Option<usize> {
        self.0.archive().map(|archive| archive.entries().len())
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Layer {}>", self.0.name())
    }
}

/// Does work that may take minutes on another thread, because Python notices Ctrl-C only on its main thread.
/// After Ctrl-C nobody waits for the work.
fn attended<T: Send + 'static, W: FnOnce() -> T + Send + 'static>(py: Python<'_>, work: W) -> PyResult<T> {
    detached(py, || {
        let (give_work, take_work) = mpsc::channel();
        let (send, receive) = mpsc::channel();
        let run = move || take_work.recv().map(|work: W| send.send(work()).is_ok());
        // the system may refuse a thread
        let Ok(thread) = thread::Builder::new().spawn(run) else { return Ok(work()) };
        let _ = give_work.send(work);
        loop {
            match receive.recv_timeout(Duration::from_millis(20)) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Timeout) => Python::attach(signalled)?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => Err(PyRuntimeError::new_err("the work has no result")),
        }
    })?
}

/// Whether Ctrl-C was pressed, as an exception.
fn signalled(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
