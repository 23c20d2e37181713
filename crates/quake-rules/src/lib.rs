//! The rules by which engines of the Quake family find a file: plain data, and functions that decide by it.
//!
//! ```text
//!   games, flags      -> Rules::directories -> game directories, low to high
//!   names of files    -> Rules::archives    -> archives in load order; what is skipped, and why
//!   a requested name  -> Rules::requests    -> QPath: what archives and folders are asked for
//! ```
//!
//! The crate opens no file, reads no archive and calls no system: all of its decisions are functions of text.
//! The crate `quakefs` finds and reads files by these rules.
//!
//! # Which rules an engine has
//!
//! [`Engine::rules`] returns the row of a known engine. The source of each fact is in a comment beside it.
//! [`Engine::as_of`] names the version, and [`Engine::aspects`] tells for which rules the engine was run.
//!
//! ```
//! use quake_rules::{CommandLine, Engine, Probe, QPath, Spelling};
//!
//! let rules = Engine::DarkPlaces.rules();
//!
//! let line = CommandLine::read(rules, "-game ad -rogue".split(' '));
//! let planned = rules.directories.plan(&line, &rules.stops)?;
//! assert!(planned.directories.iter().map(|directory| &*directory.name).eq(["id1", "rogue", "ad"]));
//!
//! let files = ["pak0.pak", "a.pk3", "notes.txt"].map(str::to_owned).to_vec();
//! let order = rules.archives.load_order(files, false, Spelling::Exact, |_| Probe::Usable);
//! assert!(order.archives.iter().map(|loaded| &*loaded.file).eq(["pak0.pak", "a.pk3"]));
//!
//! assert!(QPath::new("../id1/progs.dat", &rules.requests).is_err());
//! # Ok::<(), quake_rules::BadGame>(())
//! ```
//!
//! # Rules of your own
//!
//! [`Rules::plain`] are the rules of a game that is not of the Quake family. For an engine of the family,
//! change a clone of its row. Then call [`Rules::validate`] to find contradictions and values without effect.
//!
//! ```
//! use quake_rules::{Engine, LoosePosition, EngineStop};
//!
//! let mut mine = Engine::WinQuake.rules().clone();
//! mine.name = "my engine".into();
//! mine.loose.position = LoosePosition::Above;
//! assert!(mine.validate().is_empty());
//!
//! mine.limits.entries = None;
//! let faults = mine.validate();
//! assert_eq!(faults[0].to_string(), "stops[1]: no effect, because limits.entries is none");
//! ```
//!
//! With the feature `toml`, `Rules::from_toml` reads a file that names an engine and lists the differences.
//!
//! # Following rules
//!
//! A lookup never checks which engine it works for. It only reads the fields of [`Rules`]. The enums in rules
//! are exhaustive on purpose, unlike outcomes and errors: code that follows rules must handle every variant,
//! and the compiler points to missing ones.
//!
//! | what | in |
//! |---|---|
//! | game directories | [`Directories`]: [`Games`], [`OddGame`], [`Mission`], [`DuplicateMention`] |
//! | | [`MoreBases`], [`ProgramFolder`] |
//! | archives, their order, their names | [`Archives`]: [`ArchiveSet`], [`ArchivePrefix`], [`OwnArchive`] |
//! | | [`NestedPaks`], [`Duplicates`] |
//! | bytes of archives | [`Paks`], [`Zips`] |
//! | loose files | [`Loose`] |
//! | requests | [`Requests`], [`QPath`] |
//! | limits on entries, names, paths and archives | [`Limits`] |
//! | what stops an engine | [`EngineStop`] |
//! | registered copies | [`Registered`] |
//! | the user's directory | [`UserDirectory`] |
//! | files beside a level | [`Companion`] |
//! | the game on the command line and at the console | [`CommandLine`], [`Setting`], [`GameCommand`] |
//! | files that replace the ones in a level | [`Substitute`] |
//! | the game's code, and its interface to the engine | [`Program`], [`QuakeC`] |
//! | files that the engine and the entities of a level name | [`Needed`], [`EntityKey`] |
//! | the editions of a game that the engine refuses | [`Editions`], [`NeededArchives`] |
//! | levels, models and sounds that the engine does not load | [`Loads`] |
//! | the games that an engine plays | [`Family`], [`Title`] |
//! | facts that nobody has looked up | [`Fact`] |
//! | texts of the game that change the search path | [`GameText`] |
//! | the system that the engine runs on, and how its folders compare names | [`Host`], [`Spelling`] |

#![cfg_attr(docsrs, feature(doc_cfg))]

use std::borrow::Cow;

mod aspects;
mod documented;
mod effect;
mod engines;
mod fact;
mod fault;
#[cfg(feature = "toml")]
mod file;
#[cfg(feature = "serde")]
mod forms;
#[doc(hidden)]
pub mod order;
pub mod spelling;

pub use aspects::archives::{
    ArchiveKind, ArchivePrefix, ArchiveSet, Archives, Duplicates, EmptyArchive, Gaps, LoadOrder,
    LoadOrderCase, Loaded, NestedPaks, NumberedCase, Order, OwnArchive, OwnPlace, Probe, STEM, Skipped,
};
pub use aspects::command_line::CommandLine;
pub use aspects::companions::{Companion, CompanionKind, entities_crc};
pub use aspects::console::{ConsoleRefusal, GameCommand};
pub use aspects::content::{
    Editions, EntityKey, KeyNames, KnownArchive, Needed, NeededArchives, NumberedFiles, PlayerModel,
    RefusedEdition, StudioGroups,
};
pub use aspects::directories::{
    BadGame, Directories, DuplicateMention, GameName, Games, Mission, MissionsTaken, MoreBases, NotUsed,
    OddGame, Planned, PlannedDirectory, ProgramFolder, StandIn, USER,
};
pub use aspects::family::{Expansion, Family, Title};
pub use aspects::host::{Host, Spelling};
pub use aspects::limits::{Limits, MostEntries};
pub use aspects::loads::{LoadedVersions, Loads, MostLoaded, NotLoaded};
pub use aspects::loose::{Loose, LooseCase, LoosePosition, Obstacles};
pub use aspects::music::{MusicFolders, Renumbered, TrackProbe};
pub use aspects::names::{Case, NameParts, PLACEHOLDER, Rank, UnknownName};
pub use aspects::paks::{Paks, Unterminated};
pub use aspects::program::{Program, QuakeC};
pub use aspects::registered::{Registered, Shareware, directory_crc};
pub use aspects::requests::{
    Backslash, LooseAlias, NameBuffer, PathRule, QPath, RequestError, Requests, loose_alias,
};
pub use aspects::settings::Setting;
pub use aspects::stops::EngineStop;
pub use aspects::substitutes::{Substitute, SubstituteBy, SubstituteKind};
pub use aspects::suffix::Suffix;
pub use aspects::texts::GameText;
pub use aspects::user::{InStore, ORIGINAL, RERELEASE, UserDirectory, UserLookedAt};
pub use aspects::zips::{LongZipName, LongestZipName, ZipEntryForm, ZipForm, Zips};
pub use engines::{AsOf, Engine, Evidence};
pub use fact::Fact;
pub use fault::RulesFault;
#[cfg(feature = "toml")]
pub use file::RuleError;

use documented::documented;

/// A string. It is a constant in the rows of this crate; a caller may use an owned one.
pub type Text = Cow<'static, str>;

/// A list. It is a constant in the rows of this crate; a caller may use an owned one.
pub type List<T> = Cow<'static, [T]>;

documented! {
    /// All that differs between engines: how one finds a file, what it needs to start, what its levels and
    /// programs name, and where its games are.
    ///
    /// To make rules, change a clone of an engine's row.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Rules {
        /// The engine's name, for messages.
        pub name: Text,
        /// The game directories, low to high.
        pub directories: Directories,
        /// Which archives are loaded, and how the names in them compare.
        pub archives: Archives,
        /// How the bytes of a PACK archive are read.
        pub paks: Paks,
        /// How the bytes of a ZIP archive are read.
        pub zips: Zips,
        /// Whether loose files are above or below archives, and how their names compare.
        pub loose: Loose,
        /// How a requested name is read.
        pub requests: Requests,
        /// The engine's limits.
        pub limits: Limits,
        /// The files that the engine itself loads, whatever the level.
        #[cfg_attr(feature = "serde", serde(default))]
        pub needed: Fact<Needed>,
        /// Conditions at which the engine exits with an error, crashes or hangs. A search path reports them
        /// and goes on.
        pub stops: List<EngineStop>,
        /// The file that marks a registered copy of the game; none if the engine does not check.
        pub registered with "crate::forms::or_none": Option<Registered>,
        /// The user directory. A game directory in it ranks above those of the same name in the base
        /// directories. None if the engine has no user directory.
        pub user with "crate::forms::or_none": Option<UserDirectory>,
        /// Files that the engine loads with a level.
        #[cfg_attr(feature = "serde", serde(default))]
        pub companions: Fact<List<Companion>>,
        /// A text file of the game that changes the search path; none if the engine reads no such file.
        pub text with "crate::forms::or_none": Option<GameText>,
        /// Replacement files for textures, skies, music, models, skins, images and sounds. For a kind without
        /// a row, they are not known.
        #[cfg_attr(feature = "serde", serde(default))]
        pub substitutes: Fact<List<Substitute>>,
        /// Folders of music beside the search path; none if music is part of it.
        pub music_folders with "crate::forms::or_none": Option<MusicFolders>,
        /// The console command that changes the game; none if the engine has no such command.
        #[cfg_attr(feature = "serde", serde(default, with = "crate::forms::fact_or_none"))]
        pub console: Fact<Option<GameCommand>>,
        /// The game's code.
        pub program: Program,
        /// The keys of entities that name files.
        #[cfg_attr(feature = "serde", serde(default))]
        pub keys: Fact<List<EntityKey>>,
        /// The folders in which the engine looks for the WADs of a level, each with a slash at its end. Empty
        /// if it loads no textures from WADs.
        #[cfg_attr(feature = "serde", serde(default))]
        pub wads: Fact<List<Text>>,
        /// Which levels, models, sprites and sounds the engine loads.
        #[cfg_attr(feature = "serde", serde(default))]
        pub loads: Fact<Loads>,
        /// Whether the engine requires the pictures that a model names.
        pub requires_skins: bool,
        /// The files of a player's model; none if the engine names none, or they are not known.
        pub player_model with "crate::forms::or_none": Option<PlayerModel>,
        /// How the engine names the other files of a model of Half-Life.
        #[cfg_attr(feature = "serde", serde(default))]
        pub studio_groups: StudioGroups,
        /// The family of games that the engine plays. None if no download shows it.
        pub family with "crate::forms::or_none": Option<Family>,
        /// The titles that are played with this engine.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub titles: List<Title>,
        /// The names of the engine's programs without `.exe`, in lower case.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub executables: List<Text>,
        /// The ones of `executables` that every copy from a store contains, so that any other program tells
        /// more.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub executables_in_stores: List<Text>,
    }
}

impl Rules {
    /// These rules for an engine that runs on `host`. The rows of engines describe Linux. On Windows the
    /// system rewrites the names of loose files, and the engine ignores case when it lists folders.
    ///
    /// ```
    /// use quake_rules::{Engine, Host, QPath};
    /// let rules = Engine::WinQuake.rules().for_host(Host::Windows);
    /// let qpath = QPath::new(r"maps\start.bsp.", &rules.requests)?;
    /// assert_eq!(qpath.in_archives(), br"maps\start.bsp.");
    /// assert_eq!(qpath.in_folders(), b"maps/start.bsp");
    /// # Ok::<(), quake_rules::RequestError>(())
    /// ```
    #[must_use]
    pub fn for_host(&self, host: Host) -> Cow<'_, Rules> {
        if host != Host::Windows {
            return Cow::Borrowed(self);
        }
        let mut rules = self.clone();
        rules.requests.host = host;
        for set in rules.archives.sets.to_mut() {
            if let ArchiveSet::Others { extension_case, order, .. } = set {
                // `FindFirstFile` compares the pattern, and NTFS lists by capitals
                *extension_case = Case::Ignored;
                *order = if *order == Order::Listed { Order::Capitals } else { *order };
            }
        }
        // on Windows, `fopen` opens no folder, and pipes are not files
        rules.stops.to_mut().retain(|stop| {
            !matches!(stop, EngineStop::NotAFile | EngineStop::FolderAsFile | EngineStop::Pipe)
        });
        Cow::Owned(rules)
    }

    /// The keys of facts that are not known of the engine.
    #[must_use]
    pub fn unknown(&self) -> Vec<&'static str> {
        let program = self.program.quake_c();
        let facts = [
            ("needed", self.needed.is_unknown()),
            ("companions", self.companions.is_unknown()),
            ("substitutes", self.substitutes.is_unknown()),
            ("console", self.console.is_unknown()),
            ("program", self.program == Program::Unknown),
            ("extensions", program.is_some_and(|program| program.extensions.is_unknown())),
            ("builtins", program.is_some_and(|program| program.builtins.is_unknown())),
            ("keys", self.keys.is_unknown()),
            ("wads", self.wads.is_unknown()),
            ("loads", self.loads.is_unknown()),
        ];
        facts.into_iter().filter(|(_, is_unknown)| *is_unknown).map(|(key, _)| key).collect()
    }

    /// The keys of [`unknown`](Self::unknown) on which the files of a level depend.
    pub const NEEDED_BY_LEVELS: &[&str] =
        &["companions", "substitutes", "program", "extensions", "builtins", "keys", "wads"];

    /// A sentence about those of these keys that are not known of the engine.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let sentence = Engine::Daikatana.rules().not_known(&["needed"]).unwrap();
    /// assert_eq!(sentence, "quakefs does not know of daikatana: the files that it needs to start");
    /// ```
    #[must_use]
    pub fn not_known(&self, keys: &[&str]) -> Option<String> {
        let words = |key: &str| match key {
            "needed" => "the files that it needs to start",
            "companions" => "the files that it loads beside a level",
            "substitutes" => "the files that replace textures, skies, music, models and skins",
            "console" => "the console command that changes the game",
            "program" => "the game's code",
            "extensions" => "the extensions that it has for programs",
            "builtins" => "the functions that it has for programs",
            "keys" => "the keys of entities that name files",
            "loads" => "its limits on levels, models and sounds",
            _ => "the folders in which it looks for WADs",
        };
        let facts: Vec<_> = self.unknown().into_iter().filter(|key| keys.contains(key)).map(words).collect();
        let name = &self.name;
        (!facts.is_empty()).then(|| format!("quakefs does not know of {name}: {}", facts.join("; ")))
    }

    /// Finds contradictions and values without effect. The row of every [`Engine`] is free of faults.
    #[must_use]
    pub fn validate(&self) -> Vec<RulesFault> {
        let mut faults = fault::Faults::default();
        self.directories.validate(&mut faults);
        self.archives.validate(&self.directories.base, &mut faults);
        self.zips.validate(&mut faults);
        self.requests.validate(&mut faults);
        effect::of_stops(self, &mut faults);
        if let Some(needed) = self.needed.known() {
            needed.validate(&mut faults);
        }
        if let Some(loads) = self.loads.known() {
            loads.validate(&mut faults);
        }
        if let Some(user) = &self.user {
            user.validate(&mut faults);
        }
        aspects::companions::validate(self.companions.items(), &mut faults);
        if let Fact::Known(Some(console)) = &self.console {
            console.validate(&mut faults);
        }
        aspects::substitutes::validate(self.substitutes.items(), &mut faults);
        self.program.validate(&mut faults);
        aspects::content::validate_keys(self.keys.items(), &mut faults);
        if let Some(family) = &self.family {
            family.validate(&mut faults);
        }
        aspects::family::validate_titles(&self.titles, &mut faults);
        if self.executables_in_stores.iter().any(|name| !self.executables.contains(name)) {
            faults.no_effect("executables-in-stores", "executables does not have them");
        }
        if let Some(text) = &self.text {
            text.validate(&mut faults);
        }
        faults.0
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
