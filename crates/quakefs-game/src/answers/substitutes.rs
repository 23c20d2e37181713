//! What the engine loads instead of a texture, a sky, a track, a model or a skin.

use std::fmt;

use quakefs::rules::SubstituteKind;
use quakefs::search_path::{SubstituteCopy, Substitution};
use quakefs::sentences::{Help, Shell};
use serde::Serialize;

use super::list::FileRow;
use super::text;
use crate::error::{Error, other_engine};
use crate::game::Game;

/// A replacement that the engine may load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubstituteRow {
    /// The engine.
    pub engine: String,
    /// The kind of thing that it replaces: `texture`, `sky`, `music`, `model`, `skin`, `image`, `sound`.
    pub kind: &'static str,
    /// The thing.
    pub name: String,
    /// The current level.
    pub level: Option<String>,
    /// The file that the engine loads; null if none is there.
    pub loaded: Option<FileRow>,
    /// The names that the engine tries, in order.
    pub tried: Vec<String>,
    /// Files with later names, in order.
    pub overridden: Vec<FileRow>,
    /// Files that the engine skips because they rank below the thing.
    pub skipped: Vec<FileRow>,
    /// Whether it is an addition to another replacement, such as a glow texture.
    pub is_addition: bool,
}

/// How many names a sentence lists.
const FEW: usize = 6;

/// The file, or why there is none.
impl fmt::Display for SubstituteRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SubstituteRow { engine, name, .. } = self;
        if let Some(file) = &self.loaded {
            return write!(f, "{}: {}", file.name, file.place(&file.name));
        }
        write!(f, "{name}: no replacement: {engine} ")?;
        match (self.skipped.first(), self.tried.get(..FEW)) {
            (Some(file), _) => {
                write!(f, "ignores {} of {}, which ranks below the model", file.name, file.layer)
            }
            (None, _) if self.tried.is_empty() => f.write_str("requests none"),
            (None, Some(first)) if self.tried.len() > FEW => {
                write!(f, "requests {} and {} more", first.join(", "), self.tried.len() - FEW)
            }
            (None, _) => write!(f, "requests {}", self.tried.join(", ")),
        }
    }
}

impl Help for SubstituteRow {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        if self.loaded.is_some() {
            return None;
        }
        Some(match (self.skipped.is_empty(), self.tried.is_empty()) {
            (false, _) => "put the file beside the model, or in a game above it".to_owned(),
            (true, false) => "give the file one of these names; the first that exists wins".to_owned(),
            (true, true) => {
                let kind = SubstituteKind::ALL.iter().find(|kind| kind.name() == self.kind)?;
                other_engine(*kind, shell)
            }
        })
    }
}

impl Game {
    /// The files that replace a thing of this kind. A sky has six files. `level` is the path or the bare name
    /// of the current level.
    ///
    /// # Errors
    /// [`Error::NoSubstitutes`] if it is not known what the engine loads.
    pub fn substitutes(
        &self,
        kind: SubstituteKind,
        name: impl AsRef<[u8]>,
        level: Option<&str>,
    ) -> Result<Vec<SubstituteRow>, Error> {
        let name = name.as_ref();
        let engine = self.rules().name.to_string();
        let level = level.map(|level| level.rsplit('/').next().unwrap_or_default());
        let level = level.map(|level| level.strip_suffix(".bsp").unwrap_or(level));
        let found = self.search_path.substitutes(kind, name, level.map(str::as_bytes));
        let Some(found) = found else { return Err(Error::NoSubstitutes { engine, kind }) };
        let rows = |copies: &[SubstituteCopy<'_>]| -> Vec<FileRow> {
            copies.iter().map(|copy| FileRow::new(copy.name.as_name(), &copy.file)).collect()
        };
        let row = |file: &Substitution<'_>| {
            let mut copies = rows(&file.copies).into_iter();
            SubstituteRow {
                engine: engine.clone(),
                kind: kind.name(),
                name: text(quakefs::EntryName::from_bytes(name)),
                level: level.map(str::to_owned),
                loaded: copies.next(),
                tried: file.tried.iter().map(|name| text(name.as_name())).collect(),
                overridden: copies.collect(),
                skipped: rows(&file.skipped),
                is_addition: file.beside,
            }
        };
        let is_shown = |file: &&Substitution<'_>| !file.beside || !file.copies.is_empty();
        Ok(found.iter().filter(is_shown).map(row).collect())
    }
}
