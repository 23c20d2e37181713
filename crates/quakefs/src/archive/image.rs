//! The bytes of an archive: in memory, mapped, or read by position.

use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use crate::data::FileData;
use crate::disk::{Access, Content, Disk, Opened, ReadAt, Stat, SystemPath, bytes_at, open_named};
use crate::error::Error;

/// The bytes of an archive and their origin.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    content: Content,
    size: u64,
    origin: Option<Origin>,
    /// The first error of the disk, while an archive is being opened.
    failed: Option<Arc<OnceLock<Error>>>,
}

/// The file that the bytes come from, and its state.
#[derive(Clone, Debug)]
struct Origin {
    disk: Arc<dyn Disk>,
    path: Utf8PathBuf,
    stat: Stat,
}

impl Origin {
    fn now(&self) -> Option<Stat> {
        self.disk.stat(self.path.as_std_path()).ok()
    }
}

impl From<FileData> for Image {
    fn from(bytes: FileData) -> Self {
        let size = bytes.len() as u64;
        Image { content: Content::Bytes(bytes), size, origin: None, failed: None }
    }
}

impl Image {
    /// Opens a file that a user named.
    pub(crate) fn open(disk: &Arc<dyn Disk>, path: &Utf8Path, access: Access) -> Result<Image, Error> {
        Self::opened(disk, path, open_named(&**disk, path.as_std_path(), access))
    }

    /// Opens a file from a listing.
    pub(crate) fn open_listed(disk: &Arc<dyn Disk>, path: &Utf8Path, access: Access) -> Result<Image, Error> {
        Self::opened(disk, path, disk.open(path.as_std_path(), access))
    }

    fn opened(disk: &Arc<dyn Disk>, path: &Utf8Path, opened: io::Result<Opened>) -> Result<Image, Error> {
        let Opened { stat, content } = opened.map_err(|error| Error::io(path, "open", error))?;
        let size = match &content {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::At(_) => stat.size,
        };
        let origin = Origin { disk: Arc::clone(disk), path: path.to_owned(), stat };
        Ok(Image { content, size, origin: Some(origin), failed: None })
    }

    /// Opens an archive. If the disk cannot read a part of it, that is the error: formats are guessed from
    /// what is there, and would take the part for missing.
    pub(super) fn read_by<T>(mut self, open: impl FnOnce(Image) -> Result<T, Error>) -> Result<T, Error> {
        let failed = Arc::new(OnceLock::new());
        self.failed = Some(Arc::clone(&failed));
        let opened = open(self);
        failed.get().cloned().map_or(opened, Err)
    }

    fn failure(&self, error: io::Error) -> Error {
        let error = Error::io(self.path().unwrap_or("memory".into()), "read", error);
        if let Some(failed) = &self.failed {
            failed.get_or_init(|| error.clone());
        }
        error
    }

    /// Whether the opened file is still on its disk.
    #[cfg(feature = "watch")]
    pub(crate) fn is_current(&self) -> bool {
        self.origin.as_ref().is_none_or(|origin| self.is_current_on(&origin.disk))
    }

    /// Whether a disk has the opened file unchanged at the same path. On a different disk, the identities
    /// must match too.
    pub(crate) fn is_current_on(&self, disk: &Arc<dyn Disk>) -> bool {
        self.origin.as_ref().is_some_and(|Origin { disk: own, path, stat }| {
            let is_known = stat.version().is_some() && (Arc::ptr_eq(own, disk) || stat.identity.is_some());
            is_known && disk.stat(path.as_std_path()).ok() == Some(*stat)
        })
    }

    /// Whether the opened file was written to in the meantime. If it was replaced by another file, the opened
    /// one keeps its bytes.
    pub(crate) fn is_overwritten(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| {
            origin.now().is_some_and(|now| now.identity == origin.stat.identity && now != origin.stat)
        })
    }

    /// The path on the disk that the archive was opened on.
    pub(crate) fn path(&self) -> Option<&Utf8Path> {
        self.origin.as_ref().map(|origin| &*origin.path)
    }

    pub(crate) fn system_path(&self) -> Option<SystemPath> {
        let origin = self.origin.as_ref()?;
        origin.disk.system_path(origin.path.as_std_path())
    }

    pub(crate) fn modified(&self) -> Option<SystemTime> {
        self.origin.as_ref()?.stat.modified
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// A range that is read on demand; `None` if the bytes are in memory.
    pub(crate) fn by_position(&self, range: Range<u64>) -> Option<Content> {
        let part = || Content::At(Arc::new(ImagePart { image: self.clone(), range }));
        matches!(self.content, Content::At(_)).then(part)
    }

    /// A range of the bytes, borrowed from memory or read from the file. Memory is allocated only for bytes
    /// that exist.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        let outside = || {
            let error = io::ErrorKind::UnexpectedEof.into();
            Error::io(self.path().unwrap_or("memory".into()), "read", error)
        };
        match &self.content {
            Content::Bytes(bytes) => bytes.slice(range).ok_or_else(outside),
            Content::At(file) => {
                if range.end > self.size || range.start > range.end {
                    return Err(outside());
                }
                let length = range.end - range.start;
                let bytes = bytes_at(&**file, range.start, length).map_err(|error| self.failure(error))?;
                if (bytes.len() as u64) < length { Err(outside()) } else { Ok(bytes.into()) }
            }
        }
    }

    /// Fills a buffer from an offset and returns the number of bytes; fewer only at the present end of the
    /// file.
    pub(crate) fn fill(&self, buffer: &mut [u8], offset: u64) -> Result<usize, Error> {
        let filled = self.content.as_file().fill_at(buffer, offset);
        filled.map_err(|error| self.failure(error))
    }
}

/// A part of an image that is read by position.
#[derive(Debug)]
struct ImagePart {
    image: Image,
    range: Range<u64>,
}

impl ReadAt for ImagePart {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = self.range.start.saturating_add(offset).min(self.range.end);
        let room =
            usize::try_from(self.range.end - start).map_or(buffer.len(), |rest| rest.min(buffer.len()));
        let filled = self.image.fill(buffer.get_mut(..room).unwrap_or_default(), start)?;
        // the archive was shortened after it was opened
        if filled < room { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(filled) }
    }
}
