//! What a command changed, one name a line.

use crate::console::{Console, Failure};
use crate::output;
use crate::text::printable;

/// What was done with an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Added,
    Replaced,
    Removed,
    /// To the name of the change.
    Renamed,
}

/// An entry that was changed.
pub(crate) struct Change<'n> {
    pub(crate) name: &'n str,
    pub(crate) deed: Deed,
}

/// Prints the changed entries, or what would be changed; of a long list only the start.
pub(crate) fn print_changes(
    changes: &[Change<'_>],
    done: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    const PRINTED: usize = 20;
    for change in changes.iter().take(PRINTED) {
        let (would, did) = match change.deed {
            Deed::Added => ("add", "added"),
            Deed::Replaced => ("replace", "replaced"),
            Deed::Removed => ("remove", "removed"),
            Deed::Renamed => ("rename", "renamed"),
        };
        let word = if done { did } else { would };
        writeln!(console.out, "{word:8}  {}", printable(change.name))?;
    }
    if let Some(more @ 1..) = changes.len().checked_sub(PRINTED) {
        writeln!(console.out, "and {} more", output::grouped(more as u64))?;
    }
    Ok(())
}
