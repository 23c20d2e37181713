//! The operations that change a disk.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{NamedTempFile, PersistError};

use crate::identity::Identity;
use crate::temporary;

/// The operations that change a disk. [`RealDisk`] performs them; a test performs them up to the one that fails.
///
/// # Errors
/// Each operation fails as the system call that it makes.
#[expect(clippy::missing_errors_doc, reason = "each step fails with what the system says")]
pub trait Disk {
    /// Writes all bytes at an offset, past the end too.
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts or extends a file.
    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()>;

    /// Makes the content of a file survive a power failure.
    fn sync(&mut self, file: &File) -> io::Result<()>;

    /// Makes a temporary file in a folder. A `private` one is for its owner alone; any other has the mode of a new
    /// file.
    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile>;

    /// Moves a temporary file to its target, or gives the temporary back. Fails if `replace` is false and the target
    /// exists.
    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> Result<(), PersistError>;

    /// Makes the names in a folder survive a power failure.
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;
}

/// The disk as the system gives it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    #[cfg(unix)]
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
    }

    #[cfg(not(unix))]
    fn write_at(&mut self, mut file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek as _, SeekFrom, Write as _};
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile> {
        temporary::make(folder, private)
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> Result<(), PersistError> {
        let file = if replace { replacing(file, target) } else { to_free_place(file, target) }?;
        // a process that is being started has a copy of the open file for a moment, and the lock with it
        let _ = file.unlock();
        Ok(())
    }

    #[cfg(unix)]
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// Other systems have no such call.
    #[cfg(not(unix))]
    fn sync_folder(&mut self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl<D: Disk + ?Sized> Disk for &mut D {
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_at(file, offset, bytes)
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        (**self).set_len(file, length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        (**self).sync(file)
    }

    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile> {
        (**self).temporary(folder, private)
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> Result<(), PersistError> {
        (**self).persist(file, target, replace)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        (**self).sync_folder(folder)
    }
}

/// Moves a file to a target, and replaces what is there.
#[cfg(not(windows))]
fn replacing(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    file.persist(target)
}

/// Moves a file to a target, and replaces what is there. Where the disk can do that, the target may be open meanwhile, which
/// is why this is the standard library's move: that of `tempfile` is an older one.
#[cfg(windows)]
#[expect(clippy::permissions_set_readonly_false, reason = "Windows has no other permissions")]
fn replacing(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    use std::fs::{rename, set_permissions};

    let mut moved = rename(file.path(), target);
    if moved.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        && let Ok(found) = target.symlink_metadata()
        && found.permissions().readonly()
    {
        // the folder decides who replaces a file, as elsewhere; the new file has the attribute already
        let mut writable = found.permissions();
        writable.set_readonly(false);
        if set_permissions(target, writable).is_ok() {
            moved = rename(file.path(), target);
            if moved.is_err() {
                let _ = set_permissions(target, found.permissions());
            }
        }
    }
    match moved {
        // the temporary has no path any more
        Ok(()) => Ok(file.into_parts().0),
        Err(error) => Err(PersistError { error, file }),
    }
}

/// Moves a file to a place where nothing is.
fn to_free_place(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    match file.persist_noclobber(target) {
        Err(PersistError { error, file }) if neither_moves_nor_links(&error) => {
            to_claimed_place(file, target)
        }
        moved => moved,
    }
}

/// Whether a disk may have reported that it knows neither a move to a free place nor a second name for a file: exFAT, SMB,
/// and others through FUSE.
fn neither_moves_nor_links(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    cfg!(unix) && matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

/// Makes an empty file, which fails where anything is, and moves the file over that one.
fn to_claimed_place(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    let claimed = File::options().write(true).create_new(true).open(target);
    let claim = match claimed.and_then(|claimed| Identity::of(&claimed)) {
        Ok(claim) => claim,
        Err(error) => return Err(PersistError { error, file }),
    };
    // a program that asks nobody may have put its own file there since
    let is_claim = || {
        let is_empty = target.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() == 0);
        is_empty && Identity::at(target).is_ok_and(|there| there == claim)
    };
    if !is_claim() {
        return Err(PersistError { error: io::ErrorKind::AlreadyExists.into(), file });
    }
    replacing(file, target).inspect_err(|_| {
        if is_claim() {
            let _ = std::fs::remove_file(target);
        }
    })
}
