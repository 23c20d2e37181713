//! Mistakes that show while a level loads, and their sentences.

use std::fmt;
use std::sync::Arc;

use quakefs::EntryName;
use quakefs::sentences::{Help, Shell};

/// A likely mistake in a level or its program, or the reason why the engine refuses the level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Incident {
    /// The mistake or the reason.
    pub kind: IncidentKind,
    /// The number of the entity in the level's text, from 0 for the world.
    pub entity: usize,
    /// The class of the entity.
    pub class: Arc<[u8]>,
    /// The function that was running; empty outside the program.
    pub function: Arc<[u8]>,
    /// The engine does not load the level.
    pub ends: bool,
}

impl Incident {
    /// An incident at entity 0, without a class.
    #[must_use]
    pub fn new(kind: IncidentKind) -> Self {
        Incident { kind, entity: 0, class: Arc::default(), function: Arc::default(), ends: false }
    }
}

/// The sentence. It names neither the level nor the number of the entity.
impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.kind.row().sentence;
        while let Some((before, (key, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            f.write_str(before)?;
            match key {
                "class" => write!(f, "{}", EntryName::from_bytes(&self.class))?,
                "function" => write!(f, "{}", EntryName::from_bytes(&self.function))?,
                _ => self.kind.fmt_value(f)?,
            }
            rest = after;
        }
        f.write_str(rest)?;
        f.write_str(if self.ends { "; the engine does not load the level" } else { "" })
    }
}

impl Help for Incident {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        Some(self.kind.row().help.to_owned())
    }
}

/// The words of a kind.
struct IncidentRow {
    name: &'static str,
    /// A template with `{class}`, `{function}` and `{value}`.
    sentence: &'static str,
    help: &'static str,
}

/// Declares the kinds, each with its stable name, its sentence and its advice.
macro_rules! kinds {
    ($($(#[$doc:meta])* $Name:ident $(($Value:ty))? = $name:literal, $sentence:literal, $help:literal;)*) => {
        /// A kind of incident.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum IncidentKind {
            $($(#[$doc])* $Name $(($Value))?,)*
        }

        impl IncidentKind {
            const fn row(&self) -> IncidentRow {
                match self {
                    $(IncidentKind::$Name { .. } => {
                    IncidentRow { name: $name, sentence: $sentence, help: $help }
                })*
                }
            }

            /// One of each kind, for tests that look at every sentence.
            #[doc(hidden)]
            #[must_use]
            pub fn samples() -> Vec<Self> {
                vec![$(IncidentKind::$Name $((<$Value as Sample>::sample()))?,)*]
            }
        }
    };
}

kinds! {
    /// The entity has no class.
    NoClass = "no-class", "the entity has no class", "give the entity a classname";
    /// The program has no function for the class, so the engine drops the entity.
    NoSpawnFunction = "no-spawn-function",
        "the program has no function {class}, so the engine drops the entity",
        "correct the classname, or play the level with the program that it was made for";
    /// The spawn functions of the entity or of the whole level exceed the budget of instructions.
    Budget = "budget", "{function}() runs longer than any level needs", "look for an endless loop";
    /// The program calls a function that the engine does not have.
    UnknownBuiltin(u32) = "unknown-builtin",
        "{function}() calls built-in function {value}, which this engine does not have",
        "check for the extension first, or play the game in an engine that has it";
    /// The program asks for an extension that the engine does not have.
    MissingExtension(Arc<[u8]>) = "missing-extension",
        "{function}() asks for the extension {value}, which this engine does not have",
        "play the game in an engine that has it, if something is missing";
    /// The program contains an instruction that quakefs does not know.
    UnknownInstruction(u32) = "unknown-instruction",
        "{function}() contains instruction {value}, which quakefs does not know",
        "compile the program for Quake, without compiler extensions";
    /// A key of the entity names a function that the program does not have.
    UnknownFunction(Arc<[u8]>) = "unknown-function",
        "a key of {class} names the function {value}, which the program does not have",
        "correct the value, or remove the key";
    /// The program calls `error` with a text.
    Error(Arc<[u8]>) = "error", "{function}() ends the game: {value}", "correct what the text reports";
    /// The program calls `objerror` with a text.
    ObjectError(Arc<[u8]>) = "object-error",
        "{function}() removes the entity: {value}", "correct what the text reports";
    /// `setmodel` names a model that was not precached.
    NotPrecached(Arc<[u8]>) = "not-precached",
        "{function}() sets the model {value} without precaching it", "call precache_model before setmodel";
    /// The program precaches a file without a name.
    EmptyName = "empty-name", "{function}() precaches a file without a name",
        "give the entity's key a value, or test the text before the call";
    /// The mins of a box exceed its maxs.
    BackwardsBox = "backwards-box", "{function}() sets a box whose mins exceed its maxs",
        "swap mins and maxs of the box";
    /// Calls are nested more deeply than engines permit.
    Depth = "depth", "{function}() is nested in too many calls",
        "look for functions that call each other endlessly";
    /// The level has more entities than engines support.
    TooManyEntities = "too-many-entities",
        "the level has more entities than engines support", "remove entities";
    /// A call of no function, a jump out of the program, or an address of no field.
    Broken = "broken", "{function}() calls no function, or names a field that does not exist",
        "set the variable before its first use, or compile the program again";
}

impl IncidentKind {
    /// A stable name, such as `no-spawn-function`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.row().name
    }

    /// The number or the text of the kind.
    fn fmt_value(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IncidentKind::UnknownBuiltin(number) | IncidentKind::UnknownInstruction(number) => {
                write!(f, "{number}")
            }
            IncidentKind::MissingExtension(text)
            | IncidentKind::UnknownFunction(text)
            | IncidentKind::Error(text)
            | IncidentKind::ObjectError(text)
            | IncidentKind::NotPrecached(text) => {
                write!(f, "{}", EntryName::from_bytes(text.trim_ascii_end()))
            }
            _ => Ok(()),
        }
    }
}

/// The value of a sample.
trait Sample {
    fn sample() -> Self;
}

impl Sample for u32 {
    fn sample() -> Self {
        99
    }
}

impl Sample for Arc<[u8]> {
    fn sample() -> Self {
        "‹text›".as_bytes().into()
    }
}
