//! Numbered files with names: what every kind of archive is.

use std::any::Any;
use std::io::{self, BufRead as _};
use std::ops::Range;

use camino::Utf8Path;
use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, FindingKind as PakFinding};

use crate::data::FileData;
use crate::error::Error;
use crate::finding::{Finding, FindingKind};
use crate::place::Place;
use crate::reader::FileReader;
use crate::rules::ArchiveKind;

/// Numbered files with names: what a layer is made of.
///
/// A kind of archive that quakefs does not know becomes a layer by implementing this trait: four functions are
/// required, and the others have defaults. PACK and ZIP are read through the same functions, so a kind of the caller's own
/// can do all that they do. Files are numbered from 0. Names must not change while the value lives. No function is called
/// with a number of [`len`](Files::len) or above.
///
/// `examples/wad_layer.rs` mounts the lumps of a Quake WAD2 this way.
#[expect(clippy::len_without_is_empty, reason = "an archive without files is no special case")]
pub trait Files: Any + Send + Sync {
    /// How many files there are.
    fn len(&self) -> u32;

    /// The name that requests are compared with: `/` between parts, no NUL.
    fn name(&self, file: u32) -> &[u8];

    /// The row of a file: its sizes, and how it is stored.
    fn row(&self, file: u32) -> Row;

    /// The whole content.
    ///
    /// # Errors
    /// Where the content cannot be read. An [`std::io::Error`] converts into [`Error`].
    fn read(&self, file: u32) -> Result<FileData, Error>;

    /// The content as a stream. The default reads all of it.
    ///
    /// # Errors
    /// As [`read`](Files::read).
    fn open(&self, file: u32) -> Result<FileReader, Error> {
        self.read(file).map(FileReader::from)
    }

    /// Checks what the directory says of the file, without reading its payload. The default finds nothing wrong.
    ///
    /// # Errors
    /// Those of [`read`](Files::read), as far as the directory shows them.
    fn check(&self, file: u32) -> Result<(), Error> {
        let _ = file;
        Ok(())
    }

    /// Where the payload is in the archive, compressed or not; [`bytes`](Files::bytes) reads it. The default is `None`: nowhere,
    /// or in a damaged row.
    fn payload_range(&self, file: u32) -> Option<Range<u64>> {
        let _ = file;
        None
    }

    /// The name as stored. The default is [`name`](Files::name).
    fn stored_name(&self, file: u32) -> EntryName<'_> {
        EntryName::from_bytes(self.name(file))
    }

    /// Which kind of archive it is. The default is [`ArchiveKind::Own`].
    fn kind(&self) -> ArchiveKind {
        ArchiveKind::Own
    }

    /// The path of the archive on this computer. The default is `None`.
    fn path(&self) -> Option<&Utf8Path> {
        None
    }

    /// Bytes in the whole archive. The default is 0.
    fn archive_size(&self) -> u64 {
        0
    }

    /// Some bytes of the archive. The default has none.
    ///
    /// # Errors
    /// Where the archive does not reach so far, or cannot be read.
    fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        let _ = range;
        Ok(FileData::default())
    }

    /// What is wrong with the archive as a whole, if a part of its directory is lost. The default finds nothing wrong.
    fn damage(&self) -> Option<Error> {
        None
    }

    /// Everything that is odd or wrong about the archive; `name` names it in the findings. The default looks at the names
    /// and reads each file, as far as the budget allows.
    fn verify(&self, name: &str, budget: DecodeBudget) -> Vec<Finding> {
        of_files(self, name, budget)
    }
}

/// The row of a file in the directory of its archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// Bytes of the content, decoded.
    pub size: u64,
    /// Bytes that the payload takes in the archive.
    pub stored_size: u64,
    /// Where the file starts in the archive: its payload in a PACK, its local header in a ZIP.
    pub offset: u64,
    /// How the payload is stored.
    pub method: Method,
    /// Whether the row is a folder, as some rows of a ZIP are. No request finds a folder.
    pub is_folder: bool,
}

impl Row {
    /// A file that is stored as plain bytes at the start of the archive.
    #[must_use]
    pub fn stored(size: u64) -> Row {
        Row { size, stored_size: size, offset: 0, method: Method::Stored, is_folder: false }
    }
}

/// How the payload of an entry is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// As plain bytes.
    Stored,
    /// By Daikatana's codec.
    Daikatana,
    /// By deflate.
    Deflate,
    /// By another method of ZIP, of this number: such an entry cannot be read.
    Other(u16),
}

/// For an archive whose files alone are known: names, sizes, and reading each.
fn of_files<F: Files + ?Sized>(archive: &F, name: &str, mut budget: DecodeBudget) -> Vec<Finding> {
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
            let place = Place::entry(name, file as usize, archive.stored_name(file));
            findings.push(Finding::of_archive(place, FindingKind::Entry(error)));
        }
    }
    findings.sort_by_key(|finding| finding.place.entry);
    let mut of_all = Vec::new();
    of_all.extend(archive.damage().map(FindingKind::Damaged));
    if content > budget.limit() {
        let archive = archive.archive_size();
        of_all.push(FindingKind::Archive(PakFinding::Expansion { content, archive }));
    }
    if not_decoded > 0 {
        of_all.push(FindingKind::Archive(PakFinding::NotDecoded { entries: not_decoded }));
    }
    findings.extend(of_all.into_iter().map(|kind| Finding::of_archive(Place::layer(name), kind)));
    findings
}

/// Reads a file to its end, in no more memory than a reader takes.
fn read_through<F: Files + ?Sized>(archive: &F, file: u32) -> Result<(), Error> {
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

/// A finding of the format's crate as one of this crate.
pub(super) fn of_format(finding: pak_format::Finding, name: &str) -> Finding {
    let (entry, kind) = finding.into_parts();
    let (entry, entry_name) = entry.unzip();
    let place = Place { layer: name.to_owned(), entry, name: entry_name };
    let kind = match kind {
        PakFinding::Unreadable(kind) => FindingKind::Entry(pak_format::Error::from(kind).into()),
        kind => FindingKind::Archive(kind),
    };
    Finding::of_archive(place, kind)
}
