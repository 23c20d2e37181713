//! A folder for temporary files, which is removed at the end.

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use crate::console::{Console, Failure, Message};

pub(crate) struct Scratch {
    path: Utf8PathBuf,
    folder: TempDir,
}

impl Scratch {
    /// Makes a folder that only this user can read.
    pub(crate) fn new(console: &Console<'_>) -> Result<Self, Failure> {
        let Some(place) = &console.environment.temporary else {
            return Err(Message::without_help("no folder for temporary files is known").into());
        };
        let failed = |why: String| {
            let text = format!("{}: no temporary folder can be made: {why}", place.display());
            Message::new(text, "name another folder in TMPDIR, or in TMP on Windows")
        };
        let folder = tempfile::Builder::new().prefix("quakefs-").tempdir_in(place);
        let folder = folder.map_err(|error| failed(error.to_string()))?;
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned());
        let path = path.map_err(|_| failed("its path is not UTF-8".to_owned()))?;
        Ok(Scratch { path, folder })
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    pub(crate) fn join(&self, name: impl AsRef<Utf8Path>) -> Utf8PathBuf {
        self.path.join(name)
    }

    /// Keeps the folder, and returns its path.
    pub(crate) fn keep(self) -> Utf8PathBuf {
        let _ = self.folder.keep();
        self.path
    }
}
