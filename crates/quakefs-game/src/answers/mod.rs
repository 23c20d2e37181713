//! The questions about a game, a file each, and their answers as rows.

mod check;
mod companions;
mod compare;
mod finding;
#[cfg(feature = "stores")]
mod games;
mod list;
mod mods;
#[cfg(feature = "needs")]
mod needs;
mod overridden;
mod path;
mod place;
mod starts;
mod substitutes;
#[cfg(feature = "fs")]
mod undo;
#[cfg(feature = "needs")]
mod unused;
mod which;

pub use self::check::{CheckOptions, Checked};
pub use self::companions::{CompanionRow, CompanionsAnswer};
#[cfg(feature = "needs")]
pub use self::compare::NeedDifferenceRow;
pub use self::compare::{CauseRow, Compared, DifferenceRow, EngineOn, WinnerRow};
pub use self::finding::{AdviceRow, FindingRow, Problem, ReasonRow};
#[cfg(feature = "stores")]
pub use self::games::{InstalledAnswer, InstalledRow};
pub use self::list::FileRow;
pub use self::mods::ModRow;
#[cfg(feature = "needs")]
pub use self::needs::{
    IncidentRow, LevelProblem, LevelRow, NeedRow, Needed, NeedsAnswer, first_incidents, of_entity,
};
pub use self::overridden::OverriddenRow;
pub use self::path::{ChosenRow, LayerRow, PathAnswer, RegistrationRow, UserDirectoryRow, known};
#[cfg(feature = "needs")]
pub use self::place::FitRow;
pub use self::place::{ChangeRow, EffectsRow, ExistingRow, PartRow, PlaceAnswer, Placed, StartRow, some};
pub use self::starts::{Caveats, does_not_start, is_missing, is_not_opened};
pub use self::substitutes::SubstituteRow;
#[cfg(feature = "fs")]
pub use self::undo::{JournalRow, UndoAnswer, UndoneRow};
#[cfg(feature = "needs")]
pub use self::unused::UnusedRow;
pub use self::which::{CopyRow, SkippedRow, WhichRow, plain};

use std::borrow::Cow;

use pak_format::EntryName;
use pak_format::name::escape;
use quakefs::sentences::Shell;
use quakefs::why::{Explanation, explain};

use crate::game::Game;

/// A name as text without loss: `\xNN` for each byte that is not UTF-8.
pub(crate) fn text(name: EntryName<'_>) -> String {
    escape(name.as_bytes()).into_owned()
}

/// Rows as sentences, with a text between them.
pub(crate) fn joined(rows: &[impl ToString], between: &str) -> String {
    rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

impl Game {
    /// The reader's command line, for advice.
    #[must_use]
    pub fn shell(&self) -> Option<&dyn Shell> {
        self.surroundings.shell()
    }

    /// The path of a level for its bare name, as after `map` at the engine's console: `maps/start.bsp` for
    /// `start` and `maps/start`. Any other name is returned unchanged, except if a copy of the level is
    /// somewhere else, or a level has a similar name.
    #[must_use]
    pub fn level_path<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        let level = name.strip_prefix(b"maps/").unwrap_or(name);
        let path = [b"maps/", level.strip_suffix(b".bsp").unwrap_or(level), b".bsp"].concat();
        let is_there = |name: &[u8]| self.search_path.find(name).is_some();
        let is_explained = |name: &[u8]| match explain(&self.search_path, name) {
            Explanation::Missing(missing) => missing.is_explained(),
            Explanation::Served { .. } => true,
        };
        let is_level = || is_there(&path) || is_explained(&path) && !is_explained(name);
        if level.contains(&b'/') || is_there(name) || !is_level() {
            return Cow::Borrowed(name);
        }
        Cow::Owned(path)
    }
}
