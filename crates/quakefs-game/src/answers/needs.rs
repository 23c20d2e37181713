//! The files that levels need, and which of them are missing.

use std::collections::{HashMap, HashSet};
use std::fmt;

use quakefs::content::ContentType;
use quakefs::findings::{Advice, Location, Severity};
use quakefs::pak_format::EntryNameBuf;
use quakefs::sentences::{Help, Shell, counted, grouped};
use quakefs::why::{Explanation, Missing, explain, on_all_cores};
use quakefs::{EntryName, File, Layer, SearchPath};
use quakefs_needs::{Incident, Levels, Need, Needs, Presence, Trouble};
use serde::Serialize;

use super::finding::{MISSING_FILE, Problem};
use super::{LayerRow, text};
use crate::error::Error;
use crate::game::Game;

/// A file that a level, a program or the engine needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeedRow {
    /// The name that the engine looks up.
    pub name: String,
    /// The kind of file, such as `model`.
    pub kind: &'static str,
    /// `required`, `optional`, or `packed` for a file that belongs into a release although engines do not
    /// load it.
    pub presence: &'static str,
    /// Whether a layer has it.
    pub found: bool,
    /// Whether it is required and no layer has it.
    pub missing: bool,
    /// The layer that has it.
    pub layer: Option<String>,
    /// Names that the engine would accept as well.
    pub others: Vec<String>,
    /// What needs it, from the level on.
    pub by: Vec<String>,
    /// The modes that need it, such as `skill 3, coop`; empty for all.
    pub modes: String,
    /// Why it is missing, a word that stays the same in all versions.
    pub because: Option<&'static str>,
    /// The same as a sentence.
    pub reason: Option<String>,
    /// What to do.
    pub help: Option<String>,
    /// A file with a similar name, which was probably meant.
    pub instead: Option<String>,
}

/// `progs/ogre.mdl is missing (needed by maps/start.bsp, monster_ogre #12)`.
impl fmt::Display for NeedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.missing { " is missing" } else { "" };
        write!(f, "{}{verb} (needed by {})", self.name, self.by.join(", "))
    }
}

/// A likely mistake of a level, or something that a program uses and the engine lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IncidentRow {
    /// The level, or the program.
    pub file: String,
    /// The kind, a word that stays the same in all versions.
    pub kind: &'static str,
    /// The number of the entity; null for the program itself.
    pub entity: Option<usize>,
    /// The class of the entity.
    pub class: Option<String>,
    /// The function of the program.
    pub function: String,
    /// Whether the engine ends the level.
    pub ends: bool,
    /// The mistake in a sentence.
    pub reason: String,
}

/// `maps/start.bsp: monster_ogre #12: the sentence`.
impl fmt::Display for IncidentRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let (Some(class), Some(entity)) = (&self.class, self.entity) {
            write!(f, "{class} #{entity}: ")?;
        }
        f.write_str(&self.reason)
    }
}

/// What one level needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelRow {
    /// The level.
    pub level: String,
    /// The files, each once, the missing ones first.
    pub needed: Vec<NeedRow>,
    /// Likely mistakes that show while it loads.
    pub incidents: Vec<IncidentRow>,
    /// Why the answer is not complete, a sentence each.
    pub troubles: Vec<String>,
}

/// `maps/start.bsp needs 40 files; 3 are missing`.
impl fmt::Display for LevelRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = self.needed.iter().filter(|need| need.missing).count();
        f.write_str(&sentence(&format!("{} needs", self.level), self.needed.len(), missing, 0))
    }
}

/// What levels need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeedsAnswer {
    /// The levels.
    pub levels: Vec<LevelRow>,
    /// What the engine itself needs. Empty unless all levels were asked for.
    pub engine: Vec<NeedRow>,
    /// What the program uses during play and the engine does not have.
    pub program: Vec<IncidentRow>,
    /// Why the answer may lack files, whatever the level.
    pub notes: Vec<String>,
    /// How many files are required.
    pub required: usize,
    /// How many of them are missing.
    pub missing: usize,
    /// The levels of which nobody knows all needs.
    pub unknown: usize,
}

/// `2 levels need 40 files; 3 are missing`.
impl fmt::Display for NeedsAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.levels.iter().map(|row| row.level.as_bytes());
        f.write_str(&sentence(&files_need(names), self.required, self.missing, self.unknown))
    }
}

/// How many files are needed, and how many of these are missing; `who` needs them. Of `unknown` levels nobody
/// knows all needs.
fn sentence(who: &str, needed: usize, missing: usize, unknown: usize) -> String {
    let files = counted(needed as u64, "file", "files");
    let verb = if missing == 1 { "is" } else { "are" };
    let known = format!("{who} {files}; {} {verb} missing", grouped(missing as u64));
    if unknown == 0 {
        return known;
    }
    format!("{known}; the needs of {} are not known", counted(unknown as u64, "level", "levels"))
}

/// `2 levels need`; `2 files need` if some are models.
fn files_need<'n>(names: impl Iterator<Item = &'n [u8]> + Clone) -> String {
    let only_levels = names.clone().all(|name| ContentType::of(name) == ContentType::Level);
    let (one, more) = if only_levels { ("level needs", "levels need") } else { ("file needs", "files need") };
    counted(names.count() as u64, one, more)
}

/// What levels need, before it is put into rows.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Needed {
    /// The levels, each with its needs.
    pub levels: Vec<(EntryNameBuf, Needs)>,
    /// What the engine itself needs. Empty unless all levels were asked for.
    pub engine: Vec<Need>,
    /// The program, and what it uses during play and the engine does not have, except what already ends a
    /// level.
    pub program: Option<(String, Vec<Incident>)>,
    /// Why the answer may lack files, whatever the level.
    pub notes: Vec<String>,
    /// Why no level loads, whatever the level.
    pub trouble: Option<Trouble>,
}

/// `2 levels need 40 files; 3 are missing`.
impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (required, missing) = self.counts();
        let names = self.levels.iter().map(|(name, _)| name.as_bytes());
        f.write_str(&sentence(&files_need(names), required, missing, self.unknown()))
    }
}

impl Needed {
    /// What some levels need; `of_engine` adds what the engine itself needs.
    #[must_use]
    pub fn of(finder: &Levels, levels: Vec<EntryNameBuf>, of_engine: bool) -> Needed {
        let needs = finder.of(&levels);
        Needed::new(finder, levels.into_iter().zip(needs).collect(), of_engine)
    }

    /// What all levels of the chosen game need.
    #[must_use]
    pub fn of_own(finder: &Levels, of_engine: bool) -> Needed {
        Needed::new(finder, finder.of_own(), of_engine)
    }

    fn new(finder: &Levels, levels: Vec<(EntryNameBuf, Needs)>, of_engine: bool) -> Needed {
        let mut unsupported = finder.unsupported();
        let incidents = levels.iter().flat_map(|(_, needs)| &needs.incidents);
        let while_loading: HashSet<_> = incidents.map(|(incident, _)| &incident.kind).collect();
        unsupported.retain(|incident| !while_loading.contains(&incident.kind));
        Needed {
            engine: if of_engine { finder.engine() } else { Vec::new() },
            program: finder.program().map(|program| (program.to_owned(), unsupported)),
            notes: finder.notes(),
            trouble: finder.trouble(),
            levels,
        }
    }

    /// All needed files: of the levels in their order, then of the engine.
    pub fn files(&self) -> impl Iterator<Item = &Need> {
        self.levels.iter().flat_map(|(_, needs)| &needs.needed).chain(&self.engine)
    }

    /// How many files are required, and how many of them are missing.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let count = |of: &dyn Fn(&Need) -> bool| {
            let names = self.files().filter(|need| need.presence == Presence::Required && of(need));
            names.map(|need| &need.name).collect::<HashSet<_>>().len()
        };
        (count(&|_| true), count(&Need::is_missing))
    }

    /// How many levels have needs that nobody knows, because the level or the program cannot be read.
    #[must_use]
    pub fn unknown(&self) -> usize {
        let is_unknown = |needs: &Needs| needs.troubles.iter().any(|one| one.severity() == Severity::Error);
        self.levels.iter().filter(|(_, needs)| is_unknown(needs)).count()
    }

    /// Likely mistakes of the levels.
    pub fn incidents(&self) -> impl Iterator<Item = IncidentRow> {
        self.levels.iter().flat_map(|(level, needs)| {
            let level = text(level.as_name());
            needs.incidents.iter().map(move |(found, _)| IncidentRow::of_level(&level, found))
        })
    }

    /// What the program uses and the engine does not have.
    #[must_use]
    pub fn unsupported(&self) -> Vec<IncidentRow> {
        let of = |(program, incidents): &(String, Vec<Incident>)| {
            incidents.iter().map(|found| IncidentRow::of_program(program, found)).collect()
        };
        self.program.as_ref().map(of).unwrap_or_default()
    }
}

impl IncidentRow {
    fn of_program(program: &str, found: &Incident) -> Self {
        IncidentRow {
            file: program.to_owned(),
            kind: found.kind.name(),
            entity: None,
            class: None,
            function: text(EntryName::from_bytes(&found.function)),
            ends: found.ends,
            reason: found.to_string(),
        }
    }

    fn of_level(level: &str, found: &Incident) -> Self {
        IncidentRow {
            entity: Some(found.entity),
            class: Some(text(EntryName::from_bytes(&found.class))),
            ..IncidentRow::of_program(level, found)
        }
    }
}

impl Game {
    /// The files that levels need, by their paths or bare names: `maps/start.bsp`, `start`. Models have needs
    /// too: `models/players/sarge/lower.md3`. Without a name, those of all levels of the game, and of the
    /// engine.
    ///
    /// # Errors
    /// [`Error::NotALevel`] if no layer has a level, or a name is no level's.
    pub fn needs(&self, levels: &[impl AsRef<[u8]>]) -> Result<NeedsAnswer, Error> {
        let finder = Levels::new(&self.search_path);
        let asked = levels.iter().map(|level| self.level_named(&self.level_path(level.as_ref())));
        let asked = asked.collect::<Result<Vec<_>, _>>()?;
        let needed =
            if levels.is_empty() { Needed::of_own(&finder, true) } else { Needed::of(&finder, asked, false) };
        Ok(self.needs_answer(&needed))
    }

    /// The level of a name, or the model.
    ///
    /// # Errors
    /// [`Error::NotALevel`]
    pub fn level_named(&self, name: &[u8]) -> Result<EntryNameBuf, Error> {
        let (level, shown) = (EntryNameBuf::from(name), text(EntryName::from_bytes(name)));
        let content = ContentType::of(name);
        match explain(&self.search_path, name) {
            Explanation::Missing(_) if content == ContentType::Map => {
                Err(Error::NotALevel { name: shown, content: Some(content), missing: None })
            }
            Explanation::Missing(missing) => {
                let row = self.which(name);
                let lists = |shell: &dyn Shell| {
                    let (ls, levels) = (shell.command("ls", None), shell.quoted(&["maps/*.bsp"]));
                    format!("`{ls} {levels}` lists the levels")
                };
                let help = if missing.is_explained() { row.help } else { self.shell().map(lists) };
                let missing = row.reason.map(|reason| (reason, help));
                Err(Error::NotALevel { name: shown, content: None, missing })
            }
            Explanation::Served { .. } if !Levels::takes(name) => {
                Err(Error::NotALevel { name: shown, content: Some(content), missing: None })
            }
            Explanation::Served { .. } => Ok(level),
        }
    }

    /// What levels need, as rows.
    #[must_use]
    pub fn needs_answer(&self, needed: &Needed) -> NeedsAnswer {
        let (required, missing) = needed.counts();
        NeedsAnswer {
            levels: needed.levels.iter().map(|(name, needs)| self.level(name, needs)).collect(),
            engine: needed.engine.iter().map(|need| self.need(need)).collect(),
            program: needed.unsupported(),
            notes: needed.notes.clone(),
            required,
            missing,
            unknown: needed.unknown(),
        }
    }

    fn level(&self, name: &EntryNameBuf, needs: &Needs) -> LevelRow {
        let mut seen = HashSet::new();
        let once = needs.needed.iter().filter(|need| seen.insert((&need.name, need.kind)));
        let mut needed: Vec<_> = once.map(|need| self.need(need)).collect();
        needed.sort_by_key(|need| !need.missing);
        LevelRow {
            incidents: needs
                .incidents
                .iter()
                .map(|(found, _)| IncidentRow::of_level(&text(name.as_name()), found))
                .collect(),
            level: text(name.as_name()),
            needed,
            troubles: needs.troubles.iter().map(ToString::to_string).collect(),
        }
    }

    /// The layers, the highest first, each with how many of the needed files it has: what clients of a server
    /// must have, and what nothing needs.
    #[must_use]
    pub fn layers_needed(&self, needed: &Needed) -> Vec<LayerRow> {
        let search_path = &self.search_path;
        let levels = needed.levels.iter().map(|(name, _)| name.as_name());
        let programs = needed.program.iter().map(|(name, _)| EntryName::from(&**name));
        let own = levels.chain(programs).filter_map(|name| search_path.find(name));
        let files = own.chain(needed.files().filter_map(|need| need.find(search_path)));
        let mut counts: HashMap<String, HashSet<EntryNameBuf>> = HashMap::new();
        for file in files {
            counts.entry(file.layer().name().to_owned()).or_default().insert(file.name().into());
        }
        let mut rows = self.layers();
        for row in &mut rows {
            row.needed = Some(counts.get(&row.layer).map_or(0, HashSet::len));
        }
        rows
    }

    /// A needed file as a row.
    #[must_use]
    pub fn need(&self, need: &Need) -> NeedRow {
        let why = need.is_missing().then(|| why_missing(need, &self.search_path)).flatten();
        let nearest: Option<&File<'_>> = why.as_ref().and_then(|missing| missing.nearest_file.as_ref());
        let instead = nearest.map(|file| text(file.name()));
        NeedRow {
            name: text(need.name.as_name()),
            kind: need.kind.name(),
            presence: need.presence.name(),
            found: need.is_found,
            missing: need.is_missing(),
            layer: need.find(&self.search_path).map(|file| file.layer().name().to_owned()),
            others: need.others.iter().map(|name| text(name.as_name())).collect(),
            by: need.by.iter().map(ToString::to_string).collect(),
            modes: need.games(),
            because: why.as_ref().map(|missing| missing.cause),
            reason: why.as_ref().map(ToString::to_string),
            // a list of all names helps nobody to get the file
            help: why.filter(Missing::is_explained).and_then(|why| why.help(self.shell())),
            instead,
        }
    }
}

/// Why a needed file is missing.
pub(super) fn why_missing<'s>(need: &Need, search_path: &'s SearchPath) -> Option<Missing<'s>> {
    match explain(search_path, &need.name) {
        Explanation::Missing(missing) => Some(missing),
        Explanation::Served { .. } => None,
    }
}

/// What the game's levels need. The levels of the base game are not looked at.
pub(super) fn needed_by_check(game: &Game) -> Needed {
    // the check looks at the content of every file
    let finder = Levels::new(&game.search_path).unexamined();
    let needed = if finder.is_base_game() {
        Needed::of(&finder, Vec::new(), false)
    } else {
        Needed::of_own(&finder, false)
    };
    Needed { program: None, ..needed }
}

/// The missing files of levels, and the levels that do not load.
pub(super) fn problems_of_check(game: &Game, needed: &Needed, starts: bool) -> Vec<Problem> {
    let mut problems = needed.problems(&game.search_path);
    let location = lowest(&game.search_path);
    // no level tells it, an engine that stops does not come to the program, and without the base game it may
    // be in what is not here
    let is_for_levels = needed.levels.is_empty() && starts && game.has_base_game();
    let of_all = needed.trouble.as_ref().filter(|_| is_for_levels);
    problems.extend(of_all.map(|trouble| LevelProblem { location, of: Of::Level(trouble) }));
    // the check reports unreadable files itself
    let is_told = |problem: &LevelProblem<'_>| {
        matches!(problem.of, Of::Level(Trouble::Unreadable { .. } | Trouble::NotLoaded(_)))
    };
    let serious = problems.iter().filter(|problem| problem.severity() > Severity::Note && !is_told(problem));
    on_all_cores(&serious.collect::<Vec<_>>(), |problem| problem.problem(game))
}

/// What is wrong with a level or its program. Only what is printed is put into words.
#[derive(Clone, Debug)]
pub struct LevelProblem<'n> {
    location: Location,
    of: Of<'n>,
}

#[derive(Clone, Debug)]
enum Of<'n> {
    Level(&'n Trouble),
    /// An incident, and the number of further ones of its kind and class.
    Entity(&'n Incident, u64),
    Program(&'n Incident),
    Missing(&'n Need),
}

impl LevelProblem<'_> {
    /// How severe it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.of {
            Of::Level(trouble) => trouble.severity(),
            Of::Entity(incident, _) if incident.ends => Severity::Error,
            Of::Missing(_) => Severity::Warning,
            Of::Entity(..) | Of::Program(_) => Severity::Note,
        }
    }

    /// The problem in words.
    #[must_use]
    pub fn problem(&self, game: &Game) -> Problem {
        let (shell, location) = (game.shell(), self.location.clone());
        let of = |kind, reason: String, of: &dyn Help| Problem::Other {
            severity: self.severity(),
            kind,
            location: location.clone(),
            reason,
            help: of.help(shell),
            advice: of.advice(),
        };
        match self.of {
            Of::Level(trouble) => of(trouble.name(), trouble.to_string(), trouble),
            Of::Entity(incident, more) => of(incident.kind.name(), of_entity(incident, more), incident),
            Of::Program(incident) => of(incident.kind.name(), incident.to_string(), incident),
            Of::Missing(need) => match why_missing(need, &game.search_path) {
                Some(missing) if missing.is_explained() => of(MISSING_FILE, need.to_string(), &missing),
                _ => {
                    let advice = to_add(need, &game.search_path);
                    Problem::Other {
                        severity: self.severity(),
                        kind: MISSING_FILE,
                        reason: need.to_string(),
                        help: Some(advice.sentence(Some(&location), shell)),
                        advice: vec![advice],
                        location,
                    }
                }
            },
        }
    }
}

/// Adds a missing file to the game directory that the engine searches first, and not to a user's copy of it.
fn to_add(need: &Need, search_path: &SearchPath) -> Advice {
    let roots = search_path.roots();
    let is_of_base = |layer: &&Layer| {
        let path = layer.game_directory().and_then(|_| layer.system_path());
        path.zip(roots.first()).is_some_and(|(path, root)| path.starts_with(root))
    };
    let folder = search_path.layers().filter(|layer| layer.archive().is_none()).find(is_of_base);
    let to = Location::layer(folder.map_or("", Layer::name));
    Advice::Add { what: text(need.name.as_name()), content: None, to }
}

impl Needed {
    /// The problems of levels, of the engine and of the program, each missing file once.
    #[must_use]
    pub fn problems(&self, search_path: &SearchPath) -> Vec<LevelProblem<'_>> {
        let (mut seen, mut told) = (HashSet::new(), HashSet::new());
        let mut problems = Vec::new();
        let mut add =
            |location: &Location, of| problems.push(LevelProblem { location: location.clone(), of });
        for (name, needs) in &self.levels {
            let Some(location) = search_path.find(name).map(|file| file.location()) else { continue };
            for trouble in needs.troubles.iter().filter(|trouble| told.insert(trouble.to_string())) {
                add(&location, Of::Level(trouble));
            }
            for (incident, more) in first_incidents(needs) {
                add(&location, Of::Entity(incident, more));
            }
            for need in needs.missing().filter(|need| seen.insert(&need.name)) {
                add(&location, Of::Missing(need));
            }
        }
        // the engine's own files are files of the base game
        let base = lowest(search_path);
        for need in self.engine.iter().filter(|need| need.is_missing() && seen.insert(&need.name)) {
            add(&base, Of::Missing(need));
        }
        let program = self.program.as_ref().and_then(|(name, found)| Some((search_path.find(name)?, found)));
        if let Some((file, found)) = program {
            for incident in found {
                add(&file.location(), Of::Program(incident));
            }
        }
        problems
    }
}

/// The lowest layer, in which the engine's own files are.
fn lowest(search_path: &SearchPath) -> Location {
    Location::layer(search_path.layers().last().map_or("./", |layer| layer.name()))
}

/// The first incident of each kind and class, with the number of further ones.
pub fn first_incidents(needs: &Needs) -> impl Iterator<Item = (&Incident, u64)> {
    let mut seen = HashSet::new();
    let incidents = needs.incidents.iter().map(|(incident, _)| incident);
    let first = incidents.filter(move |incident| seen.insert((incident.kind.name(), &incident.class)));
    first.map(|incident| {
        let is_alike = |(other, _): &&(Incident, _)| {
            other.kind.name() == incident.kind.name() && other.class == incident.class
        };
        (incident, needs.incidents.iter().filter(is_alike).count() as u64 - 1)
    })
}

/// An incident with its entity, such as `monster_ogre #12 and 3 more: ...`.
#[must_use]
pub fn of_entity(incident: &Incident, more: u64) -> String {
    let more = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
    format!("{} #{}{more}: {incident}", EntryName::from_bytes(&incident.class), incident.entity)
}
