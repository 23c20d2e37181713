//! `quakefs mount DIR` on the real system: what other programs see there.
//!
//! Where the machine has no FUSE or does not permit a mount, each test is ignored with that reason.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a suite: what panics fails a test, and the environment says where engines are"
)]

#[cfg(all(target_os = "linux", feature = "mount"))]
mod engines;
#[cfg(all(target_os = "linux", feature = "mount"))]
mod folder;
#[cfg(all(target_os = "linux", feature = "mount"))]
mod running;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", feature = "mount"))]
    let trials: Vec<Trial> = folder::trials().into_iter().chain(engines::trials()).collect();
    #[cfg(not(all(target_os = "linux", feature = "mount")))]
    let trials: Vec<Trial> = Vec::new();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
