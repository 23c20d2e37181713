//! A compressed file as a stream, decoded while it is read.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use crate::error::Error;
use crate::reader::FileReader;

/// A payload that is decoded in chunks.
pub(super) trait Decode: Send + Sync + 'static {
    /// The size of the content, from the directory.
    fn size(&self) -> u64;

    /// A new decoder for the same payload.
    fn again(&self) -> Self;

    /// Replaces the chunk by the next one, or by an empty one at the end.
    fn chunk(&mut self, chunk: &mut Vec<u8>) -> Result<(), Error>;
}

/// A stream over the decoded payload. Seeking backwards restarts the decoding.
pub(super) struct Decoded<D> {
    payload: D,
    /// The last decoded chunk, and how much of it was read.
    chunk: Vec<u8>,
    taken: usize,
    /// The offset of the chunk's end in the content.
    end: u64,
    /// How far past the end the reader has seeked.
    beyond: u64,
}

impl<D: Decode> Decoded<D> {
    pub(super) fn reader(payload: D) -> FileReader {
        let size = payload.size();
        FileReader::new(Decoded::new(payload), size)
    }

    fn new(payload: D) -> Self {
        Decoded { payload, chunk: Vec::new(), taken: 0, end: 0, beyond: 0 }
    }

    fn position(&self) -> u64 {
        self.end - (self.chunk.len() - self.taken) as u64 + self.beyond
    }
}

impl<D: Decode> Read for Decoded<D> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buf)?;
        self.consume(count);
        Ok(count)
    }
}

impl<D: Decode> BufRead for Decoded<D> {
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

impl<D: Decode> Seek for Decoded<D> {
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
