//! Why an engine loads the companion of a level, or skips it.

use crate::advice::Advice;
use crate::location::Location;
use crate::sentences::{counted, sentences};

/// Why an engine loads the copy of a companion, or skips it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompanionBecause {
    /// It is loaded.
    Loaded,
    /// Its game directory ranks below the level's.
    BelowLevel {
        /// Its game directory.
        directory: String,
        /// The game directory of the level.
        level: String,
    },
    /// The engine tries another name first, and a file of that name exists.
    OtherName {
        /// The layer with the winner of the other name.
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
    /// The level is missing.
    NoLevel,
    /// The level's lights cannot be read, so the right size is unknown.
    UnreadLevel,
}

impl CompanionBecause {
    /// A stable word for the reason, for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        companions::label(self).kind()
    }
}

impl CompanionBecause {
    /// What to do about the file at a location.
    #[must_use]
    pub fn advice(&self, at: &Location) -> Option<Advice> {
        companions::advice(self, at)
    }
}

sentences! {
    companions(because: CompanionBecause; shell)

    "loaded" : CompanionBecause::Loaded => "loaded";
    "below-level" : CompanionBecause::BelowLevel { directory, level }
        => "skipped: {directory} ranks below {level}, which has the level",
        advice [move "{level}"];
    "other-name" : CompanionBecause::OtherName { layer, name }
        => "skipped: {layer} has {name}, so this file is never read", advice [rename "{name}"];
    "other-size" : CompanionBecause::OtherSize { found, expected }
        => ("skipped: it has {found}, but the level's lights need {expected}",
            found = counted(*found, "byte", "bytes"), expected = counted(*expected, "byte", "bytes")),
        advice [get];
    "no-level" : CompanionBecause::NoLevel => "skipped: the level is missing";
    "unread-level" : CompanionBecause::UnreadLevel => "skipped: the level's lights cannot be read";
}
