//! Paths from the caller, and the names in their folders.

use std::io;
use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};

use super::Builder;
use crate::disk::{self, Disk, FileKind};
use crate::error::{Error, ErrorKind, utf8};

/// A caller's path, and the absolute path on the disk.
#[derive(Clone, Debug)]
pub(super) struct CallerPath {
    pub(super) given: Utf8PathBuf,
    pub(super) absolute: Utf8PathBuf,
}

impl CallerPath {
    pub(super) fn new(
        disk: &dyn Disk,
        builder: &Builder,
        path: &Path,
        doing: &'static str,
    ) -> Result<Self, Error> {
        let given = utf8(path)?;
        // joining an empty path would append a slash
        let from_root = builder.from.as_ref().filter(|_| given != "").map(|from| from.join(given));
        let absolute = disk.absolute(from_root.as_deref().unwrap_or(given));
        let absolute = absolute.map_err(|error| match given.as_str() {
            "" => ErrorKind::EmptyPath.into(),
            _ => Error::io(given, doing, error),
        })?;
        Ok(CallerPath { given: given.to_owned(), absolute })
    }

    /// Folders that are opened.
    pub(super) fn all(disk: &dyn Disk, builder: &Builder, paths: &[PathBuf]) -> Result<Vec<Self>, Error> {
        paths.iter().map(|path| CallerPath::new(disk, builder, path, "open")).collect()
    }

    pub(super) fn join(&self, name: &str) -> CallerPath {
        CallerPath { given: self.given.join(name), absolute: self.absolute.join(name) }
    }
}

pub(super) fn not_a_folder(disk: &dyn Disk, path: &CallerPath) -> Error {
    let why = if disk.stat(path.absolute.as_std_path()).is_ok() {
        io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder")
    } else {
        io::Error::new(io::ErrorKind::NotFound, "the folder does not exist")
    };
    Error::io(&path.given, "mount", why)
}

pub(super) fn is_folder(disk: &dyn Disk, path: &Utf8Path) -> bool {
    disk.stat(path.as_std_path()).is_ok_and(|stat| stat.is_folder())
}

pub(super) fn is_file(disk: &dyn Disk, path: &Utf8Path) -> bool {
    disk.stat(path.as_std_path()).is_ok_and(|stat| stat.is_file())
}

/// The direct subfolders of a folder; none if it cannot be listed.
pub(super) fn folders_in(disk: &dyn Disk, folder: &Utf8Path) -> Vec<String> {
    disk::folders_in(disk, folder).unwrap_or_default()
}

/// The names directly in a folder that the filter accepts, in byte order; none if it cannot be listed.
pub(super) fn names_in(
    disk: &dyn Disk,
    folder: &Utf8Path,
    wanted: &dyn Fn(&str, FileKind) -> bool,
) -> Vec<String> {
    disk::names_in(disk, folder, wanted).unwrap_or_default()
}

/// The disk's spelling of a folder's name, found in any case: the first existing one in byte order.
pub(super) fn spelled(disk: &dyn Disk, base: &Utf8Path, name: &str) -> String {
    if is_folder(disk, &base.join(name)) {
        return name.to_owned();
    }
    let alike = folders_in(disk, base).into_iter().find(|found| found.eq_ignore_ascii_case(name));
    alike.unwrap_or_else(|| name.to_owned())
}
