//! An entry of an archive.

use std::fmt;
use std::ops::Range;

use pak_format::EntryName;

use super::{Archive, Method, Row};
use crate::data::FileData;
use crate::error::Error;
use crate::reader::FileReader;
use crate::rules::Case;

/// A file in an archive: what its directory says of the file.
#[derive(Clone, Copy)]
pub struct ArchiveEntry<'a> {
    archive: &'a Archive,
    number: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// An entry that is there: `number < archive.rows()`.
    #[inline]
    pub(crate) fn new(archive: &'a Archive, number: u32) -> Self {
        ArchiveEntry { archive, number }
    }

    /// The archive that has the entry.
    #[must_use]
    pub fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// The number of the entry as its archive counts.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The number of the entry, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.number as usize
    }

    /// The name as stored.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        self.archive.stored_name(self.number)
    }

    /// Whether a request for a name asks for the entry, as the engine reads its name.
    #[must_use]
    pub fn is_named(&self, name: &[u8], case: Case) -> bool {
        self.archive.is_named(self.number, name, case)
    }

    /// Bytes of the content, decoded.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.archive.size_of(self.number)
    }

    /// The row of the entry: its sizes, its offset and how it is stored.
    #[must_use]
    pub fn row(&self) -> Row {
        self.archive.as_files().row(self.number)
    }

    /// The content: lent where it is stored as plain bytes in memory, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak), [`ErrorKind::Zip`](crate::ErrorKind::Zip) or [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        self.archive.as_files().read(self.number)
    }

    /// The content as a stream; [`FileReader`] says what that costs.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        Ok(self.archive.as_files().open(self.number)?.of_entry(self.index(), self.name()))
    }

    /// Where the plain bytes of the content lie in the archive; `None` where they are compressed or damaged.
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        let is_stored = self.row().method == Method::Stored;
        if is_stored { self.archive.as_files().payload_range(self.number) } else { None }
    }

    /// Checks what the directory says of the entry, without reading its payload.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip): those of [`read`](Self::read), as far as the directory shows them.
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
