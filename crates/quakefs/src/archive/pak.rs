//! An archive of the PACK family.

use std::borrow::Cow;
use std::ops::Range;

use pak_format::record::Header;
use pak_format::{Directory, Entry, EntryName, ParseOptions};

use super::files::{Files, Method, Row};
use super::image::Image;
use crate::data::FileData;
use crate::error::{Error, ErrorKind};

pub(crate) struct Pak {
    directory: Directory<FileData>,
    range: Range<u64>,
    image: Image,
}

impl Pak {
    pub(crate) fn open(image: Image, options: &ParseOptions) -> Result<Pak, Error> {
        let size = image.size();
        let header = options.parse_header(&image.bytes(0..size.min(Header::SIZE as u64))?)?;
        let range = header.directory_range(size)?;
        let rows = image.bytes(range.clone())?;
        Ok(Pak { directory: Directory::parse(&header, rows, size, options)?, range, image })
    }

    pub(crate) fn directory(&self) -> &Directory<FileData> {
        &self.directory
    }

    pub(crate) fn directory_range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Bytes after the last whole row.
    pub(crate) fn ragged(&self) -> usize {
        self.directory.rows().len() % self.directory.layout().row_size()
    }

    /// The name in a row: the field up to NUL.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        EntryName::from_field(self.name_field(row)).as_bytes()
    }

    /// The whole name field of a row.
    #[inline]
    pub(crate) fn name_field(&self, row: u32) -> &[u8] {
        self.directory.name_field(row as usize).unwrap_or_default()
    }

    fn entry(&self, row: u32) -> Result<Entry<'_>, Error> {
        let entries = self.directory.len();
        let found = self.directory.entry(row as usize);
        found.ok_or_else(|| ErrorKind::NoSuchEntry { entry: row as usize, entries }.into())
    }

    pub(super) fn image(&self) -> &Image {
        &self.image
    }
}

impl Files for Pak {
    fn len(&self) -> u32 {
        u32::try_from(self.directory.len()).unwrap_or(u32::MAX)
    }

    fn name(&self, row: u32) -> &[u8] {
        Pak::name(self, row)
    }

    fn size(&self, row: u32) -> u64 {
        self.entry(row).map_or(0, |entry| entry.size().into())
    }

    fn read(&self, row: u32) -> Result<FileData, Error> {
        let entry = self.entry(row)?;
        entry.check()?;
        let stored = self.image.bytes(entry.extent()?)?;
        match entry.decode(&stored)? {
            Cow::Borrowed(_) => Ok(stored),
            Cow::Owned(decoded) => Ok(decoded.into()),
        }
    }

    fn check(&self, row: u32) -> Result<(), Error> {
        Ok(self.entry(row)?.check()?)
    }

    fn range(&self, row: u32) -> Option<Range<u64>> {
        let entry = self.entry(row).ok()?;
        entry.extent().ok().filter(|_| !entry.is_compressed())
    }

    fn row(&self, row: u32) -> Row<'_> {
        let entry = self.entry(row).ok();
        let compressed = entry.is_some_and(|entry| entry.is_compressed());
        Row {
            name: EntryName::from_bytes(Pak::name(self, row)),
            offset: entry.map_or(0, |entry| entry.offset().into()),
            stored_size: entry.map_or(0, |entry| entry.stored_size().into()),
            method: if compressed { Method::Daikatana } else { Method::Stored },
            is_folder: false,
        }
    }
}
