//! Why a file of the search path has no path in a folder.

use pak_format::NameFault;

use crate::content::Leftover;
use crate::location::Location;
use crate::sentences::sentences;

/// Why a file has no path in the merged tree, in a mounted folder, or on disk after an extraction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoPath {
    /// The name cannot be made a path.
    Name(NameFault),
    /// The path is too long for some systems.
    LongPath {
        /// Bytes in the path.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// The file would be taken for one of this project's temporary files, and removed.
    Temporary,
    /// The archive's names would make too many folders.
    ManyFolders {
        /// The limit.
        most: usize,
    },
    /// Another file has the same path, because folders that differ only in case are merged: `MAPS/a` beside
    /// `maps/a`.
    SamePath {
        /// The file that has the path, if known.
        winner: Option<Location>,
    },
    /// Another file has the same path on a disk that ignores case: `a` beside `A`.
    Twin {
        /// The file that has the path, if known.
        winner: Option<Location>,
    },
    /// One path would be both a file and a folder: `a` beside `a/b`.
    FolderOfThatName {
        /// The file that has the path, if known.
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

impl std::error::Error for NoPath {}

sentences! {
    no_paths(because: NoPath; shell)

    "name" : NoPath::Name(fault) => "{fault}";
    "long-path" : NoPath::LongPath { found, most } => "the path has {found} bytes; the limit is {most}";
    "temporary" : NoPath::Temporary
        => ("it would be {file}", file = Leftover::Temporary);
    "many-folders" : NoPath::ManyFolders { most } => "the archive names more than {most} folders";
    "same-path" : NoPath::SamePath { winner }
        => ("{winner} has the same path", winner = file_at(winner.as_ref()));
    "twin" : NoPath::Twin { winner }
        => (
            "this disk ignores case, and {winner} has the same path there",
            winner = file_at(winner.as_ref())
        );
    "folder-of-that-name" : NoPath::FolderOfThatName { winner }
        => ("{winner} makes the path both a file and a folder", winner = file_at(winner.as_ref()));
}

fn file_at(winner: Option<&Location>) -> String {
    winner.map_or_else(|| "another file".to_owned(), ToString::to_string)
}
