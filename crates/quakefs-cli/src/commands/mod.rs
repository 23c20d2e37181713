//! The commands, one a file.

pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod engines;
pub(crate) mod extract;
pub(crate) mod ls;
pub(crate) mod pak;
pub(crate) mod path;
pub(crate) mod shadows;
pub(crate) mod which;

use clap_complete::Shell;

use crate::args::Cli;
use crate::console::{Console, Exit, Failure};

pub(crate) fn completions(shell: Shell, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::shown(), "quakefs", &mut script);
    console.out.write_all(&script)?;
    Ok(Exit::Done)
}
