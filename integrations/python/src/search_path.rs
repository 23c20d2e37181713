//! A mounted game.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMemoryView, PyString, PyTuple};
use quakefs::FileData;
use quakefs_needs::Levels;

use crate::explanation::{Explanation, Finding};
use crate::file::{Change, File};
use crate::needs::Needs;
use crate::{contents, errors, names};

/// A mounted game. It answers what an engine would load for a name, does not change after the mount, and may be shared by threads.
///
/// >>> quake = quakefs.mount("testdata/game", game="mymod")
/// >>> bytes(quake["progs/ogre.mdl"][:5])
/// b'a mod'
/// >>> "maps/e9m9.bsp" in quake
/// False
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct SearchPath(
    pub(crate) quakefs::SearchPath,
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
    /// (True, 39)
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
        Ok(py.detach(|| self.0.find(&*name).is_some()))
    }

    /// All names, sorted.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(py);
        for file in py.detach(|| self.0.files().collect::<Vec<_>>()) {
            list.append(names::text(py, file.name().as_bytes())?)?;
        }
        Ok(list.try_iter()?.into_any())
    }

    /// The number of names.
    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.0.files().count())
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

    /// The content of a file as bytes. Raises FileNotFoundError if no layer has the name.
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

    /// A picture in RGBA, with the palette of the game: .lmp, .wal, .pcx or .tga.
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
    fn find(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<Option<File>> {
        let name = names::bytes(name)?;
        Ok(py.detach(|| self.0.find(&*name).map(|file| File::from(&file))))
    }

    /// Every copy of a name, the winner first.
    ///
    /// >>> quake = quakefs.mount("testdata/game", game="mymod")
    /// >>> [file.layer for file in quake.copies("maps/start.bsp")]
    /// ['mymod/pak1.pak', 'mymod/pak0.pak', 'id1/pak0.pak', 'id1/']
    fn copies(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<Vec<File>> {
        let name = names::bytes(name)?;
        Ok(py.detach(|| self.0.copies(&*name).iter().map(File::from).collect()))
    }

    /// Which copy of a name wins and which ones it overrides, or why none is found.
    ///
    /// >>> print(quakefs.mount("testdata/game").explain("maps/start.bsp"))
    /// maps/start.bsp: id1/pak0.pak (entry 4, 39 bytes)
    ///   overrides id1/ (57 bytes): archives rank above loose files
    fn explain(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let name = names::bytes(name)?;
        let explained = py.detach(|| quakefs::why::explain(&self.0, &*name));
        Explanation::new(py, &explained)
    }

    /// The files whose names match a pattern: * matches any text without a slash, ** any text, ? one character, and [a-z] one
    /// character of the range.
    ///
    /// >>> quake = quakefs.mount("testdata/game", game="mymod")
    /// >>> [file.name for file in quake.glob("maps/m*.bsp")]
    /// ['maps/mine.bsp', 'maps/mymod1.bsp']
    fn glob(&self, py: Python<'_>, pattern: &Bound<'_, PyAny>) -> PyResult<Vec<File>> {
        self.matching(py, &names::pattern(&names::bytes(pattern)?))
    }

    /// All files, the winner for each name, sorted by name.
    fn files(&self, py: Python<'_>) -> Vec<File> {
        py.detach(|| files(self.0.files()))
    }

    /// All problems of the game. This reads overridden copies too.
    ///
    /// >>> [finding.kind for finding in quakefs.mount("testdata/game").check()]
    /// ['engine-stops', 'hidden-loose']
    fn check(&self, py: Python<'_>) -> Vec<Finding> {
        py.detach(|| quakefs::why::check(&self.0)).into_iter().map(Finding).collect()
    }

    /// The findings that keep the engine from starting; empty if it starts.
    fn stops(&self, py: Python<'_>) -> Vec<Finding> {
        let stops = py.detach(|| quakefs::why::starts(&self.0)).err().unwrap_or_default();
        stops.into_iter().map(Finding).collect()
    }

    /// The files that these levels need. Without arguments, of all levels. This runs the game's program, on all cores.
    #[pyo3(signature = (*levels))]
    fn needs(&self, py: Python<'_>, levels: &Bound<'_, PyTuple>) -> PyResult<Vec<Needs>> {
        let mut named = Vec::new();
        for level in levels {
            named.push(names::bytes(&level)?.into_owned());
        }
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let work = || {
            let of = Levels::new(&self.0).observed_by(move |_, _| {
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if named.is_empty() {
                named = of.own().iter().map(|name| name.as_bytes().to_vec()).collect();
            }
            let needs = of.of(&named);
            named.into_iter().zip(needs).map(|(level, needs)| Needs::new(level, needs)).collect()
        };
        // Python notices Ctrl-C only on its main thread, so another one works
        let (needs, interrupt) = py.detach(|| {
            thread::scope(|scope| {
                let work = scope.spawn(work);
                let mut interrupt = None;
                while !work.is_finished() {
                    interrupt = interrupt.or_else(|| Python::attach(signalled).err());
                    stopped.store(interrupt.is_some(), Ordering::Relaxed);
                    thread::park_timeout(Duration::from_millis(20));
                }
                (work.join(), interrupt)
            })
        });
        match (needs, interrupt) {
            (_, Some(interrupt)) => Err(interrupt),
            (Ok(needs), None) => Ok(needs),
            (Err(panic), None) => std::panic::resume_unwind(panic),
        }
    }

    /// The names whose files differ from an earlier mount, sorted. Edited loose files are noticed only if the earlier mount used
    /// listed=True.
    ///
    /// >>> old = quakefs.mount("testdata/game")
    /// >>> changes = quakefs.mount("testdata/game", game="mymod").changes(old)
    /// >>> changes[0].kind, changes[0].name
    /// ('changed', 'config.cfg')
    fn changes(&self, py: Python<'_>, old: &SearchPath) -> Vec<Change> {
        py.detach(|| self.0.changes_since(&old.0)).into_iter().map(Change).collect()
    }

    /// Mounts the present state of the disk with the same options. Unchanged archives are not opened again.
    fn remount(&self, py: Python<'_>) -> PyResult<SearchPath> {
        let mounted = py.detach(|| self.0.remount()).map_err(|error| errors::raised(py, &error))?;
        Ok(SearchPath(mounted, self.1.clone_ref(py)))
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
        self.0.layers().map(|layer| Layer(layer.clone())).collect()
    }

    /// The archives that the mount skipped, with the reason, and files that cannot be read or reached.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.0.findings().cloned().map(Finding).collect()
    }

    /// The name of the engine whose rules apply.
    #[getter]
    fn engine(&self) -> String {
        self.0.rules().name.to_string()
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
        &self,
        py: Python<'_>,
        folder: &Bound<'_, PyAny>,
        pattern: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<File>> {
        let (folder, pattern) = (names::bytes(folder)?, names::bytes(pattern)?);
        let below = if folder.is_empty() { String::new() } else { names::literal(&folder) + "/" };
        self.matching(py, &(below + &names::pattern(&pattern)))
    }

    /// The names in a folder of the merged tree, and whether each is a folder.
    fn _list<'py>(
        &self,
        py: Python<'py>,
        folder: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(Bound<'py, PyString>, bool)>> {
        let folder = names::bytes(folder)?;
        let found = py.detach(|| self.0.read_dir(&*folder)).map_err(|error| errors::raised(py, &error))?;
        found.iter().map(|item| Ok((names::text(py, item.name.as_bytes())?, item.is_dir()))).collect()
    }

    /// Whether a name is a folder of the merged tree.
    fn _is_dir(&self, py: Python<'_>, folder: &Bound<'_, PyAny>) -> PyResult<bool> {
        let folder = names::bytes(folder)?;
        Ok(py.detach(|| self.0.is_dir(&*folder)))
    }

    /// The layers as a table, for notebooks.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("quakefs._html")?.call_method1("of_search_path", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.SearchPath {}: {} layers>", self.engine(), self.0.layers().len())
    }
}

impl SearchPath {
    fn matching(&self, py: Python<'_>, pattern: &str) -> PyResult<Vec<File>> {
        let found = py.detach(|| self.0.glob(pattern).map(files));
        found.map_err(|error| errors::raised(py, &error))
    }

    fn content(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<Result<FileData, quakefs::Error>> {
        let name = names::bytes(name)?;
        Ok(py.detach(|| self.0.read(&*name)))
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

fn files<'a>(files: impl Iterator<Item = quakefs::File<'a>>) -> Vec<File> {
    files.map(|file| File::from(&file)).collect()
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

/// Whether Ctrl-C was pressed, as an exception.
fn signalled(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
