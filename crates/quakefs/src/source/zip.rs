//! A ZIP archive: `.pk3`, `.pkz`.
//!
//! [rawzip](https://docs.rs/rawzip) reads the structure: it has no dependencies, lends names and payloads where they
//! are, leaves decoding to its caller, knows ZIP64 and data descriptors, and survives hostile input. The crate `zip`
//! owns every name, wants `&mut` to read, and brings its decoders along. Decoding is flate2 over zlib-rs.

use std::fmt;
use std::ops::Range;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use pak_format::EntryName;
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord, ZipLocator,
};

use crate::data::FileData;
use crate::error::{Error, ErrorKind};
use crate::source::image::Image;

/// Deflate gives at most this many bytes for one.
const MAX_EXPANSION: u64 = 1032;
/// Where the fixed part of a central record ends and the name starts, and where the disk's number stands.
const NAME_AT: u64 = 46;
const DISK_AT: usize = 34;

pub(crate) struct Zip {
    archive: ZipArchive<Image>,
    rows: Vec<Row>,
    /// The bytes of the central directory, which hold the names.
    directory: FileData,
    /// What names compare as, one behind the other, where that is not the names themselves.
    keys: Option<Vec<u8>>,
    damage: Option<ZipFault>,
}

struct Row {
    /// Where its name is in the directory.
    name: Range<u32>,
    method: CompressionMethod,
    flags: Flags,
    offset: u64,
    at: ZipArchiveEntryWayfinder,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    encrypted: bool,
    folder: bool,
    elsewhere: bool,
}

/// What is wrong with a ZIP archive or an entry of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZipFault {
    /// There is no central directory to read.
    #[error("not a ZIP archive: {0}")]
    NoDirectory(String),
    /// It begins as an archive of the PACK family, whatever its name or its tail says.
    #[error("not a ZIP archive: it begins as a PACK")]
    Pack,
    /// The central directory ends before its last record, or is damaged.
    #[error("the central directory is damaged after {read} entries: expected {expected}")]
    Directory {
        /// Entries that were read.
        read: u64,
        /// Entries that the archive claims.
        expected: u64,
    },
    /// The entry is encrypted.
    #[error("the entry is encrypted")]
    Encrypted,
    /// The entry is on another disk of a set.
    #[error("the entry is on another disk of a set")]
    OtherDisk,
    /// The entry is compressed in another way than deflate.
    #[error("the entry is compressed by method {0}: expected 0 (stored) or 8 (deflate)")]
    Method(u16),
    /// There is no local header where the central directory says.
    #[error("there is no local header at {offset}, where the directory says")]
    NoLocalHeader {
        /// Where it should be.
        offset: u64,
    },
    /// The payload is not inside the archive.
    #[error(
        "the payload is not where the directory says: expected it inside {image_size} bytes, found offset {offset} + size {stored_size}"
    )]
    Outside {
        /// Where it would start, or its local header.
        offset: u64,
        /// Bytes of the payload.
        stored_size: u64,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// An entry claims more than its bytes could give.
    #[error("{stored_size} bytes give at most {limit}, the directory claims {size}")]
    Expansion {
        /// Bytes that the directory claims.
        size: u64,
        /// Bytes of the payload.
        stored_size: u64,
        /// The most that they could decode to.
        limit: u64,
    },
    /// The content is longer or shorter than the directory says.
    #[error("the content has another size: expected {expected} bytes, found {found}")]
    Size {
        /// Bytes that the directory claims.
        expected: u64,
        /// Bytes there are, or were when decoding stopped.
        found: u64,
    },
    /// The content does not have the checksum that the directory says.
    #[error("the content is damaged: expected the CRC {expected:08x}, found {found:08x}")]
    Checksum {
        /// What the directory says.
        expected: u32,
        /// What the content has.
        found: u32,
    },
    /// There is not as much memory.
    #[error("there is no memory for its {size} bytes")]
    Memory {
        /// Bytes that the directory claims.
        size: u64,
    },
    /// The deflate stream is damaged.
    #[error("the deflate stream is damaged")]
    Deflate,
}

impl ZipFault {
    pub(crate) fn help(&self) -> &'static str {
        match self {
            ZipFault::NoDirectory(_) | ZipFault::Directory { .. } => {
                "the file is probably a cut-off download, or not a ZIP archive: get it again"
            }
            ZipFault::Pack => "rename it to .pak",
            ZipFault::Memory { .. } => "unpack the archive with another program",
            ZipFault::Encrypted => "no engine reads it: repack it without a password",
            ZipFault::OtherDisk => "join the disks into one archive",
            ZipFault::Method(_) => "repack it with deflate",
            _ => "the entry is damaged: get the archive again; the other entries can be read",
        }
    }
}

impl Zip {
    /// Opens an archive. `fold_names` compares its names in lower case with requests as they are.
    pub(crate) fn open(image: Image, fold_names: bool) -> Result<Zip, Error> {
        let no_directory = |error: rawzip::Error| zip_error(ZipFault::NoDirectory(why_not(&error)));
        let size = image.size();
        // room for any record: in less, one of the largest would end the directory
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let archive = ZipLocator::new()
            .locate_in_reader(image, &mut buffer, size)
            .map_err(|(_, error)| no_directory(error))?;
        let start = archive.directory_offset();
        let directory = archive.get_ref().bytes(start..archive.eocd_offset().max(start))?;

        let mut rows = Vec::new();
        let mut entries = archive.entries(&mut buffer);
        loop {
            match entries.next_entry() {
                Ok(Some(record)) => rows.extend(Row::new(&record, start, &directory)),
                Err(error) if rows.is_empty() => return Err(no_directory(error)),
                // an error is damage, or other bytes behind the last record: the count tells
                Ok(None) | Err(_) => break,
            }
        }
        let (read, expected) = (rows.len() as u64, archive.entries_hint());
        // without ZIP64 the count has 16 bits, and some writers let it wrap
        let damaged = read & 0xffff != expected & 0xffff;
        let damage = damaged.then_some(ZipFault::Directory { read, expected });
        rows.shrink_to_fit();
        let mut zip = Zip { archive, rows, directory, keys: None, damage };
        if fold_names {
            zip.keys = Some(zip.directory.to_ascii_lowercase());
        }
        Ok(zip)
    }

    pub(crate) fn image_size(&self) -> u64 {
        self.image().size()
    }

    pub(crate) fn directory_range(&self) -> Range<u64> {
        let start = self.archive.directory_offset();
        start..start + self.directory.len() as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// What is wrong with the archive as a whole.
    pub(crate) fn damage(&self) -> Option<&ZipFault> {
        self.damage.as_ref()
    }

    /// The name that requests are compared with.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        let bytes = self.keys.as_deref().unwrap_or(&self.directory);
        self.rows.get(row as usize).and_then(|row| bytes.get(row.name())).unwrap_or_default()
    }

    /// The name as stored.
    pub(crate) fn stored_name(&self, row: u32) -> EntryName<'_> {
        let name = self.rows.get(row as usize).and_then(|row| self.directory.get(row.name()));
        EntryName::from_bytes(name.unwrap_or_default())
    }

    pub(crate) fn size(&self, row: u32) -> u64 {
        self.rows.get(row as usize).map_or(0, |row| row.at.uncompressed_size_hint())
    }

    pub(crate) fn stored_size(&self, row: u32) -> u64 {
        self.rows.get(row as usize).map_or(0, Row::stored_size)
    }

    pub(crate) fn offset(&self, row: u32) -> u64 {
        self.rows.get(row as usize).map_or(0, |row| row.offset)
    }

    /// The method by its number: 0 stored, 8 deflate.
    pub(crate) fn method(&self, row: u32) -> u16 {
        self.rows.get(row as usize).map_or(0, |row| row.method.as_u16())
    }

    /// Whether a row stands for a folder, which is no file.
    pub(crate) fn is_folder(&self, row: u32) -> bool {
        self.rows.get(row as usize).is_some_and(|row| row.flags.folder)
    }

    /// Whether the row can be right, without looking at its payload.
    pub(crate) fn check(&self, row: u32) -> Result<(), Error> {
        let Some(found) = self.rows.get(row as usize) else { return Ok(()) };
        self.fault(found).map_or(Ok(()), |fault| Err(self.error(row, fault)))
    }

    fn fault(&self, row: &Row) -> Option<ZipFault> {
        let (size, stored_size) = (row.at.uncompressed_size_hint(), row.stored_size());
        if row.flags.encrypted {
            return Some(ZipFault::Encrypted);
        }
        if row.flags.elsewhere {
            return Some(ZipFault::OtherDisk);
        }
        if row.offset.saturating_add(stored_size) > self.image().size() {
            return Some(self.outside(row, row.offset));
        }
        match row.method {
            CompressionMethod::STORE if size != stored_size => {
                Some(ZipFault::Size { expected: size, found: stored_size })
            }
            CompressionMethod::STORE => None,
            CompressionMethod::DEFLATE => {
                let limit = stored_size.saturating_mul(MAX_EXPANSION);
                (size > limit).then_some(ZipFault::Expansion { size, stored_size, limit })
            }
            other => Some(ZipFault::Method(other.as_u16())),
        }
    }

    fn outside(&self, row: &Row, offset: u64) -> ZipFault {
        ZipFault::Outside { offset, stored_size: row.stored_size(), image_size: self.image().size() }
    }

    fn image(&self) -> &Image {
        self.archive.get_ref()
    }

    /// Reads the content of a row: lent where it is stored, else decoded into memory of its declared size. No row
    /// is past the last one but by a mistake of ours: such a one is empty.
    pub(crate) fn read(&self, row: u32) -> Result<FileData, Error> {
        let Some(found) = self.rows.get(row as usize) else { return Ok(FileData::new([])) };
        let fail = |fault| self.error(row, fault);
        self.check(row)?;
        let no_header = ZipFault::NoLocalHeader { offset: found.offset };
        let entry = self.archive.get_entry(found.at).map_err(|_| fail(no_header))?;
        let (start, end) = entry.compressed_data_range();
        if end > self.image().size() {
            return Err(fail(self.outside(found, start)));
        }
        let payload = self.image().bytes(start..end)?;
        let content = if found.method == CompressionMethod::STORE {
            payload
        } else {
            FileData::new(inflate(&payload, found.at.uncompressed_size_hint()).map_err(fail)?)
        };
        let expected = entry.reader().claim_verifier().crc;
        let mut crc = Crc::new();
        crc.update(&content);
        if crc.sum() != expected {
            return Err(fail(ZipFault::Checksum { expected, found: crc.sum() }));
        }
        Ok(content)
    }

    fn error(&self, row: u32, fault: ZipFault) -> Error {
        let name = self.stored_name(row).as_bytes().to_vec();
        ErrorKind::Zip { archive: None, entry: Some((row as usize, name)), fault }.into()
    }
}

/// What the library found, in the words of this one.
fn why_not(error: &rawzip::Error) -> String {
    let cut_short = "its end record is cut short";
    match error.kind() {
        rawzip::ErrorKind::MissingEndOfCentralDirectory => "it has no end record".to_owned(),
        rawzip::ErrorKind::InvalidEndOfCentralDirectory => {
            "its end record puts the directory behind itself".to_owned()
        }
        rawzip::ErrorKind::InvalidSignature { .. } => "no record is where the directory starts".to_owned(),
        rawzip::ErrorKind::Eof => cut_short.to_owned(),
        rawzip::ErrorKind::IO(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            cut_short.to_owned()
        }
        _ => error.to_string(),
    }
}

fn zip_error(fault: ZipFault) -> Error {
    ErrorKind::Zip { archive: None, entry: None, fault }.into()
}

impl Row {
    fn new(record: &ZipFileHeaderRecord<'_>, directory_start: u64, directory: &[u8]) -> Option<Row> {
        let start = record.central_directory_offset().checked_sub(directory_start)?;
        let name_start = u32::try_from(start + NAME_AT).ok()?;
        let name_end = name_start.checked_add(u32::try_from(record.file_path().as_bytes().len()).ok()?)?;
        let disk = directory.get(usize::try_from(start).ok()? + DISK_AT..)?.first_chunk::<2>()?;
        let flags = Flags {
            encrypted: record.flags().is_encrypted(),
            folder: record.is_dir(),
            // 0xffff says that ZIP64 has the number; sets of more disks than that are not made
            elsewhere: !matches!(u16::from_le_bytes(*disk), 0 | 0xffff),
        };
        Some(Row {
            name: name_start..name_end,
            method: record.compression_method(),
            flags,
            offset: record.local_header_offset(),
            at: record.wayfinder(),
        })
    }

    fn name(&self) -> Range<usize> {
        self.name.start as usize..self.name.end as usize
    }

    fn stored_size(&self) -> u64 {
        self.at.compressed_size_hint()
    }
}

/// Decodes into memory of the declared size, which [`Zip::check`] found possible, and no more.
fn inflate(payload: &[u8], size: u64) -> Result<Vec<u8>, ZipFault> {
    let no_memory = |_| ZipFault::Memory { size };
    let mut content = Vec::new();
    content.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX)).map_err(no_memory)?;
    let mut decoder = Decompress::new(false);
    let status = decoder.decompress_vec(payload, &mut content, FlushDecompress::Finish);
    let wrong_size = |found| ZipFault::Size { expected: size, found };
    let is_full = content.len() as u64 == size;
    match status {
        Ok(Status::StreamEnd) if is_full => Ok(content),
        Ok(Status::StreamEnd) => Err(wrong_size(content.len() as u64)),
        // the output is full and the stream is not at its end: it may be there, or have more to give
        Ok(_) if is_full => {
            let mut more = [0; 1];
            let rest =
                payload.get(usize::try_from(decoder.total_in()).unwrap_or(usize::MAX)..).unwrap_or_default();
            match decoder.decompress(rest, &mut more, FlushDecompress::Finish) {
                Ok(Status::StreamEnd) if decoder.total_out() == size => Ok(content),
                Ok(_) if decoder.total_out() > size => Err(wrong_size(decoder.total_out())),
                _ => Err(ZipFault::Deflate),
            }
        }
        Ok(_) | Err(_) => Err(ZipFault::Deflate),
    }
}

impl fmt::Debug for Zip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zip").field("entries", &self.rows.len()).finish_non_exhaustive()
    }
}
