//! The bytes of a file, lent from a mapped archive or owned, and a reader over them.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::{Deref, Range};
use std::sync::Arc;

use camino::Utf8Path;
use memmap2::Mmap;

use crate::error::Error;

/// The content of a file.
///
/// Cheap to clone, and independent of the [`SearchPath`](crate::SearchPath) that it came from: it keeps the map
/// of its archive alive as long as it lives, and may go to another thread.
#[derive(Clone)]
pub struct FileData {
    owner: Owner,
    range: Range<usize>,
}

#[derive(Clone)]
enum Owner {
    Map(Arc<Mmap>),
    Bytes(Arc<dyn AsRef<[u8]> + Send + Sync>),
}

impl FileData {
    /// Maps a file on disk into memory. If another program cuts it short, touching what is gone ends the
    /// process.
    ///
    /// Fails with [`ErrorKind::Io`](crate::ErrorKind::Io), also where it is not a regular file.
    pub fn map(path: impl AsRef<Utf8Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = open_regular(path)?;
        let io = |error| Error::io(path, "map", error);
        if file.metadata().map_err(io)?.len() == 0 {
            return Ok(FileData::new([]));
        }
        #[expect(unsafe_code, reason = "the one place where a file is mapped")]
        // SAFETY: the map is never written through. Another program that changes the file changes bytes that are
        // untrusted anyway; one that cuts it short ends the process, which the docs say.
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        let range = 0..map.len();
        Ok(FileData { owner: Owner::Map(Arc::new(map)), range })
    }

    /// Takes bytes as they are, without a copy: a vector, an array, a `&'static [u8]`.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let range = 0..bytes.as_ref().len();
        FileData { owner: Owner::Bytes(Arc::new(bytes)), range }
    }

    /// A part of this, with the same owner; `None` if it reaches past the end.
    #[must_use]
    pub fn slice(&self, range: Range<u64>) -> Option<FileData> {
        let start = self.range.start.checked_add(usize::try_from(range.start).ok()?)?;
        let end = self.range.start.checked_add(usize::try_from(range.end).ok()?)?;
        (start <= end && end <= self.range.end)
            .then(|| FileData { owner: self.owner.clone(), range: start..end })
    }

    /// Whether the bytes are lent from a mapped file rather than owned.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        matches!(self.owner, Owner::Map(_))
    }
}

/// Opens a file, but not a pipe, which would be waited for.
pub(crate) fn open_regular(path: &Utf8Path) -> Result<File, Error> {
    let io = |error| Error::io(path, "open", error);
    if !path.metadata().map_err(io)?.is_file() {
        return Err(io(io::Error::other("it is not a regular file")));
    }
    File::open(path).map_err(io)
}

impl Deref for FileData {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        let bytes = match &self.owner {
            Owner::Map(map) => map.get(self.range.clone()),
            Owner::Bytes(bytes) => (**bytes).as_ref().get(self.range.clone()),
        };
        bytes.unwrap_or_default()
    }
}

impl AsRef<[u8]> for FileData {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for FileData {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for FileData {}

impl fmt::Debug for FileData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileData").field("len", &self.len()).field("mapped", &self.is_mapped()).finish()
    }
}

/// A file opened for reading: `Read` and `Seek`, whatever layer it comes from.
#[derive(Debug)]
pub struct FileReader(Reader);

#[derive(Debug)]
enum Reader {
    Data(Cursor<FileData>),
    File(File),
}

impl FileReader {
    pub(crate) fn from_file(file: File) -> Self {
        FileReader(Reader::File(file))
    }
}

impl From<FileData> for FileReader {
    fn from(data: FileData) -> Self {
        FileReader(Reader::Data(Cursor::new(data)))
    }
}

impl Read for FileReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Reader::Data(cursor) => cursor.read(buf),
            Reader::File(file) => file.read(buf),
        }
    }
}

impl Seek for FileReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Reader::Data(cursor) => cursor.seek(to),
            Reader::File(file) => file.seek(to),
        }
    }
}
