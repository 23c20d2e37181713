//! Checks each name, and finds names that collide.

use alloc::vec;
use alloc::vec::Vec;

use crate::entry_name::EntryName;
use crate::findings::finding::{Finding, FindingKind};

/// The findings about the names of any archive, in the order of the entries: [`FindingKind::UnsafeName`],
/// [`DottedName`](FindingKind::DottedName), [`NotAscii`](FindingKind::NotAscii),
/// [`Duplicate`](FindingKind::Duplicate), [`SameWithoutCase`](FindingKind::SameWithoutCase),
/// [`SameOnWindows`](FindingKind::SameOnWindows) and [`FileAndFolder`](FindingKind::FileAndFolder).
///
/// Each item is an entry's number and name, in ascending order of the numbers. Leave out folders: a ZIP has
/// separate entries for them.
#[must_use]
pub fn names<'n>(entries: impl IntoIterator<Item = (usize, EntryName<'n>)>) -> Vec<Finding> {
    let names = CopiedNames::copy(entries);
    let mut findings = Vec::new();
    for at in 0..names.numbers.len() {
        names.alone(at, &mut findings);
    }
    names.meetings(&mut findings);
    findings.sort_by_key(|finding| finding.entry().map(|(number, _)| number));
    findings
}

/// A copy of all names. The original names may be in a mapped file, which another program can change during
/// the sort.
struct CopiedNames {
    /// The numbers of the entries.
    numbers: Vec<usize>,
    stored: Strings,
    /// The names as Windows compares them: without case, with NUL between components. NUL sorts before any
    /// other byte, so the files of a folder come directly after a file with the folder's name.
    keys: Strings,
}

impl CopiedNames {
    fn copy<'n>(entries: impl IntoIterator<Item = (usize, EntryName<'n>)>) -> CopiedNames {
        let entries = entries.into_iter();
        let (count, _) = entries.size_hint();
        let mut all = CopiedNames {
            numbers: Vec::with_capacity(count),
            stored: Strings::with_capacity(count),
            keys: Strings::with_capacity(count),
        };
        for (number, name) in entries {
            all.numbers.push(number);
            all.stored.bytes.extend_from_slice(name.as_bytes());
            all.stored.end();
            // from the copy: the bytes may have changed since
            let name = all.stored.get(all.numbers.len() - 1);
            for part in name.split(|&byte| byte == b'/') {
                if part.is_empty() || part == b"." {
                    continue;
                }
                // a component of only dots and spaces leads nowhere, or up
                let last = part.iter().rposition(|byte| !matches!(byte, b'.' | b' '));
                let part = last.and_then(|last| part.get(..=last)).unwrap_or(part);
                if !all.keys.is_at_start() {
                    all.keys.bytes.push(0);
                }
                all.keys.bytes.extend(part.iter().map(u8::to_ascii_lowercase));
            }
            all.keys.end();
        }
        all
    }

    fn finding(&self, at: usize, kind: FindingKind) -> Option<Finding> {
        let number = *self.numbers.get(at)?;
        Some(Finding::of_entry(number, EntryName::from_bytes(self.stored.get(at)), kind))
    }

    /// Findings about a single name.
    fn alone(&self, at: usize, findings: &mut Vec<Finding>) {
        let name = EntryName::from_bytes(self.stored.get(at));
        let path = match name.to_disk_path() {
            Err(fault) => Some(FindingKind::UnsafeName(fault)),
            Ok(path) if path.len() != name.as_bytes().len() => Some(FindingKind::DottedName),
            Ok(_) => None,
        };
        let ascii = (!name.as_bytes().is_ascii()).then_some(FindingKind::NotAscii);
        findings.extend(path.into_iter().chain(ascii).filter_map(|kind| self.finding(at, kind)));
    }

    /// Findings about names that are equal in some way, and about files with the name of a folder.
    fn meetings(&self, findings: &mut Vec<Finding>) {
        let (names, keys) = (&self.stored, &self.keys);
        let lower = |at| names.get(at).iter().map(u8::to_ascii_lowercase);
        let mut order = self.may_meet();
        order.sort_unstable_by(|&one, &other| {
            let by_key = keys.get(one).cmp(keys.get(other));
            by_key
                .then_with(|| lower(one).cmp(lower(other)))
                .then_with(|| names.get(one).cmp(names.get(other)))
                .then(one.cmp(&other))
        });
        let mut find = |at: usize, kind| findings.extend(self.finding(at, kind));
        let first = |group: &[usize]| group.iter().copied().min().unwrap_or_default();
        let number = |at: usize| self.numbers.get(at).copied().unwrap_or_default();
        let mut groups = order.chunk_by(|&one, &other| keys.get(one) == keys.get(other)).peekable();
        while let Some(group) = groups.next() {
            if group.len() > 1 {
                let on_windows = first(group);
                for group in group.chunk_by(|&one, &other| lower(one).eq(lower(other))) {
                    let without_case = first(group);
                    for group in group.chunk_by(|&one, &other| names.get(one) == names.get(other)) {
                        let same = first(group);
                        for &at in group {
                            if at != same {
                                find(at, FindingKind::Duplicate { first: number(same) });
                            } else if at != without_case {
                                find(at, FindingKind::SameWithoutCase { first: number(without_case) });
                            } else if at != on_windows {
                                find(at, FindingKind::SameOnWindows { first: number(on_windows) });
                            }
                        }
                    }
                }
            }
            let key = group.first().map(|&at| keys.get(at)).unwrap_or_default();
            let next = groups.peek().and_then(|next| next.first()).copied();
            if let Some(below) = next
                && !key.is_empty()
                && keys.get(below).strip_prefix(key).is_some_and(|rest| rest.first() == Some(&0))
            {
                for &at in group {
                    find(at, FindingKind::FileAndFolder { entry: number(below) });
                }
            }
        }
    }
}

impl CopiedNames {
    /// The names that may collide: all that do, and a few others. Most archives have none, and sorting all
    /// names would take longer than everything else.
    fn may_meet(&self) -> Vec<usize> {
        let some = self.may_meet_among(0..self.numbers.len(), hash);
        // other bits of the hash separate most of the names that share these bits
        self.may_meet_among(some.iter().copied(), |key| hash(key).swap_bytes())
    }

    /// The names among these that may collide.
    fn may_meet_among(
        &self,
        names: impl ExactSizeIterator<Item = usize> + Clone,
        hash: impl Fn(&[u8]) -> u64,
    ) -> Vec<usize> {
        let [mut files, mut twice, mut folders] = [(); 3].map(|()| Bits::for_items(names.len()));
        let mut hashes = Vec::with_capacity(names.len());
        // most names are in the same folder as the previous name
        let mut before = None;
        for at in names.clone() {
            let key = self.keys.get(at);
            let folder = folder_of(key);
            if folder != before {
                for folder in core::iter::successors(folder, |folder| folder_of(folder)) {
                    folders.set(hash(folder));
                }
                before = folder;
            }
            let hash = hash(key);
            hashes.push(hash);
            if files.has(hash) {
                twice.set(hash);
            }
            files.set(hash);
        }
        let (mut before, mut is_below_file) = (None, false);
        let meets = |(at, of_key): (usize, u64)| {
            let folder = folder_of(self.keys.get(at));
            if folder != before {
                let mut above = core::iter::successors(folder, |folder| folder_of(folder));
                is_below_file = above.any(|folder| files.has(hash(folder)));
                before = folder;
            }
            (is_below_file || twice.has(of_key) || folders.has(of_key)).then_some(at)
        };
        names.zip(hashes).filter_map(meets).collect()
    }
}

/// The folder that a key is in.
fn folder_of(key: &[u8]) -> Option<&[u8]> {
    key.iter().rposition(|byte| *byte == 0).and_then(|end| key.get(..end))
}

/// A hash of a key.
fn hash(key: &[u8]) -> u64 {
    let add = |hash: u64, word: u64| {
        let product = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    };
    let (words, rest) = key.as_chunks::<8>();
    let hash = words.iter().fold(key.len() as u64, |hash, word| add(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| add(hash, u64::from(*byte)))
}

/// An approximate set of hashes: it may report a hash that it does not contain.
struct Bits(Vec<u64>);

impl Bits {
    fn for_items(count: usize) -> Bits {
        // at most one bit in 16 is set
        Bits(vec![0; (count / 4).next_power_of_two()])
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        let word = usize::try_from(hash >> 32).unwrap_or(usize::MAX) & (self.0.len() - 1);
        (word, 1 << (hash & 63))
    }

    fn set(&mut self, hash: u64) {
        let (word, bit) = self.place(hash);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// Many byte strings in one allocation.
struct Strings {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Strings {
    fn with_capacity(strings: usize) -> Strings {
        // about the length of a usual name
        Strings { bytes: Vec::with_capacity(strings.saturating_mul(24)), ends: Vec::with_capacity(strings) }
    }

    /// Ends the string that is being appended.
    fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Whether the string that is being appended has no bytes yet.
    fn is_at_start(&self) -> bool {
        self.bytes.len() == self.ends.last().copied().unwrap_or(0)
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or_default()
    }
}
