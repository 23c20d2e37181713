//! Completions for a shell, including names in the command line's game or archive.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches as _;
use clap_complete::engine::{PathCompleter, ValueCompleter as _};
use clap_complete::env::Shells;
use clap_complete::{ArgValueCompleter, CompleteEnv, CompletionCandidate, Shell};
use quakefs::{EntryName, File};
use quakefs_game::InstalledAnswer;

use crate::args::{EngineArgs, FolderArgs, GameArgs, built, by_position, parse_unfinished};
use crate::console::{Console, Environment, Exit, Failure};
use crate::installed::places;

/// The environment variable that a shell's script sets to request completions.
const VARIABLE: &str = "COMPLETE";

/// Answers a completion request of the script that `quakefs completions` prints. The binary calls this if the
/// variable `COMPLETE` is set; it reads the environment and writes to standard output.
pub fn complete(args: impl IntoIterator<Item = OsString>, environment: &Environment) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let line: Vec<OsString> = args.iter().skip_while(|arg| *arg != "--").skip(1).cloned().collect();
    let line = Line { words: line, environment: environment.clone() };
    let completing = CompleteEnv::with_factory(|| line.command()).var(VARIABLE).completer("quakefs");
    match completing.try_complete(args, std::env::current_dir().ok().as_deref()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = error.print();
            ExitCode::FAILURE
        }
    }
}

/// Prints the script that makes a shell request completions.
pub(crate) fn script(shell: Shell, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&shell.to_string()) {
        shell.write_registration(VARIABLE, "quakefs", "quakefs", "quakefs", &mut script)?;
    }
    console.out.write_all(&script)?;
    Ok(Exit::Done)
}

/// An unfinished command line.
#[derive(Clone)]
struct Line {
    words: Vec<OsString>,
    environment: Environment,
}

impl Line {
    /// The command with completers for names.
    fn command(&self) -> clap::Command {
        let (games, names, entries) = (self.clone(), self.clone(), self.clone());
        let (bases, levels) = (self.clone(), self.clone());
        let games = ArgValueCompleter::new(move |current: &OsStr| games.games(current));
        let names = ArgValueCompleter::new(move |current: &OsStr| names.names(current));
        let entries = ArgValueCompleter::new(move |current: &OsStr| entries.entries(current));
        let bases = ArgValueCompleter::new(move |current: &OsStr| bases.bases(current));
        let levels = ArgValueCompleter::new(move |current: &OsStr| levels.levels(current));
        let with_game = |command: clap::Command| {
            if !takes(&command, "game") {
                return command;
            }
            command
                .mut_arg("game", |arg| arg.add(games.clone()))
                .mut_arg("basedir", |arg| arg.add(bases.clone()))
        };
        let mut command = with_game(built()).mut_subcommands(with_game);
        for below in ["needs", "pack"] {
            command =
                command.mut_subcommand(below, |below| below.mut_arg("levels", |arg| arg.add(levels.clone())));
        }
        for (below, argument) in [
            ("which", "names"),
            ("cat", "names"),
            ("ls", "patterns"),
            ("watch", "patterns"),
            ("extract", "patterns"),
            ("shadows", "patterns"),
        ] {
            command =
                command.mut_subcommand(below, |below| below.mut_arg(argument, |arg| arg.add(names.clone())));
        }
        let words = self.clone();
        let words = ArgValueCompleter::new(move |current: &OsStr| words.words_of_pak(current));
        command.mut_subcommand("pak", |mut pak| {
            for (below, argument) in [("remove", "patterns"), ("rename", "old")] {
                pak = pak
                    .mut_subcommand(below, |below| below.mut_arg(argument, |arg| arg.add(entries.clone())));
            }
            for below in ["list", "cat", "extract"] {
                pak = pak.mut_subcommand(below, |below| below.mut_arg("words", |arg| arg.add(words.clone())));
            }
            pak
        })
    }

    /// The game of the command line.
    fn game(&self) -> Option<GameArgs> {
        let (command, found) = parse_unfinished(&self.words)?;
        let engine = takes(&command, "engine").then(|| EngineArgs::from_arg_matches(&found));
        let folders = takes(&command, "basedir").then(|| FolderArgs::from_arg_matches(&found))?;
        Some(GameArgs {
            folders: folders.ok()?,
            engine: engine.transpose().ok()?.unwrap_or_default(),
            asks: None,
        })
    }

    /// Runs a query with a console that prints nothing.
    fn ask<T>(&self, question: impl FnOnce(&GameArgs, &mut Console<'_>) -> Option<T>) -> Option<T> {
        let (mut out, mut err) = (io::sink(), io::sink());
        let mut console = Console::plain(&mut out, &mut err);
        console.environment = self.environment.clone();
        question(&self.game()?, &mut console)
    }

    /// Names in the game.
    fn names(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let game = self.ask(|game, console| game.open_quietly(console).ok());
        let Some(game) = game else { return Vec::new() };
        let files: Vec<_> = game.search_path.files().collect();
        below(current, files.iter().map(File::name))
    }

    /// Names of levels as at an engine's console, or names in the game if a folder is typed.
    fn levels(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        if current.as_encoded_bytes().contains(&b'/') {
            return self.names(current);
        }
        let game = self.ask(|game, console| game.open_quietly(console).ok());
        let Some(game) = game else { return Vec::new() };
        let files: Vec<_> = game.search_path.files().collect();
        let level = |file: &File| {
            let name = file.name().as_bytes().strip_prefix(b"maps/")?.strip_suffix(b".bsp")?.to_vec();
            (!name.contains(&b'/')).then_some(name)
        };
        let levels: Vec<_> = files.iter().filter_map(level).collect();
        below(current, levels.iter().map(|name| EntryName::from_bytes(name)))
    }

    /// Folders, and names of installed games such as `steam:quake`.
    fn bases(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let installed = InstalledAnswer::of(&places(&self.environment), None);
        let typed = current.to_string_lossy();
        let named =
            installed.games.into_iter().map(|game| game.name).filter(|name| name.starts_with(&*typed));
        named.map(CompletionCandidate::new).chain(PathCompleter::dir().complete(current)).collect()
    }

    /// Names in the first archive of the command line.
    fn entries(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let archive = self.words.iter().skip(1).find_map(|word| {
            let path = Path::new(word);
            path.is_file().then(|| by_position().open(path).ok()).flatten()
        });
        archive.map_or_else(Vec::new, |archive| below(current, archive.entries().map(|entry| entry.name())))
    }

    /// Names in the first archive of the command line, or else paths.
    fn words_of_pak(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let entries = self.entries(current);
        if entries.is_empty() { PathCompleter::any().complete(current) } else { entries }
    }

    /// Folders in the base directory.
    fn games(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let base = self.ask(GameArgs::base_directory);
        let folders = base.and_then(|base| base.read_dir().ok()).into_iter().flatten().flatten();
        let names: Vec<String> = folders
            .filter(|entry| entry.path().is_dir())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        below(current, names.iter().map(|name| EntryName::from(&**name)))
    }
}

fn takes(command: &clap::Command, argument: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == argument)
}

/// The names that begin with the word, up to their next `/`. Skips names with a shell's special characters,
/// because an archive from the internet could run commands with them.
fn below<'n>(current: &OsStr, names: impl Iterator<Item = EntryName<'n>>) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let is_plain = |text: &&str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+@%,".contains(&byte))
            && !text.starts_with('-')
    };
    let step = |name: EntryName<'n>| {
        let name = name.as_printable().filter(is_plain)?;
        let rest = name.strip_prefix(current)?;
        let end = rest.find('/').map_or(rest.len(), |slash| slash + 1);
        name.get(..current.len() + end)
    };
    let steps: BTreeSet<&str> = names.filter_map(step).collect();
    steps.into_iter().map(CompletionCandidate::new).collect()
}
