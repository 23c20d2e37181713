//! The updates of a watcher.

use crate::File;
use crate::finding::Finding;
use crate::search_path::SearchPath;
use crate::search_path::changes::Change;

/// An update of a [`Watcher`](crate::watch::Watcher): the difference between two search paths.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Update {
    /// The new search path.
    pub search_path: SearchPath,
    /// The names whose winner differs, sorted. Empty if only layers without effect or findings changed.
    pub changes: Vec<Change>,
    /// The findings that are new.
    pub findings: Vec<Finding>,
    /// Loose files that were written but are overridden, each with its winner.
    pub overridden: Vec<(File<'static>, File<'static>)>,
}
