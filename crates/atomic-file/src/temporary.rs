//! Temporary files: their names, their locks, and removing the ones that killed processes left.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::lock::open_regular;

const PREFIX: &str = ".quakefs-";
const SUFFIX: &str = ".tmp";

/// Whether [`AtomicFile`](crate::AtomicFile) gives such a name to its temporary files.
#[must_use]
pub fn is_temporary(file_name: &str) -> bool {
    file_name.starts_with(PREFIX) && file_name.ends_with(SUFFIX)
}

/// Creates and locks a temporary file in a folder.
pub(crate) fn make(folder: &Path, private: bool) -> io::Result<NamedTempFile> {
    let mut options = tempfile::Builder::new();
    options.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    if !private {
        // reduced by the umask, like the mode of any new file
        options.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = private;
    loop {
        // the full error would name the temporary file, which means nothing to the caller
        let made = if cfg!(windows) {
            // opened like any file, without the attribute for temporary files
            options.make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path))
        } else {
            options.tempfile_in(folder)
        };
        let file = made.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(error.kind(), "its folder does not exist"),
            kind => kind.into(),
        })?;
        if hold_temporary(file.as_file())? {
            return Ok(file);
        }
    }
}

/// Whether a folder ignores case. Creates a temporary file in it to find out.
///
/// # Errors
/// No file can be created in the folder.
pub fn ignores_case(folder: &Path) -> io::Result<bool> {
    let file = make(folder, true)?;
    let other = file.path().with_file_name(file.path().file_name().unwrap_or_default().to_ascii_uppercase());
    Ok(other.symlink_metadata().is_ok())
}

/// Locks a new temporary file while it is open, so that [`remove_abandoned`] does not remove it. Returns
/// false if another process has already removed it; then a new one is needed.
///
/// # Errors
/// The errors of the system.
pub fn hold_temporary(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(false),
        // without locks, nobody removes temporary files
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    #[cfg(unix)]
    return Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0);
    #[cfg(windows)]
    return Ok(winapi_util::file::information(file)?.number_of_links() > 0);
    #[cfg(not(any(unix, windows)))]
    Ok(true)
}

/// Removes temporary files that killed processes left in a folder. Files that cannot be listed or removed
/// stay.
pub fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(is_temporary)) {
        let path = entry.path();
        // a link with such a name is not a temporary file
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok((file, _)) = open_regular(&path, OpenOptions::new().read(true).write(true)) else { continue };
        if file.try_lock().is_ok() {
            // other systems cannot remove an open file
            #[cfg(not(unix))]
            drop(file);
            let _ = fs::remove_file(&path);
        }
    }
}
