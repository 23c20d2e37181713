//! What a watcher gives.

use crate::finding::Finding;
use crate::search_path::changes::Change;
use crate::search_path::{File, SearchPath};

/// What differs between a stack and the one before, as a [`Watcher`](crate::watch::Watcher) gives it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Update {
    /// The stack as it is now.
    pub search_path: SearchPath,
    /// The names whose served copy differs, sorted; empty where only other layers, or findings, came and went.
    pub changes: Vec<Change>,
    /// The findings that the stack before did not have.
    pub findings: Vec<Finding>,
    /// The loose files that were written and that another copy hides, each with that copy: what they hold is not served.
    pub hidden: Vec<(File<'static>, File<'static>)>,
}
