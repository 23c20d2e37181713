//! What every answer about a game has to say: whether the engine starts, what could not be opened, which game
//! does not exist.

use std::fmt;

use quakefs::Finding;
use quakefs::findings::FindingKind;
use quakefs::sentences::counted;
use quakefs::why::starts;
use quakefs::{ErrorKind, SearchPath};
use serde::Serialize;

use crate::game::Game;

/// Reasons why an answer may differ from the game that the person meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Caveats {
    /// Why the engine would not start. The answers assume that the cause is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_stops: Option<String>,
    /// An archive or a folder that could not be opened, and is missing from the answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_opened: Option<String>,
    /// A game directory that does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_missing: Option<String>,
}

/// Each reason, separated by `; `.
impl fmt::Display for Caveats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [&self.engine_stops, &self.not_opened, &self.game_missing];
        let all: Vec<_> = all.into_iter().flatten().map(String::as_str).collect();
        f.write_str(&all.join("; "))
    }
}

impl Caveats {
    /// The caveats of some games, such as those of a comparison.
    #[must_use]
    pub fn of(search_paths: &[&SearchPath]) -> Self {
        let line = Caveats::line;
        let stops = search_paths.iter().filter_map(|search_path| {
            let first = line(starts(search_path).err()?.first()?);
            let is_one = search_paths.len() == 1;
            Some(if is_one { first } else { format!("{}: {first}", search_path.rules().name) })
        });
        let stops: Vec<_> = stops.collect();
        let first = |wanted: fn(&Finding) -> bool| {
            let mut findings = search_paths.iter().flat_map(|search_path| search_path.findings());
            findings.find(|finding| wanted(finding)).map(line)
        };
        Caveats {
            engine_stops: (!stops.is_empty()).then(|| stops.join("; ")),
            not_opened: first(is_not_opened),
            game_missing: first(is_missing),
        }
    }

    /// A finding on one line, with its place.
    #[must_use]
    pub fn line(finding: &Finding) -> String {
        format!("{}: {}", finding.location, finding.reason())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Caveats::default()
    }
}

impl Game {
    /// Whether the engine starts, what could not be opened, which game does not exist.
    #[must_use]
    pub fn caveats(&self) -> Caveats {
        Caveats::of(&[&self.search_path])
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

/// Whether a finding is about a game directory that does not exist.
#[must_use]
pub fn is_missing(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::MissingDirectory { .. })
}

/// Whether a finding is about an archive or a folder that could not be opened.
#[must_use]
pub fn is_not_opened(finding: &Finding) -> bool {
    match &finding.kind {
        FindingKind::WrongArchive { error, opened: true, .. } => matches!(error.kind(), ErrorKind::Io { .. }),
        FindingKind::Unreadable(_) => true,
        _ => false,
    }
}
