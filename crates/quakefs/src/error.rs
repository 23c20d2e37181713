//! What stops a mount or a read.

use std::fmt;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryName;

use crate::qpath::RequestError;
use crate::source::zip::ZipFault;

/// A mount, a read or a write that did not work.
///
/// [`kind`](Error::kind) says what; [`help`](Error::help) says what to do.
pub struct Error(Box<ErrorKind>);

/// What did not work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system refused.
    #[error("{path}: {doing} failed")]
    Io {
        /// The path on disk.
        path: Utf8PathBuf,
        /// What was tried: `open`, `read`, `list`.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The base directory is not there.
    #[error("{path}: no such base directory")]
    NoBaseDirectory {
        /// The path on disk.
        path: Utf8PathBuf,
    },
    /// The base directory holds none of the game directories.
    #[error("{path}: expected a folder {}, found none", .expected.join(" or "))]
    NoGameDirectory {
        /// The base directory.
        path: Utf8PathBuf,
        /// The directories that would have been taken.
        expected: Vec<String>,
    },
    /// A game's name is not that of a folder in the base directory.
    #[error("\"{game}\" cannot be a game directory: expected the name of a folder in the base directory")]
    BadGame {
        /// The name given.
        game: String,
    },
    /// There is neither a base directory nor a layer.
    #[error("there is nothing to mount: expected a base directory or a layer")]
    NothingToMount,
    /// The index numbers layers with 16 bits.
    #[error("there are {found} layers: expected at most {}", u16::MAX)]
    TooManyLayers {
        /// How many there are.
        found: usize,
    },
    /// No layer has the file.
    #[error("{}: no layer has this file", EntryName::from_bytes(.name))]
    NotFound {
        /// The name asked for.
        name: Vec<u8>,
    },
    /// The name cannot be asked for.
    #[error("{}: {reason}", EntryName::from_bytes(.name))]
    Request {
        /// The name asked for.
        name: Vec<u8>,
        /// What is wrong with it.
        reason: RequestError,
    },
    /// An archive, or an entry of it, is damaged.
    #[error(transparent)]
    Archive(pak_format::Error),
    /// The file cannot be written or removed.
    #[error("{}: not written: {why}", EntryName::from_bytes(.name))]
    NotWritable {
        /// The name given.
        name: Vec<u8>,
        /// Why not.
        why: String,
    },
    /// A ZIP archive, or an entry of it, is damaged.
    #[error("{}{fault}", zip_place(.archive.as_deref(), .entry.as_ref()))]
    Zip {
        /// The name of the archive, where it is known.
        archive: Option<String>,
        /// The number and the name of the entry, if it is about one.
        entry: Option<(usize, Vec<u8>)>,
        /// What is wrong.
        fault: ZipFault,
    },
    /// A pattern that is no glob.
    #[error("\"{pattern}\" is not a pattern: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why not.
        reason: String,
    },
}

fn zip_place(archive: Option<&str>, entry: Option<&(usize, Vec<u8>)>) -> String {
    let archive = archive.map_or_else(String::new, |archive| format!("{archive}: "));
    let entry = entry.map_or_else(String::new, |(index, name)| {
        format!("entry {index} ({}): ", EntryName::from_bytes(name))
    });
    archive + &entry
}

impl Error {
    /// What did not work.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// What somebody can do about it, if anything is known.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        Some(match self.kind() {
            ErrorKind::NoBaseDirectory { .. } | ErrorKind::NoGameDirectory { .. } => {
                "name the folder that holds the game directories, not one of them"
            }
            ErrorKind::BadGame { .. } => "give the folder's name alone, such as mymod",
            ErrorKind::NothingToMount => "name a base directory, or push a folder or an archive",
            ErrorKind::NotFound { .. } => "names are listed by `files`; most engines look at their case",
            ErrorKind::Request { .. } => "ask for a relative name with / between its parts",
            ErrorKind::NotWritable { .. } => "write to a plain relative name, such as saves/a.sav",
            ErrorKind::Archive(error) => error.help(),
            ErrorKind::Zip { fault, .. } => fault.help(),
            ErrorKind::Pattern { .. } => "write [*] for a star, and close every [ and {",
            ErrorKind::Io { .. } | ErrorKind::TooManyLayers { .. } => return None,
        })
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn reason(&self) -> String {
        match self.kind() {
            ErrorKind::Archive(error) => error.kind().to_string(),
            ErrorKind::Zip { fault, .. } => fault.to_string(),
            ErrorKind::Io { source, .. } => source.to_string(),
            other => other.to_string(),
        }
    }

    /// What is wrong with an archive of the PACK family, if it is that.
    pub(crate) fn pak_kind(&self) -> Option<&pak_format::ErrorKind> {
        match self.kind() {
            ErrorKind::Archive(error) => Some(error.kind()),
            _ => None,
        }
    }

    /// The same error, saying which archive it is about where it is about one.
    #[must_use]
    pub fn in_archive(self, archive: &str) -> Self {
        match *self.0 {
            ErrorKind::Archive(error) => error.in_archive(archive).into(),
            ErrorKind::Zip { entry, fault, .. } => {
                ErrorKind::Zip { archive: Some(archive.to_owned()), entry, fault }.into()
            }
            other => other.into(),
        }
    }

    pub(crate) fn io(path: &Utf8Path, doing: &'static str, source: io::Error) -> Self {
        ErrorKind::Io { path: path.to_owned(), doing, source }.into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<pak_format::Error> for Error {
    fn from(error: pak_format::Error) -> Self {
        ErrorKind::Archive(error).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind().source()
    }
}
