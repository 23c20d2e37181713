//! The names in all archives, sorted: what lists a folder.

use std::ops::Range;

use super::index::{FileId, Index, Names};
use crate::rules::Case;

/// The names of all entries that win among the archives, in byte order; without case where the engine ignores case.
/// The names are copies, since a mapped archive may change.
pub(super) struct SortedNames {
    bytes: Vec<u8>,
    files: Vec<(Range<usize>, FileId)>,
}

impl SortedNames {
    pub(super) fn new(index: &Index, names_of: &impl Names, case: Case) -> Self {
        let mut names = SortedNames { bytes: Vec::new(), files: Vec::new() };
        for id in index.winners() {
            let start = names.bytes.len();
            names.bytes.extend_from_slice(&fold(names_of.name(id), case));
            names.files.push((start..names.bytes.len(), id));
        }
        let SortedNames { bytes, files } = &mut names;
        let name = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        files.sort_unstable_by(|(a, _), (b, _)| name(a).cmp(name(b)));
        names
    }

    pub(super) fn name(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// The files whose names begin so.
    pub(super) fn below(&self, prefix: &[u8]) -> &[(Range<usize>, FileId)] {
        let start = self.files.partition_point(|(name, _)| self.name(name) < prefix);
        let rest = self.files.get(start..).unwrap_or_default();
        let end = rest.partition_point(|(name, _)| self.name(name).starts_with(prefix));
        rest.get(..end).unwrap_or_default()
    }
}

pub(super) fn fold(name: &[u8], case: Case) -> Vec<u8> {
    match case {
        Case::Exact => name.to_vec(),
        Case::Ignored => name.to_ascii_lowercase(),
    }
}
