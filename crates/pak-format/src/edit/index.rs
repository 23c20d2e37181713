//! The entries of an editor by their names.

use std::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Numbers of entries by name. The names stay where they are: the table holds a hash and a number for each entry.
pub(super) struct NameIndex {
    hasher: DefaultHashBuilder,
    table: HashTable<(u64, usize)>,
}

impl NameIndex {
    pub(super) fn with_capacity(entries: usize) -> Self {
        NameIndex { hasher: DefaultHashBuilder::default(), table: HashTable::with_capacity(entries) }
    }

    pub(super) fn insert(&mut self, name: &[u8], number: usize) {
        let hash = self.hasher.hash_one(name);
        self.table.insert_unique(hash, (hash, number), |&(hash, _)| hash);
    }

    pub(super) fn remove(&mut self, name: &[u8], number: usize) {
        let found = self.table.find_entry(self.hasher.hash_one(name), |&(_, found)| found == number);
        if let Ok(entry) = found {
            entry.remove();
        }
    }

    /// The entries of this name in ascending order; `name_of` gives the name of an entry.
    pub(super) fn find<'n>(&self, name: &[u8], name_of: impl Fn(usize) -> &'n [u8]) -> Vec<usize> {
        let with_hash = self.table.iter_hash(self.hasher.hash_one(name)).map(|&(_, number)| number);
        let mut found: Vec<_> = with_hash.filter(|&number| name_of(number) == name).collect();
        found.sort_unstable();
        found
    }
}
