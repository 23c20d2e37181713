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
mod commands;
mod console;
mod extraction;
mod output;

pub use console::{Console, Exit};

use std::ffi::OsString;

use clap::Parser;
use clap::error::ErrorKind;

use args::{Cli, Command};
use console::Failure;

/// Runs one command.
///
/// What was asked for goes to `console.out`, errors and warnings to `console.err`. A reader that closes the pipe
/// is no failure.
pub fn run<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>, console: &mut Console<'_>) -> Exit {
    let outcome = match Cli::try_parse_from(args) {
        Ok(cli) => dispatch(&cli, console),
        Err(error) => told_by_clap(&error, console),
    };
    let flushed = console.out.flush().map_err(Failure::from);
    match outcome.and_then(|exit| flushed.map(|()| exit)) {
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
    match &cli.command {
        Command::Path => commands::path::run(game, console),
        Command::Which(args) => commands::which::run(game, args, console),
        Command::Ls(args) => commands::ls::run(game, args, console),
        Command::Cat(args) => commands::cat::run(game, args, console),
        Command::Extract(args) => commands::extract::run(game, args, console),
        Command::Shadows(args) => commands::shadows::run(game, args, console),
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
    let (out, colour, exit) = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            (&mut *console.out, console.colour_out, Exit::Done)
        }
        _ => (&mut *console.err, console.colour_err, Exit::Failed),
    };
    let text = if colour { text.ansi().to_string() } else { text.to_string() };
    out.write_all(text.as_bytes())?;
    Ok(exit)
}
