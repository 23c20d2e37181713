//! Names: how they compare, and how engines change them. Several aspects use these types.

use pak_format::EntryName;
use serde::{Deserialize, Serialize};

use crate::documented::documented;

documented! {
    /// How names compare.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Case {
        /// Byte for byte.
        #[default]
        Exact,
        /// The letters A to Z count as a to z.
        Ignored,
    }
}

impl Case {
    /// Converts a name to a form that is equal for all matching names.
    #[must_use]
    pub fn fold(self, name: &[u8]) -> Vec<u8> {
        match self {
            Case::Exact => name.to_vec(),
            Case::Ignored => name.to_ascii_lowercase(),
        }
    }
}

documented! {
    /// Whether the engine sees files whose names begin with a dot.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Hidden {
        /// It sees them like other files.
        Seen,
        /// They are skipped.
        Skipped,
    }
}

documented! {
    /// How an engine changes a stored name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum NameParts {
        /// The name stays as it is.
        AsStored,
        /// A backslash becomes `/`.
        Slashes,
        /// A backslash becomes `/`, empty and `.` components are removed, and `..` removes the component
        /// before it.
        Cleaned,
        /// As `cleaned`, but a `/` at the end stays, as in q2rtx.
        CleanedButEnd,
        /// A backslash becomes `/`. Two dots in a row are removed with everything before them up to the last
        /// `/`, and so is each `/` at the start. `.` and empty components stay.
        WithoutParents,
    }
}

/// A word that is not a name of the expected kind: an [`Engine`](crate::Engine), a [`Host`](crate::Host), a
/// [`Setting`](crate::Setting) or a [`SubstituteKind`](crate::SubstituteKind). Its message lists the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownName(pub(crate) String);

/// The placeholder for a game's directory in [`game_folders`](crate::Directories::game_folders), and for mission
/// directories in [`base`](crate::Directories::base).
pub const PLACEHOLDER: &str = "{}";

/// Whether a relative path stays in its folder.
pub(crate) fn is_below(path: &str) -> bool {
    path == "." || EntryName::from_bytes(path.as_bytes()).to_disk_path().as_deref() == Ok(path.as_bytes())
}
