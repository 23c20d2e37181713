//! Folders by path, for systems without operations relative to an open folder. Each step checks for links first and
//! does not follow them. If another program replaces a folder by a link between check and step, the link is followed.

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

/// A walk from folder to folder below the destination.
pub(super) struct Folders<'r> {
    root: &'r Root,
}

impl<'r> Folders<'r> {
    pub(super) fn new(root: &'r Root) -> Self {
        Folders { root }
    }

    /// Enters a folder by its path below the destination and creates missing folders on the way. An error comes with the path of the
    /// folder that failed.
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

/// A file name as text. The plan has already excluded names that are not UTF-8.
fn on_disk(name: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(name).map_err(|_| io::ErrorKind::InvalidFilename.into())
}

/// A folder.
pub(super) struct Folder<'f> {
    path: Utf8PathBuf,
    root: PhantomData<&'f Root>,
}

impl Folder<'_> {
    /// What the folder contains under this name.
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

    /// Creates a file, completely or not at all, as a temporary file that is then moved. An existing file is replaced only if
    /// `replace` is set.
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
