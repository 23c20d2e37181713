//! What an error knows of the system: a path, and the system's own error.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Error, ErrorKind};
#[cfg(feature = "edit")]
use crate::entry_name::escape_path;

#[derive(Clone, Default)]
pub(super) struct Facts {
    path: Option<PathBuf>,
    pub(super) cause: Option<Arc<io::Error>>,
}

pub(crate) fn help_for(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "check who owns the file and its folder, and who may write to them"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room on the disk"
        }
        io::ErrorKind::AlreadyExists => "replace the file, or name another",
        _ => "check the disk and the path",
    }
}

impl Error {
    /// The file on this computer, if known: the archive, or the source of an entry.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.system.path.as_deref()
    }

    pub(crate) fn io(doing: &'static str, cause: io::Error) -> Self {
        Self::with_cause(ErrorKind::Io { doing, kind: cause.kind() }, cause)
    }

    #[cfg(feature = "edit")]
    pub(crate) fn not_durable(cause: io::Error) -> Self {
        Self::with_cause(ErrorKind::NotDurable { kind: cause.kind() }, cause)
    }

    fn with_cause(kind: ErrorKind, cause: io::Error) -> Self {
        let mut error = Error::from(kind);
        error.0.system.cause = Some(Arc::new(cause));
        error
    }

    /// The same error with the path of its file, unless it has a path already.
    pub(crate) fn at_path(mut self, path: &Path) -> Self {
        self.0.system.path.get_or_insert_with(|| path.to_owned());
        self
    }

    /// The same error, about an archive on disk.
    #[cfg(feature = "edit")]
    pub(crate) fn in_file(self, path: &Path) -> Self {
        let error = self.in_archive(escape_path(path));
        // an error about an entry may concern its source file instead
        if error.entry().is_none() { error.at_path(path) } else { error }
    }
}

impl From<Error> for io::Error {
    /// Keeps the kind of a system's error. Damage is [`InvalidData`](io::ErrorKind::InvalidData), a caller's
    /// mistake is [`InvalidInput`](io::ErrorKind::InvalidInput).
    fn from(error: Error) -> io::Error {
        let kind = error.problems().first().map_or(io::ErrorKind::Other, |first| match first.kind() {
            ErrorKind::Io { kind, .. } | ErrorKind::NotDurable { kind } => *kind,
            ErrorKind::NoEntry { .. } | ErrorKind::NoSuchRow { .. } => io::ErrorKind::NotFound,
            ErrorKind::Name(_) | ErrorKind::OtherArchive | ErrorKind::UnknownLayout { .. } => {
                io::ErrorKind::InvalidInput
            }
            ErrorKind::Duplicate { .. } => io::ErrorKind::AlreadyExists,
            ErrorKind::TooLarge { .. } | ErrorKind::TooManyEntries { .. } => io::ErrorKind::FileTooLarge,
            ErrorKind::Locked => io::ErrorKind::ResourceBusy,
            // not `Interrupted`, after which callers try again
            ErrorKind::Stopped | ErrorKind::ArchiveChanged | ErrorKind::Several { .. } => {
                io::ErrorKind::Other
            }
            ErrorKind::ShortHeader { .. }
            | ErrorKind::UnknownMagic { .. }
            | ErrorKind::WrongMagic { .. }
            | ErrorKind::DirectoryInHeader { .. }
            | ErrorKind::DirectoryOutside { .. }
            | ErrorKind::PartialRow { .. }
            | ErrorKind::AmbiguousLayout { .. }
            | ErrorKind::EntryOutside { .. }
            | ErrorKind::EntryInHeader { .. }
            | ErrorKind::Expansion { .. }
            | ErrorKind::Codec(_)
            | ErrorKind::ContentChanged { .. } => io::ErrorKind::InvalidData,
        });
        io::Error::new(kind, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry_name::{EntryName, NameFault};

    #[test]
    fn an_error_of_this_crate_is_one_of_the_system() {
        let of = |error: Error| io::Error::from(error).kind();
        assert_eq!(of(ErrorKind::ShortHeader { found: 3 }.into()), io::ErrorKind::InvalidData);
        assert_eq!(of(ErrorKind::Name(NameFault::Empty).into()), io::ErrorKind::InvalidInput);
        assert_eq!(of(ErrorKind::NoSuchRow { row: 3, rows: 3 }.into()), io::ErrorKind::NotFound);
        assert_eq!(of(Error::io("x", io::ErrorKind::StorageFull.into())), io::ErrorKind::StorageFull);
        let name = || Error::from(ErrorKind::Name(NameFault::Empty));
        let several = Error::refuse(vec![name(), name()]).unwrap_err();
        assert_eq!(of(several.clone()), io::ErrorKind::InvalidInput);
        let error = io::Error::from(several.in_archive("pak0.pak"));
        assert!(error.to_string().starts_with("pak0.pak: 2 problems"), "{error}");
    }

    #[test]
    fn a_missing_entry_row_or_file_is_not_found_and_nothing_else_is() {
        assert!(Error::io("x", io::ErrorKind::NotFound.into()).is_not_found());
        assert!(Error::from(ErrorKind::NoEntry { name: EntryName::from_bytes(b"a").into() }).is_not_found());
        assert!(!Error::from(ErrorKind::OtherArchive).is_not_found());
        assert!(!Error::io("x", io::ErrorKind::PermissionDenied.into()).is_not_found());
    }
}
