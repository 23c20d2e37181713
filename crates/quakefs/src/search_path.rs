//! The stack of layers, and what can be asked of it.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::data::{FileData, FileReader};
use crate::error::{Error, ErrorKind};
use crate::index::{FileId, Index, Names};
use crate::layer::{Hit, Layer, Place};
use crate::listing::{ListAnswer, Listing};
use crate::mount::Builder;
use crate::problem::Problem;
use crate::qpath::QPath;
use crate::rules::{Case, LooseCase, Rules};
use crate::source::{FolderAnswer, Source};

/// The stack of layers that an engine looks through, mounted.
///
/// It does not change after [`mount`](Builder::mount), is cheap to clone and may be used by many threads at once;
/// [`SharedSearchPath`](crate::SharedSearchPath) swaps one for another.
#[derive(Clone)]
pub struct SearchPath(Arc<Stack>);

pub(crate) struct Stack {
    pub(crate) rules: Rules,
    /// Lowest first.
    pub(crate) layers: Arc<Layers>,
    pub(crate) archives: Arc<Index>,
    /// The folders among the layers, highest first.
    pub(crate) folders: Vec<u16>,
    pub(crate) listing: Option<Listing>,
    pub(crate) has_game: bool,
    pub(crate) write_dir: Option<Utf8PathBuf>,
    pub(crate) problems: Arc<[Problem]>,
    /// What was wrong with the folders when they were listed.
    pub(crate) listing_problems: Vec<Problem>,
}

pub(crate) struct Layers(pub(crate) Vec<Layer>);

impl Layers {
    #[inline]
    fn get(&self, layer: u16) -> Option<&Layer> {
        self.0.get(usize::from(layer))
    }
}

impl Names for Layers {
    #[inline]
    fn is(&self, id: FileId, name: &[u8], case: Case) -> bool {
        match self.get(id.layer) {
            Some(Layer { source: Source::Archive(archive), .. }) => archive.is_named(id.file, name, case),
            _ => false,
        }
    }

    #[inline]
    fn name(&self, id: FileId) -> &[u8] {
        match self.get(id.layer) {
            Some(Layer { source: Source::Archive(archive), .. }) => archive.name(id.file),
            _ => &[],
        }
    }
}

/// Where a lookup ended, before it is told as a [`Hit`].
enum Found {
    Entry(FileId),
    /// A loose file, and how the disk spells it where that is not as asked.
    Live {
        layer: u16,
        name: Option<Box<[u8]>>,
        size: u64,
    },
    Listed(FileId),
}

impl Found {
    fn layer(&self) -> u16 {
        match self {
            Found::Entry(id) | Found::Listed(id) => id.layer,
            Found::Live { layer, .. } => *layer,
        }
    }
}

impl SearchPath {
    /// Starts a stack with a base directory: the folder that holds `id1`.
    pub fn builder(base: impl AsRef<Utf8Path>) -> Builder {
        Builder::new(Some(base.as_ref()))
    }

    /// Starts a stack without a base directory, of the layers that are pushed alone.
    pub fn layers_only() -> Builder {
        Builder::new(None)
    }

    pub(crate) fn from_stack(stack: Stack) -> Self {
        SearchPath(Arc::new(stack))
    }

    /// The copy of a file that the engine would load, or `None`.
    ///
    /// The archives are asked by one hash and one probe. Folders are asked while they rank above what was found
    /// there. A name that no engine may be asked for (see [`QPath`]) is not found.
    #[inline]
    pub fn find<'a, N: AsRef<[u8]> + ?Sized>(&'a self, name: &'a N) -> Option<Hit<'a>> {
        let stack = &*self.0;
        let found = stack.locate(stack.listing.as_ref(), name.as_ref())?;
        stack.hit(found, stack.listing.as_ref(), name.as_ref())
    }

    /// The bytes of the file that the engine would load.
    ///
    /// Fails with [`ErrorKind::NotFound`], [`ErrorKind::Request`], [`ErrorKind::Archive`] or [`ErrorKind::Io`].
    pub fn read<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Result<FileData, Error> {
        self.find(name).ok_or_else(|| self.missing(name.as_ref()))?.read()
    }

    /// The file that the engine would load, as a stream. Fails as [`read`](Self::read) does.
    pub fn open<N: AsRef<[u8]> + ?Sized>(&self, name: &N) -> Result<FileReader, Error> {
        self.find(name).ok_or_else(|| self.missing(name.as_ref()))?.open()
    }

    fn missing(&self, name: &[u8]) -> Error {
        let name = name.to_vec();
        match QPath::new(&name, &self.0.rules.requests).err() {
            Some(reason) => ErrorKind::Request { name, reason }.into(),
            None => ErrorKind::NotFound { name }.into(),
        }
    }

    /// Every copy of a file: the one that [`find`](Self::find) gives, then each that it shadows, from the highest
    /// down. Two rows of one name in one archive are two copies. Empty if there is no winner.
    #[must_use]
    pub fn copies<'a, N: AsRef<[u8]> + ?Sized>(&'a self, name: &'a N) -> Vec<Hit<'a>> {
        let stack = &*self.0;
        let listing = stack.listing.as_ref();
        let found = stack.locate_all(listing, name.as_ref());
        found.into_iter().filter_map(|found| stack.hit(found, listing, name.as_ref())).collect()
    }

    /// Each name once, with the copy that the engine would load, sorted by name.
    ///
    /// The name is [`Hit::name`], and a copy is listed where it is served under that very name. Where loose files are [`Live`](crate::LooseFiles::Live), the folders are
    /// listed now. Archives that are layers themselves are left out, though a request for one is answered.
    #[must_use]
    pub fn files(&self) -> Files<'_> {
        let (listing, problems) = self.0.listing_now();
        let stack = &*self.0;
        let listing = listing.as_ref().or(stack.listing.as_ref());
        let mut hits = stack.files(listing);
        hits.sort_unstable_by(|a, b| a.name().cmp(&b.name()));
        Files { hits: hits.into_iter(), problems }
    }

    /// Every copy that another one hides, with the one that is served instead, sorted by name, then from the
    /// highest copy down.
    #[must_use]
    pub fn shadows(&self) -> Vec<Shadow<'_>> {
        let (listing, _) = self.0.listing_now();
        let stack = &*self.0;
        let listing = listing.as_ref().or(stack.listing.as_ref());
        let mut shadows = Vec::new();
        let mut winners = stack.files(listing);
        winners.sort_unstable_by(|a, b| a.name().cmp(&b.name()));
        for winner in winners {
            let name = winner.name().as_bytes();
            for found in stack.locate_all(listing, name).into_iter().skip(1) {
                let hidden = stack.lasting_hit(found, listing, name);
                shadows.extend(hidden.map(|hidden| Shadow { winner: winner.clone(), hidden }));
            }
        }
        shadows
    }

    /// The files whose names match a [`Pattern`](crate::Pattern), sorted by name; without case where the engine
    /// compares names so.
    ///
    /// Fails with [`ErrorKind::Pattern`].
    #[cfg(feature = "glob")]
    pub fn glob(&self, pattern: &str) -> Result<impl Iterator<Item = Hit<'_>>, Error> {
        let pattern = crate::pattern::Pattern::new(pattern, self.0.rules.case)?;
        Ok(self.files().filter(move |hit| pattern.matches(hit.name())))
    }

    /// The layers, highest first.
    #[must_use]
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> + ExactSizeIterator {
        self.0.layers.0.iter().rev()
    }

    /// What was left out at the mount and why, and what cannot be read or reached.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.0.problems.iter().chain(&self.0.listing_problems)
    }

    pub(crate) fn stack(&self) -> &Stack {
        &self.0
    }

    /// Whether it was started with a game beside the one that the engine comes with.
    pub(crate) fn has_game(&self) -> bool {
        self.0.has_game
    }

    /// The rules that this stack was mounted under.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// The same stack with its folders listed again; the archives are shared with this one. With
    /// [`LooseFiles::Live`](crate::LooseFiles::Live) there is nothing to list, and it is this one.
    #[must_use]
    pub fn refresh(&self) -> SearchPath {
        let stack = &*self.0;
        if stack.listing.is_none() {
            return self.clone();
        }
        let (listing, listing_problems) = Listing::new(&stack.layers.0, &stack.rules);
        SearchPath::from_stack(Stack {
            rules: stack.rules.clone(),
            layers: Arc::clone(&stack.layers),
            archives: Arc::clone(&stack.archives),
            folders: stack.folders.clone(),
            listing: Some(listing),
            has_game: stack.has_game,
            write_dir: stack.write_dir.clone(),
            problems: Arc::clone(&stack.problems),
            listing_problems,
        })
    }
}

impl fmt::Debug for SearchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPath")
            .field("rules", &self.0.rules.name)
            .field("layers", &self.0.layers.0.len())
            .field("problems", &self.problems().count())
            .finish()
    }
}

impl Stack {
    #[inline]
    fn locate(&self, listing: Option<&Listing>, request: &[u8]) -> Option<Found> {
        // The index holds only names that are read as themselves, so a request that is in it as it stands needs
        // no reading.
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
        request: &[u8],
        best: Option<FileId>,
    ) -> Option<Found> {
        let qpath = QPath::new(request, &self.rules.requests).ok()?;
        let best = match best {
            None if qpath.in_archives() != request => self.archives.find(qpath.in_archives(), &*self.layers),
            _ => best,
        };
        let name = qpath.in_folders();
        let above = |folder: &&u16| best.is_none_or(|best| **folder > best.layer);
        if let (Some(listing), LooseCase::Exact) = (listing, self.rules.loose.case) {
            let loose = listing.find_exact(name).filter(|id| above(&&id.layer));
            return loose.map(Found::Listed).or(best.map(Found::Entry));
        }
        for &folder in self.folders.iter().take_while(above) {
            match self.ask(listing, folder, name) {
                Answer::File(found) => return Some(found),
                Answer::Nothing => {}
                Answer::Hides => return None,
            }
        }
        best.map(Found::Entry)
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

    #[inline]
    fn hit<'a>(&'a self, found: Found, listing: Option<&'a Listing>, request: &'a [u8]) -> Option<Hit<'a>> {
        let (layer, name, size) = match found {
            Found::Entry(id) => {
                let layer = self.layers.get(id.layer)?;
                let Source::Archive(archive) = &layer.source else { return None };
                return Some(Hit { layer, place: Place::Entry { archive, row: id.file } });
            }
            Found::Live { layer, name: Some(name), size } => (layer, Cow::Owned(name.into_vec()), size),
            Found::Live { layer, name: None, size } => {
                let qpath = QPath::new(request, &self.rules.requests).ok()?;
                let name = match qpath.as_requested() {
                    Some(name) => Cow::Borrowed(name),
                    None => Cow::Owned(qpath.in_folders().to_vec()),
                };
                (layer, name, size)
            }
            Found::Listed(id) => {
                let listing = listing?;
                (id.layer, Cow::Borrowed(listing.name(id)), listing.size(id))
            }
        };
        self.loose_hit(layer, name, size)
    }

    fn loose_hit<'a>(&'a self, layer: u16, name: Cow<'a, [u8]>, size: u64) -> Option<Hit<'a>> {
        let layer = self.layers.get(layer)?;
        let Source::Folder(folder) = &layer.source else { return None };
        Some(Hit { layer, place: Place::Loose { folder, name, size } })
    }

    /// A hit that outlives the listing and the request, which keep its name otherwise.
    fn lasting_hit(&self, found: Found, listing: Option<&Listing>, request: &[u8]) -> Option<Hit<'_>> {
        if let Found::Entry(_) = found {
            return self.hit(found, None, &[]);
        }
        let layer = found.layer();
        let hit = self.hit(found, listing, request)?;
        self.loose_hit(layer, Cow::Owned(hit.stored().as_bytes().to_vec()), hit.size())
    }

    /// Every copy, the winner first.
    fn locate_all(&self, listing: Option<&Listing>, request: &[u8]) -> Vec<Found> {
        let Ok(qpath) = QPath::new(request, &self.rules.requests) else { return Vec::new() };
        let mut copies = Vec::new();
        let mut folders = self.folders.iter().copied().peekable();
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

    /// A listing of the folders as they are now, where there is none that is kept.
    fn listing_now(&self) -> (Option<Listing>, Vec<Problem>) {
        if self.listing.is_some() {
            return (None, Vec::new());
        }
        let (listing, problems) = Listing::new(&self.layers.0, &self.rules);
        (Some(listing), problems)
    }

    /// The winner of each name, in no order.
    fn files(&self, listing: Option<&Listing>) -> Vec<Hit<'_>> {
        let mut hits = Vec::new();
        for id in self.archives.winners() {
            let found = self.locate(listing, self.layers.name(id));
            if let Some(Found::Entry(served)) = found
                && served == id
            {
                hits.extend(self.hit(Found::Entry(id), None, &[]));
            }
        }
        let Some(listing) = listing else { return hits };
        for id in listing.files() {
            let name = listing.name(id);
            let found = self.locate(Some(listing), name);
            if let Some(Found::Listed(served)) = found
                && served == id
            {
                let hit = self.lasting_hit(Found::Listed(id), Some(listing), name);
                hits.extend(hit.filter(|hit| !self.is_layer(hit)));
            }
        }
        hits
    }

    /// Whether a loose file is an archive that is a layer itself.
    fn is_layer(&self, loose: &Hit<'_>) -> bool {
        let path = loose.path();
        self.layers.0.iter().any(|layer| layer.archive().is_some() && layer.path() == path.as_deref())
    }
}

enum Answer {
    File(Found),
    Nothing,
    Hides,
}

/// The files of a [`SearchPath`]: an iterator over hits, sorted by name.
#[derive(Debug)]
pub struct Files<'a> {
    hits: std::vec::IntoIter<Hit<'a>>,
    problems: Vec<Problem>,
}

impl Files<'_> {
    /// What could not be listed, where the folders were listed for this.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl<'a> Iterator for Files<'a> {
    type Item = Hit<'a>;

    fn next(&mut self) -> Option<Hit<'a>> {
        self.hits.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.hits.size_hint()
    }
}

impl DoubleEndedIterator for Files<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.hits.next_back()
    }
}

impl ExactSizeIterator for Files<'_> {}

/// A copy that is not served, and the one that is.
#[derive(Clone, Debug)]
pub struct Shadow<'a> {
    /// What the engine loads.
    pub winner: Hit<'a>,
    /// What it would load if the winner, and any copy between, were not there.
    pub hidden: Hit<'a>,
}

impl Shadow<'_> {
    /// Whether both hold the same bytes: then nothing changes for a player. Reads both, unless their sizes differ.
    pub fn is_same_content(&self) -> Result<bool, Error> {
        if self.winner.size() != self.hidden.size() {
            return Ok(false);
        }
        let (mut winner, mut hidden) = (self.winner.open()?, self.hidden.open()?);
        let (mut left, mut right) = (vec![0; CHUNK], vec![0; CHUNK]);
        loop {
            let read = fill(&mut winner, &mut left).map_err(|error| read_error(&self.winner, error))?;
            let other = fill(&mut hidden, &mut right).map_err(|error| read_error(&self.hidden, error))?;
            if left.get(..read) != right.get(..other) {
                return Ok(false);
            }
            if read < CHUNK {
                return Ok(true);
            }
        }
    }
}

/// Bytes compared at once: loose files may be larger than the memory.
const CHUNK: usize = 1 << 16;

/// Reads as much as there is room for, or less at the end.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match reader.read(room) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn read_error(hit: &Hit<'_>, error: io::Error) -> Error {
    Error::io(&hit.path().unwrap_or_default(), "read", error)
}
