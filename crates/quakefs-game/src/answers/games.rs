//! The installed games, and whether an engine starts on each.

use std::collections::BTreeMap;
use std::fmt;

use quakefs::sentences::{Help as _, printable, with_causes};
use quakefs::why::starts;
use quakefs::{Access, Engine, ErrorKind};
use quakefs_installed::{Install, Places, games_in};
use serde::Serialize;

use super::finding::ReasonRow;
use super::joined;
use super::path::{known_archives, slashed};
use super::starts::does_not_start;

/// The games that stores have installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstalledAnswer {
    /// The games, by store.
    pub games: Vec<InstalledRow>,
    /// The lists of stores that cannot be read.
    pub unread: Vec<ReasonRow>,
}

/// A line for each game.
impl fmt::Display for InstalledAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.games, "\n"))
    }
}

/// An installed game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InstalledRow {
    /// Its name as a base directory, such as `steam:quake`.
    pub name: String,
    /// The store: `steam`, `gog`, `epic`, `system`.
    pub store: &'static str,
    /// The title.
    pub title: String,
    /// `original` or `remaster`.
    pub edition: &'static str,
    /// The base directory.
    pub path: String,
    /// The folder for downloads of the store's own engine, which some engines search too.
    pub downloads: Option<String>,
    /// The game directories of the installed expansions, and their names.
    pub expansions: BTreeMap<String, String>,
    /// The engine that was tried.
    pub engine: &'static str,
    /// Whether it starts.
    pub starts: bool,
    /// Why not, each with the advice.
    pub problems: Vec<ReasonRow>,
    /// The known archives of the base game.
    pub known: BTreeMap<String, String>,
}

/// The name.
impl fmt::Display for InstalledRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.name))
    }
}

impl InstalledAnswer {
    /// The games in some places, each tried with an engine, or else with its own. An engine of another game
    /// is ignored.
    #[must_use]
    pub fn of(places: &Places, engine: Option<Engine>) -> Self {
        let found = games_in(places);
        InstalledAnswer {
            games: found.games.iter().map(|install| row(install, engine)).collect(),
            unread: found.unread.iter().map(ReasonRow::from).collect(),
        }
    }
}

fn row(install: &Install, engine: Option<Engine>) -> InstalledRow {
    let engine = install.engine_or(engine);
    let (problems, known) = match install.under(engine.rules()).access(Access::Read).mount() {
        Ok(search_path) => {
            let stops = starts(&search_path).err().unwrap_or_default();
            let problem = stops.split_first().map(|(first, more)| ReasonRow {
                reason: does_not_start(engine.name(), first, more.len()),
                help: first.help(None),
            });
            (problem.into_iter().collect(), known_archives(&search_path))
        }
        Err(error) => {
            let reason = match error.kind() {
                ErrorKind::NoGameDirectory { because: Some(_), .. } => {
                    format!("{engine} does not start: {}", error.reason())
                }
                _ => with_causes(&error),
            };
            (vec![ReasonRow { reason, ..ReasonRow::from(&error) }], Vec::new())
        }
    };
    let expansion = |expansion: &&quakefs::rules::Expansion| {
        (expansion.directory.to_string(), expansion.name.to_string())
    };
    let known = known.into_iter().map(|(archive, known)| (archive, known.to_string()));
    InstalledRow {
        name: install.to_string(),
        store: install.store.name(),
        title: install.title.name.to_string(),
        edition: install.title.edition(),
        path: slashed(install.path.as_str()),
        downloads: install.downloads.as_ref().map(|path| slashed(path.as_str())),
        expansions: install.expansions.iter().map(expansion).collect(),
        engine: engine.name(),
        starts: problems.is_empty(),
        problems,
        known: known.collect(),
    }
}
