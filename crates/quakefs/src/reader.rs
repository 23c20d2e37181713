//! A stream over a file, whatever layer it comes from.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

use crate::data::FileData;
use crate::disk::{Content, Opened, Positioned};

/// A file opened for reading: [`Read`], [`BufRead`] and [`Seek`], whatever layer the file comes from.
///
/// A loose file is read from the disk as the reader goes on. A compressed entry is decoded while it is read, in 64 KiB of
/// memory; a seek backwards starts the decoding again. A stored entry of a PACK is lent where the archive is mapped or in memory,
/// and read as the reader goes on under [`Access::Read`](crate::disk::Access::Read). A stored entry of a ZIP, whose checksum is
/// compared, and a payload of Daikatana's codec are read when they are opened, as [`Hit::read`](crate::Hit::read) does.
pub struct FileReader {
    reader: Reader,
    len: u64,
}

enum Reader {
    Data(Cursor<FileData>),
    File(io::BufReader<Positioned>),
    Stream(Box<dyn Stream>),
}

/// What a reader over a stream needs of it.
trait Stream: BufRead + Seek + Send + Sync {}

impl<S: BufRead + Seek + Send + Sync> Stream for S {}

impl FileReader {
    /// A reader over a stream of this many bytes, for kinds of archives of a caller's own.
    pub fn new(stream: impl BufRead + Seek + Send + Sync + 'static, len: u64) -> Self {
        FileReader { reader: Reader::Stream(Box::new(stream)), len }
    }

    /// Bytes of content: as the directory of the archive says, or as the disk said when the file was opened.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a reader has a size, and no content to be empty of")]
    pub fn len(&self) -> u64 {
        self.len
    }

    fn as_buf_read(&mut self) -> &mut dyn BufRead {
        match &mut self.reader {
            Reader::Data(cursor) => cursor,
            Reader::File(file) => file,
            Reader::Stream(stream) => stream,
        }
    }
}

impl fmt::Debug for FileReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileReader").field("len", &self.len).finish_non_exhaustive()
    }
}

impl From<FileData> for FileReader {
    fn from(data: FileData) -> Self {
        let len = data.len() as u64;
        FileReader { reader: Reader::Data(Cursor::new(data)), len }
    }
}

impl From<Opened> for FileReader {
    fn from(opened: Opened) -> Self {
        let len = opened.stat.size;
        match opened.content {
            Content::Bytes(bytes) => bytes.into(),
            Content::At(_) => {
                // reads of this size and more go past the buffer: most files are read whole
                let reader = io::BufReader::with_capacity(1 << 13, Positioned::from(opened));
                FileReader { reader: Reader::File(reader), len }
            }
        }
    }
}

impl Read for FileReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.as_buf_read().read(buf)
    }

    fn read_to_end(&mut self, buf: &mut Vec<u8>) -> io::Result<usize> {
        self.as_buf_read().read_to_end(buf)
    }
}

impl BufRead for FileReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.as_buf_read().fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.as_buf_read().consume(amount);
    }
}

impl Seek for FileReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.reader {
            Reader::Data(cursor) => cursor.seek(to),
            Reader::File(file) => file.seek(to),
            Reader::Stream(stream) => stream.seek(to),
        }
    }
}
