//! The archives among files and in folders.

use std::fs::{self, DirEntry, File};
use std::io::Read as _;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Layout;
use rayon::prelude::*;

use crate::archive::{Archive, OpenOptions};
use crate::content::ContentType;
use crate::error::{Error, utf8};

/// Archives that are open at once: few enough for the limits of a system, and enough to keep its cores busy.
pub(super) const WINDOW: usize = 256;

/// Archives on disk, by path, in order.
#[derive(Debug, Default)]
pub struct Collection {
    archives: Vec<Utf8PathBuf>,
    faults: Vec<Error>,
}

impl Collection {
    /// The archives that some paths name. A file is taken whatever it is, and so is a path that leads nowhere: opening it
    /// says why it is no archive. A folder is searched, and the folders in it, for files that are named like archives
    /// ([`ContentType::Archive`]). Links to files are followed there, and links to folders are not.
    pub fn search(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Collection {
        let mut found = Collection::default();
        for path in paths {
            match utf8(path.as_ref()) {
                Ok(folder) if folder.is_dir() => found.search_folder(folder),
                Ok(file) => found.archives.push(file.to_owned()),
                Err(error) => found.faults.push(error),
            }
        }
        found
    }

    /// The archives, in order.
    #[must_use]
    pub fn archives(&self) -> &[Utf8PathBuf] {
        &self.archives
    }

    /// What could not be searched: folders that cannot be listed, paths that are not UTF-8.
    #[must_use]
    pub fn faults(&self) -> &[Error] {
        &self.faults
    }

    /// Opens the archives, several at a time, and gives each to `work`. What `work` makes of them comes to `take` in the
    /// order of the archives. An error of an archive names its path.
    ///
    /// # Errors
    /// That of `take`, which ends the work.
    pub fn each<T: Send, E>(
        &self,
        options: &OpenOptions,
        work: impl Fn(&Utf8Path, Result<Archive, Error>) -> T + Sync,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        each_of(&self.archives, |path| work(path, open(path, options)), take)
    }

    /// Goes down level by level: folders may be nested deeper than a stack of calls.
    fn search_folder(&mut self, folder: &Utf8Path) {
        let start = (self.archives.len(), self.faults.len());
        // what is below the current folder is named without it
        let mut level = vec![if folder == "." { Utf8PathBuf::new() } else { folder.to_owned() }];
        while !level.is_empty() {
            let listings: Vec<Listing> = level.par_iter().map(|folder| Listing::of(folder)).collect();
            level.clear();
            for mut listing in listings {
                level.append(&mut listing.folders);
                self.archives.append(&mut listing.archives);
                self.faults.append(&mut listing.faults);
            }
        }
        self.archives.get_mut(start.0..).unwrap_or_default().sort_unstable();
        let place = |error: &Error| error.path().map(Utf8Path::to_owned);
        self.faults.get_mut(start.1..).unwrap_or_default().sort_by_key(place);
    }
}

/// Opens an archive; the error names its path.
pub(super) fn open(path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
    Archive::open_with(path, options).map_err(|error| error.in_archive(path.as_str()))
}

/// Does work on some items at a time, and takes what comes of it in their order.
pub(super) fn each_of<I: Sync, T: Send, E>(
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    for window in items.chunks(WINDOW) {
        let done: Vec<T> = window.par_iter().map(&work).collect();
        done.into_iter().try_for_each(&mut take)?;
    }
    Ok(())
}

/// What is straight in a folder.
#[derive(Default)]
struct Listing {
    folders: Vec<Utf8PathBuf>,
    archives: Vec<Utf8PathBuf>,
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
        // most files are no archives, and a look at each would cost more than the search
        if !is_folder && !is_named_like_archive(&path) {
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

fn is_named_like_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    ContentType::of(name.as_encoded_bytes()) == ContentType::Archive
}

/// Whether a path is that of a file which is an archive, by its extension or by its first bytes.
#[must_use]
pub fn is_archive(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    path.is_file() && (is_named_like_archive(path) || begins_as_archive(path))
}

fn begins_as_archive(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && (Layout::with_magic(magic).next().is_some() || magic.starts_with(b"PK\x03\x04"))
}
