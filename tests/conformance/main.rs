//! Compares quakefs with real engines: with every recorded answer, and with the engines installed here.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where engines are and how many layouts to make"
)]

// recorded on Linux, also what engines built for Windows answered: elsewhere not every layout can be made
#[cfg(target_os = "linux")]
mod companions;
#[cfg(target_os = "linux")]
mod exceptions;
#[cfg(target_os = "linux")]
mod images;
#[cfg(target_os = "linux")]
mod layout;
#[cfg(target_os = "linux")]
mod live;
#[cfg(target_os = "linux")]
mod needs;
#[cfg(target_os = "linux")]
mod random;
#[cfg(target_os = "linux")]
mod recorded;
#[cfg(target_os = "linux")]
mod runner;
#[cfg(target_os = "linux")]
mod substitutes;
#[cfg(target_os = "linux")]
mod wide;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    let trials: Vec<Trial> = recorded::trials()
        .into_iter()
        .chain(live::trials())
        .chain(runner::trials())
        .chain(needs::trials())
        .chain(companions::trials())
        .chain(substitutes::trials())
        .chain(images::trials())
        .chain(wide::trials())
        .collect();
    #[cfg(not(target_os = "linux"))]
    let trials: Vec<Trial> = Vec::new();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
