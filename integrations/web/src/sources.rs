//! The files of JavaScript as a disk.

use std::io;
use std::path::{Path, PathBuf};

use quakefs::Access;
use quakefs::disk::{Disk, Item, MemoryDisk, Opened, Stat, SystemPath};

/// A disk that tells in which source the bytes of a file are, so that JavaScript can take uncompressed ones without the module.
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
