//! What a comparison asks of stacks whose folders are listed: files by their numbers.

use super::index::{FileId, Names as _};
use super::lookup::Found;
use super::mounted::Layers;
use super::surface::SearchPath;

impl SearchPath {
    /// The name of each file that [`files`](SearchPath::files) lists, in no order.
    pub(crate) fn served_names(&self) -> impl Iterator<Item = &[u8]> {
        let listing = self.0.listing.as_ref().into_iter();
        listing.flat_map(|listing| self.0.served(listing)).map(|(name, _)| name)
    }

    /// The copy that [`find`](SearchPath::find) gives.
    pub(crate) fn locate(&self, name: &[u8]) -> Option<FileId> {
        numbered(&self.0.locate(self.0.listing.as_ref(), name)?)
    }

    /// Every copy, as [`copies`](SearchPath::copies) gives them.
    pub(crate) fn locate_all(&self, name: &[u8]) -> Vec<FileId> {
        self.0.locate_all(self.0.listing.as_ref(), name).iter().filter_map(numbered).collect()
    }

    /// Whether a file is a loose one.
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

/// A file that was not found by asking the disk.
fn numbered(found: &Found) -> Option<FileId> {
    match found {
        Found::Entry(id) | Found::Listed(id) => Some(*id),
        Found::Live { .. } => None,
    }
}
