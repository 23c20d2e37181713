//! The commands. Each has a file.

pub(crate) mod cat;
pub(crate) mod check;
pub(crate) mod companions;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod engines;
pub(crate) mod extract;
pub(crate) mod fix;
pub(crate) mod games;
pub(crate) mod grep;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod mods;
#[cfg(all(target_os = "linux", feature = "mount"))]
pub(crate) mod mount;
pub(crate) mod needs;
pub(crate) mod pack;
pub(crate) mod pak;
pub(crate) mod path;
pub(crate) mod place;
pub(crate) mod report;
pub(crate) mod shadows;
mod substitutes;
pub(crate) mod unused;
pub(crate) mod watch;
pub(crate) mod which;
