//! The operations that change a disk.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::{NamedTempFile, PersistError};

use crate::identity::Identity;
use crate::temporary;

/// The operations that change a disk. [`RealDisk`] performs them. A test can implement this trait to make one
/// of them fail.
///
/// # Errors
/// Each operation returns the error of its system call.
#[expect(clippy::missing_errors_doc, reason = "each step fails with what the system says")]
pub trait Disk {
    /// Writes all bytes at an offset, which may be past the end.
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Truncates or extends a file.
    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()>;

    /// Makes the content of a file survive a power failure.
    fn sync(&mut self, file: &File) -> io::Result<()>;

    /// Creates a temporary file in a folder. If `private`, only its owner may access it; otherwise it has the
    /// mode of a new file.
    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile>;

    /// Renames a temporary file to its target, or returns it with the error. Fails if `replace` is false and
    /// the target exists.
    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> Result<(), PersistError>;

    /// Makes the names in a folder survive a power failure.
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;
}

/// The system's disk.
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
        // a child process that is just starting holds a copy of the open file for a moment, and with it the
        // lock
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

/// Renames a file over its target.
#[cfg(not(windows))]
fn replacing(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    file.persist(target)
}

/// Renames a file over its target. Uses the standard library's rename, because it works on open targets if
/// the disk supports that; `tempfile` uses an older call.
#[cfg(windows)]
#[expect(clippy::permissions_set_readonly_false, reason = "Windows has no other permissions")]
fn replacing(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    use std::fs::{rename, set_permissions};

    let mut moved = rename(file.path(), target);
    if moved.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        && let Ok(found) = target.symlink_metadata()
        && found.permissions().readonly()
    {
        // only the folder's permissions should decide, as on other systems; the new file already has the
        // attribute
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
        // the temporary file has no path any more
        Ok(()) => Ok(file.into_parts().0),
        Err(error) => Err(PersistError { error, file }),
    }
}

/// Renames a file to a target that does not exist.
fn to_free_place(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    match file.persist_noclobber(target) {
        Err(PersistError { error, file }) if neither_moves_nor_links(&error) => {
            to_claimed_place(file, target)
        }
        moved => moved,
    }
}

/// Whether the error may mean that the disk supports neither renaming without replacement nor hard links,
/// like exFAT, SMB and others through FUSE.
fn neither_moves_nor_links(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    cfg!(unix) && matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

/// Reserves the name with a new empty file (fails if it exists), then renames the temporary file over it.
fn to_claimed_place(file: NamedTempFile, target: &Path) -> Result<File, PersistError> {
    let claimed = File::options().write(true).create_new(true).open(target);
    let claim = match claimed.and_then(|claimed| Identity::of(&claimed)) {
        Ok(claim) => claim,
        Err(error) => return Err(PersistError { error, file }),
    };
    // a program that ignores locks may have put its own file there in the meantime
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
