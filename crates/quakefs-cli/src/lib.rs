//! The command `quakefs`, as a function: [`run`] takes the arguments and a [`Console`], and says how it ended.
//!
//! ```
//! use quakefs_cli::{Console, Exit, run};
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let exit = run(["quakefs", "--version"], &mut Console::plain(&mut out, &mut err));
//! assert_eq!(exit, Exit::Done);
//! assert!(out.starts_with(b"quakefs "));
//! ```

mod args;
mod collection;
mod commands;
mod console;
mod extraction;
mod output;
mod temporary;

pub use console::{Console, Exit};

use std::ffi::OsString;

use clap::FromArgMatches;
use clap::error::ErrorKind;

use args::{Cli, Command};
use console::Failure;

/// Runs one command.
///
/// What was asked for goes to `console.out`, errors and warnings to `console.err`. A reader that closes the pipe
/// is no failure.
pub fn run<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>, console: &mut Console<'_>) -> Exit {
    let parsed = Cli::shown().try_get_matches_from(args).and_then(|found| Cli::from_arg_matches(&found));
    let outcome = match parsed {
        Ok(cli) => dispatch(&cli, console),
        Err(error) => told_by_clap(&error, console),
    };
    let flushed = console.out.flush().map_err(Failure::from);
    let outcome = match (outcome, flushed) {
        (Ok(_), Err(Failure::Told(error))) => Err(error.into()),
        // what was not found stays so, whoever reads on
        (outcome, _) => outcome,
    };
    match outcome {
        Ok(exit) => exit,
        Err(Failure::ClosedPipe) => Exit::Done,
        Err(Failure::Told(error)) => {
            console.error(&error);
            Exit::Failed
        }
    }
}

fn dispatch(cli: &Cli, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = &cli.game;
    game.warn_of_user_directory(console);
    match &cli.command {
        Command::Path => commands::path::run(game, console),
        Command::Which(args) => commands::which::run(game, args, console),
        Command::Ls(args) => commands::ls::run(game, args, console),
        Command::Cat(args) => commands::cat::run(game, args, console),
        Command::Extract(args) => commands::extract::run(game, args, console),
        Command::Shadows(args) => commands::shadows::run(game, args, console),
        Command::Check => commands::check::run(game, console),
        Command::Compare(args) => commands::compare::run(game, args, console),
        Command::Engines(args) => commands::engines::run(args, game.json, console),
        Command::Pak(command) => {
            game.refuse_for_pak()?;
            commands::pak::run(command, game.json, console)
        }
        Command::Completions { shell } => commands::completions(*shell, console),
    }
}

/// Help and the version are answers; the rest is wrong use.
fn told_by_clap(error: &clap::Error, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let text = error.render();
    let coloured = |colour| if colour { text.ansi().to_string() } else { text.to_string() };
    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        console.out.write_all(coloured(console.colour_out).as_bytes())?;
        return Ok(Exit::Done);
    }
    let _ = console.err.write_all(coloured(console.colour_err).as_bytes());
    Ok(Exit::Failed)
}
