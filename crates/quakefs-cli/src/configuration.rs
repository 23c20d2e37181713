//! The user's configuration: the base directory and the engine for commands that name none.

use std::io::{ErrorKind, Write as _};
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
        let help = "correct the file, or remove it";
        let failed = |why: String| Failure::from(Message::new(format!("{path}: {why}"), help));
        match path.metadata() {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Self::default());
            }
            // what cannot be reached may set something
            Err(error) => return Err(failed(format!("cannot be read: {error}"))),
            // a folder or a pipe may have the name
            Ok(found) if !found.is_file() => return Err(failed("it is not a regular file".to_owned())),
            Ok(_) => {}
        }
        let bytes = bounded::read(path, SIZE).map_err(|error| failed(format!("cannot be read: {error}")))?;
        let text = str::from_utf8(&bytes).map_err(|error| failed(format!("it is not UTF-8: {error}")))?;
        toml::from_str(text).map_err(|error| {
            let line =
                error.span().map_or(0, |span| text.bytes().take(span.start).filter(|b| *b == b'\n').count());
            failed(format!("line {}: {}", line + 1, error.message()))
        })
    }

    /// Changes the file, and creates it and its folder if they are missing. Fails if another program writes
    /// it at the same time.
    pub(crate) fn change(environment: &Environment, change: impl FnOnce(&mut Self)) -> Result<Self, Failure> {
        let Some(file) = &environment.configuration else { return Err(no_folder()) };
        let path = file_of(file)?;
        let failed = |error: std::io::Error| {
            Failure::from(Message::without_help(format!("{path}: cannot be written: {error}")))
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        // locks the file before it is read: nobody else's setting is lost
        let mut written = AtomicFile::create(path, &Options::new().replace(true)).map_err(failed)?;
        let mut configuration = Self::of(environment)?;
        change(&mut configuration);
        let text =
            toml::to_string(&configuration).map_err(|error| Message::without_help(error.to_string()))?;
        written.write_all(text.as_bytes()).map_err(failed)?;
        written.commit().map_err(|error| failed(error.into()))?;
        Ok(configuration)
    }
}

/// Why there is no file.
pub(crate) fn no_folder() -> Failure {
    let text = "no folder for the user's configuration is known";
    Message::new(text, "set the variable HOME, or APPDATA on Windows").into()
}

/// The path of the file, which messages repeat.
pub(crate) fn file_of(file: &Path) -> Result<&Utf8Path, Failure> {
    Utf8Path::from_path(file)
        .ok_or_else(|| Message::without_help(format!("{}: the path is not UTF-8", file.display())).into())
}
