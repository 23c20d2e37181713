//! Files that are mapped into memory.

use std::fs::File;
use std::io;
use std::path::Path;

use bytes::Bytes;

use super::FileData;
use crate::error::{Error, utf8};

impl FileData {
    /// Maps a file on disk into memory. If another program truncates the file, access to the lost bytes kills
    /// the process.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io), also if the path is not a regular file.
    pub fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = utf8(path.as_ref())?;
        let io = |doing| move |error| Error::io(path, doing, error);
        let (file, metadata) =
            atomic_file::open_regular(path, File::options().read(true)).map_err(io("open"))?;
        Self::map_file(&file, metadata.len()).map_err(io("map"))
    }

    /// Maps an open file of this many bytes.
    pub(crate) fn map_file(file: &File, size: u64) -> io::Result<Self> {
        let len = usize::try_from(size).map_err(io::Error::other)?;
        if len == 0 {
            return Ok(FileData::default());
        }
        #[expect(unsafe_code, reason = "the one place where a file is mapped")]
        // SAFETY: the map is never written through. If another program changes the file, it changes bytes
        // that are untrusted anyway. If it truncates the file, access ends the process, as documented.
        let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) }?;
        Ok(FileData { bytes: Bytes::from_owner(map), mapped: true })
    }
}
