//! Sentences that only the command prints.

use std::fmt;

use quakefs::findings::{FindingKind, Location};
use quakefs::rules::{EngineStop, Games, NotUsed, Rules, SubstituteKind, UserLookedAt};
use quakefs::sentences::{Help, Shell, counted};
use quakefs::why::Registration;
use quakefs::{Engine, Finding};
use quakefs_installed::Known;
use quakefs_installed::Selection;

/// The remark about a file that the engine skips.
pub const PASSED_OVER: &str = "its name differs in case";

/// The remark about a text of the game that changes the search path.
pub const OF_GAME_TEXT: &str = "a text of the game that sets the search path";

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

/// A remark about the user directory: it is missing, or only some builds of the engine search it.
#[must_use]
pub fn of_user_directory(rules: &Rules, is_there: bool, is_named: bool) -> Option<&'static str> {
    let rule = rules.user.as_ref();
    let in_some_builds = rule.is_some_and(|rule| rule.looked_at == UserLookedAt::InSomeBuilds);
    if !is_there {
        Some("missing")
    } else if in_some_builds && !is_named {
        Some("some builds of the engine do not look there")
    } else {
        None
    }
}

/// An engine does not start because of a finding, and of `more` others.
#[must_use]
pub fn does_not_start(engine: &str, first: &Finding, more: usize) -> String {
    let text = format!("{engine} does not start: {}: {}", first.location, first.reason());
    match more {
        0 => text,
        more => format!("{text}; and for {} more", counted(more as u64, "cause", "causes")),
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

/// An archive with more entries than some engines can load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyFor {
    /// How many entries the archive has.
    pub entries: usize,
    /// The engines that cannot load them, and the limit of each.
    pub engines: Vec<(String, u32)>,
}

impl fmt::Display for TooManyFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines: Vec<_> =
            self.engines.iter().map(|(engine, most)| format!("{engine} has room for {most}")).collect();
        let entries = counted(self.entries as u64, "entry", "entries");
        write!(f, "the archive has {entries}; {}", engines.join(", "))
    }
}

impl Help for TooManyFor {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        Some("split it into several archives for these engines".to_owned())
    }
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
}

impl MixedEditions {
    /// The kind of the finding.
    pub const NAME: &str = "mixed-editions";
}

impl fmt::Display for MixedEditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MixedEditions { known, other, of_other } = self;
        write!(f, "it is of {known}, and {other} is of {of_other}, which has another {}", known.file)
    }
}

impl Help for MixedEditions {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        Some("use all archives of one edition".to_owned())
    }
}

/// A game has findings that were not printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoreFindings(pub usize);

impl fmt::Display for MoreFindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this game has {}", counted(self.0 as u64, "problem", "problems"))
    }
}

impl Help for MoreFindings {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        Some(match shell {
            Some(shell) => format!("`{}` lists what is skipped and why", shell.command("path", None)),
            None => "check the list of findings".to_owned(),
        })
    }
}

/// Why an engine loads no substitute.
#[derive(Clone, Copy, Debug)]
pub enum NoSubstitute<'a> {
    /// None of the names has a file.
    Missing {
        /// The engine.
        engine: &'a str,
        /// The kind of thing.
        kind: SubstituteKind,
        /// The thing.
        name: &'a str,
        /// The names that the engine requests.
        asked: &'a [String],
    },
    /// Such files exist, but rank below the model.
    Below {
        /// The engine.
        engine: &'a str,
        /// The thing.
        name: &'a str,
        /// The first of the files.
        file: &'a str,
        /// The layer of the file.
        place: &'a str,
    },
    /// The rules of the engine do not cover this kind.
    Unknown {
        /// The engine.
        engine: &'a str,
        /// The kind of thing.
        kind: SubstituteKind,
    },
}

fn thing(kind: SubstituteKind) -> &'static str {
    match kind {
        SubstituteKind::Texture => "a texture",
        SubstituteKind::Sky => "a sky",
        SubstituteKind::Music => "a track of music",
        SubstituteKind::Model => "a model",
        SubstituteKind::Skin => "a skin",
        SubstituteKind::Image => "an image of a shader",
        SubstituteKind::Sound => "a sound",
    }
}

/// The first of many names.
fn few(names: &[String]) -> String {
    const FEW: usize = 6;
    match names.get(..FEW) {
        Some(first) if names.len() > FEW => {
            format!("{} and {} more", first.join(", "), names.len() - FEW)
        }
        _ => names.join(", "),
    }
}

impl fmt::Display for NoSubstitute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSubstitute::Missing { engine, name, asked: [], .. } => {
                write!(f, "{name}: no replacement: {engine} requests none")
            }
            NoSubstitute::Missing { engine, name, asked, .. } => {
                write!(f, "{name}: no replacement: {engine} requests {}", few(asked))
            }
            NoSubstitute::Below { engine, name, file, place } => {
                write!(
                    f,
                    "{name}: no replacement: {engine} ignores {file} of {place}, which ranks below the model"
                )
            }
            NoSubstitute::Unknown { engine, kind } => {
                write!(f, "quakefs does not know what {engine} loads instead of {}", thing(*kind))
            }
        }
    }
}

impl Help for NoSubstitute<'_> {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        Some(match self {
            NoSubstitute::Missing { asked: [_, ..], .. } => {
                "give the file one of these names; the first that exists wins".to_owned()
            }
            NoSubstitute::Below { .. } => "put the file beside the model, or in a game above it".to_owned(),
            NoSubstitute::Unknown { kind, .. } | NoSubstitute::Missing { kind, .. } => {
                let has_row = |rules: &Rules| {
                    let mut rows = rules.substitutes.items().iter();
                    rows.any(|row| row.of == *kind && !row.names.is_empty())
                };
                match (shell, Engine::with(has_row).next()) {
                    (Some(_), Some(other)) => {
                        format!("choose another engine with --engine, such as {other}")
                    }
                    _ => "choose another engine".to_owned(),
                }
            }
        })
    }
}

/// An extraction that claims more bytes than its limit, and the limit that the caller set, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchWritten {
    /// Bytes that the files claim.
    pub claimed: u64,
    /// Bytes of the archives.
    pub source_size: u64,
    /// The user's limit.
    pub limit: Option<u64>,
}

impl fmt::Display for TooMuchWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |number| counted(number, "byte", "bytes");
        write!(f, "nothing was written: the files claim {}, and ", bytes(self.claimed))?;
        match self.limit {
            Some(limit) => write!(f, "the limit is {}", bytes(limit)),
            None => write!(f, "the archives have {}", bytes(self.source_size)),
        }
    }
}

impl Help for TooMuchWritten {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        let help = match shell {
            Some(_) => "allow more with --max-output, or extract less, by a pattern",
            None => "allow more, or extract fewer files",
        };
        Some(help.to_owned())
    }
}
