//! Catalogs as tables.

use std::ffi::CString;
use std::io::{self, BufRead, Cursor, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_json::ReaderBuilder;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use camino::Utf8PathBuf;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};
use quakefs::archive::OpenOptions;
use quakefs::disk::{Disk, SystemDisk};
use quakefs_archives::{Catalog as Rows, Collection};
use rayon::ThreadPoolBuilder;

use crate::errors::detached;
use crate::position::{Filesystem, stat_of};
use crate::stream::stream;

/// The columns of a catalog without sums.
fn schema() -> SchemaRef {
    let number = |name| Field::new(name, DataType::Int64, true);
    let text = |name| Field::new(name, DataType::Utf8, false);
    Arc::new(Schema::new(vec![
        Field::new("schema", DataType::Int64, false),
        text("archive"),
        number("archive_size"),
        number("archive_modified"),
        text("container"),
        number("archive_entries"),
        text("layout"),
        number("entry"),
        text("name"),
        number("offset"),
        number("stored_size"),
        number("size"),
        text("method"),
        text("content_type"),
        text("hash"),
        text("fault"),
        text("fault_kind"),
    ]))
}

/// The rows of a batch: few enough that the longest names of a ZIP fit in the 2 GiB of a column.
const ROWS: usize = 1 << 12;

/// How many archives of a server are read at the same time: a thread mostly waits.
const REQUESTS: usize = 16;

/// How many archives are read before their rows are handed on.
const ARCHIVES: usize = 256;

/// The catalog of many archives: a row for every entry, as by `pak catalog`. It is a table for pyarrow,
/// Polars, DuckDB and pandas, which read it by the PyCapsule interface of Arrow, in batches: no more than
/// some archives are in memory at a time.
///
/// >>> quakefs.catalog("testdata/game/id1/pak0.pak")
/// <quakefs.Catalog of 1 archive>
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Catalog {
    archives: Vec<Utf8PathBuf>,
    disk: Option<Arc<Filesystem>>,
    hashes: bool,
    nested: bool,
    prefix: String,
}

#[pymethods]
impl Catalog {
    /// The archives are read while the stream is. The types of the columns are fixed, so `requested_schema`
    /// is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let table = Table {
            archives: self.archives.clone().into_iter(),
            disk: self.disk.clone(),
            nested: self.nested,
            rows: Rows { without_hashes: !self.hashes, prefix: self.prefix.clone(), ..Rows::default() },
            lines: Cursor::default(),
        };
        let batches = ReaderBuilder::new(schema()).with_batch_size(ROWS).build(table);
        let batches = batches.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, stream(Box::new(batches)), c"arrow_array_stream")
    }

    /// The paths of the archives, in order.
    #[getter]
    fn archives(&self) -> Vec<&str> {
        self.archives.iter().map(|path| path.as_str()).collect()
    }

    /// Pickles the arguments of `catalog`. Unpickling looks for the archives again, also in another process.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<&str>,))> {
        let options = PyDict::new(py);
        options.set_item("disk", self.disk.as_ref().map(|disk| disk.object(py)))?;
        options.set_item("hashes", self.hashes)?;
        options.set_item("nested", self.nested)?;
        options.set_item("prefix", &self.prefix)?;
        let catalog = py.import("quakefs")?.getattr("catalog")?;
        let again = py.import("functools")?.getattr("partial")?.call((catalog,), Some(&options))?;
        Ok((again, (self.archives(),)))
    }

    fn __repr__(&self) -> String {
        let count = self.archives.len();
        format!("<quakefs.Catalog of {count} archive{}>", if count == 1 { "" } else { "s" })
    }
}

/// The catalog of archives, as a table: see `Catalog`.
///
/// - paths: archives, and folders to search for archives; one, or several.
/// - disk: a filesystem of fsspec with the archives. `paths` are then archives only, as paths or as what
///   `find(..., detail=True)` of the filesystem tells about them, which saves a request for each.
/// - hashes: whether to hash contents. False reads only the directories: at most three requests for an
///   archive of a `disk`. With hashes, an archive of a `disk` is read whole.
/// - nested: also the archives inside the archives.
/// - prefix: a text before the path of each archive in its rows, such as "s3://".
///
/// A folder that cannot be listed is a warning. An archive that cannot be read has a row with a fault.
#[pyfunction]
#[pyo3(signature = (paths, *, disk=None, hashes=true, nested=false, prefix=String::new()),
    text_signature = "(paths, *, disk=None, hashes=True, nested=False, prefix='')")]
pub(crate) fn catalog(
    py: Python<'_>,
    paths: Bound<'_, PyAny>,
    disk: Option<Bound<'_, PyAny>>,
    hashes: bool,
    nested: bool,
    prefix: String,
) -> PyResult<Catalog> {
    let Some(disk) = disk else {
        let paths: Vec<PathBuf> = several(&paths)?;
        let found = py.detach(|| in_pool(0, || Collection::search(&paths)));
        for fault in found.faults() {
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(fault.to_string())?, 1)?;
        }
        return Ok(Catalog { archives: found.archives().to_vec(), disk: None, hashes, nested, prefix });
    };
    let disk = Filesystem::at_once(&disk, hashes)?;
    let mut archives = Vec::new();
    let is_one = paths.is_instance_of::<PyDict>() || paths.is_instance_of::<PyString>();
    let paths = if is_one { PyList::new(py, [paths])?.into_any() } else { paths };
    for path in paths.try_iter()? {
        let path = path?;
        let path = match path.cast::<PyDict>() {
            Err(_) => path.extract::<String>()?,
            Ok(info) => {
                let name = info
                    .get_item("name")?
                    .ok_or_else(|| PyValueError::new_err("no \"name\" of an archive"))?;
                let name: String = name.extract()?;
                if info.get_item("size")?.is_some_and(|size| !size.is_none()) {
                    disk.know(py, Path::new(&name), Some(stat_of(info)?));
                }
                name
            }
        };
        archives.push(path.into());
    }
    Ok(Catalog { archives, disk: Some(Arc::new(disk)), hashes, nested, prefix })
}

/// A single value, or a list of them.
fn several<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    given: &Bound<'py, PyAny>,
) -> PyResult<Vec<T>> {
    if let Ok(one) = given.extract() {
        return Ok(vec![one]);
    }
    given.try_iter()?.map(|one| one?.extract()).collect()
}

/// Runs the work on a pool of its own, with a number of threads or, for 0, one for each core. The threads of
/// rayon's global pool would be missing in a forked process, such as one of `multiprocessing`.
fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // the system refuses threads
        Err(_) => work(),
    }
}

/// The rows of archives that are still to be read, as JSON lines.
struct Table {
    archives: std::vec::IntoIter<Utf8PathBuf>,
    disk: Option<Arc<Filesystem>>,
    nested: bool,
    rows: Rows,
    lines: Cursor<Vec<u8>>,
}

impl Table {
    /// Reads some archives. Returns whether there were any.
    fn read_archives(&mut self) -> io::Result<bool> {
        let paths: Vec<_> = self.archives.by_ref().take(ARCHIVES).collect();
        if paths.is_empty() {
            return Ok(false);
        }
        let (rows, nested) = (&self.rows, self.nested);
        let mut lines = mem::take(&mut self.lines).into_inner();
        lines.clear();
        let write = |disk: Arc<dyn Disk>| {
            let mut collection = Collection::on(disk, paths);
            if nested {
                collection = collection.nested(&OpenOptions::new(), None);
            }
            rows.write(&collection, &mut lines)
        };
        match &self.disk {
            None => in_pool(0, || write(Arc::new(SystemDisk)))?,
            Some(disk) => in_pool(REQUESTS, || write(Arc::clone(disk) as _))?,
        };
        self.lines = Cursor::new(lines);
        Ok(true)
    }
}

impl BufRead for Table {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Python::attach(|py| {
            // a NUL in the text of an error would end the process
            let text = |interrupt: PyErr| io::Error::other(interrupt.to_string().replace('\0', " "));
            py.check_signals().map_err(text)?;
            let read = detached(py, || {
                while self.lines.fill_buf()?.is_empty() && self.read_archives()? {}
                io::Result::Ok(())
            });
            read.map_err(text)?
        })?;
        self.lines.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.lines.consume(amount);
    }
}

impl Read for Table {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
