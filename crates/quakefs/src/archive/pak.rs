//! An archive of the PACK family.

use std::borrow::Cow;
use std::ops::Range;

use pak_format::name::field_holds;
use pak_format::record::Header;
use pak_format::verify::DecodeBudget;
use pak_format::{Directory, Entry, EntryName, ParseOptions};

use super::decoded::Decoded;
use super::files::{Files, Method, Row, of_format};
use super::image::Image;
use crate::data::FileData;
use crate::disk::{FileKind, Opened, Stat};
use crate::error::{Error, ErrorKind};
use crate::finding::{Finding, FindingKind};
use crate::location::Location;
use crate::reader::FileReader;
use crate::rules::{Case, Paks};

/// The rows of a pak: all that a lookup reads.
#[derive(Clone)]
pub(crate) struct PakRows {
    bytes: FileData,
    row_size: usize,
    name_width: usize,
    /// Whether a row may be compressed.
    pub(crate) compresses: bool,
}

impl PakRows {
    /// The bytes of a row, starting at its name field.
    #[inline]
    fn from(&self, row: u32) -> &[u8] {
        self.bytes.get((row as usize).saturating_mul(self.row_size)..).unwrap_or_default()
    }

    #[inline]
    fn name_field(&self, row: u32) -> &[u8] {
        self.from(row).get(..self.name_width).unwrap_or_default()
    }

    /// The name of a row: the field up to its NUL.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        EntryName::from_field(self.name_field(row)).as_bytes()
    }

    /// Whether a request can find this row.
    #[inline]
    pub(crate) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        field_holds(self.name_field(row), name, case == Case::Ignored)
    }

    /// The size of the decoded content. Every layout stores it in the second field after the name.
    #[inline]
    pub(crate) fn size(&self, row: u32) -> u64 {
        let fields = self.from(row).get(self.name_width..).and_then(<[u8]>::first_chunk);
        fields.map_or(0, |[_, _, _, _, size @ ..]: &[u8; 8]| u32::from_le_bytes(*size).into())
    }
}

pub(crate) struct Pak {
    directory: Directory<FileData>,
    range: Range<u64>,
    image: Image,
    /// Why the directory has fewer rows than its header states.
    cut: Option<pak_format::Error>,
    stated_rows: usize,
}

impl Pak {
    pub(crate) fn open(image: Image, options: &ParseOptions) -> Result<Pak, Error> {
        let size = image.size();
        let header = options.parse_header(&image.bytes(0..size.min(Header::SIZE as u64))?)?;
        let range = header.directory_range(size)?;
        let rows = image.bytes(range.clone())?;
        let directory = Directory::parse(&header, rows, size, options)?;
        let stated_rows = directory.len();
        Ok(Pak { directory, range, image, cut: None, stated_rows })
    }

    /// Opens an archive as an engine does. The rules may allow a directory that overlaps the header, or one
    /// that ends past the end of the file: of that, only the complete rows are read.
    pub(crate) fn open_as(image: Image, paks: &Paks) -> Result<Pak, Error> {
        let allow_partial_row = !paks.refuses_partial_row;
        let options = ParseOptions::new().layout(paks.layout).allow_partial_row(allow_partial_row);
        let size = image.size();
        let header = options.parse_header(&image.bytes(0..size.min(Header::SIZE as u64))?)?;
        let start = u64::from(header.directory_offset).min(size);
        let stated = start..(start + u64::from(header.directory_size)).min(size);
        let (range, cut) = match header.directory_range(size) {
            Ok(range) => (range, None),
            Err(error) => match error.kind() {
                pak_format::ErrorKind::DirectoryInHeader { .. } => (stated, None),
                pak_format::ErrorKind::DirectoryOutside { .. } if !paks.refuses_cut_directory => {
                    (stated, Some(error))
                }
                _ => return Err(error.into()),
            },
        };
        let rows = image.bytes(range.clone())?;
        let options = options.allow_partial_row(allow_partial_row || cut.is_some());
        let directory = Directory::parse(&header, rows, size, &options)?;
        // a negative size is not a number of rows
        let stated = i32::try_from(header.directory_size).ok().and_then(|size| usize::try_from(size).ok());
        let stated_rows = stated.unwrap_or(0) / directory.layout().row_size();
        let pak = Pak { directory, range, image, cut, stated_rows };
        if let Some(furthest) = paks.furthest_entry {
            pak.check_ends(furthest)?;
        }
        Ok(pak)
    }

    /// Returns an error for the first entry that ends past this offset.
    fn check_ends(&self, furthest: u32) -> Result<(), Error> {
        let ends = |entry: &Entry<'_>| u64::from(entry.offset()) + u64::from(entry.stored_size());
        let beyond = (0..self.directory.len())
            .filter_map(|row| self.directory.entry(row))
            .find(|entry| ends(entry) > u64::from(furthest));
        match beyond {
            Some(entry) => Ok(entry.extent().map(drop)?),
            None => Ok(()),
        }
    }

    /// The number of rows that the header states.
    pub(crate) fn stated_rows(&self) -> usize {
        self.stated_rows
    }

    /// The bytes of a row after its name field.
    pub(crate) fn after_name(&self, row: u32) -> &[u8] {
        let size = self.directory.layout().row_size();
        let start = (row as usize).saturating_mul(size).saturating_add(self.name_field(row).len());
        let end = (row as usize + 1).saturating_mul(size);
        self.directory.rows().get(start..end).unwrap_or_default()
    }

    pub(crate) fn directory(&self) -> &Directory<FileData> {
        &self.directory
    }

    /// The number of bytes after the last complete row.
    pub(crate) fn ragged(&self) -> usize {
        self.directory.rows().len() % self.directory.layout().row_size()
    }

    /// The whole name field of a row.
    #[inline]
    pub(crate) fn name_field(&self, row: u32) -> &[u8] {
        self.directory.name_field(row as usize).unwrap_or_default()
    }

    /// All rows.
    pub(crate) fn rows(&self) -> PakRows {
        let (bytes, layout) = (self.directory.rows().clone(), self.directory.layout());
        let (row_size, name_width) = (layout.row_size(), layout.name_width());
        PakRows { bytes, row_size, name_width, compresses: layout.compresses() }
    }

    fn entry(&self, row: u32) -> Result<Entry<'_>, Error> {
        let entries = self.directory.len();
        let found = self.directory.entry(row as usize);
        found.ok_or_else(|| ErrorKind::NoSuchEntry { entry: row as usize, entries }.into())
    }

    pub(super) fn image(&self) -> &Image {
        &self.image
    }

    /// The range of the directory in the archive.
    pub(super) fn directory_range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Finds all problems of the archive.
    pub(super) fn verify(&self, name: &str, budget: DecodeBudget) -> Vec<Finding> {
        let mut unreadable = Vec::new();
        let read =
            |entry: &Entry<'_>| match entry.extent().map_err(Error::from).and_then(|at| self.image.bytes(at))
            {
                Ok(payload) => Some(payload),
                Err(error) => {
                    let place = Location::of_entry(name, entry.index(), entry.name());
                    unreadable.push(Finding::of_archive(place, FindingKind::Entry(error)));
                    None
                }
            };
        let found = pak_format::verify::verify_by_position(&self.directory, self.range.clone(), budget, read);
        let mut findings: Vec<_> = found.into_iter().map(|finding| of_format(finding, name)).collect();
        findings.extend(unreadable);
        findings
    }
}

impl Files for Pak {
    fn len(&self) -> u32 {
        u32::try_from(self.directory.len()).unwrap_or(u32::MAX)
    }

    fn name(&self, row: u32) -> &[u8] {
        EntryName::from_field(self.name_field(row)).as_bytes()
    }

    fn row(&self, row: u32) -> Row {
        let Ok(entry) = self.entry(row) else { return Row::stored(0) };
        Row {
            size: entry.size().into(),
            stored_size: entry.stored_size().into(),
            offset: entry.offset().into(),
            method: if entry.is_compressed() { Method::Daikatana } else { Method::Stored },
            is_folder: false,
            crc: None,
        }
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

    fn open(&self, row: u32) -> Result<FileReader, Error> {
        let entry = self.entry(row)?;
        entry.check()?;
        if !entry.is_compressed() {
            let Some(content) = self.image.by_position(entry.extent()?) else {
                return self.read(row).map(FileReader::from);
            };
            let stat = Stat::new(FileKind::File, entry.size().into());
            return Ok(Opened { stat, content }.into());
        }
        let payload = self.image.bytes(entry.extent()?)?;
        Ok(Decoded::daikatana(payload, entry.size()).into())
    }

    fn check(&self, row: u32) -> Result<(), Error> {
        // without a copy of the entry, which took a third of the time of checking each row in a mount
        match self.directory.entry(row as usize).map(|entry| entry.check()) {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(error.into()),
            None => self.entry(row).map(drop),
        }
    }

    fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        self.entry(row).ok()?.extent().ok()
    }

    /// Why rows are missing, if some are.
    fn damage(&self) -> Option<Error> {
        self.cut.clone().map(Error::from)
    }
}
