//! The writer of a file.

use std::error::Error;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::{NamedTempFile, PersistError};

use crate::disk::{Disk, RealDisk};
use crate::lock::Lock;
use crate::target::{Options, Target};
use crate::temporary::remove_abandoned;

/// A file that is being written. [`commit`](Self::commit) renames it to its target.
///
/// Each write is a system call. Use a [`BufWriter`](std::io::BufWriter) for small writes.
pub struct AtomicFile<D: Disk = RealDisk> {
    disk: D,
    temporary: NamedTempFile,
    target: Target,
    /// The lock on the file to be replaced.
    lock: Option<Lock>,
    options: Options,
    position: u64,
    prepared: bool,
}

impl AtomicFile {
    /// Starts to write a file, and removes temporary files of killed processes from its folder.
    ///
    /// # Errors
    /// The errors of [`find_target`](crate::find_target), [`WouldBlock`](io::ErrorKind::WouldBlock) if
    /// another writer has locked the file, and errors of the system if no file can be created in the folder.
    pub fn create(target: impl AsRef<Path>, options: &Options) -> io::Result<AtomicFile> {
        Self::create_on(RealDisk, target, options)
    }
}

impl<D: Disk> AtomicFile<D> {
    /// Starts to write a file on this disk.
    ///
    /// # Errors
    /// The errors of [`create`](AtomicFile::create).
    pub fn create_on(disk: D, target: impl AsRef<Path>, options: &Options) -> io::Result<AtomicFile<D>> {
        let target = Target::find(target, options)?;
        let mut options = options.clone();
        let lock = match options.lock.take() {
            Some(lock) => Some(lock),
            None => target.replaced().map(|_| Lock::of_replaced(target.path())).transpose()?,
        };
        let mut disk = disk;
        let private = target.replaced().is_some() || options.attributes_of.is_some();
        remove_abandoned(target.folder());
        let temporary = disk.temporary(target.folder(), private)?;
        Ok(AtomicFile { disk, temporary, target, lock, options, position: 0, prepared: false })
    }

    /// Sets [`Options::durable`](field@Options::durable) after the writing began.
    #[must_use]
    pub fn durable(mut self, durable: bool) -> Self {
        self.options.durable = durable;
        self
    }

    /// The path that the file will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.target.path()
    }

    /// The temporary file. Writing to it directly does not change the position of this writer.
    #[must_use]
    pub fn as_file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Does everything that [`commit`](Self::commit) does except the rename. Call this before a last check of
    /// the target, because the flush can take long.
    ///
    /// # Errors
    /// The mode cannot be set or the file cannot be flushed. The target is unchanged.
    pub fn prepare(&mut self) -> io::Result<()> {
        if !self.prepared {
            set_attributes(
                self.temporary.as_file(),
                self.target.replaced(),
                self.options.attributes_of.as_ref(),
            )?;
            if self.options.durable {
                self.disk.sync(self.temporary.as_file())?;
            }
            self.prepared = true;
        }
        Ok(())
    }

    /// Renames the file to its target.
    ///
    /// # Errors
    /// [`CommitError::is_in_place`] tells whether the rename succeeded and only a later step failed.
    pub fn commit(mut self) -> Result<(), CommitError> {
        let failed = |cause| CommitError { progress: Progress::Before, cause };
        self.prepare().map_err(failed)?;
        let AtomicFile { mut disk, temporary, target, lock, options, .. } = self;
        if lock.as_ref().is_some_and(|lock| !lock.is_in_place()) {
            let cause = io::Error::other("another program replaced or removed the file");
            return Err(CommitError { progress: Progress::Conflict, cause });
        }
        // if the target did not exist at the start, an existing one belongs to another writer
        let moved = disk.persist(temporary, target.path(), target.is_taken());
        #[cfg(windows)]
        let moved = moved.or_else(|refused| without_lock(&mut disk, refused, target.path(), lock));
        moved.map_err(|PersistError { error: cause, .. }| {
            let conflict = options.replace && cause.kind() == io::ErrorKind::AlreadyExists;
            CommitError { progress: if conflict { Progress::Conflict } else { Progress::Before }, cause }
        })?;
        if options.durable {
            let synced = disk.sync_folder(target.folder());
            synced.map_err(|cause| CommitError { progress: Progress::InPlace, cause })?;
        }
        Ok(())
    }
}

impl<D: Disk> Write for AtomicFile<D> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.prepared = false;
        self.disk.write_at(self.temporary.as_file(), self.position, bytes)?;
        self.position += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<D: Disk> Seek for AtomicFile<D> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.as_file().metadata()?.len().checked_add_signed(offset),
        };
        let before = || io::Error::new(io::ErrorKind::InvalidInput, "the position is before the first byte");
        self.position = position.ok_or_else(before)?;
        Ok(self.position)
    }
}

impl<D: Disk> fmt::Debug for AtomicFile<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicFile")
            .field("target", &self.target.path())
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

/// Renames on disks that cannot replace an open file, such as exFAT and network disks. It releases the lock
/// just before the rename.
#[cfg(windows)]
fn without_lock(
    disk: &mut impl Disk,
    refused: PersistError,
    target: &Path,
    lock: Option<Lock>,
) -> Result<(), PersistError> {
    let PersistError { error, file } = refused;
    if error.kind() != io::ErrorKind::PermissionDenied {
        return Err(PersistError { error, file });
    }
    if lock.is_some_and(|lock| !lock.close()) {
        return Err(PersistError { error: io::ErrorKind::AlreadyExists.into(), file });
    }
    disk.persist(file, target, true).map_err(|PersistError { error, file }| {
        let error = if is_held(target) { held() } else { error };
        PersistError { error, file }
    })
}

/// Whether a program has a file open.
#[cfg(windows)]
fn is_held(path: &Path) -> bool {
    use std::os::windows::fs::OpenOptionsExt as _;
    let opened = File::options().read(true).share_mode(0).open(path);
    opened.is_err_and(|error| error.raw_os_error() == Some(crate::lock::SHARING_VIOLATION))
}

#[cfg(windows)]
fn held() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "a program has the file open")
}

/// Gives the new file the mode and owner of the replaced file, or else the caller's mode.
fn set_attributes(file: &File, replaced: Option<&Metadata>, other: Option<&Metadata>) -> io::Result<()> {
    let Some(source) = replaced.or(other) else { return Ok(()) };
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has bits that depend on the owner"))]
    let mut permissions = source.permissions();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        let kept = replaced.is_some_and(|replaced| {
            let (user, group) = (Some(replaced.uid()), Some(replaced.gid()));
            // only root may change the owner; the group may be any of the process's groups
            fchown(file, user, group).or_else(|_| fchown(file, None, group)).is_ok()
                && file.metadata().is_ok_and(|new| new.uid() == replaced.uid())
        });
        if !kept {
            // set-user-ID and set-group-ID must not apply to a new owner
            permissions.set_mode(permissions.mode() & !0o6000);
        }
    }
    // last, because changing the owner clears bits of the mode
    file.set_permissions(permissions)
}

/// A commit that failed.
#[derive(Debug)]
pub struct CommitError {
    progress: Progress,
    cause: io::Error,
}

/// The step at which a commit failed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Progress {
    /// Before the rename. The target is unchanged.
    Before,
    /// Another program changed the target. Its version is kept.
    Conflict,
    /// After the rename. The new file is in place.
    InPlace,
}

impl CommitError {
    /// Whether the new file is in place and only flushing the folder failed, so that a power failure may
    /// bring the old file back. If false, the target was not changed.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.progress == Progress::InPlace
    }

    /// Whether another program created, replaced or removed the target in the meantime. The other program's
    /// version is kept.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.progress == Progress::Conflict
    }

    /// The error of the system.
    #[must_use]
    pub fn into_cause(self) -> io::Error {
        self.cause
    }
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.progress {
            Progress::InPlace => "the new file is in its place, but its folder cannot be flushed to the disk",
            Progress::Conflict => "another program changed the file since the writing began",
            Progress::Before => "the new file cannot be put in its place",
        })
    }
}

impl Error for CommitError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}

impl From<CommitError> for io::Error {
    /// Keeps the kind of the cause.
    fn from(error: CommitError) -> io::Error {
        io::Error::new(error.cause.kind(), error)
    }
}
