//! Folders by path, for systems without operations that start at an open folder. Links are looked for before each
//! step, so they are not followed; a folder that another program swaps for a link at that very moment is.

use std::fs;
use std::io;
use std::marker::PhantomData;

use atomic_file::{AtomicFile, Identity, Options};
use camino::{Utf8Path, Utf8PathBuf};

use super::step::{Blocked, Found};

/// The destination.
pub(super) struct Root {
    path: Utf8PathBuf,
}

impl Root {
    pub(super) fn open(path: &Utf8Path) -> io::Result<Root> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Root { path: path.to_owned() })
    }
}

/// The way to each folder below the destination.
pub(super) struct Folders<'r> {
    root: &'r Root,
}

impl<'r> Folders<'r> {
    pub(super) fn new(root: &'r Root) -> Self {
        Folders { root }
    }

    /// Goes to a folder, given by its path below the destination, and makes what is missing on the way. An error
    /// comes with the path of the folder that it is about.
    pub(super) fn enter(&mut self, path: &[u8]) -> Result<Folder<'_>, (Vec<u8>, Blocked)> {
        let mut current = self.root.path.clone();
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(place, _)| place);
        for end in ends.chain([path.len()]).filter(|end| *end > 0) {
            let here = path.get(..end).unwrap_or(path);
            let name = here.rsplit(|&byte| byte == b'/').next().unwrap_or(here);
            let entered = on_disk(name).map_err(Blocked::Io).and_then(|name| {
                current.push(name);
                make_folder(&current)
            });
            entered.map_err(|blocked| (here.to_vec(), blocked))?;
        }
        Ok(Folder { path: current, root: PhantomData })
    }
}

fn make_folder(path: &Utf8Path) -> Result<(), Blocked> {
    let error = match fs::create_dir(path) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(found) if found.is_symlink() => Err(Blocked::Link),
        Ok(_) => Err(Blocked::NotAFolder),
        Err(_) => Err(Blocked::Io(error)),
    }
}

/// The name of a file on a disk whose names are text. The plan has left out all others.
fn on_disk(name: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(name).map_err(|_| io::ErrorKind::InvalidFilename.into())
}

/// A folder.
pub(super) struct Folder<'f> {
    path: Utf8PathBuf,
    root: PhantomData<&'f Root>,
}

impl Folder<'_> {
    /// What has this name in the folder.
    pub(super) fn find(&self, name: &[u8]) -> io::Result<Found> {
        let path = self.path.join(on_disk(name)?);
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => Ok(Found::Folder),
            // a link to a source archive is a name of the archive too
            Ok(_) => Ok(Found::File(Identity::at(&path).ok())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Makes a file: beside its place, then moved there. The file is there whole or not at all, and what stands in
    /// its place is replaced only where `replace` says so.
    pub(super) fn write<E: From<io::Error>>(
        &self,
        name: &[u8],
        replace: bool,
        content: impl FnOnce(&mut AtomicFile) -> Result<u64, E>,
    ) -> Result<u64, E> {
        let options = Options::new().replace(replace).durable(false).follow_links(false);
        let mut file = AtomicFile::create(self.path.join(on_disk(name)?), &options)?;
        let written = content(&mut file)?;
        file.commit().map_err(atomic_file::CommitError::into_cause)?;
        Ok(written)
    }
}
