//! A ZIP archive: `.pk3`, `.pkz`.
//!
//! [rawzip](https://docs.rs/rawzip) reads the structure. It has no dependencies, borrows names and payloads
//! without copying, leaves decoding to its caller, supports ZIP64 and data descriptors, and survives hostile
//! input. The crate `zip` copies every name, needs `&mut` to read, and includes its own decoders. Decoding
//! uses flate2 with zlib-rs.

use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};
use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, FindingKind as PakFinding};
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};

use super::decoded::{Decoded, crc32};
use super::files::{self, Files, Method, Row};
use super::image::Image;
use super::zip_end::{
    Counted, END_RECORD, LONGEST_COMMENT, Located, ZIP64_LOCATOR, ZIP64_LOCATOR_MAGIC, ZIP64_RECORD_MAGIC,
    other_directory,
};
use crate::data::FileData;
use crate::error::{Error, ErrorKind, ZipFault};
use crate::finding::{Finding, FindingKind};
use crate::location::Location;
use crate::reader::FileReader;
use crate::rules::{ZipEntryForm, ZipForm, Zips};

/// Deflate expands each byte to at most this many.
pub(super) const MAX_EXPANSION: u64 = 1032;
/// The size of the fixed part of a central record, after which the name starts, and offsets of some fields.
const NAME_AT: u64 = 46;
const HOST_AT: usize = 5;
const FLAGS_AT: usize = 8;
const DISK_AT: usize = 34;
const ATTRIBUTES_AT: usize = 38;
/// The size of the fixed part of a local header, and offsets of some fields.
const LOCAL_HEADER: usize = 30;
const LOCAL_METHOD_AT: usize = 8;
const LOCAL_CRC_AT: usize = 14;
const LOCAL_STORED_SIZE_AT: usize = 18;
const LOCAL_SIZE_AT: usize = 22;
const LOCAL_NAME_LENGTH_AT: usize = 26;
/// The flag of an entry whose CRC and sizes follow the payload. Its local header may have zeros instead.
const CRC_FOLLOWS: u16 = 1 << 3;

pub(crate) struct Zip {
    archive: ZipArchive<Counted>,
    rows: Vec<Record>,
    /// The bytes of the central directory, which contain the names.
    directory: FileData,
    /// The names for comparison, concatenated, if they differ from the stored names.
    keys: Option<Vec<u8>>,
    damage: Option<ZipFault>,
}

struct Record {
    /// The range of its name in the directory.
    name: Range<u32>,
    /// The system of its writer, its flags, and its file attributes.
    host: u8,
    bits: u16,
    attributes: u32,
    crc: u32,
    method: CompressionMethod,
    is_encrypted: bool,
    is_folder: bool,
    /// Whether it is on another disk of a set.
    is_elsewhere: bool,
    offset: u64,
    at: ZipArchiveEntryWayfinder,
}

impl Zip {
    /// Opens an archive.
    pub(crate) fn open(image: &Image) -> Result<Zip, Error> {
        let zip = Zip::read(image)?;
        match &zip.damage {
            Some(fault @ ZipFault::NoDirectory(_)) => Err(fault.clone().into()),
            _ => Ok(zip),
        }
    }

    /// Reads the directory. If the first record is damaged and the end record states 0 entries, the archive
    /// opens as damaged and empty.
    fn read(image: &Image) -> Result<Zip, Error> {
        let no_directory = |error: rawzip::Error| Error::from(ZipFault::NoDirectory(why_not(&error)));
        // large enough for any record; with less, the largest one would end the directory
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let Located { archive, is_counted_back } = Located::find(image, &mut buffer).map_err(no_directory)?;
        let start = archive.directory_offset();
        let at = |offset| archive.get_ref().at(offset);
        let directory = image.bytes(at(start)..at(archive.eocd_offset().max(start)))?;

        let mut rows = Vec::new();
        let mut damage = None;
        let mut entries = archive.entries(&mut buffer);
        loop {
            match entries.next_entry() {
                Ok(Some(record)) => rows.extend(Record::new(&record, &archive, &directory)),
                Err(error) if rows.is_empty() && archive.entries_hint() > 0 => {
                    return Err(no_directory(error));
                }
                Err(error) if rows.is_empty() => {
                    damage = Some(ZipFault::NoDirectory(why_not(&error)));
                    break;
                }
                // an error is either damage or bytes after the last record; the count decides
                Ok(None) | Err(_) => break,
            }
        }
        let (read, expected) = (rows.len() as u64, archive.entries_hint());
        // without ZIP64 the count has 16 bits, which some writers let overflow
        let damaged = read & 0xffff != expected & 0xffff;
        let damage = damage.or(damaged.then_some(ZipFault::Directory { read, expected }));
        let damage = damage.or((!is_counted_back).then_some(ZipFault::NotCountedBack));
        rows.shrink_to_fit();
        Ok(Zip { archive, rows, directory, keys: None, damage })
    }

    /// Opens an archive as an engine does, which refuses some forms and reads no more rows than the end
    /// record states. With `fold_names`, its names are compared in lower case with unchanged requests.
    pub(crate) fn open_as(image: &Image, reading: &Zips) -> Result<Zip, Error> {
        let mut zip = Zip::read(image)?;
        if let Some(fault @ ZipFault::NotCountedBack) = zip.damage {
            return Err(fault.into());
        }
        if let Some(form) = reading.refused.iter().find(|form| zip.is_of(**form)) {
            return Err(ZipFault::Refused(*form).into());
        }
        if let Some(ZipFault::Directory { expected, .. }) = zip.damage {
            zip.rows.truncate(usize::try_from(expected).unwrap_or(usize::MAX));
        }
        zip.keys = reading.lower_cased.then(|| zip.directory.to_ascii_lowercase());
        Ok(zip)
    }

    fn is_of(&self, form: ZipForm) -> bool {
        let size = self.image().size();
        let end = self.end();
        match form {
            ZipForm::Zip64 => {
                let at = self.at(self.archive.end_offset().saturating_sub(END_RECORD + ZIP64_LOCATOR));
                [at, end.saturating_sub(ZIP64_LOCATOR), end].iter().any(|&at| {
                    self.starts_with(at, ZIP64_LOCATOR_MAGIC) || self.starts_with(at, ZIP64_RECORD_MAGIC)
                })
            }
            ZipForm::BytesInFront => !self.starts_with(0, b"PK\x03\x04") && !self.rows.is_empty(),
            ZipForm::LongComment => size.saturating_sub(end) > LONGEST_COMMENT,
            ZipForm::CountTooLarge => {
                matches!(self.damage, Some(ZipFault::Directory { read, expected }) if expected > read)
            }
            ZipForm::EntryOutside => self.rows.iter().any(|row| row.offset >= size),
        }
    }

    fn starts_with(&self, at: u64, magic: &[u8]) -> bool {
        self.image().bytes(at..at.saturating_add(magic.len() as u64)).is_ok_and(|bytes| *bytes == *magic)
    }

    /// The offset in the file of an offset in the archive.
    fn at(&self, offset: u64) -> u64 {
        self.archive.get_ref().at(offset)
    }

    /// The offset of the end record.
    fn end(&self) -> u64 {
        self.at(self.archive.eocd_offset())
    }

    /// Whether entries have offsets that do not count extra bytes before the archive.
    pub(crate) fn is_shifted(&self) -> bool {
        self.archive.get_ref().base != 0 && !self.rows.is_empty()
    }

    /// Whether a row has this form.
    pub(crate) fn is_entry_of(&self, row: u32, form: ZipEntryForm) -> bool {
        const UTF8: u16 = 1 << 11;
        const DOS_FOLDER: u32 = 0x10;
        const KIND: u32 = 0o170_000;
        const LINK: u32 = 0o120_000;
        let Some(record) = self.rows.get(row as usize) else { return false };
        match form {
            ZipEntryForm::Encrypted => record.is_encrypted,
            ZipEntryForm::OtherMethod => {
                !matches!(record.method, CompressionMethod::STORE | CompressionMethod::DEFLATE)
            }
            ZipEntryForm::Utf8Flag => record.bits & UTF8 != 0,
            ZipEntryForm::NotAscii => record.bits & UTF8 == 0 && !self.stored_name(row).as_bytes().is_ascii(),
            ZipEntryForm::Empty => record.at.uncompressed_size_hint() == 0,
            ZipEntryForm::Link => (record.attributes >> 16) & KIND == LINK,
            ZipEntryForm::DosFolder => record.attributes & DOS_FOLDER != 0,
            ZipEntryForm::FolderName => self.stored_name(row).as_bytes().ends_with(b"/"),
        }
    }

    /// Whether a row is from DOS, NTFS or VFAT, by the host that its writer states.
    pub(super) fn is_from_dos(&self, row: u32) -> bool {
        self.rows.get(row as usize).is_some_and(|row| matches!(row.host, 0 | 10 | 14))
    }

    /// Whether minizip opens an entry: its method is supported and its local header matches its row.
    pub(super) fn is_opened_by_minizip(&self, row: u32) -> bool {
        let Some(record) = self.rows.get(row as usize) else { return false };
        let header = self.image().bytes(record.offset..record.offset.saturating_add(LOCAL_HEADER as u64));
        let Ok(header) = header else { return false };
        let half = |at: usize| header.get(at..)?.first_chunk().copied().map(u16::from_le_bytes);
        let word = |at: usize| header.get(at..)?.first_chunk().copied().map(u32::from_le_bytes);
        header.starts_with(b"PK\x03\x04")
            && matches!(record.method.as_u16(), 0 | 8 | 12)
            && half(LOCAL_METHOD_AT) == Some(record.method.as_u16())
            && (record.bits & CRC_FOLLOWS != 0 || word(LOCAL_CRC_AT) == Some(record.crc))
    }

    /// The fields in which the local header of an entry differs from its row. Some programs read the one,
    /// some the other.
    fn local_differences(&self, row: u32) -> Option<Vec<&'static str>> {
        let record = self.rows.get(row as usize)?;
        let name = self.stored_name(row);
        let end = record.offset.checked_add((LOCAL_HEADER + name.as_bytes().len()) as u64)?;
        let header = self.image().bytes(record.offset..end.min(self.image().size())).ok()?;
        let half = |at: usize| Some(u16::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let word = |at: usize| Some(u64::from(u32::from_le_bytes(*header.get(at..)?.first_chunk()?)));
        if !header.starts_with(b"PK\x03\x04") {
            return None;
        }
        // the largest value stands for a number in the extra field of ZIP64
        let differs = |found: u64, expected: u64| {
            let is_absent = found == u64::from(u32::MAX) || (found == 0 && record.bits & CRC_FOLLOWS != 0);
            found != expected && !is_absent
        };
        let has_name = usize::from(half(LOCAL_NAME_LENGTH_AT)?) == name.as_bytes().len()
            && header.get(LOCAL_HEADER..) == Some(name.as_bytes());
        let fields = [
            ("name", !has_name),
            ("method", half(LOCAL_METHOD_AT)? != record.method.as_u16()),
            ("CRC", differs(word(LOCAL_CRC_AT)?, u64::from(record.crc))),
            ("size", differs(word(LOCAL_SIZE_AT)?, record.at.uncompressed_size_hint())),
            ("compressed size", differs(word(LOCAL_STORED_SIZE_AT)?, record.stored_size())),
        ];
        Some(fields.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect())
    }

    fn record(&self, row: u32) -> Result<&Record, Error> {
        let entries = self.rows.len();
        let found = self.rows.get(row as usize);
        found.ok_or_else(|| ErrorKind::NoSuchEntry { entry: row as usize, entries }.into())
    }

    fn fault(&self, row: &Record) -> Option<ZipFault> {
        let (size, stored_size) = (row.at.uncompressed_size_hint(), row.stored_size());
        if row.is_encrypted {
            return Some(ZipFault::Encrypted);
        }
        if row.is_elsewhere {
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

    fn outside(&self, row: &Record, offset: u64) -> ZipFault {
        ZipFault::Outside { offset, stored_size: row.stored_size(), image_size: self.image().size() }
    }

    pub(super) fn image(&self) -> &Image {
        &self.archive.get_ref().image
    }

    /// The range of a row's payload, and the CRC of its content.
    fn payload(&self, row: u32) -> Result<(Range<u64>, u32), Error> {
        self.check(row)?;
        let record = self.record(row)?;
        let fail = |fault| self.error(row, fault);
        let no_header = ZipFault::NoLocalHeader { offset: record.offset };
        let entry = self.archive.get_entry(record.at).map_err(|_| fail(no_header))?;
        let (start, end) = entry.compressed_data_range();
        let (start, end) = (self.at(start), self.at(end));
        if end > self.image().size() {
            return Err(fail(self.outside(record, start)));
        }
        Ok((start..end, entry.reader().claim_verifier().crc))
    }

    fn error(&self, row: u32, fault: ZipFault) -> Error {
        Error::from(fault).at_entry(row as usize, self.stored_name(row))
    }

    /// The range of the directory in the archive.
    pub(super) fn directory_range(&self) -> Range<u64> {
        let start = self.at(self.archive.directory_offset());
        start..start + self.directory.len() as u64
    }

    /// Finds all problems of the archive.
    pub(super) fn verify(&self, name: &str, budget: DecodeBudget) -> Vec<Finding> {
        let mut findings = files::verify(self, self.image().size(), name, budget);
        let of_format = |place, kind| Finding::of_archive(place, FindingKind::Archive(kind));
        for row in 0..self.len() {
            let fields = self.local_differences(row).unwrap_or_default();
            if !fields.is_empty() {
                let place = Location::of_entry(name, row as usize, self.stored_name(row));
                findings.push(of_format(place, PakFinding::LocalHeader { fields }));
            }
        }
        findings.sort_by_key(|finding| finding.location.entry().unwrap_or(usize::MAX));
        let directory = self.directory_range().start;
        let first = self.rows.iter().map(|row| row.offset).min().unwrap_or(directory).min(directory);
        let other = other_directory(self.image(), self.end(), first);
        findings.extend(other.map(|other| {
            of_format(Location::layer(name), PakFinding::TwoDirectories { read: directory, other })
        }));
        findings
    }
}

impl Files for Zip {
    fn len(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    #[inline]
    fn name(&self, row: u32) -> &[u8] {
        let bytes = self.keys.as_deref().unwrap_or(&self.directory);
        self.rows.get(row as usize).and_then(|row| bytes.get(row.name())).unwrap_or_default()
    }

    fn row(&self, row: u32) -> Row {
        let Some(record) = self.rows.get(row as usize) else { return Row::stored(0) };
        Row {
            size: record.at.uncompressed_size_hint(),
            stored_size: record.stored_size(),
            offset: record.offset,
            method: match record.method.as_u16() {
                0 => Method::Stored,
                8 => Method::Deflate,
                other => Method::Other(other),
            },
            is_folder: record.is_folder,
            crc: Some(record.crc),
        }
    }

    /// Borrows an uncompressed payload, or decodes into memory of the declared size.
    fn read(&self, row: u32) -> Result<FileData, Error> {
        let (range, expected) = self.payload(row)?;
        let record = self.record(row)?;
        let payload = self.image().bytes(range)?;
        let content = if record.method == CompressionMethod::STORE {
            payload
        } else {
            let size = record.at.uncompressed_size_hint();
            inflate(&payload, size, Decompress::new(false)).map_err(|fault| self.error(row, fault))?.into()
        };
        let found = crc32(&content);
        if found != expected {
            return Err(self.error(row, ZipFault::Checksum { expected, found }));
        }
        Ok(content)
    }

    fn open(&self, row: u32) -> Result<FileReader, Error> {
        let record = self.record(row)?;
        if record.method == CompressionMethod::STORE {
            return self.read(row).map(FileReader::from);
        }
        let (range, crc) = self.payload(row)?;
        let size = record.at.uncompressed_size_hint();
        Ok(Decoded::inflate(self.image().clone(), range, size, Some(crc)).into())
    }

    fn check(&self, row: u32) -> Result<(), Error> {
        let record = self.record(row)?;
        self.fault(record).map_or(Ok(()), |fault| Err(self.error(row, fault)))
    }

    fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        self.payload(row).ok().map(|(range, _)| range)
    }

    fn stored_name(&self, row: u32) -> EntryName<'_> {
        let name = self.rows.get(row as usize).and_then(|row| self.directory.get(row.name()));
        EntryName::from_bytes(name.unwrap_or_default())
    }

    fn damage(&self) -> Option<Error> {
        self.damage.clone().map(Error::from)
    }
}

/// The reason in an error of rawzip, in this project's words.
fn why_not(error: &rawzip::Error) -> String {
    let cut_short = "its end record is cut short";
    match error.kind() {
        rawzip::ErrorKind::MissingEndOfCentralDirectory => "it has no end record".to_owned(),
        rawzip::ErrorKind::InvalidEndOfCentralDirectory => {
            "its end record puts the directory after itself".to_owned()
        }
        rawzip::ErrorKind::InvalidSignature { .. } => "no record is where the directory starts".to_owned(),
        rawzip::ErrorKind::Eof => cut_short.to_owned(),
        rawzip::ErrorKind::IO(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            cut_short.to_owned()
        }
        _ => error.to_string(),
    }
}

impl Record {
    fn new(
        record: &ZipFileHeaderRecord<'_>,
        archive: &ZipArchive<Counted>,
        directory: &[u8],
    ) -> Option<Record> {
        let start = record.central_directory_offset().checked_sub(archive.directory_offset())?;
        let name_start = u32::try_from(start + NAME_AT).ok()?;
        let name_end = name_start.checked_add(u32::try_from(record.file_path().as_bytes().len()).ok()?)?;
        let disk = directory.get(usize::try_from(start).ok()? + DISK_AT..)?.first_chunk::<2>()?;
        let field = directory.get(usize::try_from(start).ok()?..)?;
        let bits = u16::from_le_bytes(*field.get(FLAGS_AT..)?.first_chunk()?);
        let attributes = u32::from_le_bytes(*field.get(ATTRIBUTES_AT..)?.first_chunk()?);
        Some(Record {
            name: name_start..name_end,
            host: *field.get(HOST_AT)?,
            bits,
            attributes,
            crc: record.crc32(),
            method: record.compression_method(),
            is_encrypted: record.flags().is_encrypted(),
            is_folder: record.is_dir(),
            // 0xffff means that the ZIP64 record contains the number; nobody makes sets with more disks
            is_elsewhere: !matches!(u16::from_le_bytes(*disk), 0 | 0xffff),
            offset: archive.get_ref().at(record.local_header_offset()),
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

/// The most memory allocated before anything is decoded; enough for most entries.
const FIRST_ROOM: usize = 1 << 20;

/// Decodes into at most the declared size, which [`Files::check`] has found possible.
pub(super) fn inflate(payload: &[u8], size: u64, mut decoder: Decompress) -> Result<Vec<u8>, ZipFault> {
    let no_memory = |_| ZipFault::Memory { size };
    let whole = usize::try_from(size).unwrap_or(usize::MAX);
    let mut content = Vec::new();
    content.try_reserve_exact(whole).map_err(no_memory)?;
    // in one call if the output fits
    let at_once = whole <= FIRST_ROOM;
    let flush = if at_once { FlushDecompress::Finish } else { FlushDecompress::None };
    // the buffer grows in steps as large as the decoded part, so that a damaged payload with a large claim
    // fails before it touches much memory
    let mut written = 0usize;
    let status = loop {
        content.resize(whole.min(written.saturating_mul(2).max(FIRST_ROOM)), 0);
        let before = (decoder.total_in(), decoder.total_out());
        let taken = usize::try_from(before.0).unwrap_or(usize::MAX);
        let rest = payload.get(taken..).unwrap_or_default();
        let room = content.get_mut(written..).unwrap_or_default();
        let status = decoder.decompress(rest, room, flush);
        written = usize::try_from(decoder.total_out()).unwrap_or(usize::MAX);
        // a decoder may return with pending output although the buffer has room
        let has_moved = before != (decoder.total_in(), decoder.total_out());
        if written == whole || !has_moved || !matches!(status, Ok(Status::Ok | Status::BufError)) {
            break status;
        }
    };
    content.truncate(written);
    let wrong_size = |found| ZipFault::Size { expected: size, found };
    let is_full = content.len() as u64 == size;
    match status {
        Ok(Status::StreamEnd) if is_full => Ok(content),
        Ok(Status::StreamEnd) => Err(wrong_size(content.len() as u64)),
        // the output is full, but the stream may have an end marker or more output left
        Ok(_) if is_full => {
            let mut more = [0; 1];
            let rest =
                payload.get(usize::try_from(decoder.total_in()).unwrap_or(usize::MAX)..).unwrap_or_default();
            match decoder.decompress(rest, &mut more, flush) {
                Ok(Status::StreamEnd) if decoder.total_out() == size => Ok(content),
                Ok(_) if decoder.total_out() > size => Err(wrong_size(decoder.total_out())),
                _ => Err(ZipFault::Deflate),
            }
        }
        Ok(_) | Err(_) => Err(ZipFault::Deflate),
    }
}
