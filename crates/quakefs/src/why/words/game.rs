//! What is known of a game as a whole.

use crate::rules::{EngineStop, Games, NotUsed, Rules, UserLookedAt};

use super::findings::not_used;
use super::{Reader, Said, Say, counted};
use crate::why::Registration;

/// Whether a game is a registered copy, for the rules of an engine that asks.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'r> {
    /// What the file that marks a registered copy says.
    pub registration: Registration,
    /// The rules, which name the file.
    pub rules: &'r Rules,
}

impl Say for Registered<'_> {
    fn say_to(&self, _: Reader<'_>) -> Said {
        let rules = self.rules;
        let file = rules.registered.as_ref().map_or("the file of the registered version", |by| &by.file);
        let stops = |stop| rules.stops.contains(&stop);
        Said::without_help(match self.registration {
            Registration::Registered => format!("{file} is there"),
            Registration::Shareware if stops(EngineStop::Unregistered) => {
                format!("{file} is not there, and {} then runs id's shareware alone", rules.name)
            }
            Registration::Shareware => format!("{file} is not there"),
            Registration::Corrupt if stops(EngineStop::WrongRegistered) => {
                format!("{file} holds other bytes than id's, and {} stops with an error", rules.name)
            }
            Registration::Corrupt => format!("{file} holds other bytes than id's"),
        })
    }
}

/// What is said of a text of the game that the engine reads before it searches.
pub const OF_GAME_TEXT: &str = "a text of the game that says what is searched";

/// What has to be known of the user's own directory, if anything: that it is not there, or that the engine looks into it in
/// some builds alone.
#[must_use]
pub fn of_user_directory(rules: &Rules, is_there: bool, is_named: bool) -> Option<&'static str> {
    let rule = rules.user.as_ref();
    let in_some_builds = rule.is_some_and(|rule| rule.looked_at == UserLookedAt::InSomeBuilds);
    if !is_there {
        Some("not there")
    } else if in_some_builds && !is_named {
        Some("some builds of the engine do not look there")
    } else {
        None
    }
}

/// Why an engine does not search the folder of a name that is given as a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGame<'a> {
    /// The engine uses a part of the name.
    Part(&'a str),
    /// The engine ignores such a name.
    Ignored,
    /// The engine stops with an error.
    Stops,
    /// The engine uses no game of its command line.
    None,
}

impl NoGame<'_> {
    /// The sentence, for the engine of this name.
    #[must_use]
    pub fn said_of(self, engine: &str) -> String {
        match self {
            NoGame::Part(part) => format!("{engine} reads the name as {part}"),
            NoGame::Ignored => not_used(NotUsed::OddGame, engine),
            NoGame::Stops => format!("{engine} stops with an error at this name"),
            NoGame::None => not_used(NotUsed::Game { taken: Games::Ignored }, engine),
        }
    }
}

/// An archive with more entries than some engines have room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyFor {
    /// How many entries the archive has.
    pub entries: usize,
    /// The engines that have no room for them, each with the most that it takes.
    pub engines: Vec<(String, u32)>,
}

impl Say for TooManyFor {
    fn say_to(&self, _: Reader<'_>) -> Said {
        let entries = counted(self.entries as u64, "entry", "entries");
        let engines: Vec<_> =
            self.engines.iter().map(|(engine, most)| format!("{engine} has room for {most}")).collect();
        Said::new(
            format!("the archive has {entries}; {}", engines.join(", ")),
            "split it into several archives for these engines",
        )
    }
}

/// That a game has findings which were not printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoreFindings(pub usize);

impl Say for MoreFindings {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let help = match reader {
            Reader::Shell(shell) => format!("`{}` lists what was left out and why", shell.command("path")),
            Reader::Window => "look at the list of findings".to_owned(),
        };
        Said::new(format!("this game has {}", counted(self.0 as u64, "problem", "problems")), help)
    }
}
