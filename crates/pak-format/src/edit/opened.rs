//! An archive on disk, locked against other editors.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::archive::{Directory, ParseOptions};
use crate::error::{Error, ErrorKind};
use crate::record::Header;
use crate::write::open_regular;

#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// To change the archive: no other program may hold a lock.
    Change,
    /// To read the archive: other programs may read under a lock too.
    Read,
}

/// An archive on disk, with its rows in memory. The lock ends when this is dropped.
pub(super) struct Opened {
    pub(super) file: File,
    /// The given path, with symbolic links resolved.
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
    pub(super) directory: Directory<Vec<u8>>,
    pub(super) header: [u8; Header::SIZE],
}

impl Opened {
    pub(super) fn open(path: &Path, purpose: Purpose, options: &ParseOptions) -> Result<Opened, Error> {
        let failed = |cause| Error::io("open the archive", cause);
        loop {
            let resolved = fs::canonicalize(path).map_err(failed)?;
            let change = matches!(purpose, Purpose::Change);
            let file =
                open_regular(&resolved, OpenOptions::new().read(true).write(change)).map_err(failed)?;
            let locked = if change { file.try_lock() } else { file.try_lock_shared() };
            match locked {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(ErrorKind::Locked.into()),
                Err(TryLockError::Error(cause)) => return Err(Error::io("lock the archive", cause)),
            }
            // another program may have replaced the file before this one had the lock
            let metadata = file.metadata().map_err(failed)?;
            if fs::metadata(&resolved).is_ok_and(|found| Stamp::of(&found) == Stamp::of(&metadata)) {
                return Opened::read(file, resolved, metadata, options);
            }
        }
    }

    fn read(file: File, path: PathBuf, metadata: Metadata, options: &ParseOptions) -> Result<Opened, Error> {
        let mut start = Vec::new();
        let failed = |cause| Error::io("read the archive", cause);
        (&file).take(Header::SIZE as u64).read_to_end(&mut start).map_err(failed)?;
        let header = options.parse_header(&start)?;
        let range = header.directory_range(metadata.len())?;
        let rows = read_at(&file, range.start, range.end - range.start)?;
        let directory = Directory::parse(&header, rows, metadata.len(), options)?;
        Ok(Opened { file, path, metadata, directory, header: header.encode() })
    }

    pub(super) fn len(&self) -> u64 {
        self.metadata.len()
    }

    pub(super) fn directory_range(&self) -> Result<Range<u64>, Error> {
        Header::parse(&self.header)?.directory_range(self.len())
    }

    /// Compares the file with what was read: [`ErrorKind::ArchiveChanged`] if the path names another file, or the
    /// file has another header or other rows.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let expected = Stamp::of(&self.metadata);
        let same = |metadata: io::Result<Metadata>| metadata.is_ok_and(|found| Stamp::of(&found) == expected);
        let bytes_are = |offset, bytes: &[u8]| {
            read_at(&self.file, offset, bytes.len() as u64).is_ok_and(|found| found == bytes)
        };
        // two changes within the resolution of the clock have one time
        let unchanged = same(self.file.metadata())
            && same(fs::metadata(&self.path))
            && bytes_are(0, &self.header)
            && self.directory_range().is_ok_and(|range| bytes_are(range.start, self.directory.rows()));
        if unchanged { Ok(()) } else { Err(ErrorKind::ArchiveChanged.into()) }
    }
}

/// Bytes of an archive. The length is inside the archive, as it was opened.
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

/// The state of a file: another one has another stamp, as far as the system says.
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
