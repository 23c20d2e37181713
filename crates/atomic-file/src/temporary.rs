//! Temporary files: their names, the locks on them, and the ones that killed processes left.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::lock::open_regular;

const PREFIX: &str = ".quakefs-";
const SUFFIX: &str = ".tmp";

/// Whether a file of this name is the temporary of an [`AtomicFile`](crate::AtomicFile): one that is being written, or
/// one that a killed process left.
///
/// ```
/// assert!(atomic_file::is_temporary(".quakefs-a8Xk2p.tmp"));
/// assert!(!atomic_file::is_temporary("pak0.pak"));
/// ```
#[must_use]
pub fn is_temporary(file_name: &str) -> bool {
    file_name.starts_with(PREFIX) && file_name.ends_with(SUFFIX)
}

/// Makes a temporary file in a folder, and locks it.
pub(crate) fn make(folder: &Path, private: bool) -> io::Result<NamedTempFile> {
    let mut options = tempfile::Builder::new();
    options.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    if !private {
        // the umask of the process takes from this, as it does from any new file
        options.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = private;
    loop {
        // the whole error names the temporary file, of which the caller knows nothing
        let made = if cfg!(windows) {
            // as any file, and not with the attribute of those that need not reach the disk
            options.make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path))
        } else {
            options.tempfile_in(folder)
        };
        let file = made.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(error.kind(), "its folder is not there"),
            kind => kind.into(),
        })?;
        if hold_temporary(file.as_file())? {
            return Ok(file);
        }
    }
}

/// Whether a folder takes `A` and `a` for one name. A temporary file is made there for the question.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// // a fact of the folder: a disk of Windows may be mounted on any system
/// println!("{}", atomic_file::ignores_case(folder.path())?);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of the system where no file can be made in the folder.
pub fn ignores_case(folder: &Path) -> io::Result<bool> {
    let file = make(folder, true)?;
    let other = file.path().with_file_name(file.path().file_name().unwrap_or_default().to_ascii_uppercase());
    Ok(other.symlink_metadata().is_ok())
}

/// Locks a new temporary as long as it is open, so that [`remove_abandoned`] leaves it. Returns false where another
/// process was faster and has removed the temporary: then a new one is needed.
///
/// # Errors
/// Those of the system.
pub fn hold_temporary(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(false),
        // where there are no locks, no temporary is removed
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    #[cfg(unix)]
    return Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0);
    #[cfg(windows)]
    return Ok(winapi_util::file::information(file)?.number_of_links() > 0);
    #[cfg(not(any(unix, windows)))]
    Ok(true)
}

/// Removes the temporaries in a folder that no process holds: those that a killed process left. What cannot be listed
/// or removed stays.
pub fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_temporary)) {
        let path = entry.path();
        // a link may have the name of a temporary; what it leads to is none
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok((file, _)) = open_regular(&path, OpenOptions::new().read(true).write(true)) else { continue };
        if file.try_lock().is_ok() {
            // elsewhere an open file cannot be removed
            #[cfg(not(unix))]
            drop(file);
            let _ = fs::remove_file(&path);
        }
    }
}
