//! Folders by path, for systems without operations relative to an open folder. Each step checks for links
//! first and does not follow them. If another program replaces a folder by a link between check and step, the
//! link is followed.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;

use atomic_file::{AtomicFile, Identity, Options};
use camino::{Utf8Path, Utf8PathBuf};

use crate::step::{Blocked, LINK, Occupant};

/// The destination.
pub(crate) struct Root {
    path: Utf8PathBuf,
    /// Whether the content of a file is on the disk before the file gets its name.
    durable: bool,
}

impl Root {
    pub(crate) fn open(path: &Utf8Path) -> io::Result<Root> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Root { path: path.to_owned(), durable: false })
    }

    /// Sets whether the content of a file survives a power failure before the file gets its name.
    pub(crate) fn durable(self, durable: bool) -> Root {
        Root { durable, ..self }
    }
}

/// A walk from folder to folder below the destination.
pub(crate) struct Folders<'r> {
    root: &'r Root,
    /// Whether missing folders are created.
    creates: bool,
}

impl<'r> Folders<'r> {
    pub(crate) fn new(root: &'r Root) -> Self {
        Folders { root, creates: true }
    }

    /// A walk that creates no folder.
    pub(crate) fn existing(root: &'r Root) -> Self {
        Folders { root, creates: false }
    }

    /// Enters a folder by its path below the destination and, unless the walk is of existing folders, creates
    /// missing folders on the way. An error comes with the path of the folder that failed.
    pub(crate) fn enter(&mut self, path: &[u8]) -> Result<Folder<'_>, (Vec<u8>, Blocked)> {
        let mut current = self.root.path.clone();
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(place, _)| place);
        for end in ends.chain([path.len()]).filter(|end| *end > 0) {
            let here = path.get(..end).unwrap_or(path);
            let name = here.rsplit(|&byte| byte == b'/').next().unwrap_or(here);
            let entered = on_disk(name).map_err(Blocked::Io).and_then(|name| {
                current.push(name);
                enter_folder(&current, self.creates)
            });
            entered.map_err(|blocked| (here.to_vec(), blocked))?;
        }
        Ok(Folder { path: current, root: self.root })
    }
}

/// Checks a folder. If it is missing, creates it or fails.
fn enter_folder(path: &Utf8Path, creates: bool) -> Result<(), Blocked> {
    let made = if creates { fs::create_dir(path) } else { Err(io::ErrorKind::NotFound.into()) };
    let Err(error) = made else { return Ok(()) };
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
pub(crate) struct Folder<'f> {
    path: Utf8PathBuf,
    root: &'f Root,
}

impl Folder<'_> {
    /// What the folder contains under this name.
    pub(crate) fn find(&self, name: &[u8]) -> io::Result<Occupant> {
        let path = self.path.join(on_disk(name)?);
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => Ok(Occupant::Folder),
            Ok(found) if found.is_symlink() && matches!(path.try_exists(), Ok(false)) => {
                Ok(Occupant::LostLink)
            }
            // a link to a source archive is a name of the archive too
            Ok(_) => Ok(Occupant::File(Identity::at(&path).ok())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Occupant::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Systems with paths have no call that makes names survive a power failure.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "on Unix it uses the open folder")]
    pub(crate) fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    /// Opens a regular file. Follows no link and never waits for a pipe's writer.
    pub(crate) fn open(&self, name: &[u8]) -> io::Result<File> {
        let path = self.path.join(on_disk(name)?);
        if path.symlink_metadata()?.is_symlink() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, LINK));
        }
        Ok(atomic_file::open_regular(path, File::options().read(true))?.0)
    }

    /// Removes a file that was opened by this name, unless the name is another file by now.
    pub(crate) fn remove(&self, name: &[u8], file: &File) -> io::Result<()> {
        let path = self.path.join(on_disk(name)?);
        if path.symlink_metadata()?.is_symlink() || Identity::at(&path)? != Identity::of(file)? {
            return Err(io::Error::other("another program replaced it"));
        }
        fs::remove_file(path)
    }

    /// Removes an empty folder.
    pub(crate) fn remove_folder(&self, name: &[u8]) -> io::Result<()> {
        let path = self.path.join(on_disk(name)?);
        // Windows would remove a link to a folder
        if !path.symlink_metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        fs::remove_dir(path)
    }

    /// The names in the folder. Names that are not UTF-8 are skipped.
    pub(crate) fn names(&self) -> io::Result<HashSet<String>> {
        let names = self.path.read_dir()?.map(|entry| Ok(entry?.file_name().into_string().ok()));
        names.filter_map(io::Result::transpose).collect()
    }

    /// Renames within the folder and fails if the new name exists.
    /// [`Unsupported`](io::ErrorKind::Unsupported): this system or this disk cannot do that in one step.
    #[expect(clippy::unused_self, reason = "on Unix it uses the open folder")]
    pub(crate) fn move_new(&self, _: &str, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames within the folder. A file with the new name is replaced.
    pub(crate) fn move_over(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Creates a file, completely or not at all, as a temporary file that is then moved. An existing file is
    /// replaced only if `replace` is set.
    pub(crate) fn write<E: From<io::Error>>(
        &self,
        name: &[u8],
        replace: bool,
        content: impl FnOnce(&mut AtomicFile) -> Result<u64, E>,
    ) -> Result<u64, E> {
        let options = Options::new().replace(replace).durable(self.root.durable).follow_links(false);
        let mut file = AtomicFile::create(self.path.join(on_disk(name)?), &options)?;
        let written = content(&mut file)?;
        file.commit().map_err(atomic_file::CommitError::into_cause)?;
        Ok(written)
    }
}
