//! Where a download goes, how it is started, and what it changes.

#[cfg(feature = "needs")]
use std::collections::BTreeSet;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::disk::{FileKind, folders_in};
use quakefs::findings::Severity;
#[cfg(feature = "needs")]
use quakefs::rules::Games;
use quakefs::sentences::{Help as _, Shell, counted, printable};
use quakefs::why::check;
use quakefs::{Engine, File, Rules, SearchPath};
#[cfg(feature = "fs")]
use quakefs_extract::journal::Journal;
#[cfg(feature = "fs")]
use quakefs_extract::{ExtractOptions, ExtractPlan};
use quakefs_installed::{By, Download, PlaceOptions, Placement, Start, place};
#[cfg(feature = "needs")]
use quakefs_installed::{Mod, Selection, mods};
use serde::Serialize;

use super::check::one_for_each_folder;
use super::finding::{FindingRow, Problem};
use super::text;
use crate::choose::{BaseBecause, Choices, EngineBecause};
use crate::error::Error;
use crate::game::{Game, Note};
use crate::options::{Options, Over, Surroundings};

/// The most game directories of a download that are tried, and games for the program that its levels were
/// made for.
const TRIED: usize = 16;

/// Where a download goes, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceAnswer {
    /// The download.
    pub file: String,
    /// The family of games that it is for, such as `Quake II`.
    pub family: String,
    /// The engine that would load it.
    pub engine: String,
    /// The engine's program in the base directory, such as `hl.exe`, or else the engine's name.
    pub program: String,
    /// The parts that go somewhere. If there are none and no `downloads`, `nothing` tells why.
    pub parts: Vec<PartRow>,
    /// How to start each of its game directories.
    pub starts: Vec<StartRow>,
    /// The files that stay in the download.
    pub left: Vec<String>,
    /// The paths of a folder's ZIPs, each a download of its own.
    pub downloads: Vec<String>,
    /// What is unclear or could not be read, a sentence each.
    pub notes: Vec<String>,
    /// Whether a place is only a guess from the name of the download.
    pub guess: bool,
    /// Why nothing is placed, a word that stays the same in all versions.
    pub nothing: Option<&'static str>,
    /// The same as a sentence.
    pub reason: Option<String>,
    /// What to do if nothing is placed.
    pub help: Option<String>,
    /// What is there already; null without a base directory that contains the game.
    pub existing: Option<ExistingRow>,
}

/// Files of a download that go to one folder for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartRow {
    /// The folder in the download, such as `progs_dump/pd/`; empty for the download itself.
    pub from: String,
    /// The folder below the base directory, such as `pd/`, or `id1/maps/` for levels.
    pub to: String,
    /// The evidence, a word that stays the same in all versions: `as`, `folder`, `text`, `base`, `levels`,
    /// `level-name`, `name`.
    pub by: &'static str,
    /// The same as a sentence.
    pub reason: String,
    /// The line of the author's text that names the place.
    pub text: Option<String>,
    /// The game directory, if an option of the engine selects it.
    pub game: Option<String>,
    /// The paths of its files in the download.
    pub files: Vec<String>,
}

/// The folder below the base directory, and why.
impl fmt::Display for PartRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.to), printable(&self.reason))
    }
}

/// How a game directory of a download is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartRow {
    /// The words for the engine's command line, such as `-game`, `pd`, `+map`, `start`.
    pub words: Vec<String>,
    /// The mission flags.
    pub missions: Vec<String>,
    /// The game directories.
    pub games: Vec<String>,
    /// The level, if one is known.
    pub level: Option<String>,
    /// The demo, if there is one and no level.
    pub demo: Option<String>,
}

impl StartRow {
    fn new(start: &Start, placement: &Placement) -> Self {
        StartRow {
            words: start.words(&placement.family),
            missions: start.missions.clone(),
            games: start.games.clone(),
            level: start.level.clone(),
            demo: start.demo.clone(),
        }
    }
}

/// The words for the command line.
impl fmt::Display for StartRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.words.join(" ")))
    }
}

/// Files of a download that the base directory has already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExistingRow {
    /// How many have the same bytes there.
    pub same: usize,
    /// The paths of those that differ, below the base directory.
    pub different: Vec<String>,
}

/// `3 files are there already, different: pd/pak0.pak`.
impl fmt::Display for ExistingRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = (self.same + self.different.len()) as u64;
        write!(f, "{}, ", counted(all, "file is there already", "files are there already"))?;
        match &*self.different {
            [] => f.write_str("all the same"),
            different => {
                write!(f, "different: {}", printable(&some(different.iter().map(String::as_str))))
            }
        }
    }
}

/// What a download would change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffectsRow {
    /// How many names are new.
    pub added: u64,
    /// How many files of each layer would be overridden.
    pub overridden: BTreeMap<String, u64>,
    /// The names that it would win.
    pub changes: Vec<ChangeRow>,
    /// The warnings and errors that the game has only with the download.
    pub problems: Vec<FindingRow>,
    /// The games whose program was tried with its levels.
    #[cfg(feature = "needs")]
    pub fits: Vec<FitRow>,
    /// How its levels are started in the game that fits them best, if that is another one than the
    /// download's.
    pub start: Option<StartRow>,
    /// How many of its game directories and of the games for its levels were not tried, because that would
    /// take too long.
    pub not_tried: u64,
}

/// A name that a file of a download would win.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangeRow {
    /// The name.
    pub name: String,
    /// The layer that would have it.
    pub layer: String,
    /// The layer whose file it would override.
    pub overrides: Option<String>,
}

/// `progs.dat: mymod/pak0.pak overrides id1/pak0.pak`.
impl fmt::Display for ChangeRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, printable(&self.layer))?;
        self.overrides.iter().try_for_each(|over| write!(f, " overrides {}", printable(over)))
    }
}

/// A game whose program was tried with the levels of a download.
#[cfg(feature = "needs")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FitRow {
    /// The game.
    pub game: String,
    /// The files that the levels need and it lacks.
    pub missing: Vec<String>,
    /// Mistakes that end the levels in it, a sentence each.
    pub mistakes: Vec<String>,
    /// Whether no game fits better.
    pub best: bool,
}

/// The game, and what its levels lack there.
#[cfg(feature = "needs")]
impl fmt::Display for FitRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lacks = self.missing.iter().chain(&self.mistakes).map(String::as_str);
        match self.missing.len() + self.mistakes.len() {
            0 => write!(f, "{}: nothing is missing", printable(&self.game)),
            _ => write!(f, "{}: {}", printable(&self.game), printable(&some(lacks))),
        }
    }
}

/// `adds 3 names, overrides 2 of id1/pak0.pak`, and on the next line the game that fits its levels.
impl fmt::Display for EffectsRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "adds {}", counted(self.added, "name", "names"))?;
        self.overridden.iter().try_for_each(|(layer, count)| {
            write!(f, ", overrides {} of {}", quakefs::sentences::grouped(*count), printable(layer))
        })?;
        #[cfg(feature = "needs")]
        fmt_fits(&self.fits, f)?;
        match self.not_tried {
            0 => Ok(()),
            more => {
                let games = counted(more, "game was", "games were");
                write!(f, "\n{games} not tried: that would take too long")
            }
        }
    }
}

/// Which game fits the levels best, on a line of its own.
#[cfg(feature = "needs")]
fn fmt_fits(fits: &[FitRow], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let best: Vec<_> = fits.iter().filter(|fit| fit.best).collect();
    let Some(first) = best.first() else { return Ok(()) };
    let names = some(best.iter().map(|fit| &*fit.game));
    let names = printable(&names);
    let fit = if best.len() == 1 { "fits" } else { "fit" };
    let lost = some(first.missing.iter().chain(&first.mistakes).map(String::as_str));
    match (first.missing.len(), first.mistakes.len()) {
        (0, 0) => write!(f, "\nits levels find everything that they need in {names}"),
        (1, 0) => write!(f, "\n{names} {fit} its levels best; only {lost} is missing"),
        (_, 0) => write!(f, "\n{names} {fit} its levels best; {lost} are missing"),
        _ => write!(f, "\n{names} {fit} its levels best; problems: {lost}"),
    }
}

impl PlaceAnswer {
    /// How each of its game directories is started. A level starts in the game that fits it best.
    #[must_use]
    pub fn starts_with<'a>(&'a self, effects: Option<&'a EffectsRow>) -> Vec<&'a StartRow> {
        let best = effects.and_then(|effects| effects.start.as_ref());
        let better = |start: &StartRow| best.filter(|best| best.level == start.level);
        self.starts.iter().map(|start| better(start).unwrap_or(start)).collect()
    }
}

/// Where the download goes, or why it goes nowhere.
impl fmt::Display for PlaceAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.reason {
            return write!(f, "{}: nothing of it goes into a game: {reason}", printable(&self.file));
        }
        match (&*self.parts, self.downloads.len() as u64) {
            ([], count) => {
                let downloads = counted(count, "download", "downloads");
                write!(f, "{}: {downloads}", printable(&self.file))?;
            }
            _ => write!(f, "{}: for {}", printable(&self.file), self.family)?,
        }
        self.parts.iter().try_for_each(|part| write!(f, "\n  {part}"))
    }
}

/// A download with its place in the game of some options.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Placed {
    /// The answer.
    pub answer: PlaceAnswer,
    /// The place of each file.
    pub placement: Placement,
    /// The base directory, if it contains the game.
    pub base: Option<Utf8PathBuf>,
    /// How the base directory was found, and what is unclear about the download.
    pub notes: Vec<Note>,
    /// The options, with the engine that was named or shown if it plays the download's game, or else one that
    /// does.
    pub options: Options,
    base_because: BaseBecause,
    other_bases: Vec<Utf8PathBuf>,
    directories: Vec<String>,
    /// The numbers of the files that are there already with the same bytes.
    same: HashSet<usize>,
    file: Over,
    surroundings: Surroundings,
}

impl Placed {
    /// Finds where the files of a download go. Nothing is written.
    ///
    /// # Errors
    /// The download cannot be opened, and as [`Choices::of`].
    pub fn of(options: &Options, surroundings: &Surroundings, over: &Over) -> Result<Placed, Error> {
        let mut placed = Placed::in_chosen(options, surroundings, over)?;
        if placed.base.is_some() || placed.placement.parts.is_empty() {
            return Ok(placed);
        }
        let engine = placed.placement.family.engine();
        let by_base = placed.placement.parts.iter().all(|part| part.by == By::Base);
        if let Some(base) = options.bases.first().filter(|_| !by_base) {
            // tells what is wrong with the folder that the caller named
            let named = Options { bases: vec![base.clone()], ..Options::default() };
            let of_engine = Options { engine: Some(engine), ..named };
            Game::open(&of_engine, surroundings).map_err(|error| {
                let (file, shell) = (over.file.to_string(), surroundings.shell());
                let reason = format!("it is for {}, and {error}", placed.placement.family.name);
                let above = base.parent().and_then(|above| folders_in(&surroundings.disk, above).ok());
                // another engine would not help, and the folder above does
                match above.filter(|above| engine.rules().directories.is_in(above)) {
                    Some(_) => Error::NotPlaced { file, because: "no-game", reason, help: error.help(shell) },
                    None => Error::no_game(file, &reason, shell),
                }
            })?;
        }
        // another folder, or an installed game, that is of the download's family
        if options.bases.is_empty()
            && let Some((base, because)) = other_base(&placed, engine)
        {
            let there = Options { bases: vec![base.clone()], ..options.clone() };
            placed = Placed::in_chosen(&there, surroundings, over)?;
            placed.base_because = because;
            let note = Note::OtherBase { base, game: None, others: Vec::new() };
            placed.answer.notes.insert(0, note.to_string());
            placed.notes.insert(0, note);
        }
        Ok(placed)
    }

    /// The same in the base directory of the choices.
    fn in_chosen(options: &Options, surroundings: &Surroundings, over: &Over) -> Result<Placed, Error> {
        let disk = &surroundings.disk;
        let download = Download::open(disk, &over.file)?;
        let choices = Choices::of(options, surroundings)?;
        // a folder below is a guess, and so is what plays its game
        let is_named = match choices.engine_because {
            EngineBecause::Default => false,
            EngineBecause::Program(_) | EngineBecause::Game => !choices.base_because.is_guess(),
            _ => true,
        };
        let named = Some(&choices.rules).filter(|_| is_named);
        let listed = choices.base.as_ref().map(|base| folders_in(disk, base));
        let directories = listed.and_then(Result::ok).unwrap_or_default();
        let place_options = PlaceOptions {
            engine: named,
            name: over.name.as_deref(),
            directories: &directories,
            splits: true,
            ..PlaceOptions::default()
        };
        let mut placement = place(&download, &place_options);
        // what goes into the base game is played in the game that the caller named
        for start in &mut placement.starts {
            if start.games.is_empty() && start.missions.is_empty() {
                start.games.clone_from(&options.games);
                start.missions.clone_from(&options.missions);
            }
        }
        let is_other =
            |note: &quakefs_installed::Note| matches!(note, quakefs_installed::Note::OtherFamily { .. });
        let named = named.filter(|_| !placement.notes.iter().any(is_other));
        let engine = placement.family.engine();
        let rules = named.unwrap_or(engine.rules());
        let has_game = rules.directories.is_in(&directories);
        let base = choices.base.clone().filter(|_| has_game);
        let mut options = options.clone();
        if named.is_none() {
            (options.engine, options.rules) = (Some(engine), None);
        }
        let of_base = base.as_ref().filter(|_| choices.base_because.is_elsewhere());
        let mut notes: Vec<_> = of_base
            .map(|base| Note::OtherBase {
                base: base.clone(),
                game: None,
                others: choices.other_bases.clone(),
            })
            .into_iter()
            .collect();
        notes.extend(
            placement.notes.iter().map(|note| Note::OfOver { file: over.file.clone(), note: note.clone() }),
        );
        let mut same = HashSet::new();
        let mut answer = row(&over.file, &placement, &rules.name, surroundings.shell());
        answer.notes = notes
            .iter()
            .map(|note| match note {
                Note::OfOver { note, .. } => note.to_string(),
                note => note.to_string(),
            })
            .collect();
        if let Some(base) = &base {
            let items = disk.list(base.as_std_path()).unwrap_or_default();
            let files = items.iter().filter(|item| item.kind != FileKind::Folder);
            let programs = files.filter_map(|item| std::str::from_utf8(&item.name).ok());
            let programs: Vec<&str> = programs.collect();
            // another engine of the game may be there
            let is_of_family = |other: &&Engine| {
                options.engine.is_none() && rules.family.is_some() && other.rules().family == rules.family
            };
            let of = |rules: &Rules| rules.program_among(programs.iter().copied());
            let other = || Engine::ALL.iter().filter(is_of_family).find_map(|other| of(other.rules()));
            let program = of(rules).or_else(other);
            answer.program = program.map_or(answer.program, str::to_owned);
        }
        answer.existing = base.as_ref().map(|base| {
            let mut different = Vec::new();
            for (number, is_same) in placement.existing(disk, base) {
                if is_same {
                    same.insert(number);
                } else {
                    different.extend(placement.files.get(number).map(|file| file.to.clone()));
                }
            }
            ExistingRow { same: same.len(), different }
        });
        let (file, surroundings, base_because) = (over.clone(), surroundings.clone(), choices.base_because);
        Ok(Placed {
            answer,
            placement,
            base,
            notes,
            options,
            base_because,
            other_bases: choices.other_bases,
            directories,
            same,
            file,
            surroundings,
        })
    }

    /// What the engine would load differently, what would be wrong, and which game fits the levels. `None`
    /// without a base directory that contains the game, or if nothing is placed.
    ///
    /// # Errors
    /// As [`Game::open`].
    pub fn effects(&self) -> Result<Option<EffectsRow>, Error> {
        if self.base.is_none() || self.placement.parts.is_empty() {
            return Ok(None);
        }
        let mut over = self.options.clone();
        over.over.push(self.file.clone());
        let exists = |name: &String| self.directories.contains(name);
        let none = [Start::default()];
        let all = if self.placement.starts.is_empty() { &none } else { &*self.placement.starts };
        let not_tried = all.len().saturating_sub(TRIED) as u64;
        let mut effects = EffectsRow { not_tried, ..EffectsRow::default() };
        let (mut seen, mut told) = (HashSet::new(), HashSet::new());
        for start in all.iter().take(TRIED) {
            let mut without = start.clone();
            without.games.retain(exists);
            without.missions.retain(exists);
            let before = Game::open(&started(&self.options, &without), &self.surroundings)?.search_path;
            let game = Game::open(&started(&over, start), &self.surroundings)?;
            let after = &game.search_path;
            let changes = self.changes(&before, after).into_iter();
            effects.changes.extend(changes.filter(|change| seen.insert(change.clone())));
            told.extend(check(&before).iter().map(ToString::to_string));
            let new = check(after)
                .into_iter()
                .filter(|found| found.severity >= Severity::Warning && told.insert(found.to_string()));
            let new = one_for_each_folder(new.map(Problem::from).collect(), None);
            effects.problems.extend(new.iter().map(|problem| problem.row(game.shell())));
            #[cfg(feature = "needs")]
            if effects.fits.is_empty() {
                self.add_fits(&over, start, after, &mut effects);
            }
        }
        for change in &effects.changes {
            match &change.overrides {
                Some(layer) => *effects.overridden.entry(layer.clone()).or_default() += 1,
                None => effects.added += 1,
            }
        }
        Ok(Some(effects))
    }

    /// The names that the new files of the download win, with the layers before.
    fn changes(&self, before: &SearchPath, after: &SearchPath) -> Vec<ChangeRow> {
        let new = self.placement.files.iter().enumerate().filter(|(number, _)| !self.same.contains(number));
        let placed: HashSet<&str> = new.map(|(_, file)| &*file.to).collect();
        let is_new = |file: &File<'_>| {
            let layer = file.layer().name();
            let stored = file.stored().to_string();
            // an archive beside the files of its directory is a layer, or skipped
            let is_archive = file.entry().is_none() && after.rules().archives.is_archive_name(&stored);
            placed.contains(layer) || placed.contains(&*format!("{layer}{stored}")) && !is_archive
        };
        let change = |file: File<'_>| {
            let overrides = before.find(file.name()).map(|known| known.layer().name().to_owned());
            ChangeRow { name: text(file.name()), layer: file.layer().name().to_owned(), overrides }
        };
        after.files().filter(is_new).map(change).collect()
    }

    /// Adds the games whose program the levels of the download may have been made for.
    #[cfg(feature = "needs")]
    fn add_fits(&self, over: &Options, start: &Start, after: &SearchPath, effects: &mut EffectsRow) {
        use quakefs::content::ContentType;
        use quakefs_needs::{Levels, Needs, Presence, Trouble};

        let files = || self.placement.files.iter();
        let is = |path: &str, content| ContentType::of(path.as_bytes()) == content;
        let levels: Vec<&[u8]> = files()
            .filter(|file| is(&file.to, ContentType::Level))
            .filter_map(|file| file.to.split_once('/').map(|(_, name)| name.as_bytes()))
            .collect();
        if levels.is_empty() || files().any(|file| is(&file.to, ContentType::Program)) {
            return;
        }
        let mut games = mods(after);
        games.retain(|found| !found.programs.is_empty() && found.selection.is_selectable());
        // the engine takes no other game beside one that is named
        let takes_more = start.games.is_empty() || after.rules().directories.games == Games::Every;
        let is_taken = |found: &Mod| takes_more || start.games.contains(&found.name);
        let is_asked =
            |found: &Mod| self.options.games.is_empty() || self.options.games.contains(&found.name);
        games.retain(|found| is_taken(found) && is_asked(found));
        // the game of the download itself and the base game before all others
        let is_own = |found: &Mod| start.games.contains(&found.name);
        games.sort_by_key(|found| (!is_own(found), found.selection != Selection::Always));
        effects.not_tried += games.len().saturating_sub(TRIED) as u64;
        let mut tried: Vec<(Start, FitRow)> = Vec::new();
        let mut first: Option<Levels> = None;
        for found in games.iter().take(TRIED) {
            let mut start = start.clone();
            match &found.selection {
                Selection::Mission(flag) => start.missions.insert(0, flag.clone()),
                Selection::Game if !start.games.contains(&found.name) => {
                    start.games.insert(0, found.name.clone());
                }
                _ => {}
            }
            let Ok(game) = Game::open(&started(over, &start), &self.surroundings) else { continue };
            let finder = Levels::new(&game.search_path);
            // one budget for all games, because each program could use up one
            let finder = match &first {
                Some(first) => finder.with_budget_of(first),
                None => finder,
            };
            let needs = finder.of(&levels);
            first.get_or_insert(finder);
            if needs
                .iter()
                .any(|needs| needs.troubles.iter().any(|trouble| matches!(trouble, Trouble::Budget)))
            {
                effects.not_tried += 1;
                continue;
            }
            // what a level needs that cannot be read is not known
            let is_read =
                |needs: &&Needs| needs.troubles.iter().all(|trouble| trouble.severity() < Severity::Error);
            let needs: Vec<_> = needs.iter().filter(is_read).collect();
            if needs.is_empty() {
                continue;
            }
            let missing = needs.iter().flat_map(|needs| needs.missing());
            let missing = missing.filter(|need| need.presence == Presence::Required);
            let missing: BTreeSet<_> = missing.map(|need| need.name.as_name().to_string()).collect();
            let ends = needs.iter().flat_map(|needs| &needs.incidents).filter(|(incident, _)| incident.ends);
            let mistakes: BTreeSet<_> = ends.map(|(incident, _)| incident.to_string()).collect();
            let (missing, mistakes) = (missing.into_iter().collect(), mistakes.into_iter().collect());
            tried.push((start, FitRow { game: found.name.clone(), missing, mistakes, best: false }));
        }
        let lost = |fit: &FitRow| fit.missing.len() + fit.mistakes.len();
        let least = tried.iter().map(|(_, fit)| lost(fit)).min();
        for (_, fit) in &mut tried {
            fit.best = Some(lost(fit)) == least;
        }
        let mut best = tried.iter().filter(|(_, fit)| fit.best);
        if let (Some((other, _)), None) = (best.next(), best.next())
            && (&other.games, &other.missions) != (&start.games, &start.missions)
        {
            effects.start = Some(StartRow::new(other, &self.placement));
        }
        effects.fits = tried.into_iter().map(|(_, fit)| fit).collect();
    }

    /// Checks that the download may be unpacked: its place is no guess, and no file there differs.
    ///
    /// # Errors
    /// [`Error::NotPlaced`].
    pub fn check_write(&self) -> Result<&Utf8Path, Error> {
        let refused = |because, reason: String, help: Option<String>| {
            let file = self.file.file.to_string();
            Error::NotPlaced { file, because, reason, help }
        };
        let shell = self.surroundings.shell();
        if let Some(nothing) = self.placement.nothing {
            let reason = format!("nothing of it goes into a game: {nothing}");
            return Err(refused("nothing", reason, nothing.help(shell)));
        }
        let Some(base) = &self.base else {
            let file = self.file.file.to_string();
            return Err(Error::no_game(file, "there is no game to put it into", shell));
        };
        if self.base_because.is_guess() {
            let help = match shell {
                Some(shell) => format!("name it with {}", shell.quoted(&["--basedir", base.as_str()])),
                None => "name the base directory".to_owned(),
            };
            let reason = format!("not unpacked: the base directory {base} is a guess");
            return Err(refused("guess", reason, Some(help)));
        }
        if let Some(guess) = self.placement.guess() {
            let name = guess.to.split('/').next().unwrap_or_default();
            let help = match shell {
                Some(shell) => format!("name the game directory with {}", shell.quoted(&["--as", name])),
                None => format!("name the game directory, such as {name}"),
            };
            return Err(refused("guess", format!("not unpacked: {} is a guess", guess.to), Some(help)));
        }
        let different = self.answer.existing.as_ref().map_or(&[][..], |existing| &existing.different);
        if !different.is_empty() {
            let files = counted(different.len() as u64, "file differs", "files differ");
            let names = some(different.iter().map(String::as_str));
            let help = match shell {
                Some(_) => "move them away, or choose another folder with --as",
                None => "move them away, or choose another folder",
            };
            let reason = format!("not unpacked: {files}: {names}");
            return Err(refused("differs", reason, Some(help.to_owned())));
        }
        Ok(base)
    }

    /// Unpacks the download: checks that it may be, and that its files are not too large, writes the journal
    /// for an undo, and calls `write`, which writes the plan below the base directory with these options.
    /// Returns the journal, or `None` if all files are there already.
    ///
    /// # Errors
    /// As [`check_write`](Self::check_write), the files are too large, or the journal cannot be written.
    #[cfg(feature = "fs")]
    pub fn write<T>(
        &self,
        write: impl FnOnce(&ExtractPlan, &Utf8Path, &ExtractOptions) -> T,
    ) -> Result<(Option<Journal>, T), Error> {
        let base = self.check_write()?;
        let (plan, limits) = (self.placement.plan(base)?, self.placement.limits());
        plan.check(&limits)?;
        let download = self.file.file.file_name().unwrap_or(self.file.file.as_str());
        let journal = Journal::of_plan(base, download, &plan)?;
        let written = write(&plan, base, &limits);
        Ok((journal, written))
    }
}

/// The only other base directory with the game of an engine: of the folders below, or of the installed games.
fn other_base(placed: &Placed, engine: Engine) -> Option<(Utf8PathBuf, BaseBecause)> {
    let disk = &placed.surroundings.disk;
    let directories = &engine.rules().directories;
    let holds = |base: &&Utf8PathBuf| directories.is_in(&folders_in(disk, base).unwrap_or_default());
    let only = |bases: &[Utf8PathBuf]| {
        let mut found = bases.iter().filter(holds);
        found.next().filter(|_| found.next().is_none()).cloned()
    };
    if let Some(base) = only(&placed.other_bases) {
        return Some((base, BaseBecause::Below));
    }
    #[cfg(feature = "stores")]
    {
        let installed = quakefs_installed::games_in(&placed.surroundings.stores).games;
        let bases: Vec<_> = installed.into_iter().map(|install| install.path).collect();
        Some((only(&bases)?, BaseBecause::Installed))
    }
    #[cfg(not(feature = "stores"))]
    None
}

/// How many names of files are in a sentence.
const NAMED: usize = 4;

/// The first names, and how many more there are.
#[must_use]
pub fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let more = names.len().saturating_sub(NAMED);
    let mut shown: Vec<String> = names.into_iter().take(NAMED).map(ToOwned::to_owned).collect();
    if more > 0 {
        shown.push(format!("and {}", counted(more as u64, "other", "others")));
    }
    shown.join(", ")
}

/// The same options, started as a download is.
fn started(options: &Options, start: &Start) -> Options {
    let mut options = options.clone();
    for (words, more) in [(&mut options.missions, &start.missions), (&mut options.games, &start.games)] {
        let new: Vec<_> = more.iter().filter(|word| !words.contains(word)).cloned().collect();
        words.extend(new);
    }
    options
}

/// The answer without what is there already, and without notes.
fn row(file: &Utf8Path, placement: &Placement, engine: &str, shell: Option<&dyn Shell>) -> PlaceAnswer {
    let option = shell.map(|_| "--as");
    let mut files: Vec<Vec<String>> = vec![Vec::new(); placement.parts.len()];
    for file in &placement.files {
        if let Some(of_part) = files.get_mut(file.part) {
            of_part.push(file.from.clone());
        }
    }
    let parts = placement.parts.iter().zip(files).map(|(part, files)| PartRow {
        from: part.from.clone(),
        to: part.to.clone(),
        by: part.by.name(),
        reason: part.by.sentence(option),
        text: part.by.line().map(str::to_owned),
        game: part.game.clone(),
        files,
    });
    PlaceAnswer {
        file: file.to_string(),
        family: placement.family.name.to_string(),
        engine: engine.to_owned(),
        program: engine.to_owned(),
        parts: parts.collect(),
        starts: placement.starts.iter().map(|start| StartRow::new(start, placement)).collect(),
        left: placement.left.clone(),
        downloads: placement.downloads.iter().map(ToString::to_string).collect(),
        notes: Vec::new(),
        guess: placement.guess().is_some(),
        nothing: placement.nothing.map(quakefs_installed::Nothing::name),
        reason: placement.nothing.map(|nothing| nothing.to_string()),
        help: placement.nothing.and_then(|nothing| nothing.help(shell)),
        existing: None,
    }
}
