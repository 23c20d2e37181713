//! The rules that rank one copy of a file above another.

use crate::rules::{Duplicates, LoosePosition};
use crate::sentences::sentences;

/// The rule that ranks one copy above another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precedence {
    /// The caller put the upper layer on top of the lower one.
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
        /// The criterion of the load order.
        by: OrderBy,
    },
    /// One archive has two rows with this name, and the rules decide which one wins.
    Row(Duplicates),
}

/// The criterion for the load order of two archives in one game directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderBy {
    /// The number in the name.
    Number,
    /// The bytes of the name.
    Name,
    /// The order in which the disk lists the folder. quakefs sorts by the bytes of the name instead.
    Listed,
    /// The name, ignoring case.
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
    /// A stable word for the rule, for programs: `game-directory`, `loose`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        precedences::label(self).kind()
    }
}

sentences! {
    precedences(rule: Precedence; shell)

    "on-top" : Precedence::Pushed => "the layer was added above the game";
    "game-directory" : Precedence::GameDirectory { above, below } => "{above} ranks above {below}";
    "loose above" : Precedence::Loose(LoosePosition::Above) => "loose files rank above archives";
    "loose below" : Precedence::Loose(LoosePosition::Below) => "archives rank above loose files";
    "loose lowest" : Precedence::Loose(LoosePosition::Lowest)
        => "archives of every game directory rank above loose files";
    "loose highest" : Precedence::Loose(LoosePosition::Highest)
        => "loose files rank above archives of every game directory";
    "archive-order number" : Precedence::ArchiveOrder { above, below, by: OrderBy::Number }
        => "{above} loads after {below}, by number";
    "archive-order name" : Precedence::ArchiveOrder { above, below, by: OrderBy::Name }
        => "{above} loads after {below}, by name";
    "archive-order listed" : Precedence::ArchiveOrder { above, below, by: OrderBy::Listed }
        => "{above} loads after {below}, in the order of the disk (quakefs sorts by name)";
    "archive-order name-ignoring-case" :
        Precedence::ArchiveOrder { above, below, by: OrderBy::NameIgnoringCase }
        => "{above} loads after {below}, by name without case";
    "archive-order number-then-name" : Precedence::ArchiveOrder { above, below, by: OrderBy::NumberThenName }
        => "{above} loads after {below}, by number, then name";
    "archive-order kind" : Precedence::ArchiveOrder { above, below, by: OrderBy::Kind }
        => "{above} loads after {below}, by kind";
    "archive-order numbered-first" : Precedence::ArchiveOrder { above, below, by: OrderBy::NumberedFirst }
        => "{above} loads after {below}, numbered archives first";
    "archive-order sets" : Precedence::ArchiveOrder { above, below, by: OrderBy::Sets }
        => "{above} loads after {below}, in the order of the rules";
    "equal-rows first" : Precedence::Row(Duplicates::First) => "of rows with equal names, the first wins";
    "equal-rows last" : Precedence::Row(Duplicates::Last) => "of rows with equal names, the last wins";
    "equal-rows searched" : Precedence::Row(Duplicates::Searched)
        => "of rows with equal names, the one that a binary search finds wins";
    "equal-rows in-tree" : Precedence::Row(Duplicates::InTree)
        => "of rows with equal names, the one that is highest in the engine's tree wins";
}
