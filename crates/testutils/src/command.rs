//! Programs that suites start.

use std::ffi::OsStr;
use std::process::Command;

/// A missing folder. An empty `HOME` would mean the home folder of the user's account.
const NO_HOME: &str = "/no/home";

/// A program without the variables that `quakefs` reads, and without a home folder, because engines may have
/// user directories there.
#[must_use]
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for variable in
        ["QUAKEFS_BASEDIR", "QUAKEFS_ENGINE", "QUAKEFS_LOG", "NO_COLOR", "COLUMNS", "COMPLETE", "PWD"]
    {
        command.env_remove(variable);
    }
    command.env("HOME", NO_HOME);
    command
}

/// Like [`command`]. On Linux, signals reach it even if the suite runs in the background and therefore
/// ignores interrupts.
#[must_use]
pub fn interruptible(program: impl AsRef<OsStr>) -> Command {
    if !cfg!(target_os = "linux") {
        return command(program);
    }
    let mut env = command("env");
    env.arg("--default-signal=INT,TERM,HUP").arg(program);
    env
}
