//! Paths from C: bytes on Unix, UTF-8 elsewhere. Search paths need UTF-8, so a path in other bytes gets a
//! UTF-8 alias, and a disk translates the alias to the real path.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quakefs::Access;
use quakefs::camino::{Utf8Path, Utf8PathBuf};
use quakefs::disk::{Disk, Item, Opened, Stat, SystemDisk, SystemPath};
use quakefs::pak_format::name::escape_path;
use quakefs::rules::Spelling;

use crate::border::Failure;

/// The aliases, each with its real path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Vec<(PathBuf, PathBuf)>);

impl Places {
    /// The path itself if it is UTF-8, else its alias.
    pub(crate) fn named(&mut self, given: &Path) -> Result<PathBuf, Failure> {
        let absolute = std::path::absolute(given).unwrap_or_else(|_| given.to_owned());
        // the current folder may not be UTF-8
        if given.to_str().is_some() && absolute.to_str().is_some() {
            return Ok(given.to_owned());
        }
        let stand_in = PathBuf::from(escape_path(&absolute).into_owned());
        if stand_in.symlink_metadata().is_ok() {
            let text = format!(
                "{} is not UTF-8, and another folder has the name that it is shown by",
                stand_in.display()
            );
            return Err(Failure::argument(text));
        }
        self.0.push((stand_in.clone(), absolute));
        Ok(stand_in)
    }

    /// The real path.
    pub(crate) fn real<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let within = |(stand_in, real): &(PathBuf, PathBuf)| {
            let rest = path.strip_prefix(stand_in).ok()?;
            Some(if rest.as_os_str().is_empty() { real.clone() } else { real.join(rest) })
        };
        self.0.iter().find_map(within).map_or(Cow::Borrowed(path), Cow::Owned)
    }

    /// The disk that translates the aliases, if there are any.
    pub(crate) fn disk(self) -> Arc<dyn Disk> {
        if self.0.is_empty() { Arc::new(SystemDisk) } else { Arc::new(self) }
    }
}

impl Disk for Places {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        SystemDisk.list(&self.real(folder))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        SystemDisk.stat(&self.real(path))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        SystemDisk.open(&self.real(path), access)
    }

    fn can_read(&self, path: &Path) -> bool {
        SystemDisk.can_read(&self.real(path))
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        SystemDisk.link_target(&self.real(path))
    }

    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        SystemDisk.spelling(&self.real(folder), has)
    }

    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        SystemDisk.absolute(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        SystemDisk.real(&self.real(path))
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        Some(SystemPath::File(self.real(path).into_owned()))
    }
}

/// A path from C.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some bytes are no path")]
pub(crate) fn path<'p>(bytes: &'p [u8], _: &str) -> Result<&'p Path, Failure> {
    Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub(crate) fn path<'p>(bytes: &'p [u8], what: &str) -> Result<&'p Path, Failure> {
    crate::border::utf8(bytes, what).map(Path::new)
}

/// A path for C.
#[cfg(unix)]
pub(crate) fn bytes_of(path: &Path) -> &[u8] {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str())
}

#[cfg(not(unix))]
pub(crate) fn bytes_of(path: &Path) -> &[u8] {
    path.to_str().unwrap_or_default().as_bytes()
}
