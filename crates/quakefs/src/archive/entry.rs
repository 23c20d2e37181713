//! An entry of an archive.

use std::fmt;
use std::ops::Range;

use pak_format::EntryName;

use super::{Archive, Method, Row};
use crate::data::FileData;
use crate::error::Error;
use crate::reader::FileReader;
use crate::rules::Case;

/// An entry of an archive.
#[derive(Clone, Copy)]
pub struct ArchiveEntry<'a> {
    archive: &'a Archive,
    number: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// The entry with this number, which must be below `archive.rows()`.
    #[inline]
    pub(crate) fn new(archive: &'a Archive, number: u32) -> Self {
        ArchiveEntry { archive, number }
    }

    /// The archive that contains the entry.
    #[must_use]
    pub fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// The number of the entry.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The number of the entry, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.number as usize
    }

    /// The stored name.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        self.archive.stored_name(self.number)
    }

    /// Whether a request can find the entry, by the name that the engine reads.
    #[must_use]
    pub fn is_named(&self, name: &[u8], case: Case) -> bool {
        self.archive.is_named(self.number, name, case)
    }

    /// The size of the decoded content in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.archive.size_of(self.number)
    }

    /// The row of the entry: sizes, offset and compression method.
    #[must_use]
    pub fn row(&self) -> Row {
        self.archive.as_files().row(self.number)
    }

    /// Reads the content. It is lent if it is uncompressed and in memory, otherwise owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak), [`ErrorKind::Zip`](crate::ErrorKind::Zip) or [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        self.archive.as_files().read(self.number)
    }

    /// Opens the content as a stream. [`FileReader`] describes the costs.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        Ok(self.archive.as_files().open(self.number)?.of_entry(self.index(), self.name()))
    }

    /// The range of the content in the archive; `None` if it is compressed or damaged.
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        let is_stored = self.row().method == Method::Stored;
        if is_stored { self.archive.as_files().payload_range(self.number) } else { None }
    }

    /// Checks the entry's row without reading its payload.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip), for the errors of
    /// [`read`](Self::read) that the row alone shows.
    pub fn check(&self) -> Result<(), Error> {
        self.archive.as_files().check(self.number)
    }
}

impl fmt::Debug for ArchiveEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveEntry")
            .field("index", &self.index())
            .field("name", &self.name())
            .field("size", &self.size())
            .field("method", &self.row().method)
            .finish()
    }
}
