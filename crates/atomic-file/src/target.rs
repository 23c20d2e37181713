//! The target of a write, and the file that is there now.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::{Lock, regular};

/// The options of a write. By default an existing file is replaced, a symbolic link is followed, and the new
/// file survives a power failure.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Whether to replace an existing file. If not, the write fails with
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists).
    pub replace: bool,
    /// Whether to flush the new file and its name to disk. Not needed for files that can be created again,
    /// such as extracted ones.
    pub durable: bool,
    /// Whether to follow a symbolic link at the target and replace the file that it leads to. If not, the
    /// link itself is replaced.
    pub follow_links: bool,
    /// Metadata whose mode the new file gets if it replaces no file.
    pub attributes_of: Option<Metadata>,
    /// The caller's lock on the file to be replaced. If it is `None`, [`AtomicFile`](crate::AtomicFile) locks
    /// the file. Drop other clones before the commit, because some disks on Windows cannot replace an open
    /// file.
    pub lock: Option<Lock>,
}

impl Options {
    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        Options { replace: true, durable: true, follow_links: true, attributes_of: None, lock: None }
    }

    /// Sets [`replace`](field@Self::replace).
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// Sets [`durable`](field@Self::durable).
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// Sets [`follow_links`](field@Self::follow_links).
    #[must_use]
    pub fn follow_links(mut self, follow: bool) -> Self {
        self.follow_links = follow;
        self
    }

    /// Sets [`attributes_of`](field@Self::attributes_of).
    #[must_use]
    pub fn attributes_of(mut self, metadata: impl Into<Option<Metadata>>) -> Self {
        self.attributes_of = metadata.into();
        self
    }

    /// Sets [`lock`](field@Self::lock).
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

/// Checks the target as [`AtomicFile::create`](crate::AtomicFile::create) does, without changing anything,
/// and returns its path.
///
/// # Errors
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if a file exists and may not be replaced,
/// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput) if it is
/// not a regular file, and the errors of the system.
pub fn find_target(path: impl AsRef<Path>, options: &Options) -> io::Result<PathBuf> {
    Target::find(path, options).map(|target| target.path)
}

/// The target of a write, and the file that is there now.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    path: PathBuf,
    /// A regular file, or a link that will be replaced.
    found: Option<Metadata>,
}

/// Linux follows at most 40 symbolic links (`path_resolution(7)`).
const LINKS: usize = 40;

impl Target {
    pub(crate) fn find(path: impl AsRef<Path>, options: &Options) -> io::Result<Target> {
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

    /// The path of the file, after following a symbolic link.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The regular file that exists at the target.
    pub(crate) fn replaced(&self) -> Option<&Metadata> {
        self.found.as_ref().filter(|found| found.is_file())
    }

    /// Whether the target exists.
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

/// The target of a chain of links. Unlike with `canonicalize`, the target need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..=LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(path) };
        path = folder_of(&path).join(next);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a loop of symbolic links"))
}
