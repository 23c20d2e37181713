//! The names for which engines load different files, and the reason.

use std::fmt;
use std::str::FromStr;

use quakefs::Finding;
use quakefs::content::ContentType;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::{Host, UnknownName};
use quakefs::sentences::counted;
use quakefs::why::{Cause, Comparison, compare, compare_content};
use quakefs::{Engine, SearchPath};
use serde::{Deserialize, Serialize};

use super::list::FileRow;
use super::starts::Caveats;
use super::{joined, text};
use crate::error::Error;
use crate::game::Game;
use crate::options::{Options, Surroundings};

/// An engine on a system, such as `quakespasm@windows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineOn {
    /// The engine.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub engine: Engine,
    /// The system; null for this one.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub on: Option<Host>,
}

impl EngineOn {
    /// The options for the same game under this engine.
    #[must_use]
    pub fn options(&self, options: &Options) -> Options {
        let (engine, on) = (Some(self.engine), self.on.or(options.on));
        Options { engine, rules: None, on, ..options.clone() }
    }
}

impl fmt::Display for EngineOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.engine.name())?;
        self.on.map_or(Ok(()), |host| write!(f, "@{}", host.name()))
    }
}

/// An engine's name, or one of its aliases, with an optional system: `quakespasm`, `fte@windows`.
impl FromStr for EngineOn {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let (engine, on) = match word.split_once('@') {
            Some((engine, on)) => (engine, Some(on)),
            None => (word, None),
        };
        Ok(EngineOn { engine: engine.parse()?, on: on.map(str::parse).transpose()? })
    }
}

/// Why engines load different files, with the number of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseRow {
    /// A word that stays the same in all versions.
    pub because: &'static str,
    /// The same as a sentence.
    pub rule: String,
    /// How many names.
    pub names: usize,
}

/// The sentence, and how many names.
impl fmt::Display for CauseRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", counted(self.names as u64, "name", "names"), self.rule)
    }
}

impl From<&Cause> for CauseRow {
    fn from(Cause { because, names, .. }: &Cause) -> Self {
        CauseRow { because: because.name(), rule: because.to_string(), names: names.len() }
    }
}

/// A name that engines load differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferenceRow {
    /// The name.
    pub name: String,
    /// What each engine loads, in the order of the comparison.
    pub engines: Vec<WinnerRow>,
    /// Why, a word that stays the same in all versions.
    pub because: &'static str,
    /// The same as a sentence.
    pub rule: String,
}

/// `maps/start.bsp: winquake id1/pak0.pak, fte id1/pak1.pak: why`.
impl fmt::Display for DifferenceRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.name, joined(&self.engines, ", "), self.rule)
    }
}

/// What one engine loads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinnerRow {
    /// The engine, with its system.
    pub engine: String,
    /// The file. In JSON its keys are those of this row, and there are none if the engine finds no file.
    #[serde(flatten, serialize_with = "super::list::location")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::list::Location<'static>>"))]
    pub file: Option<FileRow>,
}

/// The engine and the layer, or `nothing`.
impl fmt::Display for WinnerRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layer = self.file.as_ref().map_or("nothing", |file| &file.layer);
        write!(f, "{} {layer}", self.engine)
    }
}

/// A comparison of one game under several engines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The engines.
    pub engines: Vec<EngineOn>,
    /// The games, in the order of the engines.
    pub games: Vec<Game>,
    /// The comparison.
    pub comparison: Comparison,
}

impl Compared {
    /// Mounts the game of the options for each engine, and compares what they load. `is_wanted` chooses among
    /// the names.
    ///
    /// # Errors
    /// [`Error::OtherGames`] unless `any_game`, and as [`Game::open`].
    pub fn of(
        options: &Options,
        surroundings: &Surroundings,
        engines: &[EngineOn],
        any_game: bool,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Compared, Error> {
        let games = Compared::games(options, surroundings, engines, any_game)?;
        Ok(Compared::with(engines.to_vec(), games, is_wanted))
    }

    /// The game of the options for each engine.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn games(
        options: &Options,
        surroundings: &Surroundings,
        engines: &[EngineOn],
        any_game: bool,
    ) -> Result<Vec<Game>, Error> {
        let open = |engine: &EngineOn| Game::open(&engine.options(options), surroundings);
        Compared::opened(engines, any_game, open)
    }

    /// The games that the caller opens for the engines.
    ///
    /// # Errors
    /// [`Error::OtherGames`] unless `any_game`, and as `open`.
    pub fn opened<E: From<Error>>(
        engines: &[EngineOn],
        any_game: bool,
        open: impl FnMut(&EngineOn) -> Result<Game, E>,
    ) -> Result<Vec<Game>, E> {
        if !any_game {
            refuse_other_games(engines)?;
        }
        engines.iter().map(open).collect()
    }

    /// Compares what mounted games load.
    #[must_use]
    pub fn with(engines: Vec<EngineOn>, games: Vec<Game>, is_wanted: impl Fn(&[u8]) -> bool) -> Compared {
        let search_paths: Vec<SearchPath> = games.iter().map(|game| game.search_path.clone()).collect();
        // an archive may be a layer in one engine and a loose file in another, but no game reads it as a file
        let is_archive = |name: &[u8]| !name.contains(&b'/') && ContentType::of(name) == ContentType::Archive;
        let mut comparison = compare(&search_paths, |name| is_wanted(name) && !is_archive(name));
        compare_content(&mut comparison);
        Compared { engines, games, comparison }
    }

    /// The names that differ, by cause, the cause with the most names first.
    pub fn differences(&self) -> impl Iterator<Item = DifferenceRow> {
        self.comparison.causes.iter().flat_map(move |cause| {
            let rule = cause.because.to_string();
            cause.names.iter().map(move |name| DifferenceRow {
                name: text(name.as_name()),
                engines: self.winners(cause, name).collect(),
                because: cause.because.name(),
                rule: rule.clone(),
            })
        })
    }

    /// What each engine loads for a name.
    fn winners(&self, cause: &Cause, name: &EntryNameBuf) -> impl Iterator<Item = WinnerRow> {
        self.comparison.search_paths.iter().zip(&self.engines).map(move |(search_path, engine)| WinnerRow {
            engine: engine.to_string(),
            file: cause.winner(search_path, name).map(|file| FileRow::from(&file)),
        })
    }

    /// What every answer has to say about the games.
    #[must_use]
    pub fn caveats(&self) -> Caveats {
        Caveats::of(&self.games.iter().map(|game| &game.search_path).collect::<Vec<_>>())
    }

    /// The findings of all games.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.games.iter().flat_map(|game| game.search_path.findings())
    }
}

impl Game {
    /// Compares what engines load of this game: see [`Compared::of`].
    ///
    /// # Errors
    /// As [`Compared::of`].
    pub fn compare(&self, engines: &[EngineOn], any_game: bool) -> Result<Compared, Error> {
        Compared::of(&self.options, &self.surroundings, engines, any_game, |_| true)
    }
}

/// A file that levels need and only some of the engines find.
#[cfg(feature = "needs")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeedDifferenceRow {
    /// The name.
    pub name: String,
    /// The kind of file.
    pub kind: &'static str,
    /// The engines that need and find it.
    pub found: Vec<String>,
    /// The engines that need it and do not find it.
    pub missing: Vec<String>,
}

/// `progs/ogre.mdl: fte does not find it`.
#[cfg(feature = "needs")]
impl fmt::Display for NeedDifferenceRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.missing.len() == 1 { "does" } else { "do" };
        write!(f, "{}: {} {verb} not find it", self.name, self.missing.join(", "))
    }
}

#[cfg(feature = "needs")]
impl Compared {
    /// The files that levels need but only some of the engines find, and how many were compared.
    #[must_use]
    pub fn needs(engines: &[EngineOn], games: &[Game]) -> (Vec<NeedDifferenceRow>, usize) {
        use quakefs_needs::{Kind, Levels, Presence};
        use std::collections::BTreeMap;

        let mut all: BTreeMap<(EntryNameBuf, Kind), Vec<Option<bool>>> = BTreeMap::new();
        for (number, game) in games.iter().enumerate() {
            let levels = Levels::new(&game.search_path);
            let asked = levels.of_own().into_iter().flat_map(|(_, needs)| needs.needed);
            for need in asked.filter(|need| need.presence == Presence::Required) {
                let row = all.entry((need.name, need.kind)).or_insert_with(|| vec![None; games.len()]);
                if let Some(cell) = row.get_mut(number) {
                    *cell = Some(need.is_found);
                }
            }
        }
        let compared = all.len();
        // if one engine does not need the file and the others find it, nothing is missing
        all.retain(|_, row| row.contains(&Some(false)) && row.iter().any(|cell| *cell != Some(false)));
        let row = |((name, kind), row): ((EntryNameBuf, Kind), Vec<Option<bool>>)| {
            let those = |finds: bool| {
                let cells = engines.iter().zip(&row).filter(|(_, cell)| **cell == Some(finds));
                cells.map(|(engine, _)| engine.to_string()).collect()
            };
            let (found, missing) = (those(true), those(false));
            NeedDifferenceRow { name: text(name.as_name()), kind: kind.name(), found, missing }
        };
        (all.into_iter().map(row).collect(), compared)
    }
}

/// Refuses engines that share no game directory with the first one.
fn refuse_other_games(engines: &[EngineOn]) -> Result<(), Error> {
    let Some((first, others)) = engines.split_first() else { return Ok(()) };
    let directories = |engine: &EngineOn| &engine.engine.rules().directories;
    let Some(other) = others.iter().find(|other| !directories(first).share_base(directories(other))) else {
        return Ok(());
    };
    // a placeholder for the directories of missions
    let base = |engine: &EngineOn| {
        let base = directories(engine).base.iter().map(|name| &**name).filter(|name| *name != "{}");
        base.collect::<Vec<_>>().join(", ")
    };
    let with_base = |engine: &EngineOn| (engine.to_string(), base(engine));
    Err(Error::OtherGames { one: with_base(first), other: with_base(other) })
}
