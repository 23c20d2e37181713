//! Starts [`quakefs_cli::run`] on the real terminal.

use std::io::{BufWriter, IsTerminal, stderr, stdout};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use quakefs_cli::{Console, run};

/// From now on an interrupt sets a flag rather than ends the process.
fn interrupts() -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    // where it cannot be caught, it ends the process as it did before
    let _ = ctrlc::try_set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    &INTERRUPTED
}

fn main() -> ExitCode {
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    let mut err = stderr();
    let mut console = Console::plain(&mut out, &mut err);
    console.colour_out = colour && stdout().is_terminal();
    console.colour_err = colour && stderr().is_terminal();
    console.progress = stderr().is_terminal();
    console.interrupts = interrupts;
    run(std::env::args_os(), &mut console).into()
}
