//! Why a served file has no path in a folder.

use std::fmt;

use pak_format::NameFault;

use crate::location::Location;
use crate::sentences::sentences;

/// Why a file has no path of its own in a folder: in the merged tree, on disk after an extraction, in a mounted folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoPath {
    /// The name gives no path.
    Name(NameFault),
    /// The path is longer than some systems open.
    LongPath {
        /// Bytes in the path.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// The entries before it name far more folders than archives have.
    ManyFolders {
        /// The limit.
        most: usize,
    },
    /// Another file has the same path, where folders that differ in case alone are one: `MAPS/a` beside `maps/a`.
    SamePath {
        /// The file that has the path, where it is known.
        winner: Option<Location>,
    },
    /// Another file has the same path on a disk that ignores case: `a` beside `A`.
    Twin {
        /// The file that has the path, where it is known.
        winner: Option<Location>,
    },
    /// The path is also that of a folder, or a file has the path of one of its folders: `a` beside `a/b`.
    FolderOfThatName {
        /// The file that has the path, where it is known.
        winner: Option<Location>,
    },
}

impl NoPath {
    /// A stable word for the reason, for programs: `name`, `same-path`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        no_paths::label(self).kind()
    }
}

impl fmt::Display for NoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&no_paths::sentence(self))
    }
}

impl std::error::Error for NoPath {}

sentences! {
    no_paths(because: &NoPath; shell)

    "name" : NoPath::Name(fault) => "{fault}";
    "long-path" : NoPath::LongPath { found, most } => "the path has {found} bytes: expected at most {most}";
    "many-folders" : NoPath::ManyFolders { most } => "the archive names more than {most} folders";
    "same-path" : NoPath::SamePath { winner } => ("{winner} has the same path", winner = file_at(winner.as_ref()));
    "twin" : NoPath::Twin { winner }
        => ("this disk ignores case, and {winner} has the same path there", winner = file_at(winner.as_ref()));
    "folder-of-that-name" : NoPath::FolderOfThatName { winner }
        => ("{winner} makes the path both a file and a folder", winner = file_at(winner.as_ref()));
}

fn file_at(winner: Option<&Location>) -> String {
    winner.map_or_else(|| "another file".to_owned(), ToString::to_string)
}
