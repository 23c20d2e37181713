//! Why there is no answer.

use quakefs::rules::UnknownName;
use quakefs::sentences::Help as _;
use serde::Serialize;

/// The root of the sources, because a path of a disk is never empty.
pub(crate) const ROOT: &str = ".";

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    error: String,
    /// What to do; empty if nothing is known.
    help: String,
}

impl Failure {
    /// A failure without advice.
    pub(crate) fn new(error: impl Into<String>) -> Self {
        Failure::with_help(error, "")
    }

    pub(crate) fn with_help(error: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { error: error.into(), help: help.into() }
    }
}

impl From<UnknownName> for Failure {
    fn from(error: UnknownName) -> Self {
        Failure::new(error.to_string())
    }
}

impl From<quakefs_game::Error> for Failure {
    fn from(error: quakefs_game::Error) -> Self {
        let sentence = error.to_string();
        let below = sentence.strip_prefix(ROOT);
        let below = below.and_then(|rest| rest.strip_prefix('/').or(rest.strip_prefix(": ")));
        let help = error.help(None).unwrap_or_default();
        Failure { error: below.unwrap_or(&sentence).to_owned(), help }
    }
}

impl From<quakefs::Error> for Failure {
    fn from(error: quakefs::Error) -> Self {
        quakefs_game::Error::from(error).into()
    }
}
