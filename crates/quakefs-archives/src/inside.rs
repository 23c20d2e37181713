//! Paths that lead into archives, such as `mods.zip/id1/pak0.pak`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::content::ContentType;
use quakefs::disk::{Disk, FileKind};
use quakefs::{Archive, Error, Layer};

/// The entries with names of archives.
#[must_use]
pub fn nested_rows(archive: &Archive) -> Vec<usize> {
    let is_nested = |name: &[u8]| ContentType::of(name) == ContentType::Archive;
    let entries =
        archive.entries().filter(|entry| !entry.row().is_folder && is_nested(entry.name().as_bytes()));
    entries.map(|entry| entry.index()).collect()
}

/// The archives inside an archive: the part of their path, and the entry.
pub(crate) fn inside(archive: &Archive) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let named = nested_rows(archive).into_iter().filter_map(|row| archive.entry(row)).map(|entry| {
        let name = entry.name().to_string();
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        (if *count > 1 { format!("{name} ({count})") } else { name }, entry.index())
    });
    named.collect()
}

/// Opens the archive in an entry.
pub(crate) fn opened(archive: &Archive, row: usize) -> Result<Archive, Error> {
    let file = Layer::of_archive("", archive.clone()).file(row).map(|file| file.read());
    Archive::from_data(file.transpose()?.unwrap_or_default())
}

/// The archive on a disk that a path leads into, and the path inside it. `None` if it leads to a file, or
/// nowhere.
pub(crate) fn outer<'p>(disk: &dyn Disk, path: &'p Utf8Path) -> Option<(&'p Utf8Path, &'p str)> {
    if disk.stat(path.as_std_path()).is_ok() {
        return None;
    }
    let is_file = |path: &&Utf8Path| {
        !path.as_str().is_empty()
            && disk.stat(path.as_std_path()).is_ok_and(|found| found.kind == FileKind::File)
    };
    let outer = path.ancestors().skip(1).find(is_file)?;
    Some((outer, path.as_str().get(outer.as_str().len() + 1..)?))
}

/// Opens the archive at a path inside an archive.
pub(crate) fn open_inside(archive: &Archive, path: &str) -> Option<Result<Archive, Error>> {
    inside(archive).into_iter().find_map(|(name, row)| match path.strip_prefix(&*name)? {
        "" => Some(opened(archive, row)),
        rest => match opened(archive, row) {
            Ok(archive) => open_inside(&archive, rest.strip_prefix('/')?),
            Err(_) => None,
        },
    })
}

/// The archives inside the archives of a collection, by path, and the outer archives that were opened last.
#[derive(Debug, Default)]
pub(crate) struct Nested {
    archives: HashMap<Utf8PathBuf, Inner>,
    recent: Mutex<Vec<Recent>>,
}

/// Where an archive is.
#[derive(Debug)]
pub(crate) struct Inner {
    /// The path of the archive that contains it.
    pub(crate) outer: Utf8PathBuf,
    pub(crate) entry: usize,
    /// Bytes of the decoded archive.
    pub(crate) size: u64,
}

/// An outer archive. Several threads may need it at the same time, and the first one opens it.
#[derive(Debug)]
struct Recent {
    path: Utf8PathBuf,
    archive: Arc<OnceLock<Result<Archive, Error>>>,
    size: u64,
}

/// How many outer archives stay open: each thread needs one for each level of nesting.
const RECENT: usize = 64;
/// The most decoded bytes of the outer archives that stay open, except the last one.
const RECENT_BYTES: u64 = 64 << 20;

impl Nested {
    pub(crate) fn new(archives: HashMap<Utf8PathBuf, Inner>) -> Nested {
        Nested { archives, recent: Mutex::default() }
    }

    /// The bytes of an archive that is inside another one.
    pub(crate) fn size_of(&self, path: &Utf8Path) -> Option<u64> {
        self.archives.get(path).map(|inner| inner.size)
    }

    /// The archive that contains this one, and the entry.
    pub(crate) fn place_of(&self, path: &Utf8Path) -> Option<(&Utf8Path, usize)> {
        self.archives.get(path).map(|inner| (&*inner.outer, inner.entry))
    }

    /// An outer archive. Its neighbours need it too, so it is opened once.
    pub(crate) fn outer(
        &self,
        path: &Utf8Path,
        open: impl FnOnce() -> Result<Archive, Error>,
    ) -> Result<Archive, Error> {
        let archive = {
            let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            let known = recent.iter().position(|known| known.path == path).map(|place| recent.remove(place));
            let known = known.unwrap_or_else(|| Recent {
                path: path.to_owned(),
                archive: Arc::default(),
                size: self.size_of(path).unwrap_or_default(),
            });
            let archive = Arc::clone(&known.archive);
            recent.push(known);
            let mut bytes: u64 = recent.iter().map(|known| known.size).fold(0, u64::saturating_add);
            while recent.len() > 1 && (recent.len() > RECENT || bytes > RECENT_BYTES) {
                bytes = bytes.saturating_sub(recent.remove(0).size);
            }
            archive
        };
        let opened = archive.get_or_init(open).clone();
        if opened.is_err() {
            // it may be the error of a disk that is gone at the next attempt
            self.recent.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known.path != path);
        }
        opened
    }
}
