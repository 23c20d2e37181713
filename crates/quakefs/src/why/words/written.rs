//! Why a file is not written, or has no path in a folder.

use crate::error::TooMuch;
#[cfg(feature = "fs")]
use crate::extract::NotWritten;
use crate::findings::NoPath;

use super::{Reader, Said, Say, counted};

#[cfg(feature = "fs")]
impl Say for NotWritten {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        match self {
            NotWritten::Read(error) => error.say_to(reader),
            NotWritten::Write(error) => Said::without_help(format!("not written: {}", error.reason())),
            NotWritten::AlreadyThere => Said::new(
                format!("not written: {self}"),
                reader.either(
                    "replace such files with --overwrite, or leave them with --skip-existing",
                    "replace such files, or leave them",
                ),
            ),
            why => Said::without_help(format!("not written: {why}")),
        }
    }
}

impl Say for NoPath {
    fn say_to(&self, _: Reader<'_>) -> Said {
        Said::without_help(self.to_string())
    }
}

/// An extraction that claims more than its limit, and the limit that the caller has set, if one was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchWritten {
    /// What the files claim.
    pub much: TooMuch,
    /// The limit of the caller.
    pub limit: Option<u64>,
}

impl Say for TooMuchWritten {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let bytes = |number| counted(number, "byte", "bytes");
        let help = reader.either(
            "allow so much by --max-output, or extract less by a pattern",
            "allow so much, or extract fewer files",
        );
        match (self.much, self.limit) {
            (TooMuch::Bytes { claimed, .. }, Some(limit)) => Said::new(
                format!(
                    "nothing was written: the files claim {}, and the limit is {}",
                    bytes(claimed),
                    bytes(limit)
                ),
                help,
            ),
            (TooMuch::Bytes { claimed, source_size, .. }, None) => Said::new(
                format!(
                    "nothing was written: the files claim {}, and the archives have {}",
                    bytes(claimed),
                    bytes(source_size)
                ),
                help,
            ),
            (much, _) => Said::new(format!("nothing was written: {much}"), "extract less by a pattern"),
        }
    }
}
