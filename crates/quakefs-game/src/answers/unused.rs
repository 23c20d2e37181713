//! The files of a mod that nothing needs.

use std::fmt;

use quakefs::sentences::Help as _;
use quakefs_needs::Levels;
use serde::Serialize;

use super::list::FileRow;
use super::text;
use crate::error::Error;
use crate::game::Game;

/// A file that no level, program or engine needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnusedRow {
    /// The file. In JSON its keys are those of this row.
    #[serde(flatten)]
    pub file: FileRow,
    /// A missing file with a similar name, which this file was probably meant to be.
    pub meant: Option<String>,
}

/// The name.
impl fmt::Display for UnusedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file.name)
    }
}

impl Game {
    /// The files of the game that nothing needs: models, sprites, sounds, texture images and files beside
    /// levels.
    ///
    /// # Errors
    /// [`Error::NotUsed`] if the program cannot be read, or the game's code is native.
    pub fn unused(&self) -> Result<Vec<UnusedRow>, Error> {
        let levels = Levels::new(&self.search_path);
        let unused = levels.unused().map_err(|trouble| Error::NotUsed {
            reason: trouble.to_string(),
            help: trouble.help(self.shell()),
        })?;
        let row = |unused: &quakefs_needs::Unused<'_>| UnusedRow {
            file: FileRow::from(&unused.file),
            meant: unused.meant.as_ref().map(|name| text(name.as_name())),
        };
        Ok(unused.iter().map(row).collect())
    }
}
