//! Names: how they compare, and how engines change them. Several aspects use these types.

use std::fmt;

use pak_format::EntryName;

use crate::documented::documented;

documented! {
    /// How names compare.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// Whether an engine uses a file that ranks below the one it belongs to: the level of a companion, of a
    /// texture or a sky, the model of a skin.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Rank {
        /// A copy from any layer is used.
        Any,
        /// A copy from a lower game directory is ignored.
        NotBelowDirectory,
        /// A copy from a lower layer is ignored.
        NotBelowLayer,
    }
}

impl Rank {
    /// Whether the engine ignores a file because it ranks below the one it belongs to. Each of the two is the
    /// rank of the game directory, from low to high, and the number of the layer, from high to low.
    #[must_use]
    pub fn ignores(self, file: (u16, usize), owner: (u16, usize)) -> bool {
        match self {
            Rank::Any => false,
            Rank::NotBelowDirectory => file.0 < owner.0,
            Rank::NotBelowLayer => file.1 > owner.1,
        }
    }
}

documented! {
    /// How an engine changes a stored name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
/// [`Setting`](crate::Setting) or a [`SubstituteKind`](crate::SubstituteKind). Its message lists the known
/// names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(pub(crate) String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownName {}

/// The placeholder for a game's directory in [`game_folders`](crate::Directories::game_folders), and for
/// mission directories in [`base`](crate::Directories::base).
pub const PLACEHOLDER: &str = "{}";

/// The text before the first part in braces, the part, and the text after it.
pub(crate) fn split_at_braces(pattern: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = pattern.split_once('{')?;
    let (part, after) = rest.split_once('}')?;
    Some((before, part, after))
}

/// The names that a pattern means: one for each choice in its first part in braces.
pub(crate) fn choices(pattern: &str) -> Vec<String> {
    let Some((before, choices, after)) = split_at_braces(pattern) else { return vec![pattern.to_owned()] };
    choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
}

/// Whether a relative path stays in its folder.
pub(crate) fn is_below(path: &str) -> bool {
    path == "." || EntryName::from_bytes(path.as_bytes()).to_disk_path().as_deref() == Ok(path.as_bytes())
}
