//! Renaming without replacement.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Renames a file or folder without ever replacing another one. The new name may differ only in case, also on disks that ignore case.
///
/// # Errors
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists), and the errors of the system.
///
/// # Limits
/// If the system cannot rename without replacement, another program may create the name between the check and the rename. If the
/// system ignores a change of case, the file is renamed in two steps and has its own name plus `.renamed-0` for a moment.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (from.as_ref(), to.as_ref());
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            // the file system does not support the flag, or the names differ only in case
            Err(Errno::INVAL | Errno::NOSYS | Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if to.symlink_metadata().is_err() {
        return fs::rename(from, to);
    }
    // on a disk that distinguishes case, both may exist
    if !differ_in_case_alone(from, to) || is_listed(to)? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)?;
    if is_listed(to)? {
        return Ok(());
    }
    // some systems treat both names as one file and do nothing
    let between = free_name(to);
    fs::rename(from, &between)?;
    fs::rename(&between, to).or_else(|error| fs::rename(&between, from).and(Err(error)))
}

fn differ_in_case_alone(from: &Path, to: &Path) -> bool {
    let capitals = |path: &Path| path.file_name().and_then(OsStr::to_str).map(str::to_uppercase);
    from.parent() == to.parent() && capitals(from).is_some() && capitals(from) == capitals(to)
}

/// Whether a folder contains exactly this name.
fn is_listed(path: &Path) -> io::Result<bool> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in folder.read_dir()? {
        if Some(&*entry?.file_name()) == path.file_name() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn free_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().display();
    let names = (0_u32..).map(|number| path.with_file_name(format!("{name}.renamed-{number}")));
    names.into_iter().find(|path| path.symlink_metadata().is_err()).unwrap_or_default()
}
