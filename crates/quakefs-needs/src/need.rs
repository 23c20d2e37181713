//! A needed file, what needs it, and whether it is missing.

use std::fmt;
use std::sync::Arc;

use quakefs::findings::Severity;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::Text;
use quakefs::sentences::{Help, Shell};
use quakefs::{Engine, EntryName, File, Finding, SearchPath};

use crate::budget::{Spent, shortened};
use crate::program::{Incident, Mode};

/// A file that something needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Need {
    /// The name that the engine looks up. If several names are possible, this is the one that the engine
    /// loads, or else the one that it tries first.
    pub name: EntryNameBuf,
    /// The alternative names: first the existing ones, then the rest, in the engine's order.
    pub others: Vec<EntryNameBuf>,
    /// The kind of file.
    pub kind: Kind,
    /// Whether the engine requires the file.
    pub presence: Presence,
    /// What needs the file, from the outside in: the level, an entity, a function or a key.
    pub by: Vec<By>,
    /// The modes that need the file; empty for all.
    pub modes: Vec<Mode>,
    /// Whether the name or an alternative name was found.
    pub is_found: bool,
}

impl Need {
    /// A required file that has not been looked up yet.
    #[must_use]
    pub fn new(name: impl Into<Vec<u8>>, kind: Kind, by: Vec<By>) -> Self {
        Need {
            name: name.into().into(),
            others: Vec::new(),
            kind,
            presence: Presence::Required,
            by,
            modes: Vec::new(),
            is_found: false,
        }
    }

    /// About the bytes that it takes.
    pub(crate) fn size(&self) -> usize {
        let others = self.others.iter().map(|name| 48 + name.as_bytes().len()).sum::<usize>();
        256 + 2 * self.name.as_bytes().len() + others + self.by.len() * size_of::<By>()
    }

    pub(crate) fn optional(self) -> Self {
        Need { presence: Presence::Optional, ..self }
    }

    /// Sets another name if no file was found, such as the name in a model.
    pub(crate) fn called(mut self, name: &[u8], search_path: &SearchPath) -> Self {
        if self.name.as_bytes() != name && self.find(search_path).is_none() {
            let asked = std::mem::replace(&mut self.name, name.into());
            self.others.insert(0, asked);
        }
        self
    }

    /// The origin of the need in one line: `maps/start.bsp, monster_ogre #12, precache_ogre()`.
    #[must_use]
    pub fn chain(&self) -> String {
        joined(&self.by)
    }

    /// The modes that need the file, such as `skill 3, coop`; empty for all.
    #[must_use]
    pub fn games(&self) -> String {
        joined(&self.modes)
    }

    /// Whether the file is required and was not found.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        !self.is_found && self.presence == Presence::Required
    }

    /// The file on a search path that satisfies the need.
    #[must_use]
    pub fn find<'s>(&self, search_path: &'s SearchPath) -> Option<File<'s>> {
        std::iter::once(&self.name).chain(&self.others).find_map(|name| search_path.find(name))
    }
}

/// The file, whether it is missing, and what needs it: `progs/ogre.mdl is missing (needed by monster_ogre
/// #12)`.
impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.is_missing() { " is missing" } else { "" };
        // the level is the place of the finding
        let by = match &self.by[..] {
            [By::Engine(name)] => name.clone(),
            [_, parts @ ..] if !parts.is_empty() => joined(parts),
            _ => "the level".to_owned(),
        };
        write!(f, "{}{verb} (needed by {by})", self.name)
    }
}

fn joined(parts: &[impl ToString]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether the engine requires a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Presence {
    /// The engine reports that the file is missing, or shows a substitute.
    Required,
    /// The engine tries the file but works without it.
    Optional,
    /// The program tells a packer to include the file. The engine never loads it.
    Packed,
}

impl Presence {
    /// A stable name, such as `required`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Presence::Required => "required",
            Presence::Optional => "optional",
            Presence::Packed => "packed",
        }
    }
}

/// The kind of a needed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A level.
    Level,
    /// A program.
    Program,
    /// A model or a sprite.
    Model,
    /// A sound.
    Sound,
    /// Music.
    Music,
    /// A texture of a surface.
    Texture,
    /// An archive of textures.
    Wad,
    /// A picture of the sky.
    Sky,
    /// An image of a shader.
    Image,
    /// A skin of a model.
    Skin,
    /// A file beside a level or a model, such as its lights, its entities or its animations.
    Companion,
    /// A script of shaders, or a file for a packer.
    File,
}

impl Kind {
    /// A stable name, such as `model`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Level => "level",
            Kind::Program => "program",
            Kind::Model => "model",
            Kind::Sound => "sound",
            Kind::Music => "music",
            Kind::Texture => "texture",
            Kind::Wad => "wad",
            Kind::Sky => "sky",
            Kind::Image => "image",
            Kind::Skin => "skin",
            Kind::Companion => "companion",
            Kind::File => "file",
        }
    }
}

/// One step in the chain that leads to a need.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// The engine itself, whatever the level.
    Engine(String),
    /// A file.
    File(Arc<[u8]>),
    /// An entity of a level.
    Entity {
        /// The number in the level's text, from 0 for the world.
        number: usize,
        /// The class.
        class: Arc<[u8]>,
    },
    /// A function of a program.
    Function(Arc<[u8]>),
    /// A key of an entity.
    Key(Arc<[u8]>),
    /// A shader.
    Shader(Arc<[u8]>),
    /// A line of a text.
    Line(usize),
    /// The game's own code, whose use of a key is not known.
    OwnCode,
}

impl By {
    pub(crate) fn entity(number: usize, class: &[u8]) -> Self {
        By::Entity { number, class: shortened(class).into() }
    }
}

/// The step as text, such as `monster_ogre #12`.
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Engine(name) => name.fmt(f),
            By::Entity { number, class } => write!(f, "{} #{number}", EntryName::from_bytes(class)),
            By::Function(name) => write!(f, "{}()", EntryName::from_bytes(name)),
            By::File(name) | By::Key(name) => EntryName::from_bytes(name).fmt(f),
            By::Shader(name) => write!(f, "shader {}", EntryName::from_bytes(name)),
            By::Line(line) => write!(f, "line {line}"),
            By::OwnCode => f.write_str("if the game's own code loads it"),
        }
    }
}

/// The needs of a level, and the problems found on the way.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Needs {
    /// The needed files, sorted by kind and name.
    pub needed: Vec<Need>,
    /// Likely mistakes in the level or its program, with the modes in which they show.
    pub incidents: Vec<(Incident, Vec<Mode>)>,
    /// The reasons why the answer is incomplete.
    pub troubles: Vec<Trouble>,
    /// Whether the file has only one entity, as a model such as a box of ammunition.
    pub is_model: bool,
}

impl Needs {
    /// The missing files.
    pub fn missing(&self) -> impl Iterator<Item = &Need> {
        self.needed.iter().filter(|need| need.is_missing())
    }
}

/// Why a part of the answer is unknown.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Trouble {
    /// The level does not exist.
    NoLevel,
    /// The program is missing, so only the keys of the entities were read.
    NoProgram {
        /// Its name.
        name: Text,
        /// Why it is not found, in one sentence.
        reason: String,
        /// The advice.
        help: String,
    },
    /// The game's code is native and may load any file.
    NativeCode {
        /// The engine.
        engine: Text,
    },
    /// The engine plays no game, like an editor.
    NoGame {
        /// The engine.
        engine: Text,
    },
    /// quakefs cannot read a file.
    Unreadable {
        /// The file.
        name: EntryNameBuf,
        /// The reason.
        reason: String,
    },
    /// The engine cannot load a file, or does not.
    NotLoaded(Box<Finding>),
    /// The program was compiled for another engine, so this engine does not load it.
    OtherProgram {
        /// Its name.
        name: Text,
        /// The checksum of the variables that it was compiled for.
        checksum: u32,
    },
    /// The levels of the command together take more time or memory than their size pays for.
    Budget,
    /// The caller stopped the work.
    Stopped,
}

impl Trouble {
    /// How severe it is: an error if the level does not load, or if nobody knows what it needs.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Trouble::NativeCode { .. } | Trouble::NoGame { .. } => Severity::Note,
            Trouble::Budget | Trouble::Stopped => Severity::Warning,
            Trouble::NotLoaded(found) => found.severity,
            _ => Severity::Error,
        }
    }

    /// A stable name, such as `no-program`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Trouble::NoLevel => "no-level",
            Trouble::NoProgram { .. } => "no-program",
            Trouble::NativeCode { .. } => "native-code",
            Trouble::NoGame { .. } => "no-game",
            Trouble::Unreadable { .. } => "unreadable",
            Trouble::NotLoaded(found) => found.kind.name(),
            Trouble::OtherProgram { .. } => "other-program",
            Trouble::Budget => "budget",
            Trouble::Stopped => "stopped",
        }
    }
}

/// The sentence.
impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoLevel => f.write_str("this level does not exist"),
            Trouble::NoProgram { reason, .. } => {
                write!(f, "{reason}, so no level loads; the files that it needs cannot be listed")
            }
            Trouble::NativeCode { engine } => {
                write!(f, "the game code of {engine} is native and may load any file")
            }
            Trouble::NoGame { engine } => {
                write!(f, "{engine} plays no game: no program runs, and it needs no files of its own")
            }
            Trouble::Unreadable { name, reason } => {
                write!(f, "cannot read {name}, so its needs are unknown: {reason}")
            }
            Trouble::NotLoaded(found) => found.fmt(f),
            Trouble::OtherProgram { name, checksum } => {
                let mut programs = Engine::ALL.iter().filter_map(|engine| engine.rules().program.quake_c());
                let of = programs.find(|program| program.checksums.contains(checksum));
                let of = of.map_or("another engine", |program| &*program.interface);
                write!(f, "{name} is a program for {of} (checksum {checksum}); the engine does not load it")
            }
            Trouble::Budget => f.write_str(
                "the levels take more time or memory than their size allows, so some needs are unknown",
            ),
            Trouble::Stopped => f.write_str("the work was stopped, so some needs are unknown"),
        }
    }
}

impl Help for Trouble {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        let help = match self {
            Trouble::NoLevel => "correct the name",
            Trouble::NoProgram { help, .. } => help,
            Trouble::NativeCode { .. } | Trouble::NoGame { .. } => return None,
            Trouble::Unreadable { .. } => "repair the file",
            Trouble::NotLoaded(found) => return found.help(shell),
            Trouble::OtherProgram { .. } => "use a program that was compiled for this engine",
            Trouble::Budget => "look for an endless loop, or name fewer levels",
            Trouble::Stopped => "run the command again",
        };
        Some(help.to_owned())
    }
}

impl From<Spent> for Trouble {
    fn from(spent: Spent) -> Self {
        match spent {
            Spent::Budget => Trouble::Budget,
            Spent::Stopped => Trouble::Stopped,
        }
    }
}
