//! The end record of a ZIP, which leads to its directory.
//!
//! Engines and archivers take the last end record and count back from it: the directory ends where the record
//! starts, and all offsets begin as far before the directory as the record states. `unzOpen` of minizip,
//! `PK3_GetEndOfCentralDir` of DarkPlaces, Python's `zipfile` and Info-ZIP do so. rawzip tries the stated
//! offset first, which leads elsewhere if two archives are joined, so it reads through a [`Counted`] image.

use std::io;
use std::ops::RangeInclusive;

use rawzip::{ReaderAt, ZipArchive, ZipLocator};

use super::image::Image;

/// The size of the end record, and offsets in it.
const END_SIZE: usize = 22;
pub(super) const END_RECORD: u64 = END_SIZE as u64;
const COUNT_AT: usize = 10;
const SIZE_AT: usize = 12;
const OFFSET_AT: usize = 16;
const COMMENT_AT: usize = 20;
/// The sizes of the locator and of the record of ZIP64, which precede the end record, and offsets in the
/// record.
pub(super) const ZIP64_LOCATOR: u64 = 20;
const ZIP64_RECORD: u64 = 56;
const ZIP64_SIZE_AT: usize = 40;
const ZIP64_OFFSET_AT: usize = 48;
/// The magics.
const END_MAGIC: &[u8] = b"PK\x05\x06";
const ROW_MAGIC: &[u8] = b"PK\x01\x02";
pub(super) const ZIP64_RECORD_MAGIC: &[u8] = b"PK\x06\x06";
pub(super) const ZIP64_LOCATOR_MAGIC: &[u8] = b"PK\x06\x07";
/// The longest comment, which engines search for the end record.
pub(super) const LONGEST_COMMENT: u64 = 0xffff;

/// An image with its offsets counted from the start of the ZIP in it.
pub(super) struct Counted {
    pub(super) image: Image,
    /// How many other bytes are in front.
    pub(super) base: u64,
}

impl Counted {
    /// The offset in the image.
    pub(super) fn at(&self, offset: u64) -> u64 {
        offset.saturating_add(self.base)
    }
}

impl ReaderAt for Counted {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let at = self.at(offset);
        let read = self.image.fill(buffer, at)?;
        if read > 0 || at > self.image.size().saturating_add(LONGEST_COMMENT) {
            return Ok(read);
        }
        // engines load an archive whose comment is cut off
        buffer.fill(0);
        Ok(buffer.len())
    }
}

/// A ZIP whose directory was found.
pub(super) struct Located {
    pub(super) archive: ZipArchive<Counted>,
    /// Whether the directory is where engines find it.
    pub(super) is_counted_back: bool,
}

impl Located {
    /// Finds the directory. If none is there counting back, takes the one at the stated offset.
    pub(super) fn find(image: &Image, buffer: &mut [u8]) -> Result<Located, rawzip::Error> {
        let mut locate = |base| {
            let end = image.size().saturating_sub(base);
            let located =
                ZipLocator::new().locate_in_reader(Counted { image: image.clone(), base }, buffer, end);
            located.map_err(|(_, error)| error)
        };
        let located = locate(0);
        let at = match &located {
            Ok(archive) => Some(archive.eocd_offset()),
            Err(error) => error.eocd_offset(),
        };
        if at.is_some_and(|at| at.saturating_add(END_RECORD) > image.size()) {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let end = at.and_then(|at| End::read(image, at));
        let counted =
            end.filter(|end| end.leads_back(image)).and_then(|end| Some((end.base()?, end.counted_back?)));
        let archive = match counted {
            Some((base, _)) if base != 0 => locate(base)?,
            _ => located?,
        };
        let start = archive.get_ref().at(archive.directory_offset());
        Ok(Located {
            is_counted_back: counted.is_some_and(|(_, counted_back)| counted_back == start),
            archive,
        })
    }
}

/// Where an end record puts its directory.
struct End {
    /// The offset of the directory as stated.
    stated: u64,
    /// The offset of the directory counted back; `None` before the start of the file.
    counted_back: Option<u64>,
    is_empty: bool,
}

impl End {
    /// Reads the end record at an offset.
    fn read(image: &Image, at: u64) -> Option<End> {
        let record = image.bytes(at..at.checked_add(END_RECORD)?).ok()?;
        let short = |at: usize| Some(u64::from(u16::from_le_bytes(*record.get(at..)?.first_chunk()?)));
        let word = |at: usize| Some(u64::from(u32::from_le_bytes(*record.get(at..)?.first_chunk()?)));
        let (end, size, stated) = match Self::read_zip64(image, at) {
            Some(zip64) => zip64,
            None => (at, word(SIZE_AT)?, word(OFFSET_AT)?),
        };
        Some(End {
            stated,
            counted_back: end.checked_sub(size),
            is_empty: short(COUNT_AT)? == 0 && size == 0,
        })
    }

    /// Where the directory ends, its size and its stated offset, from the records of ZIP64 in front of an end
    /// record.
    fn read_zip64(image: &Image, end: u64) -> Option<(u64, u64, u64)> {
        let locator = end.checked_sub(ZIP64_LOCATOR)?;
        let at = locator.checked_sub(ZIP64_RECORD)?;
        let starts_with = |at, magic: &[u8]| image.bytes(at..at + 4).is_ok_and(|bytes| *bytes == *magic);
        if !starts_with(locator, ZIP64_LOCATOR_MAGIC) || !starts_with(at, ZIP64_RECORD_MAGIC) {
            return None;
        }
        let record = image.bytes(at..locator).ok()?;
        let long = |at: usize| Some(u64::from_le_bytes(*record.get(at..)?.first_chunk()?));
        Some((at, long(ZIP64_SIZE_AT)?, long(ZIP64_OFFSET_AT)?))
    }

    /// How many bytes are in front of the archive; `None` if bytes are missing instead. minizip refuses such
    /// a file, and other programs find no entry in it.
    fn base(&self) -> Option<u64> {
        self.counted_back?.checked_sub(self.stated)
    }

    fn leads_back(&self, image: &Image) -> bool {
        self.is_empty || self.counted_back.is_some_and(|at| is_row(image, at))
    }
}

fn is_row(image: &Image, at: u64) -> bool {
    image.bytes(at..at.saturating_add(4)).is_ok_and(|bytes| *bytes == *ROW_MAGIC)
}

/// The directory of another archive in the same file, which some programs read: where the end record says, or
/// where an end record says whose comment contains this one, or one in front of the first entry.
pub(super) fn other_directory(image: &Image, end: u64, first: u64) -> Option<u64> {
    let own = End::read(image, end)?;
    if own.leads_back(image) && own.counted_back != Some(own.stated) && is_row(image, own.stated) {
        return Some(own.stated);
    }
    let around = earlier_directory(image, end, end + 1..=image.size());
    around.or_else(|| earlier_directory(image, first, 0..=first))
}

/// The directory of the last end record before an offset whose comment ends in a range.
fn earlier_directory(image: &Image, before: u64, comment_ends: RangeInclusive<u64>) -> Option<u64> {
    let start = before.saturating_sub(END_RECORD + LONGEST_COMMENT);
    let bytes = image.bytes(start..before).ok()?;
    let ends = bytes.windows(END_SIZE).enumerate().rev();
    ends.filter(|(_, record)| record.starts_with(END_MAGIC)).find_map(|(index, record)| {
        let at = start + index as u64;
        let comment = u64::from(u16::from_le_bytes(*record.get(COMMENT_AT..)?.first_chunk()?));
        let end = comment_ends.contains(&(at + END_RECORD + comment)).then(|| End::read(image, at))??;
        [end.counted_back?, end.stated].into_iter().find(|directory| is_row(image, *directory))
    })
}
