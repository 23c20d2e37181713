//! The lookup: one hash and one probe for all archives, then the folders that rank above the match.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::answer::Answer;
use super::file::{File, LooseName};
use super::folder::{By, LooseFile};
use super::index::{FileId, Hashed};
use super::layer::Layer;
use super::listing::Listing;
use super::mounted::Mounted;
use super::names::SortedNames;
use crate::disk::Opened;
use crate::finding::Finding;
use crate::rules::QPath;

/// A mounted search path, with a listing of its folders if there is one.
pub(crate) struct Core {
    pub(crate) mounted: Arc<Mounted>,
    /// The folders among the layers, highest first.
    pub(super) folders: Vec<u16>,
    pub(super) listing: Option<Listing>,
    /// Findings from listing the folders.
    pub(super) listing_findings: Vec<Finding>,
    /// Whether loose files in subfolders are ignored, as some engines do with the shareware.
    pub(super) top_level_only: bool,
    /// The archives' names in byte order, sorted on first use.
    pub(super) names: OnceLock<SortedNames>,
    /// The archives among the layers by the names of their files, made on first use.
    pub(super) archives_by_file: OnceLock<HashMap<Box<[u8]>, Vec<u16>>>,
    /// The games beside this one, found on first use.
    pub(crate) other_games: Arc<OnceLock<Vec<OtherGame>>>,
    /// The archives where the engine does not look, found on first use.
    pub(crate) hidden: OnceLock<Vec<Hidden>>,
    /// The folders of music beside the search path, found on first use.
    pub(crate) music: OnceLock<Option<Arc<Core>>>,
}

/// A game that is not mounted, but would be if the engine were started with it.
#[derive(Clone)]
pub(crate) struct OtherGame {
    /// The name of the directory, for `-game`.
    pub(crate) directory: String,
    /// The mission flag that adds the directory, without its dash, if there is one.
    pub(crate) mission: Option<String>,
    /// The layers that the engine would add for the game.
    pub(crate) search_path: Arc<Core>,
}

/// An archive where the engine does not look, in a subfolder or inside another archive. It is named like a
/// layer.
pub(crate) struct Hidden {
    pub(crate) archive: String,
    /// The folder or the archive that contains it.
    pub(crate) folder: String,
    /// The game directory.
    pub(crate) directory: String,
    /// The names of its files as the engine compares them.
    pub(crate) names: HashSet<Vec<u8>>,
}

impl Deref for Core {
    type Target = Mounted;

    #[inline]
    fn deref(&self) -> &Mounted {
        &self.mounted
    }
}

/// The result of a lookup, before it becomes a [`File`].
pub(super) enum Located {
    Entry(FileId),
    /// A loose file found on disk.
    Live {
        layer: u16,
        file: LooseFile,
    },
    Listed(FileId),
}

/// How a lookup searches folders.
#[derive(Clone, Copy)]
pub(super) enum Ask<'l> {
    Listing(&'l Listing),
    Disk(By),
}

impl<'l> Ask<'l> {
    /// By this listing, or else on the disk.
    fn of(listing: Option<&'l Listing>, by: By) -> Self {
        listing.map_or(Ask::Disk(by), Ask::Listing)
    }

    fn listing(self) -> Option<&'l Listing> {
        match self {
            Ask::Listing(listing) => Some(listing),
            Ask::Disk(_) => None,
        }
    }
}

impl Core {
    /// Finds the winner, with the search path's own listing if it has one.
    #[inline]
    pub(crate) fn find(&self, request: &[u8]) -> Option<File<'_>> {
        self.find_by(request, By::Looking)
    }

    #[inline]
    pub(super) fn find_by(&self, request: &[u8], by: By) -> Option<File<'_>> {
        // The index holds only names that are read as themselves, so a request that is in it as it stands
        // needs no reading.
        let request = self.archives.hashed(request);
        match self.archives.find(request, &self.layers) {
            Some(best) if self.is_served(best) => self.entry_file(best),
            None if self.is_nowhere(request) => None,
            best => self.find_further(request, best, by),
        }
    }

    /// Whether no layer can have the name, which no archive has: the engine reads it unchanged, and no
    /// listing has it.
    #[inline]
    fn is_nowhere(&self, request: Hashed<'_>) -> bool {
        let listing = self.listing.as_ref();
        let at_once = || listing.and_then(|listing| listing.find_at_once(request));
        (self.folders.is_empty() || matches!(at_once(), Some(Answer::Nothing)))
            && QPath::is_as_requested(request.name, &self.rules.requests)
    }

    /// The rest of [`find_by`](Self::find_by). Not inlined, because most lookups end before it.
    #[inline(never)]
    fn find_further(&self, request: Hashed<'_>, best: Option<FileId>, by: By) -> Option<File<'_>> {
        let ask = Ask::of(self.listing.as_ref(), by);
        let found = self.locate_further(ask, request, best)?;
        self.file(found, request.name)
    }

    pub(super) fn locate(&self, listing: Option<&Listing>, request: &[u8]) -> Option<Located> {
        let request = self.archives.hashed(request);
        match self.archives.find(request, &self.layers) {
            Some(best) if self.is_served(best) => Some(Located::Entry(best)),
            best => self.locate_further(Ask::of(listing, By::Looking), request, best),
        }
    }

    /// Whether this is the shareware, and the engine then ignores loose files in subfolders.
    pub(super) fn is_top_level_only(&self) -> bool {
        self.rules.registered.as_ref().is_some_and(|registered| {
            let shareware = registered.shareware.as_ref();
            shareware.is_some_and(|shareware| shareware.only_top_level)
                && self.locate(self.listing.as_ref(), registered.file.as_bytes()).is_none()
                && shareware.is_some_and(|shareware| {
                    let lowest = self.layers.0.iter().find_map(Layer::archive);
                    lowest.is_some_and(|archive| archive.rows() == shareware.entries)
                })
        })
    }

    /// Whether the best entry wins without a search in folders.
    #[inline]
    fn is_served(&self, best: FileId) -> bool {
        !self.has_folder_above(best) && self.rules.requests.loose_only.is_empty()
    }

    #[inline]
    fn has_folder_above(&self, best: FileId) -> bool {
        self.folders.first().is_some_and(|highest| *highest > best.layer)
    }

    /// Finds the loose file that ranks above the best entry, or returns that entry.
    #[inline]
    fn locate_further(&self, ask: Ask<'_>, request: Hashed<'_>, best: Option<FileId>) -> Option<Located> {
        let read;
        let (name, best) = if QPath::is_as_requested(request.name, &self.rules.requests) {
            (request, best)
        } else {
            read = QPath::new(request.name, &self.rules.requests).ok()?;
            if read.in_game_folder() {
                return self.in_game_folder(ask, read.in_folders());
            }
            let asked = !read.in_archives().is_empty();
            let best = best.or_else(|| self.best_other_than(request.name, read.in_archives()));
            let best = best.filter(|_| asked);
            (self.archives.hashed(read.in_folders()), best)
        };
        match ask.listing().and_then(|listing| listing.find_at_once(name)) {
            Some(Answer::Nothing) => best.map(Located::Entry),
            at_once => self.locate_in_folders(ask, name.name, best, at_once),
        }
    }

    /// A loose file of the highest game directory.
    #[cold]
    fn in_game_folder(&self, ask: Ask<'_>, name: &[u8]) -> Option<Located> {
        let highest = self.places.game_folder.as_deref()?;
        let mut folders = self.folders.iter().copied();
        let folder = folders
            .find(|folder| self.layers.get(*folder).is_some_and(|layer| layer.name() == highest))
            .filter(|_| self.asks_folders(name))?;
        match self.ask(ask, folder, name) {
            Answer::File(found) => Some(found),
            Answer::Nothing | Answer::Hides => None,
        }
    }

    /// Whether the best entry of the archives ranks above all folders.
    pub(super) fn is_above_folders(&self, best: FileId, name: &[u8], listing: &Listing) -> bool {
        let locate = || self.locate_further(Ask::Listing(listing), self.archives.hashed(name), Some(best));
        !self.has_folder_above(best) || matches!(locate(), Some(Located::Entry(served)) if served == best)
    }

    /// The best entry of `name`. Returns `None` if it equals `before`, whose lookup already failed.
    #[cold]
    fn best_other_than(&self, before: &[u8], name: &[u8]) -> Option<FileId> {
        (name != before).then(|| self.archives.find(self.archives.hashed(name), &self.layers))?
    }

    /// Finds the loose file that ranks above the best entry, or returns that entry. `at_once` is the answer
    /// of all folders together, if there is one.
    #[inline(never)]
    fn locate_in_folders(
        &self,
        ask: Ask<'_>,
        name: &[u8],
        best: Option<FileId>,
        at_once: Option<Answer<FileId>>,
    ) -> Option<Located> {
        let above = |folder: &&u16| best.is_none_or(|best| **folder > best.layer);
        if !self.asks_folders(name) {
            return best.map(Located::Entry);
        }
        match at_once {
            Some(Answer::File(loose)) if above(&&loose.layer) => return Some(Located::Listed(loose)),
            Some(_) => return best.map(Located::Entry),
            None => {}
        }
        for &folder in self.folders.iter().take_while(above) {
            match self.ask(ask, folder, name) {
                Answer::File(found) => return Some(found),
                Answer::Nothing => {}
                Answer::Hides => return None,
            }
        }
        best.map(Located::Entry)
    }

    /// Whether the engine searches folders for a name.
    #[inline]
    fn asks_folders(&self, name: &[u8]) -> bool {
        !(name.is_empty() || self.top_level_only && name.contains(&b'/'))
    }

    fn ask(&self, ask: Ask<'_>, layer: u16, name: &[u8]) -> Answer<Located> {
        let folder = self.layers.get(layer).and_then(Layer::folder);
        let Some(folder) = folder.filter(|folder| folder.admits(name)) else { return Answer::Nothing };
        match ask {
            Ask::Listing(listing) => listing.ask(layer, name).map(Located::Listed),
            Ask::Disk(by) => folder.find(name, by).map(|file| Located::Live { layer, file }),
        }
    }

    /// All copies, the winner first.
    pub(super) fn locate_all(&self, listing: Option<&Listing>, request: &[u8]) -> Vec<Located> {
        let Ok(qpath) = QPath::new(request, &self.rules.requests) else { return Vec::new() };
        let mut copies = Vec::new();
        let ask = Ask::of(listing, By::Looking);
        if qpath.in_game_folder() {
            return self.in_game_folder(ask, qpath.in_folders()).into_iter().collect();
        }
        let asked = if self.asks_folders(qpath.in_folders()) { &*self.folders } else { &[] };
        let mut folders = asked.iter().copied().peekable();
        let mut entries = self.archives.copies(qpath.in_archives(), &self.layers).peekable();
        loop {
            let entry = entries.peek().map(|id| id.layer);
            match folders.peek() {
                Some(&folder) if entry.is_none_or(|entry| folder > entry) => {
                    folders.next();
                    match self.ask(ask, folder, qpath.in_folders()) {
                        Answer::File(found) => copies.push(found),
                        Answer::Hides if copies.is_empty() => return copies,
                        Answer::Nothing | Answer::Hides => {}
                    }
                }
                _ => match entries.next() {
                    Some(id) => copies.push(Located::Entry(id)),
                    None => return copies,
                },
            }
        }
    }

    /// Makes the file for a result from the search path's own listing.
    #[inline]
    pub(super) fn file(&self, found: Located, request: &[u8]) -> Option<File<'_>> {
        match found {
            Located::Entry(id) => self.entry_file(id),
            Located::Listed(id) => {
                let listing = self.listing.as_ref()?;
                self.loose_file(id.layer, LooseName::Lent(listing.name(id)), true, listing.size(id), None)
            }
            Located::Live { layer, file } => self.live_file(layer, file, request),
        }
    }

    #[inline(never)]
    fn live_file(&self, layer: u16, file: LooseFile, request: &[u8]) -> Option<File<'_>> {
        let name = match file.name {
            Some(name) => LooseName::kept(&name),
            None => LooseName::kept(QPath::new(request, &self.rules.requests).ok()?.in_folders()),
        };
        self.loose_file(layer, name, false, Some(file.size), file.opened)
    }

    /// Makes the file for a result from a temporary listing.
    pub(super) fn kept_file(&self, found: Located, listing: &Listing, request: &[u8]) -> Option<File<'_>> {
        match found {
            Located::Listed(id) => {
                let name = LooseName::kept(listing.name(id));
                self.loose_file(id.layer, name, true, listing.size(id), None)
            }
            found => self.file(found, request),
        }
    }

    #[inline]
    pub(super) fn entry_file(&self, id: FileId) -> Option<File<'_>> {
        let layer = self.layers.get(id.layer)?;
        layer.archive().map(|_| File::in_archive(layer, id.file))
    }

    fn loose_file<'a>(
        &'a self,
        layer: u16,
        name: LooseName<'a>,
        is_listed: bool,
        size: Option<u64>,
        opened: Option<Box<Opened>>,
    ) -> Option<File<'a>> {
        let layer = self.layers.get(layer)?;
        layer.folder().map(|_| File::in_folder(layer, name, is_listed, size, opened))
    }
}
