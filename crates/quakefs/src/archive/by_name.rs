//! An index of the names in one archive.

use std::hash::{BuildHasher, Hasher};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::Files;

/// The first row of each stored name. Names are not copied. A row takes 4 bytes plus a tag of one, at a load of 7/16 to 7/8.
pub(super) struct ByName {
    hasher: DefaultHashBuilder,
    rows: HashTable<u32>,
}

impl ByName {
    pub(super) fn of(files: &dyn Files) -> ByName {
        let hasher = DefaultHashBuilder::default();
        // a caller's own files may claim any number
        let mut rows = HashTable::with_capacity((files.len() as usize).min(1 << 16));
        for row in 0..files.len() {
            let name = files.stored_name(row).as_bytes();
            let is_same = |other: &u32| files.stored_name(*other).as_bytes() == name;
            let hash_of = |other: &u32| hash(&hasher, files.stored_name(*other).as_bytes());
            if let Entry::Vacant(place) = rows.entry(hash(&hasher, name), is_same, hash_of) {
                place.insert(row);
            }
        }
        ByName { hasher, rows }
    }

    pub(super) fn find(&self, files: &dyn Files, name: &[u8]) -> Option<u32> {
        let is_same = |row: &u32| files.stored_name(*row).as_bytes() == name;
        self.rows.find(hash(&self.hasher, name), is_same).copied()
    }
}

fn hash(hasher: &DefaultHashBuilder, name: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(name);
    state.finish()
}
