//! Finds the entries of an editor by name.

use std::collections::HashMap;
use std::hash::BuildHasher as _;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

/// Numbers of entries by the hash of their names, without copies of the names.
///
/// Nothing is removed. The editor compares the candidates with the current names.
pub(super) struct NameIndex {
    hasher: DefaultHashBuilder,
    /// A hash, and the first entry with it.
    first: HashTable<(u64, usize)>,
    /// The other entries with the same hash. They are not in the table: an archive may have a million equal
    /// names, and each would be compared with all the others.
    others: HashMap<u64, Vec<usize>>,
}

impl NameIndex {
    pub(super) fn with_capacity(entries: usize) -> Self {
        NameIndex {
            hasher: DefaultHashBuilder::default(),
            first: HashTable::with_capacity(entries),
            others: HashMap::new(),
        }
    }

    pub(super) fn insert(&mut self, name: &[u8], number: usize) {
        let hash = self.hasher.hash_one(name);
        match self.first.entry(hash, |&(found, _)| found == hash, |&(hash, _)| hash) {
            Entry::Vacant(space) => drop(space.insert((hash, number))),
            Entry::Occupied(_) => self.others.entry(hash).or_default().push(number),
        }
    }

    /// The entries that may have this name, in no order. An entry that was renamed twice may appear twice.
    pub(super) fn candidates(&self, name: &[u8]) -> impl Iterator<Item = usize> {
        let hash = self.hasher.hash_one(name);
        let first = self.first.find(hash, |&(found, _)| found == hash).map(|&(_, number)| number);
        let others = self.others.get(&hash).map(Vec::as_slice).unwrap_or_default();
        first.into_iter().chain(others.iter().copied())
    }
}
