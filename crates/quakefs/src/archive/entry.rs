//! An entry of an archive.

use std::fmt;
use std::ops::Range;

use pak_format::EntryName;

use super::{Archive, Method};
use crate::data::FileData;
use crate::error::Error;
use crate::reader::FileReader;
use crate::rules::Case;

/// A file in an archive: what its directory says of the file.
#[derive(Clone, Copy)]
pub struct ArchiveEntry<'a> {
    archive: &'a Archive,
    row: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// An entry that is there: `row < archive.rows()`.
    #[inline]
    pub(crate) fn new(archive: &'a Archive, row: u32) -> Self {
        ArchiveEntry { archive, row }
    }

    /// The archive that has the entry.
    #[must_use]
    pub fn archive(&self) -> &'a Archive {
        self.archive
    }

    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// The number of the entry, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.row as usize
    }

    /// The name as stored.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        self.archive.stored_name(self.row)
    }

    /// Whether a request for a name asks for the entry, as the engine reads its name.
    #[must_use]
    pub fn is_named(&self, name: &[u8], case: Case) -> bool {
        self.archive.is_named(self.row, name, case)
    }

    /// Bytes of the content, decoded.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.archive.size_of(self.row)
    }

    /// Bytes that the payload takes in the archive.
    #[must_use]
    pub fn stored_size(&self) -> u64 {
        self.archive.files().stored_size(self.row)
    }

    /// Where the entry starts, in bytes from the start of the archive: its payload in a PACK, its local header in a
    /// ZIP.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.archive.files().offset(self.row)
    }

    /// How the payload is stored.
    #[must_use]
    pub fn method(&self) -> Method {
        self.archive.files().method(self.row)
    }

    /// Whether the entry stands for a folder, as some entries of a ZIP do: no request finds it.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.archive.files().is_folder(self.row)
    }

    /// The content: lent where it is stored as plain bytes in memory, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak), [`ErrorKind::Zip`](crate::ErrorKind::Zip) or [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        self.archive.files().read(self.row)
    }

    /// The content as a stream; [`FileReader`] says what that costs.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        Ok(self.archive.files().open(self.row)?.of_entry(self.index(), self.name()))
    }

    /// Where the plain bytes of the content lie in the archive; `None` where they are compressed or damaged.
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        self.archive.files().range(self.row)
    }

    /// Checks what the directory says of the entry, without reading its payload.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip): those of [`read`](Self::read), as far as the directory shows them.
    pub fn check(&self) -> Result<(), Error> {
        self.archive.files().check(self.row)
    }
}

impl fmt::Debug for ArchiveEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveEntry")
            .field("index", &self.index())
            .field("name", &self.name())
            .field("size", &self.size())
            .field("method", &self.method())
            .finish()
    }
}
