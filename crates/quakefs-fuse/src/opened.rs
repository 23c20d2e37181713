//! Files opened by programs.

use std::collections::HashMap;
use std::fs;
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::sync::{Arc, OnceLock, Weak};
use std::time::SystemTime;

use parking_lot::Mutex;
use quakefs::{Error, File, FileData, FileReader};

/// Identifies one content of a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ContentKey {
    layer: String,
    entry: Option<usize>,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
    /// Device, file number and change time of a loose file. Unlike the modification time, the change time
    /// cannot be set.
    on_disk: Option<(u64, u64, i64, i64)>,
}

impl ContentKey {
    pub(crate) fn of(file: &File<'_>) -> Self {
        let loose = || fs::metadata(file.system_path()?).ok();
        let found = file.entry().is_none().then(loose).flatten();
        ContentKey {
            layer: file.layer().name().to_owned(),
            entry: file.entry(),
            size: file.size(),
            modified: file.modified(),
            on_disk: found.map(|found| (found.dev(), found.ino(), found.ctime(), found.ctime_nsec())),
        }
    }

    #[cfg(test)]
    pub(crate) fn of_size(size: u64) -> Self {
        ContentKey { layer: String::new(), entry: None, size, modified: None, on_disk: None }
    }
}

/// An open file.
pub(crate) enum Opened {
    /// An entry of an archive, borrowed from the mapped archive or decoded at the first read.
    Entry { file: File<'static>, bytes: OnceLock<Result<FileData, Error>> },
    /// A loose file. It is not mapped, because it may change while open.
    Loose(Mutex<FileReader>),
}

impl Opened {
    fn new(file: File<'static>) -> Result<Self, Error> {
        Ok(match file.entry() {
            Some(_) => Opened::Entry { file, bytes: OnceLock::new() },
            None => Opened::Loose(Mutex::new(file.open()?)),
        })
    }

    /// Calls `with` with the bytes from an offset; fewer than requested only at the end.
    pub(crate) fn read<T>(
        &self,
        offset: u64,
        size: usize,
        with: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Error> {
        match self {
            Opened::Entry { file, bytes } => {
                let bytes = bytes.get_or_init(|| file.read()).as_ref().map_err(Clone::clone)?;
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                let end = start.saturating_add(size).min(bytes.len());
                Ok(with(bytes.get(start..end).unwrap_or_default()))
            }
            Opened::Loose(reader) => {
                let mut buffer = vec![0; size];
                let mut reader = reader.lock();
                reader.seek(SeekFrom::Start(offset))?;
                let read = reader.fill(&mut buffer)?;
                Ok(with(buffer.get(..read).unwrap_or_default()))
            }
        }
    }
}

/// The open files by handle.
#[derive(Default)]
pub(crate) struct Handles {
    open: HashMap<u64, Arc<Opened>>,
    /// Open entries by inode, so that several programs share the decoded bytes.
    entries: HashMap<u64, Weak<Opened>>,
    last: u64,
}

impl Handles {
    /// Opens the file of an inode.
    pub(crate) fn open(&mut self, number: u64, file: File<'static>) -> Result<u64, Error> {
        let is_entry = file.entry().is_some();
        let opened = match self.entries.get(&number).and_then(Weak::upgrade) {
            Some(opened) => opened,
            None => Arc::new(Opened::new(file)?),
        };
        if is_entry {
            self.entries.insert(number, Arc::downgrade(&opened));
        }
        self.last += 1;
        self.open.insert(self.last, opened);
        Ok(self.last)
    }

    pub(crate) fn get(&self, handle: u64) -> Option<Arc<Opened>> {
        self.open.get(&handle).cloned()
    }

    /// Closes a handle of an inode.
    pub(crate) fn close(&mut self, number: u64, handle: u64) {
        self.open.remove(&handle);
        if self.entries.get(&number).is_some_and(|opened| opened.strong_count() == 0) {
            self.entries.remove(&number);
        }
    }
}
