//! A compressed file as a stream, decoded while it is read.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::pak::Daikatana;
use super::zip::Inflate;
use crate::error::Error;

/// A payload that is decoded in chunks.
#[expect(clippy::large_enum_variant, reason = "a reader keeps it in a box")]
pub(super) enum Payload {
    Inflate(Inflate),
    Daikatana(Daikatana),
}

impl Payload {
    /// The size of the content, from the directory.
    fn size(&self) -> u64 {
        match self {
            Payload::Inflate(payload) => payload.size(),
            Payload::Daikatana(payload) => payload.size(),
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
    pub(super) fn new(payload: Payload) -> Self {
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
