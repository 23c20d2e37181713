//! The result of a mount: layers, the index of their names, and findings.

use std::sync::Arc;

use camino::Utf8PathBuf;

use super::index::{FileId, Index, Names};
use super::layer::{Layer, Source};
use crate::disk::Disk;
use crate::finding::Finding;
use crate::mount::{Builder, SharedRules};
use crate::rules::{Case, Loose};

/// The part of a search path that does not depend on a listing.
pub(crate) struct Mounted {
    pub(crate) rules: SharedRules,
    /// How loose files are found: by the rules, the builder's settings and the disk.
    pub(crate) loose: Loose,
    pub(crate) layers: Layers,
    pub(crate) archives: Index,
    pub(crate) builder: Builder,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) places: Places,
    /// Skipped archives on the disk: the name, like a layer's, and the path.
    pub(crate) skipped: Vec<(String, Utf8PathBuf)>,
    pub(crate) findings: Vec<Finding>,
}

/// What the base directories hold.
#[derive(Clone, Default)]
pub(crate) struct Places {
    /// The base directories, from the root of the disk.
    pub(crate) bases: Vec<Utf8PathBuf>,
    pub(crate) user: Option<Utf8PathBuf>,
    #[cfg_attr(not(feature = "fs"), expect(dead_code, reason = "without a disk nothing is written"))]
    pub(crate) write_dir: Option<Utf8PathBuf>,
    /// The layer of loose files of the highest game directory, if it exists.
    pub(crate) game_folder: Option<String>,
    /// The texts of the game that were read, named like layers.
    pub(crate) texts: Vec<String>,
}

/// The layers, lowest first. The index reads the names of entries from them.
pub(crate) struct Layers(pub(crate) Vec<Layer>);

impl Layers {
    #[inline]
    pub(crate) fn get(&self, layer: u16) -> Option<&Layer> {
        self.0.get(usize::from(layer))
    }

    /// The layers with their numbers.
    pub(crate) fn numbered(&self) -> impl DoubleEndedIterator<Item = (u16, &Layer)> {
        // a mount refuses more layers
        self.0.iter().enumerate().filter_map(|(number, layer)| Some((u16::try_from(number).ok()?, layer)))
    }
}

impl Names for Layers {
    #[inline]
    fn is(&self, id: FileId, name: &[u8], case: Case) -> bool {
        self.get(id.layer).is_some_and(|layer| layer.is_named(id.file, name, case))
    }

    #[inline]
    fn name(&self, id: FileId) -> &[u8] {
        self.get(id.layer).map_or(&[], |layer| layer.entry_name(id.file))
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
