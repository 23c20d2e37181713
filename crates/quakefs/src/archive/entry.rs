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
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.archive().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn archive(&self) -> &'a Archive {
        self.archive
    }

    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// The number of the entry, from 0.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.index(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn index(&self) -> usize {
        self.row as usize
    }

    /// The name as stored.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.name(), "maps/start.bsp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        self.archive.stored_name(self.row)
    }

    /// Whether a request for a name asks for the entry, as the engine reads its name.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert!(entry.is_named(b"MAPS/START.BSP", quakefs::rules::Case::Ignored));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_named(&self, name: &[u8], case: Case) -> bool {
        self.archive.is_named(self.row, name, case)
    }

    /// Bytes of the content, decoded.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.size(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> u64 {
        self.archive.size_of(self.row)
    }

    /// Bytes that the payload takes in the archive.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.stored_size(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stored_size(&self) -> u64 {
        self.archive.files().stored_size(self.row)
    }

    /// Where the entry starts, in bytes from the start of the archive: its payload in a PACK, its local header in a
    /// ZIP.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.offset(), 12); // after the header
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.archive.files().offset(self.row)
    }

    /// How the payload is stored.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.method(), quakefs::archive::Method::Stored);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn method(&self) -> Method {
        self.archive.files().method(self.row)
    }

    /// Whether the entry stands for a folder, as some entries of a ZIP do: no request finds it.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert!(!entry.is_folder());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.archive.files().is_folder(self.row)
    }

    /// The content: lent where it is stored as plain bytes in memory, else owned.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.read()?, "a level");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak), [`ErrorKind::Zip`](crate::ErrorKind::Zip) or [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        self.archive.files().read(self.row)
    }

    /// The content as a stream; [`FileReader`] says what that costs.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(std::io::read_to_string(entry.open()?)?, "a level");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        Ok(self.archive.files().open(self.row)?.of_entry(*self))
    }

    /// Where the plain bytes of the content lie in the archive; `None` where they are compressed or damaged.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// assert_eq!(entry.range(), Some(12..19));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        self.archive.files().range(self.row)
    }

    /// Checks what the directory says of the entry, without reading its payload.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let archive = quakefs::Archive::from_data(quakefs::FileData::from(pak.finish()?))?;
    /// # let entry = archive.entry(0).unwrap();
    /// entry.check()?; // the row is in order, and the payload lies in the archive
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
