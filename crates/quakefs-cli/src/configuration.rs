//! The user's configuration: the base directory and the engine for commands that name none.

use std::io::Write as _;
use std::path::Path;

use atomic_file::{AtomicFile, Options};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::console::{Environment, Failure, Message};

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Configuration {
    /// A folder, or a game such as `steam:quake`.
    pub(crate) basedir: Option<Utf8PathBuf>,
    /// The name of an engine.
    pub(crate) engine: Option<String>,
}

/// The most bytes of the file.
const SIZE: u64 = 1 << 16;

impl Configuration {
    /// Reads the file. A missing one sets nothing.
    pub(crate) fn of(environment: &Environment) -> Result<Self, Failure> {
        let Some(file) = &environment.configuration else { return Ok(Self::default()) };
        let Ok(path) = file_of(file) else { return Ok(Self::default()) };
        // a folder or a pipe may have the name
        if !path.exists() {
            return Ok(Self::default());
        }
        let help = "correct the file, or remove it";
        let failed = |why: String| Failure::from(Message::new(format!("{path}: {why}"), help));
        if !path.is_file() {
            return Err(failed("it is not a regular file".to_owned()));
        }
        let bytes = bounded::read(path, SIZE).map_err(|error| failed(format!("cannot be read: {error}")))?;
        let text = str::from_utf8(&bytes).map_err(|error| failed(format!("it is not UTF-8: {error}")))?;
        toml::from_str(text).map_err(|error| {
            let line =
                error.span().map_or(0, |span| text.bytes().take(span.start).filter(|b| *b == b'\n').count());
            failed(format!("line {}: {}", line + 1, error.message()))
        })
    }

    /// Writes the file, and creates its folder.
    pub(crate) fn write(&self, file: &Path) -> Result<(), Failure> {
        let path = file_of(file)?;
        let failed = |error: std::io::Error| {
            Failure::from(Message::without_help(format!("{path}: cannot be written: {error}")))
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let text = toml::to_string(self).map_err(|error| Message::without_help(error.to_string()))?;
        let written = AtomicFile::create(path, &Options::new().replace(true)).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.commit().map_err(std::io::Error::from)
        });
        written.map_err(failed)
    }
}

/// The path of the file, which messages repeat.
pub(crate) fn file_of(file: &Path) -> Result<&Utf8Path, Failure> {
    Utf8Path::from_path(file)
        .ok_or_else(|| Message::without_help(format!("{}: the path is not UTF-8", file.display())).into())
}
