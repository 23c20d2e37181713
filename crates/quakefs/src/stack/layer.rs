//! A layer of the stack: one archive, or the loose files of one game directory.

use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{EntryName, Layout};

use super::folder::Folder;
use super::folder_list::NoFile;
use crate::archive::{Archive, ArchiveFormat, PakRows};
use crate::rules::Case;

/// One archive, or the loose files of one game directory.
#[derive(Clone)]
pub struct Layer {
    name: Arc<str>,
    game_directory: Option<Arc<GameDirectory>>,
    set: Option<usize>,
    pub(crate) source: Source,
    /// The shortest way to the names and sizes of most archives.
    rows: Option<PakRows>,
}

/// What a layer is made of.
#[derive(Clone)]
pub(crate) enum Source {
    Archive(Archive),
    Folder(Arc<Folder>),
}

/// The game directory that a layer belongs to.
///
/// The rank is what engines call a path id: a `.lit` or `.ent` file counts only if its game directory does not rank
/// below that of its `.bsp`. The copies of a game directory, in several base directories and in the user's, share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct GameDirectory {
    /// How high the directory ranks, from 1 for the lowest.
    pub rank: u16,
    /// The name: relative to the first base directory, without a `/` at the end; `.` is the base directory itself.
    pub name: String,
}

/// Which kind of layer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LayerKind {
    /// An archive of the PACK family.
    Pak,
    /// A ZIP archive: `.pk3`, `.pkz`.
    Zip,
    /// Loose files.
    Folder,
    /// Files of the caller's own: [`Files`](crate::Files).
    Own,
}

impl LayerKind {
    /// The word for the kind: `pak`, `zip`, `dir` or `files`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LayerKind::Pak => "pak",
            LayerKind::Zip => "zip",
            LayerKind::Folder => "dir",
            LayerKind::Own => "files",
        }
    }
}

impl fmt::Display for LayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Layer {
    /// A layer; one that is a part of a game directory says of which, and an archive which set of the rules took it.
    pub(crate) fn new(
        name: impl Into<Arc<str>>,
        source: Source,
        game_directory: Option<Arc<GameDirectory>>,
        set: Option<usize>,
    ) -> Self {
        let rows = match &source {
            Source::Archive(archive) => archive.pak_rows(),
            Source::Folder(_) => None,
        };
        Layer { name: name.into(), game_directory, set, source, rows }
    }

    /// The name: relative to the base directory, with `/` between parts, and `/` at the end for loose files. The
    /// base directory itself is `./`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// Which kind of layer it is.
    #[must_use]
    pub fn kind(&self) -> LayerKind {
        match &self.source {
            Source::Archive(archive) => match archive.format() {
                ArchiveFormat::Pak(_) => LayerKind::Pak,
                ArchiveFormat::Zip => LayerKind::Zip,
                ArchiveFormat::Own => LayerKind::Own,
            },
            Source::Folder(_) => LayerKind::Folder,
        }
    }

    /// Where the layer is, for other programs; `None` for files in memory, and on another disk than the system's.
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        match &self.source {
            Source::Archive(archive) => archive.path(),
            Source::Folder(folder) => folder.on_system(b""),
        }
    }

    /// The path of the layer on the disk that the stack was mounted on; `None` for files in memory.
    #[must_use]
    pub fn place(&self) -> Option<&Utf8Path> {
        match &self.source {
            Source::Archive(archive) => archive.place(),
            Source::Folder(folder) => Some(folder.root()),
        }
    }

    /// The game directory that the layer belongs to; `None` for a layer that the caller put on top.
    #[must_use]
    pub fn game_directory(&self) -> Option<&GameDirectory> {
        self.game_directory.as_deref()
    }

    /// Which set of archives in the rules has taken the layer.
    #[must_use]
    pub fn set(&self) -> Option<usize> {
        self.set
    }

    /// The archive that the layer is; `None` for loose files.
    #[must_use]
    pub fn archive(&self) -> Option<&Archive> {
        match &self.source {
            Source::Archive(archive) => Some(archive),
            Source::Folder(_) => None,
        }
    }

    /// Whether a request asks for an entry of the archive that the layer is.
    #[inline]
    pub(super) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        match (&self.rows, &self.source) {
            (Some(rows), _) => rows.is_named(row, name, case),
            (None, Source::Archive(archive)) => archive.is_named(row, name, case),
            (None, Source::Folder(_)) => false,
        }
    }

    /// The name of an entry of the archive that the layer is.
    #[inline]
    pub(super) fn entry_name(&self, row: u32) -> &[u8] {
        match (&self.rows, &self.source) {
            (Some(rows), _) => rows.name(row),
            (None, Source::Archive(archive)) => archive.name(row),
            (None, Source::Folder(_)) => &[],
        }
    }

    /// Bytes of the content of an entry of the archive that the layer is, decoded.
    #[inline]
    pub(super) fn entry_size(&self, row: u32) -> u64 {
        match (&self.rows, &self.source) {
            (Some(rows), _) => rows.size(row),
            (None, Source::Archive(archive)) => archive.size_of(row),
            (None, Source::Folder(_)) => 0,
        }
    }

    /// The folders and pipes among loose files, by name.
    #[must_use]
    pub fn folders_and_pipes(&self) -> Vec<(Vec<u8>, NoFile)> {
        match &self.source {
            Source::Folder(folder) => folder.folders_and_pipes(),
            Source::Archive(_) => Vec::new(),
        }
    }

    /// What stands among loose files under a name, if it is no file.
    #[must_use]
    pub fn folder_or_pipe(&self, name: EntryName<'_>) -> Option<NoFile> {
        match &self.source {
            Source::Folder(folder) => folder.folder_or_pipe(name.as_bytes()),
            Source::Archive(_) => None,
        }
    }

    /// Whether the layer is there: the folder that an engine writes to may be made later.
    #[must_use]
    pub fn is_there(&self) -> bool {
        match &self.source {
            Source::Archive(_) => true,
            Source::Folder(folder) => folder.has_folder(b""),
        }
    }

    /// How many entries an archive has, whether or not a request reaches them; `None` for loose files.
    #[must_use]
    pub fn entries(&self) -> Option<usize> {
        self.archive().map(Archive::len)
    }

    /// The layout of an archive of the PACK family.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        match self.archive()?.format() {
            ArchiveFormat::Pak(detection) => Some(detection.layout),
            _ => None,
        }
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer")
            .field("name", &self.name)
            .field("kind", &self.kind())
            .field("entries", &self.entries())
            .finish()
    }
}
