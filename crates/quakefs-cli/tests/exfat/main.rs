//! A game on an exFAT disk, like a USB stick. It ignores case, and supports neither hard links nor a rename
//! that fails on an existing file.
//!
//! Where the machine has no exFAT or permits no mount, each test is ignored with that reason.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

#[cfg(target_os = "linux")]
mod disk;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    let trials: Vec<Trial> = disk::trials();
    #[cfg(not(target_os = "linux"))]
    let trials: Vec<Trial> = Vec::new();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
