//! File objects and filesystems of Python, read by position.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use pyo3::exceptions::{PyFileNotFoundError, PyNotADirectoryError, PyOSError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::MutexExt as _;
use pyo3::types::{IntoPyDict as _, PyDict, PyList, PyString};
use quakefs::archive::OpenOptions;
use quakefs::disk::{ArchiveDisk, Content, Disk, FileKind, Item, Opened, ReadAt, Stat};
use quakefs::{Access, Archive, Error};

use crate::errors::{detached, keep_interrupt};

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
    /// Held between `seek` and `read` of a file object, with the thread that holds it.
    seeks: Mutex<()>,
    seeking: AtomicUsize,
}

enum Bytes {
    /// A file object: `seek` and `read`.
    Object(Py<PyAny>),
    /// A path in a filesystem of fsspec: `cat_file`.
    Path(Py<PyAny>, Py<PyString>),
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

/// Ends the reading of a file object.
struct End<'p>(&'p AtomicUsize, #[expect(dead_code, reason = "held until the end")] MutexGuard<'p, ()>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
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
        Positioned { bytes, size, read, seeks: Mutex::default(), seeking: AtomicUsize::new(0) }
    }

    /// Opens the archive in this file. Errors have the name.
    pub(crate) fn open(self, options: &OpenOptions, name: &str) -> Result<Archive, Error> {
        let disk: Arc<dyn Disk> = Arc::new(OneFile(Arc::new(self)));
        options.open_on(&disk, name.into())
    }

    /// Reads a range.
    ///
    /// # Errors
    /// `OSError` if the answer has another size: a server may ignore the range, and a file may have become
    /// shorter.
    fn fetch(&self, py: Python<'_>, start: u64, end: u64) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        match &self.bytes {
            Bytes::Path(filesystem, path) => {
                bytes = cat_file(filesystem.bind(py), path.bind(py), start, end)?;
            }
            Bytes::Object(file) => {
                thread_local! { static HERE: u8 = const { 0 }; }
                let here = HERE.with(|here| std::ptr::from_ref(here).addr());
                if self.seeking.load(Ordering::Relaxed) == here {
                    return Err(PyRuntimeError::new_err("the file object reads itself"));
                }
                let held = self.seeks.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
                self.seeking.store(here, Ordering::Relaxed);
                let _end = End(&self.seeking, held);
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
        let (found, asked) = (bytes.len(), end - start);
        if found as u64 == asked {
            return Ok(bytes);
        }
        let (disk, path) = match &self.bytes {
            Bytes::Path(filesystem, path) => (filesystem, format!("{}: ", path.bind(py).to_string_lossy())),
            Bytes::Object(file) => (file, String::new()),
        };
        let disk = disk.bind(py).get_type().name()?;
        let text = format!("{path}{disk} returned {found} bytes instead of {asked}, from offset {start}");
        Err(PyOSError::new_err(text))
    }

    /// What to read for some bytes: the range, and where it is kept.
    fn plan(&self, read: &Read, offset: u64, length: u64) -> (u64, u64, Kept) {
        let Read { piece, tail } = read;
        let end = offset.saturating_add(length).min(self.size);
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
            return (start, tail.start, Kept::Tail);
        }
        let end = end.min(tail.start);
        // small reads in the order of the file become larger
        let goes_on = (piece.end()..piece.end() + AHEAD).contains(&offset);
        let ahead = if goes_on { (piece.bytes.len() as u64 * 2).clamp(AHEAD, LARGEST_AHEAD) } else { AHEAD };
        let ahead = offset.saturating_add(ahead).min(tail.start);
        (offset, end.max(ahead), if end < ahead { Kept::Piece } else { Kept::Nothing })
    }

    fn known(&self, py: Python<'_>) -> MutexGuard<'_, Read> {
        self.read.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, py: Python<'_>, buffer: &mut [u8], offset: u64) -> PyResult<usize> {
        if offset >= self.size || buffer.is_empty() {
            return Ok(0);
        }
        let (start, end, kept) = {
            let read = self.known(py);
            if let Some(count) =
                [&read.tail, &read.piece].iter().find_map(|piece| piece.copy_to(buffer, offset))
            {
                return Ok(count);
            }
            self.plan(&read, offset, buffer.len() as u64)
        };
        // without the lock: the filesystem may read this file while it reads it
        let fetched = Piece { start, bytes: self.fetch(py, start, end)? };
        let count = fetched.copy_to(buffer, offset).unwrap_or_default();
        let mut read = self.known(py);
        match kept {
            // another thread may have read more meanwhile
            Kept::Tail if read.tail.start == end => {
                let mut bytes = fetched.bytes;
                bytes.append(&mut read.tail.bytes);
                read.tail = Piece { start, bytes };
            }
            Kept::Piece => read.piece = fetched,
            Kept::Tail | Kept::Nothing => {}
        }
        Ok(count)
    }
}

/// Where bytes that were read are kept.
enum Kept {
    Tail,
    Piece,
    Nothing,
}

impl ReadAt for Positioned {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        asked(|py| self.read(py, buffer, offset))
    }
}

/// Asks Python. An exception that ends the program, such as `KeyboardInterrupt`, is raised again when the
/// library's call is over.
fn asked<T>(ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    Python::attach(|py| {
        ask(py).map_err(|error| {
            keep_interrupt(py, &error);
            error.into()
        })
    })
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
    known: Option<Mutex<HashMap<PathBuf, Option<Stat>>>>,
}

impl Filesystem {
    /// The filesystem of Python.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.object.bind(py).clone()
    }

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

    /// The status of a file. If the filesystem does not tell its size, the file is read.
    fn look(&self, py: Python<'_>, path: &Path) -> PyResult<(Stat, Option<Vec<u8>>)> {
        let known = self.known.as_ref();
        let known = known.map(|known| known.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner));
        let missing = || PyFileNotFoundError::new_err(path.display().to_string());
        if let Some(stat) = known.and_then(|known| known.get(path).copied()) {
            return Ok((stat.ok_or_else(missing)?, None));
        }
        let name = text(py, path)?;
        let looked = self.info(py, &name).and_then(|info| {
            let mut stat = stat_of(&info)?;
            let is_told = stat.kind != FileKind::File || size_of(&info)?.is_some();
            let bytes = if is_told { None } else { Some(self.read_whole(py, &name)?) };
            stat.size = bytes.as_ref().map_or(stat.size, |bytes| bytes.len() as u64);
            Ok((stat, bytes))
        });
        let looked = match looked {
            Ok(looked) => Some(looked),
            Err(error) if error.is_instance_of::<PyFileNotFoundError>(py) => None,
            Err(error) => return Err(error),
        };
        self.know(py, path, looked.as_ref().map(|(stat, _)| *stat));
        looked.ok_or_else(missing)
    }

    /// Reads a file of unknown size.
    fn read_whole(&self, py: Python<'_>, path: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
        let bytes = cat_file(self.object.bind(py), path, 0, LARGEST_WHOLE + 1)?;
        if bytes.len() as u64 > LARGEST_WHOLE {
            let text = "the filesystem does not tell its size, and it is larger than 256 MiB";
            return Err(PyOSError::new_err(format!("{}: {text}", path.to_string_lossy())));
        }
        Ok(bytes)
    }

    /// Keeps the status of a file; `None` if it is missing.
    pub(crate) fn know(&self, py: Python<'_>, path: &Path, stat: Option<Stat>) {
        if let Some(known) = &self.known {
            known.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), stat);
        }
    }

    fn info<'py>(&self, py: Python<'py>, path: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyDict>> {
        Ok(self.object.bind(py).call_method1("info", (path,))?.cast_into()?)
    }
}

/// Reads a range of a file, by keywords: in s3fs the second argument is a version.
fn cat_file(
    filesystem: &Bound<'_, PyAny>,
    path: &Bound<'_, PyString>,
    start: u64,
    end: u64,
) -> PyResult<Vec<u8>> {
    let range = [("start", start), ("end", end)].into_py_dict(filesystem.py())?;
    let found = filesystem.call_method("cat_file", (path,), Some(&range))?;
    Ok(found.extract::<PyBackedBytes>()?.to_vec())
}

fn size_of(info: &Bound<'_, PyDict>) -> PyResult<Option<u64>> {
    Ok(info.get_item("size")?.and_then(|size| size.extract().ok()))
}

/// The path of a filesystem, with `/` on every system. Bytes that are not UTF-8 are surrogates, as in `os`.
fn text<'py>(py: Python<'py>, path: &Path) -> PyResult<Bound<'py, PyString>> {
    if cfg!(windows) {
        return Ok(PyString::new(py, &path.to_string_lossy().replace('\\', "/")));
    }
    Ok(path.as_os_str().into_pyobject(py)?)
}

/// The bytes of a name. The name may have surrogates for bytes that are not UTF-8.
fn bytes_of(name: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(name) = name.extract::<OsString>() {
        return Ok(name.into_encoded_bytes());
    }
    // no disk has such a name, which is reported like others that are not UTF-8
    let bytes = name.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(bytes.extract::<PyBackedBytes>()?.to_vec())
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
    let size = size_of(info)?;
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
        asked(|py| {
            let path = text(py, folder)?;
            let folder = bytes_of(&path)?;
            let no_folder = || PyNotADirectoryError::new_err(path.to_string_lossy().into_owned());
            let found = self.object.call_method1(py, "ls", (&path, true))?;
            let mut items = Vec::new();
            for info in found.bind(py).cast::<PyList>()? {
                let info = info.cast_into::<PyDict>()?;
                let name = info.get_item("name")?.map(|name| bytes_of(&name)).transpose()?;
                let name = name.unwrap_or_default();
                let last = without_slashes(&name).rsplit(|byte| *byte == b'/').next().unwrap_or_default();
                // some list the folder itself
                let is_itself = without_slashes(&name) == without_slashes(&folder);
                if is_itself && kind_of(&info)? != FileKind::Folder {
                    return Err(no_folder());
                }
                if !last.is_empty() && !is_itself {
                    items.push(Item { name: last.into(), kind: kind_of(&info)? });
                }
            }
            if items.is_empty() && kind_of(&self.info(py, &path)?)? != FileKind::Folder {
                return Err(no_folder());
            }
            Ok(items)
        })
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        asked(|py| Ok(self.look(py, path)?.0))
    }

    fn open(&self, path: &Path, _: Access) -> io::Result<Opened> {
        asked(|py| {
            let (stat, bytes) = self.look(py, path)?;
            if stat.kind != FileKind::File {
                return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
            }
            if let Some(bytes) = bytes {
                return Ok(Opened { stat, content: Content::Bytes(bytes.into()) });
            }
            let path = text(py, path)?.unbind();
            let file = Positioned::new(Bytes::Path(self.object.clone_ref(py), path), stat.size);
            let content = if self.whole && stat.size <= LARGEST_WHOLE {
                Content::Bytes(file.fetch(py, 0, stat.size)?.into())
            } else {
                Content::At(Arc::new(file))
            };
            Ok(Opened { stat, content })
        })
    }
}

/// A name without slashes around it.
fn without_slashes(name: &[u8]) -> &[u8] {
    let is_slash = |byte: &u8| *byte == b'/';
    let start = name.iter().position(|byte| !is_slash(byte)).unwrap_or(name.len());
    let end = name.iter().rposition(|byte| !is_slash(byte)).map_or(start, |last| last + 1);
    name.get(start..end).unwrap_or_default()
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
        let opened = detached(py, || file.open(&OpenOptions::new(), "archive"))?;
        let archive = opened.map_err(|error| crate::errors::raised(py, &error))?;
        return Ok(Arc::new(ArchiveDisk::new(archive, "archive")));
    }
    Ok(Arc::new(Filesystem::new(given)?))
}
