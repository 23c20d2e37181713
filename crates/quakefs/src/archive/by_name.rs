//! An index of the names in one archive.

use std::hash::{BuildHasher, Hasher};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::Files;
use crate::rules::ArchiveKind;

/// The first row of each stored name, without case in a WAD. Names are not copied. A row takes 4 bytes plus a tag of one, at a
/// load of 7/16 to 7/8.
pub(super) struct ByName {
    names: Names,
    rows: HashTable<u32>,
}

/// How the names compare.
struct Names {
    hasher: DefaultHashBuilder,
    ignore_case: bool,
}

impl ByName {
    pub(super) fn of(files: &dyn Files) -> ByName {
        let names =
            Names { hasher: DefaultHashBuilder::default(), ignore_case: files.kind() == ArchiveKind::Wad };
        // a caller's own files may claim any number
        let mut rows = HashTable::with_capacity((files.len() as usize).min(1 << 16));
        for row in 0..files.len() {
            let name = files.stored_name(row).as_bytes();
            let is_same = |other: &u32| names.are_same(files.stored_name(*other).as_bytes(), name);
            let hash_of = |other: &u32| names.hash(files.stored_name(*other).as_bytes());
            if let Entry::Vacant(place) = rows.entry(names.hash(name), is_same, hash_of) {
                place.insert(row);
            }
        }
        ByName { names, rows }
    }

    pub(super) fn find(&self, files: &dyn Files, name: &[u8]) -> Option<u32> {
        let is_same = |row: &u32| self.names.are_same(files.stored_name(*row).as_bytes(), name);
        self.rows.find(self.names.hash(name), is_same).copied()
    }
}

impl Names {
    fn are_same(&self, one: &[u8], other: &[u8]) -> bool {
        if self.ignore_case { one.eq_ignore_ascii_case(other) } else { one == other }
    }

    fn hash(&self, name: &[u8]) -> u64 {
        let mut state = self.hasher.build_hasher();
        if self.ignore_case {
            state.write(&name.to_ascii_lowercase());
        } else {
            state.write(name);
        }
        state.finish()
    }
}
