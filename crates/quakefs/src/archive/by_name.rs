//! An index of the names in one archive.

use std::hash::{BuildHasher, Hasher};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::rules::Case;

/// The first row of each stored name. Names are not copied. A row takes 4 bytes plus a tag of one, at a
/// load of 7/16 to 7/8.
pub(super) struct ByName {
    names: Comparison,
    rows: HashTable<u32>,
}

/// How the names compare.
struct Comparison {
    hasher: DefaultHashBuilder,
    case: Case,
}

impl ByName {
    pub(super) fn of<'n>(count: u32, case: Case, name_of: &dyn Fn(u32) -> &'n [u8]) -> ByName {
        let names = Comparison { hasher: DefaultHashBuilder::default(), case };
        // a caller's own files may claim any number
        let mut rows = HashTable::with_capacity((count as usize).min(1 << 16));
        for row in 0..count {
            let name = name_of(row);
            let is_same = |other: &u32| names.are_same(name_of(*other), name);
            let hash_of = |other: &u32| names.hash(name_of(*other));
            if let Entry::Vacant(place) = rows.entry(names.hash(name), is_same, hash_of) {
                place.insert(row);
            }
        }
        ByName { names, rows }
    }

    pub(super) fn find<'n>(&self, name: &[u8], name_of: &dyn Fn(u32) -> &'n [u8]) -> Option<u32> {
        let is_same = |row: &u32| self.names.are_same(name_of(*row), name);
        self.rows.find(self.names.hash(name), is_same).copied()
    }
}

impl Comparison {
    fn are_same(&self, one: &[u8], other: &[u8]) -> bool {
        if self.case == Case::Ignored { one.eq_ignore_ascii_case(other) } else { one == other }
    }

    fn hash(&self, name: &[u8]) -> u64 {
        let mut state = self.hasher.build_hasher();
        if self.case == Case::Ignored {
            state.write(&name.to_ascii_lowercase());
        } else {
            state.write(name);
        }
        state.finish()
    }
}
