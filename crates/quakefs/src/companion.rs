//! Why the companion of a level is loaded, or not.

/// Why an engine loads the copy of a companion, or ignores it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompanionBecause {
    /// It is loaded.
    Loaded,
    /// Its game directory ranks below that of the level.
    BelowLevel {
        /// Its game directory.
        directory: String,
        /// The game directory of the level.
        level: String,
    },
    /// The engine asks for another name first, and that is there.
    OtherName {
        /// The layer that serves the other name.
        layer: String,
        /// The other name.
        name: String,
    },
    /// Its size does not fit the lights of the level.
    OtherSize {
        /// Its size in bytes.
        found: u64,
        /// The size that fits.
        expected: u64,
    },
    /// The level is not there.
    NoLevel,
    /// The level's lights cannot be read, so that it is not known which size fits.
    UnreadLevel,
}

impl CompanionBecause {
    /// A word that stays the same, for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            CompanionBecause::Loaded => "loaded",
            CompanionBecause::BelowLevel { .. } => "below-level",
            CompanionBecause::OtherName { .. } => "other-name",
            CompanionBecause::OtherSize { .. } => "other-size",
            CompanionBecause::NoLevel => "no-level",
            CompanionBecause::UnreadLevel => "unread-level",
        }
    }
}
