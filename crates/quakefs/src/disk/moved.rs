//! Files of other disks under new paths.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::tree::{At, Tree};
use super::{Access, Disk, FileKind, Item, Opened, Stat, SystemPath};
use crate::finding::Finding;

/// Files of other disks under new paths, such as a download as if each file were where it belongs. Nothing is copied.
///
/// ```
/// use std::sync::Arc;
/// use quakefs::SearchPath;
/// use quakefs::disk::{Disk, MemoryDisk, Moved};
/// let download = MemoryDisk::new();
/// download.insert("readme/start.bsp", "a level")?;
/// let download: Arc<dyn Disk> = Arc::new(download);
/// let mut placed = Moved::default();
/// placed.insert("quake/id1/maps/start.bsp", &download, "readme/start.bsp")?;
/// let quake = SearchPath::builder("quake").disk(placed).mount()?;
/// assert_eq!(quake.read("maps/start.bsp")?, "a level");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Moved {
    tree: Tree,
    /// The disks and paths of the files, by their numbers in the tree.
    files: Vec<(usize, PathBuf)>,
    disks: Vec<Arc<dyn Disk>>,
}

impl Moved {
    /// Puts a file of a disk at a new path, and creates missing parent folders. A later file replaces an earlier one.
    ///
    /// # Errors
    /// The new path is a folder, or one of its parents is a file.
    pub fn insert(
        &mut self,
        to: impl AsRef<Path>,
        disk: &Arc<dyn Disk>,
        from: impl Into<PathBuf>,
    ) -> io::Result<()> {
        let number = u32::try_from(self.files.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.tree.insert(to.as_ref(), number)?;
        let known = self.disks.iter().rposition(|known| Arc::ptr_eq(known, disk));
        let place = known.unwrap_or_else(|| {
            self.disks.push(Arc::clone(disk));
            self.disks.len() - 1
        });
        self.files.push((place, from.into()));
        Ok(())
    }

    /// Asks the disk of a file; `None` for a folder.
    fn of_file<T>(&self, path: &Path, ask: impl FnOnce(&Arc<dyn Disk>, &Path) -> T) -> io::Result<Option<T>> {
        let At::File(number) = self.tree.get(path)? else { return Ok(None) };
        let (place, from) = self.files.get(number as usize).ok_or(io::ErrorKind::NotFound)?;
        let disk = self.disks.get(*place).ok_or(io::ErrorKind::NotFound)?;
        Ok(Some(ask(disk, from)))
    }
}

impl Disk for Moved {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.tree.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.of_file(path, Disk::stat)?.unwrap_or_else(|| Ok(Stat::new(FileKind::Folder, 0)))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        let opened = self.of_file(path, |disk, from| disk.open(from, access))?;
        opened.unwrap_or_else(|| Err(io::ErrorKind::IsADirectory.into()))
    }

    fn can_read(&self, path: &Path) -> bool {
        self.of_file(path, Disk::can_read).is_ok_and(|readable| readable.unwrap_or(true))
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        self.of_file(path, Disk::system_path).ok()??
    }

    fn findings(&self) -> Vec<Finding> {
        self.disks.iter().flat_map(Disk::findings).collect()
    }
}
