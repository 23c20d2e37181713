//! A file that was found: lent by the stack, or kept.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

use camino::Utf8PathBuf;
use pak_format::EntryName;
use smallvec::SmallVec;

use super::folder::Folder;
use super::layer::Layer;
use crate::archive::{Archive, ArchiveEntry};
use crate::data::{FileData, FileReader};
use crate::error::Error;
use crate::finding::Place;

/// A file that a lookup found: which layer serves it, and under which name. It borrows the stack alone;
/// [`to_file`](Hit::to_file) keeps the file for longer.
#[derive(Clone)]
pub struct Hit<'a> {
    layer: &'a Layer,
    source: Source<'a>,
}

/// Where in its layer a file is.
#[derive(Clone)]
enum Source<'a> {
    Entry {
        archive: &'a Archive,
        row: u32,
    },
    /// The size is that of the moment when the file was found; `None` where only its name was listed.
    Loose {
        folder: &'a Arc<Folder>,
        name: LooseName<'a>,
        size: Option<u64>,
    },
}

/// The name of a loose file. Names of usual length take no memory of their own.
#[derive(Clone)]
pub(super) enum LooseName<'a> {
    Lent(&'a [u8]),
    Kept(SmallVec<[u8; 64]>),
}

impl LooseName<'_> {
    fn as_bytes(&self) -> &[u8] {
        match self {
            LooseName::Lent(name) => name,
            LooseName::Kept(name) => name,
        }
    }
}

impl<'a> Hit<'a> {
    pub(super) fn entry_of(layer: &'a Layer, archive: &'a Archive, row: u32) -> Self {
        Hit { layer, source: Source::Entry { archive, row } }
    }

    pub(super) fn loose(
        layer: &'a Layer,
        folder: &'a Arc<Folder>,
        name: LooseName<'a>,
        size: Option<u64>,
    ) -> Self {
        Hit { layer, source: Source::Loose { folder, name, size } }
    }

    /// The layer that has the file.
    #[must_use]
    pub fn layer(&self) -> &'a Layer {
        self.layer
    }

    /// The name that finds the file.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        EntryName::from_bytes(match &self.source {
            Source::Entry { row, .. } => self.layer.entry_name(*row),
            Source::Loose { name, .. } => name.as_bytes(),
        })
    }

    /// The name as stored: in the archive, or on disk below the game directory. The same as [`name`](Self::name), except
    /// in a ZIP whose names the engine reads in lower case ([`ZipNames`](crate::rules::ZipNames)).
    #[must_use]
    pub fn stored(&self) -> EntryName<'_> {
        match &self.source {
            Source::Entry { .. } => {
                self.archive_entry().map_or(EntryName::from_bytes(&[]), |entry| entry.name())
            }
            Source::Loose { name, .. } => EntryName::from_bytes(name.as_bytes()),
        }
    }

    /// The number of the row in the archive; `None` for a loose file.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        match self.source {
            Source::Entry { row, .. } => Some(row as usize),
            Source::Loose { .. } => None,
        }
    }

    fn archive_entry(&self) -> Option<ArchiveEntry<'a>> {
        match self.source {
            Source::Entry { archive, row } => archive.entry(row as usize),
            Source::Loose { .. } => None,
        }
    }

    /// Where the file is: its layer, and its entry or its name there.
    #[must_use]
    pub fn place(&self) -> Place {
        match self.entry() {
            Some(entry) => Place::entry(self.layer.name(), entry, self.stored()),
            None => Place::loose(self.layer.name(), self.stored()),
        }
    }

    /// Bytes of content, as the row or the disk says. Where only names were listed, as by
    /// [`SearchPath::files`](crate::SearchPath::files), the disk is asked now for a loose file.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u64 {
        match &self.source {
            Source::Entry { row, .. } => self.layer.entry_size(*row),
            Source::Loose { folder, name, size } => size.unwrap_or_else(|| folder.size(name.as_bytes())),
        }
    }

    /// The path on disk of a loose file; for an entry, that of the archive; `None` in memory.
    ///
    /// A name of a loose file that is not UTF-8 is written with `\xNN` for each byte that is not, so such a path is
    /// for people to read and cannot be opened. [`open`](Self::open) opens the file itself.
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            Source::Entry { archive, .. } => archive.path(),
            Source::Loose { folder, name, .. } => folder.on_system(name.as_bytes()),
        }
    }

    /// The path of a loose file on the disk of the stack.
    pub(super) fn place_on_disk(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            Source::Entry { .. } => None,
            Source::Loose { folder, name, .. } => Some(folder.path_of(name.as_bytes())),
        }
    }

    /// As [`File::check`].
    ///
    /// # Errors
    /// Those of [`read`](Self::read), as far as the directory of the archive shows them.
    pub fn check(&self) -> Result<(), Error> {
        self.archive_entry()
            .map_or(Ok(()), |entry| entry.check())
            .map_err(|error| error.in_archive(self.layer.name()))
    }

    /// The whole content: lent from the map where it is stored there as plain bytes, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip) where the entry is
    /// damaged, and [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        match &self.source {
            Source::Entry { archive, row } => {
                archive.read(*row as usize).map_err(|error| error.in_archive(self.layer.name()))
            }
            Source::Loose { folder, name, .. } => folder.read(name.as_bytes()),
        }
    }

    /// The content as a stream; [`FileReader`] says what that costs. A loose file is not read into memory.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        match &self.source {
            Source::Entry { .. } => match self.archive_entry() {
                Some(entry) => entry.open().map_err(|error| error.in_archive(self.layer.name())),
                None => self.read().map(FileReader::from),
            },
            Source::Loose { folder, name, .. } => folder.open(name.as_bytes()),
        }
    }

    /// Whether the file is no entry of a ZIP, or one that minizip opens.
    #[must_use]
    pub fn is_opened_by_minizip(&self) -> bool {
        match &self.source {
            Source::Entry { archive, row } => {
                archive.as_zip().is_none_or(|zip| zip.is_opened_by_minizip(*row))
            }
            Source::Loose { .. } => true,
        }
    }

    /// The same file, to be kept, sent to another thread, or read after the stack is gone.
    #[must_use]
    pub fn to_file(&self) -> File {
        let source = match &self.source {
            Source::Entry { archive, row } => {
                FileSource::Entry { archive: Archive::clone(archive), row: *row }
            }
            Source::Loose { folder, name, .. } => {
                FileSource::Loose { folder: Arc::clone(folder), name: name.as_bytes().into() }
            }
        };
        File { layer: Arc::clone(self.layer.shared_name()), size: self.size(), source }
    }

    /// Whether this is the same file as another hit of the same search path, not merely the same bytes.
    #[must_use]
    pub fn is_same_file(&self, other: &Hit<'_>) -> bool {
        std::ptr::eq(self.layer, other.layer)
            && match (&self.source, &other.source) {
                (Source::Entry { row: a, .. }, Source::Entry { row: b, .. }) => a == b,
                (Source::Loose { name: a, .. }, Source::Loose { name: b, .. }) => {
                    a.as_bytes() == b.as_bytes()
                }
                _ => false,
            }
    }
}

impl fmt::Debug for Hit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hit")
            .field("layer", &self.layer.name())
            .field("stored", &self.stored())
            .field("entry", &self.entry())
            .field("size", &self.size())
            .finish()
    }
}

/// A file of a stack or of an archive, kept: `'static`, cheap to clone, `Send` and `Sync`. A `File` keeps its archive
/// open, and outlives the [`SearchPath`](crate::SearchPath) that gave it.
#[derive(Clone)]
pub struct File {
    layer: Arc<str>,
    size: u64,
    source: FileSource,
}

#[derive(Clone)]
enum FileSource {
    Entry { archive: Archive, row: u32 },
    Loose { folder: Arc<Folder>, name: Arc<[u8]> },
}

/// Where the plain bytes of a file lie on disk: for `FILE*` code, players that stream, `sendfile`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extent {
    /// The loose file, or the archive that holds the entry.
    pub path: Utf8PathBuf,
    /// Which bytes of that file.
    pub range: Range<u64>,
}

impl File {
    /// An entry of an archive that is no layer. `name` names the archive in messages.
    ///
    /// Returns `None` past the last entry.
    pub fn of_archive(archive: &Archive, entry: usize, name: impl Into<Arc<str>>) -> Option<File> {
        let found = archive.entry(entry)?;
        let row = u32::try_from(entry).ok()?;
        let source = FileSource::Entry { archive: archive.clone(), row };
        Some(File { layer: name.into(), size: found.size(), source })
    }

    /// The name that finds the file.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        EntryName::from_bytes(match &self.source {
            FileSource::Entry { archive, row } => archive.name(*row),
            FileSource::Loose { name, .. } => name,
        })
    }

    /// The name of the layer that the file comes from.
    #[must_use]
    pub fn layer(&self) -> &str {
        &self.layer
    }

    /// The number of the row in the archive; `None` for a loose file.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        self.archive_entry().map(|entry| entry.index())
    }

    /// Where the file is: its layer, and its entry or its name there.
    #[must_use]
    pub fn place(&self) -> Place {
        match self.archive_entry() {
            Some(entry) => Place::entry(&*self.layer, entry.index(), entry.name()),
            None => Place::loose(&*self.layer, self.name()),
        }
    }

    fn archive_entry(&self) -> Option<ArchiveEntry<'_>> {
        match &self.source {
            FileSource::Entry { archive, row } => archive.entry(*row as usize),
            FileSource::Loose { .. } => None,
        }
    }

    /// Bytes of content, as the row says, or as the disk said when the file was found.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When the loose file, or the archive that holds the entry, was last modified. Asks the disk for a loose file.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        match &self.source {
            FileSource::Entry { archive, .. } => archive.modified(),
            FileSource::Loose { folder, name } => folder.modified(name),
        }
    }

    /// The file of the system that holds the bytes: a loose file, or an archive.
    #[must_use]
    pub fn held_by(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            FileSource::Entry { archive, .. } => archive.held_by(),
            FileSource::Loose { folder, name } => folder.held_by(name),
        }
    }

    /// The path on disk, as [`Hit::path`].
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            FileSource::Entry { archive, .. } => archive.path(),
            FileSource::Loose { folder, name } => folder.on_system(name),
        }
    }

    /// The archive that holds the entry; `None` for a loose file.
    #[must_use]
    pub fn archive(&self) -> Option<&Archive> {
        match &self.source {
            FileSource::Entry { archive, .. } => Some(archive),
            FileSource::Loose { .. } => None,
        }
    }

    /// Checks what the directory says of the entry, without reading its payload. A loose file is not looked at.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), as far as the directory shows them.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), as far as the directory of the archive shows them.
    pub fn check(&self) -> Result<(), Error> {
        self.archive_entry().map_or(Ok(()), |entry| entry.check()).map_err(|error| self.in_archive(error))
    }

    /// The whole content: lent from the map where it is stored there as plain bytes, else owned.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn read(&self) -> Result<FileData, Error> {
        match &self.source {
            FileSource::Entry { archive, row } => {
                archive.read(*row as usize).map_err(|error| self.in_archive(error))
            }
            FileSource::Loose { folder, name } => folder.read(name),
        }
    }

    /// The content as a stream; [`FileReader`] says what that costs.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn open(&self) -> Result<FileReader, Error> {
        match &self.source {
            FileSource::Entry { .. } => match self.archive_entry() {
                Some(entry) => entry.open().map_err(|error| self.in_archive(error)),
                None => self.read().map(FileReader::from),
            },
            FileSource::Loose { folder, name } => folder.open(name),
        }
    }

    /// Reads bytes from an offset into `buffer`, and gives how many: fewer than asked for only at the end.
    ///
    /// Of a stored entry and a loose file, only these bytes are read. A compressed entry is decoded from its start at each
    /// call: to take it in pieces, [`open`](Self::open) it. The checksum of an entry in a ZIP is not compared.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        if let FileSource::Loose { folder, name } = &self.source {
            return folder.read_at(name, offset, buffer);
        }
        if let FileSource::Entry { archive, row } = &self.source
            && let Some(range) = archive.plain_range(*row)
        {
            let start = range.start.saturating_add(offset).min(range.end);
            let end = start.saturating_add(buffer.len() as u64).min(range.end);
            let bytes = archive.bytes(start..end).map_err(|error| self.in_archive(error))?;
            return io::Read::read(&mut &bytes[..], buffer).map_err(|error| self.of_stream(error));
        }
        let mut reader = self.open()?;
        io::Seek::seek(&mut reader, io::SeekFrom::Start(offset)).map_err(|error| self.of_stream(error))?;
        fill(&mut reader, buffer).map_err(|error| self.of_stream(error))
    }

    /// Where the plain bytes lie on disk; `None` where they are compressed, damaged or in memory.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        let range = match &self.source {
            FileSource::Entry { .. } => self.archive_entry()?.range()?,
            // a path that is not UTF-8 cannot be given as one
            FileSource::Loose { name, .. } => std::str::from_utf8(name).ok().map(|_| 0..self.size)?,
        };
        Some(Extent { path: self.path()?, range })
    }

    /// What a stream over the content failed with, naming the file.
    #[must_use]
    pub fn of_stream(&self, error: io::Error) -> Error {
        let error = error.downcast::<Error>().unwrap_or_else(Error::from);
        match self.archive_entry() {
            Some(entry) => self.in_archive(error).at_entry(entry.index(), entry.name()),
            None => match &self.source {
                FileSource::Loose { folder, name } => error.at_path(&folder.path_of(name)),
                FileSource::Entry { .. } => error,
            },
        }
    }

    fn in_archive(&self, error: Error) -> Error {
        error.in_archive(&*self.layer)
    }
}

/// Reads as much as there is room for, or less at the end.
pub(crate) fn fill(reader: &mut impl io::Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match reader.read(room) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("layer", &self.layer)
            .field("name", &self.name())
            .field("entry", &self.entry())
            .field("size", &self.size)
            .finish()
    }
}
