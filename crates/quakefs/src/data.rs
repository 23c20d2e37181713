//! The bytes of a file, lent from a mapped archive or owned, and a reader over them.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::ops::{Deref, Range};

use bytes::Bytes;

use crate::disk::{Content, Opened, Positioned};

/// The content of a file.
///
/// Cheap to clone, and independent of the [`SearchPath`](crate::SearchPath) that the content came from: the bytes
/// keep the map of their archive alive, and may go to another thread. Inside are [`Bytes`], without a copy either
/// way.
#[derive(Clone, Default)]
pub struct FileData {
    bytes: Bytes,
    mapped: bool,
}

impl FileData {
    /// Maps a file on disk into memory. If another program cuts the file short, touching the bytes that are gone
    /// ends the process.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io), also where the path is not that of a regular file.
    #[cfg(feature = "fs")]
    pub fn map(path: impl AsRef<std::path::Path>) -> Result<Self, crate::Error> {
        let path = crate::error::utf8(path.as_ref())?;
        let io = |doing| move |error| crate::Error::io(path, doing, error);
        let (file, metadata) =
            atomic_file::open_regular(path, std::fs::File::options().read(true)).map_err(io("open"))?;
        Self::map_file(&file, metadata.len()).map_err(io("map"))
    }

    /// Maps an open file of this many bytes.
    #[cfg(feature = "fs")]
    pub(crate) fn map_file(file: &std::fs::File, size: u64) -> io::Result<Self> {
        let len = usize::try_from(size).map_err(io::Error::other)?;
        if len == 0 {
            return Ok(FileData::default());
        }
        #[expect(unsafe_code, reason = "the one place where a file is mapped")]
        // SAFETY: the map is never written through. Another program that changes the file changes bytes that are
        // untrusted anyway; one that cuts the file short ends the process, which the docs say.
        let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) }?;
        Ok(FileData { bytes: Bytes::from_owner(map), mapped: true })
    }

    /// Takes bytes as they are, without a copy: a vector, an array, a `&'static [u8]`.
    pub fn new(bytes: impl AsRef<[u8]> + Send + 'static) -> Self {
        Bytes::from_owner(bytes).into()
    }

    /// A part of these bytes, with the same owner; `None` if the range reaches past the end.
    #[must_use]
    pub fn slice(&self, range: Range<u64>) -> Option<FileData> {
        let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
        (start <= end && end <= self.bytes.len())
            .then(|| FileData { bytes: self.bytes.slice(start..end), mapped: self.mapped })
    }

    /// Whether the bytes are lent from a mapped file rather than owned.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        self.mapped
    }

    /// The bytes as text, if they are UTF-8.
    #[must_use]
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(self).ok()
    }

    /// The bytes, without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }
}

impl Deref for FileData {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for FileData {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<Bytes> for FileData {
    fn from(bytes: Bytes) -> Self {
        FileData { bytes, mapped: false }
    }
}

impl From<FileData> for Bytes {
    fn from(data: FileData) -> Self {
        data.bytes
    }
}

impl From<Vec<u8>> for FileData {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<&'static [u8]> for FileData {
    fn from(bytes: &'static [u8]) -> Self {
        Bytes::from_static(bytes).into()
    }
}

impl From<FileData> for Vec<u8> {
    /// Copies the bytes where they are lent or shared.
    fn from(data: FileData) -> Self {
        data.bytes.into()
    }
}

impl PartialEq for FileData {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for FileData {}

impl PartialEq<[u8]> for FileData {
    fn eq(&self, other: &[u8]) -> bool {
        **self == *other
    }
}

impl PartialEq<&[u8]> for FileData {
    fn eq(&self, other: &&[u8]) -> bool {
        **self == **other
    }
}

impl PartialEq<&str> for FileData {
    fn eq(&self, other: &&str) -> bool {
        **self == *other.as_bytes()
    }
}

impl fmt::Debug for FileData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileData").field("len", &self.len()).field("mapped", &self.is_mapped()).finish()
    }
}

/// A file opened for reading: [`Read`], [`BufRead`] and [`Seek`], whatever layer the file comes from.
///
/// A loose file is read from the disk as the reader goes on. A deflated entry is decoded while it is read, in 64 KiB of
/// memory; a seek backwards starts the decoding again. Any other entry is read when it is opened, as
/// [`Hit::read`](crate::Hit::read) does: a stored one is lent where its archive is mapped or in memory, and takes memory
/// of its size under [`Access::Read`](crate::disk::Access::Read); one that Daikatana's codec compressed is decoded whole.
pub struct FileReader {
    reader: Reader,
    len: u64,
}

enum Reader {
    Data(Cursor<FileData>),
    File(io::BufReader<Positioned>),
    Stream(Box<dyn Stream>),
}

/// What a reader over a stream needs of it.
trait Stream: BufRead + Seek + Send + Sync {}

impl<S: BufRead + Seek + Send + Sync> Stream for S {}

impl FileReader {
    /// A reader over a stream of this many bytes, for kinds of archives of a caller's own.
    pub fn new(stream: impl BufRead + Seek + Send + Sync + 'static, len: u64) -> Self {
        FileReader { reader: Reader::Stream(Box::new(stream)), len }
    }

    /// Bytes of content: as the directory of the archive says, or as the disk said when the file was opened.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a reader has a size, and no content to be empty of")]
    pub fn len(&self) -> u64 {
        self.len
    }

    fn as_buf_read(&mut self) -> &mut dyn BufRead {
        match &mut self.reader {
            Reader::Data(cursor) => cursor,
            Reader::File(file) => file,
            Reader::Stream(stream) => stream,
        }
    }
}

impl fmt::Debug for FileReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileReader").field("len", &self.len).finish_non_exhaustive()
    }
}

impl From<FileData> for FileReader {
    fn from(data: FileData) -> Self {
        let len = data.len() as u64;
        FileReader { reader: Reader::Data(Cursor::new(data)), len }
    }
}

impl From<Opened> for FileReader {
    fn from(opened: Opened) -> Self {
        let len = opened.stat.size;
        match opened.content {
            Content::Bytes(bytes) => bytes.into(),
            Content::At(_) => {
                let reader = io::BufReader::with_capacity(1 << 16, Positioned::from(opened));
                FileReader { reader: Reader::File(reader), len }
            }
        }
    }
}

impl Read for FileReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.as_buf_read().read(buf)
    }

    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> io::Result<usize> {
        self.as_buf_read().read_to_end(buf)
    }
}

impl BufRead for FileReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.as_buf_read().fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.as_buf_read().consume(amount);
    }
}

impl Seek for FileReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.reader {
            Reader::Data(cursor) => cursor.seek(to),
            Reader::File(file) => file.seek(to),
            Reader::Stream(stream) => stream.seek(to),
        }
    }
}
