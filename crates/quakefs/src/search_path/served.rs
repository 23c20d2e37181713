//! The winners of a search path, each name once.

use std::collections::HashMap;
use std::fmt;

use camino::Utf8Path;

use super::file::File;
use super::folder_list::Detail;
use super::index::{FileId, Names as _};
use super::layer::Layer;
use super::listing::Listing;
use super::lookup::{Core, Located};
use super::mounted::Layers;
use super::names::SortedNames;
use crate::disk::split;
use crate::finding::Finding;
use crate::rules::QPath;

impl Core {
    /// Runs `work` with the kept listing, or with a new listing of the folders.
    pub(super) fn with_listing<T>(&self, work: impl FnOnce(&Listing) -> T) -> T {
        match &self.listing {
            Some(listing) => work(listing),
            None => work(&Listing::new(&self.mounted, Detail::Names).0),
        }
    }

    /// The winner of each name, sorted by name. `selected` chooses among the names.
    pub(super) fn files(&self, selected: impl FnOnce(&SortedNames) -> Vec<FileId>) -> FileIter<'_> {
        let files = |listing: &Listing| selected(&self.names_served(listing)).into_iter();
        if let Some(listing) = &self.listing {
            return FileIter { core: self, files: files(listing), made: None, findings: Vec::new() };
        }
        let (made, findings) = Listing::new(&self.mounted, Detail::Names);
        FileIter { core: self, files: files(&made), made: Some(made), findings }
    }

    /// The winners of all names, sorted by name.
    pub(super) fn names_served(&self, listing: &Listing) -> SortedNames {
        self.served(listing).into_iter().collect()
    }

    /// The files of some names, in their order.
    pub(super) fn files_of(&self, names: &SortedNames, listing: &Listing) -> impl Iterator<Item = File<'_>> {
        names.files().filter_map(|file| self.listed_file(file, listing))
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
                && !self.layers.get(id.layer).is_some_and(|layer| self.is_layer(layer, name))
            {
                served.push((name, id));
            }
        }
        served
    }

    /// A file in the archives or in a temporary listing.
    fn listed_file(&self, file: FileId, listing: &Listing) -> Option<File<'_>> {
        self.kept_file(self.located(file), listing, &[])
    }

    fn located(&self, file: FileId) -> Located {
        let is_entry = self.layers.get(file.layer).is_some_and(|layer| layer.archive().is_some());
        if is_entry { Located::Entry(file) } else { Located::Listed(file) }
    }

    /// Whether a loose file of a layer is an archive that is mounted as a layer.
    pub(super) fn is_layer(&self, layer: &Layer, name: &[u8]) -> bool {
        let archives = self.archives_by_file.get_or_init(|| {
            let mut archives: HashMap<Box<[u8]>, Vec<u16>> = HashMap::new();
            for (number, layer) in self.layers.numbered().filter(|(_, layer)| layer.archive().is_some()) {
                let of_path = layer.path().and_then(Utf8Path::file_name).map(str::as_bytes);
                let file = of_path.unwrap_or_else(|| split(layer.name().as_bytes()).1);
                archives.entry(file.into()).or_default().push(number);
            }
            archives
        });
        let Some(alike) = archives.get(split(name).1) else { return false };
        let path = layer.folder().map(|folder| folder.path_of(name));
        alike.iter().filter_map(|number| self.layers.get(*number)).any(|other| match other.path() {
            Some(other) => path.as_ref().is_some_and(|path| path == other),
            // the archive of a caller's reader may not know its path
            None => other.name().as_bytes().strip_suffix(name) == Some(layer.name().as_bytes()),
        })
    }
}

/// Files of a [`SearchPath`](crate::SearchPath): an iterator over files, sorted by name.
pub struct FileIter<'a> {
    core: &'a Core,
    files: std::vec::IntoIter<FileId>,
    /// The listing of the folders, if the search path has none of its own.
    made: Option<Listing>,
    findings: Vec<Finding>,
}

impl<'a> FileIter<'a> {
    /// Findings about folders that could not be listed.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn file(&self, id: FileId) -> Option<File<'a>> {
        match &self.made {
            Some(listing) => self.core.listed_file(id, listing),
            None => self.core.file(self.core.located(id), &[]),
        }
    }
}

impl fmt::Debug for FileIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileIter").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl<'a> Iterator for FileIter<'a> {
    type Item = File<'a>;

    fn next(&mut self) -> Option<File<'a>> {
        let id = self.files.next()?;
        self.file(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.files.size_hint()
    }
}

impl DoubleEndedIterator for FileIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let id = self.files.next_back()?;
        self.file(id)
    }
}

impl ExactSizeIterator for FileIter<'_> {}
