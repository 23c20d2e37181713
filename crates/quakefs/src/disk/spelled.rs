//! Detects whether a disk ignores case in names, and makes a disk compare names by another rule.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::with_slashes;

use super::{Access, Disk, Item, NewFile, Opened, Stat, SystemPath, bytes_of, path_of, with_path};
use crate::finding::Finding;
use crate::rules::{Host, Spelling};

/// A disk on which names below some folders compare differently, such as a Linux folder seen as on Windows.
///
/// If two names are equal under the new comparison, the first in byte order is used and the other is hidden.
#[derive(Clone, Debug)]
pub(crate) struct SpelledAs {
    shown: Arc<Shown>,
    below: Vec<PathBuf>,
}

impl SpelledAs {
    pub(super) fn new(disk: Arc<dyn Disk>, spelling: Spelling, below: Vec<PathBuf>) -> SpelledAs {
        SpelledAs { shown: Arc::new(Shown { disk, spelling }), below }
    }

    fn disk(&self) -> &dyn Disk {
        &*self.shown.disk
    }

    /// The path in the disk's own spelling.
    fn stored(&self, path: &Path) -> io::Result<PathBuf> {
        let inside = |folder: &PathBuf| Some((folder.clone(), path.strip_prefix(folder).ok()?));
        let Some((folder, rest)) = self.below.iter().find_map(inside) else { return Ok(path.to_owned()) };
        let Some(name) = bytes_of(rest.as_os_str()) else { return Ok(path.to_owned()) };
        match as_stored(self.disk(), &folder, &in_folders(name), self.shown.spelling) {
            Stored::As(name) => {
                with_path(&folder, &name, Path::to_owned).ok_or(io::ErrorKind::NotFound.into())
            }
            Stored::Missing => Err(io::ErrorKind::NotFound.into()),
            // the disk itself will report why it cannot be listed
            Stored::NotListed => Ok(path.to_owned()),
        }
    }

    /// The path in the disk's own spelling, as far as it exists.
    fn to_be_made(&self, path: &Path) -> PathBuf {
        self.stored(path).unwrap_or_else(|_| match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => self.to_be_made(parent).join(name),
            _ => path.to_owned(),
        })
    }

    fn is_below(&self, folder: &Path) -> bool {
        self.below.iter().any(|below| folder.starts_with(below))
    }

    fn shown(&self, folder: &Path, items: Vec<Item>) -> Vec<Item> {
        if self.is_below(folder) { self.shown.of(items) } else { items }
    }

    fn of<T>(&self, path: &Path, ask: impl FnOnce(&dyn Disk, &Path) -> io::Result<T>) -> io::Result<T> {
        ask(self.disk(), &self.stored(path)?)
    }
}

/// The bytes of a path with `/` between its parts.
fn in_folders(path: &[u8]) -> Cow<'_, [u8]> {
    if !cfg!(windows) || !path.contains(&b'\\') {
        return Cow::Borrowed(path);
    }
    Cow::Owned(with_slashes(path))
}

impl Disk for SpelledAs {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        let items = self.of(folder, |disk, folder| disk.list(folder))?;
        Ok(self.shown(folder, items))
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        let items = self.of(folder, |disk, folder| disk.list_any_case(folder, name))?;
        Ok(self.shown(folder, items))
    }

    fn as_listed(&self, folder: &Path) -> Option<(Arc<dyn Disk>, PathBuf)> {
        if !self.is_below(folder) {
            return self.disk().as_listed(folder);
        }
        let stored = self.stored(folder).ok()?;
        let Some((disk, stored)) = self.disk().as_listed(&stored) else {
            return Some((Arc::clone(&self.shown) as Arc<dyn Disk>, stored));
        };
        Some((Arc::new(Shown { disk, spelling: self.shown.spelling }), stored))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.of(path, |disk, path| disk.stat(path))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.of(path, |disk, path| disk.open(path, access))
    }

    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        self.of(path, |disk, path| disk.start(path, length))
    }

    fn can_read(&self, path: &Path) -> bool {
        self.stored(path).is_ok_and(|path| self.disk().can_read(&path))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.stored(path).ok().and_then(|path| self.disk().link_target(&path))
    }

    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        if self.is_below(folder) { self.shown.spelling } else { self.disk().spelling(folder, has) }
    }

    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.disk().absolute(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.of(path, |disk, path| disk.real(path))
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        self.disk().system_path(&self.stored(path).ok()?)
    }

    fn make_folder(&self, root: &Path, folder: &Path) -> io::Result<()> {
        self.disk().make_folder(&self.to_be_made(root), &self.to_be_made(folder))
    }

    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        self.disk().create_file(&self.to_be_made(path))
    }

    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        self.of(path, |disk, path| disk.remove_file(&self.to_be_made(root), path))
    }

    fn findings(&self) -> Vec<Finding> {
        self.disk().findings()
    }
}

/// A disk without the items that are hidden if names compare by another rule. It does not look for a path's
/// own spelling.
#[derive(Clone, Debug)]
struct Shown {
    disk: Arc<dyn Disk>,
    spelling: Spelling,
}

impl Shown {
    /// The items of a folder that are not hidden: of equal names, the first in byte order.
    fn of(&self, items: Vec<Item>) -> Vec<Item> {
        if !self.spelling.ignores_case() {
            return items;
        }
        let folded = |item: Item| (self.spelling.fold(&item.name).into_owned(), item);
        let mut folded: Vec<_> = items.into_iter().map(folded).collect();
        folded.sort_unstable();
        folded.dedup_by(|(name, _), (before, _)| name == before);
        let mut items: Vec<Item> = folded.into_iter().map(|(_, item)| item).collect();
        items.sort_unstable();
        items
    }
}

impl Disk for Shown {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.disk.list(folder).map(|items| self.of(items))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.disk.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.disk.open(path, access)
    }

    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        self.disk.start(path, length)
    }

    fn can_read(&self, path: &Path) -> bool {
        self.disk.can_read(path)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.disk.link_target(path)
    }

    fn spelling(&self, _: &Path, _: &[u8]) -> Spelling {
        self.spelling
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.real(path)
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        self.disk.system_path(path)
    }
}

/// The disk with names below some folders compared as on most players' disks of a system, such as a Linux
/// folder seen as on Windows. Returns the disk itself if it already compares so. Of two names that become
/// equal, the first in byte order is used and the other is hidden. The paths of the folders themselves still
/// compare exactly.
///
/// ```
/// use std::sync::Arc;
/// use quakefs::disk::{MemoryDisk, on_host};
/// use quakefs::rules::Host;
/// let disk = MemoryDisk::new();
/// disk.insert("quake/Id1/PAK0.PAK", "PACK")?;
/// let disk = on_host(Arc::new(disk), Host::Windows, ["quake"]);
/// assert_eq!(disk.stat("quake/id1/pak0.pak".as_ref())?.size, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_host<P: AsRef<Path>>(
    disk: Arc<dyn Disk>,
    host: Host,
    below: impl IntoIterator<Item = P>,
) -> Arc<dyn Disk> {
    let spelling = host.usual_spelling();
    let below = below.into_iter().map(|folder| folder.as_ref().to_owned());
    let below: Vec<PathBuf> = below.filter(|folder| disk.spelling(folder, b"") != spelling).collect();
    if below.is_empty() { disk } else { Arc::new(SpelledAs::new(disk, spelling, below)) }
}

/// A disk's spelling of a name.
pub(crate) enum Stored {
    As(Vec<u8>),
    Missing,
    /// One of the parent folders cannot be listed.
    NotListed,
}

/// A disk's spelling of a name below a folder. If several names are equal, the first in byte order.
pub(crate) fn as_stored(disk: &dyn Disk, folder: &Path, name: &[u8], spelling: Spelling) -> Stored {
    let mut stored: Vec<u8> = Vec::with_capacity(name.len());
    for part in name.split(|byte| *byte == b'/').filter(|part| !part.is_empty()) {
        let Some(Ok(items)) = with_path(folder, &stored, |path| disk.list_any_case(path, part)) else {
            return Stored::NotListed;
        };
        let names = items.into_iter().map(|item| item.name);
        let Some(found) = names.filter(|name| spelling.same(name, part)).min() else {
            return Stored::Missing;
        };
        if !stored.is_empty() {
            stored.push(b'/');
        }
        stored.extend_from_slice(&found);
    }
    Stored::As(stored)
}

/// Detects how names in a folder compare, by looking up another spelling of a name in it. If no name in it
/// has letters, the folder's own name is used, and so on upwards.
pub(super) fn ask<D: Disk + ?Sized>(disk: &D, folder: &Path, has: &[u8]) -> Spelling {
    ask_by(&|folder| disk.list(folder).ok(), &|path| disk.stat(path).is_ok(), folder, has)
}

fn ask_by(
    list: &dyn Fn(&Path) -> Option<Vec<Item>>,
    exists: &dyn Fn(&Path) -> bool,
    folder: &Path,
    has: &[u8],
) -> Spelling {
    let in_it = || list(folder)?.into_iter().map(|item| item.name).find(|name| has_letters(name));
    let mut name = if has_letters(has) { Some(has.to_vec()) } else { in_it() };
    for folder in folder.ancestors() {
        if let Some(name) = name.filter(|name| has_letters(name)) {
            let other: Vec<u8> = name.iter().map(in_other_case).collect();
            let found = path_of(&other).map(|other| exists(&folder.join(other)));
            if found != Some(true) {
                return Spelling::Exact;
            }
            // there may be two different files
            let both = |items: Vec<Item>| {
                [&other, &name].into_iter().all(|name| items.iter().any(|item| item.name == *name))
            };
            let exact = list(folder).is_some_and(both);
            return if exact { Spelling::Exact } else { Spelling::IgnoresCase };
        }
        name = folder.file_name().and_then(bytes_of).map(<[u8]>::to_vec);
    }
    Spelling::Exact
}

fn has_letters(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_alphabetic)
}

fn in_other_case(byte: &u8) -> u8 {
    if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
}
