//! An archive of Anachronox, `.dat`.
//!
//! A header of 16 bytes (`ADAT`, offset and size of the directory, the version 9), payloads, and rows of 144
//! bytes. Sources: SLADE, `ADatArchive.cpp`, `ADatArchive::open`; `bsp_tool`, `archives/ion_storm.py`,
//! `Dat.read` (a compressed size of 0 means that the payload is not compressed). What the last field of a row
//! means is not known.

use std::ops::Range;

use flate2::Decompress;
use pak_format::EntryName;

use super::decoded::Decoded;
use super::files::{Files, Method, Row};
use super::image::Image;
use super::zip::{MAX_EXPANSION, inflate};
use crate::data::FileData;
use crate::error::{Error, ErrorKind, ZipFault};
use crate::reader::FileReader;

const MAGIC: &[u8; 4] = b"ADAT";
const HEADER: u64 = 16;
const VERSION: u32 = 9;
const NAME: usize = 128;
const ROW: usize = NAME + 16;

pub(crate) struct Anachronox {
    rows: FileData,
    directory: Range<u64>,
    image: Image,
}

impl Anachronox {
    /// Reads the rows; `None` if the file does not begin like such an archive.
    pub(crate) fn open(image: &Image) -> Result<Option<Anachronox>, Error> {
        let size = image.size();
        let header = image.bytes(0..size.min(HEADER))?;
        let Some(fields) = header.strip_prefix(MAGIC) else { return Ok(None) };
        let Some([offset, length, version]) = words(fields) else {
            return Err(cut_off("the header", HEADER, size));
        };
        if version != VERSION {
            let what = "an archive of Anachronox";
            return Err(damaged(quake_content::ErrorKind::Version {
                what,
                found: version,
                expected: VERSION,
            }));
        }
        let directory = u64::from(offset)..u64::from(offset) + u64::from(length);
        if directory.end > size {
            return Err(cut_off("the directory", directory.end, size));
        }
        if !(length as usize).is_multiple_of(ROW) {
            let (what, row) = ("the directory", ROW as u64);
            return Err(damaged(quake_content::ErrorKind::Rows { what, size: length.into(), row }));
        }
        let rows = image.bytes(directory.clone())?;
        Ok(Some(Anachronox { rows, directory, image: image.clone() }))
    }

    pub(super) fn image(&self) -> &Image {
        &self.image
    }

    /// The range of the directory in the archive.
    pub(super) fn directory_range(&self) -> Range<u64> {
        self.directory.clone()
    }

    /// Whether a row is compressed, and the range of its payload, which is in the archive.
    fn payload(&self, row: u32) -> Result<(bool, Range<u64>), Error> {
        self.check(row)?;
        let Row { stored_size, offset, method, .. } = self.row(row);
        Ok((method != Method::Stored, offset..offset + stored_size))
    }

    fn error(&self, row: u32, error: impl Into<Error>) -> Error {
        error.into().at_entry(row as usize, self.stored_name(row))
    }
}

impl Files for Anachronox {
    fn len(&self) -> u32 {
        u32::try_from(self.rows.len() / ROW).unwrap_or(u32::MAX)
    }

    fn name(&self, row: u32) -> &[u8] {
        let start = row as usize * ROW;
        EntryName::from_field(self.rows.get(start..start + NAME).unwrap_or_default()).as_bytes()
    }

    fn row(&self, row: u32) -> Row {
        let fields = self.rows.get(row as usize * ROW + NAME..).and_then(words);
        let [offset, size, compressed_size] = fields.unwrap_or_default();
        let is_compressed = compressed_size != 0;
        Row {
            stored_size: if is_compressed { compressed_size } else { size }.into(),
            offset: offset.into(),
            method: if is_compressed { Method::Deflate } else { Method::Stored },
            ..Row::stored(size.into())
        }
    }

    fn check(&self, row: u32) -> Result<(), Error> {
        let Row { size, stored_size, offset, method, .. } = self.row(row);
        let (image_size, limit) = (self.image.size(), stored_size.saturating_mul(MAX_EXPANSION));
        let fault = if offset + stored_size > image_size {
            ZipFault::Outside { offset, stored_size, image_size }
        } else if method != Method::Stored && size > limit {
            ZipFault::Expansion { size, stored_size, limit }
        } else {
            return Ok(());
        };
        Err(self.error(row, fault))
    }

    fn read(&self, row: u32) -> Result<FileData, Error> {
        let (is_compressed, range) = self.payload(row)?;
        let payload = self.image.bytes(range)?;
        if !is_compressed {
            return Ok(payload);
        }
        let content = inflate(&payload, self.row(row).size, Decompress::new(true));
        content.map(FileData::from).map_err(|fault| self.error(row, fault))
    }

    fn open(&self, row: u32) -> Result<FileReader, Error> {
        let (is_compressed, range) = self.payload(row)?;
        if !is_compressed {
            return self.read(row).map(FileReader::from);
        }
        Ok(Decoded::inflate(self.image.clone(), range, self.row(row).size, None).into())
    }

    fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        self.payload(row).ok().map(|(_, range)| range)
    }
}

/// The first three numbers.
fn words(bytes: &[u8]) -> Option<[u32; 3]> {
    let bytes: &[u8; 12] = bytes.first_chunk()?;
    let (words, _) = bytes.as_chunks::<4>();
    let [one, two, three] = words else { return None };
    Some([one, two, three].map(|word| u32::from_le_bytes(*word)))
}

fn cut_off(what: &'static str, needed: u64, found: u64) -> Error {
    damaged(quake_content::ErrorKind::CutOff { what, needed, found })
}

fn damaged(error: impl Into<quake_content::Error>) -> Error {
    ErrorKind::Directory(error.into()).into()
}
