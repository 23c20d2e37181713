//! A compressed file as a stream, decoded while it is read.

use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::ops::Range;

use flate2::bufread::ZlibDecoder;
use flate2::{Crc, Decompress};
use pak_format::daikatana::Decoder;

use super::image::Image;
use crate::data::FileData;
use crate::error::{Error, ZipFault};

/// The CRC-32 of a ZIP.
pub(crate) fn crc32(content: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(content);
    crc.sum()
}

/// A payload that is decoded in chunks.
#[expect(clippy::large_enum_variant, reason = "a reader keeps it in a box")]
enum Payload {
    Inflate(Inflate),
    Daikatana(Daikatana),
}

impl Payload {
    /// The size of the content, from the directory.
    fn size(&self) -> u64 {
        match self {
            Payload::Inflate(payload) => payload.size,
            Payload::Daikatana(payload) => payload.size.into(),
        }
    }

    /// A new decoder for the same payload.
    fn again(&self) -> Payload {
        match self {
            Payload::Inflate(payload) => Payload::Inflate(payload.again()),
            Payload::Daikatana(payload) => Payload::Daikatana(payload.again()),
        }
    }

    /// Replaces the chunk by the next one, or by an empty one at the end.
    fn chunk(&mut self, chunk: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Payload::Inflate(payload) => payload.chunk(chunk),
            Payload::Daikatana(payload) => payload.chunk(chunk),
        }
    }
}

/// A stream over the decoded payload. Seeking backwards restarts the decoding.
pub(crate) struct Decoded {
    payload: Payload,
    /// The last decoded chunk, and how much of it was read.
    chunk: Vec<u8>,
    taken: usize,
    /// The offset of the chunk's end in the content.
    end: u64,
    /// How far past the end the reader has seeked.
    beyond: u64,
}

impl Decoded {
    /// A deflated payload of an image, with the CRC of its content, or else within zlib, which has a sum.
    pub(super) fn inflate(image: Image, payload: Range<u64>, size: u64, crc: Option<u32>) -> Self {
        Decoded::new(Payload::Inflate(Inflate::new(image, payload, size, crc)))
    }

    /// A payload in Daikatana's codec.
    pub(super) fn daikatana(payload: FileData, size: u32) -> Self {
        Decoded::new(Payload::Daikatana(Daikatana::new(payload, size)))
    }

    fn new(payload: Payload) -> Self {
        Decoded { payload, chunk: Vec::new(), taken: 0, end: 0, beyond: 0 }
    }

    /// The size of the content, from the directory.
    pub(crate) fn size(&self) -> u64 {
        self.payload.size()
    }

    fn position(&self) -> u64 {
        self.end - (self.chunk.len() - self.taken) as u64 + self.beyond
    }
}

impl Read for Decoded {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buf)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Decoded {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.beyond > 0 {
            return Ok(&[]);
        }
        if self.taken >= self.chunk.len() {
            self.taken = 0;
            // nothing from a damaged chunk is returned
            self.payload.chunk(&mut self.chunk).inspect_err(|_| self.chunk.clear())?;
            self.end += self.chunk.len() as u64;
        }
        Ok(self.chunk.get(self.taken..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.taken = (self.taken + amount).min(self.chunk.len());
    }
}

impl Seek for Decoded {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.payload.size().checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position().checked_add_signed(offset),
        };
        let target = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        if target < self.position() {
            *self = Decoded::new(self.payload.again());
        }
        self.beyond = 0;
        while self.position() < target {
            let wanted = usize::try_from(target - self.position()).unwrap_or(usize::MAX);
            let available = self.fill_buf()?.len().min(wanted);
            if available == 0 {
                self.beyond = target - self.position();
            }
            self.consume(available);
        }
        Ok(target)
    }
}

/// The number of bytes that are read from the image and decoded at a time, at first and later: many readers
/// want only the header of a file.
const FIRST_CHUNK: usize = 1 << 11;
const CHUNK: usize = 1 << 16;

/// A decoder in chunks for a deflated payload.
struct Inflate {
    image: Image,
    range: Range<u64>,
    decoder: ZlibDecoder<Compressed>,
    decoded: u64,
    crc: Crc,
    size: u64,
    expected_crc: Option<u32>,
}

impl Inflate {
    fn new(image: Image, range: Range<u64>, size: u64, expected_crc: Option<u32>) -> Self {
        let compressed = Compressed::new(image.clone(), range.clone());
        let is_zlib = expected_crc.is_none();
        let decoder = ZlibDecoder::new_with_decompress(compressed, Decompress::new(is_zlib));
        Inflate { image, range, decoder, decoded: 0, crc: Crc::new(), size, expected_crc }
    }

    fn again(&self) -> Self {
        Inflate::new(self.image.clone(), self.range.clone(), self.size, self.expected_crc)
    }

    /// At the end, compares size and checksum with the directory.
    fn chunk(&mut self, chunk: &mut Vec<u8>) -> Result<(), Error> {
        chunk.resize(if self.decoded == 0 { FIRST_CHUNK } else { CHUNK }, 0);
        let read = loop {
            match self.decoder.read(chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        chunk.truncate(*read.as_ref().unwrap_or(&0));
        self.crc.update(chunk);
        self.decoded += chunk.len() as u64;
        let count = read.map_err(|_| Error::from(ZipFault::Deflate))?;
        let is_done = count == 0;
        if self.decoded > self.size || (is_done && self.decoded < self.size) {
            return Err(ZipFault::Size { expected: self.size, found: self.decoded }.into());
        }
        match (self.expected_crc, self.crc.sum()) {
            (Some(expected), found) if is_done && expected != found => {
                Err(ZipFault::Checksum { expected, found }.into())
            }
            _ => Ok(()),
        }
    }
}

/// The compressed bytes of an entry, read from the image in chunks.
struct Compressed {
    image: Image,
    rest: Range<u64>,
    chunk: FileData,
    taken: usize,
}

impl Compressed {
    fn new(image: Image, rest: Range<u64>) -> Self {
        Compressed { image, rest, chunk: FileData::default(), taken: 0 }
    }
}

impl Read for Compressed {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buf)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Compressed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken >= self.chunk.len() && !self.rest.is_empty() {
            let size = if self.chunk.is_empty() { FIRST_CHUNK } else { CHUNK };
            let end = self.rest.end.min(self.rest.start + size as u64);
            self.chunk = self.image.bytes(self.rest.start..end)?;
            (self.rest.start, self.taken) = (end, 0);
        }
        Ok(self.chunk.get(self.taken..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.taken = (self.taken + amount).min(self.chunk.len());
    }
}

/// A decoder in chunks for a payload in Daikatana's codec.
struct Daikatana {
    payload: FileData,
    size: u32,
    decoder: Decoder,
}

impl Daikatana {
    fn new(payload: FileData, size: u32) -> Self {
        let decoder = Decoder::new(usize::try_from(size).unwrap_or(usize::MAX));
        Daikatana { payload, size, decoder }
    }

    fn again(&self) -> Self {
        Daikatana::new(self.payload.clone(), self.size)
    }

    fn chunk(&mut self, chunk: &mut Vec<u8>) -> Result<(), Error> {
        let piece = self.decoder.piece(&self.payload);
        let piece = piece.map_err(|fault| pak_format::Error::from(pak_format::ErrorKind::Codec(fault)))?;
        chunk.clear();
        chunk.extend_from_slice(piece);
        Ok(())
    }
}
