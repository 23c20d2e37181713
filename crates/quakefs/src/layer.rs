//! A layer of the stack, and a file found in one.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{EntryName, Layout};

use crate::data::{FileData, FileReader};
use crate::error::Error;
use crate::source::archive::ArchiveFormat;
use crate::source::{Archive, Folder, Source};

/// One archive, or the loose files of one game directory.
pub struct Layer {
    pub(crate) name: String,
    pub(crate) path: Option<Utf8PathBuf>,
    /// Which game directory it belongs to, counted from the lowest; none where it was pushed.
    pub(crate) directory: Option<u16>,
    /// Which set of archives of the rules has taken it.
    pub(crate) set: Option<usize>,
    pub(crate) source: Source,
}

/// What a layer is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LayerKind {
    /// An archive of the PACK family.
    Pak,
    /// A ZIP archive: `.pk3`, `.pkz`.
    Zip,
    /// Loose files.
    Folder,
}

impl LayerKind {
    /// The word for it: `pak`, `zip` or `dir`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LayerKind::Pak => "pak",
            LayerKind::Zip => "zip",
            LayerKind::Folder => "dir",
        }
    }
}

impl fmt::Display for LayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Layer {
    /// Its name: relative to the base directory, with `/` between parts, and `/` at the end for loose files.
    /// The base directory itself is `./`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is made of.
    #[must_use]
    pub fn kind(&self) -> LayerKind {
        match &self.source {
            Source::Archive(archive) => match archive.format() {
                ArchiveFormat::Pak(_) => LayerKind::Pak,
                ArchiveFormat::Zip => LayerKind::Zip,
            },
            Source::Folder(_) => LayerKind::Folder,
        }
    }

    /// Where it is on disk; `None` for an archive in memory.
    #[must_use]
    pub fn path(&self) -> Option<&Utf8Path> {
        self.path.as_deref()
    }

    /// The archive that it is; `None` for loose files.
    #[must_use]
    pub fn archive(&self) -> Option<&Archive> {
        match &self.source {
            Source::Archive(archive) => Some(archive),
            Source::Folder(_) => None,
        }
    }

    /// How many entries an archive has, whether or not they can be reached; `None` for loose files.
    #[must_use]
    pub fn entries(&self) -> Option<usize> {
        self.archive().map(Archive::len)
    }

    /// The layout of an archive of the PACK family.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        match self.archive()?.format() {
            ArchiveFormat::Pak(detection) => Some(detection.layout),
            ArchiveFormat::Zip => None,
        }
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer")
            .field("name", &self.name)
            .field("kind", &self.kind())
            .field("entries", &self.archive().map(Archive::len))
            .finish()
    }
}

/// A file that was found: which layer serves it, and under which name.
#[derive(Clone)]
pub struct Hit<'a> {
    pub(crate) layer: &'a Layer,
    pub(crate) place: Place<'a>,
}

/// Where in its layer a file is.
#[derive(Clone)]
pub(crate) enum Place<'a> {
    Entry { archive: &'a Archive, row: u32 },
    Loose { folder: &'a Folder, name: Cow<'a, [u8]>, size: u64 },
}

impl<'a> Hit<'a> {
    /// The layer that has it.
    #[must_use]
    pub fn layer(&self) -> &'a Layer {
        self.layer
    }

    /// The name that finds it.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        EntryName::from_bytes(match &self.place {
            Place::Entry { archive, row } => archive.name(*row),
            Place::Loose { name, .. } => name,
        })
    }

    /// The name as stored: in the archive, or on disk below the game directory. It is [`name`](Self::name), but
    /// for an engine that folds the names of an archive when it is mounted.
    #[must_use]
    pub fn stored(&self) -> EntryName<'_> {
        match &self.place {
            Place::Entry { archive, row } => {
                archive.entry(*row as usize).map_or(EntryName::from_bytes(&[]), |entry| entry.name())
            }
            Place::Loose { name, .. } => EntryName::from_bytes(name),
        }
    }

    /// The number of its row in the archive; `None` for a loose file.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        match self.place {
            Place::Entry { row, .. } => Some(row as usize),
            Place::Loose { .. } => None,
        }
    }

    /// Bytes of content, as the row or the disk says.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self.place {
            Place::Entry { archive, row } => archive.entry(row as usize).map_or(0, |entry| entry.size()),
            Place::Loose { size, .. } => size,
        }
    }

    /// The path of a loose file on disk; for an archive's entry, that of the archive.
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        match &self.place {
            Place::Entry { .. } => self.layer.path.clone(),
            Place::Loose { folder, name, .. } => Some(folder.path_of(name)),
        }
    }

    /// The content: lent from the map where it is stored there as it is, else owned.
    ///
    /// Fails with [`ErrorKind::Archive`](crate::ErrorKind::Archive) or [`ErrorKind::Zip`](crate::ErrorKind::Zip) where
    /// the entry is damaged, and with [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        match &self.place {
            Place::Entry { archive, row } => {
                archive.read(*row as usize).map_err(|error| error.in_archive(self.layer.name()))
            }
            Place::Loose { folder, name, .. } => {
                let mut file = folder.open(name)?;
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)
                    .map_err(|error| Error::io(&folder.path_of(name), "read", error))?;
                Ok(FileData::new(bytes))
            }
        }
    }

    /// The content as a stream. A loose file is not read into memory.
    ///
    /// Fails as [`read`](Self::read) does.
    pub fn open(&self) -> Result<FileReader, Error> {
        match &self.place {
            Place::Entry { .. } => self.read().map(FileReader::from),
            Place::Loose { folder, name, .. } => folder.open(name).map(FileReader::from_file),
        }
    }

    /// Whether this is the same file as another hit of the same search path, not merely the same bytes.
    #[must_use]
    pub fn is_same_file(&self, other: &Hit<'_>) -> bool {
        std::ptr::eq(self.layer, other.layer)
            && match (&self.place, &other.place) {
                (Place::Entry { row: a, .. }, Place::Entry { row: b, .. }) => a == b,
                (Place::Loose { name: a, .. }, Place::Loose { name: b, .. }) => a == b,
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
