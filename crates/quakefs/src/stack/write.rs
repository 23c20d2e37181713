//! Where a game writes: configs, saved games, screenshots.

use std::fs;
use std::io::{self, Write as _};

use atomic_file::{AtomicFile, Options};
use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryName;

use super::search_path::SearchPath;
use crate::error::{Error, ErrorKind, NotWritable};
use crate::rules::QPath;

impl SearchPath {
    /// The user directory that was looked at: the one that the caller named, or the engine's below the home folder.
    /// `None` where there is neither. It need not exist.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::SearchPath;
    /// let quake = SearchPath::builder(base).user_directory(base.join("mine")).mount()?;
    /// assert_eq!(quake.user_directory().unwrap(), base.join("mine"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn user_directory(&self) -> Option<&Utf8Path> {
        self.0.user.as_deref()
    }

    /// The folder that the engine writes to: the highest game directory, in the user directory where there is one, else
    /// in the base directory that ranks highest. `None` where no base directory is mounted. It need not exist.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let quake = quakefs::SearchPath::builder(base).mount()?;
    /// assert_eq!(quake.write_dir().unwrap(), base.join("id1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn write_dir(&self) -> Option<&Utf8Path> {
        self.0.write_dir.as_deref()
    }

    /// Writes a file below [`write_dir`](Self::write_dir), making the folders on the way, and gives its path.
    ///
    /// The bytes go to a temporary file in the same folder, which is flushed to the disk and renamed: the file is there
    /// whole or not at all. A link that leads out of the write directory is not followed, and one that stands in the
    /// file's place is replaced. The next lookup sees the file, unless a layer above has the name or the folders are
    /// [`Listed`](crate::LooseFiles::Listed). Where the stack's disk is in memory or an archive nothing is written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let quake = quakefs::SearchPath::builder(base).mount()?;
    /// quake.write("config.cfg", "bind w +forward")?;
    /// assert_eq!(quake.read("config.cfg")?, "bind w +forward");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NotWritable`], [`ErrorKind::Request`] or [`ErrorKind::Io`].
    pub fn write(&self, name: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> Result<Utf8PathBuf, Error> {
        let target = self.write_path(name)?;
        let io = |error: io::Error| Error::io(&target, "write", error);
        let options = Options::new().replace(true).follow_links(false);
        let mut file = AtomicFile::create(&target, &options).map_err(io)?;
        file.write_all(bytes.as_ref()).map_err(io)?;
        file.commit().map_err(|error| {
            let doing = if error.is_in_place() { "flush" } else { "write" };
            Error::io(&target, doing, error.into_cause())
        })?;
        Ok(target)
    }

    /// Where [`write`](Self::write) puts a file of this name, for what is written piece by piece, such as a demo or a log. The
    /// folders on the way are made.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let quake = quakefs::SearchPath::builder(base).mount()?;
    /// let demo = std::fs::File::create(quake.write_path("demos/run.dem")?)?;
    /// assert!(quake.write_path("../run.dem").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_path(&self, name: impl AsRef<[u8]>) -> Result<Utf8PathBuf, Error> {
        let name = name.as_ref();
        let (root, target) = self.target(name)?;
        fs::create_dir_all(root).map_err(|error| Error::io(root, "make", error))?;
        make_folders(root, target.parent().unwrap_or(root), name)?;
        Ok(target)
    }

    /// Removes a file below [`write_dir`](Self::write_dir). The file that it hid is then found by the next live
    /// lookup.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let quake = quakefs::SearchPath::builder(base).mount()?;
    /// quake.remove("autoexec.cfg")?;
    /// assert!(quake.find("autoexec.cfg").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write), and [`ErrorKind::NotFound`] where there is no such file.
    pub fn remove(&self, name: impl AsRef<[u8]>) -> Result<(), Error> {
        let name = name.as_ref();
        let (root, target) = self.target(name)?;
        let found = target.symlink_metadata().is_ok_and(|found| !found.is_dir());
        if !found {
            return Err(ErrorKind::NotFound { name: name.into() }.into());
        }
        let folder = target.parent().unwrap_or(root);
        stay_inside(root, folder, name)?;
        fs::remove_file(&target).map_err(|error| Error::io(&target, "remove", error))?;
        sync_folder(folder).map_err(|error| Error::io(folder, "flush", error))
    }

    /// Where a name is written, as far as its text goes: the write directory, and the path in it.
    fn target(&self, name: &[u8]) -> Result<(&Utf8Path, Utf8PathBuf), Error> {
        let fail = |why| Error::from(ErrorKind::NotWritable { name: name.into(), why });
        let qpath = QPath::new(name, &self.rules().requests)
            .map_err(|reason| ErrorKind::Request { name: name.into(), reason })?;
        let path = EntryName::from_bytes(qpath.in_folders());
        let path = path.to_disk_path().map_err(|fault| fail(NotWritable::Name(fault)))?;
        let path = std::str::from_utf8(&path).map_err(|_| fail(NotWritable::NotUtf8))?;
        let root = self.write_dir().ok_or_else(|| fail(NotWritable::NoDirectory))?;
        let target = root.join(path);
        // also where a disk that lies above has something on the way
        if !self.is_on_system(root) || !self.is_on_system(&target) {
            return Err(fail(NotWritable::NotOnSystem { path: target }));
        }
        Ok((root, target))
    }

    /// Whether the stack's disk has a path of its own where the system has it.
    fn is_on_system(&self, path: &Utf8Path) -> bool {
        self.disk().on_system(path.as_std_path()).is_some_and(|on_system| on_system == path)
    }
}

fn make_folders(root: &Utf8Path, folder: &Utf8Path, name: &[u8]) -> Result<(), Error> {
    let mut path = root.to_owned();
    for part in folder.strip_prefix(root).into_iter().flat_map(Utf8Path::components) {
        path.push(part);
        match fs::create_dir(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(Error::io(&path, "make", error));
            }
            // a link may stand there, so each step is looked at before the next
            _ => stay_inside(root, &path, name)?,
        }
    }
    Ok(())
}

fn stay_inside(root: &Utf8Path, folder: &Utf8Path, name: &[u8]) -> Result<(), Error> {
    let real = |path: &Utf8Path| path.canonicalize().map_err(|error| Error::io(path, "open", error));
    if real(folder)?.starts_with(real(root)?) {
        return Ok(());
    }
    let why = NotWritable::LeadsOut { link: folder.to_owned(), root: root.to_owned() };
    Err(ErrorKind::NotWritable { name: name.into(), why }.into())
}

/// Makes the removal of a file last: its entry is in its folder.
fn sync_folder(folder: &Utf8Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}
