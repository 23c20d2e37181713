//! Catalogs as tables.

use std::borrow::Cow;
use std::ffi::CString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use camino::Utf8PathBuf;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use quakefs::archive::OpenOptions;
use quakefs::disk::{Disk, SystemDisk};
use quakefs_archives::{Catalog as Rows, Collection};
use rayon::ThreadPoolBuilder;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::arrow::{self, Batch, Batches, Column, ColumnType, Columns};
use crate::mount::several;
use crate::position::{Filesystem, stat_of};

/// The columns of a catalog without sums.
const COLUMNS: Columns = &[
    (c"schema", ColumnType::Number),
    (c"archive", ColumnType::Text),
    (c"archive_size", ColumnType::OptionalNumber),
    (c"archive_modified", ColumnType::OptionalNumber),
    (c"container", ColumnType::Text),
    (c"archive_entries", ColumnType::OptionalNumber),
    (c"layout", ColumnType::Text),
    (c"entry", ColumnType::OptionalNumber),
    (c"name", ColumnType::Text),
    (c"offset", ColumnType::OptionalNumber),
    (c"stored_size", ColumnType::OptionalNumber),
    (c"size", ColumnType::OptionalNumber),
    (c"method", ColumnType::Text),
    (c"content_type", ColumnType::Text),
    (c"hash", ColumnType::Text),
    (c"fault", ColumnType::Text),
    (c"fault_kind", ColumnType::Text),
];

/// The most rows of a batch, and a size of their lines, after which it ends.
const ROWS: usize = 1 << 16;
const BYTES: usize = 256 << 20;

/// How many archives of a server are read at the same time: a thread mostly waits.
const REQUESTS: usize = 16;

/// How many archives are read before their rows are handed on.
const ARCHIVES: usize = 256;

/// The catalog of many archives: a row for every entry, as by `pak catalog`. It is a table for pyarrow, Polars, DuckDB and pandas,
/// which read it by the PyCapsule interface of Arrow, in batches: no more than some archives are in memory at a time.
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
    /// The archives are read while the stream is. The types of the columns are fixed, so `requested_schema` is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        drop(requested_schema);
        let table = Table {
            archives: self.archives.clone().into_iter(),
            disk: self.disk.clone(),
            nested: self.nested,
            rows: Rows { without_hashes: !self.hashes, prefix: self.prefix.clone(), ..Rows::default() },
            lines: Vec::new(),
            read: 0,
        };
        arrow::capsule(py, COLUMNS, Box::new(table))
    }

    /// The paths of the archives, in order.
    #[getter]
    fn archives(&self) -> Vec<&str> {
        self.archives.iter().map(|path| path.as_str()).collect()
    }

    fn __repr__(&self) -> String {
        let count = self.archives.len();
        format!("<quakefs.Catalog of {count} archive{}>", if count == 1 { "" } else { "s" })
    }
}

/// The catalog of archives, as a table: see `Catalog`.
///
/// - paths: archives, and folders to search for archives; one, or several.
/// - disk: a filesystem of fsspec with the archives. `paths` are then archives only, as paths or as what `find(..., detail=True)` of the
///   filesystem tells about them, which saves a request for each.
/// - hashes: whether to hash contents. False reads only the directories: at most three requests for an archive of a `disk`.
///   With hashes, an archive of a `disk` is read whole.
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
        let found = py.detach(|| Collection::search(&paths));
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
                    disk.know(py, &name, Some(stat_of(info)?));
                }
                name
            }
        };
        archives.push(path.into());
    }
    Ok(Catalog { archives, disk: Some(Arc::new(disk)), hashes, nested, prefix })
}

/// The rows of archives that are still to be read.
struct Table {
    archives: std::vec::IntoIter<Utf8PathBuf>,
    disk: Option<Arc<Filesystem>>,
    nested: bool,
    rows: Rows,
    /// Rows as JSON lines, and how many bytes of them are handed on.
    lines: Vec<u8>,
    read: usize,
}

impl Table {
    /// Reads some archives. Returns whether there were any.
    fn read_archives(&mut self) -> Result<bool, String> {
        let paths: Vec<_> = self.archives.by_ref().take(ARCHIVES).collect();
        if paths.is_empty() {
            return Ok(false);
        }
        self.lines.clear();
        self.read = 0;
        let (rows, lines, nested) = (&self.rows, &mut self.lines, self.nested);
        let write = |disk: Arc<dyn Disk>| {
            let mut collection = Collection::on(disk, paths);
            if nested {
                collection = collection.nested(&OpenOptions::new(), None);
            }
            rows.write(&collection, lines).map_err(|error| error.to_string()).map(|_| true)
        };
        match &self.disk {
            None => write(Arc::new(SystemDisk)),
            Some(disk) => {
                let waiting = ThreadPoolBuilder::new().num_threads(REQUESTS).build();
                let waiting = waiting.map_err(|error| error.to_string())?;
                waiting.install(|| write(Arc::clone(disk) as _))
            }
        }
    }
}

impl Batches for Table {
    fn next(&mut self) -> Result<Option<Batch>, String> {
        Python::attach(|py| {
            py.check_signals().map_err(|interrupt| interrupt.to_string())?;
            py.detach(|| {
                while self.read == self.lines.len() {
                    if !self.read_archives()? {
                        return Ok(None);
                    }
                }
                let lines =
                    self.lines.get(self.read..).unwrap_or_default().split_inclusive(|byte| *byte == b'\n');
                let mut batch =
                    Batch { rows: 0, columns: COLUMNS.iter().map(|_| Column::default()).collect() };
                let mut bytes = 0;
                for line in lines {
                    let mut row = serde_json::Deserializer::from_slice(line);
                    row.deserialize_map(Row(&mut batch.columns)).map_err(|error| error.to_string())?;
                    batch.rows += 1;
                    bytes += line.len();
                    if batch.rows == ROWS || bytes > BYTES {
                        break;
                    }
                }
                self.read += bytes;
                Ok(Some(batch))
            })
        })
    }
}

/// Adds a row of JSON to columns. Its keys are in their order.
struct Row<'c>(&'c mut [Column]);

/// A text, borrowed unless it has escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row of a catalog")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut columns = COLUMNS.iter().zip(self.0).peekable();
        while let Some(Text(key)) = map.next_key()? {
            match columns.next_if(|((name, _), _)| name.to_bytes() == key.as_bytes()) {
                Some(((_, ColumnType::Text), column)) => column.push_text(&map.next_value::<Text<'_>>()?.0),
                Some((_, column)) => column.push_number(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        match columns.next() {
            None => Ok(()),
            Some(((name, _), _)) => Err(serde::de::Error::custom(format!("no column {name:?}"))),
        }
    }
}
