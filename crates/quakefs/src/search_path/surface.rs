//! The public methods of a search path.

use std::fmt;
use std::sync::{Arc, OnceLock};

use camino::Utf8PathBuf;
use pak_format::EntryName;

use super::file::File;
use super::folder::By;
use super::folder_list::Detail;
use super::index::FileId;
use super::layer::Layer;
use super::listing::Listing;
use super::lookup::{Core, OtherGame};
use super::loose_files::LooseFiles;
use super::mounted::Mounted;
use super::served::FileIter;
use crate::archive::{Archive, Image, OpenOptions};
use crate::data::FileData;
use crate::disk::Disk;
use crate::error::{Error, ErrorKind};
use crate::finding::Finding;
use crate::pattern::Pattern;
use crate::reader::FileReader;
use crate::rules::{ArchiveKind, Loose, QPath, Rules};

/// A mounted search path: the layers that an engine looks through.
///
/// A search path does not change after [`mount`](crate::Builder::mount). It is cheap to clone, and many
/// threads may use it at once. [`SharedSearchPath`](crate::SharedSearchPath) replaces one by another.
#[derive(Clone)]
pub struct SearchPath(pub(crate) Arc<Core>);

impl SearchPath {
    /// Finds the winner: the copy of a file that the engine would load.
    ///
    /// All archives together take one hash and one probe. Folders that rank above the match are searched too.
    /// Names that are not valid requests (see [`QPath`]) are not found. The result borrows the search path,
    /// not the name.
    #[inline]
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<File<'_>> {
        self.0.find(name.as_ref())
    }

    /// Like [`find`](Self::find), but opens a loose file. A caller that reads the file next saves a system
    /// call. Reading again reads the same open file.
    #[inline]
    #[must_use]
    pub fn find_open(&self, name: impl AsRef<[u8]>) -> Option<File<'_>> {
        self.0.find_by(name.as_ref(), By::Opening)
    }

    /// Reads the winner.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] or [`ErrorKind::Request`] if the file is missing; [`ErrorKind::Pak`],
    /// [`ErrorKind::Zip`] or [`ErrorKind::Io`] if it cannot be read.
    pub fn read(&self, name: impl AsRef<[u8]>) -> Result<FileData, Error> {
        self.require(name.as_ref())?.read()
    }

    /// Opens the winner as a stream; see [`FileReader`] for its costs.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self, name: impl AsRef<[u8]>) -> Result<FileReader, Error> {
        self.require(name.as_ref())?.open()
    }

    fn require(&self, name: &[u8]) -> Result<File<'_>, Error> {
        self.find_open(name).ok_or_else(|| {
            let reason = QPath::new(name, &self.0.rules.requests).err();
            let name = name.into();
            match reason {
                Some(reason) => ErrorKind::Request { name, reason }.into(),
                None => ErrorKind::NotFound { name }.into(),
            }
        })
    }

    /// Returns all copies of a file: the winner, then the overridden copies from the highest down. Two rows
    /// with the same name in an archive are two copies. The result is empty without a winner.
    ///
    /// ```
    /// # let game = "id1/pak0.pak: a.cfg; id1/pak1.pak: a.cfg";
    /// # let quake = testutils::search_path::game_in_memory(game).mount()?;
    /// let copies = quake.copies("a.cfg");
    /// let layers: Vec<_> = copies.iter().map(|copy| copy.layer().name()).collect();
    /// assert_eq!(layers, ["id1/pak1.pak", "id1/pak0.pak"]);
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    #[must_use]
    pub fn copies(&self, name: impl AsRef<[u8]>) -> Vec<File<'_>> {
        let name = name.as_ref();
        let found = self.0.locate_all(self.0.listing.as_ref(), name);
        found.into_iter().filter_map(|found| self.0.file(found, name)).collect()
    }

    /// Returns the winner of each name, sorted by name.
    ///
    /// A request for [`File::name`] finds exactly this copy. With
    /// [`LooseFiles::Live`](crate::LooseFiles::Live), this lists the folders now. Archives that are layers
    /// themselves are left out, although [`find`](Self::find) finds them.
    #[must_use]
    pub fn files(&self) -> FileIter<'_> {
        self.0.files(|names| names.files().collect())
    }

    /// Returns the files whose names match a [`Pattern`], sorted by name.
    ///
    /// ```
    /// # let quake = testutils::search_path::game_in_memory("id1/pak0.pak: maps/start.bsp").mount()?;
    /// let levels = quake.glob("maps/*.bsp")?;
    /// assert_eq!(levels.len(), 1);
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Pattern`].
    pub fn glob(&self, pattern: &str) -> Result<FileIter<'_>, Error> {
        let pattern = Pattern::new(pattern, self.loose().pattern_case(self.rules().archives.case))?;
        Ok(self.0.files(|names| {
            fn name<'t>((name, _): &'t (&[u8], FileId)) -> EntryName<'t> {
                EntryName::from_bytes(name)
            }
            let selected = Pattern::select(&[pattern], names.iter(), name).items;
            selected.into_iter().map(|(_, file)| file).collect()
        }))
    }

    /// The winners that override other copies, sorted by name, with those copies from the highest down.
    pub(crate) fn overlaps(&self) -> Vec<(File<'_>, Vec<File<'_>>)> {
        self.0.with_listing(|listing| self.0.groups(listing))
    }

    /// The layers, highest first.
    #[must_use]
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> + ExactSizeIterator + Clone {
        self.0.layers.0.iter().rev()
    }

    /// Non-fatal problems: skipped archives, and entries that cannot be read or reached.
    /// `quakefs::why::check` also reads the files.
    #[must_use]
    pub fn findings(&self) -> impl DoubleEndedIterator<Item = &Finding> + Clone {
        self.0.findings.iter().chain(&self.0.listing_findings)
    }

    /// The rules of the engine. [`loose`](Self::loose) tells what the disk changes.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// The rules for loose files. They differ from the engine's on a disk that ignores case, and by a
    /// [setting](crate::rules::Setting::LooseAbove).
    #[must_use]
    pub fn loose(&self) -> Loose {
        self.0.loose
    }

    /// Whether a game or a mission is mounted in addition to the base game.
    pub(crate) fn has_game(&self) -> bool {
        self.0.builder.has_game()
    }

    /// The disk that the search path was mounted on.
    #[must_use]
    pub fn disk(&self) -> &Arc<dyn Disk> {
        &self.0.disk
    }

    /// The folders of the game directories: the base directories and the user directory.
    #[must_use]
    pub fn roots(&self) -> Vec<Utf8PathBuf> {
        self.0.places.bases.iter().chain(&self.0.places.user).cloned().collect()
    }

    /// Text files of the game that changed the search path, named like layers: see
    /// [`GameText`](crate::rules::GameText).
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.0.places.texts
    }

    /// Skipped archives on disk: the name, like a layer's, and the path.
    #[must_use]
    pub fn skipped(&self) -> &[(String, Utf8PathBuf)] {
        &self.0.skipped
    }

    /// Opens a skipped archive. If its directory is cut off, the complete rows are read.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open_skipped(&self, path: &camino::Utf8Path) -> Result<Archive, Error> {
        let options = OpenOptions::new().access(self.0.mounted.builder.access);
        options.open_on(self.disk(), path).or_else(|error| {
            let mut lenient = self.rules().clone();
            lenient.paks.refuses_cut_directory = false;
            let kind = path.file_name().and_then(ArchiveKind::of);
            let image = Image::open(self.disk(), path, options.access)?;
            Archive::open_as(image, kind.unwrap_or(ArchiveKind::Pak), &lenient).map_err(|_| error)
        })
    }

    /// Lists the folders by name, so that lookups make no system call.
    #[must_use]
    pub fn listed(&self) -> SearchPath {
        if self.0.listing.is_some() { self.clone() } else { self.listed_again(Detail::Names) }
    }

    /// Makes a search path from a mount.
    pub(crate) fn mounted(mounted: Mounted) -> SearchPath {
        let detail = (mounted.builder.loose == LooseFiles::Listed).then_some(Detail::Metadata);
        SearchPath::of(Arc::new(mounted), Arc::default(), detail)
    }

    pub(super) fn listed_again(&self, detail: Detail) -> SearchPath {
        SearchPath::of(Arc::clone(&self.0.mounted), Arc::clone(&self.0.other_games), Some(detail))
    }

    fn of(
        mounted: Arc<Mounted>,
        other_games: Arc<OnceLock<Vec<OtherGame>>>,
        listed: Option<Detail>,
    ) -> SearchPath {
        let folders = mounted.layers.numbered().filter(|(_, layer)| layer.archive().is_none());
        let folders: Vec<u16> = folders.map(|(number, _)| number).rev().collect();
        let listed = listed.map(|detail| Listing::new(&mounted, detail));
        let (listing, listing_findings) =
            listed.map_or((None, Vec::new()), |(list, found)| (Some(list), found));
        let names = OnceLock::new();
        let mut search_path = Core {
            mounted,
            folders,
            listing,
            listing_findings,
            top_level_only: false,
            names,
            archives_by_file: OnceLock::new(),
            other_games,
            hidden: OnceLock::new(),
            music: OnceLock::new(),
        };
        search_path.top_level_only = search_path.is_top_level_only();
        SearchPath(Arc::new(search_path))
    }
}

impl fmt::Debug for SearchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPath")
            .field("rules", &self.0.rules.name)
            .field("layers", &self.0.layers.0.len())
            .field("findings", &self.findings().count())
            .finish()
    }
}
