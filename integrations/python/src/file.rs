//! A file of a mounted game, and a change to one.

use std::time::UNIX_EPOCH;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView, PyString};
use quakefs::FileData;
use quakefs::archive::Method;
use quakefs::watch;

use crate::errors::detached;
use crate::{contents, errors, names};

/// One copy of a file, in an archive or loose.
///
/// >>> quake = quakefs.mount("testdata/game", games="mymod")
/// >>> file = quake.find("maps/start.bsp")
/// >>> file.layer, file.entry, file.size
/// ('mymod/pak1.pak', 0, 203)
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct File(
    pub(crate) quakefs::File<'static>,
    /// Its game.
    pub(crate) Py<PyAny>,
);

#[pymethods]
impl File {
    /// The name, as the archive or the folder spells it.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        names::text(py, self.0.name().as_bytes())
    }

    /// The layer that contains the file, such as "id1/pak0.pak" or "id1/".
    #[getter]
    fn layer(&self) -> &str {
        self.0.layer().name()
    }

    /// The number of the entry in its archive; None for a loose file.
    #[getter]
    fn entry(&self) -> Option<usize> {
        self.0.entry()
    }

    /// Size of the content in bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    /// When the file, or its archive, was last modified: seconds since 1970, as in os.stat_result.st_mtime.
    #[getter]
    fn modified(&self) -> Option<f64> {
        Some(self.0.modified()?.duration_since(UNIX_EPOCH).ok()?.as_secs_f64())
    }

    /// The compression method: "stored", "deflate" or "daikatana"; None if it is not supported.
    #[getter]
    fn method(&self) -> Option<&'static str> {
        let entry = self.0.entry().and_then(|entry| self.0.layer().archive()?.entry(entry));
        match entry.map_or(Method::Stored, |entry| entry.row().method) {
            Method::Stored => Some("stored"),
            Method::Deflate => Some("deflate"),
            Method::Daikatana => Some("daikatana"),
            _ => None,
        }
    }

    /// The path of a loose file; None for an entry of an archive. Bytes that are not UTF-8 are shown as \xNN,
    /// so such a path cannot be opened: use `open()` instead.
    #[getter]
    fn path(&self) -> Option<String> {
        self.0.system_path().map(String::from)
    }

    /// Path, offset and length of the uncompressed bytes on disk. None for a compressed entry and for an
    /// archive in memory.
    #[getter]
    fn extent(&self) -> Option<(String, u64, u64)> {
        let extent = self.0.extent()?;
        Some((extent.path.into(), extent.range.start, extent.range.end - extent.range.start))
    }

    /// The content as a read-only memoryview. An uncompressed entry is not copied: the view shows the mapped
    /// archive.
    ///
    /// >>> quake = quakefs.mount("testdata/game", games="mymod")
    /// >>> bytes(quake.copies("config.cfg")[-1].read()[:11])
    /// b'sensitivity'
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMemoryView>> {
        contents::view(py, self.content(py)?)
    }

    /// The content as a binary file object.
    ///
    /// >>> quake = quakefs.mount("testdata/game")
    /// >>> with quake.find("default.cfg").open() as file:
    /// ...     first = file.readline()
    fn open<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("quakefs._io")?.call_method1("reader", (self.read(py)?, self.name(py)?))
    }

    /// The fields by name, as of a named tuple: a row of a table.
    ///
    /// >>> quakefs.mount("testdata/game").find("maps/start.bsp")._asdict()["layer"]
    /// 'id1/pak0.pak'
    fn _asdict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        names::fields(slf, &["name", "layer", "entry", "size", "modified", "method", "path"])
    }

    /// Pickles the game and the name. Unpickling mounts the game again, once for all files that are pickled
    /// together, and finds this copy there; it raises KeyError if it is gone.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Again<'py>)> {
        let again = py.import("quakefs._quakefs")?.getattr("_copy")?;
        Ok((again, (self.1.clone_ref(py), self.name(py)?, self.layer().to_owned(), self.entry())))
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.File {} {} bytes>", self.0.location(), self.0.size())
    }
}

/// The game, the name, the layer and the entry of a copy.
type Again<'py> = (Py<PyAny>, Bound<'py, PyString>, String, Option<usize>);

impl File {
    fn content(&self, py: Python<'_>) -> PyResult<FileData> {
        detached(py, || self.0.read())?.map_err(|error| errors::raised(py, &error))
    }
}

/// A name whose file differs between two mounts.
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Change {
    pub(crate) found: watch::Change,
    pub(crate) before: Py<PyAny>,
    pub(crate) after: Py<PyAny>,
}

#[pymethods]
impl Change {
    /// "added", "removed", "changed", or "moved" if the same bytes now come from another layer.
    #[getter]
    fn kind(&self) -> &'static str {
        self.found.kind.name()
    }

    /// The name.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        names::text(py, self.found.name().as_bytes())
    }

    /// The earlier file; None if the name was added.
    #[getter]
    fn before(&self, py: Python<'_>) -> Option<File> {
        self.found.before.clone().map(|file| File(file, self.before.clone_ref(py)))
    }

    /// The present file; None if the name was removed.
    #[getter]
    fn after(&self, py: Python<'_>) -> Option<File> {
        self.found.after.clone().map(|file| File(file, self.after.clone_ref(py)))
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Change {} {}>", self.kind(), self.found.name())
    }
}
