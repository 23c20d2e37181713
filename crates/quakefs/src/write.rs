//! Where a game writes: configs, saved games, screenshots.

use std::fs;
use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{EntryName, NameFault};

use crate::error::{Error, ErrorKind};
use crate::qpath::QPath;
use crate::search_path::SearchPath;

impl SearchPath {
    /// The folder that the engine writes to: the highest game directory, or the user directory's copy of it where
    /// there is a user directory. `None` where no base directory is mounted. It need not exist.
    #[must_use]
    pub fn write_dir(&self) -> Option<&Utf8Path> {
        self.stack().write_dir.as_deref()
    }

    /// Writes a file below [`write_dir`](Self::write_dir), making the folders on the way, and says where it is.
    ///
    /// It is there whole or not at all: it is written beside its place, flushed to the disk, and moved. A link
    /// that leads out of the folder is not followed, and one that stands in the file's place is replaced. The
    /// next lookup sees the file, if nothing ranks above it, and if the folders are not
    /// [`Listed`](crate::LooseFiles::Listed).
    ///
    /// Fails with [`ErrorKind::NotWritable`], [`ErrorKind::Request`] or [`ErrorKind::Io`].
    pub fn write<N: AsRef<[u8]> + ?Sized>(&self, name: &N, bytes: &[u8]) -> Result<Utf8PathBuf, Error> {
        let target = self.target(name.as_ref())?;
        let root = self.root(name.as_ref())?;
        fs::create_dir_all(root).map_err(|error| Error::io(root, "make", error))?;
        let folder = target.parent().unwrap_or(root);
        make_folders(root, folder, name.as_ref())?;
        let io = |doing| move |error: io::Error| Error::io(folder, doing, error);

        let mut options = tempfile::Builder::new();
        options.prefix(".quakefs-").suffix(".tmp");
        #[cfg(unix)]
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        options.permissions(readable);
        let mut file = options.tempfile_in(folder).map_err(io("write"))?;
        file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(io("write"))?;
        file.persist(&target).map_err(|error| Error::io(&target, "write", error.error))?;
        sync_folder(folder).map_err(io("flush"))?;
        Ok(target)
    }

    /// Removes a file below [`write_dir`](Self::write_dir). What it hid is then found by the next live lookup.
    ///
    /// Fails as [`write`](Self::write) does, and with [`ErrorKind::NotFound`] where it is not there.
    pub fn remove<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Result<(), Error> {
        let name = name.as_ref();
        let target = self.target(name)?;
        let root = self.root(name)?;
        let found = target.symlink_metadata().is_ok_and(|found| !found.is_dir());
        if !found {
            return Err(ErrorKind::NotFound { name: name.to_vec() }.into());
        }
        let folder = target.parent().unwrap_or(root);
        stay_inside(root, folder, name)?;
        fs::remove_file(&target).map_err(|error| Error::io(&target, "remove", error))?;
        sync_folder(folder).map_err(|error| Error::io(folder, "flush", error))
    }

    fn root(&self, name: &[u8]) -> Result<&Utf8Path, Error> {
        let why = "there is no game directory to write to";
        self.write_dir()
            .ok_or_else(|| ErrorKind::NotWritable { name: name.to_vec(), why: why.to_owned() }.into())
    }

    /// Where a name is written, as far as its text goes.
    fn target(&self, name: &[u8]) -> Result<Utf8PathBuf, Error> {
        let not_writable = |why: String| ErrorKind::NotWritable { name: name.to_vec(), why };
        let qpath = QPath::new(name, &self.rules().requests)
            .map_err(|reason| ErrorKind::Request { name: name.to_vec(), reason })?;
        let path = EntryName::from_bytes(qpath.in_folders());
        let path = path.to_disk_path().map_err(|fault: NameFault| not_writable(fault.to_string()))?;
        let path =
            std::str::from_utf8(&path).map_err(|_| not_writable("the name is not UTF-8".to_owned()))?;
        Ok(self.root(name)?.join(path))
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
    let why = format!("{folder} is a link that leads out of {root}");
    Err(ErrorKind::NotWritable { name: name.to_vec(), why }.into())
}

/// Makes a move last: the entry of a file is in its folder.
fn sync_folder(folder: &Utf8Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}
