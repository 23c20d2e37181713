//! Game directories: turns games and flags into directories, low to high.

use super::command_line::CommandLine;
use super::names::{Case, PLACEHOLDER, is_below};
use super::settings::Setting;
use super::stops::EngineStop;
use super::suffix::Suffix;
use crate::documented::documented;
use crate::fault::Faults;
use crate::order::sort_by_name;
use crate::{List, Text};

documented! {
    /// Which game directories make up the search path.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Directories {
        /// The directories that are always searched, low to high; `.` is the base directory itself. `{}`
        /// marks the position of mission directories (default: above all of these), as in fte. `~` is the
        /// user directory itself, as in ezquake; it then has no copies of other directories. A folder
        /// inside the next directory is part of it: in each base directory, it ranks just below.
        pub base: List<Text>,
        /// Replacements for missing directories of `base`.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub stand_ins: List<StandIn>,
        /// Which of the requested games the engine uses.
        pub games: Games,
        /// The game that the engine uses if no other is named: `legacy` in etlegacy. None: only `base`.
        pub default_game with "crate::forms::or_none": Option<Text>,
        /// The words before the name of a game on the command line: `-game`, or `-path` in ericw-tools, or
        /// `+set fs_game`.
        pub game_option: List<Text>,
        /// The most games, if the engine uses every game. None: no limit.
        pub most_games with "crate::forms::or_none": Option<u32>,
        /// How a game's name compares with the folders in the base directory.
        pub game_case: Case,
        /// How the names of `base` compare with them.
        #[cfg_attr(feature = "serde", serde(default))]
        pub base_case: Case,
        /// Names of games that the engine ignores, refuses or shortens. The first match decides.
        pub odd_games: List<OddGame>,
        /// The directories of one game, low to high; `{}` is its name. Only goldsrc has more than `{}`.
        pub game_folders: List<Text>,
        /// Flags that add a directory above each game, and above the default one in `base` (with `.`, if that
        /// follows it), low to high: `valve_hd` for `hd`. The engine does not write there. Only goldsrc has
        /// these.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub suffixes: List<Suffix>,
        /// The entries of `base` and `game-folders` that the engine does not write to. Only goldsrc has
        /// these.
        pub read_only: List<Text>,
        /// The entries of `base` that the engine creates when it writes, as `qw` in quakeworld.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub created: List<Text>,
        /// Folders of the base directory or of game directories that the engine reads or writes itself, and
        /// not as a part of the search path, such as a cache of downloads.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub engine_folders: List<Text>,
        /// The position of a directory that is named twice, as by `-rogue -game rogue`.
        pub named_again: DuplicateMention,
        /// The directories that flags add, low to high. The order of the flags does not matter.
        pub missions: List<Mission>,
        /// Which of several mission flags the engine uses.
        pub missions_taken: MissionsTaken,
        /// Which directories named with `-basegame` replace `base`: `ignored` if the engine has no such
        /// option, or `every`, low to high. Their names follow `odd-games`.
        pub base_games: Games,
        /// The settings that change the search path. Only the engines of Quake III's family have these.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub settings: List<Setting>,
        /// Files, and folders with a slash at their end, by which the engine recognises the other games when
        /// it starts: `other-game` in `stops`. Folders count if something is in them. Empty if it does not
        /// look for them.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub listed_by: List<Text>,
        /// The position of further base directories.
        pub more_bases: MoreBases,
        /// The use of the program's folder; none if the engine does not use it.
        pub program_folder with "crate::forms::or_none": Option<ProgramFolder>,
    }
}

impl Directories {
    /// Plans the game directories for these games and flags.
    ///
    /// ```
    /// use quake_rules::{CommandLine, Engine};
    /// let rules = Engine::QuakeSpasm.rules();
    /// let planned = rules.directories.plan(&CommandLine::read(rules, ["-game", "ad"]), &rules.stops)?;
    /// assert!(planned.directories.iter().map(|directory| &*directory.name).eq(["id1", "ad"]));
    /// # Ok::<(), quake_rules::BadGame>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a game is not a path below the base directory.
    pub fn plan(&self, asked: &CommandLine, stops: &[EngineStop]) -> Result<Planned, BadGame> {
        self.plan_on(&self.base, asked, stops)
    }

    /// Like [`plan`](Self::plan), with other directories in place of `base`.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn plan_on<'a>(
        &'a self,
        base: &'a [Text],
        asked: &'a CommandLine,
        stops: &[EngineStop],
    ) -> Result<Planned, BadGame> {
        let with = |named: &'a [String], is: fn(&Setting) -> bool| {
            let mut names: Vec<&'a str> = asked.values(&self.settings, is).collect();
            names.extend(named.iter().map(String::as_str));
            names
        };
        let base_games = with(&asked.base_games, |setting| matches!(setting, Setting::Base(_)));
        let games = with(&asked.games, |setting| matches!(setting, Setting::Game(_)));
        let above_base = with(&[], |setting| matches!(setting, Setting::AboveBase(_)));
        let above_games = with(&[], |setting| matches!(setting, Setting::AboveGames(_)));
        let mut not_used = Vec::new();
        let suffixes = self.suffixes_taken(&asked.missions, &mut not_used);
        let mut stopping: Vec<String> = Vec::new();
        let mut taken_names = |games: &[&'a str]| -> Result<Vec<&'a str>, BadGame> {
            let mut names = Vec::new();
            for &game in games {
                match self.taken_name(game, stops) {
                    Ok(name) => names.push(game_name(game, name)?),
                    Err(Refusal::Stops) => stopping.push(game.to_owned()),
                    Err(Refusal::Goes) => not_used.push((game.to_owned(), NotUsed::OddGame)),
                }
            }
            Ok(names)
        };
        // an engine that ignores games does not check their names
        let (base_games, no_base_games) =
            base_games.split_at(if self.base_games == Games::Ignored { 0 } else { base_games.len() });
        let base_games = taken_names(base_games)?;
        // nor does one that uses a single game check the others
        let server_game = asked.server_game.as_deref();
        let looked_at = match &server_game {
            Some(game) => std::slice::from_ref(game),
            None => looked_at(self.games, &games),
        };
        let above_base = taken_names(&above_base)?;
        let taken = taken_names(looked_at)?;
        let above_games = taken_names(&above_games)?;
        not_used.extend(no_base_games.iter().map(|game| ((*game).to_owned(), NotUsed::BaseGame)));
        // of many games that all count, none is compared
        let others = if server_game.is_none() && looked_at.len() == games.len() { &[] } else { &*games };
        for other in others.iter().map(|game| game.trim_end_matches('/')) {
            if looked_at.iter().all(|game| game.trim_end_matches('/') != other) {
                not_used.push((other.to_owned(), NotUsed::Game { taken: self.games }));
            }
        }
        let most = self.most_games.map_or(taken.len(), |most| taken.len().min(most as usize));
        let (named_games, beyond) = taken.split_at(most);
        not_used.extend(beyond.iter().map(|game| ((*game).to_owned(), NotUsed::TooManyGames)));

        // a game with several directories has them too if it is the default
        let unnamed = base.last().filter(|_| self.game_folders.len() > 1);
        let unnamed = self.default_game.as_ref().or(unnamed).map(|game| &**game);
        let has_suffixes = base.iter().position(|base| unnamed == Some(&**base)).unwrap_or(base.len());
        let games = if taken.is_empty() { unnamed.as_slice() } else { named_games };
        let is_named = !taken.is_empty() || self.default_game.is_none();

        let missions = self.missions_taken(&asked.missions, base, games, &mut not_used);

        let mut named = Vec::new();
        let base = if base_games.is_empty() { base.iter().map(|base| &**base).collect() } else { base_games };
        let place = base.iter().position(|base| *base == PLACEHOLDER).unwrap_or(base.len());
        let (below, above) = base.split_at(place);
        // of several, only the first must exist: WinQuake's `id1`, not the folder for downloads in `q3ut4`
        let default = base.iter().position(|base| self.default_game.as_deref() == Some(base));
        let first = || base.iter().position(|base| !base.contains('/'));
        let expected = default.or_else(first).unwrap_or_default();
        let has = |list: &[Text], name: &str| list.iter().any(|item| item == name);
        let of_base = |base: &str, expected: bool| {
            let created = has(&self.created, base);
            PlannedDirectory { created, ..named_directory(base, expected, !has(&self.read_only, base)) }
        };
        let add_suffixes = |named: &mut Vec<PlannedDirectory>, name: &str| {
            named.extend(suffixes.iter().map(|suffix| {
                let directory = format!("{name}_{suffix}");
                named_directory(&directory, false, false)
            }));
        };
        let mut with_suffixes = None;
        for (index, below) in below.iter().enumerate() {
            if *below != "." {
                if let Some(name) = with_suffixes {
                    add_suffixes(&mut named, name);
                }
                with_suffixes = (index >= has_suffixes).then_some(*below);
            }
            named.push(of_base(below, index == expected));
        }
        if let Some(name) = with_suffixes {
            add_suffixes(&mut named, name);
        }
        let asked_for = missions.iter().map(|mission| &*mission.directory);
        named.extend(asked_for.map(|name| named_directory(name, true, true)));
        named.extend(above.iter().skip(1).map(|above| of_base(above, false)));
        named.extend(above_base.iter().map(|name| named_directory(name, true, true)));
        for game in games {
            for folder in &*self.game_folders {
                let (of_game, written) = (folder == PLACEHOLDER, !self.read_only.contains(folder));
                let expected = of_game && is_named;
                let created = expected && written && !stops.contains(&EngineStop::MissingGame);
                let directory = named_directory(&folder.replace(PLACEHOLDER, game), expected, written);
                named.push(PlannedDirectory { of_game, created, ..directory });
                if of_game {
                    add_suffixes(&mut named, game);
                }
            }
        }
        named.extend(above_games.iter().map(|name| named_directory(name, true, true)));

        let directories = self.placed(named, &missions);
        Ok(Planned { directories, not_used, stopping })
    }

    /// The position of each directory, if some are named twice.
    fn placed(&self, named: Vec<PlannedDirectory>, missions: &[&Mission]) -> Vec<PlannedDirectory> {
        let in_any_case =
            self.game_case == Case::Ignored || self.named_again == DuplicateMention::StaysInAnyCase;
        let key = |name: &str| if in_any_case { name.to_ascii_lowercase() } else { name.to_owned() };
        let keys = named.iter().enumerate().map(|(place, directory)| (key(&directory.name), place));
        let mut keys: Vec<(String, usize)> = keys.collect();
        sort_by_name(&mut keys, |(name, _)| name.as_bytes());
        let mut directories = Vec::new();
        for (place, mut directory) in named.into_iter().enumerate() {
            let name = key(&directory.name);
            let from_first = keys.get(keys.partition_point(|(other, _)| *other < name)..);
            let up_to_last = keys.get(..keys.partition_point(|(other, _)| *other <= name));
            let is_here = |found: &(String, usize)| found.1 == place;
            let is_first = from_first.and_then(<[_]>::first).is_some_and(is_here);
            let is_last = up_to_last.and_then(<[_]>::last).is_some_and(is_here);
            (directory.archives, directory.loose) = match self.named_again {
                DuplicateMention::LooseMoveUp => (is_first, is_last),
                DuplicateMention::Stays | DuplicateMention::StaysInAnyCase => (is_first, is_first),
                DuplicateMention::MissionsStay
                    if missions.iter().any(|mission| mission.directory == directory.name) =>
                {
                    (is_first, is_first)
                }
                DuplicateMention::MovesUp | DuplicateMention::MissionsStay => (is_last, is_last),
            };
            directory.own = place == 0;
            if directory.archives || directory.loose {
                directories.push(directory);
            } else if directory.own {
                directories.push(PlannedDirectory {
                    expected: false,
                    written: false,
                    created: false,
                    ..directory
                });
            }
        }
        directories
    }

    /// The suffixes that the engine uses, low to high. Reports unknown flags.
    fn suffixes_taken<'a>(
        &'a self,
        flags: &'a [String],
        not_used: &mut Vec<(String, NotUsed)>,
    ) -> Vec<&'a str> {
        let is_known = |flag: &str| {
            self.missions.iter().any(|mission| mission.flag == flag)
                || self.suffixes.iter().flat_map(Suffix::flags).any(|own| own == flag)
        };
        let is_language = |flag: &str| {
            self.suffixes.contains(&Suffix::Other) && flag.bytes().all(|byte| byte.is_ascii_alphabetic())
        };
        let mut languages: Vec<&str> = Vec::new();
        for flag in flags.iter().filter(|flag| !is_known(flag)) {
            if is_language(flag) {
                languages.push(flag);
            } else {
                not_used.push((flag.clone(), NotUsed::UnknownFlag));
            }
        }
        let language = languages.pop();
        not_used.extend(languages.into_iter().map(|flag| (flag.to_owned(), NotUsed::OtherMission)));
        let is_given = |wanted: &Text| flags.iter().any(|flag| **flag == **wanted);
        let taken = |suffix: &'a Suffix| match suffix {
            Suffix::Other => language,
            Suffix::With(flag) => is_given(flag).then_some(&**flag),
            Suffix::Unless { suffix, flag } => (!is_given(flag)).then_some(&**suffix),
        };
        self.suffixes.iter().filter_map(taken).collect()
    }

    /// The missions that the engine uses, low to high.
    fn missions_taken(
        &self,
        flags: &[String],
        base: &[Text],
        games: &[&str],
        not_used: &mut Vec<(String, NotUsed)>,
    ) -> Vec<&Mission> {
        let is_asked_for = |mission: &&Mission| flags.iter().any(|flag| *flag == *mission.flag);
        let mut missions: Vec<_> = self.missions.iter().filter(is_asked_for).collect();
        let mut leave_out = |missions: Vec<&Mission>, why: NotUsed| {
            not_used.extend(missions.iter().map(|mission| (mission.flag.to_string(), why)));
        };
        let is_of_a_mode = |game: &&str| {
            let directories = self.missions.iter().map(|mission| &mission.directory).chain(base);
            directories.into_iter().any(|directory| directory.eq_ignore_ascii_case(game))
        };
        if self.missions_taken == MissionsTaken::HighestUnlessGame && games.iter().any(is_of_a_mode) {
            leave_out(std::mem::take(&mut missions), NotUsed::GameInstead);
        }
        if self.missions_taken != MissionsTaken::Every
            && let Some(highest) = missions.pop()
        {
            leave_out(missions, NotUsed::OtherMission);
            missions = vec![highest];
        }
        missions
    }

    /// The part of a game's name that the engine uses, or its refusal.
    pub(super) fn taken_name<'g>(&self, game: &'g str, stops: &[EngineStop]) -> Result<&'g str, Refusal> {
        let mut name = game;
        for odd in &*self.odd_games {
            match odd {
                OddGame::CutAt(text) => name = name.split_once(&**text).map_or(name, |(before, _)| before),
                OddGame::Refused(which) if which.is(name) && stops.contains(&EngineStop::OddGame) => {
                    return Err(Refusal::Stops);
                }
                OddGame::Refused(which) | OddGame::Ignored(which) if which.is(name) => {
                    return Err(Refusal::Goes);
                }
                OddGame::Refused(_) | OddGame::Ignored(_) => {}
            }
        }
        Ok(name)
    }

    /// The first directory of `base` that is a folder's name.
    #[must_use]
    pub fn first_name(&self) -> Option<&str> {
        let is_name = |name: &&Text| name.starts_with(|first: char| first.is_ascii_alphanumeric());
        self.base.iter().find(is_name).map(|name| &**name)
    }

    /// Whether both have a directory of `base` in common. If not, the engines play different games.
    #[must_use]
    pub fn share_base(&self, other: &Directories) -> bool {
        self.base.iter().any(|base| base != PLACEHOLDER && other.base.contains(base))
    }

    /// Whether one of these folders, in any case, is a directory of `base`. If so, the folder around them is
    /// a base directory.
    #[must_use]
    pub fn is_in(&self, folders: &[impl AsRef<str>]) -> bool {
        let is_there = |base: &str| folders.iter().any(|folder| folder.as_ref().eq_ignore_ascii_case(base));
        self.base.iter().any(|base| base != PLACEHOLDER && base != "." && is_there(base))
    }

    /// The game beside whose directory the engine searches a folder of this name, if it has such a game:
    /// `valve` for `valve_hd`, `valve_downloads` and, as the name of a language, `valve_german`.
    #[must_use]
    pub fn game_beside<'f>(&self, folder: &'f str) -> Option<&'f str> {
        let (game, end) =
            folder.rsplit_once('_').filter(|(game, end)| !game.is_empty() && !end.is_empty())?;
        let is_suffix = |suffix: &Suffix| match suffix {
            Suffix::With(known) | Suffix::Unless { suffix: known, .. } => end.eq_ignore_ascii_case(known),
            Suffix::Other => end.bytes().all(|byte| byte.is_ascii_alphabetic()),
        };
        let is_end = |of_game: &Text| {
            let known = of_game.strip_prefix(PLACEHOLDER).and_then(|known| known.strip_prefix('_'));
            known.is_some_and(|known| end.eq_ignore_ascii_case(known))
        };
        (self.suffixes.iter().any(is_suffix) || self.game_folders.iter().any(is_end)).then_some(game)
    }

    /// Whether the engine reads or writes a folder of this name itself, in any case: see `engine-folders`.
    #[must_use]
    pub fn is_engine_folder(&self, folder: &[u8]) -> bool {
        self.engine_folders.iter().any(|of_engine| of_engine.as_bytes().eq_ignore_ascii_case(folder))
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        if self.base.is_empty() {
            faults.empty("directories.base");
        }
        let missions = self.missions.iter().map(|mission| &mission.directory);
        let stand_ins = self.stand_ins.iter().map(|stand_in| &stand_in.directory);
        let lists: [(&str, &str, Vec<&Text>); 4] = [
            ("base", "", self.base.iter().collect()),
            ("stand-ins", ".directory", stand_ins.collect()),
            ("missions", ".directory", missions.collect()),
            ("game-folders", "", self.game_folders.iter().collect()),
        ];
        for (key, list) in [("base", &self.base), ("game-folders", &self.game_folders)] {
            for (index, name) in list.iter().enumerate() {
                faults.parts(&format!("directories.{key}[{index}]"), name, NOTHING_BETWEEN);
            }
        }
        for (key, field, list) in lists {
            for (index, directory) in list.into_iter().enumerate() {
                faults.below(format!("directories.{key}[{index}]{field}"), directory, "base directory");
            }
        }
        faults.no_effects("directories.stand-ins", &self.stand_ins, |stand_in| {
            (!self.base.contains(&stand_in.missing)).then_some("directories.base does not have it")
        });
        self.validate_missions(faults);
        self.validate_games(faults);
        self.validate_settings(faults);
        faults.no_effects("directories.read-only", &self.read_only, |directory| {
            let is_searched = self.base.contains(directory) || self.game_folders.contains(directory);
            (!is_searched).then_some("directories.base and directories.game-folders do not have it")
        });
        faults.twice("directories.read-only", &self.read_only);
        faults.no_effects("directories.created", &self.created, |directory| {
            let is_written = self.base.contains(directory) && !self.read_only.contains(directory);
            (!is_written).then_some("the engine writes to no such directory of directories.base")
        });
        faults.twice("directories.created", &self.created);
    }

    fn validate_missions(&self, faults: &mut Faults) {
        let places = self.base.iter().enumerate().filter(|(_, base)| *base == PLACEHOLDER);
        for (nth, (index, _)) in places.enumerate() {
            if nth > 0 || self.missions.is_empty() {
                let why = if nth > 0 { "the missions have a place already" } else { NO_MISSIONS };
                faults.no_effect(format!("directories.base[{index}]"), why);
            }
        }
        if self.missions.is_empty() && self.named_again == DuplicateMention::MissionsStay {
            faults.no_effect("directories.named-again", NO_MISSIONS);
        }
        if self.missions.len() < 2 && self.missions_taken != MissionsTaken::Every {
            faults.no_effect("directories.missions-taken", "there are fewer than two missions");
        }
        faults.twice("directories.missions", &self.missions);
        faults.twice("directories.suffixes", &self.suffixes);
    }

    fn validate_settings(&self, faults: &mut Faults) {
        faults.no_effects("directories.settings", &self.settings, |setting| match setting {
            Setting::Game(_) if self.games == Games::Ignored => Some("directories.games is ignored"),
            Setting::Base(_) if self.base_games == Games::Ignored => {
                Some("directories.base-games is ignored")
            }
            Setting::BaseDirectory(_) if self.more_bases == MoreBases::Ignored => {
                Some("directories.more-bases is ignored")
            }
            setting if setting.name().is_empty() => Some("it has no name"),
            _ => None,
        });
        for (index, setting) in self.settings.iter().enumerate() {
            if self.settings.iter().take(index).any(|before| before.is_called(setting.name())) {
                faults
                    .no_effect(format!("directories.settings[{index}]"), "an earlier setting has this name");
            }
        }
    }

    fn validate_games(&self, faults: &mut Faults) {
        if self.most_games.is_some() && self.games != Games::Every {
            faults.no_effect("directories.most-games", "directories.games is not every");
        }
        if self.game_folders.is_empty() {
            faults.empty("directories.game-folders");
        }
        if !matches!(self.base_games, Games::Ignored | Games::Every) {
            faults.no_effect("directories.base-games", "it is ignored or every");
        }
        if self.most_games == Some(0) {
            faults.no_effect("directories.games", "directories.most-games is 0");
        }
        if let Some(game) = &self.default_game {
            faults.below("directories.default-game", game, "base directory");
        }
        faults.twice("directories.odd-games", &self.odd_games);
    }
}

documented! {
    /// Which of the requested games an engine uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Games {
        /// None: the command line has no option for them, as in quakeworld, where only a server names one.
        Ignored,
        /// Only the first.
        First,
        /// Only the last.
        Last,
        /// All, in order.
        Every,
    }
}

documented! {
    /// How an engine treats unusual names of games.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum OddGame {
        /// The engine ignores the game.
        Ignored(GameName),
        /// The engine exits if `odd-game` is in `stops`, and ignores the game otherwise.
        Refused(GameName),
        /// The engine uses the part before this text, as the console of yquake2 does at a `;`.
        CutAt(Text),
    }
}

documented! {
    /// A pattern for names of games.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum GameName {
        /// Exactly this text.
        Is(Text),
        /// Names that contain this text.
        Holds(Text),
        /// Names that begin with this text, in any case.
        Starts(Text),
        /// Names that end with this text, as in darkplaces.
        Ends(Text),
        /// Names with more bytes than this.
        Longer(u32),
        /// Names with a byte that is neither an ASCII letter or digit nor one of these, as in q2pro.
        OtherThan(Text),
    }
}

documented! {
    /// The position of a game directory that is named twice, by a flag and a game or by two games.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DuplicateMention {
        /// The last mention decides.
        MovesUp,
        /// The last mention decides for loose files and for folders that are mounted as archives, the first
        /// mention for archives.
        LooseMoveUp,
        /// The flag decides for a mission's directory, the last mention for any other. As in quakespasm.
        MissionsStay,
        /// The first mention decides.
        Stays,
        /// The first mention decides, and a name that differs only in case is a mention too. As in ioquake3.
        StaysInAnyCase,
    }
}

documented! {
    /// A directory that a flag of the command line adds.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Mission {
        /// The flag, without its dash: `hipnotic`.
        pub flag: Text,
        /// The directory.
        pub directory: Text,
    }
}

documented! {
    /// A replacement for a missing directory: `ID1` if `id1` is missing.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct StandIn {
        /// The missing directory of `base`.
        pub missing: Text,
        /// The replacement.
        pub directory: Text,
    }
}

documented! {
    /// Which of several mission flags the engine uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MissionsTaken {
        /// All of them.
        Every,
        /// Only the one with the highest directory.
        Highest,
        /// As `highest`, but none if a game is the directory of a mission or one of `base`, in any case. As
        /// in darkplaces since 2021.
        HighestUnlessGame,
    }
}

documented! {
    /// The position of further base directories. Each has a copy of a game directory, and all copies are
    /// below the next game directory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MoreBases {
        /// The engine uses only the first base directory.
        Ignored,
        /// Each is above the one named before it, as in ironwail.
        Above,
        /// They are below the first one, each above the one named before it, as in vkquake.
        Below,
    }
}

documented! {
    /// The use of the program's folder.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ProgramFolder {
        /// The engine looks there first for its own archives, as in ironwail.
        OwnArchives,
        /// The folder is a base directory, above the named ones and below the user directory. As in yquake2.
        Base,
    }
}

/// The plan for the flags and games of a command line.
#[derive(Debug)]
pub struct Planned {
    /// Lowest first. A directory appears twice if its archives and its loose files have different positions.
    pub directories: Vec<PlannedDirectory>,
    /// The flags and games without effect.
    pub not_used: Vec<(String, NotUsed)>,
    /// The games that stop the engine, in the order of the command line.
    pub stopping: Vec<String>,
}

/// A directory that the engine searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all combinations occur")]
pub struct PlannedDirectory {
    /// Its path in the base directory; `.` is the base directory itself.
    pub name: String,
    /// Whether its archives are at this position.
    pub archives: bool,
    /// Whether its loose files, and folders mounted as archives, are at this position.
    pub loose: bool,
    /// Whether the engine's own archives are at this position: the first mention of the first directory.
    pub own: bool,
    /// Whether to report it if it is missing.
    pub expected: bool,
    /// Whether it has the name of a requested game.
    pub of_game: bool,
    /// Whether the engine writes to it if it is the highest such directory.
    pub written: bool,
    /// Whether the engine creates it on its first write.
    pub created: bool,
}

/// Why a flag or a game has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUsed {
    /// The engine does not know the flag.
    UnknownFlag,
    /// The engine does not use this game.
    Game {
        /// Which of the games the engine uses.
        taken: Games,
    },
    /// The engine refuses a game with this name.
    OddGame,
    /// The engine's limit of games is reached.
    TooManyGames,
    /// The engine uses one mission flag, and another one has priority.
    OtherMission,
    /// A game has priority over the mission flag.
    GameInstead,
    /// The engine has no option to replace its base game.
    BaseGame,
    /// The engine uses only the first base directory.
    BaseDirectory,
}

/// A game that is not a relative path below the base directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame(
    /// The name of the game.
    pub String,
);

/// The content of the braces of [`PLACEHOLDER`].
pub(super) const NOTHING_BETWEEN: &[&str] = &[""];

/// The placeholder for the user directory in [`Directories::base`].
pub const USER: &str = "~";

/// A directory for one mention of its name. If the name is mentioned again, the caller decides which parts
/// belong here.
fn named_directory(name: &str, expected: bool, written: bool) -> PlannedDirectory {
    PlannedDirectory { name: name.to_owned(), expected, written, ..PlannedDirectory::default() }
}

impl GameName {
    /// Whether a name is one of these.
    fn is(&self, name: &str) -> bool {
        match self {
            GameName::Is(text) => name == text,
            GameName::Holds(text) => name.contains(&**text),
            GameName::Starts(text) => name
                .as_bytes()
                .get(..text.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes())),
            GameName::Ends(text) => name.ends_with(&**text),
            GameName::Longer(most) => name.len() > *most as usize,
            GameName::OtherThan(others) => {
                !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.as_bytes().contains(&byte))
            }
        }
    }
}

const NO_MISSIONS: &str = "there are no missions";

/// An engine's reaction to the name of a game that it does not accept.
pub(super) enum Refusal {
    Stops,
    Goes,
}

/// The usable part of a game's name without trailing slashes. Fails if the name leads out of the base
/// directory.
fn game_name<'g>(game: &str, taken: &'g str) -> Result<&'g str, BadGame> {
    let name = taken.trim_end_matches('/');
    if is_below(name) { Ok(name) } else { Err(BadGame(game.to_owned())) }
}

/// The games that the engine looks at.
fn looked_at<'g, 'n>(rule: Games, games: &'g [&'n str]) -> &'g [&'n str] {
    let looked_at = match rule {
        Games::Ignored => None,
        Games::First => games.get(..1),
        Games::Last => games.get(games.len().saturating_sub(1)..),
        Games::Every => Some(games),
    };
    looked_at.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::tests::check as faults;
    use crate::{Engine, Rules};

    fn words(text: &str, is_flag: bool) -> Vec<String> {
        let words = text.split_whitespace().filter(|word| word.starts_with('-') == is_flag);
        words.map(|word| word.trim_start_matches('-').to_owned()).collect()
    }

    /// The directories, low to high. In the line, `+NAME` is a base game, `@NAME` the server's and
    /// `NAME=VALUE` a setting. A directory may have only its archives or only its loose files at a position,
    /// which `(archives)` or `(loose)` marks. A `!` marks the directory that the engine writes to. Unused
    /// words follow a `;`.
    fn plan(rules: &Rules, line: &str) -> String {
        let (base_games, line): (Vec<_>, Vec<_>) =
            line.split_whitespace().partition(|word| word.starts_with('+'));
        let base_games: Vec<_> =
            base_games.into_iter().map(|word| word.trim_start_matches('+').to_owned()).collect();
        let (server, line): (Vec<&str>, Vec<_>) = line.into_iter().partition(|word| word.starts_with('@'));
        let (settings, line): (Vec<&str>, Vec<_>) = line.into_iter().partition(|word| word.contains('='));
        let settings = settings.into_iter().filter_map(|word| word.split_once('='));
        let line = line.join(" ");
        let planned = CommandLine {
            base_games,
            missions: words(&line, true),
            games: words(&line, false),
            server_game: server.first().map(|game| game.trim_start_matches('@').to_owned()),
            settings: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            ..CommandLine::default()
        };
        let planned = rules.directories.plan(&planned, &rules.stops).unwrap();
        let mut text: Vec<String> = Vec::new();
        for PlannedDirectory { name, archives, loose, written, .. } in planned.directories {
            let part = match (archives, loose) {
                (true, true) => "",
                (true, false) => "(archives)",
                (false, true) => "(loose)",
                (false, false) => "(own)",
            };
            text.push(format!("{name}{part}{}", if written { "!" } else { "" }));
        }
        let not_used = planned.not_used.into_iter().map(|(name, why)| match why {
            NotUsed::UnknownFlag => format!("; -{name}"),
            NotUsed::Game { taken } => format!("; {name} {taken:?}"),
            NotUsed::OtherMission => format!("; -{name} OtherMission"),
            why => format!("; {name} {why:?}"),
        });
        let not_used = not_used.chain(planned.stopping.into_iter().map(|game| format!("; {game} stops")));
        text.join(" ") + &not_used.collect::<String>()
    }

    /// Each line has an engine, a command line, and the resulting directories. Gives the engines.
    fn check(table: &str) -> Vec<Engine> {
        let mut engines = Vec::new();
        for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (given, expected) = line.split_once(" = ").unwrap();
            let (engine, arguments) = given.trim().split_once(' ').unwrap_or((given.trim(), ""));
            let engine: Engine = engine.parse().unwrap();
            assert_eq!(plan(engine.rules(), arguments), expected.trim(), "{given}");
            engines.push(engine);
        }
        engines.dedup();
        engines
    }

    #[test]
    fn each_engine_searches_its_directories_its_flags_and_its_games() {
        let engines = check(
            "
            winquake -hipnotic -rogue one two   = id1! rogue! hipnotic! one!; two First
            winquake -quoth                     = id1!; -quoth
            quakespasm -quoth -hipnotic one two = id1! hipnotic! quoth! one!; two First
            quakespasm-0.95 -quoth -hipnotic one two = id1! hipnotic! quoth! one!; two First
            ironwail -rogue one two             = id1! rogue! one! two!
            qss -rogue one two                  = id1! rogue! one! two!
            qss-m -rogue one two                = id1! rogue! one! two!
            joequake -machine -quoth one two    = id1! joequake! quoth! mg1! one!; two First
            darkplaces -rogue -hipnotic one two = id1! rogue! one! two!; -hipnotic OtherMission
            darkplaces-2024 -rogue -hipnotic one = id1! rogue! one!; -hipnotic OtherMission
            darkplaces-2024 -hipnotic one Rogue = id1! one! Rogue!; hipnotic GameInstead
            darkplaces-2024 -hipnotic ID1       = id1! ID1!; hipnotic GameInstead
            xonotic one two                     = data! one! two!
            nexuiz -rogue one                   = data! one!; -rogue
            fte -rogue one two                  = id1! qw! rogue! fte! one! two!
            mvdsv one two                       = id1! qw! one!; two First
            mvdsv -rogue                        = id1! qw!; -rogue
            ezquake one two                     = id1! ezquake! qw! ~! one!; two First
            quake2 one two                      = baseq2! two!; one Last
            yquake2 one two                     = baseq2! two!; one Last
            kmquake2 one two                    = baseq2! two!; one Last
            q2pro one two                       = baseq2! two!; one Last
            q2rtx one two                       = baseq2! two!; one Last
            goldsrc one two                     = . valve! two_downloads two! two/custom; one Last
            goldsrc                             = . valve_downloads valve! valve/custom
            goldsrc -lv -french -hd one         = . valve! valve_hd valve_lv valve_french one_downloads one! one_hd one_lv one_french one/custom
            goldsrc -polish -german -a1 -addon  = . valve_downloads valve! valve_addon valve_german valve/custom; -a1; -polish OtherMission
            goldsrc-2023 one two                = platform valve . valve_hd two_downloads two! two_hd; one Last
            goldsrc-2023                        = platform . valve_downloads valve! valve_hd
            goldsrc-2023 -nohdmodels            = platform . valve_downloads valve!
            goldsrc-2023 -lv -french -hd one    = platform valve . valve_hd valve_french valve_lv one_downloads one! one_hd one_french one_lv
            quakeworld one two                  = id1! qw!; one Ignored; two Ignored
            quakeworld one @two                 = id1! qw! two!; one Ignored
            quakeworld @qw                      = id1! qw!
            quakeworld @a/b                     = id1! qw!; a/b OddGame
            vkquake -quoth -rogue one two       = id1! rogue! quoth! one! two!
            vkquake-1.35 -quoth -rogue one two       = id1! rogue! quoth! one! two!
            vkquake-1.34 -quoth -rogue one two       = id1! rogue! quoth! one! two!
            vkquake-1.32 -quoth -rogue one two       = id1! rogue! quoth! one! two!
            hexen2 -portals one two             = data1! portals! one!; two First
            heretic2r one two                   = base! one!; two First
            sin one two                         = base! two!; one Last
            daikatana one two                   = data! two!; one Last
            ioquake3 one two                    = baseq3! two!; one Last
            ioquake3 one @two                   = baseq3! two!; one Last
            quake3e one two                     = baseq3! two!; one Last
            openarena one two                   = baseoa! two!; one Last
            etlegacy one two                    = etmain! two!; one Last
            openjk one two                      = base! two!; one Last
            openjk-sp one two                   = base! two!; one Last
            openjo-sp one two                   = base! two!; one Last
            iortcw one two                      = main! two!; one Last
            iortcw-sp one two                   = main! two!; one Last
            urban-terror one two                = q3ut4/download! q3ut4! two!; one Last
            padman one two                      = wop! two!; one Last
            smokin-guns one two                 = baseq3! smokinguns! two!; one Last
            quake-kex one two                   = id1! two!; one Last
            quake2-kex one two                  = baseq2! two!; one Last
            trenchbroom -rogue one two          = id1! one! two!; -rogue
            ericw-tools one two                 = id1! one! two!
            ",
        );
        assert_eq!(engines, Engine::ALL);
    }

    #[test]
    fn engines_of_one_game_share_a_base_directory() {
        let share = |a: Engine, b: Engine| a.rules().directories.share_base(&b.rules().directories);
        for quake in [Engine::Fte, Engine::QuakeWorld, Engine::TrenchBroom, Engine::EricwTools] {
            assert!(share(Engine::WinQuake, quake) && share(quake, Engine::WinQuake), "{quake}");
        }
        for (one, other) in [
            (Engine::WinQuake, Engine::Quake2),
            (Engine::Quake2, Engine::Daikatana),
            (Engine::Fte, Engine::Hexen2),
            (Engine::GoldSrc, Engine::IoQuake3),
            (Engine::Sin, Engine::Quake2),
        ] {
            assert!(!share(one, other), "{one} {other}");
        }
        // the placeholder for missions is not a directory
        let mut rules = Engine::Quake2.rules().directories.clone();
        rules.base = vec!["baseq2".into(), "{}".into()].into();
        assert!(!rules.share_base(&Engine::Fte.rules().directories));
    }

    #[test]
    fn a_directory_that_is_named_again_has_the_engines_position() {
        check(
            "
            winquake -rogue -hipnotic rogue     = id1! hipnotic! rogue!
            winquake id1                        = id1(own) id1!
            quakespasm -rogue -hipnotic rogue   = id1! rogue! hipnotic!
            quakespasm -rogue id1               = id1(own) rogue! id1!
            ironwail one two one                = id1! two! one!
            qss one two one                     = id1! one(archives)! two! one(loose)!
            darkplaces one two one              = id1! one(archives)! two! one(loose)!
            darkplaces-2024 one two one         = id1! two! one!
            darkplaces -rogue one rogue         = id1! rogue(archives)! one! rogue(loose)!
            fte one two one qw                  = id1! qw! fte! one! two!
            mvdsv id1                           = id1! qw!
            mvdsv one one                       = id1! qw! one!
            quake2 one two one                  = baseq2! one!; two Last
            goldsrc valve                       = . valve_downloads valve! valve/custom
            ",
        );
    }

    #[test]
    fn slashes_at_the_end_of_a_game_are_dropped() {
        check(
            "
            qss one/            = id1! one!
            ironwail one/ two   = id1! two!; one/ stops
            fte one/ two        = id1! qw! fte! two!; one/ OddGame
            winquake one/ two/  = id1! one!; two First
            winquake one one/   = id1! one!
            winquake a/b        = id1! a/b!
            ",
        );
    }

    #[test]
    fn the_name_of_a_game_is_read_like_the_engine_reads_it() {
        check(
            "
            fte one ID1 .two binaries        = id1! qw! fte! one!; .two OddGame; binaries OddGame
            fte a b c d e                    = id1! qw! fte! a! b! c! d!; e TooManyGames
            darkplaces one/ ../two           = id1!; one/ stops; ../two stops
            ironwail .                       = id1!; . stops
            winquake .                       = id1! .!
            yquake2 one;two                  = baseq2! one!
            q2pro a.b                        = baseq2!; a.b OddGame
            mvdsv a/b mod                    = id1! qw!; a/b OddGame; mod First
            mvdsv mod a/b                    = id1! qw! mod!; a/b First
            quakespasm mod a/b               = id1! mod!; a/b First
            goldsrc .one                     = . valve_downloads valve! valve/custom; .one stops
            ",
        );
    }

    #[test]
    fn base_games_replace_the_base_directories() {
        check(
            "
            ironwail +lq1 one                = lq1! one!
            vkquake -rogue +lq1 +lq2 one     = lq1! lq2! rogue! one!
            ironwail +a/b +lq1               = lq1!; a/b stops
            ironwail +lq1 lq1                = lq1(own) lq1!
            quakespasm +lq1 one              = id1! one!; lq1 BaseGame
            ",
        );
    }

    #[test]
    fn settings_add_directories_above_the_base_game_and_above_the_games() {
        check(
            "
            ioquake3 mod fs_basegame=ta      = baseq3! ta! mod!
            ioquake3 FS_BASEGAME=a fs_basegame=b com_basegame=c fs_game=mod = c! b! mod!
            ioquake3 fs_basegame= BASEQ3     = baseq3!
            openjk mod fs_forcegame=force    = base! mod! force!
            openjk fs_basegame=bg fs_forcegame=BG mod = base! bg! mod!
            openjk-sp mod fs_forcegame=force = base! mod!
            etlegacy fs_basegame=bg          = etmain! bg! legacy!
            iortcw fs_basegame=a/b           = main!; a/b stops
            ",
        );
    }

    #[test]
    fn a_setting_without_effect_is_a_fault() {
        faults(
            |rules| {
                rules.directories.settings = vec![
                    Setting::Game("game".into()),
                    Setting::Base("base".into()),
                    Setting::BaseDirectory("steam".into()),
                    Setting::AboveGames("GAME".into()),
                    Setting::AboveBase("".into()),
                ]
                .into();
            },
            &[
                "directories.settings[1]: no effect, because directories.base-games is ignored",
                "directories.settings[2]: no effect, because directories.more-bases is ignored",
                "directories.settings[4]: no effect, because it has no name",
                "directories.settings[3]: no effect, because an earlier setting has this name",
            ],
        );
    }

    #[test]
    fn a_game_that_leaves_the_base_directory_is_refused() {
        let rules = &Engine::WinQuake.rules().directories;
        for game in ["", "/", "..", "../id1", "/tmp", "a/../b", "a//b", "./a", "C:a", r"a\b", "a\nb"] {
            let games = vec![game.to_owned(), "one".to_owned()];
            let error = rules.plan(&CommandLine { games, ..CommandLine::default() }, &[]).unwrap_err();
            assert_eq!(error, BadGame(game.to_owned()));
        }
    }

    #[test]
    fn only_the_first_base_directory_missions_and_games_are_expected() {
        let rules = &Engine::GoldSrc.rules().directories;
        let games = vec!["one".to_owned()];
        let planned = rules.plan(&CommandLine { games, ..CommandLine::default() }, &[]).unwrap();
        let expected = planned.directories.iter().filter(|directory| directory.expected);
        let expected: Vec<_> = expected.map(|directory| &*directory.name).collect();
        assert_eq!(expected, [".", "one"]);
    }

    #[test]
    fn directories_of_own_rules_count_in_their_order() {
        let mut rules = Engine::WinQuake.rules().clone();
        let directories = &mut rules.directories;
        let mission = |flag: &'static str, directory: &'static str| Mission {
            flag: flag.into(),
            directory: directory.into(),
        };
        directories.missions =
            vec![mission("hd", "textures"), mission("xl", "maps"), mission("all", "maps")].into();
        directories.read_only = vec!["id1".into(), "textures".into()].into();
        assert_eq!(plan(&rules, "-all -hd -hd -xl -sd"), "id1 textures! maps!; -sd");
    }

    #[test]
    fn many_games_take_time_in_proportion() {
        let games: Vec<String> = (0..70_000).map(|number| format!("mod{}", number % 60_000)).collect();
        for engine in Engine::ALL {
            let rules = engine.rules();
            let (games, missions) = (games.clone(), games.clone());
            let asked = CommandLine { missions, games, ..CommandLine::default() };
            let planned = rules.directories.plan(&asked, &rules.stops).unwrap();
            assert!(planned.not_used.len() >= 70_000, "{engine}");
        }
        let rules = Engine::Ironwail.rules();
        let asked = CommandLine { games, ..CommandLine::default() };
        let planned = rules.directories.plan(&asked, &rules.stops).unwrap();
        assert_eq!(planned.directories.len(), 60_001);
    }

    #[test]
    fn a_refused_name_stops_the_engines_that_stop_there() {
        let mut rules = Engine::QuakeSpasm.rules().clone();
        assert_eq!(plan(&rules, "a/b"), "id1!; a/b stops");
        rules.stops = Vec::new().into();
        assert_eq!(plan(&rules, "a/b"), "id1!; a/b OddGame");
    }

    #[test]
    fn directories_that_leave_the_base_directory_are_faults() {
        faults(|rules| rules.directories.base = Vec::new().into(), &["directories.base: the list is empty"]);
        faults(
            |rules| {
                rules.directories.base = vec!["../id1".into(), ".".into()].into();
                rules.directories.game_folders = vec!["/{}".into(), "{}/custom".into()].into();
                rules.directories.games = Games::Every;
            },
            &[
                r#"directories.base[0]: the directory "../id1" is not below the base directory"#,
                r#"directories.game-folders[0]: the directory "/{}" is not below the base directory"#,
            ],
        );
        faults(
            |rules| {
                rules.directories.missions =
                    vec![Mission { flag: "a".into(), directory: "..".into() }].into();
            },
            &[r#"directories.missions[0].directory: the directory ".." is not below the base directory"#],
        );
    }

    #[test]
    fn a_rule_about_games_or_missions_that_do_not_count_is_a_fault() {
        faults(
            |rules| rules.directories.most_games = Some(2),
            &["directories.most-games: no effect, because directories.games is not every"],
        );
        faults(
            |rules| (rules.directories.games, rules.directories.most_games) = (Games::Every, Some(0)),
            &["directories.games: no effect, because directories.most-games is 0"],
        );
        faults(
            |rules| rules.directories.game_folders = Vec::new().into(),
            &["directories.game-folders: the list is empty"],
        );
        faults(
            |rules| {
                rules.directories.base = vec!["id1".into(), "{}".into()].into();
                rules.directories.missions = Vec::new().into();
                rules.directories.named_again = DuplicateMention::MissionsStay;
                rules.directories.missions_taken = MissionsTaken::Highest;
            },
            &[
                "directories.base[1]: no effect, because there are no missions",
                "directories.named-again: no effect, because there are no missions",
                "directories.missions-taken: no effect, because there are fewer than two missions",
            ],
        );
        faults(
            |rules| rules.directories.base = vec!["{}".into(), "{}".into()].into(),
            &["directories.base[1]: no effect, because the missions have a place already"],
        );
        faults(
            |rules| rules.directories.created = vec!["id2".into()].into(),
            &["directories.created[0]: no effect, because the engine writes to no such directory of \
                    directories.base"],
        );
        faults(
            |rules| rules.directories.read_only = vec!["id2".into()].into(),
            &["directories.read-only[0]: no effect, because directories.base and directories.game-folders \
                    do not have it"],
        );
    }

    #[test]
    fn a_part_that_no_directory_has_is_a_fault() {
        faults(
            |rules| {
                rules.directories.game_folders = vec!["{game}".into()].into();
                rules.directories.base = vec!["id1".into(), "{mission}".into(), PLACEHOLDER.into()].into();
            },
            &[
                r#"directories.base[1]: "{mission}" is not a part of a name: expected {}"#,
                r#"directories.game-folders[0]: "{game}" is not a part of a name: expected {}"#,
            ],
        );
    }
}
