//! The bytes of an archive: mapped, read by position, or in memory.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::data::{FileData, open_regular};
use crate::error::Error;

/// How archives on disk are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// They are mapped into memory: nothing is copied, and stored files are lent. If another program cuts a
    /// mapped file short, touching what is gone ends the process.
    #[default]
    Map,
    /// They are read by position: the directory at the mount, a payload when it is asked for. For folders that
    /// other programs write to. A mounted entry then costs its row of memory too.
    Read,
}

#[derive(Clone)]
pub(crate) enum Image {
    Memory(FileData),
    File { file: Arc<File>, path: Utf8PathBuf, size: u64 },
}

impl Image {
    pub(crate) fn open(path: &Utf8Path, access: Access) -> Result<Image, Error> {
        match access {
            Access::Map => FileData::map(path).map(Image::Memory),
            Access::Read => {
                let file = open_regular(path)?;
                let size = file.metadata().map_err(|error| Error::io(path, "open", error))?.len();
                Ok(Image::File { file: Arc::new(file), path: path.to_owned(), size })
            }
        }
    }

    pub(crate) fn size(&self) -> u64 {
        match self {
            Image::Memory(bytes) => bytes.len() as u64,
            Image::File { size, .. } => *size,
        }
    }

    /// Some of the bytes: lent from memory, read from a file. No memory is taken for what is not there.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        let outside = || io::Error::from(io::ErrorKind::UnexpectedEof);
        match self {
            Image::Memory(bytes) => {
                bytes.slice(range).ok_or_else(|| Error::io(Utf8Path::new("memory"), "read", outside()))
            }
            Image::File { file, path, size } => {
                let io = |error| Error::io(path, "read", error);
                if range.end > *size || range.start > range.end {
                    return Err(io(outside()));
                }
                let length =
                    usize::try_from(range.end - range.start).map_err(io::Error::other).map_err(io)?;
                let mut bytes = vec![0; length];
                read_exact_at(file, &mut bytes, range.start).map_err(io)?;
                Ok(FileData::new(bytes))
            }
        }
    }
}

impl rawzip::ReaderAt for Image {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Image::Memory(bytes) => {
                let rest =
                    usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
                    to.copy_from_slice(from);
                }
                Ok(count)
            }
            // as in memory: asked for more than 2^63, a system may say that the question is wrong
            Image::File { size, .. } if offset >= *size => Ok(0),
            Image::File { file, .. } => read_at(file, buffer, offset),
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match read_at(file, bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                bytes = bytes.get_mut(count..).unwrap_or_default();
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
