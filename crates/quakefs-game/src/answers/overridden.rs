//! Overridden copies with their winners.

use std::fmt;

use quakefs::why::{Overridden, decode_budget, overridden, skipped_companions, skipped_copies};
use serde::Serialize;

use super::companions::CompanionRow;
use super::list::FileRow;
use super::which::SkippedRow;
use crate::game::Game;

/// An overridden copy and its winner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverriddenRow {
    /// The name.
    pub name: String,
    /// The copy that the engine loads.
    pub file: FileRow,
    /// The overridden copy.
    pub overridden: FileRow,
    /// Whether both have the same bytes; null if one cannot be read, or reading would take too long.
    pub same: Option<bool>,
    /// The rule that ranks the winner above, a word that stays the same in all versions.
    pub because: &'static str,
    /// The same as a sentence.
    pub rule: String,
}

impl OverriddenRow {
    /// The row of a pair, and whether both have the same bytes.
    #[must_use]
    pub fn new(pair: &Overridden<'_>, same: Option<bool>) -> Self {
        let (file, rule) = (FileRow::from(&pair.winner), pair.rule());
        OverriddenRow {
            name: file.name.clone(),
            file,
            overridden: FileRow::from(&pair.copy),
            same,
            because: rule.name(),
            rule: rule.to_string(),
        }
    }
}

/// `id1/pak1.pak overrides id1/pak0.pak: maps/start.bsp`.
impl fmt::Display for OverriddenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} overrides {}: {}", self.file.layer, self.overridden.layer, self.name)
    }
}

impl Game {
    /// Every overridden copy, sorted by name. The copies are compared within [`decode_budget`].
    #[must_use]
    pub fn overridden(&self) -> Vec<OverriddenRow> {
        let listed = self.search_path.listed();
        let mut budget = decode_budget(&listed);
        let rows = overridden(&listed).into_iter().map(|pair| {
            let same = pair.is_same_content(&mut budget);
            OverriddenRow::new(&pair, same.ok().flatten())
        });
        rows.collect()
    }

    /// Every copy in a skipped archive of a file that the engine finds elsewhere.
    #[must_use]
    pub fn skipped_copies(&self) -> Vec<SkippedRow> {
        skipped_copies(&self.search_path).iter().map(|copy| self.skipped_row(copy)).collect()
    }

    /// The files beside levels that the engine ignores.
    #[must_use]
    pub fn skipped_companions(&self) -> Vec<CompanionRow> {
        let listed = self.search_path.listed();
        let mut budget = decode_budget(&listed);
        let skipped = skipped_companions(&listed, &mut budget);
        skipped.iter().map(|(level, copy)| CompanionRow::new(level.as_name(), copy)).collect()
    }
}
