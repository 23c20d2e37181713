//! An archive on disk that nobody else changes, and the few ways in which this crate changes a disk.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::archive::{Directory, ParseOptions};
use crate::builder::CHUNK;
use crate::error::{Error, ErrorKind};
use crate::layout::{Header, Layout};

/// All that changes the disk goes through here, so that a test can stop it anywhere.
pub(super) trait Disk {
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()>;
    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()>;
    fn sync(&mut self, file: &File) -> io::Result<()>;
    fn temporary(&mut self, folder: &Path) -> io::Result<NamedTempFile>;
    /// Moves a temporary file to its place, or drops it.
    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> io::Result<()>;
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;
}

/// The disk as it is.
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn write_at(&mut self, mut file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn temporary(&mut self, folder: &Path) -> io::Result<NamedTempFile> {
        let made = tempfile::Builder::new().prefix(".quakefs-").suffix(".tmp").tempfile_in(folder);
        // the whole error names the temporary file, which nobody knows
        made.map_err(|error| io::Error::from(error.kind()))
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> io::Result<()> {
        let moved = if replace { file.persist(target) } else { file.persist_noclobber(target) };
        moved.map(drop).map_err(|error| error.error)
    }

    #[cfg(unix)]
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// Other systems have no such call.
    #[cfg(not(unix))]
    fn sync_folder(&mut self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Writes one byte behind the other. What was not flushed when it is dropped is not written, so that nothing is
/// after a failure.
pub(super) struct DiskWriter<'d> {
    disk: &'d mut dyn Disk,
    file: &'d File,
    position: u64,
    waiting: Vec<u8>,
}

impl<'d> DiskWriter<'d> {
    pub(super) fn new(disk: &'d mut dyn Disk, file: &'d File, position: u64) -> Self {
        DiskWriter { disk, file, position, waiting: Vec::new() }
    }

    fn write_now(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !bytes.is_empty() {
            self.disk.write_at(self.file, self.position, bytes)?;
            self.position += bytes.len() as u64;
        }
        Ok(())
    }
}

impl Write for DiskWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.waiting.len() + bytes.len() > CHUNK {
            self.flush()?;
        }
        if bytes.len() >= CHUNK {
            self.write_now(bytes)?;
        } else {
            self.waiting.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.write_now(&waiting)?;
        waiting.clear();
        self.waiting = waiting;
        Ok(())
    }
}

#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// Nobody else may read it under a lock, or write.
    Change,
    /// Others may read it too.
    Read,
}

/// An archive on disk, locked while this lives. Its rows are in memory.
pub(super) struct Opened {
    pub(super) file: File,
    /// What the given path leads to.
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
    pub(super) directory: Directory<Vec<u8>>,
    pub(super) header: [u8; Header::SIZE],
}

impl Opened {
    pub(super) fn open(path: &Path, purpose: Purpose, layout: Option<Layout>) -> Result<Opened, Error> {
        let failed = |cause| Error::io("open the archive", cause);
        loop {
            let resolved = fs::canonicalize(path).map_err(failed)?;
            // a pipe would be waited for
            if !fs::metadata(&resolved).map_err(failed)?.is_file() {
                return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
            }
            let change = matches!(purpose, Purpose::Change);
            let file = OpenOptions::new().read(true).write(change).open(&resolved).map_err(failed)?;
            let locked = if change { file.try_lock() } else { file.try_lock_shared() };
            match locked {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(ErrorKind::Locked.into()),
                Err(TryLockError::Error(cause)) => return Err(Error::io("lock the archive", cause)),
            }
            // it may have been replaced, whole, before the lock was had
            let metadata = file.metadata().map_err(failed)?;
            if fs::metadata(&resolved).is_ok_and(|found| Stamp::of(&found) == Stamp::of(&metadata)) {
                return Opened::read(file, resolved, metadata, layout);
            }
        }
    }

    fn read(file: File, path: PathBuf, metadata: Metadata, layout: Option<Layout>) -> Result<Opened, Error> {
        let options = ParseOptions { layout, ..ParseOptions::default() };
        let mut start = Vec::new();
        let failed = |cause| Error::io("read the archive", cause);
        (&file).take(Header::SIZE as u64).read_to_end(&mut start).map_err(failed)?;
        let header = options.parse_header(&start)?;
        let range = header.directory_range(metadata.len())?;
        let rows = read_at(&file, range.start, range.end - range.start)?;
        let directory = Directory::parse(&header, rows, metadata.len(), &options)?;
        Ok(Opened { file, path, metadata, directory, header: header.encode() })
    }

    pub(super) fn len(&self) -> u64 {
        self.metadata.len()
    }

    /// Fails with [`ErrorKind::ArchiveChanged`] if the path leads to another file, or the file to other rows.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let expected = Stamp::of(&self.metadata);
        let same = |metadata: io::Result<Metadata>| metadata.is_ok_and(|found| Stamp::of(&found) == expected);
        let bytes_are = |offset, bytes: &[u8]| {
            read_at(&self.file, offset, bytes.len() as u64).is_ok_and(|found| found == bytes)
        };
        // times are coarse: two changes may share one
        let unchanged = same(self.file.metadata())
            && same(fs::metadata(&self.path))
            && bytes_are(0, &self.header)
            && Header::parse(&self.header)
                .and_then(|header| header.directory_range(self.len()))
                .is_ok_and(|range| bytes_are(range.start, self.directory.rows()));
        if unchanged { Ok(()) } else { Err(ErrorKind::ArchiveChanged.into()) }
    }
}

/// Bytes of an archive, whose length was looked at.
pub(super) fn read_at(file: &File, offset: u64, length: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    read_into(file, offset, length, &mut bytes)?;
    Ok(bytes)
}

pub(super) fn read_into(mut file: &File, offset: u64, length: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
    let failed = |cause| Error::io("read the archive", cause);
    bytes.resize(usize::try_from(length).map_err(|_| ErrorKind::TooLarge { size: length })?, 0);
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    file.read_exact(bytes).map_err(failed)
}

/// What tells one state of one file from another.
#[derive(PartialEq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    identity: Option<(u64, u64)>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Stamp { length: metadata.len(), modified: metadata.modified().ok(), identity }
    }
}
