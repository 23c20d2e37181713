//! An archive on disk, locked against other editors.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use atomic_file::Lock;

use crate::archive::{Directory, ParseOptions};
use crate::error::{Error, ErrorKind};
use crate::record::Header;
use crate::write::not_opened;

#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// To change the archive. Fails if another program holds a lock on it.
    Change,
    /// To read the archive: other programs may read under a lock too.
    Read,
}

/// An archive on disk, with its rows in memory. The lock ends when this is dropped.
pub(super) struct Opened {
    pub(super) lock: Lock,
    pub(super) purpose: Purpose,
    pub(super) metadata: Metadata,
    pub(super) directory: Directory<Vec<u8>>,
    pub(super) header: [u8; Header::SIZE],
}

impl Opened {
    pub(super) fn open(path: &Path, purpose: Purpose, options: &ParseOptions) -> Result<Opened, Error> {
        let lock = match purpose {
            Purpose::Change => Lock::exclusive(path),
            Purpose::Read => Lock::shared(path),
        };
        let lock = lock.map_err(|cause| not_opened("open the archive", cause))?;
        Opened::read(lock, purpose, options)
    }

    fn read(lock: Lock, purpose: Purpose, options: &ParseOptions) -> Result<Opened, Error> {
        let mut start = Vec::new();
        let failed = |cause| Error::io("read the archive", cause);
        let mut file = lock.file();
        let metadata = file.metadata().map_err(failed)?;
        (&mut file).take(Header::SIZE as u64).read_to_end(&mut start).map_err(failed)?;
        let header = options.parse_header(&start)?;
        let range = header.directory_range(metadata.len())?;
        let rows = read_at(file, range.start, range.end - range.start)?;
        let directory = Directory::parse(&header, rows, metadata.len(), options)?;
        Ok(Opened { purpose, metadata, directory, header: header.encode(), lock })
    }

    pub(super) fn file(&self) -> &File {
        self.lock.file()
    }

    pub(super) fn len(&self) -> u64 {
        self.metadata.len()
    }

    pub(super) fn directory_range(&self) -> Result<Range<u64>, Error> {
        Header::parse(&self.header)?.directory_range(self.len())
    }

    /// Checks that the path still names this file, whatever its content: [`ErrorKind::ArchiveChanged`] if
    /// not.
    pub(super) fn check_in_place(&self) -> Result<(), Error> {
        if self.lock.is_in_place() { Ok(()) } else { Err(ErrorKind::ArchiveChanged.into()) }
    }

    /// Checks that the file is unchanged: [`ErrorKind::ArchiveChanged`] if the path names another file, or
    /// the header or a row differs.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let stamp = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
        let now = self.file().metadata();
        let bytes_are = |offset, bytes: &[u8]| {
            read_at(self.file(), offset, bytes.len() as u64).is_ok_and(|found| found == bytes)
        };
        // two changes within the clock's resolution have the same time
        let unchanged = now.is_ok_and(|now| stamp(&now) == stamp(&self.metadata))
            && self.lock.is_in_place()
            && bytes_are(0, &self.header)
            && self.directory_range().is_ok_and(|range| bytes_are(range.start, self.directory.rows()));
        if unchanged { Ok(()) } else { Err(ErrorKind::ArchiveChanged.into()) }
    }
}

/// Reads bytes of an archive. The range was inside the archive when it was opened.
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
