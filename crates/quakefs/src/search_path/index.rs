//! One hash table over the names of many numbered files.
//!
//! A slot is a number made of the layer, the file in it, and 16 bits of the hash. A miss almost never reads a
//! name, and a file reads one. Names stay in the archives. A slot takes 9 bytes, including hashbrown's tag,
//! and 7/16 to 7/8 of the slots are used. An overridden copy takes 16 bytes beside the table.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::red_black::RedBlack;
use crate::rules::{Case, Duplicates};

/// The bit of each byte that turns an upper-case ASCII letter into lower case.
const SMALL: u64 = 0x2020_2020_2020_2020;

/// A file by its numbers: the layer, counted from the lowest, and the file in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileId {
    /// The layer, from 0 for the lowest.
    pub(crate) layer: u16,
    /// The row of the archive, or the number of the file in the listing of the folder.
    pub(crate) file: u32,
}

impl FileId {
    /// A number in the order of the files.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.layer) << 32 | u64::from(self.file)
    }
}

/// `hash bits : 16 | layer : 16 | file : 32`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Slot(u64);

impl Slot {
    #[inline]
    fn new(hash: u64, id: FileId) -> Slot {
        Slot(Slot::tag(hash) | id.number())
    }

    /// Bits of the hash that hashbrown does not use: it uses the low ones as the position in the table and
    /// the top 7 as its tag.
    #[inline]
    fn tag(hash: u64) -> u64 {
        (hash >> 40) << 48
    }

    #[inline]
    fn has_tag(self, hash: u64) -> bool {
        (self.0 ^ Slot::tag(hash)) >> 48 == 0
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the casts take the fields apart")]
    fn id(self) -> FileId {
        FileId { layer: (self.0 >> 32) as u16, file: self.0 as u32 }
    }
}

/// Where the names of an index are.
pub(crate) trait Names {
    /// Whether the file has this name, which comes from a [`QPath`](crate::rules::QPath) or is a stored name.
    fn is(&self, id: FileId, name: &[u8], case: Case) -> bool;
    /// The name of the file.
    fn name(&self, id: FileId) -> &[u8];
    /// Whether an engine that searches sorted names includes this file, even if no request reaches it.
    fn is_searched(&self, id: FileId) -> bool;
}

/// A name and its hash, for an index and all indexes with the same hasher.
#[derive(Clone, Copy)]
pub(crate) struct Hashed<'n> {
    pub(crate) name: &'n [u8],
    hash: u64,
}

/// The winner of each name, and its overridden copies.
#[derive(Clone)]
pub(crate) struct Index {
    case: Case,
    hasher: DefaultHashBuilder,
    winners: HashTable<Slot>,
    /// Pairs of winner and overridden copy, sorted by winner, then the highest copy first.
    overridden: Vec<(Slot, Slot)>,
}

impl Index {
    /// Indexes the files of some layers, `(layer, number of files)` with the highest first, except files that
    /// `wanted` rejects. Indexes with the same hasher and case rule share their hashes.
    pub(crate) fn build(
        layers: &[(u16, u32)],
        case: Case,
        hasher: DefaultHashBuilder,
        duplicates: Duplicates,
        names: &dyn Names,
        wanted: &mut dyn FnMut(FileId, &[u8]) -> bool,
    ) -> Index {
        let total: usize = layers.iter().map(|(_, files)| *files as usize).sum();
        let mut index = Index {
            case,
            hasher,
            // a caller's own files may claim any number
            winners: HashTable::with_capacity(total.min(1 << 24)),
            overridden: Vec::new(),
        };
        for &(layer, files) in layers {
            for file in 0..files {
                let file = if duplicates == Duplicates::Last { files - 1 - file } else { file };
                let id = FileId { layer, file };
                let name = names.name(id);
                if wanted(id, name) {
                    index.add(id, name, names);
                }
            }
        }
        index.overridden.sort_by_key(|(winner, _)| *winner);
        match duplicates {
            Duplicates::First | Duplicates::Last => {}
            Duplicates::Searched => index.decide(names, &mut searched(case, layers, names)),
            Duplicates::InTree => index.decide(names, &mut met_in_tree(case, layers, names)),
        }
        index.overridden.shrink_to_fit();
        if index.winners.len() < index.winners.capacity() / 2 {
            let Index { winners, hasher, .. } = &mut index;
            winners.shrink_to_fit(|slot| hash_name(hasher, case, names.name(slot.id())));
        }
        index
    }

    #[inline]
    fn add(&mut self, id: FileId, name: &[u8], names: &dyn Names) {
        let Index { case, hasher, winners, overridden } = self;
        let hash = hash_name(hasher, *case, name);
        let slot = Slot::new(hash, id);
        let is_copy = |winner: &Slot| winner.has_tag(hash) && names.is(winner.id(), name, *case);
        match winners.entry(hash, is_copy, |slot| hash_name(hasher, *case, names.name(slot.id()))) {
            Entry::Occupied(winner) => overridden.push((*winner.get(), slot)),
            Entry::Vacant(place) => drop(place.insert(slot)),
        }
    }

    /// If one layer has several copies of a name, puts the one first that `met` gives for the layer and the
    /// name.
    fn decide(&mut self, names: &dyn Names, met: &mut dyn FnMut(u16, &[u8]) -> Option<FileId>) {
        let case = self.case;
        for of_name in self.overridden.chunk_by_mut(|(one, _), (other, _)| one == other) {
            let same_layer = |one: Slot, other: Slot| one.id().layer == other.id().layer;
            let above = of_name.first().map(|(winner, _)| *winner).into_iter();
            let above = above.chain(of_name.iter().map(|(_, copy)| *copy));
            if !above.clone().zip(of_name.iter()).any(|(above, (_, copy))| same_layer(above, *copy)) {
                continue;
            }
            let mut copies: Vec<Slot> = above.collect();
            for equal in copies.chunk_by_mut(|one, other| same_layer(*one, *other)) {
                let [first, _, ..] = equal else { continue };
                let met = met(first.id().layer, names.name(first.id()));
                let met = equal.iter().position(|slot| Some(slot.id()) == met);
                if let Some(up_to_met) = met.and_then(|met| equal.get_mut(..=met)) {
                    up_to_met.rotate_right(1);
                }
            }
            let ([(old, _), ..], Some((winner, rest))) = (&*of_name, copies.split_first()) else { continue };
            let hash = hash_name(&self.hasher, case, names.name(old.id()));
            if let Some(slot) = self.winners.find_mut(hash, |slot| slot == old) {
                *slot = *winner;
            }
            for (pair, copy) in of_name.iter_mut().zip(rest) {
                *pair = (*winner, *copy);
            }
        }
        self.overridden.sort_by_key(|(winner, _)| *winner);
    }

    /// The case rule for comparing names, and the hasher.
    pub(crate) fn hashing(&self) -> (Case, DefaultHashBuilder) {
        (self.case, self.hasher.clone())
    }

    #[inline]
    pub(crate) fn hashed<'n>(&self, name: &'n [u8]) -> Hashed<'n> {
        Hashed { name, hash: hash_name(&self.hasher, self.case, name) }
    }

    /// The winner among the copies of a name: one probe, no allocation.
    #[inline]
    pub(crate) fn find(&self, hashed: Hashed<'_>, names: &impl Names) -> Option<FileId> {
        self.slot(hashed, names).map(Slot::id)
    }

    #[inline]
    fn slot(&self, hashed: Hashed<'_>, names: &impl Names) -> Option<Slot> {
        let Hashed { name, hash } = hashed;
        self.winners.find(hash, |slot| slot.has_tag(hash) && names.is(slot.id(), name, self.case)).copied()
    }

    /// Every copy of a name, the winner first.
    pub(crate) fn copies(&self, name: &[u8], names: &impl Names) -> impl Iterator<Item = FileId> {
        let winner = self.slot(self.hashed(name), names);
        let start = winner.map(|winner| self.overridden.partition_point(|(other, _)| *other < winner));
        let overridden = start.and_then(|start| self.overridden.get(start..)).unwrap_or_default();
        let overridden = overridden.iter().take_while(move |(other, _)| Some(*other) == winner);
        winner.into_iter().chain(overridden.map(|(_, copy)| *copy)).map(Slot::id)
    }

    /// The winners of all names, sorted by number, so that reading their names goes through each archive in
    /// order.
    pub(crate) fn winners(&self) -> impl Iterator<Item = FileId> {
        let mut winners: Vec<FileId> = self.winners.iter().map(|slot| slot.id()).collect();
        winners.sort_unstable_by_key(|id| id.number());
        winners.into_iter()
    }
}

/// The files of a layer, in their order.
fn files_of(layers: &[(u16, u32)], layer: u16) -> impl Iterator<Item = FileId> {
    let size = layers.iter().find(|(number, _)| *number == layer).map_or(0, |(_, size)| *size);
    (0..size).map(move |file| FileId { layer, file })
}

/// The file that a binary search finds: see [`Duplicates::Searched`]. It sorts the names of a layer when it
/// is first asked about it.
fn searched<'n>(
    case: Case,
    layers: &'n [(u16, u32)],
    names: &'n dyn Names,
) -> impl FnMut(u16, &[u8]) -> Option<FileId> + 'n {
    let mut sorted: HashMap<u16, Vec<FileId>> = HashMap::new();
    move |layer, name| {
        let sorted = sorted.entry(layer).or_insert_with(|| {
            let mut files: Vec<_> = files_of(layers, layer).filter(|id| names.is_searched(*id)).collect();
            // a cached key, because a name in a mapped archive may change during the sort
            files.sort_by_cached_key(|id| case.fold(names.name(*id)));
            files
        });
        search(sorted, |other| compare(case, names.name(*other), name)).copied()
    }
}

/// The file that is nearest to the root of a tree: see [`Duplicates::InTree`]. It numbers the names of all
/// layers when it is first asked.
fn met_in_tree<'n>(
    case: Case,
    layers: &'n [(u16, u32)],
    names: &'n dyn Names,
) -> impl FnMut(u16, &[u8]) -> Option<FileId> + 'n {
    let mut numbers: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut trees: HashMap<u16, RedBlack> = HashMap::new();
    move |layer, name| {
        if numbers.is_empty() {
            for id in layers.iter().flat_map(|(layer, _)| files_of(layers, *layer)) {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                numbers.entry(case.fold(names.name(id))).or_insert(next);
            }
        }
        let number = |name: &[u8]| numbers.get(&case.fold(name)).copied().unwrap_or(u32::MAX);
        let tree = trees
            .entry(layer)
            .or_insert_with(|| files_of(layers, layer).map(|id| number(names.name(id))).collect());
        let file = tree.find(number(name))?;
        Some(FileId { layer, file })
    }
}

/// The order of two names.
fn compare(case: Case, one: &[u8], other: &[u8]) -> Ordering {
    match case {
        Case::Exact => one.cmp(other),
        Case::Ignored => {
            let [one, other] = [one, other].map(|name| name.iter().map(u8::to_ascii_lowercase));
            one.cmp(other)
        }
    }
}

/// Of several equal items in a sorted list, the one that the search of [`Duplicates::Searched`] finds.
/// `slice::binary_search` may find another one.
fn search<T>(sorted: &[T], compare: impl Fn(&T) -> Ordering) -> Option<&T> {
    let mut rest = sorted;
    while let Some(last) = rest.len().checked_sub(1) {
        let (below, from_middle) = rest.split_at_checked(last / 2)?;
        let (middle, above) = from_middle.split_first()?;
        match compare(middle) {
            Ordering::Equal => return Some(middle),
            Ordering::Greater => rest = below,
            Ordering::Less => rest = above,
        }
    }
    None
}

#[inline]
fn hash_name(hasher: &DefaultHashBuilder, case: Case, name: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    match case {
        Case::Exact => state.write(name),
        Case::Ignored => {
            // bytes other than letters may collide too; comparing the names decides
            let (words, rest) = name.as_chunks::<8>();
            for word in words {
                state.write_u64(u64::from_le_bytes(*word) | SMALL);
            }
            let last = match name.last_chunk::<8>() {
                Some(word) => u64::from_le_bytes(*word),
                None => rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            };
            state.write_u64(last | SMALL);
            state.write_usize(name.len());
        }
    }
    state.finish()
}
