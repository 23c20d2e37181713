//! The command `quakefs` as a function: [`run`] takes the arguments and a [`Console`], and returns the exit
//! code.
//!
//! ```
//! use quakefs_cli::{Console, Exit, run};
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let exit = run(["quakefs", "--version"], &mut Console::plain(&mut out, &mut err));
//! assert_eq!(exit, Exit::Done);
//! assert!(out.starts_with(b"quakefs "));
//! ```

mod args;
mod bounded;
mod caveats;
mod changes;
mod collection;
mod commands;
mod completion;
mod configuration;
mod console;
mod extraction;
mod findings;
mod installed;
mod line;
mod missing;
mod output;
mod progress;
mod scratch;
mod text;
mod undo;
#[doc(hidden)]
pub mod words;

pub use completion::complete;
pub use console::{Console, Environment, Exit};

use std::ffi::{OsStr, OsString};
use std::path::Path;

use args::{Command, CommandLine, Other, name_bytes, own_help, parse};
use console::Failure;

/// Runs one command.
///
/// Writes the answer to `console.out`, errors and warnings to `console.err`. A reader that closes the pipe
/// does not make the command fail.
pub fn run<A: Into<OsString>>(args: impl IntoIterator<Item = A>, console: &mut Console<'_>) -> Exit {
    let home = console.environment.home.clone();
    let args: Vec<OsString> = args.into_iter().map(|word| at_home(word.into(), home.as_deref())).collect();
    let outcome = match own_help(&args) {
        Some(page) => console.out.write_all(page.as_bytes()).map(|()| Exit::Done).map_err(Failure::from),
        None => answer(&args, console),
    };
    let failure = match &outcome {
        Ok(Exit::Failed) => Some(None),
        Err(Failure::Error(message)) => Some(Some(&*message.text)),
        _ => None,
    };
    // the failure itself is printed below
    let _ = failure.map(|failure| findings::log_failure(&args, failure, console));
    let flushed = console.out.flush().map_err(Failure::from);
    let outcome = match (outcome, flushed) {
        (Ok(_), Err(Failure::Error(message))) => Err(message.into()),
        // a name that was not found counts, even if the reader closed the pipe
        (outcome, _) => outcome,
    };
    let least = if console.caveats.is_empty() { Exit::Done } else { Exit::NotFound };
    match outcome {
        Ok(exit) => exit.max(least),
        Err(Failure::ClosedPipe) => least,
        Err(Failure::Error(message)) => {
            console.error(&message);
            Exit::Failed
        }
    }
}

/// Answers a command line.
fn answer(args: &[OsString], console: &mut Console<'_>) -> Result<Exit, Failure> {
    match parse(args) {
        Ok(CommandLine { printing, command, ignored }) => {
            printing.apply_to(console);
            console.line = args.to_vec();
            if !ignored.is_empty() {
                console.note(format!("left out, because it changes no search path: {}", ignored.join(", ")));
            }
            dispatch(&command, console)
        }
        Err(Other::Help(text)) => {
            console.print_styled(&text)?;
            Ok(Exit::Done)
        }
        Err(Other::Wrong(message)) => {
            // the message repeats words, which may steer a terminal
            let printable = parse(&printable(args)).err();
            Err(match printable {
                Some(Other::Wrong(message)) => message.into(),
                _ => message.into(),
            })
        }
    }
}

/// Replaces `~` or `%USERPROFILE%` at the start of a path by the user's home folder on Windows, because not
/// every shell there does.
fn at_home(word: OsString, home: Option<&Path>) -> OsString {
    let Some((text, home)) = word.to_str().zip(home).filter(|_| cfg!(windows)) else { return word };
    let start = if text.starts_with("--") { text.find('=').map_or(0, |equals| equals + 1) } else { 0 };
    let (option, path) = text.split_at(start);
    let below = path.strip_prefix('~').or_else(|| path.strip_prefix("%USERPROFILE%"));
    match below.filter(|below| below.is_empty() || below.starts_with(['/', '\\'])) {
        Some(below) => [OsStr::new(option), home.as_os_str(), OsStr::new(below)].into_iter().collect(),
        None => word,
    }
}

/// Escapes the arguments for a terminal, because messages repeat them.
fn printable(args: &[OsString]) -> Vec<OsString> {
    let printable = |arg: &OsString| match arg.to_str() {
        Some(text) => text::printable(text).into_owned(),
        None => quakefs::EntryName::from_bytes(&name_bytes(arg)).to_string(),
    };
    args.iter().map(|arg| printable(arg).into()).collect()
}

fn dispatch(command: &Command, console: &mut Console<'_>) -> Result<Exit, Failure> {
    match command {
        Command::Path(args) => commands::path::run(&args.game, args.console.as_deref(), console),
        Command::Which(args) => commands::which::run(&args.game, args, console),
        Command::Ls(args) => commands::ls::run(&args.game, args, console),
        Command::Watch(args) => commands::watch::run(&args.game, args, console),
        Command::Cat(args) => commands::cat::run(&args.game, args, console),
        Command::Grep(args) => commands::grep::run(&args.game, args, console),
        Command::Extract(args) => commands::extract::run(&args.game, args, console),
        Command::Shadows(args) => commands::shadows::run(&args.game, args, console),
        Command::Check(args) => commands::check::run(&args.game, args, console),
        Command::Fix(args) => commands::fix::run(args, console),
        Command::Compare(args) => commands::compare::run(args, console),
        Command::Engines(args) => commands::engines::run(args, console),
        Command::Needs(args) => commands::needs::run(&args.game, args, console),
        Command::Unused(args) => commands::unused::run(&args.game, args, console),
        Command::Pack(args) => commands::pack::run(&args.game, args, console),
        Command::Report(args) => commands::report::run(&args.game, args, console),
        Command::Place(args) => commands::place::run(args, console),
        Command::Games(args) => commands::games::run(args, console),
        Command::Mods(args) => commands::mods::run(&args.game, &args.names, console),
        #[cfg(all(target_os = "linux", feature = "mount"))]
        Command::Mount(args) => commands::mount::run(&args.game, args, console),
        Command::Pak(command) => commands::pak::run(command, console),
        Command::Config(args) => commands::config::run(args, console),
        Command::Completions(args) => completion::script(args.shell, console),
        Command::Man(args) => commands::man::run(args, console),
    }
}
