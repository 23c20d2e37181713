//! A file that a lookup found: borrowed from the search path, or owned.

use std::fmt;
use std::io;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::Utf8PathBuf;
use pak_format::EntryName;

use super::folder::{LooseFolder, Named};
use super::layer::{Layer, Source};
use crate::archive::{Archive, ArchiveEntry};
use crate::data::FileData;
use crate::disk::Opened;
use crate::error::Error;
use crate::location::Location;
use crate::reader::FileReader;

/// A file of a [`SearchPath`](crate::SearchPath) or of an [`Archive`]: its location and its content.
///
/// A lookup returns a file that borrows the search path. [`into_owned`](Self::into_owned) makes a
/// `File<'static>`, which is cheap to clone, may go to another thread, and keeps its archive open after the
/// search path is gone.
///
/// ```
/// # let quake = testutils::search_path::game_in_memory("id1/pak0.pak: maps/start.bsp=level").mount()?;
/// let file = quake.find("maps/start.bsp").expect("it is in the pak");
/// assert_eq!((file.layer().name(), file.size()), ("id1/pak0.pak", 5));
/// let kept = file.into_owned();
/// drop(quake);
/// assert_eq!(kept.read()?, "level");
/// # Ok::<(), quakefs::Error>(())
/// ```
#[derive(Clone)]
pub struct File<'s> {
    layer: LayerRef<'s>,
    /// The number of the row, in an archive.
    row: u32,
    /// The loose file, in a folder.
    loose: Option<Loose<'s>>,
}

#[derive(Clone)]
enum LayerRef<'s> {
    Lent(&'s Layer),
    Kept(Arc<Layer>),
}

impl Deref for LayerRef<'_> {
    type Target = Layer;

    #[inline]
    fn deref(&self) -> &Layer {
        match self {
            LayerRef::Lent(layer) => layer,
            LayerRef::Kept(layer) => layer,
        }
    }
}

/// A loose file in the folder of its layer.
#[derive(Clone)]
struct Loose<'s> {
    name: LooseName<'s>,
    /// Whether the name is from a listing, and so in the disk's spelling.
    is_listed: bool,
    spelled: Spelled,
    /// The size when the file was found; `None` if only its name was listed.
    size: Option<u64>,
    /// The file, if the lookup opened it.
    opened: Option<Box<Opened>>,
}

/// How a disk that ignores case spells the name of a loose file. It is found on first use, because this lists
/// the folders.
type Spelled = OnceLock<Arc<[u8]>>;

static NO_FILE: Loose<'static> =
    Loose { name: LooseName::Lent(&[]), is_listed: false, spelled: Spelled::new(), size: None, opened: None };

/// The name of a loose file. Names of usual length need no allocation.
#[derive(Clone)]
pub(super) enum LooseName<'s> {
    Lent(&'s [u8]),
    /// Most names fit without an allocation.
    Short([u8; 63], u8),
    Long(Box<[u8]>),
}

impl LooseName<'_> {
    fn as_bytes(&self) -> &[u8] {
        match self {
            LooseName::Lent(name) => name,
            LooseName::Short(name, len) => name.get(..usize::from(*len)).unwrap_or_default(),
            LooseName::Long(name) => name,
        }
    }

    /// A name of its own.
    pub(super) fn kept(name: &[u8]) -> LooseName<'static> {
        let mut short = [0; 63];
        match (short.get_mut(..name.len()), u8::try_from(name.len())) {
            (Some(to), Ok(len)) => {
                to.copy_from_slice(name);
                LooseName::Short(short, len)
            }
            _ => LooseName::Long(name.into()),
        }
    }

    fn into_owned(self) -> LooseName<'static> {
        match self {
            LooseName::Lent(name) => LooseName::kept(name),
            LooseName::Short(name, len) => LooseName::Short(name, len),
            LooseName::Long(name) => LooseName::Long(name),
        }
    }
}

impl Loose<'_> {
    fn named(&self) -> Named<'_> {
        Named { name: self.name.as_bytes(), is_listed: self.is_listed }
    }
}

/// A file by the kind of its layer.
enum View<'f> {
    Entry(ArchiveEntry<'f>),
    Loose(&'f LooseFolder, &'f Loose<'f>),
}

impl<'s> File<'s> {
    #[inline]
    pub(super) fn in_archive(layer: &'s Layer, row: u32) -> Self {
        File { layer: LayerRef::Lent(layer), row, loose: None }
    }

    pub(super) fn in_folder(
        layer: &'s Layer,
        name: LooseName<'s>,
        is_listed: bool,
        size: Option<u64>,
        opened: Option<Box<Opened>>,
    ) -> Self {
        let loose = Loose { name, is_listed, spelled: Spelled::new(), size, opened };
        File { layer: LayerRef::Lent(layer), row: 0, loose: Some(loose) }
    }

    #[inline]
    fn view(&self) -> View<'_> {
        match &self.layer.source {
            Source::Archive(archive) => View::Entry(ArchiveEntry::new(archive, self.row)),
            Source::Folder(folder) => View::Loose(folder, self.loose.as_ref().unwrap_or(&NO_FILE)),
        }
    }

    pub(crate) fn archive_entry(&self) -> Option<ArchiveEntry<'_>> {
        self.layer.archive().map(|archive| ArchiveEntry::new(archive, self.row))
    }

    /// The layer that has the file.
    #[must_use]
    #[inline]
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// The name that finds the file.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        EntryName::from_bytes(match self.view() {
            View::Entry(entry) => entry.archive().name(entry.number()),
            View::Loose(_, loose) => loose.name.as_bytes(),
        })
    }

    /// The name as stored in the archive, or as spelled on disk below the game directory.
    ///
    /// It differs from [`name`](Self::name) only if the disk ignores case, or if the engine reads the names
    /// of a ZIP in lower case ([`Zips::lower_cased`](crate::rules::Zips::lower_cased)).
    #[must_use]
    pub fn stored(&self) -> EntryName<'_> {
        let (folder, loose) = match self.view() {
            View::Entry(entry) => return entry.name(),
            View::Loose(folder, loose) => (folder, loose),
        };
        let name = loose.name.as_bytes();
        EntryName::from_bytes(if folder.spelling().ignores_case() && !loose.is_listed {
            loose.spelled.get_or_init(|| folder.stored(name).as_deref().unwrap_or(name).into())
        } else {
            name
        })
    }

    /// The number of the row in the archive; `None` for a loose file.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        self.archive_entry().map(|entry| entry.index())
    }

    /// The location of the file for messages: its layer, and its entry or its name there.
    #[must_use]
    pub fn location(&self) -> Location {
        match self.archive_entry() {
            Some(entry) => entry.location(self.layer.name()),
            None => Location::file(self.layer.name(), self.stored()),
        }
    }

    /// The size of the content, from the row or the disk.
    ///
    /// If only the name of a loose file was listed, as by [`SearchPath::files`](crate::SearchPath::files),
    /// this accesses the disk.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u64 {
        match self.view() {
            View::Entry(entry) => entry.size(),
            View::Loose(folder, loose) => loose.size.unwrap_or_else(|| folder.size(loose.named())),
        }
    }

    /// When the loose file, or the archive of the entry, was last modified. For a loose file, this accesses
    /// the disk.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        match self.view() {
            View::Entry(entry) => entry.archive().modified(),
            View::Loose(folder, loose) => folder.modified(loose.named()),
        }
    }

    /// The plain bytes on this computer; `None` if they are compressed, damaged or in memory.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        let range = match self.view() {
            View::Entry(entry) => entry.range()?,
            // a path that is not UTF-8 cannot be returned
            View::Loose(_, loose) => {
                std::str::from_utf8(loose.name.as_bytes()).ok().map(|_| 0..self.size())?
            }
        };
        Some(Extent { path: self.system_path()?, range })
    }

    /// The path on this computer of a loose file, or of the archive of an entry; `None` in memory.
    ///
    /// If the name of a loose file is not UTF-8, each bad byte becomes `\xNN`: such a path is for people to
    /// read and cannot be opened. [`open`](Self::open) opens the file itself.
    #[must_use]
    pub fn system_path(&self) -> Option<Utf8PathBuf> {
        match self.view() {
            View::Entry(entry) => entry.archive().system_path(),
            View::Loose(folder, loose) => folder.system_path(loose.named()),
        }
    }

    /// The file on this computer that contains the bytes, even for an archive inside another archive.
    #[must_use]
    pub fn source_file(&self) -> Option<Utf8PathBuf> {
        match self.view() {
            View::Entry(entry) => entry.archive().source_file(),
            View::Loose(folder, loose) => folder.source_file(loose.named()),
        }
    }

    /// Checks the row of an entry without reading its payload. A loose file passes.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read) that the archive's directory already shows.
    pub fn check(&self) -> Result<(), Error> {
        let checked = self.archive_entry().map_or(Ok(()), |entry| entry.check());
        checked.map_err(|error| self.in_layer(error))
    }

    /// The whole content: borrowed from the mapped archive if it is uncompressed there, otherwise owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip) if the entry is
    /// damaged, and [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        match self.view() {
            View::Entry(entry) => entry.read().map_err(|error| self.in_layer(error)),
            View::Loose(folder, loose) => folder.read(loose.named(), loose.opened.as_deref()),
        }
    }

    /// Appends the content to a buffer, which many files can share, and returns its size in bytes.
    ///
    /// ```
    /// # let quake = testutils::search_path::game_in_memory("id1/pak0.pak: a.cfg=one b.cfg=two").mount()?;
    /// let mut buffer = Vec::new();
    /// for name in ["a.cfg", "b.cfg"] {
    ///     buffer.clear();
    ///     quake.find(name).expect("it is in the pak").read_into(&mut buffer)?;
    ///     assert_eq!(buffer.len(), 3);
    /// }
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read). The buffer may then have a part of the content.
    pub fn read_into(&self, buffer: &mut Vec<u8>) -> Result<usize, Error> {
        Ok(io::Read::read_to_end(&mut self.open()?, buffer)?)
    }

    /// The content as text. Bytes that are not UTF-8, such as the coloured letters of Quake, become U+FFFD.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_text(&self) -> Result<String, Error> {
        Ok(String::from_utf8_lossy(&self.read()?).into_owned())
    }

    /// The content as a stream; see [`FileReader`] for its costs. A loose file is not read into memory.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        match self.view() {
            View::Entry(entry) => match entry.open() {
                Ok(reader) => Ok(reader.in_layer(self.layer.shared_name())),
                Err(error) => Err(self.in_layer(error)),
            },
            View::Loose(folder, loose) => folder.open(loose.named(), loose.opened.as_deref()),
        }
    }

    /// Reads bytes from an offset into `buffer` and returns how many: fewer than requested only at the end.
    ///
    /// Only these bytes of a stored entry or a loose file are read. A compressed entry is decoded from its
    /// start at each call: to read it in pieces, [`open`](Self::open) it. The checksum of an entry in a ZIP
    /// is not compared.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        match self.view() {
            View::Loose(folder, loose) => {
                return folder.read_at(loose.named(), offset, buffer);
            }
            View::Entry(entry) => {
                if let Some(range) = entry.range() {
                    let start = range.start.saturating_add(offset).min(range.end);
                    let room = usize::try_from(range.end - start)
                        .map_or(buffer.len(), |rest| rest.min(buffer.len()));
                    let buffer = buffer.get_mut(..room).unwrap_or_default();
                    let read =
                        entry.archive().read_at(start, buffer).map_err(|error| self.in_layer(error))?;
                    let cut = || self.in_layer(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                    return if read < room { Err(cut()) } else { Ok(read) };
                }
            }
        }
        let mut reader = self.open()?;
        io::Seek::seek(&mut reader, io::SeekFrom::Start(offset))?;
        Ok(reader.fill(buffer)?)
    }

    /// Whether minizip would open the file. True for files outside of ZIPs.
    pub(crate) fn is_opened_by_minizip(&self) -> bool {
        self.archive_entry().is_none_or(|entry| entry.archive().is_opened_by_minizip(entry.number()))
    }

    /// The same file, independent of the search path.
    #[must_use]
    pub fn into_owned(self) -> File<'static> {
        let size = self.size();
        let layer = match self.layer {
            LayerRef::Lent(layer) => layer.kept(),
            LayerRef::Kept(layer) => layer,
        };
        let loose = self.loose.map(|loose| Loose {
            name: loose.name.into_owned(),
            is_listed: loose.is_listed,
            spelled: loose.spelled,
            size: Some(size),
            opened: None,
        });
        File { layer: LayerRef::Kept(layer), row: self.row, loose }
    }

    fn in_layer(&self, error: Error) -> Error {
        error.in_archive(self.layer.name())
    }
}

impl fmt::Debug for File<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("layer", &self.layer.name())
            .field("stored", &self.stored())
            .field("entry", &self.entry())
            .field("size", &self.size())
            .finish()
    }
}

/// The plain bytes of a file on this computer: for `FILE*` code, players that stream, `sendfile`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extent {
    /// The loose file, or the archive of the entry.
    pub path: Utf8PathBuf,
    /// The bytes of that file.
    pub range: Range<u64>,
}

impl Archive {
    /// Returns each entry except folders as an owned file. `name` names the archive in messages, like the
    /// name of a layer.
    pub fn files<N: Into<Arc<str>>>(&self, name: N) -> impl Iterator<Item = File<'static>> + use<N> {
        let layer = Arc::new(Layer::of_archive(name, self.clone()));
        let archive = self.clone();
        let rows = (0..self.rows()).filter(move |row| !archive.is_folder(*row));
        rows.map(move |row| File { layer: LayerRef::Kept(Arc::clone(&layer)), row, loose: None })
    }
}

impl Layer {
    /// An archive by itself as a layer. `name` names the archive in messages.
    pub fn of_archive(name: impl Into<Arc<str>>, archive: Archive) -> Layer {
        Layer::new(name, Source::Archive(archive), None, None, None)
    }

    /// The entry of this number as a file; `None` past the last entry, and for loose files.
    #[must_use]
    pub fn file(&self, entry: usize) -> Option<File<'_>> {
        let entry = self.archive()?.entry(entry)?;
        Some(File::in_archive(self, entry.number()))
    }
}
