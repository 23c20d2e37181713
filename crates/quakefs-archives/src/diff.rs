//! The differences between two archives, game directories or games.

use std::collections::{HashMap, HashSet};

use pak_format::verify::DecodeBudget;
use quakefs::findings::Location;
use quakefs::watch::{Change, ChangeKind};
use quakefs::{Error, File};
use rayon::prelude::*;

use crate::contents::Contents;
use crate::digest::{Digest, DigestKind};
use crate::threads;

/// The differences between two [`Contents`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Diff {
    /// The files that differ, in the byte order of the names.
    pub changes: Vec<Change>,
    /// The number of files that are the same in both.
    pub same: u64,
    /// Files that may differ although name and size are equal: they were not compared because they exceed the
    /// limit.
    pub not_compared: Vec<File<'static>>,
    /// Files that may differ because they cannot be read.
    pub faults: Vec<Error>,
}

/// A name, and the number of earlier files with the same name, because an archive may contain a name twice.
type Key<'f> = (&'f [u8], usize);

impl Diff {
    /// Compares two contents by their names, sizes and bytes. It reads files with equal names and sizes, and
    /// files that may have moved. `limit` is the most bytes to read, instead of 100 times the sources and at
    /// least 1 GiB.
    #[must_use]
    pub fn new(old: &Contents, new: &Contents, limit: Option<u64>) -> Diff {
        threads::start();
        let (olds, news) = (keyed(&old.files), keyed(&new.files));
        let mut diff = Diff::default();
        let (mut pairs, mut added, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        for (key, file) in &news.0 {
            match olds.1.get(key) {
                Some(before) => pairs.push((*before, *file)),
                None => added.push(*file),
            }
        }
        removed.extend(olds.0.iter().filter(|(key, _)| !news.1.contains_key(key)).map(|(_, file)| *file));

        let source = old.source_size.saturating_add(new.source_size);
        let mut budget = limit.map_or(DecodeBudget::for_archive(source), DecodeBudget::new);
        let mut reader = Reader { budget: &mut budget, diff: &mut diff };
        let (alike, other): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(old, new)| old.size() == new.size());
        let digests = reader.read(alike.iter().flat_map(|(old, new)| [*old, *new]));
        let mut changed = other;
        for ((old, new), digests) in alike.into_iter().zip(digests.chunks(2)) {
            match digests {
                [Some(before), Some(after)] if before == after => reader.diff.same += 1,
                [Some(_), Some(_)] => changed.push((old, new)),
                _ => {}
            }
        }
        let moved = reader.moved(&mut added, &mut removed);

        let change = |kind, before: Option<&File<'static>>, after: Option<&File<'static>>| {
            Change::new(kind, before.cloned(), after.cloned())
        };
        let changed = changed.into_iter().map(|(old, new)| (ChangeKind::Changed, old, new));
        let moved = moved.into_iter().map(|(old, new)| (ChangeKind::Moved, old, new));
        let both = changed.chain(moved).map(|(kind, old, new)| change(kind, Some(old), Some(new)));
        let added = added.into_iter().map(|new| change(ChangeKind::Added, None, Some(new)));
        let removed = removed.into_iter().map(|old| change(ChangeKind::Removed, Some(old), None));
        diff.changes = both.chain(added).chain(removed).collect();
        diff.changes.sort_by(|a, b| a.name().cmp(&b.name()).then(a.kind.cmp(&b.kind)));
        diff
    }
}

/// The files in their order, and the same files by key.
fn keyed<'f>(
    files: &'f [File<'static>],
) -> (Vec<(Key<'f>, &'f File<'static>)>, HashMap<Key<'f>, &'f File<'static>>) {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    let keyed: Vec<_> = files
        .iter()
        .map(|file| {
            let name = file.name().as_bytes();
            let count = counts.entry(name).or_default();
            *count += 1;
            ((name, *count), file)
        })
        .collect();
    let by_key = keyed.iter().copied().collect();
    (keyed, by_key)
}

/// Reads files until the limit is reached.
struct Reader<'d> {
    budget: &'d mut DecodeBudget,
    diff: &'d mut Diff,
}

impl Reader<'_> {
    /// The hash of each file. It is `None` for a file that was not read, which is recorded.
    fn read<'f>(&mut self, files: impl Iterator<Item = &'f File<'static>>) -> Vec<Option<Digest>> {
        // a damaged entry is not decoded, and returns its error
        let allow = |file: &'f File<'static>| (file, file.check().is_err() || self.budget.take(file.size()));
        let files: Vec<_> = files.map(allow).collect();
        let digest = |(file, budgeted): &(&File<'_>, bool)| {
            budgeted.then(|| Digest::of_file(DigestKind::Blake3, file))
        };
        let digests: Vec<_> = files.par_iter().map(digest).collect();
        let known = digests.into_iter().zip(files).map(|(digest, (file, _))| match digest {
            Some(Ok(digest)) => Some(digest),
            Some(Err(error)) => {
                self.diff.faults.push(error);
                None
            }
            None => {
                self.diff.not_compared.push(file.clone());
                None
            }
        });
        known.collect()
    }

    /// Finds moves: pairs of an added and a removed file with the same bytes, each file once. A file that
    /// cannot be read stays added or removed.
    fn moved<'f>(
        &mut self,
        added: &mut Vec<&'f File<'static>>,
        removed: &mut Vec<&'f File<'static>>,
    ) -> Vec<(&'f File<'static>, &'f File<'static>)> {
        let sizes =
            |files: &[&File<'_>]| files.iter().map(|file| file.size()).filter(|size| *size > 0).collect();
        let (old_sizes, new_sizes): (HashSet<u64>, HashSet<u64>) = (sizes(removed), sizes(added));
        let digests_of = |reader: &mut Self, files: &[&'f File<'static>], others: &HashSet<u64>| {
            let candidates: Vec<&File<'_>> =
                files.iter().copied().filter(|file| others.contains(&file.size())).collect();
            let digests = reader.read(candidates.iter().copied());
            candidates
                .into_iter()
                .zip(digests)
                .filter_map(|(file, digest)| Some((digest?, file)))
                .collect::<Vec<_>>()
        };
        let olds = digests_of(self, removed, &new_sizes);
        let news = digests_of(self, added, &old_sizes);
        let mut by_digest: HashMap<Digest, Vec<&File<'_>>> = HashMap::new();
        for (digest, file) in olds.into_iter().rev() {
            by_digest.entry(digest).or_default().push(file);
        }
        let from =
            |(digest, new): (Digest, &'f File<'static>)| Some((by_digest.get_mut(&digest)?.pop()?, new));
        let moved: Vec<(&File<'_>, &File<'_>)> = news.into_iter().filter_map(from).collect();
        // names may repeat, rows do not
        let taken =
            |files: Vec<&File<'_>>| files.into_iter().map(File::location).collect::<HashSet<Location>>();
        let (old, new): (Vec<_>, Vec<_>) = moved.iter().copied().unzip();
        let (old, new) = (taken(old), taken(new));
        added.retain(|file| !new.contains(&file.location()));
        removed.retain(|file| !old.contains(&file.location()));
        moved
    }
}
