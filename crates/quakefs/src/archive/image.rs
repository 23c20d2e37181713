//! The bytes of an archive: in memory, mapped, or read by position.

use std::io;
use std::ops::Range;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use crate::data::FileData;
use crate::error::Error;

/// How archives on disk are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// Archives are mapped into memory: nothing is copied, and stored files are lent. If another program cuts a
    /// mapped file short, touching the bytes that are gone ends the process.
    #[default]
    Map,
    /// Archives are read by position: the directory at the mount, a payload when it is asked for. For folders that
    /// other programs write to. A mounted entry then costs the memory of its row too.
    Read,
}

/// The bytes of an archive, and where they come from.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    bytes: Bytes,
    disk: Option<Disk>,
}

#[derive(Clone, Debug)]
enum Bytes {
    Memory(FileData),
    #[cfg(feature = "fs")]
    File {
        file: std::sync::Arc<std::fs::File>,
        size: u64,
    },
}

/// Which state of which file the bytes are.
#[derive(Clone, Debug, PartialEq)]
struct Disk {
    path: Utf8PathBuf,
    modified: Option<SystemTime>,
    size: u64,
    /// Device and number of the file, where the system has them.
    identity: Option<(u64, u64)>,
}

#[cfg(feature = "fs")]
impl Disk {
    fn of(path: &Utf8Path, metadata: &std::fs::Metadata) -> Disk {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Disk { path: path.to_owned(), modified: metadata.modified().ok(), size: metadata.len(), identity }
    }
}

impl From<FileData> for Image {
    fn from(bytes: FileData) -> Self {
        Image { bytes: Bytes::Memory(bytes), disk: None }
    }
}

impl Image {
    #[cfg(feature = "fs")]
    pub(crate) fn open(path: &Utf8Path, access: Access) -> Result<Image, Error> {
        let (bytes, metadata) = match access {
            Access::Map => {
                let (bytes, metadata) = FileData::map_file(path)?;
                (Bytes::Memory(bytes), metadata)
            }
            Access::Read => {
                let (file, metadata) = crate::data::open_regular(path)?;
                (Bytes::File { file: file.into(), size: metadata.len() }, metadata)
            }
        };
        Ok(Image { bytes, disk: Some(Disk::of(path, &metadata)) })
    }

    /// Whether the file on disk is still the one that was opened.
    #[cfg(feature = "fs")]
    pub(crate) fn is_current(&self) -> bool {
        self.disk.as_ref().is_none_or(|disk| {
            disk.path.metadata().is_ok_and(|metadata| Disk::of(&disk.path, &metadata) == *disk)
        })
    }

    /// Whether the file that was opened was written to since. Another file in its place is no matter: the one that was
    /// opened keeps its bytes.
    #[cfg(feature = "fs")]
    pub(crate) fn is_overwritten(&self) -> bool {
        self.disk.as_ref().is_some_and(|disk| {
            let now = disk.path.metadata().map(|metadata| Disk::of(&disk.path, &metadata));
            now.is_ok_and(|now| now.identity == disk.identity && now != *disk)
        })
    }

    pub(crate) fn path(&self) -> Option<&Utf8Path> {
        self.disk.as_ref().map(|disk| &*disk.path)
    }

    pub(crate) fn modified(&self) -> Option<SystemTime> {
        self.disk.as_ref()?.modified
    }

    pub(crate) fn size(&self) -> u64 {
        match &self.bytes {
            Bytes::Memory(bytes) => bytes.len() as u64,
            #[cfg(feature = "fs")]
            Bytes::File { size, .. } => *size,
        }
    }

    /// Some of the bytes: lent from memory, read from a file. No memory is taken for bytes that are not there.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        let fail = |error| {
            let path = self.disk.as_ref().map_or(Utf8Path::new("memory"), |disk| &disk.path);
            Error::io(path, "read", error)
        };
        let outside = || fail(io::ErrorKind::UnexpectedEof.into());
        match &self.bytes {
            Bytes::Memory(bytes) => bytes.slice(range).ok_or_else(outside),
            #[cfg(feature = "fs")]
            Bytes::File { file, size } => {
                if range.end > *size || range.start > range.end {
                    return Err(outside());
                }
                let length =
                    usize::try_from(range.end - range.start).map_err(io::Error::other).map_err(fail)?;
                let mut bytes = vec![0; length];
                let filled = positional::fill_at(file, &mut bytes, range.start).map_err(fail)?;
                if filled < length { Err(outside()) } else { Ok(bytes.into()) }
            }
        }
    }
}

impl rawzip::ReaderAt for Image {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                io::Read::read(&mut rest.unwrap_or_default(), buffer)
            }
            #[cfg(feature = "fs")]
            Bytes::File { file, .. } => positional::read_at(file, buffer, offset),
        }
    }
}

#[cfg(feature = "fs")]
pub(crate) mod positional {
    use std::fs::File;
    use std::io;

    /// Reads bytes from an offset; none at and after the end of the file, wherever that is.
    pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        // systems count in 63 bits, and report an error instead of the end of the file above that
        let is_in_reach =
            offset.checked_add(bytes.len() as u64).is_some_and(|end| i64::try_from(end).is_ok());
        if is_in_reach { ask(file, bytes, offset) } else { Ok(0) }
    }

    #[cfg(unix)]
    fn ask(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(file, bytes, offset)
    }

    #[cfg(windows)]
    fn ask(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn ask(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        use std::io::{Read as _, Seek as _};
        file.seek(io::SeekFrom::Start(offset))?;
        file.read(bytes)
    }

    /// Reads as much as there is room for, or less at the end.
    pub(crate) fn fill_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(room) = bytes.get_mut(filled..).filter(|room| !room.is_empty()) {
            match read_at(file, room, offset.saturating_add(filled as u64)) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}
