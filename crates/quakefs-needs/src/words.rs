//! What levels and programs ask for, and what goes wrong while they are loaded.

use quakefs::EntryName;
use quakefs::why::words::{Reader, Said, Say};

use crate::{Incident, IncidentKind, Mode, Need, Trouble};

impl Say for Incident {
    /// The sentence names neither the level nor the entity.
    fn say_to(&self, _: Reader<'_>) -> Said {
        let class = EntryName::from_bytes(&self.class);
        let function = EntryName::from_bytes(&self.function);
        let text = |text: &[u8]| EntryName::from_bytes(text.trim_ascii_end()).to_string();
        let (sentence, help) = match &self.kind {
            IncidentKind::NoClass => ("the entity has no class".to_owned(), "give the entity a classname"),
            IncidentKind::NoSpawnFunction => (
                format!("the program has no function {class}, so that the entity is left out"),
                "correct the classname, or play the level with the program that it was made for",
            ),
            IncidentKind::Budget => (
                format!("{function}() runs for longer than any level needs"),
                "look for a loop that does not end",
            ),
            IncidentKind::UnknownBuiltin(number) => (
                format!("{function}() calls the engine's function {number}, which the engine does not have"),
                "ask for the extension first, or play the game in an engine that has it",
            ),
            IncidentKind::UnknownInstruction(number) => (
                format!("{function}() has the instruction {number}, which is not known here"),
                "compile the program for Quake, without extensions of the compiler",
            ),
            IncidentKind::Error(message) => {
                (format!("{function}() ends the game: {}", text(message)), "correct what the text says")
            }
            IncidentKind::ObjectError(message) => {
                (format!("{function}() removes the entity: {}", text(message)), "correct what the text says")
            }
            IncidentKind::NotPrecached(name) => (
                format!("{function}() sets the model {}, which is not precached", text(name)),
                "call precache_model before setmodel",
            ),
            IncidentKind::EmptyName => (
                format!("{function}() precaches a file without a name"),
                "give the key of the entity a value, or test the text before the call",
            ),
            IncidentKind::BackwardsBox => (
                format!("{function}() sets a box whose least corner is above the greatest"),
                "exchange the corners",
            ),
            IncidentKind::Depth => (
                format!("{function}() is called from within too many calls"),
                "look for functions that call one another without an end",
            ),
            IncidentKind::TooManyEntities => {
                ("there are more entities than an engine has room for".to_owned(), "remove entities")
            }
            _ => (
                format!("{function}() calls no function, or names a field that is not there"),
                "set the variable before it is used, or compile the program again",
            ),
        };
        let end = if self.ends { ": the level is not loaded" } else { "" };
        Said::new(format!("{sentence}{end}"), help)
    }
}

impl Say for Need {
    /// That the file is missing, and who asks for it.
    fn say_to(&self, _: Reader<'_>) -> Said {
        let parts: Vec<_> = self.by.iter().skip(1).map(ToString::to_string).collect();
        let by = if parts.is_empty() { "the level".to_owned() } else { parts.join(", ") };
        Said::new(
            format!("{} is missing, which {by} asks for", self.name),
            "add the file, or correct its name",
        )
    }
}

impl Say for Trouble {
    fn say_to(&self, _: Reader<'_>) -> Said {
        match self {
            Trouble::NoProgram { name } => Said::new(
                format!("{name} is not there: models and sounds that it asks for are not known"),
                "name the game that has the program",
            ),
            Trouble::Unreadable { name, reason } => Said::new(
                format!("{name} cannot be read, and what it asks for is not known: {reason}"),
                "repair the file",
            ),
            _ => Said::without_help("there is no such level"),
        }
    }
}

/// Who asks for a file: `maps/start.bsp, monster_ogre #12, precache_ogre()`.
#[must_use]
pub fn chain(need: &Need) -> String {
    let parts: Vec<_> = need.by.iter().map(ToString::to_string).collect();
    parts.join(", ")
}

/// The games in which a file is asked for, where these are not all: `skill 3, coop`.
#[must_use]
pub fn games(modes: &[Mode]) -> String {
    let word = |mode: &Mode| match mode {
        Mode { is_coop: true, .. } => "coop".to_owned(),
        Mode { is_deathmatch: true, .. } => "deathmatch".to_owned(),
        Mode { skill, .. } => format!("skill {skill}"),
    };
    modes.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// That the code of a game is native, so that keys of entities are all that is known.
#[must_use]
pub fn native(engine: &str) -> String {
    format!(
        "the game code of {engine} is native: what the levels ask for was taken from the keys of their entities"
    )
}
