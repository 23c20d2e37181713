//! One writer of a file at a time.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that is locked against other writers. The lock is on the file itself, so there is no lock file to remove. It
/// ends when the last clone is dropped.
///
/// Every [`AtomicFile`](crate::AtomicFile) takes the lock of the file that it replaces. A caller that changes a file in
/// place takes one too:
/// ```
/// use std::io::ErrorKind;
/// use atomic_file::{AtomicFile, Lock, Options};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pak0.pak");
///
/// std::fs::write(&path, "old")?;
/// let lock = Lock::exclusive(&path)?;
/// let error = AtomicFile::create(&path, &Options::new()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::WouldBlock);
/// drop(lock);
/// assert!(AtomicFile::create(&path, &Options::new()).is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
/// On Unix the lock stops only programs that take it too. On Windows no other program can read the file meanwhile.
#[derive(Clone)]
pub struct Lock {
    held: Arc<Held>,
    path: PathBuf,
}

/// A locked file. It is unlocked before it is closed: a process that is being started has a copy of each open file for a
/// moment, and the lock would last as long as the copy.
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Lock {
    /// Opens a file for reading and writing, and locks it: no other program has a lock of it.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) where another writer has the file,
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) where it is no regular file, and the errors of the system.
    pub fn exclusive(path: impl AsRef<Path>) -> io::Result<Lock> {
        Self::take(path.as_ref(), OpenOptions::new().read(true).write(true), File::try_lock)
    }

    /// Opens a file for reading, and locks it: others may read it under such a lock too.
    ///
    /// # Errors
    /// Those of [`exclusive`](Self::exclusive).
    pub fn shared(path: impl AsRef<Path>) -> io::Result<Lock> {
        Self::take(path.as_ref(), OpenOptions::new().read(true), File::try_lock_shared)
    }

    /// Locks a file that is to be replaced. Its folder decides who may replace it, so one right on it is enough.
    pub(crate) fn of_replaced(path: &Path) -> io::Result<Lock> {
        let denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        match Self::take(path, OpenOptions::new().read(true), File::try_lock) {
            Err(error) if denied(&error) => Self::take(path, OpenOptions::new().write(true), File::try_lock),
            taken => taken,
        }
    }

    fn take(
        path: &Path,
        options: &mut OpenOptions,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> io::Result<Lock> {
        loop {
            let path = fs::canonicalize(path)?;
            let (file, _) = open_regular(&path, options)?;
            lock(&file).map_err(|error| match error {
                TryLockError::WouldBlock => {
                    io::Error::new(io::ErrorKind::WouldBlock, "another program is writing the file")
                }
                TryLockError::Error(error) => error,
            })?;
            let lock = Lock { held: Arc::new(Held(file)), path };
            // the writer that had the lock before may have replaced the file
            if lock.is_in_place() {
                return Ok(lock);
            }
        }
    }

    /// The locked file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.held.0
    }

    /// The path of the file, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still names the locked file. Only a program that takes no lock can replace the file.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        match (fs::symlink_metadata(&self.path), self.file().metadata()) {
            (Ok(there), Ok(locked)) => is_same(&there, &locked),
            _ => false,
        }
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a file that is open and locked cannot be replaced.
#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.file_type() == other.file_type()
}

impl fmt::Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lock").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Opens a regular file, and gives what the disk says of it. A pipe that stands in its place is an error and is never waited
/// for.
///
/// # Errors
/// [`InvalidInput`](io::ErrorKind::InvalidInput) where it is no regular file, and the errors of the system.
pub fn open_regular(path: impl AsRef<Path>, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let path = path.as_ref();
    // not opened at all: opening a device can do something to it
    regular(&fs::metadata(path)?)?;
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata))
}

/// Refuses what is no regular file.
///
/// # Errors
/// [`InvalidInput`](io::ErrorKind::InvalidInput), with the reason.
pub fn regular(found: &Metadata) -> io::Result<()> {
    let reason = if found.is_dir() { "it is a folder" } else { "it is not a regular file" };
    if found.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, reason)) }
}
