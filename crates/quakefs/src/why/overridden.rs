//! Overridden copies.

use crate::findings::Precedence;
use crate::{Archive, Error, File, SearchPath};
use pak_format::verify::DecodeBudget;

use crate::why::precedence::precedence;

/// An overridden copy and its winner.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Overridden<'a> {
    /// The copy that the engine loads.
    pub winner: File<'a>,
    /// The overridden copy.
    pub copy: File<'a>,
    search_path: &'a SearchPath,
}

impl Overridden<'_> {
    /// The rule that puts the winner above.
    #[must_use]
    pub fn rule(&self) -> Precedence {
        precedence(self.search_path, &self.winner, &self.copy)
    }

    /// Whether both copies have the same bytes, so that a player sees no difference. Reads both copies,
    /// unless their sizes differ. Returns `None` if they exceed the budget, because a small archive can claim
    /// terabytes: see [`decode_budget`].
    ///
    /// # Errors
    /// The errors of [`File::read`].
    pub fn is_same_content(&self, budget: &mut DecodeBudget) -> Result<Option<bool>, Error> {
        let of_entry = |file: &File<'_>| if file.entry().is_some() { file.size() } else { 0 };
        let cost = of_entry(&self.winner).saturating_add(of_entry(&self.copy));
        if self.winner.size() == self.copy.size() && !budget.take(cost) {
            return Ok(None);
        }
        self.winner.is_same_content(&self.copy).map(Some)
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
pub fn overridden(search_path: &SearchPath) -> Vec<Overridden<'_>> {
    search_path
        .overlaps()
        .into_iter()
        .flat_map(|(winner, copies)| {
            copies.into_iter().map(move |copy| Overridden { winner: winner.clone(), copy, search_path })
        })
        .collect()
}
