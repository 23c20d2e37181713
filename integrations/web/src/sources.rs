//! The files of JavaScript as a disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use quakefs::Access;
use quakefs::disk::{Disk, Item, MemoryDisk, Opened, ReadAt, Stat, SystemPath};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// An object of JavaScript that reads sources by their numbers.
    #[derive(Clone, Debug)]
    pub type Reader;

    /// Reads bytes at an offset and returns their number, or a negative number on failure.
    #[wasm_bindgen(method)]
    fn read(this: &Reader, source: u32, offset: f64, room: &mut [u8]) -> i32;
}

/// A source of a [`Reader`].
#[derive(Debug)]
pub struct Source {
    reader: Reader,
    number: u32,
    lacked: Arc<AtomicBool>,
}

impl Source {
    /// The source of this number. `lacked` becomes true when bytes are not here yet.
    #[must_use]
    pub fn new(reader: Reader, number: u32, lacked: Arc<AtomicBool>) -> Self {
        Source { reader, number, lacked }
    }
}

impl ReadAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        #[expect(clippy::cast_precision_loss, reason = "no source has 2^53 bytes")]
        let offset = offset as f64;
        let count = self.reader.read(self.number, offset, buffer);
        usize::try_from(count).map_err(|_| {
            self.lacked.store(true, Relaxed);
            io::ErrorKind::Other.into()
        })
    }
}

/// A disk that tells in which source the bytes of a file are, so that JavaScript can take uncompressed ones
/// without the module.
#[derive(Debug)]
pub struct Sources {
    files: MemoryDisk,
    source: fn(&Path) -> Option<PathBuf>,
}

impl Sources {
    /// `source` returns the source of a path on the disk.
    #[must_use]
    pub fn new(files: MemoryDisk, source: fn(&Path) -> Option<PathBuf>) -> Sources {
        Sources { files, source }
    }
}

impl Disk for Sources {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.files.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.files.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.files.open(path, access)
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        (self.source)(path).map(SystemPath::File)
    }
}
