//! The levels of a search path, and their needs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use quake_content::{Error, Level};
use quakefs::content::ContentType;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::{Companion, CompanionKind, Needed, Program, QuakeC, Text};
use quakefs::sentences::Help as _;
use quakefs::why::{Explanation, on_all_cores};
use quakefs::{Archive, EntryName, File, FileData, Layer, Rules, SearchPath};

use crate::budget::Budget;
use crate::configs::{self, Cvars};
use crate::contents::Contents;
use crate::gathered::{Gathered, any_of};
use crate::listed::straight_in;
use crate::need::{By, Kind, Need, Needs, Trouble};
use crate::program::{Executable, Incident, Mode};
use crate::{level, models};

/// Finds the needs of levels on a search path. It lists the folders and reads the game's program once.
///
/// All calls together have one budget of time and memory, which grows with the size of the game's files. A
/// level beyond it has [`Trouble::Budget`].
#[derive(Debug)]
pub struct Levels {
    pub(crate) search_path: SearchPath,
    pub(crate) program: Option<FileData>,
    pub(crate) modes: Vec<Mode>,
    examines: bool,
    pub(crate) contents: Contents,
    /// The variables that the game's configs set.
    pub(crate) cvars: Cvars,
    /// Made when something is read, because it depends on the size of each loose file.
    budget: OnceLock<Arc<Budget>>,
}

impl Levels {
    /// Lists the folders and reads the program of the game. [`of`](Self::of) loads each level in [all
    /// modes](Mode::ALL).
    #[must_use]
    pub fn new(search_path: &SearchPath) -> Self {
        let search_path = search_path.listed();
        let quake_c = search_path.rules().program.quake_c();
        let program = quake_c.and_then(|quake_c| search_path.read(&*quake_c.file).ok());
        let contents = Contents::default();
        let cvars = quake_c.map_or_else(Cvars::default, |quake_c| configs::execute(&search_path, quake_c));
        let (modes, budget) = (Mode::ALL.to_vec(), OnceLock::new());
        Levels { search_path, program, modes, examines: true, contents, cvars, budget }
    }

    /// Calls `report` with the number of finished levels and of all levels of a call, after each level and
    /// many times while a program runs. [`ControlFlow::Break`] stops the work: levels that are not finished
    /// have [`Trouble::Stopped`].
    #[must_use]
    pub fn observed_by(self, report: impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        let budget = budget(&self.search_path);
        Levels { budget: Arc::new(budget.observed_by(Box::new(report))).into(), ..self }
    }

    /// Does not look at the content of files that are only named, because the caller does.
    #[must_use]
    pub fn unexamined(self) -> Self {
        Levels { examines: false, ..self }
    }

    fn budget(&self) -> &Budget {
        self.budget.get_or_init(|| Arc::new(budget(&self.search_path)))
    }

    /// Pays from the budget of others, for work on several games. A small program may use up a whole budget.
    #[must_use]
    pub fn with_budget_of(self, others: &Levels) -> Self {
        others.budget();
        Levels { budget: others.budget.clone(), ..self }
    }

    /// Loads each level only in these modes.
    #[must_use]
    pub fn modes(self, modes: impl Into<Vec<Mode>>) -> Self {
        Levels { modes: modes.into(), ..self }
    }

    /// Why an answer may lack files, whatever the levels: the game's code is native, the engine plays no
    /// game, or facts about it are not known.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let rules = self.search_path.rules();
        let engine = &rules.name;
        let of_program = match rules.program {
            Program::None => Some(self.without_program().to_string()),
            Program::Native => {
                Some(format!("the game code of {engine} is native: quakefs only reads the keys of entities"))
            }
            Program::QuakeC(_) | Program::Unknown => None,
        };
        let not_known = rules.not_known(Rules::NEEDED_BY_LEVELS).filter(|_| rules.program != Program::None);
        of_program.into_iter().chain(not_known).collect()
    }

    /// The search path, with its folders listed.
    #[must_use]
    pub fn search_path(&self) -> &SearchPath {
        &self.search_path
    }

    /// The name of the game's program; `None` if its code is native.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.quake_c().map(|quake_c| &*quake_c.file)
    }

    /// Why there is no program to run.
    pub(crate) fn without_program(&self) -> Trouble {
        let rules = self.search_path.rules();
        let engine = rules.name.clone();
        if rules.program == Program::None {
            Trouble::NoGame { engine }
        } else {
            Trouble::NativeCode { engine }
        }
    }

    fn quake_c(&self) -> Option<&QuakeC> {
        self.search_path.rules().program.quake_c()
    }

    /// The list beside a level that tells servers or players its files: its name and its text. The list names
    /// only files and archives that they accept. `None` if the engine reads no such list.
    #[must_use]
    pub fn server_list<'n>(
        &self,
        level: EntryName<'_>,
        files: impl IntoIterator<Item = EntryName<'n>>,
    ) -> Option<(EntryNameBuf, String)> {
        let pattern = self.list()?;
        let CompanionKind::List { ref line, crlf, ref extensions, ref archives, longest } = pattern.kind
        else {
            return None;
        };
        let (end, longest) = (if crlf { "\r\n" } else { "\n" }, longest as usize);
        let level = str::from_utf8(level.as_bytes()).ok()?;
        let list = pattern.names_for(level.strip_suffix(".bsp").unwrap_or(level), None, "").next()?;
        let line = |name: EntryName<'_>| {
            if extensions.is_empty() {
                return Some(line.replace("{name}", &name.to_string()) + end);
            }
            let name = str::from_utf8(name.as_bytes()).ok().filter(|name| name.len() <= longest)?;
            let extension = name.rsplit_once('.')?.1;
            let accepted = if name.contains('/') { extensions } else { archives };
            let is_accepted = accepted.iter().any(|known| known.eq_ignore_ascii_case(extension))
                && !name.contains(['\\', '\n', '\r']);
            is_accepted.then(|| line.replace("{name}", name) + end)
        };
        Some((list.as_bytes().into(), files.into_iter().filter_map(line).collect()))
    }

    /// The extensions of archives that the list beside a level may name, so that players get an archive
    /// instead of its files.
    #[must_use]
    pub fn listed_archives(&self) -> &[Text] {
        let list = self.list().map(|list| &list.kind);
        let Some(CompanionKind::List { archives, .. }) = list else { return &[] };
        archives
    }

    /// The list beside a level, of the engine's rules.
    fn list(&self) -> Option<&Companion> {
        let mut companions = self.search_path.rules().companions.items().iter();
        companions.find(|companion| matches!(companion.kind, CompanionKind::List { .. }))
    }

    /// Whether a file of this name can be asked for its needs: a level, a model or a sprite.
    #[must_use]
    pub fn takes(name: &[u8]) -> bool {
        ContentType::of(name) == ContentType::Level || models::is_one(name)
    }

    /// The needs of these levels or models, in the same order. The work uses all cores.
    #[must_use]
    pub fn of(&self, levels: &[impl AsRef<[u8]> + Sync]) -> Vec<Needs> {
        self.with(self.executable().as_ref(), levels)
    }

    /// Why no level loads, whichever it is: the program is missing or not for the engine. `None` for native
    /// code, and for a program of `QuakeWorld`, which only servers need.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        self.executable().filter(|_| self.quake_c().is_some_and(|quake_c| quake_c.required))?.err()
    }

    /// The program, ready to run, or why the engine does not run it; `None` if the game's code is native.
    pub(crate) fn executable(&self) -> Option<Result<Executable<'_>, Trouble>> {
        let quake_c = self.quake_c()?;
        let name = &quake_c.file;
        let Some(bytes) = &self.program else { return Some(Err(self.no_program(name))) };
        let unreadable =
            |error: Error| Trouble::Unreadable { name: name.as_bytes().into(), reason: error.to_string() };
        Some(Executable::parse(bytes).map_err(unreadable).and_then(|program| {
            let checksum = program.checksum();
            if quake_c.checksums.is_empty() || quake_c.checksums.contains(&checksum) {
                Ok(program)
            } else {
                Err(Trouble::OtherProgram { name: name.clone(), checksum })
            }
        }))
    }

    fn no_program(&self, name: &Text) -> Trouble {
        let (reason, help) = match quakefs::why::explain(&self.search_path, &**name) {
            Explanation::Missing(missing) if missing.cause != "not-there" => {
                (missing.to_string(), missing.help(None))
            }
            _ => (format!("{name} is missing"), None),
        };
        let help = help.unwrap_or_else(|| "name the game that has the program".to_owned());
        Trouble::NoProgram { name: name.clone(), reason, help }
    }

    /// The needs of levels with the [`executable`](Self::executable).
    pub(crate) fn with(
        &self,
        program: Option<&Result<Executable<'_>, Trouble>>,
        levels: &[impl AsRef<[u8]> + Sync],
    ) -> Vec<Needs> {
        let of = |name: &[u8]| {
            let gathered = Gathered {
                search_path: &self.search_path,
                examines: self.examines,
                contents: &self.contents,
                cvars: &self.cvars,
                budget: self.budget(),
                level: name,
                file: By::File(name.into()),
                needed: Vec::new(),
                places: HashMap::new(),
                troubles: Vec::new(),
            };
            let executable = program.and_then(|program| program.as_ref().ok());
            let mut needs = level::needs(gathered, executable, &self.modes);
            needs.troubles.extend(program.and_then(|program| program.as_ref().err().cloned()));
            self.budget().advance();
            needs
        };
        if levels.is_empty() {
            return Vec::new();
        }
        self.budget().begin(levels.len());
        on_all_cores(levels, |name| of(name.as_ref()))
    }

    /// The files that the engine itself needs, whatever the level.
    #[must_use]
    pub fn engine(&self) -> Vec<Need> {
        let by = || vec![By::Engine(self.search_path.rules().name.to_string())];
        let needed = self.search_path.rules().needed.known();
        let to_start = needed.into_iter().flat_map(Needed::choices_to_start);
        let to_play =
            needed.into_iter().flat_map(|needed| needed.to_play.iter().map(|name| vec![name.to_string()]));
        let one = |choices: Vec<String>| {
            let kind = match ContentType::of(choices.first()?.as_bytes()) {
                ContentType::Sound => Kind::Sound,
                ContentType::Lump | ContentType::Texture => Kind::Image,
                _ => Kind::File,
            };
            let names = choices.iter().map(|name| name.as_bytes().into()).collect();
            let need = any_of(names, kind, by())?;
            Some(Need { is_found: need.find(&self.search_path).is_some(), ..need })
        };
        to_start.chain(to_play).filter_map(one).collect()
    }

    /// Built-in functions and extensions that the game's program uses and the engine does not have, each
    /// once, whether or not the use is reached while a level loads. Empty for an engine without a table of
    /// its functions.
    #[must_use]
    pub fn unsupported(&self) -> Vec<Incident> {
        let program = self.executable().and_then(Result::ok).zip(self.quake_c());
        program.map_or_else(Vec::new, |(program, quake_c)| program.unsupported(quake_c))
    }

    /// Whether a layer belongs to the chosen game: it is in the highest game directory, or on top of all
    /// directories.
    #[must_use]
    pub fn is_own(&self, layer: &Layer) -> bool {
        let directories = self.search_path.layers().filter_map(Layer::game_directory);
        let highest = directories.map(|directory| directory.rank).max();
        self.search_path.rank(layer) >= highest.unwrap_or_default()
    }

    /// Whether the chosen game is the base game.
    #[must_use]
    pub fn is_base_game(&self) -> bool {
        let own = self.search_path.layers().filter(|layer| self.is_own(layer));
        let names: Vec<_> = own.filter_map(Layer::game_directory).map(|directory| &*directory.name).collect();
        let base = &self.search_path.rules().directories.base;
        names.iter().all(|name| base.iter().any(|directory| directory.as_ref() == *name))
    }

    /// The levels of the chosen game. A `.bsp` file with only one entity is a model, such as a box of
    /// ammunition.
    #[must_use]
    pub fn own(&self) -> Vec<EntryNameBuf> {
        let files = self.own_files();
        let names = on_all_cores(&files, |file| {
            // an unreadable file counts as a level, and so does every file after the work ended
            let bytes = self.budget().work(file.size() / 16).ok().and_then(|()| file.read().ok());
            let is_level = bytes.is_none_or(|bytes| {
                Level::parse(&bytes).and_then(|level| level.entity_text()).map_or(true, level::is_level)
            });
            is_level.then(|| file.name().into())
        });
        names.into_iter().flatten().collect()
    }

    /// The [levels of the chosen game](Self::own) with their needs. Each is read once.
    #[must_use]
    pub fn of_own(&self) -> Vec<(EntryNameBuf, Needs)> {
        self.own_with(self.executable().as_ref())
    }

    /// The needs of the game's levels with the [`executable`](Self::executable).
    pub(crate) fn own_with(
        &self,
        program: Option<&Result<Executable<'_>, Trouble>>,
    ) -> Vec<(EntryNameBuf, Needs)> {
        let names: Vec<EntryNameBuf> = self.own_files().iter().map(|file| file.name().into()).collect();
        let needs = self.with(program, &names);
        names.into_iter().zip(needs).filter(|(_, needs)| !needs.is_model).collect()
    }

    /// The files of the chosen game that have names of levels.
    fn own_files(&self) -> Vec<File<'_>> {
        let levels = straight_in(&self.search_path, b"maps/", b".bsp");
        levels.filter(|file| self.is_own(file.layer())).collect()
    }
}

/// The budget for the bytes of the archives and of the loose files.
fn budget(search_path: &SearchPath) -> Budget {
    let archives = search_path.layers().filter_map(Layer::archive).map(Archive::size);
    let loose = search_path.files().filter(|file| file.layer().archive().is_none());
    Budget::of_input(archives.chain(loose.map(|file| file.size())).fold(0, u64::saturating_add))
}
