//! Catalogs as tables.

use std::borrow::Cow;
use std::ffi::CString;
use std::fmt;
use std::path::PathBuf;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use quakefs::archive::OpenOptions;
use quakefs_archives::{Catalog as Rows, Collection};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::arrow::{self, Batch, Batches, Column, ColumnType, Columns};
use crate::mount::several;

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

/// How many archives are read before their rows are handed on.
const ARCHIVES: usize = 256;

/// The catalog of many archives: a row for every entry, as by `pak catalog`. It is a table for pyarrow, Polars, DuckDB and pandas,
/// which read it by the PyCapsule interface of Arrow, in batches: no more than some archives are in memory at a time.
///
/// >>> quakefs.catalog("testdata/game/id1/pak0.pak")
/// <quakefs.Catalog of 1 archive>
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Catalog {
    archives: Vec<PathBuf>,
    nested: bool,
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
        arrow::capsule(py, COLUMNS, Box::new(self.table()))
    }

    /// The paths of the archives, in order.
    #[getter]
    fn archives(&self) -> Vec<PathBuf> {
        self.archives.clone()
    }

    fn __repr__(&self) -> String {
        let count = self.archives.len();
        format!("<quakefs.Catalog of {count} archive{}>", if count == 1 { "" } else { "s" })
    }
}

impl Catalog {
    fn table(&self) -> Table {
        Table { archives: self.archives.clone().into_iter(), nested: self.nested, lines: Vec::new(), read: 0 }
    }
}

/// The catalog of archives, as a table: see `Catalog`.
///
/// - paths: archives, and folders to search for archives; one, or several.
/// - nested: also the archives inside the archives.
///
/// A folder that cannot be listed is a warning. An archive that cannot be read has a row with a fault.
#[pyfunction]
#[pyo3(signature = (paths, *, nested=false), text_signature = "(paths, *, nested=False)")]
pub(crate) fn catalog(
    py: Python<'_>,
    #[pyo3(from_py_with = several)] paths: Vec<PathBuf>,
    nested: bool,
) -> PyResult<Catalog> {
    let found = py.detach(|| Collection::search(&paths));
    for fault in found.faults() {
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(fault.to_string())?, 1)?;
    }
    Ok(Catalog { archives: found.archives().iter().map(PathBuf::from).collect(), nested })
}

/// The rows of archives that are still to be read.
struct Table {
    archives: std::vec::IntoIter<PathBuf>,
    nested: bool,
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
        let mut collection = Collection::search(paths);
        if self.nested {
            collection = collection.nested(&OpenOptions::new(), None);
        }
        self.lines.clear();
        self.read = 0;
        Rows::default().write(&collection, &mut self.lines).map_err(|error| error.to_string())?;
        Ok(true)
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
