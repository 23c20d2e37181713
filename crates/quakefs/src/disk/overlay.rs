//! One disk over another.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Access, Disk, Item, NewFile, Opened, SpelledAs, Stat, SystemPath};
use crate::finding::Finding;
use crate::rules::Spelling;

/// Two disks, with the root of the upper one over a folder of the lower one, as if it were unpacked there.
/// Files of the upper disk replace lower ones, and folders are merged.
///
/// ```
/// use quakefs::SearchPath;
/// use quakefs::disk::{MemoryDisk, Overlay};
/// let (game, unsaved) = (MemoryDisk::new(), MemoryDisk::new());
/// game.insert("quake/id1/maps/start.bsp", "as saved")?;
/// unsaved.insert("id1/maps/start.bsp", "as edited")?;
/// let quake = SearchPath::builder("quake").disk(Overlay::new(unsaved, game, "quake")?).mount()?;
/// assert_eq!(quake.read("maps/start.bsp")?, "as edited");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Overlay {
    upper: Arc<dyn Disk>,
    lower: Arc<dyn Disk>,
    at: PathBuf,
    /// How names compare on both disks.
    spelling: Spelling,
}

impl Overlay {
    /// Puts `upper` over the folder `at` of `lower`.
    ///
    /// # Errors
    /// The lower disk cannot resolve that folder.
    pub fn new(
        upper: impl Disk + 'static,
        lower: impl Disk + 'static,
        at: impl AsRef<Utf8Path>,
    ) -> io::Result<Overlay> {
        let at: PathBuf = lower.absolute(at.as_ref())?.into();
        let spelling = lower.spelling(&at, b"");
        let upper: Arc<dyn Disk> = match spelling {
            Spelling::Exact => Arc::new(upper),
            spelling => Arc::new(SpelledAs::new(Arc::new(upper), spelling, vec![PathBuf::new()])),
        };
        Ok(Overlay { upper, lower: Arc::new(lower), at, spelling })
    }

    /// The path on the upper disk and its status, if the upper disk has something there or a file among the
    /// parents.
    fn in_upper<'p>(&self, path: &'p Path) -> Option<(&'p Path, io::Result<Stat>)> {
        let path = path.strip_prefix(&self.at).ok()?;
        let found = self.upper.stat(path);
        let is_missing = matches!(&found, Err(error) if error.kind() == io::ErrorKind::NotFound);
        (!is_missing).then_some((path, found))
    }

    /// Returns an error if the upper disk would hide a file written to the lower one.
    fn not_above(&self, path: &Path) -> io::Result<()> {
        let above = "a disk that lies above holds the file, and is not written to";
        self.in_upper(path).map_or(Ok(()), |_| Err(io::Error::new(io::ErrorKind::ReadOnlyFilesystem, above)))
    }

    /// The lower disk's error for a path. If one of its files blocks the path but the upper disk has a folder
    /// there, the error becomes "not found".
    fn not_below(&self, path: &Path, error: io::Error) -> io::Error {
        let is_folder = |above| self.stat(above).ok().map(|stat| stat.is_folder());
        let hidden = error.kind() == io::ErrorKind::NotADirectory
            && path.ancestors().skip(1).find_map(is_folder) == Some(true);
        if hidden { io::ErrorKind::NotFound.into() } else { error }
    }
}

/// Whether the error means that the folder does not exist.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

impl Overlay {
    /// The items of a folder of both disks, each listed by `list`.
    fn merged(
        &self,
        folder: &Path,
        list: impl Fn(&dyn Disk, &Path) -> io::Result<Vec<Item>>,
    ) -> io::Result<Vec<Item>> {
        let upper = self.in_upper(folder).map(|(path, _)| list(&*self.upper, path)).transpose()?;
        match (upper, list(&*self.lower, folder)) {
            (None, lower) => lower,
            (Some(upper), Err(error)) if is_absent(&error) => Ok(upper),
            (Some(_), Err(error)) => Err(error),
            (Some(upper), Ok(lower)) => {
                let as_compared = |item: &Item| self.spelling.fold(&item.name).into_owned();
                let mut items: Vec<Item> = lower.into_iter().chain(upper).collect();
                items.sort_by_cached_key(as_compared);
                // a replaced file keeps its spelling
                items.dedup_by(|upper, lower| {
                    let is_replaced = self.spelling.same(&upper.name, &lower.name);
                    if is_replaced {
                        lower.kind = upper.kind;
                    }
                    is_replaced
                });
                Ok(items)
            }
        }
    }
}

impl Disk for Overlay {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.merged(folder, |disk, folder| disk.list(folder))
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        self.merged(folder, |disk, folder| disk.list_any_case(folder, name))
    }

    fn as_listed(&self, folder: &Path) -> Option<(Arc<dyn Disk>, PathBuf)> {
        // the upper disk has a tree, in which each lookup is fast
        let (lower, folder) = self.lower.as_listed(folder)?;
        let (upper, at) = (Arc::clone(&self.upper), self.at.clone());
        Some((Arc::new(Overlay { upper, lower, at, spelling: self.spelling }), folder))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        match self.in_upper(path) {
            Some((_, found)) => found,
            None => self.lower.stat(path).map_err(|error| self.not_below(path, error)),
        }
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        match self.in_upper(path) {
            Some((path, _)) => self.upper.open(path, access),
            None => self.lower.open(path, access),
        }
    }

    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        match self.in_upper(path) {
            Some((path, _)) => self.upper.start(path, length),
            None => self.lower.start(path, length),
        }
    }

    fn can_read(&self, path: &Path) -> bool {
        match self.in_upper(path) {
            Some((_, Ok(stat))) if stat.is_folder() => self.list(path).is_ok(),
            Some((path, _)) => self.upper.can_read(path),
            None => self.lower.can_read(path),
        }
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let above = path.strip_prefix(&self.at).ok().and_then(|above| self.upper.link_target(above));
        let below = || self.in_upper(path).is_none().then(|| self.lower.link_target(path)).flatten();
        above.or_else(below)
    }

    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        if folder.starts_with(&self.at) { self.spelling } else { self.lower.spelling(folder, has) }
    }

    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.lower.absolute(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.lower.real(path).or_else(|_| self.stat(path).map(|_| path.to_owned()))
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        match self.in_upper(path) {
            // the lower folder is visible too, and may change on the system's disk
            Some((above, Ok(stat))) if stat.is_folder() => {
                let below = self.lower.stat(path).is_ok_and(|stat| stat.is_folder());
                let below = below.then(|| self.lower.system_path(path)).flatten();
                below.or_else(|| self.upper.system_path(above))
            }
            Some((above, _)) => self.upper.system_path(above),
            None => self.lower.system_path(path),
        }
    }

    fn make_folder(&self, root: &Path, folder: &Path) -> io::Result<()> {
        match self.in_upper(folder) {
            Some((_, Ok(stat))) if !stat.is_folder() => Err(io::ErrorKind::NotADirectory.into()),
            Some((_, Err(error))) => Err(error),
            _ => self.lower.make_folder(root, folder),
        }
    }

    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        self.not_above(path)?;
        self.lower.create_file(path)
    }

    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        self.not_above(path)?;
        self.lower.remove_file(root, path)
    }

    fn findings(&self) -> Vec<Finding> {
        self.lower.findings().into_iter().chain(self.upper.findings()).collect()
    }
}
