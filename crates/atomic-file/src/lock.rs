//! One writer of a file at a time.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::identity::Identity;

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
/// On Unix the lock stops only programs that take it too. On Windows it stops every program that opens the file for writing;
/// an engine reads the file meanwhile on each system.
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
        #[cfg(not(windows))]
        let _ = self.0.unlock();
    }
}

/// Who else may lock the file.
#[derive(Clone, Copy)]
enum Others {
    None,
    Readers,
}

impl Lock {
    /// Opens a file for reading and writing, and locks it: no other program has a lock of it.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) where another writer has the file,
    /// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput) where it is no regular
    /// file, and the errors of the system.
    pub fn exclusive(path: impl AsRef<Path>) -> io::Result<Lock> {
        Self::take(path.as_ref(), OpenOptions::new().read(true).write(true), Others::None)
    }

    /// Opens a file for reading, and locks it: others may read it under such a lock too.
    ///
    /// # Errors
    /// Those of [`exclusive`](Self::exclusive).
    pub fn shared(path: impl AsRef<Path>) -> io::Result<Lock> {
        Self::take(path.as_ref(), OpenOptions::new().read(true), Others::Readers)
    }

    /// Locks a file that is to be replaced. Its folder decides who may replace it, so one right on it is enough.
    pub(crate) fn of_replaced(path: &Path) -> io::Result<Lock> {
        let denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        let (mut reading, mut writing) = (OpenOptions::new(), OpenOptions::new());
        reading.read(true);
        writing.write(true);
        // on Windows writing is what excludes other writers, and a file that is read-only has none
        let orders = if cfg!(windows) { [&mut writing, &mut reading] } else { [&mut reading, &mut writing] };
        let [first, second] = orders;
        match Self::take(path, first, Others::None) {
            Err(error) if denied(&error) => Self::take(path, second, Others::None),
            taken => taken,
        }
    }

    fn take(path: &Path, options: &mut OpenOptions, others: Others) -> io::Result<Lock> {
        loop {
            let path = fs::canonicalize(path)?;
            let lock = Lock { held: Arc::new(Held(open_locked(&path, options, others)?)), path };
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
        is_file_at(&self.path, Identity::of(self.file()).ok())
    }

    /// Closes the file where this is the only clone, and says whether the path still names it.
    #[cfg(windows)]
    pub(crate) fn close(self) -> bool {
        let (locked, path) = (Identity::of(self.file()).ok(), self.path.clone());
        drop(self);
        is_file_at(&path, locked)
    }
}

/// Whether a path names this regular file. A disk without such numbers is believed: the file is locked.
fn is_file_at(path: &Path, identity: Option<Identity>) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    is_file && identity.is_none_or(|locked| Identity::at(path).is_ok_and(|there| there == locked))
}

/// Opens a file, and keeps other writers from it.
#[cfg(not(windows))]
fn open_locked(path: &Path, options: &mut OpenOptions, others: Others) -> io::Result<File> {
    use std::fs::TryLockError;
    let (file, _) = open_regular(path, options)?;
    let locked = match others {
        Others::None => file.try_lock(),
        Others::Readers => file.try_lock_shared(),
    };
    locked.map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::new(io::ErrorKind::WouldBlock, "another program is writing the file")
        }
        TryLockError::Error(error) => error,
    })?;
    Ok(file)
}

/// Opens a file that no other program opens for writing meanwhile. A lock of its bytes would keep engines from reading
/// them, on this system.
#[cfg(windows)]
fn open_locked(path: &Path, options: &mut OpenOptions, _: Others) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    options.share_mode(SHARE_READ | SHARE_DELETE);
    match open_regular(path, options) {
        Ok((file, _)) => Ok(file),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => {
            Err(io::Error::new(io::ErrorKind::WouldBlock, "another program has the file open"))
        }
        Err(error) => Err(error),
    }
}

/// `FILE_SHARE_READ`
#[cfg(windows)]
const SHARE_READ: u32 = 1;
/// `FILE_SHARE_DELETE`: the file may be replaced while it is open.
#[cfg(windows)]
const SHARE_DELETE: u32 = 4;
/// `ERROR_SHARING_VIOLATION`
#[cfg(windows)]
pub(crate) const SHARING_VIOLATION: i32 = 32;

impl fmt::Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lock").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Opens a regular file, and gives what the disk says of it. A pipe that stands in its place is an error and is never waited
/// for.
///
/// # Errors
/// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput) where it is no regular
/// file, and the errors of the system.
pub fn open_regular(path: impl AsRef<Path>, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let path = path.as_ref();
    // not opened at all: opening a device can do something to it
    regular(&fs::metadata(path)?)?;
    open_found(path, options)
}

/// The same of a path that the caller has just found to be a regular file: the disk is asked once less. What stands there
/// meanwhile and is none is opened, and is an error then.
///
/// # Errors
/// As [`open_regular`].
pub fn open_found(path: impl AsRef<Path>, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let path = path.as_ref();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    // Windows opens no folder, and says that access is denied
    #[cfg(windows)]
    regular(&fs::metadata(path)?)?;
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata))
}

/// Refuses what is no regular file.
///
/// # Errors
/// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput), with the reason.
pub fn regular(found: &Metadata) -> io::Result<()> {
    let (kind, reason) = match found.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => (io::ErrorKind::IsADirectory, "it is a folder"),
        _ => (io::ErrorKind::InvalidInput, "it is not a regular file"),
    };
    Err(io::Error::new(kind, reason))
}
