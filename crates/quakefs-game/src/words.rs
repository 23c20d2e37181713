//! Sentences of the answers. Public only for the test that reads them all aloud.

use std::fmt;

use quakefs::Finding;
use quakefs::findings::{Advice, FindingKind, Location};
use quakefs::rules::{EngineStop, Games, NotUsed, Rules};
use quakefs::sentences::{Help, Shell};
use quakefs::why::Registration;
use quakefs_installed::{Known, Selection};

/// Whether a game is a registered copy, for an engine that checks.
#[derive(Clone, Copy, Debug)]
pub struct Registered<'r> {
    /// The state of the registered version's file.
    pub registration: Registration,
    /// The rules, which name the file.
    pub rules: &'r Rules,
}

impl fmt::Display for Registered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules;
        let file = rules.registered.as_ref().map_or("the file of the registered version", |by| &by.file);
        let stops = |stop| rules.stops.contains(&stop);
        match self.registration {
            Registration::Registered => write!(f, "{file} exists"),
            Registration::Shareware if stops(EngineStop::Unregistered) => {
                write!(f, "{file} is missing: {} runs only the shareware episode, and no mods", rules.name)
            }
            Registration::Shareware => write!(f, "{file} is missing"),
            Registration::Corrupt if stops(EngineStop::WrongRegistered) => {
                write!(f, "{file} differs from id's, and {} stops with an error", rules.name)
            }
            _ => write!(f, "{file} differs from id's"),
        }
    }
}

impl Help for Registered<'_> {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        None
    }
}

/// Why the engine of this name does not load a game directory; `None` if it does.
#[must_use]
pub fn not_selected(selection: &Selection, engine: &str) -> Option<String> {
    let not_used = |why| {
        let finding = FindingKind::NotUsed(why);
        Finding::new(&engine.to_owned().into(), Location::Folder(String::new()), finding).sentence()
    };
    Some(match selection {
        Selection::Part(part) => format!("{engine} reads the name as {part}"),
        Selection::Ignored => not_used(NotUsed::OddGame),
        Selection::Stops => format!("{engine} stops with an error at this name"),
        Selection::NoGames => not_used(NotUsed::Game { taken: Games::Ignored }),
        _ => return None,
    })
}

/// An archive is of another edition of its game than one beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedEditions {
    /// The archive's edition.
    pub known: Known,
    /// The other archive.
    pub other: String,
    /// Its edition.
    pub of_other: Known,
    /// Where the archive is.
    pub at: Location,
}

impl MixedEditions {
    /// The kind of the problem.
    pub const NAME: &str = "mixed-editions";
}

impl fmt::Display for MixedEditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MixedEditions { known, other, of_other, .. } = self;
        write!(
            f,
            "it is from {known}, but {other} is from {of_other}, which ships a different {}",
            known.file
        )
    }
}

impl Help for MixedEditions {
    fn advice(&self) -> Vec<Advice> {
        let of = format!("the {} of {}", self.known.file, self.of_other);
        vec![Advice::Get { what: self.at.clone(), of: Some(of.into()) }]
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        self.advice().first().map(|advice| advice.sentence(Some(&self.at), shell))
    }
}
