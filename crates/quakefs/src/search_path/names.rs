//! Names in byte order.

use std::ops::Range;

use super::index::{FileId, Index, Names};
use crate::rules::Case;

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
        let name = |file: u32| files.get(file as usize).and_then(|(name, _)| bytes.get(name.clone()));
        let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let order = order(count, |file| name(file).unwrap_or_default());
        let files = order.iter().filter_map(|file| files.get(*file as usize).cloned()).collect();
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

    /// The files whose names start with a prefix.
    pub(super) fn starting_with(&self, prefix: &[u8]) -> &[(Range<usize>, FileId)] {
        let start = self.files.partition_point(|(name, _)| self.name(name) < prefix);
        let rest = self.files.get(start..).unwrap_or_default();
        let end = rest.partition_point(|(name, _)| self.name(name).starts_with(prefix));
        rest.get(..end).unwrap_or_default()
    }
}

/// The numbers from 0 to `count`, sorted by the names that they stand for. It compares keys of eight bytes, next to
/// each other in memory. This takes a third of the time of comparing whole names.
fn order<'n>(count: u32, name: impl Fn(u32) -> &'n [u8]) -> Vec<u32> {
    let mut keys: Vec<Key> = (0..count).map(|number| Key::new(&[], number)).collect();
    let mut ranges = vec![(0..keys.len(), 0)];
    while let Some((range, from)) = ranges.pop() {
        let mut start = range.start;
        let keys = keys.get_mut(range).unwrap_or_default();
        for key in &mut *keys {
            *key = Key::new(name(key.number()).get(from..).unwrap_or_default(), key.number());
        }
        keys.sort_unstable();
        for equal in keys.chunk_by(|one, other| one.bytes() == other.bytes()) {
            let end = start + equal.len();
            if equal.len() > 1 && equal.first().is_some_and(|key| key.has_more()) {
                ranges.push((start..end, from + 8));
            }
            start = end;
        }
    }
    keys.into_iter().map(Key::number).collect()
}

/// `the next eight bytes of a name : 64 | how many of them there are : 32 | the number of the name : 32`, sorted as one
/// number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u128);

impl Key {
    fn new(rest: &[u8], number: u32) -> Key {
        let count = rest.len().min(8) as u128;
        Key(u128::from(u64::from_be_bytes(first_eight(rest))) << 64 | count << 32 | u128::from(number))
    }

    /// The bytes, and how many there are.
    fn bytes(self) -> u128 {
        self.0 >> 32
    }

    /// Whether the name may have more bytes.
    fn has_more(self) -> bool {
        self.bytes() & 0xff == 8
    }

    #[expect(clippy::cast_possible_truncation, reason = "the cast takes the field out")]
    fn number(self) -> u32 {
        self.0 as u32
    }
}

/// The first eight bytes, padded with NULs.
fn first_eight(bytes: &[u8]) -> [u8; 8] {
    bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut eight = [0; 8];
        eight.iter_mut().zip(bytes).for_each(|(byte, from)| *byte = *from);
        eight
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_are_in_byte_order() {
        let mut names: Vec<Vec<u8>> = Vec::new();
        for length in 0..20 {
            for last in [0, 1, b'a', 0xff] {
                for shared in [0, b'a'] {
                    names.push([vec![shared; length], vec![last; length % 3]].concat());
                }
            }
        }
        let order = order(u32::try_from(names.len()).unwrap(), |name| &names[name as usize]);
        let ordered: Vec<_> = order.iter().map(|name| &names[*name as usize]).collect();
        let mut expected: Vec<_> = names.iter().collect();
        expected.sort();
        assert_eq!(ordered, expected);
    }
}
