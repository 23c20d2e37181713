//! Finds archives in folders, and opens many at a time.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File};
use std::io::Read as _;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Layout;
use quakefs::archive::OpenOptions;
use quakefs::content::ContentType;
use quakefs::disk::Disk;
use quakefs::errors::utf8;
use quakefs::{Archive, Error};
use rayon::prelude::*;

use crate::inside::Nested;
use crate::observer::{Observer, WorkUnit};

/// How many archives are open at once: few enough for the system's limits, and enough to keep its cores busy.
const WINDOW: usize = 256;

/// Total size of the archives that are open at once. An open archive needs memory in proportion to its rows,
/// which have 64 bytes or more.
const WINDOW_BYTES: u64 = 64 << 20;

/// Archives on disk, by path, in order.
#[derive(Debug, Default)]
pub struct Collection {
    archives: Vec<Utf8PathBuf>,
    foreign: Vec<Utf8PathBuf>,
    faults: Vec<Error>,
    observer: Observer,
}

impl Collection {
    /// Finds the archives at these paths. A path to a file is always included, even if it does not exist:
    /// opening it returns the error. In a folder and its subfolders, files with names of archives
    /// ([`ContentType::Archive`]) are found. Links to files are followed, links to folders are not. An
    /// archive that several paths lead to is found once.
    pub fn search(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Collection {
        let mut found = Collection::default();
        let mut count = 0;
        for path in paths {
            count += 1;
            match utf8(path.as_ref()) {
                Ok(folder) if folder.is_dir() => found.search_folder(folder),
                Ok(file) => found.archives.push(file.to_owned()),
                Err(error) => found.faults.push(error),
            }
        }
        if count > 1 {
            let mut known = HashSet::new();
            let whole = |path: &Utf8PathBuf| camino::absolute_utf8(path).unwrap_or_else(|_| path.clone());
            found.archives.retain(|path| known.insert(whole(path)));
        }
        found
    }

    /// The archives at these paths on a disk, such as a bucket.
    pub fn on(disk: Arc<dyn Disk>, paths: impl IntoIterator<Item = Utf8PathBuf>) -> Collection {
        Collection {
            archives: paths.into_iter().collect(),
            observer: Observer::on(disk),
            ..Collection::default()
        }
    }

    /// Observes the progress of work on the archives, and may stop it.
    ///
    /// The function gets the number of finished bytes and of all bytes. It is called on the worker threads:
    /// before each archive, and under [`Access::Read`](quakefs::Access::Read) also at each read of at most 1
    /// MiB. [`ControlFlow::Break`] stops the work. The result then lacks the unfinished archives, and
    /// [`is_stopped`](Self::is_stopped) is true from then on. Work with several passes begins at 0 for each
    /// pass.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// # use quakefs_archives::{Collection, DigestOptions};
    /// # let folder = testutils::game("a.pak: maps/start.bsp");
    /// # let mods = folder.path();
    /// let mods = Collection::search([mods]).observed_by(|_done, _all| ControlFlow::Break(()));
    /// assert_eq!(mods.duplicates(&DigestOptions::default()).archives, 0);
    /// assert!(mods.is_stopped());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn observed_by(
        mut self,
        report: impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Collection {
        self.observer.set_report(report);
        self
    }

    /// Whether [`observed_by`](Self::observed_by) stopped work on the archives, so that its result is
    /// incomplete.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.observer.is_stopped()
    }

    pub(crate) fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Replaces the archives by the same with those inside them.
    pub(crate) fn add_nested(&mut self, archives: Vec<Utf8PathBuf>, nested: Nested, faults: Vec<Error>) {
        self.archives = archives;
        self.observer.set_nested(nested);
        self.faults.extend(faults);
    }

    /// The archives, in order.
    #[must_use]
    pub fn archives(&self) -> &[Utf8PathBuf] {
        &self.archives
    }

    /// Files in the searched folders that have names of archives of other programs, such as 7-Zip's: they are
    /// not opened.
    #[must_use]
    pub fn foreign(&self) -> &[Utf8PathBuf] {
        &self.foreign
    }

    /// Errors of the search: folders that cannot be listed, paths that are not UTF-8.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }

    /// Opens the archives, several at a time on all cores, and returns each with its path, in order. An error
    /// of an archive names its path. The caller's loop runs on one core; [`each`](Self::each) uses all cores.
    pub fn open<'c>(
        &'c self,
        options: &OpenOptions,
    ) -> impl Iterator<Item = (&'c Utf8Path, Result<Archive, Error>)> + use<'c> {
        let options = *options;
        let sizes: Vec<u64> = self.archives.par_iter().map(|path| self.observer.size_of(path)).collect();
        let ranges: Vec<Range<usize>> = windows(&sizes).collect();
        ranges.into_iter().flat_map(move |range| {
            let window = self.archives.get(range).unwrap_or_default();
            let opened: Vec<_> = window.par_iter().map(|path| self.observer.open(path, &options)).collect();
            window.iter().map(Utf8PathBuf::as_path).zip(opened)
        })
    }

    /// Opens the archives, several at a time, and calls `work` with each. `take` gets the results of `work`
    /// in the order of the archives. An error of an archive names its path.
    ///
    /// # Errors
    /// The first error of `take`, which ends the work.
    pub fn each<T: Send, E>(
        &self,
        options: &OpenOptions,
        work: impl Fn(&Utf8Path, Result<Archive, Error>) -> T + Sync,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |path: &Utf8PathBuf, unit: &WorkUnit| work(path, unit.open(path, options));
        each_of(&self.archives, &self.observer, |path| self.observer.size_of(path), work, take)
    }

    /// Searches level by level, without recursion, because folders may be nested very deeply.
    fn search_folder(&mut self, folder: &Utf8Path) {
        let start = (self.archives.len(), self.faults.len());
        // paths below the current folder do not begin with `./`
        let mut level = vec![if folder == "." { Utf8PathBuf::new() } else { folder.to_owned() }];
        while !level.is_empty() {
            let listings: Vec<Listing> = level.par_iter().map(|folder| Listing::of(folder)).collect();
            level.clear();
            for mut listing in listings {
                level.append(&mut listing.folders);
                self.archives.append(&mut listing.archives);
                self.foreign.append(&mut listing.foreign);
                self.faults.append(&mut listing.faults);
            }
        }
        self.archives.get_mut(start.0..).unwrap_or_default().sort_unstable();
        self.foreign.sort_unstable();
        let place = |error: &Error| error.path().map(Utf8Path::to_owned);
        self.faults.get_mut(start.1..).unwrap_or_default().sort_by_key(place);
    }
}

/// Works on some items at a time, and passes the results on in order, up to the first incomplete one.
pub(crate) fn each_of<I: Sync, T: Send, E>(
    items: &[I],
    observer: &Observer,
    size: impl Fn(&I) -> u64 + Sync,
    work: impl Fn(&I, &WorkUnit) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let sizes: Vec<u64> = items.par_iter().map(&size).collect();
    observer.begin(sum(&sizes));
    let one = |(item, size): (&I, &u64)| {
        let unit = observer.unit(*size)?;
        unit.whole(work(item, &unit))
    };
    for window in windows(&sizes) {
        let (items, sizes) =
            (items.get(window.clone()).unwrap_or_default(), sizes.get(window).unwrap_or_default());
        let done: Vec<Option<T>> = items.par_iter().zip(sizes).map(one).collect();
        done.into_iter().map_while(|done| done).try_for_each(&mut take)?;
        if observer.is_stopped() {
            break;
        }
    }
    Ok(())
}

pub(crate) fn sum(sizes: &[u64]) -> u64 {
    sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size))
}

/// Groups items by size into those that are worked on at the same time.
pub(crate) fn windows(sizes: &[u64]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let (start, mut bytes) = (next, 0_u64);
        for size in sizes.get(start..)?.iter().take(WINDOW) {
            bytes = bytes.saturating_add(*size);
            if next > start && bytes > WINDOW_BYTES {
                break;
            }
            next += 1;
        }
        (next > start).then_some(start..next)
    })
}

/// The files and folders directly in a folder.
#[derive(Default)]
struct Listing {
    folders: Vec<Utf8PathBuf>,
    archives: Vec<Utf8PathBuf>,
    foreign: Vec<Utf8PathBuf>,
    faults: Vec<Error>,
}

impl Listing {
    fn of(folder: &Utf8Path) -> Listing {
        let mut listing = Listing::default();
        let on_disk = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
        let failed = |error| Error::io(on_disk, "list", error);
        match fs::read_dir(on_disk) {
            Ok(entries) => {
                for entry in entries {
                    let added = entry.map_err(failed).and_then(|entry| listing.add(folder, &entry));
                    listing.faults.extend(added.err());
                }
            }
            Err(error) => listing.faults.push(failed(error)),
        }
        listing
    }

    fn add(&mut self, folder: &Utf8Path, entry: &DirEntry) -> Result<(), Error> {
        let path = folder.as_std_path().join(entry.file_name());
        let kind = entry
            .file_type()
            .map_err(|error| Error::io(utf8(&path).unwrap_or("".into()), "look at", error))?;
        let is_folder = kind.is_dir();
        // most files are not archives, and checking each would take longer than the search
        if !is_folder && !is_named_like_archive(&path) {
            if is_named_like_foreign(&path) {
                self.foreign.push(utf8(&path)?.to_owned());
            }
            return Ok(());
        }
        let is_link_to_folder = || kind.is_symlink() && path.is_dir();
        if is_folder {
            self.folders.push(utf8(&path)?.to_owned());
        } else if !is_link_to_folder() {
            self.archives.push(utf8(&path)?.to_owned());
        }
        Ok(())
    }
}

/// The endings of archives of other programs, and of parts of one.
const FOREIGN: [&str; 14] =
    ["7z", "rar", "tar", "gz", "tgz", "bz2", "xz", "zst", "lzh", "arj", "ace", "001", "z01", "r00"];

fn is_named_like_foreign(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| FOREIGN.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

fn is_named_like_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    matches!(ContentType::of(name.as_encoded_bytes()), ContentType::Archive | ContentType::TextureArchive)
}

/// Whether a file is an archive, by its extension or its first bytes.
#[must_use]
pub fn is_archive(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    path.is_file() && (is_named_like_archive(path) || begins_as_archive(path))
}

/// Whether the first bytes of a file are those of an archive, whatever its name.
#[must_use]
pub fn begins_as_archive(path: impl AsRef<Path>) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    // a level counts as an archive of textures only by its extension; here it would be mistaken for an
    // archive instead of a name
    let others = [*b"PK\x03\x04", *b"PK\x05\x06", *b"WAD2", *b"WAD3"];
    let is_known = Layout::with_magic(magic).next().is_some() || others.contains(&magic);
    read.is_ok() && is_known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_hold_few_bytes_and_every_item_once() {
        let ranges = |sizes: &[u64]| windows(sizes).collect::<Vec<_>>();
        assert!(ranges(&[]).is_empty());
        assert_eq!(ranges(&[1, 2, 3]), vec![0..3; 1]);
        assert_eq!(ranges(&[WINDOW_BYTES, 1, WINDOW_BYTES, u64::MAX, 1, 1]), [0..1, 1..2, 2..3, 3..4, 4..6]);
        assert_eq!(ranges(&[0; WINDOW + 1]), [0..WINDOW, WINDOW..WINDOW + 1]);
    }
}
