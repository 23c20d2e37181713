//! Overridden copies.

use crate::findings::Precedence;
use crate::{Archive, Error, File, SearchPath};
use pak_format::verify::DecodeBudget;

use crate::why::precedence::precedence;

/// An overridden copy and its winner.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shadow<'a> {
    /// The copy that the engine loads.
    pub winner: File<'a>,
    /// The overridden copy.
    pub hidden: File<'a>,
    search_path: &'a SearchPath,
}

impl Shadow<'_> {
    /// The rule that puts the winner above.
    #[must_use]
    pub fn rule(&self) -> Precedence {
        precedence(self.search_path, &self.winner, &self.hidden)
    }

    /// Whether both copies have the same bytes, so that a player sees no difference. Reads both copies,
    /// unless their sizes differ. Returns `None` if they exceed the budget, because a small archive can claim
    /// terabytes: see [`decode_budget`].
    ///
    /// # Errors
    /// The errors of [`File::read`].
    pub fn is_same_content(&self, budget: &mut DecodeBudget) -> Result<Option<bool>, Error> {
        let of_entry = |hit: &File<'_>| if hit.entry().is_some() { hit.size() } else { 0 };
        let cost = of_entry(&self.winner).saturating_add(of_entry(&self.hidden));
        if self.winner.size() == self.hidden.size() && !budget.take(cost) {
            return Ok(None);
        }
        self.winner.is_same_content(&self.hidden).map(Some)
    }
}

/// The limit on decoded bytes for a report about the whole search path: 100 times the size of the archives,
/// and at least 1 GiB.
#[must_use]
pub fn decode_budget(search_path: &SearchPath) -> DecodeBudget {
    let archives = search_path.layers().filter_map(|layer| layer.archive());
    DecodeBudget::for_archive(archives.map(Archive::size).fold(0, u64::saturating_add))
}

/// Every overridden copy with its winner, sorted by name, then the highest copy first. If loose files are
/// [`Live`](crate::LooseFiles::Live), this lists the folders.
#[must_use]
pub fn shadows(search_path: &SearchPath) -> Vec<Shadow<'_>> {
    search_path
        .overlaps()
        .into_iter()
        .flat_map(|(winner, hidden)| {
            hidden.into_iter().map(move |hidden| Shadow {
                winner: winner.clone(),
                hidden,
                search_path: search_path,
            })
        })
        .collect()
}
