//! Names in byte order.

use std::ops::Range;

use super::index::{FileId, Index, Names};
use crate::rules::Case;
use crate::rules::order::order;

/// Names and their files, in byte order. The names are copies, because a mapped archive may change.
pub(super) struct SortedNames {
    bytes: Vec<u8>,
    files: Vec<(Range<usize>, FileId)>,
}

impl<'n> FromIterator<(&'n [u8], FileId)> for SortedNames {
    fn from_iter<I: IntoIterator<Item = (&'n [u8], FileId)>>(names: I) -> Self {
        let mut bytes = Vec::new();
        let add = |(name, file): (&[u8], FileId)| {
            let start = bytes.len();
            bytes.extend_from_slice(name);
            (start..bytes.len(), file)
        };
        let files: Vec<_> = names.into_iter().map(add).collect();
        let name = |file: usize| files.get(file).and_then(|(name, _)| bytes.get(name.clone()));
        let order = order(files.len(), &|file| name(file).unwrap_or_default());
        let files = order.into_iter().filter_map(|file| files.get(file).cloned()).collect();
        SortedNames { bytes, files }
    }
}

impl SortedNames {
    /// The names of the winners among the archives, folded if the engine ignores case.
    pub(super) fn of_winners(index: &Index, names: &impl Names, case: Case) -> Self {
        let folded: Vec<_> = index.winners().map(|id| (case.fold(names.name(id)), id)).collect();
        folded.iter().map(|(name, id)| (&**name, *id)).collect()
    }

    pub(super) fn name(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// The files, in the order of their names.
    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.files.iter().map(|(_, file)| *file)
    }

    /// Each name and its file, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], FileId)> {
        self.files.iter().map(|(name, file)| (self.name(name), *file))
    }

    /// The files whose names start with a prefix.
    pub(super) fn starting_with(&self, prefix: &[u8]) -> &[(Range<usize>, FileId)] {
        let start = self.files.partition_point(|(name, _)| self.name(name) < prefix);
        let rest = self.files.get(start..).unwrap_or_default();
        let end = rest.partition_point(|(name, _)| self.name(name).starts_with(prefix));
        rest.get(..end).unwrap_or_default()
    }
}
