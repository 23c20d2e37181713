//! One writer of a file at a time.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::identity::Identity;

/// A lock that excludes other writers of a file. It is on the file itself, so that no lock file remains.
/// Dropping the last clone releases it.
///
/// Every [`AtomicFile`](crate::AtomicFile) locks the file that it replaces. Callers that change a file in
/// place should lock it too:
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
/// On Unix the lock stops only programs that use such locks. On Windows it stops every program that opens the
/// file for writing. Engines can still read the file on all systems.
#[derive(Clone)]
pub struct Lock {
    held: Arc<Held>,
    path: PathBuf,
}

/// A locked file. It is unlocked explicitly before it is closed. A child process that is just starting has a
/// copy of each open file for a moment, which would prolong the lock.
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        #[cfg(not(windows))]
        let _ = self.0.unlock();
    }
}

/// Whether others may lock the file too.
#[derive(Clone, Copy)]
enum Others {
    None,
    Readers,
}

impl Lock {
    /// Opens a file for reading and writing, and locks it exclusively.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if another program has locked the file,
    /// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput) if it
    /// is not a regular file, and the errors of the system.
    pub fn exclusive(path: impl AsRef<Path>) -> io::Result<Lock> {
        Self::take(path.as_ref(), OpenOptions::new().read(true).write(true), Others::None)
    }

    /// Opens a file for reading, and locks it together with other readers.
    ///
    /// # Errors
    /// The errors of [`exclusive`](Self::exclusive).
    pub fn shared(path: impl AsRef<Path>) -> io::Result<Lock> {
        Self::take(path.as_ref(), OpenOptions::new().read(true), Others::Readers)
    }

    /// Locks a file that will be replaced. Permission to read or to write it is enough, because only its
    /// folder's permissions decide who may replace it.
    pub(crate) fn of_replaced(path: &Path) -> io::Result<Lock> {
        let denied = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        let (mut reading, mut writing) = (OpenOptions::new(), OpenOptions::new());
        reading.read(true);
        writing.write(true);
        // on Windows only opening for writing excludes other writers; a read-only file has none
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
            // the previous holder of the lock may have replaced the file
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

    /// The path of the file with links resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads to the locked file. Only programs without locks can replace it.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        is_file_at(&self.path, Identity::of(self.file()).ok())
    }

    /// Closes the file if this is the only clone. Returns whether the path still leads to it.
    #[cfg(windows)]
    pub(crate) fn close(self) -> bool {
        let (locked, path) = (Identity::of(self.file()).ok(), self.path.clone());
        drop(self);
        is_file_at(&path, locked)
    }
}

/// Whether a path leads to this regular file. On disks without file numbers the answer is yes.
fn is_file_at(path: &Path, identity: Option<Identity>) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    is_file && identity.is_none_or(|locked| Identity::at(path).is_ok_and(|there| there == locked))
}

/// Opens a file and excludes other writers.
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

/// Opens a file so that no other program can open it for writing. Locking its bytes instead would keep
/// engines from reading them on Windows.
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
/// `FILE_SHARE_DELETE`, which allows replacing the open file.
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

/// Opens a regular file and returns it with its metadata. Never waits for a pipe's writer.
///
/// # Errors
/// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput) if it is
/// not a regular file, and the errors of the system.
pub fn open_regular(path: impl AsRef<Path>, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let path = path.as_ref();
    // checked before opening, because opening a device can have effects
    regular(&fs::metadata(path)?)?;
    open_found(path, options)
}

/// Like [`open_regular`], for a path that the caller has just seen as a regular file, which saves a system
/// call. If it was replaced by something else in the meantime, that is opened before the error is returned.
///
/// # Errors
/// The errors of [`open_regular`].
pub fn open_found(path: impl AsRef<Path>, options: &mut OpenOptions) -> io::Result<(File, Metadata)> {
    let path = path.as_ref();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    // Windows reports a folder as access denied
    #[cfg(windows)]
    regular(&fs::metadata(path)?)?;
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata))
}

/// Returns an error for anything except a regular file.
///
/// # Errors
/// [`IsADirectory`](io::ErrorKind::IsADirectory) or [`InvalidInput`](io::ErrorKind::InvalidInput), with the
/// reason.
pub fn regular(found: &Metadata) -> io::Result<()> {
    let (kind, reason) = match found.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => (io::ErrorKind::IsADirectory, "it is a folder"),
        _ => (io::ErrorKind::InvalidInput, "it is not a regular file"),
    };
    Err(io::Error::new(kind, reason))
}
