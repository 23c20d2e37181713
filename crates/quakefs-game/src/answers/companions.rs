//! The files that the engine loads beside a level.

use std::fmt;

use quakefs::EntryName;
use quakefs::search_path::{CompanionBecause, CompanionCopy};
use quakefs::sentences::Help as _;
use serde::Serialize;

use super::list::FileRow;
use super::{joined, text};
use crate::game::Game;

/// A file beside a level, and whether the engine loads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompanionRow {
    /// The level.
    pub level: String,
    /// The file, under the name that the engine asks for. In JSON its keys are those of this row.
    #[serde(flatten)]
    pub file: FileRow,
    /// Whether the engine loads it for this level.
    pub loaded: bool,
    /// Why, or why not, a word that stays the same in all versions, such as `below-level`.
    pub because: &'static str,
    /// The same as a sentence.
    pub reason: String,
    /// The setting that the engine needs to load such files.
    pub setting: Option<String>,
    /// What to do to have it loaded.
    pub help: Option<String>,
}

impl CompanionRow {
    /// The row of a file beside a level.
    #[must_use]
    pub fn new(level: EntryName<'_>, copy: &CompanionCopy<'_>) -> Self {
        CompanionRow {
            level: text(level),
            file: FileRow::new(copy.name.as_name(), &copy.file),
            loaded: copy.because == CompanionBecause::Loaded,
            because: copy.because.name(),
            reason: copy.to_string(),
            setting: copy.setting.clone(),
            help: copy.help(None),
        }
    }
}

/// The layer, the name and the reason.
impl fmt::Display for CompanionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.file.name, self.file.layer, self.reason)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

/// The files beside a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompanionsAnswer {
    /// The level; null if it is missing.
    pub level: Option<FileRow>,
    /// The files, in the order in which the engine looks them up.
    pub companions: Vec<CompanionRow>,
    /// Why the level cannot be read, so that the answer is not certain.
    pub unread: Option<String>,
}

/// A line for each file.
impl fmt::Display for CompanionsAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.companions, "\n"))
    }
}

impl Game {
    /// The files that the engine loads beside a level such as `maps/start.bsp` or `start`, and those that it
    /// ignores.
    #[must_use]
    pub fn companions(&self, level: impl AsRef<[u8]>) -> CompanionsAnswer {
        let level = &*self.level_path(level.as_ref());
        let found = self.search_path.companions(level);
        let name = EntryName::from_bytes(level);
        CompanionsAnswer {
            level: found.level.as_ref().map(|file| FileRow::new(name, file)),
            companions: found.copies.iter().map(|copy| CompanionRow::new(name, copy)).collect(),
            unread: found.unread.as_ref().map(|error| quakefs::sentences::with_causes(error)),
        }
    }
}
