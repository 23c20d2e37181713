//! Runs a QuakeC program as a server does while a level loads, and collects the files that it names.
//!
//! id's engines accept models and sounds only while a level loads, so the spawn functions name every file
//! that the engine will load. The simulated engine does only what programs notice: it has no physics, players
//! or files.
//!
//! Sources: `sv_main.c`, `pr_edict.c`, `pr_exec.c` and `pr_cmds.c` of Quake, and the changes in QuakeSpasm
//! and DarkPlaces.

mod builtin;
mod builtins;
mod chance;
mod incident;
mod machine;
mod memory;
mod spawn;
#[cfg(test)]
mod tests;
mod unsupported;

use std::fmt;
use std::sync::Arc;

use quake_content::program::Program;
use quake_content::{Bounds, Error};
use quakefs::SearchPath;
use quakefs::rules::QuakeC;

use crate::budget::{Budget, Spent};
use crate::configs::Cvars;

pub use self::incident::{Incident, IncidentKind};
pub(crate) use self::spawn::spawn;

/// A program that is ready to run.
#[derive(Debug)]
pub(crate) struct Executable<'a> {
    program: Program<'a>,
    /// For each statement, whether it calls `random()` and a branch depends on the result.
    chances: Vec<bool>,
}

impl<'a> Executable<'a> {
    pub(crate) fn checksum(&self) -> u32 {
        self.program.checksum()
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &'a [u8]> {
        self.program.texts()
    }

    pub(crate) fn unsupported(&self, server: &QuakeC) -> Vec<Incident> {
        unsupported::by(server, &self.program)
    }

    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let program = Program::parse(bytes)?;
        Ok(Executable { chances: chance::branches(&program), program })
    }
}

/// The skill and the kind of game for which a level is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Mode {
    /// 0 easy, 1 normal, 2 hard, 3 nightmare.
    pub skill: u8,
    /// Cooperative play.
    pub is_coop: bool,
    /// Deathmatch.
    pub is_deathmatch: bool,
}

/// The short name, such as `skill 3`, `coop` or `deathmatch`.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode { is_coop: true, .. } => f.write_str("coop"),
            Mode { is_deathmatch: true, .. } => f.write_str("deathmatch"),
            Mode { skill, .. } => write!(f, "skill {skill}"),
        }
    }
}

impl Mode {
    /// Single player at each skill, then coop and deathmatch at skill 1, the default of a server.
    pub const ALL: [Mode; 6] = [
        Mode::single(0),
        Mode::single(1),
        Mode::single(2),
        Mode::single(3),
        Mode { skill: 1, is_coop: true, is_deathmatch: false },
        Mode { skill: 1, is_coop: false, is_deathmatch: true },
    ];

    /// Single player.
    #[must_use]
    pub const fn single(skill: u8) -> Self {
        Mode { skill, is_coop: false, is_deathmatch: false }
    }

    /// The same skill in coop.
    #[must_use]
    pub const fn coop(self) -> Self {
        Mode { is_coop: true, is_deathmatch: false, ..self }
    }

    /// The same skill in deathmatch.
    #[must_use]
    pub const fn deathmatch(self) -> Self {
        Mode { is_coop: false, is_deathmatch: true, ..self }
    }
}

/// A level and how it is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    /// The name of the level, such as `maps/start.bsp`.
    pub(crate) map: &'a [u8],
    /// The text of its entities.
    pub(crate) entities: &'a [u8],
    /// The boxes of the level and of its models `*1`, `*2` and so on.
    pub(crate) models: &'a [Bounds],
    pub(crate) mode: Mode,
    pub(crate) server: &'a QuakeC,
    /// The files that the program can read, if any.
    pub(crate) search_path: Option<&'a SearchPath>,
    /// The variables that the game's configs set.
    pub(crate) cvars: &'a Cvars,
    pub(crate) budget: &'a Budget,
    /// The result of every call of `random()`, from 0 to 1.
    pub(crate) chance: f32,
}

/// The outcome of loading a level.
#[derive(Clone, Debug)]
pub(crate) struct Spawned {
    /// Each name once for each kind of call, in the order of the first call.
    pub(crate) asked: Vec<Asked>,
    pub(crate) incidents: Vec<Incident>,
    /// A branch depends on `random()`, so another [`chance`](Setting::chance) may name other files.
    pub(crate) depends_on_chance: bool,
    /// Why the run ended before the level's own end.
    pub(crate) trouble: Option<Spent>,
    /// The work: instructions and bytes touched.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests compare it"))]
    pub(crate) steps: u64,
}

/// The kind of call that named a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Call {
    /// `precache_model`, or `setmodel` in an engine that loads late.
    Model,
    /// `precache_sound`, with a name inside `sound/`.
    Sound,
    /// `precache_file`, which tells a packer to include the file. No engine loads it.
    File,
    /// `changelevel`, with the name of the next level without folder and extension.
    Level,
}

/// A file that the program named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) call: Call,
    /// The name as the program gives it.
    pub(crate) name: Arc<[u8]>,
    /// The number of the entity in the level's text, from 0 for the world.
    pub(crate) entity: usize,
    /// The class of the entity.
    pub(crate) class: Arc<[u8]>,
    /// The function that was running.
    pub(crate) function: Arc<[u8]>,
}
