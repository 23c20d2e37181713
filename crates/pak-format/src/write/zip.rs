//! ZIP, as engines read it.
//!
//! Sizes are in the local headers, and no data descriptor follows a payload, because several engines read
//! only the local header. ZIP64 is not used. Times are fixed, so the same content gives the same bytes.
//!
//! Source: APPNOTE.TXT of PKWARE, 6.3.3, sections 4.3 and 4.4.

use std::io::Write;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use crate::error::{Error, ErrorKind};
use crate::write::payload::{WRITE, offset};
use crate::write::progress::Work;
use crate::write::source::Source;

/// The value 65,535 would mean that the number is in a ZIP64 record.
pub(crate) const MOST_ENTRIES: usize = 65_534;
/// The longest name: its length has 16 bits.
pub(crate) const LONGEST_NAME: usize = 65_535;
/// Bytes of an entry's headers without its name: one before the payload, one in the directory.
pub(crate) const HEADERS: u64 = 30 + 46;
/// Bytes of the end of the directory.
pub(crate) const END: u64 = 22;

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END_OF_CENTRAL: [u8; 4] = *b"PK\x05\x06";
/// The version needed to extract. Deflate needs 2.0.
const VERSION: u16 = 20;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Midnight on 1 January 1980, the earliest possible date.
const DATE: u16 = 1 << 5 | 1;

/// Writes entries one after the other, and keeps their rows.
pub(crate) struct ZipWriter<'p, W> {
    out: W,
    position: u64,
    rows: Vec<u8>,
    count: u16,
    work: Work<'p>,
    compress: Option<Compress>,
    content: Vec<u8>,
    deflated: Vec<u8>,
    buffer: Vec<u8>,
}

impl<'p, W: Write> ZipWriter<'p, W> {
    /// `level` is 0 for no compression up to 9 for the smallest archive.
    pub(crate) fn new(out: W, level: u32, work: Work<'p>) -> Self {
        let compress = (level > 0).then(|| Compress::new(Compression::new(level.min(9)), false));
        let (content, deflated, buffer) = (Vec::new(), Vec::new(), Vec::new());
        ZipWriter { out, position: 0, rows: Vec::new(), count: 0, work, compress, content, deflated, buffer }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(|cause| Error::io(WRITE, cause))?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// Writes an entry. It is stored if deflate does not make it smaller.
    pub(crate) fn entry(&mut self, name: &[u8], source: Source<'_>) -> Result<(), Error> {
        let ZipWriter { work, content, buffer, .. } = self;
        content.clear();
        let mut crc = Crc::new();
        source.each_chunk(buffer, |bytes| {
            crc.update(bytes);
            content.extend_from_slice(bytes);
            work.advance(bytes.len())
        })?;
        let method = if self.deflate() { DEFLATED } else { STORED };
        let payload = std::mem::take(if method == DEFLATED { &mut self.deflated } else { &mut self.content });
        let sizes = [offset(payload.len() as u64)?, offset(self.size(&payload, method))?];
        let start = offset(self.position)?;
        let flags = if name.is_ascii() { 0 } else { UTF8 };
        let name_size = u16::try_from(name.len()).unwrap_or(u16::MAX);
        // the fields that the local header and the row share
        let mut common = Vec::with_capacity(22);
        for half in [VERSION, flags, method, 0, DATE] {
            common.extend(half.to_le_bytes());
        }
        for word in [crc.sum(), sizes[0], sizes[1]] {
            common.extend(word.to_le_bytes());
        }
        common.extend(name_size.to_le_bytes());
        let local = [&LOCAL[..], &common, &[0; 2], name].concat();
        self.put(&local)?;
        self.put(&payload)?;
        self.rows.extend(CENTRAL);
        self.rows.extend(VERSION.to_le_bytes());
        self.rows.extend(common);
        // no extra field, no comment, the first volume, no attributes
        self.rows.extend([0; 12]);
        self.rows.extend(start.to_le_bytes());
        self.rows.extend(name);
        self.count += 1;
        // keep the memory for the next entry
        *(if method == DEFLATED { &mut self.deflated } else { &mut self.content }) = payload;
        Ok(())
    }

    /// Bytes of content.
    fn size(&self, payload: &[u8], method: u16) -> u64 {
        if method == DEFLATED { self.content.len() as u64 } else { payload.len() as u64 }
    }

    /// Deflates the content; returns `false` if that does not make it smaller.
    fn deflate(&mut self) -> bool {
        let Some(compress) = &mut self.compress else { return false };
        compress.reset();
        self.deflated.clear();
        // a larger result is stored instead, so more room is not needed
        self.deflated.reserve(self.content.len());
        let status = compress.compress_vec(&self.content, &mut self.deflated, FlushCompress::Finish);
        matches!(status, Ok(Status::StreamEnd)) && self.deflated.len() < self.content.len()
    }

    /// Writes the directory at the end of the archive, and returns the size of the archive.
    pub(crate) fn finish(mut self) -> Result<u64, Error> {
        let start = offset(self.position)?;
        let rows = std::mem::take(&mut self.rows);
        self.put(&rows)?;
        let mut end = END_OF_CENTRAL.to_vec();
        for half in [0, 0, self.count, self.count] {
            end.extend(half.to_le_bytes());
        }
        end.extend(offset(rows.len() as u64)?.to_le_bytes());
        end.extend(start.to_le_bytes());
        end.extend([0; 2]);
        self.put(&end)?;
        offset(self.position)?;
        self.out.flush().map_err(|cause| Error::io(WRITE, cause))?;
        Ok(self.position)
    }
}

/// Refuses more entries than an archive without ZIP64 can have.
pub(crate) fn check_count(entries: usize) -> Result<(), Error> {
    if entries > MOST_ENTRIES {
        return Err(ErrorKind::TooManyEntries { entries, most: MOST_ENTRIES }.into());
    }
    Ok(())
}
