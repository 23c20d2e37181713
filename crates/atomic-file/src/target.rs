//! The place of the new file, and what is in it now.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::{Lock, regular};

/// How a file is written. By default an existing file is replaced, a symbolic link is followed, and the new file
/// survives a power failure.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Whether an existing file is replaced. If not, the write fails with
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    pub replace: bool,
    /// Whether the new file and its name are flushed to the disk. Files that can be made again, such as those of an
    /// extraction, do not need the wait.
    pub durable: bool,
    /// Whether a symbolic link in the place of the file is followed, so that the link stays and the file that it
    /// names is replaced. If not, the link is replaced.
    pub follow_links: bool,
    /// Where no file is replaced, the new one gets the mode of this one.
    pub attributes_of: Option<Metadata>,
    /// The caller's lock of the file that is replaced. Without one, [`AtomicFile`](crate::AtomicFile) takes it. On Windows not
    /// every disk replaces an open file: there the caller drops its own clones before the commit.
    pub lock: Option<Lock>,
}

impl Options {
    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        Options { replace: true, durable: true, follow_links: true, attributes_of: None, lock: None }
    }

    /// Whether an existing file is replaced.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// Whether the new file and its name are flushed to the disk.
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// Whether a symbolic link in the place of the file is followed.
    #[must_use]
    pub fn follow_links(mut self, follow: bool) -> Self {
        self.follow_links = follow;
        self
    }

    /// The metadata of the file whose mode the new file gets, where no file is replaced.
    #[must_use]
    pub fn attributes_of(mut self, metadata: impl Into<Option<Metadata>>) -> Self {
        self.attributes_of = metadata.into();
        self
    }

    /// The caller's lock of the file that is replaced.
    #[must_use]
    pub fn lock(mut self, lock: impl Into<Option<Lock>>) -> Self {
        self.lock = lock.into();
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

/// The place of a new file, and the file that is in it now.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    /// A regular file, or a link that is not followed.
    found: Option<Metadata>,
}

/// Linux follows at most 40 symbolic links (`path_resolution(7)`).
const LINKS: usize = 40;

impl Target {
    /// Looks at the place of a file as [`AtomicFile::create`](crate::AtomicFile::create) does, and changes nothing.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if a file exists and may not be replaced,
    /// [`IsADirectory`](io::ErrorKind::IsADirectory) if a folder is in the place, [`InvalidInput`](io::ErrorKind::InvalidInput) if
    /// something else that is no regular file is, and the errors of the system.
    pub fn find(path: impl AsRef<Path>, options: &Options) -> io::Result<Target> {
        let given = path.as_ref();
        let path = if options.follow_links { follow(given)? } else { given.to_owned() };
        let found = match fs::symlink_metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Target { path, found: None });
            }
            Err(error) => return Err(error),
        };
        if !options.replace {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        if !found.is_symlink() {
            regular(&found)?;
        }
        Ok(Target { path, found: Some(found) })
    }

    /// The path of the file, with a symbolic link in its place followed.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The regular file that is in the place now.
    #[must_use]
    pub fn replaced(&self) -> Option<&Metadata> {
        self.found.as_ref().filter(|found| found.is_file())
    }

    /// Whether something is in the place.
    pub(crate) fn is_taken(&self) -> bool {
        self.found.is_some()
    }

    /// The folder of the file.
    pub(crate) fn folder(&self) -> &Path {
        folder_of(&self.path)
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) => Path::new("."),
        None => path,
    }
}

/// The file that a chain of links leads to. The file need not be there, which is why this is not `canonicalize`.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..=LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = folder_of(&path).join(next);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a loop of symbolic links"))
}
