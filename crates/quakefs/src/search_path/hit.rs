//! A file that was found: lent by the stack, or kept.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::Utf8PathBuf;
use pak_format::EntryName;
use smallvec::SmallVec;

use super::folder::Folder;
use super::layer::Layer;
use crate::archive::{Archive, ArchiveEntry, Method};
use crate::data::FileData;
use crate::disk::Opened;
use crate::error::Error;
use crate::place::Place;
use crate::reader::FileReader;

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
    Entry(ArchiveEntry<'a>),
    /// The size is that of the moment when the file was found; `None` where only its name was listed.
    Loose {
        folder: &'a Arc<Folder>,
        name: LooseName<'a>,
        stored: StoredName,
        size: Option<u64>,
        /// The file, where the lookup opened it.
        opened: Option<Box<Opened>>,
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
    #[inline]
    pub(super) fn entry_of(layer: &'a Layer, archive: &'a Archive, row: u32) -> Self {
        Hit { layer, source: Source::Entry(ArchiveEntry::new(archive, row)) }
    }

    pub(super) fn loose(
        layer: &'a Layer,
        folder: &'a Arc<Folder>,
        name: LooseName<'a>,
        size: Option<u64>,
        opened: Option<Box<Opened>>,
    ) -> Self {
        Hit { layer, source: Source::Loose { folder, name, stored: StoredName::new(), size, opened } }
    }

    fn spot(&self) -> Spot<'_> {
        let layer = self.layer.shared_name();
        match &self.source {
            Source::Entry(entry) => Spot { layer, source: SpotSource::Entry(*entry) },
            Source::Loose { folder, name, stored, opened, .. } => {
                let (name, opened) = (name.as_bytes(), opened.as_deref());
                Spot { layer, source: SpotSource::Loose { folder, name, stored, opened } }
            }
        }
    }

    /// The layer that has the file.
    #[must_use]
    pub fn layer(&self) -> &'a Layer {
        self.layer
    }

    /// The name that finds the file.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        self.spot().name()
    }

    /// The name as stored: in the archive, or on disk below the game directory. The same as [`name`](Self::name), except
    /// in a ZIP whose names the engine reads in lower case ([`ZipNames`](crate::rules::ZipNames)).
    #[must_use]
    pub fn stored(&self) -> EntryName<'_> {
        self.spot().stored()
    }

    /// The number of the row in the archive; `None` for a loose file.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        match &self.source {
            Source::Entry(entry) => Some(entry.index()),
            Source::Loose { .. } => None,
        }
    }

    /// Where the file is: its layer, and its entry or its name there.
    #[must_use]
    pub fn place(&self) -> Place {
        self.spot().place()
    }

    /// Bytes of content, as the row or the disk says. Where only names were listed, as by
    /// [`SearchPath::files`](crate::SearchPath::files), the disk is asked now for a loose file.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u64 {
        match &self.source {
            Source::Entry(entry) => entry.size(),
            Source::Loose { folder, name, size, .. } => size.unwrap_or_else(|| folder.size(name.as_bytes())),
        }
    }

    /// When the loose file, or the archive that holds the entry, was last modified. Asks the disk for a loose file.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.spot().modified()
    }

    /// How the content is stored; a loose file is [`Stored`](Method::Stored).
    #[must_use]
    pub fn method(&self) -> Method {
        self.spot().method()
    }

    /// Where the plain bytes lie on disk; `None` where they are compressed, damaged or in memory.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        self.spot().extent(|| self.size())
    }

    /// The path on disk of a loose file; for an entry, that of the archive; `None` in memory.
    ///
    /// A name of a loose file that is not UTF-8 is written with `\xNN` for each byte that is not, so such a path is
    /// for people to read and cannot be opened. [`open`](Self::open) opens the file itself.
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        self.spot().path()
    }

    /// The path of a loose file on the disk of the stack.
    pub(super) fn place_on_disk(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            Source::Entry(_) => None,
            Source::Loose { folder, name, .. } => Some(folder.path_of(name.as_bytes())),
        }
    }

    /// Checks what the directory says of the entry, without reading its payload. A loose file is not looked at.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), as far as the directory of the archive shows them.
    pub fn check(&self) -> Result<(), Error> {
        self.spot().check()
    }

    /// The whole content: lent from the map where it is stored there as plain bytes, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip) where the entry is
    /// damaged, and [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        self.spot().read()
    }

    /// The content as a stream; [`FileReader`] says what that costs. A loose file is not read into memory.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        self.spot().open()
    }

    /// Whether the file is no entry of a ZIP, or one that minizip opens.
    #[must_use]
    pub fn is_opened_by_minizip(&self) -> bool {
        match &self.source {
            Source::Entry(entry) => entry.archive().is_opened_by_minizip(entry.row()),
            Source::Loose { .. } => true,
        }
    }

    /// The same file, to be kept, sent to another thread, or read after the stack is gone.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # let quake = quakefs::SearchPath::layers_only().memory("a.pak", pak.finish()?).mount()?;
    /// # let hit = quake.find("maps/start.bsp").unwrap();
    /// let file = hit.to_file();
    /// drop(quake);
    /// assert_eq!(file.read()?, "a level");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_file(&self) -> File {
        let source = match &self.source {
            Source::Entry(entry) => FileSource::entry(*entry),
            Source::Loose { folder, name, stored, .. } => {
                let (name, stored) = (name.as_bytes().into(), stored.clone());
                FileSource::Loose { folder: Arc::clone(folder), name, stored }
            }
        };
        File { layer: Arc::clone(self.layer.shared_name()), size: self.size(), source }
    }

    /// Whether this is the same file as another hit of the same search path, not merely the same bytes.
    #[must_use]
    pub fn is_same_file(&self, other: &Hit<'_>) -> bool {
        self.layer.index() == other.layer.index()
            && self.entry() == other.entry()
            && (self.entry().is_some() || self.stored() == other.stored())
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
    Loose { folder: Arc<Folder>, name: Arc<[u8]>, stored: StoredName },
}

impl FileSource {
    fn entry(entry: ArchiveEntry<'_>) -> Self {
        FileSource::Entry { archive: entry.archive().clone(), row: entry.row() }
    }
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

impl ArchiveEntry<'_> {
    /// The entry as a file to be kept, sent to another thread or extracted. `name` names the archive in messages, as a
    /// layer is named.
    #[must_use]
    pub fn to_file(&self, name: impl Into<Arc<str>>) -> File {
        File { layer: name.into(), size: self.size(), source: FileSource::entry(*self) }
    }
}

impl File {
    fn spot(&self) -> Spot<'_> {
        let source = match &self.source {
            FileSource::Entry { archive, row } => SpotSource::Entry(ArchiveEntry::new(archive, *row)),
            FileSource::Loose { folder, name, stored } => {
                SpotSource::Loose { folder, name, stored, opened: None }
            }
        };
        Spot { layer: &self.layer, source }
    }

    /// The name that finds the file.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        self.spot().name()
    }

    /// The name of the layer that the file comes from.
    #[must_use]
    pub fn layer_name(&self) -> &str {
        &self.layer
    }

    /// The number of the row in the archive; `None` for a loose file.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        self.spot().entry().map(|entry| entry.index())
    }

    /// Where the file is: its layer, and its entry or its name there.
    #[must_use]
    pub fn place(&self) -> Place {
        self.spot().place()
    }

    /// Bytes of content, as the row says, or as the disk said when the file was found.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When the loose file, or the archive that holds the entry, was last modified. Asks the disk for a loose file.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.spot().modified()
    }

    /// How the content is stored; a loose file is [`Stored`](Method::Stored).
    #[must_use]
    pub fn method(&self) -> Method {
        self.spot().method()
    }

    /// The file of the system that holds the bytes: a loose file, or an archive.
    #[must_use]
    pub fn held_by(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            FileSource::Entry { archive, .. } => archive.held_by(),
            FileSource::Loose { folder, name, .. } => folder.held_by(name),
        }
    }

    /// The path on disk, as [`Hit::path`].
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        self.spot().path()
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
    /// Those of [`read`](Self::read), as far as the directory of the archive shows them.
    pub fn check(&self) -> Result<(), Error> {
        self.spot().check()
    }

    /// The whole content: lent from the map where it is stored there as plain bytes, else owned.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn read(&self) -> Result<FileData, Error> {
        self.spot().read()
    }

    /// The content as a stream; [`FileReader`] says what that costs.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn open(&self) -> Result<FileReader, Error> {
        self.spot().open()
    }

    /// Reads bytes from an offset into `buffer`, and gives how many: fewer than asked for only at the end.
    ///
    /// Of a stored entry and a loose file, only these bytes are read. A compressed entry is decoded from its start at each
    /// call: to take it in pieces, [`open`](Self::open) it. The checksum of an entry in a ZIP is not compared.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        match self.spot().source {
            SpotSource::Loose { folder, name, .. } => return folder.read_at(name, offset, buffer),
            SpotSource::Entry(entry) => {
                if let Some(range) = entry.range() {
                    let start = range.start.saturating_add(offset).min(range.end);
                    let room = usize::try_from(range.end - start)
                        .map_or(buffer.len(), |rest| rest.min(buffer.len()));
                    let buffer = buffer.get_mut(..room).unwrap_or_default();
                    let read =
                        entry.archive().read_at(start, buffer).map_err(|error| self.in_archive(error))?;
                    let cut = || self.in_archive(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                    return if read < room { Err(cut()) } else { Ok(read) };
                }
            }
        }
        let mut reader = self.open()?;
        io::Seek::seek(&mut reader, io::SeekFrom::Start(offset))?;
        Ok(fill(&mut reader, buffer)?)
    }

    /// Where the plain bytes lie on disk; `None` where they are compressed, damaged or in memory.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        self.spot().extent(|| self.size)
    }

    fn in_archive(&self, error: Error) -> Error {
        error.in_archive(&*self.layer)
    }
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

/// A file, however it is held: what a [`Hit`] and a [`File`] say and do alike.
#[derive(Clone, Copy)]
struct Spot<'s> {
    layer: &'s Arc<str>,
    source: SpotSource<'s>,
}

/// How a disk that ignores case spells the name of a loose file: asked once, when it is wanted, as folders are listed for
/// it.
type StoredName = OnceLock<Arc<[u8]>>;

#[derive(Clone, Copy)]
enum SpotSource<'s> {
    Entry(ArchiveEntry<'s>),
    Loose { folder: &'s Folder, name: &'s [u8], stored: &'s StoredName, opened: Option<&'s Opened> },
}

impl<'s> Spot<'s> {
    fn entry(self) -> Option<ArchiveEntry<'s>> {
        match self.source {
            SpotSource::Entry(entry) => Some(entry),
            SpotSource::Loose { .. } => None,
        }
    }

    fn name(self) -> EntryName<'s> {
        EntryName::from_bytes(match self.source {
            SpotSource::Entry(entry) => entry.archive().name(entry.row()),
            SpotSource::Loose { name, .. } => name,
        })
    }

    fn stored(self) -> EntryName<'s> {
        match self.source {
            SpotSource::Entry(entry) => entry.name(),
            SpotSource::Loose { folder, name, .. } if !folder.spelling().ignores_case() => {
                EntryName::from_bytes(name)
            }
            SpotSource::Loose { folder, name, stored, .. } => {
                let stored = stored.get_or_init(|| folder.stored(name).as_deref().unwrap_or(name).into());
                EntryName::from_bytes(stored)
            }
        }
    }

    fn place(self) -> Place {
        match self.entry() {
            Some(entry) => Place::entry(&**self.layer, entry.index(), entry.name()),
            None => Place::loose(&**self.layer, self.stored()),
        }
    }

    fn modified(self) -> Option<SystemTime> {
        match self.source {
            SpotSource::Entry(entry) => entry.archive().modified(),
            SpotSource::Loose { folder, name, .. } => folder.modified(name),
        }
    }

    fn method(self) -> Method {
        self.entry().map_or(Method::Stored, |entry| entry.method())
    }

    fn path(self) -> Option<Utf8PathBuf> {
        match self.source {
            SpotSource::Entry(entry) => entry.archive().path(),
            SpotSource::Loose { folder, name, .. } => folder.on_system(name),
        }
    }

    fn extent(self, size: impl FnOnce() -> u64) -> Option<Extent> {
        let range = match self.source {
            SpotSource::Entry(entry) => entry.range()?,
            // a path that is not UTF-8 cannot be given as one
            SpotSource::Loose { name, .. } => std::str::from_utf8(name).ok().map(|_| 0..size())?,
        };
        Some(Extent { path: self.path()?, range })
    }

    fn check(self) -> Result<(), Error> {
        let checked = self.entry().map_or(Ok(()), |entry| entry.check());
        checked.map_err(|error| self.in_archive(error))
    }

    fn read(self) -> Result<FileData, Error> {
        match self.source {
            SpotSource::Entry(entry) => entry.read().map_err(|error| self.in_archive(error)),
            SpotSource::Loose { folder, name, opened, .. } => folder.read(name, opened),
        }
    }

    fn open(self) -> Result<FileReader, Error> {
        match self.source {
            SpotSource::Entry(entry) => match entry.open() {
                Ok(reader) => Ok(reader.in_layer(self.layer)),
                Err(error) => Err(self.in_archive(error)),
            },
            SpotSource::Loose { folder, name, opened, .. } => folder.open(name, opened),
        }
    }

    fn in_archive(self, error: Error) -> Error {
        error.in_archive(&**self.layer)
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
