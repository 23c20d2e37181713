//! Starts [`quakefs_cli::run`] on the real terminal.

use std::io::{BufWriter, IsTerminal, stderr, stdout};
use std::process::ExitCode;

use quakefs_cli::{Console, run};

fn main() -> ExitCode {
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    let mut console = Console {
        colour_out: colour && stdout().is_terminal(),
        colour_err: colour && stderr().is_terminal(),
        progress: stderr().is_terminal(),
        out: &mut out,
        err: &mut stderr(),
    };
    run(std::env::args_os(), &mut console).into()
}
