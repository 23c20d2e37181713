//! The command `quakefs`, as a function: [`run`] takes the arguments and a [`Console`], and returns how the command
//! ended.
//!
//! ```
//! use quakefs_cli::{Console, Exit, run};
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let exit = run(["quakefs", "--version"], &mut Console::plain(&mut out, &mut err));
//! assert_eq!(exit, Exit::Done);
//! assert!(out.starts_with(b"quakefs "));
//! ```

mod args;
mod caveats;
mod collection;
mod commands;
mod completion;
mod console;
mod extraction;
mod installed;
mod line;
mod missing;
mod output;
mod progress;
mod text;

pub use completion::complete;
pub use console::{Console, Environment, Exit};

use std::ffi::OsString;

use clap::FromArgMatches as _;
use clap::error::ErrorKind;

use args::{Cli, Command, name_bytes};
use console::Failure;

/// Runs one command.
///
/// What was asked for goes to `console.out`, errors and warnings to `console.err`. A reader that closes the pipe
/// is not a failure.
pub fn run<A: Into<OsString>>(args: impl IntoIterator<Item = A>, console: &mut Console<'_>) -> Exit {
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let outcome = match parse(Cli::for_reading(&args), &args) {
        Ok(mut cli) => {
            cli.options.game.environment.clone_from(&console.environment);
            cli.options.apply_to(console);
            dispatch(&cli, console)
        }
        Err(error) if error.kind() == ErrorKind::DisplayVersion => report_by_clap(&error, console),
        Err(error) => report_by_clap(&parse(Cli::shown(), &printable(&args)).err().unwrap_or(error), console),
    };
    let flushed = console.out.flush().map_err(Failure::from);
    let outcome = match (outcome, flushed) {
        (Ok(_), Err(Failure::Error(message))) => Err(message.into()),
        // a name that was not found stays so, also where the reader has gone
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

fn parse(command: clap::Command, args: &[OsString]) -> Result<Cli, clap::Error> {
    command.try_get_matches_from(args).and_then(|found| Cli::from_arg_matches(&found))
}

/// The arguments as they may be printed: clap's messages repeat them.
fn printable(args: &[OsString]) -> Vec<OsString> {
    let printable = |arg: &OsString| match arg.to_str() {
        Some(text) => text::printable(text).into_owned(),
        None => quakefs::EntryName::from_bytes(&name_bytes(arg)).to_string(),
    };
    args.iter().map(|arg| printable(arg).into()).collect()
}

fn dispatch(cli: &Cli, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = &cli.options.game;
    game.warn_of_user_directory(console);
    match &cli.command {
        Command::Path => commands::path::run(game, console),
        Command::Which(args) => commands::which::run(game, args, console),
        Command::Ls(args) => commands::ls::run(game, args, console),
        Command::Watch(args) => commands::watch::run(game, args, console),
        Command::Cat(args) => commands::cat::run(game, args, console),
        Command::Extract(args) => commands::extract::run(game, args, console),
        Command::Shadows(args) => commands::shadows::run(game, args, console),
        Command::Check(decode) => commands::check::run(game, decode, console),
        Command::Compare(args) => commands::compare::run(game, args, console),
        Command::Engines(args) => commands::engines::run(game, args, console),
        Command::Report(args) => commands::report::run(game, args, console),
        Command::Games(names) => commands::games::run(game, names, console),
        Command::Mods(names) => commands::mods::run(game, names, console),
        #[cfg(all(target_os = "linux", feature = "mount"))]
        Command::Mount(args) => commands::mount::run(game, args, console),
        Command::Pak(command) => commands::pak::run(command, game, console),
        Command::Completions { shell } => completion::script(*shell, console),
        Command::Man(args) => commands::man::run(args, console),
    }
}

/// Help and the version are answers; the rest is wrong use.
fn report_by_clap(error: &clap::Error, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let text = error.render();
    let coloured = |colour| if colour { text.ansi().to_string() } else { text.to_string() };
    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        console.out.write_all(coloured(console.colour_out).as_bytes())?;
        return Ok(Exit::Done);
    }
    let _ = console.err.write_all(coloured(console.colour_err).as_bytes());
    Ok(Exit::Failed)
}
