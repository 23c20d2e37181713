//! The files of a stack, each name once.

use std::ops::Range;

use super::hit::Hit;
use super::index::{FileId, Names as _};
use super::layer::Layer;
use super::listing::Listing;
use super::lookup::{Found, Layers, Stack};
use super::search_path::SearchPath;
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
        let hits = self.served(listing).filter_map(|(found, name)| self.kept_hit(found, listing, name));
        sort_by_name(hits.collect())
    }

    /// The winner of each name, in no order.
    fn served<'s>(&'s self, listing: &'s Listing) -> impl Iterator<Item = (Found, &'s [u8])> {
        let entries = self.archives.winners().filter_map(move |id| {
            let name = Layers::name(&self.layers, id);
            match self.locate(Some(listing), name) {
                Some(Found::Entry(served)) if served == id => Some((Found::Entry(id), name)),
                _ => None,
            }
        });
        let loose = listing.files().filter_map(move |id| {
            let name = listing.name(id);
            match self.locate(Some(listing), name) {
                Some(Found::Listed(served)) if served == id => {
                    let hit = self.kept_hit(Found::Listed(id), listing, name)?;
                    (!self.is_layer(&hit)).then_some((Found::Listed(id), name))
                }
                _ => None,
            }
        });
        entries.chain(loose)
    }

    /// Whether a loose file is an archive that is a layer itself.
    pub(super) fn is_layer(&self, loose: &Hit<'_>) -> bool {
        let name = loose.name();
        let archives = self.layers.0.iter().filter(|layer| layer.archive().is_some()).filter_map(Layer::path);
        // the path of a loose file takes an allocation
        let mut alike =
            archives.filter(|path| path.as_str().as_bytes().ends_with(name.as_bytes())).peekable();
        alike.peek().is_some() && {
            let path = loose.path();
            alike.any(|other| path.as_deref() == Some(other))
        }
    }
}

/// What a comparison asks of stacks whose folders are listed: files by their numbers.
impl SearchPath {
    /// The name of each file that [`files`](SearchPath::files) lists, in no order.
    pub(crate) fn served_names(&self) -> impl Iterator<Item = &[u8]> {
        let listing = self.0.listing.as_ref().into_iter();
        listing.flat_map(|listing| self.0.served(listing)).map(|(_, name)| name)
    }

    /// The copy that [`find`](SearchPath::find) gives.
    pub(crate) fn locate(&self, name: &[u8]) -> Option<FileId> {
        numbered(&self.0.locate(self.0.listing.as_ref(), name)?)
    }

    /// Every copy, as [`copies`](SearchPath::copies) gives them.
    pub(crate) fn locate_all(&self, name: &[u8]) -> Vec<FileId> {
        self.0.locate_all(self.0.listing.as_ref(), name).iter().filter_map(numbered).collect()
    }

    /// Whether a file is a loose one.
    pub(crate) fn is_loose(&self, file: FileId) -> bool {
        self.0.layers.get(file.layer).is_some_and(|layer| layer.archive().is_none())
    }

    /// The name that finds a file.
    pub(crate) fn name_of(&self, file: FileId) -> &[u8] {
        match &self.0.listing {
            Some(listing) if self.is_loose(file) => listing.name(file),
            _ => Layers::name(&self.0.layers, file),
        }
    }
}

/// A file that was not found by asking the disk.
fn numbered(found: &Found) -> Option<FileId> {
    match found {
        Found::Entry(id) | Found::Listed(id) => Some(*id),
        Found::Live { .. } => None,
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
