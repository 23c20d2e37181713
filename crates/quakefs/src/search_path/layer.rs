//! A layer of the search path: one archive, or the loose files of one game directory.

use std::fmt;
use std::sync::{Arc, OnceLock};

use camino::{Utf8Path, Utf8PathBuf};

use super::folder::LooseFolder;
use crate::archive::Archive;
use crate::location::Location;
use crate::rules::{ArchiveKind, Case};

/// One archive, or the loose files of one game directory.
#[derive(Clone)]
pub struct Layer {
    name: Arc<str>,
    game_directory: Option<Arc<GameDirectory>>,
    set: Option<usize>,
    requested: Option<Arc<str>>,
    pub(crate) source: Source,
    /// From 0 for the highest layer.
    index: u16,
    /// A copy of this layer for owned files. It is made on first use, because a lookup must not clone.
    kept: OnceLock<Arc<Layer>>,
}

/// The content of a layer.
#[derive(Clone)]
pub(crate) enum Source {
    Archive(Archive),
    Folder(Arc<LooseFolder>),
}

/// The game directory that a layer belongs to.
///
/// Engines call the rank a path id. Many load a `.lit` or `.ent` file only if its game directory ranks at
/// least as high as the directory of its `.bsp`. All copies of a game directory, in several base directories
/// and in the user directory, share its rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct GameDirectory {
    /// The rank of the directory, from 1 for the lowest.
    pub rank: u16,
    /// The name: relative to the first base directory, without a `/` at the end; `.` is the base directory
    /// itself.
    pub name: String,
    /// The name that games and flags use, such as `id1`, also for a copy in the user directory.
    pub game: String,
}

impl Layer {
    /// Makes a layer. `set` is the number of the set in the rules that includes the archive.
    pub(crate) fn new(
        name: impl Into<Arc<str>>,
        source: Source,
        game_directory: Option<Arc<GameDirectory>>,
        set: Option<usize>,
        requested: Option<Arc<str>>,
    ) -> Self {
        Layer { name: name.into(), game_directory, set, requested, source, index: 0, kept: OnceLock::new() }
    }

    /// The name that the engine expects, if the disk spells it in another case. On a disk where case counts,
    /// this layer would be missing.
    pub(crate) fn expected_name(&self) -> Option<&str> {
        self.requested.as_deref()
    }

    /// Numbers the layers, given lowest first.
    pub(crate) fn number(layers: &mut [Layer]) {
        for (layer, index) in layers.iter_mut().rev().zip(0..) {
            layer.index = index;
        }
    }

    /// The index of the layer in [`SearchPath::layers`](crate::SearchPath::layers): 0 for the highest.
    #[must_use]
    pub fn index(&self) -> usize {
        usize::from(self.index)
    }

    /// Whether a location is this layer or inside it.
    pub(crate) fn contains(&self, location: &Location) -> bool {
        *location.layer_name() == *self.name
    }

    /// The name: relative to the base directory, with `/` between parts, and `/` at the end for loose files.
    /// The base directory itself is `./`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The layer for a file that outlives the search path.
    pub(super) fn kept(&self) -> Arc<Layer> {
        let kept = self.kept.get_or_init(|| Arc::new(Layer { kept: OnceLock::new(), ..self.clone() }));
        Arc::clone(kept)
    }

    pub(super) fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// The kind of layer.
    #[must_use]
    pub fn kind(&self) -> ArchiveKind {
        match &self.source {
            Source::Archive(archive) => archive.kind(),
            Source::Folder(_) => ArchiveKind::Folder,
        }
    }

    /// The path on this computer; `None` in memory, and on a disk whose files other programs cannot open.
    #[must_use]
    pub fn system_path(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            Source::Archive(archive) => archive.system_path(),
            Source::Folder(folder) => folder.system_path((&b""[..]).into()),
        }
    }

    /// The path on the search path's disk; `None` in memory.
    #[must_use]
    pub fn path(&self) -> Option<&Utf8Path> {
        match &self.source {
            Source::Archive(archive) => archive.path(),
            Source::Folder(folder) => Some(folder.root()),
        }
    }

    /// The game directory that the layer belongs to; `None` for a layer that the caller put on top.
    #[must_use]
    pub fn game_directory(&self) -> Option<&GameDirectory> {
        self.game_directory.as_deref()
    }

    /// The number of the set in the rules that includes the archive.
    pub(crate) fn set(&self) -> Option<usize> {
        self.set
    }

    /// The layer's archive; `None` for loose files.
    #[must_use]
    #[inline]
    pub fn archive(&self) -> Option<&Archive> {
        match &self.source {
            Source::Archive(archive) => Some(archive),
            Source::Folder(_) => None,
        }
    }

    /// The folder of loose files; `None` for an archive.
    pub(crate) fn folder(&self) -> Option<&LooseFolder> {
        match &self.source {
            Source::Folder(folder) => Some(folder),
            Source::Archive(_) => None,
        }
    }

    /// The name of the layer's game directory, or the layer's own if it belongs to none.
    pub(crate) fn directory_name(&self) -> String {
        self.game_directory()
            .map_or_else(|| self.name().to_owned(), |directory| format!("{}/", directory.name))
    }

    /// Whether a request names an entry of this layer's archive.
    #[inline]
    pub(super) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        self.archive().is_some_and(|archive| archive.is_named(row, name, case))
    }

    /// The name of an entry in the layer's archive.
    #[inline]
    pub(super) fn entry_name(&self, row: u32) -> &[u8] {
        self.archive().map_or(&[], |archive| archive.name(row))
    }

    /// Whether the layer exists. The folder that an engine writes to may be missing until the first write.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.folder().is_none_or(|folder| folder.has_folder(b""))
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer")
            .field("name", &self.name)
            .field("kind", &self.kind())
            .field("entries", &self.archive().map(Archive::rows))
            .finish()
    }
}
