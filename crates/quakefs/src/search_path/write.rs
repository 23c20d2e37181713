//! The folder for files that a game writes: configs, saved games, screenshots.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryName;

use super::surface::SearchPath;
use crate::error::{Error, ErrorKind, NotWritable};
use crate::rules::QPath;

impl SearchPath {
    /// The user directory: the caller's, or the engine's folder in the home folder. `None` if neither is known. It may
    /// be missing on disk.
    #[must_use]
    pub fn user_directory(&self) -> Option<&Utf8Path> {
        self.0.places.user.as_deref()
    }

    /// The folder that the engine writes to: the highest game directory, in the user directory if there is one, else in the
    /// highest base directory. `None` without a base directory. It may be missing on disk.
    #[must_use]
    pub fn write_dir(&self) -> Option<&Utf8Path> {
        self.0.places.write_dir.as_deref()
    }

    /// Writes a file in [`write_dir`](Self::write_dir) or below, and returns its path. Missing folders are made.
    ///
    /// The write is atomic: a temporary file in the same folder is flushed and renamed. Links out of the write directory
    /// are not followed, and a link with the file's name is replaced. The next lookup finds the file, unless a higher layer
    /// has the name or the folders are [`Listed`](crate::LooseFiles::Listed). Other disks write with their
    /// [`write_file`](crate::disk::Disk::write_file): a disk in memory stores the file, an archive refuses.
    ///
    /// ```
    /// # let game = testutils::game("id1/: autoexec.cfg");
    /// # let quake = quakefs::SearchPath::builder(game.path()).mount()?;
    /// quake.write("config.cfg", "bind w +forward")?;
    /// assert_eq!(quake.read("config.cfg")?, "bind w +forward");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotWritable`], [`ErrorKind::Request`] or [`ErrorKind::Io`].
    pub fn write(&self, name: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> Result<Utf8PathBuf, Error> {
        let name = name.as_ref();
        let target = self.made(name)?;
        let written = self.disk().write_file(target.as_std_path(), bytes.as_ref());
        written.map_err(|error| not_written(name, &target, "write", error))?;
        Ok(target)
    }

    /// Removes a file in [`write_dir`](Self::write_dir) or below. The next live lookup finds the copy that it overrode.
    ///
    /// # Errors
    /// The errors of [`write`](Self::write), and [`ErrorKind::NotFound`] if the file is missing.
    pub fn remove(&self, name: impl AsRef<[u8]>) -> Result<(), Error> {
        let name = name.as_ref();
        let (root, target) = self.target(name)?;
        let fail = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => {
                ErrorKind::NotFound { name: name.into() }.into()
            }
            _ => not_written(name, &target, "remove", error),
        };
        self.disk().remove_file(root.as_std_path(), target.as_std_path()).map_err(fail)
    }

    /// The write directory, and the path of a name in it. This does not touch the disk.
    fn target(&self, name: &[u8]) -> Result<(&Utf8Path, Utf8PathBuf), Error> {
        let fail = |why| Error::from(ErrorKind::NotWritable { name: name.into(), why });
        let qpath = QPath::new(name, &self.rules().requests)
            .map_err(|reason| ErrorKind::Request { name: name.into(), reason })?;
        let path = EntryName::from_bytes(qpath.in_folders());
        let path = path.to_disk_path().map_err(|fault| fail(NotWritable::Name(fault)))?;
        let path = std::str::from_utf8(&path).map_err(|_| fail(NotWritable::NotUtf8))?;
        let root = self.write_dir().ok_or_else(|| fail(NotWritable::NoDirectory))?;
        Ok((root, root.join(path)))
    }

    /// The path of a name, after its folder is made.
    fn made(&self, name: &[u8]) -> Result<Utf8PathBuf, Error> {
        let (root, target) = self.target(name)?;
        let folder = target.parent().unwrap_or(root);
        let made = self.disk().make_folder(root.as_std_path(), folder.as_std_path());
        made.map_err(|error| not_written(name, folder, "make", error))?;
        Ok(target)
    }
}

/// Converts an error of a disk that did not write.
fn not_written(name: &[u8], path: &Utf8Path, doing: &'static str, error: io::Error) -> Error {
    let not_writable = |why| Error::from(ErrorKind::NotWritable { name: name.into(), why });
    // from a disk that refuses writes, not from the system
    let is_bare = error.raw_os_error().is_none() && error.get_ref().is_none();
    if is_bare && error.kind() == io::ErrorKind::Unsupported {
        return not_writable(NotWritable::Disk { path: path.to_owned() });
    }
    match error.downcast::<Error>() {
        Ok(error) => match error.kind() {
            ErrorKind::NotWritable { why, .. } => not_writable(why.clone()),
            _ => error,
        },
        Err(error) => Error::io(path, doing, error),
    }
}
