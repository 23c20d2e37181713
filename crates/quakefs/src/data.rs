//! The content of a file, borrowed from a mapped archive or owned.

#[cfg(feature = "fs")]
mod map;

use std::fmt;
use std::ops::{Deref, Range};

use bytes::Bytes;

/// The content of a file.
///
/// It is cheap to clone and independent of its [`SearchPath`](crate::SearchPath): the bytes keep the map of
/// their archive alive, and may go to another thread. Conversions from and to [`Bytes`] copy nothing.
#[derive(Clone, Default)]
pub struct FileData {
    bytes: Bytes,
    mapped: bool,
}

impl FileData {
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
