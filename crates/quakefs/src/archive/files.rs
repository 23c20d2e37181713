//! The trait for archives: numbered files with names.

use std::io::{self, BufRead as _};
use std::ops::Range;

use camino::Utf8Path;
use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, FindingKind as PakFinding};

use crate::data::FileData;
use crate::error::Error;
use crate::finding::{Finding, FindingKind};
use crate::location::Location;
use crate::reader::FileReader;
use crate::rules::ArchiveKind;

/// Numbered files with names, the content of a layer.
///
/// Implement this trait to mount a kind of archive that quakefs does not support. Four functions are
/// required. Lookups, lists, reads and [`Archive::verify`](crate::Archive::verify) then work as for a PACK or
/// a ZIP. Files are numbered from 0. Names must not change during the lifetime of the value. No function is
/// called with a number of [`len`](Files::len) or above.
///
/// `examples/wad_layer.rs` mounts the lumps of a Quake WAD2 this way.
#[expect(clippy::len_without_is_empty, reason = "an archive without files is no special case")]
pub trait Files: Send + Sync {
    /// The number of files.
    fn len(&self) -> u32;

    /// The name that requests are compared with. It has `/` between parts and contains no NUL.
    fn name(&self, file: u32) -> &[u8];

    /// The row of a file: sizes, offset and compression method.
    fn row(&self, file: u32) -> Row;

    /// Reads the whole content.
    ///
    /// # Errors
    /// The content cannot be read. An [`std::io::Error`] converts into [`Error`].
    fn read(&self, file: u32) -> Result<FileData, Error>;

    /// Opens the content as a stream. The default reads all of it.
    ///
    /// # Errors
    /// The errors of [`read`](Files::read).
    fn open(&self, file: u32) -> Result<FileReader, Error> {
        self.read(file).map(FileReader::from)
    }

    /// Checks the row of a file without reading its payload. The default returns `Ok`.
    ///
    /// # Errors
    /// The errors of [`read`](Files::read) that the row already shows.
    fn check(&self, file: u32) -> Result<(), Error> {
        let _ = file;
        Ok(())
    }

    /// The range of the payload in the archive, compressed or not, for [`bytes`](Files::bytes). `None`, the
    /// default, means that the content is not contiguous or the row is damaged.
    fn payload_range(&self, file: u32) -> Option<Range<u64>> {
        let _ = file;
        None
    }

    /// The stored name. The default is [`name`](Files::name).
    fn stored_name(&self, file: u32) -> EntryName<'_> {
        EntryName::from_bytes(self.name(file))
    }

    /// The kind of archive. The default is [`ArchiveKind::Own`].
    fn kind(&self) -> ArchiveKind {
        ArchiveKind::Own
    }

    /// The path of the archive on this computer. The default is `None`.
    fn path(&self) -> Option<&Utf8Path> {
        None
    }

    /// The size of the whole archive in bytes. The default is 0.
    fn size(&self) -> u64 {
        0
    }

    /// Reads a range of the archive. The default returns no bytes.
    ///
    /// # Errors
    /// The range is outside the archive, or cannot be read.
    fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        let _ = range;
        Ok(FileData::default())
    }

    /// The damage, if a part of the directory is lost. The default is `None`.
    fn damage(&self) -> Option<Error> {
        None
    }
}

/// The row of a file in the directory of its archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The size of the decoded content in bytes.
    pub size: u64,
    /// The size of the payload in the archive in bytes.
    pub stored_size: u64,
    /// The offset in the archive: of the payload in a PACK, of the local header in a ZIP.
    pub offset: u64,
    /// The compression method.
    pub method: Method,
    /// Whether the row is a folder, which requests never find. Only ZIP archives have such rows.
    pub is_folder: bool,
    /// The CRC-32 of the decoded content, as the archive states it. Only ZIP archives do.
    pub crc: Option<u32>,
}

impl Row {
    /// A row of an uncompressed file at offset 0.
    #[must_use]
    pub fn stored(size: u64) -> Row {
        Row { size, stored_size: size, offset: 0, method: Method::Stored, is_folder: false, crc: None }
    }
}

/// How a payload is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Not compressed.
    Stored,
    /// Daikatana's codec.
    Daikatana,
    /// Deflate; in an archive of Anachronox within zlib.
    Deflate,
    /// Another ZIP method with this number. Such entries cannot be read.
    Other(u16),
}

/// Verifies an archive of an unknown format: checks names and sizes, and reads each file.
pub(super) fn verify(
    archive: &dyn Files,
    archive_size: u64,
    name: &str,
    mut budget: DecodeBudget,
) -> Vec<Finding> {
    let files = || (0..archive.len()).filter(|file| !archive.row(*file).is_folder);
    let names = pak_format::verify::names(files().map(|file| (file as usize, archive.stored_name(file))));
    let mut findings: Vec<_> = names.into_iter().map(|finding| of_format(finding, name)).collect();
    let (mut content, mut not_decoded) = (0_u64, 0);
    for file in files() {
        let size = archive.row(file).size;
        content = content.saturating_add(size);
        let read = match archive.check(file) {
            Ok(()) if !budget.take(size) => {
                not_decoded += 1;
                continue;
            }
            Ok(()) => read_through(archive, file),
            Err(error) => Err(error),
        };
        if let Err(error) = read {
            let place = Location::of_entry(name, file as usize, archive.stored_name(file));
            findings.push(Finding::of_archive(place, FindingKind::Entry(error)));
        }
    }
    findings.sort_by_key(|finding| finding.location.entry());
    let mut of_all = Vec::new();
    of_all.extend(archive.damage().map(FindingKind::Damaged));
    if content > budget.limit() {
        of_all.push(FindingKind::Archive(PakFinding::Expansion { content, archive: archive_size }));
    }
    if not_decoded > 0 {
        of_all.push(FindingKind::Archive(PakFinding::NotDecoded { entries: not_decoded }));
    }
    findings.extend(of_all.into_iter().map(|kind| Finding::of_archive(Location::layer(name), kind)));
    findings
}

/// Reads a file to its end as a stream, which needs little memory.
fn read_through(archive: &dyn Files, file: u32) -> Result<(), Error> {
    let mut reader = archive.open(file)?;
    loop {
        let count = match reader.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(bytes) => bytes.len(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(error) => return Err(Error::from(error).at_entry(file as usize, archive.stored_name(file))),
        };
        reader.consume(count);
    }
}

/// Converts a finding of pak-format.
pub(super) fn of_format(finding: pak_format::Finding, name: &str) -> Finding {
    let (entry, kind) = finding.into_parts();
    let location = match entry {
        Some((entry, entry_name)) => Location::of_entry(name, entry, entry_name.as_name()),
        None => Location::layer(name),
    };
    let kind = match kind {
        PakFinding::Unreadable(kind) => FindingKind::Entry(pak_format::Error::from(kind).into()),
        kind => FindingKind::Archive(kind),
    };
    Finding::of_archive(location, kind)
}
