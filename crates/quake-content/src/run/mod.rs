//! Spawns the entities of a level as a server does, and collects what the program asks for.
//!
//! id's engines let a program name models and sounds only while a level loads, so that what a run of the spawn functions names
//! is what the engine loads. Functions of the engine that name no file have no effect here, or the least that programs look at:
//! there is no physics, no player and no file.
//!
//! Sources: `sv_main.c`, `pr_edict.c`, `pr_exec.c` and `pr_cmds.c` of Quake; QuakeSpasm's and DarkPlaces' where they differ.

mod builtins;
mod chance;
mod machine;
mod memory;
mod spawn;

pub(crate) use chance::branches as chances;
pub use spawn::spawn;

use crate::Bounds;

/// The skill and the kind of game that a level is loaded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Mode {
    /// 0 easy, 1 normal, 2 hard, 3 nightmare.
    pub skill: u8,
    /// Several players against the monsters.
    pub is_coop: bool,
    /// Players against each other.
    pub is_deathmatch: bool,
}

impl Mode {
    /// One player at each skill, and the two games of several players at skill 1, the default of a server.
    pub const ALL: [Mode; 6] = [
        Mode::single(0),
        Mode::single(1),
        Mode::single(2),
        Mode::single(3),
        Mode { skill: 1, is_coop: true, is_deathmatch: false },
        Mode { skill: 1, is_coop: false, is_deathmatch: true },
    ];

    /// One player.
    #[must_use]
    pub const fn single(skill: u8) -> Self {
        Mode { skill, is_coop: false, is_deathmatch: false }
    }

    /// The same skill with several players against the monsters.
    #[must_use]
    pub const fn coop(self) -> Self {
        Mode { is_coop: true, is_deathmatch: false, ..self }
    }

    /// The same skill with players against each other.
    #[must_use]
    pub const fn deathmatch(self) -> Self {
        Mode { is_coop: false, is_deathmatch: true, ..self }
    }
}

/// What an engine offers to a program.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Server<'a> {
    /// Values of console variables beside those of the mode. All others are 0.
    pub cvars: &'a [(&'a str, f32)],
    /// The extensions for which `checkextension` answers yes.
    pub extensions: &'a [&'a str],
    /// The least and greatest numbers of the functions that the engine has. A call of another ends the level.
    pub builtins: &'a [(u32, u32)],
    /// Whether `setmodel` loads a model that was not precached; where not, it ends the level.
    pub loads_late: bool,
    /// Whether `objerror` ends the level; where not, it removes the entity.
    pub ends_at_objerror: bool,
}

impl<'a> Server<'a> {
    /// An engine with these functions and nothing else.
    #[must_use]
    pub const fn new(builtins: &'a [(u32, u32)]) -> Self {
        Server { cvars: &[], extensions: &[], builtins, loads_late: false, ends_at_objerror: false }
    }
}

/// A level and how it is loaded.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The name of the level, such as `maps/start.bsp`.
    pub map: &'a [u8],
    /// The text of its entities.
    pub entities: &'a [u8],
    /// The boxes of the level and of its models `*1`, `*2` and so on.
    pub models: &'a [Bounds],
    /// The skill and the kind of game.
    pub mode: Mode,
    /// The engine.
    pub server: &'a Server<'a>,
    /// What every call of `random()` gives, from 0 to 1.
    pub chance: f32,
}

/// What a level asks for when it is loaded.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Spawned {
    /// Each name once for each kind of call, in the order of the first call.
    pub asked: Vec<Asked>,
    /// What went wrong.
    pub incidents: Vec<Incident>,
    /// Whether a branch depends on `random()`, so that another [`chance`](Setting::chance) may ask for other files.
    pub depends_on_chance: bool,
    /// How many instructions ran.
    pub steps: u64,
}

impl Spawned {
    /// The incident at which an engine stops to load the level.
    #[must_use]
    pub fn end(&self) -> Option<&Incident> {
        self.incidents.iter().find(|incident| incident.ends)
    }
}

/// The kind of call that named a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Call {
    /// A model that is loaded: `precache_model`, or `setmodel` in an engine that loads late.
    Model,
    /// A sound that is loaded, named below `sound/`: `precache_sound`.
    Sound,
    /// A file for the packer alone: `precache_file`. No engine loads it.
    File,
    /// The next level, without folder and extension: `changelevel`.
    Level,
}

/// A name that the program asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked {
    /// The kind of call.
    pub call: Call,
    /// The name, as the program gives it.
    pub name: Box<[u8]>,
    /// Who asks.
    pub by: Asker,
}

/// Where in a level and a program something happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asker {
    /// The number of the entity in the text, from 0 for the world.
    pub entity: usize,
    /// The class of the entity.
    pub class: Box<[u8]>,
    /// The function of the program; empty where none runs.
    pub function: Box<[u8]>,
}

impl Asker {
    /// A place in a level and a program.
    #[must_use]
    pub fn new(entity: usize, class: impl AsRef<[u8]>, function: impl AsRef<[u8]>) -> Self {
        Asker { entity, class: class.as_ref().into(), function: function.as_ref().into() }
    }
}

impl Incident {
    /// Something that happens at a place.
    #[must_use]
    pub fn new(kind: IncidentKind, at: Asker, ends: bool) -> Self {
        Incident { kind, at, ends }
    }
}

/// Something that an author does not mean, or at which an engine stops.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Incident {
    /// What.
    pub kind: IncidentKind,
    /// Where.
    pub at: Asker,
    /// Whether the engine stops to load the level.
    pub ends: bool,
}

/// What can happen while a level is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IncidentKind {
    /// The entity has no class.
    NoClass,
    /// The program has no function for the class. The entity is left out.
    NoSpawnFunction,
    /// The spawn functions of the entity or of the whole level run for longer than the budget.
    Budget,
    /// The program calls a function that the engine does not have.
    UnknownBuiltin(u32),
    /// The program has an instruction that is not known here.
    UnknownInstruction(u32),
    /// The program calls `error` with a text.
    Error(Box<[u8]>),
    /// The program calls `objerror` with a text.
    ObjectError(Box<[u8]>),
    /// `setmodel` of a model that was not precached.
    NotPrecached(Box<[u8]>),
    /// A file without a name is precached.
    EmptyName,
    /// A box whose least corner is above the greatest.
    BackwardsBox,
    /// Functions call one another more deeply than engines permit.
    Depth,
    /// More entities than engines have room for.
    TooManyEntities,
    /// A call of no function, a jump out of the program or an address of no field.
    Broken,
}

impl IncidentKind {
    /// A stable name, such as `no-spawn-function`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            IncidentKind::NoClass => "no-class",
            IncidentKind::NoSpawnFunction => "no-spawn-function",
            IncidentKind::Budget => "budget",
            IncidentKind::UnknownBuiltin(_) => "unknown-builtin",
            IncidentKind::UnknownInstruction(_) => "unknown-instruction",
            IncidentKind::Error(_) => "error",
            IncidentKind::ObjectError(_) => "object-error",
            IncidentKind::NotPrecached(_) => "not-precached",
            IncidentKind::EmptyName => "empty-name",
            IncidentKind::BackwardsBox => "backwards-box",
            IncidentKind::Depth => "depth",
            IncidentKind::TooManyEntities => "too-many-entities",
            IncidentKind::Broken => "broken",
        }
    }
}
