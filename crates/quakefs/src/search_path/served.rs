//! The winners of a search path, each name once.

use super::file::File;
use super::folder_list::Detail;
use super::index::{FileId, Names as _};
use super::layer::Layer;
use super::listing::Listing;
use super::lookup::{Core, Located};
use super::mounted::Layers;
use super::names::SortedNames;
use crate::finding::Finding;
use crate::rules::QPath;

impl Core {
    /// Runs `work` with the kept listing, or with a new listing of the folders.
    pub(super) fn with_listing<T>(&self, work: impl FnOnce(&Listing, Vec<Finding>) -> T) -> T {
        if let Some(listing) = &self.listing {
            return work(listing, Vec::new());
        }
        let (listing, findings) = Listing::new(&self.mounted, Detail::Names);
        work(&listing, findings)
    }

    /// The winner of each name, sorted by name.
    pub(super) fn files(&self, listing: &Listing) -> Vec<File<'_>> {
        let names: SortedNames = self.served(listing).into_iter().collect();
        names.files().filter_map(|file| self.listed_file(file, listing)).collect()
    }

    /// For each name with several copies, the winner and the overridden copies, highest first. Sorted by
    /// name.
    pub(super) fn groups(&self, listing: &Listing) -> Vec<(File<'_>, Vec<File<'_>>)> {
        // most names have one copy, which the indexes tell without an allocation
        let has_more = |name: &[u8]| {
            self.has_one_copy(listing, name) != Some(true) && self.locate_all(Some(listing), name).len() > 1
        };
        let names: SortedNames =
            self.served(listing).into_iter().filter(|(name, _)| has_more(name)).collect();
        let group = |winner| {
            let winner = self.listed_file(winner, listing)?;
            let name = winner.name();
            let overridden = self.locate_all(Some(listing), name.as_bytes()).into_iter().skip(1);
            let overridden =
                overridden.filter_map(|found| self.kept_file(found, listing, name.as_bytes())).collect();
            Some((winner.clone(), overridden))
        };
        names.files().filter_map(group).collect()
    }

    /// Whether a stored name has one copy. `None` if only a lookup can tell.
    fn has_one_copy(&self, listing: &Listing, name: &[u8]) -> Option<bool> {
        let loose = listing.most_copies(name)?;
        let entries = self.archives.copies(name, &self.layers).take(2).count();
        QPath::is_as_requested(name, &self.rules.requests).then_some(loose + entries <= 1)
    }

    /// Each name and its winner, first in archives, then loose, in the order of their numbers.
    pub(super) fn served<'s>(&'s self, listing: &'s Listing) -> Vec<(&'s [u8], FileId)> {
        let mut served = Vec::new();
        for id in self.archives.winners() {
            let name = Layers::name(&self.layers, id);
            if self.is_above_folders(id, name, listing) {
                served.push((name, id));
            }
        }
        for id in listing.files() {
            let name = listing.name(id);
            if matches!(self.locate(Some(listing), name), Some(Located::Listed(served)) if served == id)
                && !self.listed_file(id, listing).is_some_and(|file| self.is_layer(&file))
            {
                served.push((name, id));
            }
        }
        served
    }

    /// A file in the archives or in a temporary listing.
    fn listed_file(&self, file: FileId, listing: &Listing) -> Option<File<'_>> {
        let is_entry = self.layers.get(file.layer)?.archive().is_some();
        self.kept_file(if is_entry { Located::Entry(file) } else { Located::Listed(file) }, listing, &[])
    }

    /// Whether a loose file is an archive that is mounted as a layer.
    pub(super) fn is_layer(&self, loose: &File<'_>) -> bool {
        let name = loose.name();
        let archives = self.layers.0.iter().filter(|layer| layer.archive().is_some()).filter_map(Layer::path);
        // compared first, because the path of a loose file needs an allocation
        let mut alike =
            archives.filter(|path| path.as_str().as_bytes().ends_with(name.as_bytes())).peekable();
        let has_path = alike.peek().is_some() && {
            let path = loose.loose_path();
            alike.any(|other| path.as_deref() == Some(other))
        };
        // the archive of a caller's reader may not know its path
        let has_name = |layer: &Layer| {
            let folder = layer.name().as_bytes().strip_suffix(name.as_bytes());
            folder == Some(loose.layer().name().as_bytes())
        };
        let mut read =
            self.layers.0.iter().filter(|layer| layer.archive().is_some() && layer.path().is_none());
        has_path || read.any(has_name)
    }
}

/// Files of a [`SearchPath`](crate::SearchPath): an iterator over files, sorted by name.
#[derive(Debug)]
pub struct FileIter<'a> {
    pub(super) files: std::vec::IntoIter<File<'a>>,
    pub(super) findings: Vec<Finding>,
}

impl FileIter<'_> {
    /// Findings about folders that could not be listed.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl<'a> Iterator for FileIter<'a> {
    type Item = File<'a>;

    fn next(&mut self) -> Option<File<'a>> {
        self.files.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.files.size_hint()
    }
}

impl DoubleEndedIterator for FileIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.files.next_back()
    }
}

impl ExactSizeIterator for FileIter<'_> {}
