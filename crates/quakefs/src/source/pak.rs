//! An archive of the PACK family.

use std::borrow::Cow;
use std::ops::Range;

use pak_format::layout::Header;
use pak_format::{Directory, Entry, EntryName, ParseOptions};

use crate::data::FileData;
use crate::error::Error;
use crate::source::image::Image;

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

    /// Bytes behind the last whole row.
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

    pub(crate) fn entry(&self, row: u32) -> Option<Entry<'_>> {
        self.directory.entry(row as usize)
    }

    /// Reads the content of a row. No row is past the last one but by a mistake of ours: such a one is empty.
    pub(crate) fn read(&self, row: u32) -> Result<FileData, Error> {
        let Some(entry) = self.entry(row) else { return Ok(FileData::new([])) };
        entry.check()?;
        let stored = self.image.bytes(entry.extent()?)?;
        match entry.decode(&stored)? {
            Cow::Borrowed(_) => Ok(stored),
            Cow::Owned(decoded) => Ok(FileData::new(decoded)),
        }
    }
}
