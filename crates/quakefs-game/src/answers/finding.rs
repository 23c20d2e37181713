//! Problems of a game, from all crates that find some.

use std::fmt;

use quakefs::Finding;
use quakefs::findings::{Advice, Location, Severity};
use quakefs::sentences::{Help, Shell, counted, with_causes};
use serde::Serialize;

use super::text;

/// A problem, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingRow {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The kind, a word that stays the same in all versions, such as `gap`. New versions may have more words.
    pub kind: &'static str,
    /// Where it is, in a few words.
    pub location: String,
    /// The layer or the archive.
    pub layer: String,
    /// The number of the entry in the archive.
    pub entry: Option<usize>,
    /// The name of the file.
    pub name: Option<String>,
    /// The problem in a sentence.
    pub reason: String,
    /// What to do; null if nothing is known.
    pub help: Option<String>,
    /// Whether the engine stops with an error because of it.
    pub stops: bool,
    /// The same as steps that a program can carry out; empty if only a person can.
    pub advice: Vec<AdviceRow>,
}

/// A step of an advice. Paths are below the base directory; those of entries begin with the archive's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdviceRow {
    /// `rename`, `move` (a folder's contents, or unpack an archive), `pack` (the archive again), `add`,
    /// `remove` (one of them), `get` (another copy), `choose` (another value of an option), `ask` (for
    /// another name) or `run` (a command of quakefs). New versions may have more words.
    pub step: &'static str,
    /// The paths, the names, the option or the words of the command.
    pub of: Vec<String>,
    /// The new path, the folder, the layout, the value of the option, or what it has to be; null if there is
    /// none.
    pub to: Option<String>,
    /// The content of a file to add.
    pub content: Option<String>,
    /// The number of the entry, for the first path of one.
    pub entry: Option<usize>,
}

/// The words of the step.
impl fmt::Display for AdviceRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.step, self.of.join(" "))?;
        self.to.iter().try_for_each(|to| write!(f, " to {to}"))
    }
}

/// Advice if the name that something needs is taken.
pub(super) fn is_taken(target: &str) -> String {
    format!("{target} is there already: keep the one that you want, under that name")
}

/// The steps of advice.
#[must_use]
pub(super) fn steps(advice: &[Advice]) -> Vec<AdviceRow> {
    let step = |advice: &Advice, of: Vec<String>, to: Option<String>| AdviceRow {
        step: advice.name(),
        of,
        to,
        content: None,
        entry: match advice {
            Advice::Rename(names) => names.first().and_then(|(what, _)| what.entry()),
            Advice::Move { what, .. } | Advice::Get { what, .. } => what.entry(),
            Advice::Remove(of) => of.first().and_then(Location::entry),
            _ => None,
        },
    };
    let one = |advice: &Advice| -> Vec<AdviceRow> {
        let (of, to) = match advice {
            Advice::Rename(names) => {
                let row = |(what, to): &(Location, String)| AdviceRow {
                    entry: what.entry(),
                    ..step(advice, vec![path(what).trim_end_matches('/').to_owned()], Some(renamed(what, to)))
                };
                return names.iter().map(row).collect();
            }
            Advice::Move { what, to } => (vec![path(what)], Some(to.clone())),
            Advice::Pack { archive, from, layout } => {
                let from = Some(from).filter(|from| !from.is_empty());
                let of = std::iter::once(archive).chain(from).cloned().collect();
                (of, layout.map(|layout| layout.to_string()))
            }
            Advice::Add { what, content, to } => {
                let row = step(advice, vec![what.clone()], Some(path(to)));
                let content = content.as_ref().map(ToString::to_string);
                return vec![AdviceRow { content, ..row }];
            }
            Advice::Remove(of) => (of.iter().map(path).collect(), None),
            Advice::Get { what, of } => (vec![path(what)], of.as_ref().map(ToString::to_string)),
            Advice::Choose { option, value } => (vec![option.to_string()], value.clone()),
            Advice::Ask { names, game, .. } => {
                (names.clone(), game.as_ref().map(|(option, value)| format!("{option} {value}")))
            }
            Advice::Run { command, arguments } => {
                (std::iter::once((*command).to_owned()).chain(arguments.iter().cloned()).collect(), None)
            }
            _ => return Vec::new(),
        };
        vec![step(advice, of, to)]
    };
    advice.iter().flat_map(one).collect()
}

/// The path of a location after it got a new name.
fn renamed(what: &Location, to: &str) -> String {
    let layer = what.layer_name().trim_end_matches('/');
    let folder = match what {
        Location::Entry { .. } | Location::File { .. } => layer,
        _ => layer.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    if folder.is_empty() { to.to_owned() } else { format!("{folder}/{to}") }
}

/// The path of a location below the base directory.
fn path(of: &Location) -> String {
    let name = of.name().map(|name| format!("{}/{}", of.layer_name().trim_end_matches('/'), text(name)));
    name.unwrap_or_else(|| of.layer_name().to_owned())
}

/// The location and the sentence.
impl fmt::Display for FindingRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.reason)
    }
}

/// The kind of a problem about a file that levels need and no layer has.
pub(super) const MISSING_FILE: &str = "missing-file";

/// A sentence and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReasonRow {
    /// The sentence.
    pub reason: String,
    /// What to do; null if nothing is known.
    pub help: Option<String>,
}

/// The sentence.
impl fmt::Display for ReasonRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl From<&quakefs::Error> for ReasonRow {
    fn from(error: &quakefs::Error) -> Self {
        ReasonRow { reason: with_causes(error), help: error.help(None) }
    }
}

/// A problem before it is put into words, because there may be a million.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Of the search path.
    Found(Finding),
    /// Of anything else.
    #[non_exhaustive]
    Other {
        /// How severe it is.
        severity: Severity,
        /// The stable word for its kind.
        kind: &'static str,
        /// Where it is.
        location: Location,
        /// The sentence.
        reason: String,
        /// The advice.
        help: Option<String>,
        /// The advice as data.
        advice: Vec<Advice>,
    },
    /// Of the search path, for several files of one folder.
    #[non_exhaustive]
    Alike {
        /// The first of them.
        first: Finding,
        /// How many others there are.
        others: u64,
        /// The advice.
        help: Option<String>,
        /// The advice on all, as data.
        advice: Vec<Advice>,
    },
}

impl From<Finding> for Problem {
    fn from(finding: Finding) -> Self {
        Problem::Found(finding)
    }
}

impl Problem {
    /// A problem of something with a sentence and an advice.
    #[must_use]
    pub fn of(
        severity: Severity,
        kind: &'static str,
        location: Location,
        of: &impl Help,
        shell: Option<&dyn Shell>,
    ) -> Self {
        let (reason, help, advice) = (of.to_string(), of.help(shell), of.advice());
        Problem::Other { severity, kind, location, reason, help, advice }
    }

    /// Gives it other advice, which only a person can carry out.
    pub(super) fn tell(&mut self, text: String) {
        match self {
            Problem::Found(first) => {
                let (first, help) = (first.clone(), Some(text));
                *self = Problem::Alike { first, others: 0, help, advice: Vec::new() };
            }
            Problem::Other { help, advice, .. } | Problem::Alike { help, advice, .. } => {
                (*help, *advice) = (Some(text), Vec::new());
            }
        }
    }

    /// The finding of the search path, or the first of several.
    #[must_use]
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            Problem::Found(finding) | Problem::Alike { first: finding, .. } => Some(finding),
            Problem::Other { .. } => None,
        }
    }

    /// How severe it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Problem::Found(finding) | Problem::Alike { first: finding, .. } => finding.severity,
            Problem::Other { severity, .. } => *severity,
        }
    }

    /// The stable word for its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Found(finding) | Problem::Alike { first: finding, .. } => finding.kind.name(),
            Problem::Other { kind, .. } => kind,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> &Location {
        match self {
            Problem::Found(Finding { location, .. })
            | Problem::Alike { first: Finding { location, .. }, .. }
            | Problem::Other { location, .. } => location,
        }
    }

    /// Whether the engine stops with an error because of it.
    #[must_use]
    pub fn stops(&self) -> bool {
        self.finding().is_some_and(|finding| finding.stops_engine)
    }

    /// Whether it tells that a file is missing, or that something was not read.
    pub(crate) fn is_missing_or_unread(&self) -> bool {
        [MISSING_FILE, "not-decoded", "budget"].contains(&self.kind())
    }

    /// The sentence without the location.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Problem::Found(finding) => finding.sentence(),
            Problem::Alike { first, others: 0, .. } => first.sentence(),
            Problem::Alike { first, others, .. } => {
                let others = counted(*others, "other name", "other names");
                format!("{}; the same is true of {others} in this folder", first.sentence())
            }
            Problem::Other { reason, .. } => reason.clone(),
        }
    }

    /// The problem as data, with advice for a reader.
    #[must_use]
    pub fn row(&self, shell: Option<&dyn Shell>) -> FindingRow {
        let location = self.location();
        FindingRow {
            severity: self.severity().name(),
            kind: self.kind(),
            location: location.to_string(),
            layer: location.layer_name().to_owned(),
            entry: location.entry(),
            name: location.name().map(text),
            reason: self.reason(),
            help: self.help(shell),
            stops: self.stops(),
            advice: steps(&self.advice()),
        }
    }
}

/// The location and the sentence.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location(), self.reason())
    }
}

impl Help for Problem {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Problem::Found(finding) => finding.advice(),
            Problem::Other { advice, .. } | Problem::Alike { advice, .. } => advice.clone(),
        }
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        match self {
            Problem::Found(finding) => finding.help(shell),
            Problem::Other { help, .. } | Problem::Alike { help, .. } => help.clone(),
        }
    }
}
