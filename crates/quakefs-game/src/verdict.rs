//! Whether a game starts, and whether anything is wrong with it: the same words in every tongue.

use std::borrow::Cow;
use std::fmt;

use quakefs::Layer;
use quakefs::findings::Severity;
use serde::Serialize;

use crate::answers::{CheckOptions, Checked, Problem, does_not_start};
use crate::game::Game;

/// What all findings about a game come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// All was read, and nothing is wrong.
    Starts,
    /// The engine starts, but levels lack files, something cannot be loaded, or not all was read.
    StartsBut,
    /// There is not enough here to say: no base game, or an engine whose needs nobody knows.
    NotEnough,
    /// The engine stops with an error.
    DoesNotStart,
}

impl Verdict {
    /// The word for it: `starts`, `starts-but`, `not-enough`, `does-not-start`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Starts => "starts",
            Verdict::StartsBut => "starts-but",
            Verdict::NotEnough => "not-enough",
            Verdict::DoesNotStart => "does-not-start",
        }
    }
}

/// Whether a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerdictRow {
    /// The engine.
    pub engine: String,
    /// `starts`, `starts-but`, `not-enough` or `does-not-start`.
    pub verdict: &'static str,
    /// Whether the engine starts and nothing is wrong.
    pub good: bool,
    /// The same as a sentence.
    pub reason: String,
}

/// The sentence.
impl fmt::Display for VerdictRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl VerdictRow {
    fn new(engine: &str, verdict: Verdict, reason: String) -> Self {
        let good = verdict == Verdict::Starts;
        VerdictRow { engine: engine.to_owned(), verdict: verdict.name(), good, reason }
    }

    /// The sentence without the first problem, for a list of problems.
    #[must_use]
    pub fn brief(&self) -> Cow<'_, str> {
        if self.verdict == Verdict::StartsBut.name() {
            starts_but(&self.engine).into()
        } else {
            (&*self.reason).into()
        }
    }
}

fn starts_but(engine: &str) -> String {
    format!("{engine} starts, but not all is right")
}

impl Game {
    /// Whether the game starts, and whether anything is wrong with it. This reads all of its files, as
    /// [`check`](Self::check) does.
    #[must_use]
    pub fn verdict(&self) -> VerdictRow {
        self.verdict_of(&self.check(&CheckOptions::default()))
    }

    /// The verdict of a check.
    #[must_use]
    pub fn verdict_of(&self, checked: &Checked) -> VerdictRow {
        let engine = &self.rules().name;
        let problems = &checked.problems;
        let stop = problems.iter().filter_map(Problem::finding).find(|found| found.stops_start());
        let error = || problems.iter().find(|problem| problem.severity() == Severity::Error);
        let missing = || problems.iter().find(|problem| problem.is_missing_or_unread());
        let (verdict, reason) = if let Some(stop) = stop {
            (Verdict::DoesNotStart, does_not_start(engine, stop, 0))
        } else if !self.has_base_game() {
            let reason = format!("there is not enough here to say whether {engine} starts: no base game");
            (Verdict::NotEnough, reason)
        } else if let Some(not_known) = &checked.not_known {
            let reason = format!("there is not enough here to say whether {engine} starts: {not_known}");
            (Verdict::NotEnough, reason)
        } else if let Some(first) = error().or_else(missing) {
            let (place, reason) = (first.location(), first.reason());
            (Verdict::StartsBut, format!("{}: {place}: {reason}", starts_but(engine)))
        } else {
            (Verdict::Starts, format!("{engine} starts, and no file is missing or damaged"))
        };
        VerdictRow::new(engine, verdict, reason)
    }

    /// Whether a directory of the base game is mounted, and not only archives or a mod.
    pub(crate) fn has_base_game(&self) -> bool {
        let (base, others) = (&self.rules().directories, &self.options.base_games);
        let mut mounted = self.search_path.layers().filter_map(Layer::game_directory);
        mounted.any(|directory| base.is_in(&[&*directory.game]) || others.contains(&directory.game))
    }
}
