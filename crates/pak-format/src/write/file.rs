//! Writes an archive to disk, completely or not at all.

use std::fmt;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use atomic_file::{AtomicFile, Disk, Options};

use crate::error::{Error, ErrorKind};
use crate::write::builder::Builder;
use crate::write::payload::WRITE;
use crate::write::progress::{Progress, Work};

/// How [`Builder::write_file`] writes. By default an existing file is an error.
#[derive(Clone, Copy, Default)]
pub struct WriteOptions<'a> {
    /// Whether to replace an existing file.
    pub overwrite: bool,
    /// Called now and then while the archive is written.
    pub progress: Option<Progress<'a>>,
    /// Metadata of the replaced file, taken before its content was read. If the file has changed since,
    /// nothing is written.
    pub unchanged_since: Option<&'a Metadata>,
}

impl fmt::Debug for WriteOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteOptions").field("overwrite", &self.overwrite).finish_non_exhaustive()
    }
}

impl Builder<'_> {
    /// Writes the archive to a file, and returns its size.
    ///
    /// The file is written completely or not at all: the archive is written to a temporary file, flushed to
    /// the disk, and renamed. A replaced file keeps its mode, its owner if the system permits, and the
    /// symbolic links to it.
    ///
    /// # Errors
    /// With nothing written: every problem of [`check`](Self::check), [`ErrorKind::ContentChanged`],
    /// [`ErrorKind::Io`], [`ErrorKind::Stopped`], [`ErrorKind::Locked`] if another writer has the file, and
    /// [`ErrorKind::ArchiveChanged`] if another program created, changed or replaced the file in the
    /// meantime. With the new archive in place: [`ErrorKind::NotDurable`].
    pub fn write_file(self, path: impl AsRef<Path>, options: &WriteOptions<'_>) -> Result<u64, Error> {
        let path = path.as_ref();
        self.write_new(path, options).map_err(|error| error.in_file(path))
    }

    /// Replaces a [`Held`] file with the archive.
    ///
    /// # Errors
    /// As [`write_file`](Self::write_file).
    pub fn replace(self, held: Held, options: &WriteOptions<'_>) -> Result<u64, Error> {
        let Held { mut file, path } = held;
        let written = Error::refuse(self.check()).and_then(|()| {
            let work = Work::new(self.content(), options.progress);
            let size = self.write_checked(&mut file, work)?;
            commit(file, WRITE)?;
            Ok(size)
        });
        written.map_err(|error| error.in_file(&path))
    }

    fn write_new(self, path: &Path, options: &WriteOptions<'_>) -> Result<u64, Error> {
        Error::refuse(self.check())?;
        let work = Work::new(self.content(), options.progress);
        let mut file = AtomicFile::create(path, &replacing(options.overwrite))
            .map_err(|cause| not_opened(WRITE, cause))?;
        // from here on the file is locked
        if let Some(before) = options.unchanged_since {
            let now = file.path().metadata().map_err(|cause| Error::io(WRITE, cause))?;
            if !is_unchanged(before, &now).map_err(|cause| Error::io(WRITE, cause))? {
                return Err(ErrorKind::ArchiveChanged.into());
            }
        }
        let size = self.write_checked(&mut file, work)?;
        commit(file, WRITE)?;
        Ok(size)
    }
}

fn is_unchanged(before: &Metadata, now: &Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return Ok(false);
        }
    }
    Ok(before.len() == now.len() && before.modified()? == now.modified()?)
}

/// An archive on disk that stays locked until it is replaced.
#[derive(Debug)]
pub struct Held {
    file: AtomicFile,
    path: PathBuf,
}

impl Held {
    /// Locks a file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the file is missing or its folder cannot be written to, and [`ErrorKind::Locked`]
    /// if another writer has the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Held, Error> {
        let path = path.as_ref().to_owned();
        let file = std::fs::metadata(&path)
            .and_then(|_| AtomicFile::create(&path, &replacing(true)))
            .map_err(|cause| not_opened(WRITE, cause).in_file(&path))?;
        Ok(Held { file, path })
    }
}

/// The options for writing an archive: durable, and following links.
pub(crate) fn replacing(replace: bool) -> Options {
    Options::new().replace(replace)
}

/// Renames a new file to its target.
pub(crate) fn commit(file: AtomicFile<impl Disk>, doing: &'static str) -> Result<(), Error> {
    file.commit().map_err(|error| {
        let (is_in_place, is_conflict) = (error.is_in_place(), error.is_conflict());
        match error.into_cause() {
            cause if is_in_place => Error::not_durable(cause),
            _ if is_conflict => ErrorKind::ArchiveChanged.into(),
            cause => Error::io(doing, cause),
        }
    })
}

/// The error if an archive cannot be opened for reading or writing.
pub(crate) fn not_opened(doing: &'static str, cause: io::Error) -> Error {
    match cause.kind() {
        io::ErrorKind::WouldBlock => ErrorKind::Locked.into(),
        _ => Error::io(doing, cause),
    }
}
