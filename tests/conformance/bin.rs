//! `conformance --program ./ask.sh --rows quakespasm`: what a program answers differently from an engine that
//! was recorded. `testdata/conformance/README.md` describes the recordings and the program.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "layouts have names that other systems refuse")
)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::struct_excessive_bools,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "most of its files are the house's tests, and it prints"
)]

#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with the house's own tests")]
mod exceptions;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with the house's own tests")]
mod layout;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with the house's own tests")]
mod recorded;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with the house's own tests")]
mod runner;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "shared with the house's own tests")]
mod wide;

use std::process::ExitCode;

use camino::Utf8PathBuf;
use clap::Parser;

/// Holds a program against the recorded answers of an engine
#[derive(Parser)]
struct Args {
    /// The program to ask, for each layout once
    #[arg(long)]
    program: Utf8PathBuf,
    /// An engine in testdata/conformance, such as quakespasm or wide/quakespasm, or the path of a recording
    #[arg(long)]
    rows: Utf8PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match compare(&args) {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(target_os = "linux")]
fn compare(args: &Args) -> Result<ExitCode, String> {
    let own = testutils::testdata("conformance").join(format!("{}.json.gz", args.rows));
    let path = if args.rows.is_file() { &args.rows } else { &own };
    if !path.is_file() {
        return Err(format!("{}: no such recording, and {own} does not exist", args.rows));
    }
    let program = args.program.canonicalize_utf8().map_err(|error| format!("{}: {error}", args.program))?;
    let report = runner::run(&program, runner::read(path)?)?;
    for difference in &report.differences {
        println!("{difference}");
    }
    let runner::Report { differences, compared, skipped } = &report;
    println!("{compared} answers compared, {} differ; {skipped} layouts left out", differences.len());
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(not(target_os = "linux"))]
fn compare(_: &Args) -> Result<ExitCode, String> {
    Err("the layouts have names that only Linux allows: run it there".to_owned())
}
