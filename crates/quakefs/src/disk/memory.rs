//! A disk in memory.

use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::RwLock;

use super::tree::{At, Tree};
use super::{Access, Content, Disk, FileKind, Item, NewFile, Opened, ReadAt, Stat};
use crate::data::FileData;

/// Folders and files in memory or read by position: for tests, for editors with unsaved files, and for
/// browsers.
///
/// Files may be added and removed while the disk is mounted. A search path notices this as on the system's
/// disk. Names are compared byte for byte. Links are not supported.
///
/// ```
/// use quakefs::SearchPath;
/// use quakefs::disk::MemoryDisk;
/// let disk = MemoryDisk::new();
/// disk.insert("quake/id1/maps/start.bsp", "from memory")?;
/// let quake = SearchPath::builder("quake").disk(disk).mount()?;
/// assert_eq!(quake.read("maps/start.bsp")?, "from memory");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryDisk(RwLock<Files>);

impl MemoryDisk {
    /// Creates an empty disk.
    #[must_use]
    pub fn new() -> MemoryDisk {
        MemoryDisk::default()
    }

    /// Adds or replaces a file, and creates missing parent folders. [`make_folder`](Disk::make_folder)
    /// creates an empty folder.
    ///
    /// # Errors
    /// The path is a folder, or one of its parents is a file.
    pub fn insert(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]> + Send + 'static) -> io::Result<()> {
        let bytes = FileData::new(bytes);
        let stat = new_file(bytes.len() as u64);
        self.0.write().insert(path.as_ref(), stat, Content::Bytes(bytes))
    }

    /// Adds or replaces a file of this size whose bytes are read by position.
    ///
    /// # Errors
    /// The errors of [`insert`](Self::insert).
    pub fn insert_at(
        &self,
        path: impl AsRef<Path>,
        file: impl ReadAt + 'static,
        size: u64,
    ) -> io::Result<()> {
        let stat = new_file(size);
        self.0.write().insert(path.as_ref(), stat, Content::At(Arc::new(file)))
    }

    /// Removes a file, or a folder with its contents.
    ///
    /// # Errors
    /// The path does not exist.
    pub fn remove(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.0.write().remove(path.as_ref())
    }
}

#[derive(Debug, Default)]
struct Files {
    tree: Tree,
    /// The files by their numbers in the tree; `None` for a free number.
    kept: Vec<Option<(Stat, Content)>>,
    free: Vec<u32>,
}

impl Files {
    fn insert(&mut self, path: &Path, stat: Stat, content: Content) -> io::Result<()> {
        if !matches!(self.tree.get(path), Ok(At::File(_))) {
            let next = u32::try_from(self.kept.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
            self.tree.insert(path, self.free.last().copied().unwrap_or(next))?;
            if self.free.pop().is_none() {
                self.kept.push(None);
            }
        }
        if let At::File(number) = self.tree.get(path)?
            && let Some(file) = self.kept.get_mut(number as usize)
        {
            *file = Some((stat, content));
        }
        Ok(())
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        for number in self.tree.remove(path)? {
            if let Some(file) = self.kept.get_mut(number as usize) {
                *file = None;
                self.free.push(number);
            }
        }
        Ok(())
    }

    /// The file at a path; `None` for a folder.
    fn get(&self, path: &Path) -> io::Result<Option<&(Stat, Content)>> {
        Ok(match self.tree.get(path)? {
            At::Folder => None,
            At::File(number) => self.kept.get(number as usize).and_then(Option::as_ref),
        })
    }
}

/// The status of a new file. Every file gets a different number.
fn new_file(size: u64) -> Stat {
    static FILES: AtomicU64 = AtomicU64::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    Stat { identity: Some((IN_MEMORY, number)), ..Stat::new(FileKind::File, size) }
}

/// A device number that no device has.
const IN_MEMORY: u64 = u64::MAX;

/// A file that is being written.
struct InMemory<'d> {
    disk: &'d MemoryDisk,
    path: PathBuf,
    content: Cursor<Vec<u8>>,
}

impl Write for InMemory<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.content.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for InMemory<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.content.seek(to)
    }
}

impl NewFile for InMemory<'_> {
    fn commit(self: Box<Self>, _: bool) -> io::Result<()> {
        self.disk.insert(self.path, self.content.into_inner())
    }
}

impl Disk for MemoryDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.0.read().tree.list(folder)
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        self.0.read().tree.list_any_case(folder, name)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let files = self.0.read();
        Ok(files.get(path)?.map_or_else(|| Stat::new(FileKind::Folder, 0), |(stat, _)| *stat))
    }

    fn open(&self, path: &Path, _: Access) -> io::Result<Opened> {
        let files = self.0.read();
        let (stat, content) = files.get(path)?.ok_or(io::ErrorKind::IsADirectory)?;
        Ok(Opened { stat: *stat, content: content.clone() })
    }

    fn make_folder(&self, _: &Path, folder: &Path) -> io::Result<()> {
        self.0.write().tree.insert_folder(folder)
    }

    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        Ok(Box::new(InMemory { disk: self, path: path.to_owned(), content: Cursor::default() }))
    }

    fn remove_file(&self, _: &Path, path: &Path) -> io::Result<()> {
        if self.stat(path)?.is_folder() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        self.remove(path)
    }
}
