//! The rules that put one copy of a file above another.

use crate::rules::{Duplicates, LoosePosition};

/// The rule that puts one copy above another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precedence {
    /// The caller put the upper layer on top, later than the lower one, or the lower one below it.
    Pushed,
    /// The game directory of the upper layer ranks higher.
    GameDirectory {
        /// The directory of the upper layer.
        above: String,
        /// The directory of the lower layer.
        below: String,
    },
    /// Loose files rank above or below the archives of their game directory.
    Loose(LoosePosition),
    /// One archive is loaded after the other.
    ArchiveOrder {
        /// The archive of the upper copy.
        above: String,
        /// The archive of the lower copy.
        below: String,
        /// What the load order goes by.
        by: OrderBy,
    },
    /// Of two rows of one name in one archive, the rules say which counts.
    Row(Duplicates),
    /// Of two spellings in one folder, the requested one counts, or else the first in byte order.
    Spelling,
}

/// What the load order of two archives of one game directory goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderBy {
    /// The number in the name.
    Number,
    /// The bytes of the name.
    Name,
    /// The order in which the disk lists the folder, for which quakefs takes the bytes of the name.
    Listed,
    /// The name without case.
    NameIgnoringCase,
    /// The number in the name, then the name.
    NumberThenName,
    /// The kind: all of one kind before all of another.
    Kind,
    /// Numbered archives come before the others.
    NumberedFirst,
    /// The order of the sets of archives in the rules.
    Sets,
}

impl Precedence {
    /// A word for the rule that stays the same, for programs: `game-directory`, `loose`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Precedence::Pushed => "on-top",
            Precedence::GameDirectory { .. } => "game-directory",
            Precedence::Loose(_) => "loose",
            Precedence::ArchiveOrder { .. } => "archive-order",
            Precedence::Row(_) => "equal-rows",
            Precedence::Spelling => "spelling",
        }
    }
}
