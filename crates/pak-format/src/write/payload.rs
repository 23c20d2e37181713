//! Writes payloads into an archive.

use std::io::Write;

use crate::daikatana::{self, EncodeOptions};
use crate::entry_name::EntryName;
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::Header;
use crate::record::Row;
use crate::write::progress::Work;
use crate::write::source::Source;

/// Whether an entry of this name is compressed, if the layout can and the entry shrinks: images and levels,
/// as Ion Storm's own packer, `dkpak.exe`, does.
pub(crate) fn compresses(name: &[u8]) -> bool {
    const EXTENSIONS: [&[u8]; 5] = [b"tga", b"bmp", b"wal", b"pcx", b"bsp"];
    let extension = EntryName::from_bytes(name).extension();
    extension.is_some_and(|found| EXTENSIONS.iter().any(|extension| found.eq_ignore_ascii_case(extension)))
}

/// A payload that was written.
#[derive(Clone, Copy)]
pub(crate) struct Payload {
    offset: u32,
    size: u32,
    stored_size: u32,
    compressed: bool,
}

impl Payload {
    pub(crate) fn row<'n>(&self, name: &'n [u8]) -> Row<'n> {
        Row {
            name,
            offset: self.offset,
            size: self.size,
            compressed_size: self.stored_size,
            compression: u32::from(self.compressed),
        }
    }
}

/// Writes payloads one after the other, and counts the bytes.
pub(crate) struct PayloadWriter<'p, W> {
    out: W,
    layout: Layout,
    encoding: EncodeOptions,
    position: u64,
    work: Work<'p>,
    buffer: Vec<u8>,
}

impl<'p, W: Write> PayloadWriter<'p, W> {
    /// `position` is the offset of the first byte in the archive.
    pub(crate) fn new(
        out: W,
        layout: Layout,
        encoding: EncodeOptions,
        position: u64,
        work: Work<'p>,
    ) -> Self {
        PayloadWriter { out, layout, encoding, position, work, buffer: Vec::new() }
    }

    /// Writes bytes that are not content: header and rows.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Result<(), Error> {
        put(&mut self.out, &mut self.position, bytes)
    }

    /// Writes a payload that needs no conversion.
    #[cfg(feature = "edit")]
    pub(crate) fn copy(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.raw(bytes)?;
        self.work.advance(bytes.len())
    }

    /// Writes the content of an entry, compressed if [`Compression`] selects its name.
    pub(crate) fn payload(&mut self, name: &[u8], source: Source<'_>) -> Result<Payload, Error> {
        let start = self.position;
        let size = source.size();
        let mut compressed = false;
        let PayloadWriter { out, position, work, buffer, .. } = self;
        if self.layout.compresses() && compresses(name) {
            let mut content = Vec::new();
            source.each_chunk(buffer, |bytes| {
                content.extend_from_slice(bytes);
                work.advance(bytes.len())
            })?;
            let encoded = daikatana::encode(&content, &self.encoding);
            compressed = encoded.len() < content.len();
            put(out, position, if compressed { &encoded } else { &content })?;
        } else {
            source.each_chunk(buffer, |bytes| {
                put(out, position, bytes)?;
                work.advance(bytes.len())
            })?;
        }
        Ok(Payload {
            offset: offset(start)?,
            size: offset(size)?,
            stored_size: offset(self.position - start)?,
            compressed,
        })
    }

    /// Writes the directory at the end of the archive. Returns the header that names it, and the position
    /// after the last byte.
    pub(crate) fn finish(mut self, rows: &[u8]) -> Result<(Header, u64), Error> {
        let header = Header {
            magic: self.layout.magic(),
            directory_offset: offset(self.position)?,
            directory_size: offset(rows.len() as u64)?,
        };
        self.raw(rows)?;
        self.out.flush().map_err(|cause| Error::io(WRITE, cause))?;
        Ok((header, self.position))
    }
}

fn put(out: &mut impl Write, position: &mut u64, bytes: &[u8]) -> Result<(), Error> {
    out.write_all(bytes).map_err(|cause| Error::io(WRITE, cause))?;
    *position += bytes.len() as u64;
    Ok(())
}

/// Adds the entry to an error about its content. A full disk and a stop on request do not concern an entry.
pub(crate) fn of_content(error: Error, index: usize, name: &[u8]) -> Error {
    match error.kind() {
        ErrorKind::Io { doing: WRITE, .. } | ErrorKind::Stopped => error,
        _ => error.at_entry(index, EntryName::from_bytes(name)),
    }
}

pub(crate) const WRITE: &str = "write the archive";

/// Converts a number of bytes to a field of a row. It fits, because the checks before the writing refuse
/// larger ones.
pub(crate) fn offset(bytes: u64) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(|_| ErrorKind::TooLarge { size: bytes }.into())
}
