//! Every copy that another one hides.

use crate::error::Error;
use crate::stack::{Hit, SearchPath, is_same_content};

/// A copy that is not served, and the one that is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shadow<'a> {
    /// The copy that the engine loads.
    pub winner: Hit<'a>,
    /// The copy that the engine would load if the winner, and any copy between, were not there.
    pub hidden: Hit<'a>,
}

impl Shadow<'_> {
    /// Whether both copies hold the same bytes: then nothing changes for a player. Reads both, unless their sizes
    /// differ.
    ///
    /// # Errors
    /// As [`Hit::read`].
    pub fn is_same_content(&self) -> Result<bool, Error> {
        is_same_content(&self.winner, &self.hidden)
    }
}

impl SearchPath {
    /// Every copy that another one hides, with the one that is served instead, sorted by name, then from the highest
    /// copy down. The folders are listed now where loose files are [`Live`](crate::LooseFiles::Live).
    #[must_use]
    pub fn shadows(&self) -> Vec<Shadow<'_>> {
        self.groups()
            .into_iter()
            .flat_map(|(winner, hidden)| {
                hidden.into_iter().map(move |hidden| Shadow { winner: winner.clone(), hidden })
            })
            .collect()
    }
}
