//! Problems of a game, from all crates that find some.

use std::fmt;

use quakefs::Finding;
use quakefs::findings::{Location, Severity};
use quakefs::sentences::{Help, Shell, with_causes};
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
    /// The name that a rename would give the archive, the folder or the file.
    pub rename: Option<String>,
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
        let (reason, help) = (of.to_string(), of.help(shell));
        Problem::Other { severity, kind, location, reason, help }
    }

    /// How severe it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Problem::Found(finding) => finding.severity,
            Problem::Other { severity, .. } => *severity,
        }
    }

    /// The stable word for its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Found(finding) => finding.kind.name(),
            Problem::Other { kind, .. } => kind,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> &Location {
        match self {
            Problem::Found(Finding { location, .. }) | Problem::Other { location, .. } => location,
        }
    }

    /// Whether the engine stops with an error because of it.
    #[must_use]
    pub fn stops(&self) -> bool {
        matches!(self, Problem::Found(finding) if finding.stops_engine)
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
            rename: match self {
                Problem::Found(finding) => finding.rename.clone(),
                Problem::Other { .. } => None,
            },
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
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        match self {
            Problem::Found(finding) => finding.help(shell),
            Problem::Other { help, .. } => help.clone(),
        }
    }
}
