//! Writes at the end of a file that is in use.

use std::fs::File;
use std::io::{self, Write};

use atomic_file::Disk;

use crate::write::CHUNK;

/// A buffered writer that only appends. Unlike a [`BufWriter`](io::BufWriter), it discards unflushed bytes
/// when it is dropped, so it writes nothing after a failure.
pub(super) struct Appender<'d> {
    disk: &'d mut dyn Disk,
    file: &'d File,
    position: u64,
    waiting: Vec<u8>,
}

impl<'d> Appender<'d> {
    pub(super) fn new(disk: &'d mut dyn Disk, file: &'d File, position: u64) -> Self {
        Appender { disk, file, position, waiting: Vec::new() }
    }

    fn write_now(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !bytes.is_empty() {
            self.disk.write_at(self.file, self.position, bytes)?;
            self.position += bytes.len() as u64;
        }
        Ok(())
    }
}

impl Write for Appender<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.waiting.len() + bytes.len() > CHUNK {
            self.flush()?;
        }
        if bytes.len() >= CHUNK {
            self.write_now(bytes)?;
        } else {
            self.waiting.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.write_now(&waiting)?;
        waiting.clear();
        self.waiting = waiting;
        Ok(())
    }
}
