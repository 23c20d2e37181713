//! The lookup: one hash and one probe for all archives, then the folders that rank above what was found.

use std::sync::{Arc, OnceLock};

use camino::Utf8PathBuf;
use smallvec::SmallVec;

use super::builder::Builder;
use super::folder::{Folder, FolderAnswer};
use super::hit::{Hit, LooseName};
use super::index::{FileId, Hashed, Index, Names};
use super::layer::{Layer, Source};
use super::listing::{ListAnswer, Listing};
use super::names::SortedNames;
use crate::archive::{Archive, NameFields};
use crate::finding::Finding;
use crate::rules::{Case, QPath, Rules};

/// A mounted stack: layers, and what finds names in them.
pub(super) struct Stack {
    pub(super) rules: Arc<Rules>,
    pub(super) layers: Arc<Layers>,
    pub(super) archives: Arc<Index>,
    /// The folders among the layers, highest first.
    pub(super) folders: Vec<u16>,
    /// The files in the folders, if they are listed.
    pub(super) listing: Option<Listing>,
    /// Whether loose files in folders are passed over, as in the shareware of some engines.
    pub(super) top_level_only: bool,
    /// The archives' names in byte order, sorted when they are first asked for.
    pub(super) names: OnceLock<SortedNames>,
    pub(super) builder: Arc<Builder>,
    pub(super) user: Option<Utf8PathBuf>,
    pub(super) write_dir: Option<Utf8PathBuf>,
    /// Archives on disk that the rules leave out: the name as layers are named, and the path.
    pub(super) left_out: Arc<[(String, Utf8PathBuf)]>,
    pub(super) findings: Arc<[Finding]>,
    /// What was found when the folders were listed.
    pub(super) listing_findings: Vec<Finding>,
}

/// The layers, lowest first, and of each the name fields if it has such: where the index finds the names of entries.
pub(super) struct Layers(pub(super) Vec<Layer>, Vec<Option<NameFields>>);

impl Layers {
    pub(super) fn new(layers: Vec<Layer>) -> Self {
        let fields = layers.iter().map(|layer| layer.archive().and_then(Archive::name_fields)).collect();
        Layers(layers, fields)
    }

    #[inline]
    fn fields(&self, layer: u16) -> Option<&NameFields> {
        self.1.get(usize::from(layer))?.as_ref()
    }

    #[inline]
    pub(super) fn get(&self, layer: u16) -> Option<&Layer> {
        self.0.get(usize::from(layer))
    }

    /// The layers with their numbers.
    pub(super) fn numbered(&self) -> impl DoubleEndedIterator<Item = (u16, &Layer)> {
        // a stack of more layers is refused when it is mounted
        self.0.iter().enumerate().filter_map(|(number, layer)| Some((u16::try_from(number).ok()?, layer)))
    }
}

impl Names for Layers {
    #[inline]
    fn is(&self, id: FileId, name: &[u8], case: Case) -> bool {
        if let Some(fields) = self.fields(id.layer) {
            return fields.is_named(id.file, name, case);
        }
        match self.get(id.layer) {
            Some(Layer { source: Source::Archive(archive), .. }) => archive.is_named(id.file, name, case),
            _ => false,
        }
    }

    #[inline]
    fn name(&self, id: FileId) -> &[u8] {
        if let Some(fields) = self.fields(id.layer) {
            return fields.name(id.file);
        }
        match self.get(id.layer) {
            Some(Layer { source: Source::Archive(archive), .. }) => archive.name(id.file),
            _ => &[],
        }
    }

    fn is_searched(&self, id: FileId) -> bool {
        match self.get(id.layer) {
            Some(Layer { source: Source::Archive(archive), .. }) => {
                !archive.is_dropped(id.file) && !archive.is_empty_folder(id.file)
            }
            _ => false,
        }
    }
}

/// Where a lookup ended, before it becomes a [`Hit`].
pub(super) enum Found {
    Entry(FileId),
    /// A loose file, and how the disk spells its name where that is not as requested.
    Live {
        layer: u16,
        name: Option<Box<[u8]>>,
        size: u64,
    },
    Listed(FileId),
}

enum Answer {
    File(Found),
    Nothing,
    Hides,
}

impl Stack {
    #[inline]
    pub(super) fn locate(&self, listing: Option<&Listing>, request: &[u8]) -> Option<Found> {
        // The index holds only names that are read as themselves, so a request that is in it as it stands needs
        // no reading.
        let request = self.archives.hashed(request);
        let best = self.archives.find(request, &*self.layers);
        let above = |folder: &u16| best.is_none_or(|best| *folder > best.layer);
        if best.is_some() && !self.folders.first().is_some_and(above) {
            return best.map(Found::Entry);
        }
        self.locate_further(listing, request, best)
    }

    /// Where the archives do not have the last word.
    fn locate_further(
        &self,
        listing: Option<&Listing>,
        request: Hashed<'_>,
        best: Option<FileId>,
    ) -> Option<Found> {
        let requests = &self.rules.requests;
        if QPath::is_as_requested(request.name, requests) {
            return self.locate_in_folders(listing, request, best);
        }
        let qpath = QPath::new(request.name, requests).ok()?;
        let best = match best {
            None if qpath.in_archives() != request.name => {
                self.archives.find(self.archives.hashed(qpath.in_archives()), &*self.layers)
            }
            _ => best,
        };
        self.locate_in_folders(listing, self.archives.hashed(qpath.in_folders()), best)
    }

    /// The loose file that ranks above the best entry, or that entry.
    #[inline]
    fn locate_in_folders(
        &self,
        listing: Option<&Listing>,
        name: Hashed<'_>,
        best: Option<FileId>,
    ) -> Option<Found> {
        let above = |folder: &&u16| best.is_none_or(|best| **folder > best.layer);
        if !self.asks_folders(name.name) {
            return best.map(Found::Entry);
        }
        match listing.and_then(|listing| listing.find_at_once(name)) {
            Some(ListAnswer::File(loose)) if above(&&loose.layer) => return Some(Found::Listed(loose)),
            Some(_) => return best.map(Found::Entry),
            None => {}
        }
        let name = name.name;
        for &folder in self.folders.iter().take_while(above) {
            match self.ask(listing, folder, name) {
                Answer::File(found) => return Some(found),
                Answer::Nothing => {}
                Answer::Hides => return None,
            }
        }
        best.map(Found::Entry)
    }

    /// Whether folders are asked for a name.
    #[inline]
    fn asks_folders(&self, name: &[u8]) -> bool {
        !(name.is_empty() || self.top_level_only && name.contains(&b'/'))
    }

    fn ask(&self, listing: Option<&Listing>, layer: u16, name: &[u8]) -> Answer {
        if let Some(listing) = listing {
            return match listing.ask(layer, name) {
                ListAnswer::File(id) => Answer::File(Found::Listed(id)),
                ListAnswer::Nothing => Answer::Nothing,
                ListAnswer::Hides => Answer::Hides,
            };
        }
        match self.layers.get(layer) {
            Some(Layer { source: Source::Folder(folder), .. }) => match folder.find(name) {
                FolderAnswer::File { name, size } => Answer::File(Found::Live { layer, name, size }),
                FolderAnswer::Nothing => Answer::Nothing,
                FolderAnswer::Hides => Answer::Hides,
            },
            _ => Answer::Nothing,
        }
    }

    /// Every copy, the winner first.
    pub(super) fn locate_all(&self, listing: Option<&Listing>, request: &[u8]) -> Vec<Found> {
        let Ok(qpath) = QPath::new(request, &self.rules.requests) else { return Vec::new() };
        let mut copies = Vec::new();
        let asked = if self.asks_folders(qpath.in_folders()) { &*self.folders } else { &[] };
        let mut folders = asked.iter().copied().peekable();
        let mut entries = self.archives.copies(qpath.in_archives(), &*self.layers).peekable();
        loop {
            let entry = entries.peek().map(|id| id.layer);
            match folders.peek() {
                Some(&folder) if entry.is_none_or(|entry| folder > entry) => {
                    folders.next();
                    match self.ask(listing, folder, qpath.in_folders()) {
                        Answer::File(found) => copies.push(found),
                        Answer::Hides if copies.is_empty() => return copies,
                        Answer::Nothing | Answer::Hides => {}
                    }
                }
                _ => match entries.next() {
                    Some(id) => copies.push(Found::Entry(id)),
                    None => return copies,
                },
            }
        }
    }

    /// A hit of a lookup in this stack's own listing.
    #[inline]
    pub(super) fn hit(&self, found: Found, request: &[u8]) -> Option<Hit<'_>> {
        match found {
            Found::Entry(id) => self.entry_hit(id),
            Found::Listed(id) => {
                let listing = self.listing.as_ref()?;
                self.loose_hit(id.layer, LooseName::Lent(listing.name(id)), listing.size(id))
            }
            Found::Live { layer, name: Some(name), size } => {
                self.loose_hit(layer, LooseName::Kept(SmallVec::from_slice(&name)), Some(size))
            }
            Found::Live { layer, name: None, size } => {
                let qpath = QPath::new(request, &self.rules.requests).ok()?;
                self.loose_hit(layer, LooseName::Kept(SmallVec::from_slice(qpath.in_folders())), Some(size))
            }
        }
    }

    /// A hit of a lookup in another listing, which the hit outlives.
    pub(super) fn kept_hit(&self, found: Found, listing: &Listing, request: &[u8]) -> Option<Hit<'_>> {
        match found {
            Found::Listed(id) => {
                let name = SmallVec::from_slice(listing.name(id));
                self.loose_hit(id.layer, LooseName::Kept(name), listing.size(id))
            }
            found => self.hit(found, request),
        }
    }

    #[inline]
    pub(super) fn entry_hit(&self, id: FileId) -> Option<Hit<'_>> {
        let layer = self.layers.get(id.layer)?;
        let Source::Archive(archive) = &layer.source else { return None };
        Some(Hit::entry_of(layer, archive, id.file))
    }

    fn loose_hit<'a>(&'a self, layer: u16, name: LooseName<'a>, size: Option<u64>) -> Option<Hit<'a>> {
        let layer = self.layers.get(layer)?;
        Some(Hit::loose(layer, folder_of(layer)?, name, size))
    }
}

fn folder_of(layer: &Layer) -> Option<&Arc<Folder>> {
    match &layer.source {
        Source::Folder(folder) => Some(folder),
        Source::Archive(_) => None,
    }
}
