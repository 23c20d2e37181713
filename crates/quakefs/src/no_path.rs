//! Why a served file has no path in a folder.

use pak_format::NameFault;

use crate::place::Place;

/// Why a file has no path of its own in a folder: in the merged tree, on disk after an extraction, in a mounted folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPath {
    /// The name gives no path.
    #[error("{0}")]
    Name(NameFault),
    /// The path is longer than some systems open.
    #[error("the path has {found} bytes: expected at most {most}")]
    LongPath {
        /// Bytes in the path.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// The entries before it name far more folders than archives have.
    #[error("the archive names more than {most} folders")]
    ManyFolders {
        /// The limit.
        most: usize,
    },
    /// Another file has the same path, where folders that differ in case alone are one: `MAPS/a` beside `maps/a`.
    #[error("{} has the same path", file_at(.winner.as_ref()))]
    SamePath {
        /// The file that has the path, where it is known.
        winner: Option<Place>,
    },
    /// Another file has the same path on a disk that ignores case: `a` beside `A`.
    #[error("this disk ignores case, and {} has the same path there", file_at(.winner.as_ref()))]
    Twin {
        /// The file that has the path, where it is known.
        winner: Option<Place>,
    },
    /// The path is also that of a folder, or a file has the path of one of its folders: `a` beside `a/b`.
    #[error("{} makes the path both a file and a folder", file_at(.winner.as_ref()))]
    FolderOfThatName {
        /// The file that has the path, where it is known.
        winner: Option<Place>,
    },
}

impl NoPath {
    /// A word for the cause that stays the same, for programs: `name`, `same-path`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            NoPath::Name(_) => "name",
            NoPath::LongPath { .. } => "long-path",
            NoPath::ManyFolders { .. } => "many-folders",
            NoPath::SamePath { .. } => "same-path",
            NoPath::Twin { .. } => "twin",
            NoPath::FolderOfThatName { .. } => "folder-of-that-name",
        }
    }
}

fn file_at(winner: Option<&Place>) -> String {
    winner.map_or_else(|| "another file".to_owned(), ToString::to_string)
}
