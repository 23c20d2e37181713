//! The options that select a game and an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use quakefs::content::ContentType;
use quakefs::findings::Severity;
use quakefs::rules::{Host, UnknownName};
use quakefs::sentences::{Help as _, Shell};
use quakefs::{Engine, ErrorKind, Rules};
use quakefs_game::{ChosenRow, EngineBecause, Error, Game, Note, Options, Over, Surroundings};

use super::value::{EngineName, other_engine, over, path, setting, systems};
use super::{THE_GAME, kept_quote};
use crate::bounded;
use crate::caveats;
use crate::configuration::Configuration;
use crate::console::{Console, Environment, Failure, Message};
use crate::installed::places;
use crate::progress::{Progress, Unit};
use crate::text::{SHELL, command_line};

/// The options that select a game and an engine.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) folders: FolderArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// The command that asks for names, for advice with another name.
    #[arg(skip)]
    pub(crate) asks: Option<&'static str>,
}

/// The folders and archives of the game.
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of the engines")]
pub(crate) struct FolderArgs {
    /// The folder that contains id1 and the mods, or a game from `quakefs games`, such as steam:quake; may be
    /// repeated for ironwail and vkquake [default: QUAKEFS_BASEDIR, or else the current folder, or a
    /// folder above it, that contains a game, or else that of `quakefs config`, or else a folder below]
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true, value_parser = path())]
    basedir: Vec<Utf8PathBuf>,
    /// The user directory; its game directories rank just above the base directory's [default: the engine's
    /// folder in the home folder, such as ~/.quakespasm]
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true, value_parser = path())]
    pub(crate) userdir: Option<Utf8PathBuf>,
    /// The folder of the engine's program; ironwail finds its own archive there, and yquake2 the game
    /// [default: the folder of the engine on PATH]
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true, value_parser = path())]
    exedir: Option<Utf8PathBuf>,
    /// Use no user directory
    #[arg(long, help_heading = THE_GAME, hide_short_help = true, conflicts_with = "userdir")]
    no_userdir: bool,
    /// A folder that replaces id1, like -basegame of ironwail and vkquake, or baseq3; may be repeated
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true)]
    basegame: Vec<String>,
    /// A mod's folder in the base directory, like -game of the engine; may be repeated
    #[arg(long, value_name = "DIR", help_heading = THE_GAME, hide_short_help = true)]
    game: Vec<String>,
    /// A setting of the engine, like its `+set`: `fs_basegame=missionpack`; `quakefs engines NAME` explains
    /// them; may be repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = THE_GAME, hide_short_help = true,
        value_parser = setting())]
    set: Vec<(String, String)>,
    /// A mission flag of the engine without its dash, such as hipnotic, or a suffix of goldsrc, such as hd;
    /// may be repeated
    #[arg(long, value_name = "NAME", help_heading = THE_GAME, hide_short_help = true,
        value_parser = NonEmptyStringValueParser::new())]
    mission: Vec<String>,
    /// Scourge of Armagon: --mission hipnotic
    #[arg(long, help_heading = THE_GAME, hide = true)]
    hipnotic: bool,
    /// Dissolution of Eternity: --mission rogue
    #[arg(long, help_heading = THE_GAME, hide = true)]
    rogue: bool,
    /// Quoth: --mission quoth
    #[arg(long, help_heading = THE_GAME, hide = true)]
    quoth: bool,
    /// The system that the engine runs on; windows and macos ignore upper and lower case in file names
    /// [default: this system, with the case rules of each folder]
    #[arg(long, value_name = "SYSTEM", help_heading = THE_GAME, hide_short_help = true,
        value_parser = systems(), ignore_case = true)]
    on: Option<Host>,
    /// Overlay the base directory with a download, as if it were where `quakefs place` would put it, or in
    /// the game directory NAME; may be repeated, a later one covers an earlier one
    #[arg(long, value_name = "[NAME=]FILE", help_heading = THE_GAME, hide_short_help = true,
        value_parser = over())]
    over: Vec<Over>,
    /// Add a folder or an archive above the game; may be repeated. Without --basedir, the current folder is
    /// used only if it contains a game
    #[arg(long, value_name = "PATH", help_heading = THE_GAME, hide_short_help = true, value_parser = path())]
    mount: Vec<Utf8PathBuf>,
}

/// The engine whose rules apply.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineArgs {
    /// The engine whose rules apply; `quakefs engines` lists them [default: QUAKEFS_ENGINE, or else
    /// that of `quakefs config`, or else the engine whose program is in the base directory, or else the one
    /// that plays the game there, or else quakespasm]
    #[arg(long, value_name = "NAME", help_heading = THE_GAME, hide_short_help = true,
        value_parser = EngineName, hide_possible_values = true, ignore_case = true)]
    engine: Option<Engine>,
    /// A file of rules to use instead of an engine's; `quakefs engines NAME` prints one to start from
    #[arg(long, value_name = "FILE", help_heading = THE_GAME, hide_short_help = true, value_parser = path(),
        conflicts_with = "engine")]
    rules: Option<Utf8PathBuf>,
}

impl GameArgs {
    /// The same, with advice to ask by this command instead of `which`.
    pub(crate) fn asking(&self, command: &'static str) -> Self {
        GameArgs { asks: Some(command), ..self.clone() }
    }

    /// Opens the game, and warns of problems of the game as a whole.
    pub(crate) fn open(&self, console: &mut Console<'_>) -> Result<Game, Failure> {
        let game = self.open_quietly(console)?;
        note_engine(&game, console);
        caveats::report(&[&game.search_path], console);
        Ok(game)
    }

    /// Opens without warnings of the game as a whole, for commands whose answer contains them.
    pub(crate) fn open_quietly(&self, console: &mut Console<'_>) -> Result<Game, Failure> {
        self.open_with(&self.options(&console.environment)?, console)
    }

    /// Opens the game that some options describe.
    pub(crate) fn open_with(&self, options: &Options, console: &mut Console<'_>) -> Result<Game, Failure> {
        let prepared = Game::prepare(options, &self.surroundings(&console.environment)?)?;
        let notes = prepared.notes.len();
        prepared.notes.iter().for_each(|note| say(note, console));
        let mounted = Progress::of_start("reading the game's folders", console).attend(move |bar| {
            prepared.mount_with(|builder| {
                builder.mount_after(None, &mut |opening| {
                    if opening.done == 0 {
                        bar.go_on_with(Unit::Archives, opening.total as u64);
                    }
                    let _ = bar.show(opening.done as u64, opening.total as u64);
                })
            })
        })?;
        let game = mounted.map_err(|error| match &error {
            Error::Quake(quake) => match quake.kind() {
                ErrorKind::Pak(pak_format::ErrorKind::AmbiguousLayout { .. }) => {
                    let help = "it cannot be mounted; `quakefs pak list --layout NAME` shows its entries";
                    Message { help: Some(help.to_owned()), ..Message::from(&error) }
                }
                ErrorKind::NoBaseDirectory => {
                    let help = options.bases.iter().find_map(|base| kept_quote(base.as_str()));
                    let message = Message::from(&error);
                    Message { help: help.or(message.help), ..message }
                }
                _ => Message::from(&error),
            },
            _ => Message::from(&error),
        })?;
        game.notes.iter().skip(notes).for_each(|note| say(note, console));
        Ok(game)
    }

    /// What the command line says, as data.
    pub(crate) fn options(&self, environment: &Environment) -> Result<Options, Failure> {
        let mut options = self.folders.options(environment);
        options.engine = self.engine.engine;
        options.rules = self.engine.rules.as_deref().map(own_rules).transpose()?;
        Ok(options)
    }

    /// What surrounds the game on this computer.
    pub(crate) fn surroundings(&self, environment: &Environment) -> Result<Surroundings, Failure> {
        let shell = Arc::new(self.clone());
        Ok(Surroundings { shell: Some(shell), ..FolderArgs::surroundings(environment)? })
    }

    /// The base directory, for completions.
    pub(crate) fn base_directory(&self, console: &mut Console<'_>) -> Option<Utf8PathBuf> {
        let options = self.options(&console.environment).ok()?;
        let surroundings = self.surroundings(&console.environment).ok()?;
        quakefs_game::Choices::of(&options, &surroundings).ok()?.base
    }

    /// A command line about the same game, for a suggestion.
    pub(crate) fn suggest(&self, command: &str) -> String {
        self.folders.suggest_with(&self.engine, None, command)
    }
}

impl FolderArgs {
    /// What the command line says about folders and archives, as data.
    pub(crate) fn options(&self, environment: &Environment) -> Options {
        let mut bases = self.basedir.clone();
        if bases.is_empty() {
            let named = environment.base_directory.as_ref().and_then(|named| named.to_str());
            bases.extend(named.map(Utf8PathBuf::from));
        }
        Options {
            bases,
            games: self.game.clone(),
            missions: self.missions().map(str::to_owned).collect(),
            base_games: self.basegame.clone(),
            settings: self.set.iter().cloned().collect(),
            over: self.over.clone(),
            mounts: self.mount.clone(),
            user_directory: self.userdir.clone(),
            no_user_directory: self.no_userdir,
            program_directory: self.exedir.clone(),
            on: self.on,
            ..Options::default()
        }
    }

    /// What surrounds the game on this computer.
    pub(crate) fn surroundings(environment: &Environment) -> Result<Surroundings, Failure> {
        let utf8 = |path: &PathBuf| Utf8PathBuf::from_path_buf(path.clone()).ok();
        let configuration = Configuration::of(environment)?;
        Ok(Surroundings {
            folder: Some(".".into()),
            folder_name: environment.folder.as_deref().and_then(current_folder),
            home: environment.home.as_ref().and_then(utf8),
            programs: environment.programs.iter().filter_map(utf8).collect(),
            engine: engine_of_variable(environment)?,
            configured_engine: configured_engine(&configuration)?,
            configured_base: configuration.basedir,
            stores: places(environment),
            ..Surroundings::default()
        })
    }

    /// A command line about the same game, without an engine, for a suggestion.
    pub(crate) fn suggest(&self, command: &str) -> String {
        self.suggest_with(&EngineArgs::default(), None, command)
    }

    /// A command line about the same game with a given engine, or about another game.
    fn suggest_with(&self, choice: &EngineArgs, other: Option<(&str, &str)>, command: &str) -> String {
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
        let is_of_other = other.is_some_and(|(option, _)| option != "--over");
        let named = games.chain(missions).filter(|_| !is_of_other);
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
}

impl EngineArgs {
    /// The rules that are named by options or by the environment, or else the default ones.
    pub(crate) fn rules(&self, environment: &Environment) -> Result<Rules, Failure> {
        if let Some(file) = &self.rules {
            return own_rules(file);
        }
        let named = self.engine.map_or_else(|| engine_of(environment), |engine| Ok(Some(engine)))?;
        Ok(named.unwrap_or_default().rules().clone())
    }
}

/// The engine of the environment, or else of the configuration.
pub(crate) fn engine_of(environment: &Environment) -> Result<Option<Engine>, Failure> {
    match engine_of_variable(environment)? {
        None => configured_engine(&Configuration::of(environment)?),
        engine => Ok(engine),
    }
}

fn configured_engine(configuration: &Configuration) -> Result<Option<Engine>, Failure> {
    let about = |failure: Failure| failure.about("`quakefs config`");
    configuration.engine.as_deref().map(engine_named).transpose().map_err(about)
}

/// The engine of this name.
pub(crate) fn engine_named(word: &str) -> Result<Engine, Failure> {
    word.parse().map_err(|_| Message::new(format!("{word}: no such engine"), other_engine(word)).into())
}

/// The engine of the environment.
fn engine_of_variable(environment: &Environment) -> Result<Option<Engine>, Failure> {
    let Some(word) = &environment.engine else { return Ok(None) };
    word.to_string_lossy().parse().map(Some).map_err(|unknown: UnknownName| {
        Message::new(format!("QUAKEFS_ENGINE: {unknown}"), "set the variable to one of them").into()
    })
}

/// The most bytes of a rule file.
const RULES_SIZE: u64 = 1 << 20;

/// Reads and checks a rule file.
pub(crate) fn own_rules(file: &Utf8Path) -> Result<Rules, Failure> {
    let help = "`quakefs engines quakespasm` prints rules to start from";
    let unreadable = |error| Message::without_help(format!("{file}: cannot be read: {error}"));
    // a pipe may never have a writer
    if file.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Message::new(format!("{file}: not a regular file"), help).into());
    }
    let bytes = bounded::read(file, RULES_SIZE).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        Message::new(format!("{file}: the rules are not UTF-8: {}", error.utf8_error()), help)
    })?;
    Rules::from_toml(&text).map_err(|error| Message::new(format!("{file}: {error}"), help).into())
}

/// Tells on a terminal whose rules apply, unless somebody chose the engine for this command or once for all.
/// A variable may be forgotten.
pub(crate) fn note_engine(game: &Game, console: &mut Console<'_>) {
    let is_chosen = matches!(game.choices.engine_because, EngineBecause::Named | EngineBecause::Configured);
    if console.columns.is_some() && !is_chosen {
        let ChosenRow { engine, reason, .. } = game.chosen();
        console.note(format!("using the rules of {engine}: {reason}"));
    }
}

/// Prints a note of a game: a remark, or a warning.
pub(crate) fn say(note: &Note, console: &mut Console<'_>) {
    match note.severity() {
        Severity::Note => console.note(note.sentence(SHELL)),
        _ => console.warn_once(&Message { text: note.sentence(SHELL), help: note.help(SHELL) }),
    }
}

/// The current folder by the shell's name for it, if that is valid.
fn current_folder(shell: &Path) -> Option<Utf8PathBuf> {
    let is_current = shell.is_absolute()
        && matches!((shell.canonicalize(), Path::new(".").canonicalize()), (Ok(a), Ok(b)) if a == b);
    Utf8PathBuf::from_path_buf(shell.to_owned()).ok().filter(|_| is_current)
}

impl Shell for GameArgs {
    fn command(&self, name: &str, other: Option<(&str, &str)>) -> String {
        self.folders.suggest_with(&self.engine, other, name)
    }

    fn asking(&self, name: &str) -> &'static str {
        match self.asks {
            // a sound needs nothing: `needs` is asked only about levels
            Some("needs") if ContentType::of(name.as_bytes()) != ContentType::Level => "which",
            asks => asks.unwrap_or("which"),
        }
    }

    fn quoted(&self, words: &[&str]) -> String {
        command_line(words.iter().copied())
    }
}
