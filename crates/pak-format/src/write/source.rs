//! The content of a new entry.

use std::fmt;
#[cfg(feature = "edit")]
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::PathBuf;

#[cfg(feature = "edit")]
use atomic_file::open_regular;

use crate::error::{Error, ErrorKind};

/// Bytes moved at once between a source, a buffer and a disk.
pub(crate) const CHUNK: usize = 256 * 1024;

/// The content of a new entry: bytes, a reader, or a file. A reader or a file is opened only when the entry
/// is written, so at most one is open at a time.
pub struct Source<'a> {
    size: u64,
    path: Option<PathBuf>,
    content: SourceContent<'a>,
}

enum SourceContent<'a> {
    Bytes(Box<dyn AsRef<[u8]> + Send + 'a>),
    Reader(Box<dyn FnOnce() -> io::Result<Box<dyn Read + 'a>> + Send + 'a>),
}

impl<'a> Source<'a> {
    /// These bytes, owned or borrowed.
    pub fn bytes(content: impl AsRef<[u8]> + Send + 'a) -> Self {
        let size = content.as_ref().len() as u64;
        Source { size, path: None, content: SourceContent::Bytes(Box::new(content)) }
    }

    /// A reader of exactly `size` bytes, which `open` opens when the entry is written. If it returns more or
    /// fewer bytes, the error is [`ErrorKind::ContentChanged`].
    ///
    /// ```
    /// use pak_format::{Builder, Layout, Source};
    ///
    /// let mut builder = Builder::new(Layout::Quake);
    /// let download = &b"sensitivity 3\n"[..];
    /// builder.push("autoexec.cfg", Source::reader(14, move || Ok(Box::new(download))));
    /// assert_eq!(builder.finish()?.len(), 12 + 14 + 64);
    /// # Ok::<(), pak_format::Error>(())
    /// ```
    pub fn reader(size: u64, open: impl FnOnce() -> io::Result<Box<dyn Read + 'a>> + Send + 'a) -> Self {
        Source { size, path: None, content: SourceContent::Reader(Box::new(open)) }
    }

    /// A file, which is opened when the entry is written. If the size of the file changes before it is
    /// written, the error is [`ErrorKind::ContentChanged`].
    ///
    /// # Errors
    /// The file is missing; [`IsADirectory`](io::ErrorKind::IsADirectory) for a folder;
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) for a pipe or a device, which is never opened.
    #[cfg(feature = "edit")]
    pub fn file(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let found = fs::metadata(&path)?;
        atomic_file::regular(&found)?;
        let open = {
            let path = path.clone();
            move || -> io::Result<Box<dyn Read + 'a>> {
                Ok(Box::new(open_regular(&path, OpenOptions::new().read(true))?.0))
            }
        };
        Ok(Source { size: found.len(), path: Some(path), content: SourceContent::Reader(Box::new(open)) })
    }

    /// Sets the path that errors about this content name.
    #[cfg(feature = "edit")]
    pub(super) fn at_path(mut self, path: PathBuf) -> Self {
        self.path = Some(path);
        self
    }

    /// The size of the content.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] and [`ErrorKind::ContentChanged`].
    pub fn read(self) -> Result<Vec<u8>, Error> {
        let mut content = Vec::new();
        self.each_chunk(&mut Vec::new(), |bytes| {
            content.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(content)
    }

    /// Whether the bytes are in memory already.
    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.content, SourceContent::Bytes(_))
    }

    /// Calls `take` with all bytes, chunk by chunk.
    pub(super) fn each_chunk(
        self,
        buffer: &mut Vec<u8>,
        take: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Source { size, path, content } = self;
        let passed = match content {
            SourceContent::Bytes(bytes) => pass_bytes((*bytes).as_ref(), size, take),
            SourceContent::Reader(open) => pass_reader(open, size, buffer, take),
        };
        passed.map_err(|error| match path {
            Some(path) => error.at_path(&path),
            None => error,
        })
    }
}

fn pass_bytes(
    bytes: &[u8],
    expected: u64,
    take: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let found = bytes.len() as u64;
    if found != expected {
        return Err(ErrorKind::ContentChanged { expected, found }.into());
    }
    bytes.chunks(CHUNK).try_for_each(take)
}

fn pass_reader<'a>(
    open: impl FnOnce() -> io::Result<Box<dyn Read + 'a>>,
    expected: u64,
    buffer: &mut Vec<u8>,
    mut take: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut reader = open().map_err(|cause| Error::io("open the content", cause))?;
    buffer.resize(CHUNK, 0);
    let mut found = 0;
    loop {
        let count = match reader.read(buffer) {
            Ok(count) => count,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
            Err(cause) => return Err(Error::io("read the content", cause)),
        };
        found += count as u64;
        if found > expected {
            return Err(ErrorKind::ContentChanged { expected, found: expected + 1 }.into());
        }
        if count == 0 && found < expected {
            return Err(ErrorKind::ContentChanged { expected, found }.into());
        }
        if count == 0 {
            return Ok(());
        }
        take(buffer.get(..count).unwrap_or_default())?;
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_in_memory() { "bytes" } else { "reader" };
        f.debug_struct("Source")
            .field("kind", &kind)
            .field("size", &self.size)
            .field("path", &self.path)
            .finish()
    }
}
