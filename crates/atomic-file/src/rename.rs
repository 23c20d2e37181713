//! A name that is changed.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

/// Gives a file or a folder another name, and never replaces what has that name. Where the disk ignores case, the other name
/// may be another spelling of its own.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (from, to) = (folder.path().join("PAK0.PAK"), folder.path().join("pak0.pak"));
/// # std::fs::write(&from, "PACK")?;
/// atomic_file::rename(&from, &to)?;
/// assert_eq!(std::fs::read(&to)?, b"PACK");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists), and what the system says. Where the system has no move that
/// replaces nothing, another program may take the name in the moment between the look at it and the move.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (from.as_ref(), to.as_ref());
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            // a file system that does not know the flag, or a spelling of the file's own
            Err(Errno::INVAL | Errno::NOSYS | Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if to.symlink_metadata().is_ok() && !is_own_spelling(from, to)? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// Whether what is found at `to` is what has the name `from`, in another spelling.
fn is_own_spelling(from: &Path, to: &Path) -> io::Result<bool> {
    let (Some(old), Some(new), Some(folder)) = (from.file_name(), to.file_name(), to.parent()) else {
        return Ok(false);
    };
    let capitals = |name: &OsStr| name.to_str().map(str::to_uppercase);
    if from.parent() != Some(folder) || capitals(old) != capitals(new) {
        return Ok(false);
    }
    // both may be there, where case counts
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in folder.read_dir()? {
        if entry?.file_name() == new {
            return Ok(false);
        }
    }
    Ok(true)
}
