//! File objects and filesystems of Python, read by position.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use pyo3::exceptions::{PyFileNotFoundError, PyNotADirectoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyDict, PyList};
use quakefs::archive::OpenOptions;
use quakefs::disk::{ArchiveDisk, Content, Disk, FileKind, Item, Opened, ReadAt, Stat};
use quakefs::{Access, Archive, Error};

/// The bytes of a small read. A file up to four times this size is read whole.
const AHEAD: u64 = 4 << 10;
const LARGEST_AHEAD: u64 = 1 << 20;
/// The first read at the end of a file, where directories are: this part of the file, within limits.
const TAIL: u64 = 128;
const LARGEST_TAIL: u64 = 64 << 10;
/// The most bytes of a file that are kept.
const KEPT: u64 = 4 << 20;

/// The largest file that is read whole.
const LARGEST_WHOLE: u64 = 256 << 20;

/// A file whose bytes Python reads.
pub(crate) struct Positioned {
    bytes: Bytes,
    size: u64,
    read: Mutex<Read>,
}

enum Bytes {
    /// A file object: `seek` and `read`.
    Object(Py<PyAny>),
    /// A path in a filesystem of fsspec: `cat_file`.
    Path(Py<PyAny>, String),
}

/// Bytes that were read before: the last small piece, and the end of the file.
#[derive(Default)]
struct Read {
    piece: Piece,
    tail: Piece,
}

#[derive(Default)]
struct Piece {
    start: u64,
    bytes: Vec<u8>,
}

impl Piece {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Copies bytes from an offset, as many as are here.
    fn copy_to(&self, buffer: &mut [u8], offset: u64) -> Option<usize> {
        let from = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let found = self.bytes.get(from..).filter(|found| !found.is_empty())?;
        io::Read::read(&mut &*found, buffer).ok()
    }

    /// Whether the end record of a ZIP is here and its directory at this offset. The record of the directory
    /// that is read first is smaller than the directory.
    fn names_directory_at(&self, offset: u64) -> bool {
        let end = self.bytes.windows(22).rfind(|bytes| bytes.starts_with(b"PK\x05\x06"));
        let stated = end.and_then(|end| end.get(16..)?.first_chunk().copied().map(u32::from_le_bytes));
        stated.is_some_and(|stated| u64::from(stated) == offset)
    }
}

impl Positioned {
    /// A file object that can seek.
    pub(crate) fn of_object(file: &Bound<'_, PyAny>) -> PyResult<Positioned> {
        let size = file.call_method1("seek", (0, 2))?;
        // a few file objects return nothing from `seek`
        let size = if size.is_none() { file.call_method0("tell")? } else { size };
        let bytes = Bytes::Object(file.clone().unbind());
        Ok(Positioned::new(bytes, size.extract()?))
    }

    fn new(bytes: Bytes, size: u64) -> Positioned {
        let read = Mutex::new(Read { tail: Piece { start: size, bytes: Vec::new() }, ..Read::default() });
        Positioned { bytes, size, read }
    }

    /// Opens the archive in this file. Errors have the name.
    pub(crate) fn open(self, options: &OpenOptions, name: &str) -> Result<Archive, Error> {
        let disk: Arc<dyn Disk> = Arc::new(OneFile(Arc::new(self)));
        options.open_on(&disk, name.into())
    }

    /// Reads a range; fewer bytes only at the end.
    fn fetch(&self, py: Python<'_>, start: u64, end: u64) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        match &self.bytes {
            Bytes::Path(filesystem, path) => {
                bytes = filesystem
                    .call_method1(py, "cat_file", (path, start, end))?
                    .extract::<PyBackedBytes>(py)?
                    .to_vec();
            }
            Bytes::Object(file) => {
                file.call_method1(py, "seek", (start,))?;
                while let left @ 1.. = (end - start).saturating_sub(bytes.len() as u64) {
                    let part = file.call_method1(py, "read", (left,))?;
                    let part: PyBackedBytes = part.extract(py).map_err(|_| {
                        PyTypeError::new_err(
                            "read() of the file object returns no bytes: open it in mode \"rb\"",
                        )
                    })?;
                    if part.is_empty() {
                        break;
                    }
                    bytes.extend_from_slice(&part);
                }
            }
        }
        bytes.truncate(usize::try_from(end - start).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    fn read(&self, py: Python<'_>, buffer: &mut [u8], offset: u64) -> PyResult<usize> {
        if offset >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let mut read = self.read.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Read { piece, tail } = &mut *read;
        if let Some(count) = tail.copy_to(buffer, offset).or_else(|| piece.copy_to(buffer, offset)) {
            return Ok(count);
        }
        let end = offset.saturating_add(buffer.len() as u64).min(self.size);
        let is_small = self.size <= 4 * AHEAD;
        // directories are at the end of a file, and a search for one goes backwards
        let further = match tail.bytes.len() as u64 {
            0 => (self.size / TAIL).clamp(AHEAD, LARGEST_TAIL),
            kept => kept,
        };
        let reaches_tail =
            end >= if tail.bytes.is_empty() { self.size.saturating_sub(further) + 1 } else { tail.start };
        let reaches_tail = reaches_tail || tail.names_directory_at(offset);
        let start = if is_small { 0 } else { offset.min(tail.start.saturating_sub(further)) };
        if is_small || (reaches_tail && self.size - start <= KEPT) {
            let mut bytes = self.fetch(py, start, tail.start)?;
            bytes.append(&mut tail.bytes);
            *tail = Piece { start, bytes };
            return Ok(tail.copy_to(buffer, offset).unwrap_or_default());
        }
        let end = end.min(tail.start);
        // small reads in the order of the file become larger
        let goes_on = (piece.end()..piece.end() + AHEAD).contains(&offset);
        let ahead = if goes_on { (piece.bytes.len() as u64 * 2).clamp(AHEAD, LARGEST_AHEAD) } else { AHEAD };
        let ahead = offset.saturating_add(ahead).min(tail.start);
        let bytes = self.fetch(py, offset, end.max(ahead))?;
        let fetched = Piece { start: offset, bytes };
        let count = fetched.copy_to(buffer, offset).unwrap_or_default();
        if end < ahead {
            *piece = fetched;
        }
        Ok(count)
    }
}

impl ReadAt for Positioned {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Python::attach(|py| Ok(self.read(py, buffer, offset)?))
    }
}

impl fmt::Debug for Positioned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Positioned").field("size", &self.size).finish_non_exhaustive()
    }
}

/// A file as a disk.
#[derive(Debug)]
struct OneFile(Arc<Positioned>);

impl Disk for OneFile {
    fn list(&self, _: &Path) -> io::Result<Vec<Item>> {
        Err(io::ErrorKind::NotADirectory.into())
    }

    fn stat(&self, _: &Path) -> io::Result<Stat> {
        Ok(Stat::new(FileKind::File, self.0.size))
    }

    fn open(&self, path: &Path, _: Access) -> io::Result<Opened> {
        let file: Arc<dyn ReadAt> = Arc::clone(&self.0) as _;
        Ok(Opened { stat: self.stat(path)?, content: Content::At(file) })
    }
}

/// A filesystem of fsspec as a disk.
pub(crate) struct Filesystem {
    object: Py<PyAny>,
    /// Whether files are read whole when they are opened.
    whole: bool,
    /// What is known of files that do not change while this is used.
    known: Option<Mutex<HashMap<String, Option<Stat>>>>,
}

impl Filesystem {
    /// A filesystem whose files may change.
    pub(crate) fn new(filesystem: &Bound<'_, PyAny>) -> PyResult<Filesystem> {
        for needed in ["ls", "info", "cat_file"] {
            if !filesystem.hasattr(needed)? {
                let kind = filesystem.get_type().name()?;
                let text =
                    format!("expected a filesystem of fsspec or the file object of an archive, not {kind}");
                return Err(PyTypeError::new_err(text));
            }
        }
        Ok(Filesystem { object: filesystem.clone().unbind(), whole: false, known: None })
    }

    /// The same for a short time, in which it asks once for each file. `whole` reads files whole when they
    /// are opened.
    pub(crate) fn at_once(filesystem: &Bound<'_, PyAny>, whole: bool) -> PyResult<Filesystem> {
        Ok(Filesystem { whole, known: Some(Mutex::default()), ..Filesystem::new(filesystem)? })
    }

    fn stat_of(&self, py: Python<'_>, path: &str) -> PyResult<Stat> {
        let known = self
            .known
            .as_ref()
            .map(|known| known.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner));
        let missing = || PyFileNotFoundError::new_err(path.to_owned());
        if let Some(stat) = known.and_then(|known| known.get(path).copied()) {
            return stat.ok_or_else(missing);
        }
        let stat = match self.info(py, path).and_then(|info| stat_of(&info)) {
            Ok(stat) => Some(stat),
            Err(error) if error.is_instance_of::<PyFileNotFoundError>(py) => None,
            Err(error) => return Err(error),
        };
        self.know(py, path, stat);
        stat.ok_or_else(missing)
    }

    /// Keeps the status of a file; `None` if it is missing.
    pub(crate) fn know(&self, py: Python<'_>, path: &str, stat: Option<Stat>) {
        if let Some(known) = &self.known {
            known.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), stat);
        }
    }

    fn info<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyDict>> {
        Ok(self.object.bind(py).call_method1("info", (path,))?.cast_into()?)
    }
}

/// The path of a filesystem, with `/` on every system.
fn text(path: &Path) -> io::Result<String> {
    let path = path.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
    Ok(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
}

fn kind_of(info: &Bound<'_, PyDict>) -> PyResult<FileKind> {
    let kind: Option<String> = info.get_item("type")?.map(|kind| kind.extract()).transpose()?;
    Ok(match kind.as_deref() {
        Some("directory") => FileKind::Folder,
        Some("file") => FileKind::File,
        Some("link") => FileKind::Link,
        _ => FileKind::Special,
    })
}

pub(crate) fn stat_of(info: &Bound<'_, PyDict>) -> PyResult<Stat> {
    let size: Option<u64> = info.get_item("size")?.and_then(|size| size.extract().ok());
    // links are followed: `info` gives the size of what they lead to
    let kind = match kind_of(info)? {
        FileKind::Link => FileKind::File,
        kind => kind,
    };
    let mut stat = Stat::new(kind, size.unwrap_or_default());
    for key in ["mtime", "LastModified", "last_modified", "modified", "created"] {
        let Some(found) = info.get_item(key)?.filter(|found| !found.is_none()) else { continue };
        // a number of seconds, or a datetime
        let seconds = found.extract::<f64>().or_else(|_| found.call_method0("timestamp")?.extract());
        let since = seconds.ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        stat.modified = since.and_then(|since| UNIX_EPOCH.checked_add(since));
        break;
    }
    Ok(stat)
}

impl Disk for Filesystem {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        let folder = text(folder)?;
        Python::attach(|py| {
            let found = self.object.call_method1(py, "ls", (&*folder, true))?;
            let mut items = Vec::new();
            for info in found.bind(py).cast::<PyList>()? {
                let info = info.cast_into::<PyDict>()?;
                let name: Option<String> = info.get_item("name")?.map(|name| name.extract()).transpose()?;
                let name = name.unwrap_or_default();
                let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                // some list the folder itself
                let is_itself = name.trim_matches('/') == folder.trim_matches('/');
                if is_itself && kind_of(&info)? != FileKind::Folder {
                    return Err(PyNotADirectoryError::new_err(folder));
                }
                if !last.is_empty() && !is_itself {
                    items.push(Item { name: last.into(), kind: kind_of(&info)? });
                }
            }
            if items.is_empty() && kind_of(&self.info(py, &folder)?)? != FileKind::Folder {
                return Err(PyNotADirectoryError::new_err(folder));
            }
            Ok(items)
        })
        .map_err(io::Error::from)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let path = text(path)?;
        Python::attach(|py| self.stat_of(py, &path)).map_err(io::Error::from)
    }

    fn open(&self, path: &Path, _: Access) -> io::Result<Opened> {
        let path = text(path)?;
        Python::attach(|py| {
            let stat = self.stat_of(py, &path)?;
            if stat.kind != FileKind::File {
                return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
            }
            let file = Positioned::new(Bytes::Path(self.object.clone_ref(py), path), stat.size);
            let content = if self.whole && stat.size <= LARGEST_WHOLE {
                Content::Bytes(file.fetch(py, 0, stat.size)?.into())
            } else {
                Content::At(Arc::new(file))
            };
            Ok(Opened { stat, content })
        })
        .map_err(|error: PyErr| error.into())
    }
}

impl fmt::Debug for Filesystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filesystem").finish_non_exhaustive()
    }
}

/// A disk of Python: a filesystem of fsspec, or the file object of an archive.
pub(crate) fn disk(given: &Bound<'_, PyAny>) -> PyResult<Arc<dyn Disk>> {
    if given.hasattr("read")? && given.hasattr("seek")? {
        let py = given.py();
        let file = Positioned::of_object(given)?;
        let opened = py.detach(|| file.open(&OpenOptions::new(), "archive"));
        let archive = opened.map_err(|error| crate::errors::raised(py, &error))?;
        return Ok(Arc::new(ArchiveDisk::new(archive, "archive")));
    }
    Ok(Arc::new(Filesystem::new(given)?))
}
