//! What the real engines serve, served again: every answer that was recorded, and those of the engines that are
//! installed here.

#![allow(
    clippy::disallowed_methods,
    reason = "the environment says where engines are and how many layouts to make"
)]

#[cfg(unix)]
mod exceptions;
mod layout;
mod live;
mod random;
mod recorded;
#[cfg(unix)]
mod wide;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let trials = recorded::trials().into_iter().chain(live::trials());
    // links, modes and names that are not UTF-8
    #[cfg(unix)]
    let trials = trials.chain(wide::trials());
    let trials = trials.collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
