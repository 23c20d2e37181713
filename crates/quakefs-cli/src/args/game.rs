//! The options that select a game and an engine.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use quakefs::disk::{Disk, FileKind, Overlay, SystemDisk, folders_in, on_host};
use quakefs::rules::{ConsoleRefusal, Host, MoreBases, UnknownName};
use quakefs::sentences::{Help as _, Shell};
use quakefs::{Access, Builder, Engine, ErrorKind, Rules, SearchPath};
use quakefs_installed::{
    Download, Install, Note, PlaceOptions, Placement, Start, engine_in, games_in, place,
};

use super::THE_GAME;
use super::value::{Over, engines, over, path, setting, systems};
use crate::caveats;
use crate::console::{Console, Environment, Failure, Message};
use crate::installed::{base_directory, places};
use crate::progress::{Progress, Unit};
use crate::text::command_line;

/// The options that select a game and an engine.
#[derive(Args, Clone, Debug)]
pub(crate) struct Game {
    #[command(flatten)]
    pub(crate) folders: Folders,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
}

/// The folders and archives of the game.
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of the engines")]
pub(crate) struct Folders {
    /// The folder that contains id1 and the mods, or a game from `quakefs games`, such as steam:quake; may be repeated
    /// for ironwail and vkquake [default: QUAKEFS_BASEDIR, or else the current folder or a folder above it]
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, value_parser = path())]
    basedir: Vec<Utf8PathBuf>,
    /// The user directory; its game directories rank just above the base directory's [default: the engine's folder in
    /// the home folder, such as ~/.quakespasm]
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true, value_parser = path())]
    pub(crate) userdir: Option<Utf8PathBuf>,
    /// The folder of the engine's program; ironwail finds its own archive there, and yquake2 the game [default: the
    /// folder of the engine on PATH]
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true, value_parser = path())]
    exedir: Option<Utf8PathBuf>,
    /// Use no user directory
    #[arg(long, help_heading = THE_GAME, hide_short_help = true, conflicts_with = "userdir")]
    no_userdir: bool,
    /// A folder that replaces id1, like -basegame of ironwail and vkquake, or baseq3; may be repeated
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true)]
    basegame: Vec<String>,
    /// A mod's folder in the base directory, like -game of the engine; may be repeated
    #[arg(long, value_name = "DIR", help_heading = THE_GAME)]
    game: Vec<String>,
    /// Whether a game without a folder is an error, as at some consoles.
    #[arg(skip)]
    must_exist: bool,
    /// A setting of the engine, like its `+set`: `fs_basegame=missionpack`; `quakefs engines NAME` explains them; may be
    /// repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = THE_GAME, hide_short_help = true,
        value_parser = setting())]
    set: Vec<(String, String)>,
    /// A mission flag of the engine without its dash, such as hipnotic, or a suffix of goldsrc, such as hd; may be
    /// repeated
    #[arg(long, value_name = "NAME", help_heading = THE_GAME, hide_short_help = true,
        value_parser = NonEmptyStringValueParser::new())]
    mission: Vec<String>,
    /// Scourge of Armagon: --mission hipnotic
    #[arg(long, help_heading = THE_GAME, hide_short_help = true)]
    hipnotic: bool,
    /// Dissolution of Eternity: --mission rogue
    #[arg(long, help_heading = THE_GAME, hide_short_help = true)]
    rogue: bool,
    /// Quoth: --mission quoth
    #[arg(long, help_heading = THE_GAME, hide_short_help = true)]
    quoth: bool,
    /// The system that the engine runs on; windows and macos ignore upper and lower case in file names [default: this
    /// system, with the case rules of each folder]
    #[arg(long, value_name = "SYSTEM", help_heading = THE_GAME, value_parser = systems(), ignore_case = true)]
    on: Option<Host>,
    /// Overlay the base directory with a download, as if it were where `quakefs place` would put it, or in the game
    /// directory NAME; may be repeated, a later one covers an earlier one
    #[arg(long, value_name = "[NAME=]FILE", help_heading = THE_GAME, value_parser = over())]
    over: Vec<Over>,
    /// Put a folder or an archive on top of the search path; may be repeated. Without --basedir, the current folder is
    /// used only if it contains a game
    #[arg(long, value_name = "PATH", help_heading = THE_GAME, value_parser = path())]
    mount: Vec<Utf8PathBuf>,
}

/// The engine whose rules apply.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineChoice {
    /// The engine whose rules apply [default: QUAKEFS_ENGINE, or else the engine whose program is in the base directory,
    /// or else quakespasm]
    #[arg(long, value_name = "NAME", help_heading = THE_GAME, value_parser = engines(),
        ignore_case = true)]
    engine: Option<Engine>,
    /// A file of rules to use instead of an engine's; `quakefs engines NAME` prints one to start from
    #[arg(long, value_name = "FILE", help_heading = THE_GAME, hide_short_help = true, value_parser = path(),
        conflicts_with = "engine")]
    rules: Option<Utf8PathBuf>,
}

impl Game {
    /// Mounts the game, and warns of problems of the game as a whole.
    pub(crate) fn mount(&self, console: &mut Console<'_>) -> Result<SearchPath, Failure> {
        let search_path = self.mount_on(None, console)?;
        caveats::report(std::slice::from_ref(&search_path), console);
        Ok(search_path)
    }

    /// Mounts without printing warnings, for commands whose answer contains them. `host` replaces the system given with `--on`.
    pub(crate) fn mount_on(
        &self,
        host: Option<Host>,
        console: &mut Console<'_>,
    ) -> Result<SearchPath, Failure> {
        let chosen = self.chosen(console)?;
        if console.columns.is_some() && !matches!(chosen.because, Because::Option(_)) {
            console.note(format!("using the rules of {}: {}", chosen.rules.name, chosen.because));
        }
        self.mount_as(host, chosen.rules, console)
    }

    /// Mounts the game for the chosen engine, without a note about the choice.
    pub(crate) fn mount_as(
        &self,
        host: Option<Host>,
        rules: Rules,
        console: &mut Console<'_>,
    ) -> Result<SearchPath, Failure> {
        self.folders.warn_of_user_directory(console);
        self.folders.mount_on(host, rules, console)
    }

    /// The engine whose rules apply: of the options, of the environment, or the one whose program or game is in the base
    /// directory.
    pub(crate) fn chosen(&self, console: &mut Console<'_>) -> Result<Chosen, Failure> {
        let chosen = self.engine.chosen(&console.environment)?;
        if !matches!(chosen.because, Because::Default) {
            return Ok(chosen);
        }
        let (bases, _) = self.folders.place(&chosen.rules, console);
        // a mount reports a base directory that cannot be read
        let base = bases.into_iter().next().and_then(|base| base_directory(base, &console.environment).ok());
        let Some((base, _)) = base else { return Ok(chosen) };
        let entries = base.read_dir().into_iter().flatten().flatten();
        let entries =
            entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path().is_file())));
        let entries: Vec<_> = entries.collect();
        if let Some((engine, reason)) = Engine::of_base(&entries) {
            return Ok(Chosen { rules: engine.rules().clone(), because: Because::Program(reason) });
        }
        let is_there = chosen.rules.directories.base.iter().any(|name| base.join(&**name).is_dir());
        let only = || engine_in(Utf8Path::from_path(&base)?);
        Ok(match only().filter(|_| !is_there && self.folders.basegame.is_empty()) {
            Some(engine) => Chosen { rules: engine.rules().clone(), because: Because::Game },
            None => chosen,
        })
    }

    /// The paths on this computer of all archives of the game, including skipped ones. No output may replace them.
    pub(crate) fn archives(&self, search_path: &SearchPath) -> Vec<Utf8PathBuf> {
        let loaded = search_path.layers().filter_map(|layer| layer.archive()?.system_path());
        let left_out = search_path.left_out().iter().map(|(_, path)| path.clone());
        loaded.chain(left_out).chain(self.folders.over.iter().map(|over| over.file.clone())).collect()
    }

    /// The base directory, for completions.
    pub(crate) fn base_directory(&self, console: &mut Console<'_>) -> Option<PathBuf> {
        let rules = self.engine.chosen(&console.environment).ok()?.rules;
        let (bases, _) = self.folders.place(&rules, console);
        Some(base_directory(bases.into_iter().next()?, &console.environment).ok()?.0)
    }

    /// The game after a command at the engine's console, or why the engine refuses the command.
    pub(crate) fn after(
        &self,
        line: &str,
        console: &mut Console<'_>,
    ) -> Result<Result<Game, ConsoleRefusal>, Failure> {
        let rules = self.chosen(console)?.rules;
        let Some(command) = rules.console.known().and_then(Option::as_ref) else {
            let none = || format!("the console of {} has no command that changes the game", rules.name);
            let text = rules.not_known(&["console"]).unwrap_or_else(none);
            return Err(Message::new(text, "name another engine with --engine").into());
        };
        Ok(rules.at_console(line).map(|asked| {
            let mut game = self.clone();
            let folders = &mut game.folders;
            if !command.keeps_missions {
                (folders.hipnotic, folders.rogue, folders.quoth) = (false, false, false);
                folders.mission.clear();
            }
            folders.mission.extend(asked.missions);
            folders.game = asked.games;
            folders.must_exist = command.must_exist;
            game
        }))
    }

    /// A command line about the same game, for a suggestion.
    pub(crate) fn suggest(&self, command: &str) -> String {
        self.folders.suggest_with(&self.engine, None, command)
    }

    /// The engine, unless it is only the default.
    pub(crate) fn named_rules(&self, console: &mut Console<'_>) -> Result<Option<Rules>, Failure> {
        let chosen = self.chosen(console)?;
        Ok((!matches!(chosen.because, Because::Default)).then_some(chosen.rules))
    }

    /// The same game for another engine.
    pub(crate) fn for_engine(&self, engine: Engine) -> Game {
        Game { engine: EngineChoice { engine: Some(engine), rules: None }, ..self.clone() }
    }

    /// The same game, started as a download is.
    pub(crate) fn started(&self, start: &Start) -> Game {
        let mut game = self.clone();
        game.folders.mission.extend(start.missions.iter().cloned());
        game.folders.game.extend(start.games.iter().cloned());
        game
    }

    /// The same game with a download over it.
    pub(crate) fn with_download(&self, file: &Utf8Path, name: Option<&str>) -> Game {
        let mut game = self.clone();
        game.folders.over.push(Over { name: name.map(ToOwned::to_owned), file: file.to_owned() });
        game
    }
}

impl Folders {
    /// The base directories: the named ones, or else the current folder or a folder above it. For a folder above, it
    /// also returns the game that contains the current folder.
    fn place(&self, rules: &Rules, console: &mut Console<'_>) -> (Vec<PathBuf>, Option<String>) {
        if !self.basedir.is_empty() {
            return (self.basedir.iter().map(PathBuf::from).collect(), None);
        }
        if let Some(named) = &console.environment.base_directory {
            return (vec![named.into()], None);
        }
        let here = holds_game(rules);
        let folder = console.environment.folder.as_deref().filter(|_| !here).and_then(current_folder);
        if let Some((base, game)) = folder.and_then(|folder| base_above(&folder, rules)) {
            let game = game.filter(|_| self.game.is_empty());
            let and_game = game.as_ref().map_or_else(String::new, |game| format!(", and the game {game}"));
            console.note(format!("the base directory is {base}{and_game}"));
            return (vec![base.into()], game);
        }
        let current = here || self.mount.is_empty();
        (current.then(|| PathBuf::from(".")).into_iter().collect(), None)
    }

    /// The installed game that contains the current folder, for an engine that uses several base directories.
    fn install_here(&self, rules: &Rules, bases: &[PathBuf], environment: &Environment) -> Option<Install> {
        let is_named = !self.basedir.is_empty() || environment.base_directory.is_some();
        let looks = rules.directories.more_bases != MoreBases::Ignored;
        let base = bases.first().filter(|_| looks && !is_named)?;
        games_in(&places(environment)).at(base).cloned()
    }

    /// The folder of the engine's program, from `--exedir` or else from `PATH`.
    fn program_directory(&self, rules: &Rules, environment: &Environment) -> Option<PathBuf> {
        let named = self.exedir.as_ref().map(PathBuf::from);
        let program = format!("{}{}", rules.name, std::env::consts::EXE_SUFFIX);
        let found = || {
            // follow links to the real folder
            let mut programs = environment.programs.iter().map(|folder| folder.join(&program));
            let program = programs.find(|program| program.is_file())?.canonicalize().ok()?;
            Some(program.parent()?.to_owned())
        };
        rules.directories.program_folder.and_then(|_| named.or_else(found))
    }

    /// Mounts the game under some rules, as on a system, or else on the one in the options.
    pub(crate) fn mount_on(
        &self,
        host: Option<Host>,
        rules: Rules,
        console: &mut Console<'_>,
    ) -> Result<SearchPath, Failure> {
        let host = host.or(self.on);
        let (bases, around) = self.place(&rules, console);
        let bases = bases.into_iter().map(|given| base_directory(given, &console.environment));
        let (mut bases, installs): (Vec<_>, Vec<_>) =
            bases.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let installs = installs.into_iter().flatten();
        let install = installs.chain(self.install_here(&rules, &bases, &console.environment)).next();
        let downloads = install.as_ref().and_then(|install| install.downloads_of(&rules));
        bases.extend(downloads.map(PathBuf::from));
        let mut builder = match &bases[..] {
            [base, more @ ..] => more.iter().fold(SearchPath::builder(base), Builder::base_directory),
            [] => Builder::new(),
        };
        let (disk, overs) = self.disk(&rules, &bases, host, console)?;
        builder = builder.disk(Arc::clone(&disk)).access(Access::Read);
        if let Some(host) = host {
            builder = builder.host(host);
        }
        if self.must_exist {
            builder = builder.refuse_missing_games();
        }
        if let Some(home) = console.environment.home.as_ref().filter(|_| !self.no_userdir) {
            let of_store = |install: &Install| install.user_directory(&rules, host.unwrap_or(Host::here()));
            builder = match install.as_ref().and_then(of_store) {
                Some(place) => builder.user_directory(home.join(place)),
                None => builder.home(home),
            };
        }
        if let Some(program) = self.program_directory(&rules, &console.environment) {
            builder = builder.program_directory(program);
        }
        builder = builder.rules(rules);
        if let Some(user) = &self.userdir {
            builder = builder.user_directory(user);
        }
        for game in &self.basegame {
            builder = builder.base_game(game);
        }
        builder = self.missions().fold(builder, Builder::mission);
        builder = self.set.iter().fold(builder, |builder, (name, value)| builder.set(name, value));
        builder = around.iter().chain(&self.game).fold(builder, Builder::game);
        for path in &self.mount {
            let at = disk.absolute(path).unwrap_or_else(|_| path.clone());
            let is_folder = disk.stat(at.as_std_path()).is_ok_and(|stat| stat.kind == FileKind::Folder);
            builder = if is_folder { builder.folder(path) } else { builder.archive(path) };
        }
        let mounted = Progress::of_start("reading the game's folders", console).attend(move |bar| {
            builder.mount_after(None, &mut |opening| {
                if opening.done == 0 {
                    bar.go_on_with(Unit::Archives, opening.total as u64);
                }
                let _ = bar.show(opening.done as u64, opening.total as u64);
            })
        })?;
        let search_path = mounted.map_err(|error| {
            let mut message = Message::from(&error);
            if let ErrorKind::Pak(pak_format::ErrorKind::AmbiguousLayout { .. }) = error.kind() {
                let help = "it cannot be mounted; `quakefs pak list --layout NAME` shows its entries";
                message.help = Some(help.to_owned());
            }
            message
        })?;
        for (over, placement) in &overs {
            if let Some(message) = not_searched(&over.file, placement, &search_path) {
                console.warn_once(&message);
            }
        }
        Ok(search_path)
    }

    /// The disk of the system, with the downloads over the base directory.
    fn disk(
        &self,
        rules: &Rules,
        bases: &[PathBuf],
        host: Option<Host>,
        console: &mut Console<'_>,
    ) -> Result<OnDisk<'_>, Failure> {
        let mut disk: Arc<dyn Disk> = Arc::new(SystemDisk);
        let mut placed = Vec::new();
        if self.over.is_empty() {
            return Ok((disk, placed));
        }
        let Some(base) = bases.first().and_then(|base| Utf8Path::from_path(base)) else {
            let help = "name the base directory with --basedir";
            return Err(Message::new("--over needs a base directory", help).into());
        };
        // the mount reports a missing base directory
        if !base.is_dir() {
            return Ok((disk, placed));
        }
        // the downloads are on a disk of that system
        if let Some(host) = host {
            let at = disk.absolute(base).unwrap_or_else(|_| base.to_owned());
            disk = on_host(disk, host, [at]);
        }
        let system: Arc<dyn Disk> = Arc::new(SystemDisk);
        for over in &self.over {
            let download = Download::open(&system, &over.file).map_err(|error| Message::from(&error))?;
            let mut directories = folders_in(&*disk, base).unwrap_or_default();
            directories.extend(self.game.iter().cloned());
            let name = over.name.as_deref();
            let options = PlaceOptions { engine: Some(rules), name, directories: &directories, pak: 0 };
            let placement = place(&download, &options);
            say_how(over, &placement, console);
            let overlay = Overlay::new(placement.disk(), disk, base);
            disk = Arc::new(overlay.map_err(|error| Message::without_help(format!("{base}: {error}")))?);
            placed.push((over, placement));
        }
        Ok((disk, placed))
    }

    /// A command line about the same game, without an engine, for a suggestion.
    pub(crate) fn suggest(&self, command: &str) -> String {
        self.suggest_with(&EngineChoice::default(), None, command)
    }

    /// A command line about the same game with a given engine, or about another game.
    fn suggest_with(&self, choice: &EngineChoice, other: Option<(&str, &str)>, command: &str) -> String {
        let mut words = vec!["quakefs"];
        let single = [
            ("--engine", choice.engine.map(Engine::name)),
            ("--rules", choice.rules.as_deref().map(Utf8Path::as_str)),
            ("--on", self.on.map(Host::name)),
            ("--userdir", self.userdir.as_deref().map(Utf8Path::as_str)),
            ("--exedir", self.exedir.as_deref().map(Utf8Path::as_str)),
        ];
        let bases = self.basedir.iter().map(|base| ("--basedir", base.as_str()));
        let base_games = self.basegame.iter().map(|game| ("--basegame", &**game));
        let settings: Vec<_> = self.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let settings = settings.iter().map(|setting| ("--set", &**setting));
        let games = self.game.iter().map(|game| ("--game", &**game));
        let missions = self.missions().map(|flag| ("--mission", flag));
        let named = games.chain(missions).filter(|_| other.is_none());
        let overs: Vec<String> = self.over.iter().map(Over::to_string).collect();
        let overs = overs.iter().map(|over| ("--over", &**over));
        let mounts = self.mount.iter().map(|path| ("--mount", path.as_str()));
        let single = single.into_iter().filter_map(|(option, value)| Some((option, value?)));
        let options = bases
            .chain(overs)
            .chain(single)
            .chain(base_games)
            .chain(settings)
            .chain(other)
            .chain(named)
            .chain(mounts);
        words.extend(options.flat_map(|(option, value)| [option, value]));
        words.extend(self.no_userdir.then_some("--no-userdir"));
        words.push(command);
        command_line(words)
    }

    /// All mission flags of the command line, short and long.
    fn missions(&self) -> impl Iterator<Item = &str> {
        let short = [(self.hipnotic, "hipnotic"), (self.rogue, "rogue"), (self.quoth, "quoth")];
        let short = short.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag);
        short.chain(self.mission.iter().map(String::as_str))
    }

    /// Warns if the user directory or the folder of the program is missing. An engine creates a user directory when it
    /// first writes there, so the library mounts without one; on the command line it is probably misspelled.
    pub(crate) fn warn_of_user_directory(&self, console: &mut Console<'_>) {
        for folder in self.userdir.iter().chain(&self.exedir).filter(|folder| !folder.is_dir()) {
            let text = format!("{folder}: the folder does not exist");
            console.warn(&Message::new(text, "check its spelling and case"));
        }
    }
}

impl EngineChoice {
    /// The engine of the options or of the environment, or else the default one.
    pub(crate) fn chosen(&self, environment: &Environment) -> Result<Chosen, Failure> {
        if let Some(file) = &self.rules {
            return Ok(Chosen { rules: own_rules(file)?, because: Because::Option("--rules") });
        }
        let named = named_engine(self.engine, environment)?;
        let because = match (self.engine, named) {
            (Some(_), _) => Because::Option("--engine"),
            (None, Some(_)) => Because::Environment,
            (None, None) => Because::Default,
        };
        Ok(Chosen { rules: named.unwrap_or_default().rules().clone(), because })
    }
}

/// The engine of an answer, and why it was taken.
pub(crate) struct Chosen {
    pub(crate) rules: Rules,
    pub(crate) because: Because,
}

pub(crate) enum Because {
    /// This option names it.
    Option(&'static str),
    Environment,
    /// Its program is in the base directory: the sentence of [`Engine::of_base`].
    Program(String),
    /// No other engine has the game in the base directory.
    Game,
    Default,
}

impl Because {
    /// The word for `--json`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Because::Option(_) => "option",
            Because::Environment => "environment",
            Because::Program(_) => "program",
            Because::Game => "game",
            Because::Default => "default",
        }
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Option(option) => write!(f, "{option} names it"),
            Because::Environment => f.write_str("QUAKEFS_ENGINE names it"),
            Because::Program(reason) => f.write_str(reason),
            Because::Game => f.write_str("the one engine for the game in the base directory"),
            Because::Default => f.write_str("the default; --engine names another"),
        }
    }
}

/// The engine of the command line, or else of the environment.
pub(crate) fn named_engine(
    engine: Option<Engine>,
    environment: &Environment,
) -> Result<Option<Engine>, Failure> {
    match (engine, &environment.engine) {
        (None, Some(word)) => word.to_string_lossy().parse().map(Some).map_err(|unknown: UnknownName| {
            Message::new(format!("QUAKEFS_ENGINE: {unknown}"), "set the variable to one of them").into()
        }),
        (engine, _) => Ok(engine),
    }
}

/// The most bytes of a rule file.
const RULES_SIZE: u64 = 1 << 20;

/// Reads and checks a rule file.
pub(crate) fn own_rules(file: &Utf8Path) -> Result<Rules, Failure> {
    let help = "`quakefs engines quakespasm` prints rules to start from";
    let unreadable = |error| Message::without_help(format!("{file}: cannot be read: {error}"));
    let mut bytes = Vec::new();
    // a pipe may never have a writer
    if file.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Message::new(format!("{file}: not a regular file"), help).into());
    }
    let opened = File::open(file).map_err(unreadable)?;
    opened.take(RULES_SIZE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > RULES_SIZE {
        return Err(
            Message::new(format!("{file}: larger than 1 MiB, the limit for a rule file"), help).into()
        );
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        Message::new(format!("{file}: the rules are not UTF-8: {}", error.utf8_error()), help)
    })?;
    Rules::from_toml(&text).map_err(|error| Message::new(format!("{file}: {error}"), help).into())
}

/// A disk, and how the downloads over its base directory are placed.
type OnDisk<'a> = (Arc<dyn Disk>, Vec<(&'a Over, Placement)>);

/// Prints a note about a download: a remark, or a warning.
pub(crate) fn say(file: &Utf8Path, note: &Note, console: &mut Console<'_>) {
    let text = format!("{file}: {note}");
    if note.is_remark() { console.note(text) } else { console.warn_once(&Message::without_help(text)) }
}

/// Notes how a download over the base directory is taken.
fn say_how(over: &Over, placement: &Placement, console: &mut Console<'_>) {
    let file = &over.file;
    let text = format!("{file}: {placement}");
    match placement.nothing {
        Some(nothing) => {
            console.warn_once(&Message { text, help: nothing.help(None) });
        }
        None => console.note(text),
    }
    for note in &placement.notes {
        say(file, note, console);
    }
}

/// A warning if no file of a download is in a game directory of the game.
fn not_searched(file: &Utf8Path, placement: &Placement, search_path: &SearchPath) -> Option<Message> {
    let mut directories = search_path.layers().filter_map(|layer| Some(&*layer.game_directory()?.name));
    let mut games = placement.parts.iter().filter_map(|part| part.to.split('/').next());
    let game = games.next()?;
    if directories.any(|directory| directory == game || games.clone().any(|game| game == directory)) {
        return None;
    }
    let text = format!("{file}: {} does not search {game}/", search_path.rules().name);
    Some(Message::new(text, format!("name it with {}", command_line(["--game", game]))))
}

/// The current folder, by the shell's name for it if that is valid, or else by the system's.
fn current_folder(shell: &Path) -> Option<PathBuf> {
    let is_current = shell.is_absolute()
        && matches!((shell.canonicalize(), Path::new(".").canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_current { Some(shell.to_owned()) } else { std::env::current_dir().ok() }
}

/// The nearest folder above this one that contains a base game of the engine, such as id1. If this one is inside a mod, also the
/// name of the mod.
fn base_above(folder: &Path, rules: &Rules) -> Option<(Utf8PathBuf, Option<String>)> {
    let own = &rules.directories.base;
    let folder = Utf8PathBuf::from_path_buf(std::path::absolute(folder).ok()?).ok()?;
    let holds_game = |above: &Utf8Path| own.iter().any(|name| *name != "." && above.join(&**name).is_dir());
    let base = folder.ancestors().skip(1).find(|above| holds_game(above))?;
    let game = folder.strip_prefix(base).ok()?.components().next()?.as_str();
    Some((base.to_owned(), (!own.contains(&game.into())).then(|| game.to_owned())))
}

fn holds_game(rules: &Rules) -> bool {
    rules.directories.base.iter().any(|directory| Utf8PathBuf::from(directory.as_ref()).is_dir())
}

impl Shell for Game {
    fn command(&self, name: &str, other: Option<(&str, &str)>) -> String {
        self.folders.suggest_with(&self.engine, other, name)
    }

    fn quoted(&self, words: &[&str]) -> String {
        command_line(words.iter().copied())
    }
}
