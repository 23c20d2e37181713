//! Which games are looked at.

use crate::program::Mode;

/// For which games a level is looked at.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The skills and kinds of game.
    pub modes: Vec<Mode>,
}

impl Default for Options {
    /// All of them together.
    fn default() -> Self {
        Options { modes: Mode::ALL.to_vec() }
    }
}

impl Options {
    /// With these skills and kinds of game alone.
    #[must_use]
    pub fn modes(self, modes: impl Into<Vec<Mode>>) -> Self {
        Options { modes: modes.into() }
    }
}
