//! Why one copy of a file is served and not another.

use std::fmt;

use crate::layer::{Hit, Layer, LayerKind};
use crate::rules::{ArchiveSet, Duplicates, LoosePosition, Order, Rules};
use crate::search_path::SearchPath;

/// The rule that puts one copy above another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precedence {
    /// The upper one was put on top by the caller, later than the lower one.
    Pushed,
    /// Its game directory ranks higher.
    GameDirectory {
        /// The directory of the upper one.
        above: String,
        /// The directory of the lower one.
        below: String,
    },
    /// Loose files rank above the archives of their game directory.
    LooseAbove,
    /// Loose files rank below the archives of their game directory.
    LooseBelow,
    /// One archive is loaded after the other.
    ArchiveOrder {
        /// The archive of the upper one.
        above: String,
        /// The archive of the lower one.
        below: String,
        /// What the order goes by.
        by: &'static str,
        /// Whether the later one wins.
        later_wins: bool,
    },
    /// Of two rows of one name, the first or the last counts.
    Row(Duplicates),
    /// Of two spellings in one folder, the one asked for, or else the first in byte order, counts.
    Spelling,
}

impl fmt::Display for Precedence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Precedence::Pushed => f.write_str("put on top"),
            Precedence::GameDirectory { above, below } => write!(f, "{above} above {below}"),
            Precedence::LooseAbove => f.write_str("loose files above archives"),
            Precedence::LooseBelow => f.write_str("archives above loose files"),
            Precedence::ArchiveOrder { above, below, by, later_wins: true } => {
                write!(f, "{above} after {below} {by}")
            }
            Precedence::ArchiveOrder { above, below, by, .. } => write!(f, "{above} before {below} {by}"),
            Precedence::Row(Duplicates::First) => f.write_str("first of equal rows"),
            Precedence::Row(Duplicates::Last) => f.write_str("last of equal rows"),
            Precedence::Spelling => f.write_str("spelling"),
        }
    }
}

impl SearchPath {
    /// The rule that puts `upper` above `lower`, of two copies that [`copies`](SearchPath::copies) gives.
    #[must_use]
    pub fn precedence(&self, upper: &Hit<'_>, lower: &Hit<'_>) -> Precedence {
        let (above, below) = (upper.layer(), lower.layer());
        if std::ptr::eq(above, below) {
            return if upper.entry().is_some() {
                Precedence::Row(self.rules().duplicates)
            } else {
                Precedence::Spelling
            };
        }
        if above.directory.is_none() {
            return Precedence::Pushed;
        }
        let directory = |name: &str| match name.trim_end_matches('/').rsplit_once('/') {
            Some((directory, _)) if !name.ends_with('/') => format!("{directory}/"),
            None if !name.ends_with('/') => "./".to_owned(),
            _ => name.to_owned(),
        };
        if above.directory != below.directory {
            return Precedence::GameDirectory {
                above: directory(above.name()),
                below: directory(below.name()),
            };
        }
        match (above.kind(), below.kind()) {
            (LayerKind::Folder, _) => Precedence::LooseAbove,
            (_, LayerKind::Folder) => Precedence::LooseBelow,
            _ => {
                let by = order_of(self.rules(), above, below);
                let file = |layer: &Layer| layer.name().rsplit('/').next().unwrap_or_default().to_owned();
                let (above, below) = (file(above), file(below));
                Precedence::ArchiveOrder { above, below, by, later_wins: self.rules().later_wins }
            }
        }
    }
}

/// What the order of two archives of one directory goes by.
fn order_of(rules: &Rules, above: &Layer, below: &Layer) -> &'static str {
    let set = |layer: &Layer| layer.set.and_then(|set| rules.archives.get(set));
    match (set(above), set(below)) {
        (above, below) if above == below => match above {
            Some(ArchiveSet::Numbered { .. }) => "by number",
            Some(ArchiveSet::Others { order: Order::Bytes, .. }) => "by name",
            Some(ArchiveSet::Others { order: Order::IgnoreCase, .. }) => "by name without case",
            Some(ArchiveSet::Others { order: Order::NumberThenName, .. }) => "by number, then name",
            None => "in order",
        },
        _ if above.kind() != below.kind() => "by kind",
        (Some(ArchiveSet::Others { .. }), Some(ArchiveSet::Numbered { .. })) if rules.later_wins => {
            "as the numbered ones come first"
        }
        (Some(ArchiveSet::Numbered { .. }), Some(ArchiveSet::Others { .. })) if !rules.later_wins => {
            "as the numbered ones come first"
        }
        _ => "in the order of the sets",
    }
}

/// Where the loose files of a game directory stand, in words.
impl fmt::Display for LoosePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LoosePosition::Below => "below",
            LoosePosition::Above => "above",
        })
    }
}
