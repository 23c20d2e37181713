//! How names compare and what becomes of their unusual parts: what several aspects say alike.

use pak_format::EntryName;
use serde::{Deserialize, Serialize};

use crate::documented::documented;

documented! {
    /// How names compare.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Case {
        /// Byte for byte.
        Exact,
        /// The letters A to Z count as a to z.
        Ignored,
    }
}

impl Case {
    /// A name as it compares: names that are equal are the same bytes then.
    #[must_use]
    pub fn fold(self, name: &[u8]) -> Vec<u8> {
        match self {
            Case::Exact => name.to_vec(),
            Case::Ignored => name.to_ascii_lowercase(),
        }
    }
}

documented! {
    /// Whether files whose name begins with a dot count.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Hidden {
        /// They count as other files do.
        Seen,
        /// They are passed over.
        Skipped,
    }
}

documented! {
    /// What unusual parts of a stored name become.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum NameParts {
        /// They stay.
        AsStored,
        /// A backslash is a `/`.
        Slashes,
        /// A backslash is a `/`; empty and `.` parts are dropped, and a `..` takes the part before it away.
        Cleaned,
        /// A backslash is a `/`; two dots in a row, and what stands before them from the last `/` on, are removed, and so is
        /// each `/` at the start. A `.` and an empty part stay.
        WithoutParents,
    }
}

/// Whether a path is that of a folder itself, or of one below.
pub(crate) fn is_below(path: &str) -> bool {
    path == "." || EntryName::from_bytes(path.as_bytes()).to_disk_path().as_deref() == Ok(path.as_bytes())
}
