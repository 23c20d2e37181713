//! Files by number, for comparisons of search paths with listed folders.

use super::index::{FileId, Names as _};
use super::lookup::Located;
use super::mounted::Layers;
use super::surface::SearchPath;

impl SearchPath {
    /// The files that [`files`](SearchPath::files) returns, unsorted, each with its name.
    pub(crate) fn served(&self) -> Vec<(&[u8], FileId)> {
        self.0.listing.as_ref().map_or_else(Vec::new, |listing| self.0.served(listing))
    }

    /// The winner of a name, like [`find`](SearchPath::find).
    pub(crate) fn locate(&self, name: &[u8]) -> Option<FileId> {
        numbered(&self.0.locate(self.0.listing.as_ref(), name)?)
    }

    /// All copies of a name, like [`copies`](SearchPath::copies).
    pub(crate) fn locate_all(&self, name: &[u8]) -> Vec<FileId> {
        self.0.locate_all(self.0.listing.as_ref(), name).iter().filter_map(numbered).collect()
    }

    /// Whether a file is loose.
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

/// The number of a file in an archive or a listing. `None` for a loose file that only the disk knows.
fn numbered(found: &Located) -> Option<FileId> {
    match found {
        Located::Entry(id) | Located::Listed(id) => Some(*id),
        Located::Live { .. } => None,
    }
}
