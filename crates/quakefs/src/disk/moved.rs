//! Files of other disks under new paths.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::tree::{At, Tree};
use super::{Access, Disk, FileKind, Item, Opened, Stat, SystemPath};
use crate::finding::Finding;

/// Files of other disks under new paths, such as a download as if each file were where it belongs. Nothing is
/// copied.
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
    /// Puts a file of a disk at a new path, and creates missing parent folders. A later file replaces an
    /// earlier one.
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

    /// The disk of a file, and its path there; `None` for a folder.
    fn file(&self, path: &Path) -> io::Result<Option<(&dyn Disk, &Path)>> {
        let At::File(number) = self.tree.get(path)? else { return Ok(None) };
        let (place, from) = self.files.get(number as usize).ok_or(io::ErrorKind::NotFound)?;
        let disk = self.disks.get(*place).ok_or(io::ErrorKind::NotFound)?;
        Ok(Some((&**disk, from)))
    }
}

impl Disk for Moved {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.tree.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let file = self.file(path)?;
        file.map_or_else(|| Ok(Stat::new(FileKind::Folder, 0)), |(disk, from)| disk.stat(from))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        let (disk, from) = self.file(path)?.ok_or(io::ErrorKind::IsADirectory)?;
        disk.open(from, access)
    }

    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        let (disk, from) = self.file(path)?.ok_or(io::ErrorKind::IsADirectory)?;
        disk.start(from, length)
    }

    fn can_read(&self, path: &Path) -> bool {
        self.file(path).is_ok_and(|file| file.is_none_or(|(disk, from)| disk.can_read(from)))
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        let (disk, from) = self.file(path).ok()??;
        disk.system_path(from)
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.disks.iter().for_each(|disk| findings.append(&mut disk.findings()));
        findings
    }
}
