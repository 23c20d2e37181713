//! The content of a file, borrowed from a mapped archive or owned.

use std::fmt;
#[cfg(feature = "fs")]
use std::io;
use std::ops::{Deref, Range};

use bytes::Bytes;

/// The content of a file.
///
/// It is cheap to clone and independent of its [`SearchPath`](crate::SearchPath): the bytes keep the map of their archive
/// alive, and may go to another thread. Conversions from and to [`Bytes`] copy nothing.
#[derive(Clone, Default)]
pub struct FileData {
    bytes: Bytes,
    mapped: bool,
}

impl FileData {
    /// Maps a file on disk into memory. If another program truncates the file, access to the lost bytes kills the process.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io), also if the path is not a regular file.
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
        // SAFETY: the map is never written through. If another program changes the file, it changes bytes that are
        // untrusted anyway. If it truncates the file, access ends the process, as documented.
        let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) }?;
        Ok(FileData { bytes: Bytes::from_owner(map), mapped: true })
    }

    /// Wraps bytes without a copy: a vector, an array, a `&'static [u8]`.
    pub fn new(bytes: impl AsRef<[u8]> + Send + 'static) -> Self {
        Bytes::from_owner(bytes).into()
    }

    /// A slice that shares the owner; `None` if the range exceeds the end.
    #[must_use]
    pub fn slice(&self, range: Range<u64>) -> Option<FileData> {
        let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
        (start <= end && end <= self.bytes.len())
            .then(|| FileData { bytes: self.bytes.slice(start..end), mapped: self.mapped })
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

impl<B: AsRef<[u8]> + ?Sized> From<&'static B> for FileData {
    fn from(bytes: &'static B) -> Self {
        Bytes::from_static(bytes.as_ref()).into()
    }
}

impl From<FileData> for Vec<u8> {
    /// Copies the bytes if they are borrowed or shared.
    fn from(data: FileData) -> Self {
        data.bytes.into()
    }
}

impl<B: AsRef<[u8]> + ?Sized> PartialEq<B> for FileData {
    fn eq(&self, other: &B) -> bool {
        **self == *other.as_ref()
    }
}

impl Eq for FileData {}

impl fmt::Debug for FileData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileData").field("len", &self.len()).field("mapped", &self.mapped).finish()
    }
}
