//! The game directories of a base directory.

use std::fmt;

use quakefs::sentences::printable;
use quakefs_installed::{Mod, Selection, mods};
use serde::Serialize;

use super::finding::ReasonRow;
use super::text;
use crate::game::Game;
use crate::words::not_selected;

/// A game directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModRow {
    /// The name of the folder.
    pub name: String,
    /// The folder in each base directory and in the user directory.
    pub folders: Vec<String>,
    /// The number of archives directly in the folder.
    pub archives: usize,
    /// Archives that cannot be read. Their contents are not counted.
    pub unread: Vec<ReasonRow>,
    /// The number of levels.
    pub levels: usize,
    /// The game's programs.
    pub programs: Vec<String>,
    /// The number of files on disk.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// Whether the engine searches the folder of exactly this name, always or by an option.
    pub selectable: bool,
    /// The game to choose for it; null if none is needed.
    pub game: Option<String>,
    /// The mission flag to choose for it; null if none is needed.
    pub mission: Option<String>,
    /// Why the engine does not search it.
    pub reason: Option<String>,
}

/// The name.
impl fmt::Display for ModRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.name))
    }
}

impl Game {
    /// The folders of the base directories and of the user directory that look like game directories, sorted
    /// by name.
    #[must_use]
    pub fn mods(&self) -> Vec<ModRow> {
        let engine = &self.rules().name;
        let row = |found: Mod| ModRow {
            folders: found.folders.iter().map(|folder| folder.as_str().to_owned()).collect(),
            archives: found.archives,
            unread: found.unread.iter().map(ReasonRow::from).collect(),
            levels: found.levels,
            programs: found.programs.iter().map(|name| text(name.as_name())).collect(),
            files: found.files,
            bytes: found.bytes,
            selectable: found.selection.is_selectable(),
            game: (found.selection == Selection::Game).then(|| found.name.clone()),
            mission: match &found.selection {
                Selection::Mission(flag) => Some(flag.clone()),
                _ => None,
            },
            reason: not_selected(&found.selection, engine),
            name: found.name,
        };
        mods(&self.search_path).into_iter().map(row).collect()
    }
}
