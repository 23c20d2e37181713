//! A stream over a file of any layer.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use camino::Utf8PathBuf;
use pak_format::{EntryName, EntryNameBuf};

use crate::archive::Decoded;
use crate::data::FileData;
use crate::disk::{Content, Opened, Positioned};
use crate::error::Error;

/// An open file of any layer: [`Read`], [`BufRead`] and [`Seek`].
///
/// A loose file is read from disk piece by piece. A compressed entry is decoded while it is read, in 64 KiB
/// of memory; a seek backwards starts the decoding again. A stored entry of a PACK is borrowed if the archive
/// is mapped or in memory, and read piece by piece under [`Access::Read`](crate::Access::Read). A stored
/// entry of a ZIP is read completely on opening, to compare its checksum.
///
/// Errors name the file: each contains an [`Error`], which `Error::from` extracts.
///
/// ```
/// # let quake = testutils::search_path::game_in_memory("id1/pak0.pak: music/track03.wav").mount()?;
/// let mut track = quake.open("music/track03.wav")?;
/// std::io::copy(&mut track, &mut std::io::sink()).map_err(quakefs::Error::from)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FileReader {
    reader: Reader,
    len: u64,
    origin: Option<Origin>,
}

/// The file that errors name.
enum Origin {
    Entry { layer: Option<Arc<str>>, index: usize, name: EntryNameBuf },
    Path(Utf8PathBuf),
}

impl Origin {
    /// Adds the file's name to an error.
    fn of(origin: Option<&Origin>, error: io::Error) -> io::Error {
        let Some(origin) = origin else { return error };
        let error = Error::from(error);
        let error = match origin {
            Origin::Entry { layer, index, name } => {
                let error = error.at_entry(*index, name.as_name());
                layer.iter().fold(error, |error, layer| error.in_archive(&**layer))
            }
            Origin::Path(path) => error.at_path(path),
        };
        error.into()
    }
}

enum Reader {
    Data(Cursor<FileData>),
    File(io::BufReader<Positioned>),
    Decoded(Box<Decoded>),
    Stream(Box<dyn Stream>),
}

/// The traits of a stream.
trait Stream: BufRead + Seek + Send + Sync {}

impl<S: BufRead + Seek + Send + Sync> Stream for S {}

impl FileReader {
    /// Makes a reader over a stream of `len` bytes, for custom kinds of archives.
    pub fn new(stream: impl BufRead + Seek + Send + Sync + 'static, len: u64) -> Self {
        FileReader { reader: Reader::Stream(Box::new(stream)), len, origin: None }
    }

    /// Fills the buffer, except at the end of the file, and returns the number of bytes.
    ///
    /// # Errors
    /// As [`File::read`](crate::File::read).
    pub fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
            match self.read(room) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Makes errors name an entry of an archive.
    pub(crate) fn of_entry(mut self, index: usize, name: EntryName<'_>) -> Self {
        self.origin = Some(Origin::Entry { layer: None, index, name: name.into() });
        self
    }

    /// Sets the layer that errors about this entry name.
    pub(crate) fn in_layer(mut self, name: &Arc<str>) -> Self {
        if let Some(Origin::Entry { layer, .. }) = &mut self.origin {
            *layer = Some(Arc::clone(name));
        }
        self
    }

    /// Makes errors name a loose file.
    pub(crate) fn at_path(mut self, path: Utf8PathBuf) -> Self {
        self.origin = Some(Origin::Path(path));
        self
    }

    /// The size of the content, from the archive's directory or from the disk on opening.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a reader has a size, and no content to be empty of")]
    pub fn len(&self) -> u64 {
        self.len
    }
}

/// Calls a function of the stream in a [`Reader`].
macro_rules! on_stream {
    ($reader:expr, $stream:ident => $call:expr) => {
        match $reader {
            Reader::Data($stream) => $call,
            Reader::File($stream) => $call,
            Reader::Decoded($stream) => $call,
            Reader::Stream($stream) => $call,
        }
    };
}

impl fmt::Debug for FileReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileReader").field("len", &self.len).finish_non_exhaustive()
    }
}

impl From<FileData> for FileReader {
    fn from(data: FileData) -> Self {
        let len = data.len() as u64;
        FileReader { reader: Reader::Data(Cursor::new(data)), len, origin: None }
    }
}

impl From<Decoded> for FileReader {
    fn from(decoded: Decoded) -> Self {
        let len = decoded.size();
        FileReader { reader: Reader::Decoded(Box::new(decoded)), len, origin: None }
    }
}

impl From<Opened> for FileReader {
    fn from(opened: Opened) -> Self {
        let len = opened.stat.size;
        match opened.content {
            Content::Bytes(bytes) => bytes.into(),
            Content::At(_) => {
                // reads of this size and more bypass the buffer, because most files are read as a whole
                let reader = io::BufReader::with_capacity(1 << 13, Positioned::from(opened));
                FileReader { reader: Reader::File(reader), len, origin: None }
            }
        }
    }
}

impl Read for FileReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        on_stream!(&mut self.reader, stream => stream.read(buf))
            .map_err(|error| Origin::of(self.origin.as_ref(), error))
    }

    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> io::Result<usize> {
        on_stream!(&mut self.reader, stream => stream.read_to_end(buf))
            .map_err(|error| Origin::of(self.origin.as_ref(), error))
    }

    fn read_exact(&mut self, buf: &mut [u8]) -> io::Result<()> {
        on_stream!(&mut self.reader, stream => stream.read_exact(buf))
            .map_err(|error| Origin::of(self.origin.as_ref(), error))
    }
}

impl BufRead for FileReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        on_stream!(&mut self.reader, stream => stream.fill_buf())
            .map_err(|error| Origin::of(self.origin.as_ref(), error))
    }

    fn consume(&mut self, amount: usize) {
        on_stream!(&mut self.reader, stream => stream.consume(amount));
    }
}

impl Seek for FileReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        on_stream!(&mut self.reader, stream => stream.seek(to)).map_err(|error| match error.kind() {
            // a seek before the start is the caller's mistake, not the file's
            io::ErrorKind::InvalidInput => error,
            _ => Origin::of(self.origin.as_ref(), error),
        })
    }
}
