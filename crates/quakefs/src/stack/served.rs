//! The files of a stack, each name once.

use std::ops::Range;

use super::hit::Hit;
use super::index::Names as _;
use super::listing::Listing;
use super::lookup::{Found, Layers, Stack};
use crate::finding::Finding;

impl Stack {
    /// Works with the listing that is kept, or with one of the folders as they are now.
    pub(super) fn with_listing<T>(&self, work: impl FnOnce(&Listing, Vec<Finding>) -> T) -> T {
        if let Some(listing) = &self.listing {
            return work(listing, Vec::new());
        }
        let (listing, findings) = Listing::new(&self.layers.0, &self.rules);
        work(&listing, findings)
    }

    /// The winner of each name, sorted by name.
    pub(super) fn files(&self, listing: &Listing) -> Vec<Hit<'_>> {
        let mut hits = Vec::new();
        for id in self.archives.winners() {
            let name = Layers::name(&self.layers, id);
            if let Some(Found::Entry(served)) = self.locate(Some(listing), name)
                && served == id
            {
                hits.extend(self.entry_hit(id));
            }
        }
        for id in listing.files() {
            let name = listing.name(id);
            if let Some(Found::Listed(served)) = self.locate(Some(listing), name)
                && served == id
            {
                let hit = self.kept_hit(Found::Listed(id), listing, name);
                hits.extend(hit.filter(|hit| !self.is_layer(hit)));
            }
        }
        sort_by_name(hits)
    }

    /// Whether a loose file is an archive that is a layer itself.
    pub(super) fn is_layer(&self, loose: &Hit<'_>) -> bool {
        let path = loose.path();
        self.layers.0.iter().any(|layer| layer.archive().is_some() && layer.path() == path.as_deref())
    }
}

/// Sorts by copies of the names: a mapped archive may change meanwhile, and its names with it.
fn sort_by_name(hits: Vec<Hit<'_>>) -> Vec<Hit<'_>> {
    let mut names = Vec::new();
    let mut keyed: Vec<_> = hits
        .into_iter()
        .map(|hit| {
            let start = names.len();
            names.extend_from_slice(hit.name().as_bytes());
            (start..names.len(), hit)
        })
        .collect();
    let name = |range: &Range<usize>| names.get(range.clone()).unwrap_or_default();
    keyed.sort_unstable_by(|(a, _), (b, _)| name(a).cmp(name(b)));
    keyed.into_iter().map(|(_, hit)| hit).collect()
}

/// Files of a [`SearchPath`](crate::SearchPath): an iterator over hits, sorted by name.
#[derive(Debug)]
pub struct Hits<'a> {
    pub(super) hits: std::vec::IntoIter<Hit<'a>>,
    pub(super) findings: Vec<Finding>,
}

impl Hits<'_> {
    /// What could not be listed, where the folders were listed for this.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl<'a> Iterator for Hits<'a> {
    type Item = Hit<'a>;

    fn next(&mut self) -> Option<Hit<'a>> {
        self.hits.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.hits.size_hint()
    }
}

impl DoubleEndedIterator for Hits<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.hits.next_back()
    }
}

impl ExactSizeIterator for Hits<'_> {}
