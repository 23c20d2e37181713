//! The same content in several places.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::hash::Hash;

use atomic_file::Identity;
use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryNameBuf;
use quakefs::Error;
use quakefs::archive::{ArchiveEntry, OpenOptions};
use quakefs::findings::Location;
use rayon::prelude::*;

use crate::digest::Digest;
use crate::digested::{DigestOptions, Digested, NoDigest, each_digested};
use crate::observer::{Observer, WorkUnit};
use crate::search::{Collection, each_of, size_of};

/// The contents that archives hold in several places.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Duplicates {
    /// The contents, those that waste the most bytes first.
    pub contents: Vec<Duplicate>,
    /// How many entries were compared, in how many archives.
    pub entries: u64,
    /// The archives that were read.
    pub archives: u64,
    /// How many entries were not compared, since the archives claim more than the limit.
    pub over_limit: u64,
    /// Archives and entries that cannot be read.
    pub faults: Vec<Error>,
}

/// A content in several places.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Duplicate {
    /// Its hash.
    pub digest: Digest,
    /// Bytes of the content.
    pub size: u64,
    /// Bytes that the archives would be smaller by if the content were in them once, in its smallest form.
    pub saved: u64,
    /// Where it is, in the order of the archives.
    pub copies: Vec<Copy>,
}

/// One of the places of a content.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Copy {
    /// The path of the archive.
    pub archive: Utf8PathBuf,
    /// The number of the entry.
    pub entry: usize,
    /// Its name.
    pub name: EntryNameBuf,
    /// Bytes that the copy takes in the archive. Entries that share their bytes take them once.
    pub stored_size: u64,
}

impl Copy {
    /// The archive, and the entry in it.
    #[must_use]
    pub fn location(&self) -> Location {
        Location::Entry { archive: self.archive.to_string(), entry: self.entry, name: self.name.clone() }
    }
}

impl Duplicates {
    /// Bytes that the archives would be smaller by if each content were in them once.
    #[must_use]
    pub fn saved(&self) -> u64 {
        self.contents.iter().fold(0, |sum, content| sum.saturating_add(content.saved))
    }
}

/// An entry with the same size as another, in few bytes because there may be millions.
struct Candidate {
    digest: Digest,
    archive: u32,
    entry: u32,
    offset: u64,
    stored_size: u64,
}

impl Collection {
    /// Finds the contents that are in several places. Empty ones do not count, and an archive that is found by two paths
    /// counts once.
    ///
    /// The directories are read first: of a size that is there once, nothing is decoded.
    #[must_use]
    pub fn duplicates(&self, options: &DigestOptions) -> Duplicates {
        let mut found = Duplicates::default();
        let archives = self.distinct();
        let how = options.open();
        let key = |entry: &ArchiveEntry<'_>| counts(entry).then(|| entry.size());
        let sizes = Keys::of(&archives, self.observer(), &how, key);
        (found.archives, found.entries) = (sizes.archives, sizes.entries);

        let mut candidates: Vec<Candidate> = Vec::new();
        let hashed = each_digested(
            &archives,
            self.observer(),
            options,
            |archive| {
                let wanted =
                    archive.entries().filter(|entry| counts(entry) && sizes.are_repeated(&entry.size()));
                wanted.map(|entry| entry.index()).collect()
            },
            |number, path, digested| {
                let Digested { archive, entries, .. } = digested?;
                let candidate = |(row, digest): (usize, Result<Digest, NoDigest>)| {
                    let entry = archive.entry(row)?;
                    Some(match digest {
                        Ok(digest) => Ok(Candidate {
                            digest,
                            archive: u32::try_from(number).ok()?,
                            entry: u32::try_from(entry.index()).ok()?,
                            offset: entry.row().offset,
                            stored_size: entry.row().stored_size,
                        }),
                        Err(NoDigest::Unreadable(error)) => {
                            let error = error.in_archive(path.as_str()).at_entry(entry.index(), entry.name());
                            Err(NoDigest::Unreadable(error))
                        }
                        Err(over) => Err(over),
                    })
                };
                Ok(entries.into_iter().filter_map(candidate).collect())
            },
            |of_archive: Result<Vec<Result<Candidate, NoDigest>>, Error>| {
                candidates.extend(sound(of_archive, &mut found.faults, &mut found.over_limit));
                Ok::<(), Infallible>(())
            },
        );
        let Ok(()) = hashed;
        found.contents = contents(candidates, &archives, self.observer(), &how, &mut found.faults);
        found
    }

    /// The archives without those that are one file with an earlier one.
    pub(crate) fn distinct(&self) -> Vec<Utf8PathBuf> {
        let identities: Vec<_> = self.archives().par_iter().map(|path| Identity::at(path).ok()).collect();
        let mut seen = HashSet::new();
        let archives = self.archives().iter().zip(identities);
        archives
            .filter(|(_, identity)| identity.is_none() || seen.insert(*identity))
            .map(|(path, _)| path.clone())
            .collect()
    }
}

/// The keys of all entries, such as their sizes.
pub(crate) struct Keys<K> {
    /// The archives that were read.
    pub(crate) archives: u64,
    /// The entries that have a key.
    pub(crate) entries: u64,
    /// Whether several entries have the key.
    repeated: HashMap<K, bool>,
}

impl<K: Eq + Hash + Send> Keys<K> {
    /// Reads the directories. An entry without a key does not count.
    pub(crate) fn of(
        archives: &[Utf8PathBuf],
        observer: &Observer,
        how: &OpenOptions,
        key: impl Fn(&ArchiveEntry<'_>) -> Option<K> + Sync,
    ) -> Self {
        let mut keys = Keys { archives: 0, entries: 0, repeated: HashMap::new() };
        let of_archive = |path: &Utf8PathBuf, unit: &WorkUnit| {
            Some(unit.open(path, how).ok()?.entries().filter_map(|entry| key(&entry)).collect())
        };
        let read = each_of(archives, observer, size_of, of_archive, |of_archive: Option<Vec<K>>| {
            keys.archives += u64::from(of_archive.is_some());
            for key in of_archive.into_iter().flatten() {
                keys.entries += 1;
                keys.repeated.entry(key).and_modify(|repeated| *repeated = true).or_insert(false);
            }
            Ok::<(), Infallible>(())
        });
        let Ok(()) = read;
        keys
    }

    pub(crate) fn are_repeated(&self, key: &K) -> bool {
        self.repeated.get(key) == Some(&true)
    }

    /// How many keys several entries have.
    pub(crate) fn count_repeated(&self) -> u64 {
        self.repeated.values().filter(|repeated| **repeated).count() as u64
    }
}

/// What was made of the entries of an archive, without those that have no digest.
pub(crate) fn sound<T>(
    of_archive: Result<Vec<Result<T, NoDigest>>, Error>,
    faults: &mut Vec<Error>,
    over_limit: &mut u64,
) -> Vec<T> {
    let entries = of_archive.unwrap_or_else(|error| vec![Err(NoDigest::Unreadable(error))]);
    let sound = entries.into_iter().filter_map(|entry| match entry {
        Ok(made) => Some(made),
        Err(NoDigest::Unreadable(error)) => {
            faults.push(error);
            None
        }
        Err(NoDigest::OverLimit) => {
            *over_limit += 1;
            None
        }
    });
    sound.collect()
}

/// Whether an entry has a content that can be there twice. Other problems are not checked.
fn counts(entry: &ArchiveEntry<'_>) -> bool {
    entry.size() > 0 && !entry.row().is_folder
}

/// The contents that are in several places, with the names of their copies.
fn contents(
    mut candidates: Vec<Candidate>,
    archives: &[Utf8PathBuf],
    observer: &Observer,
    how: &OpenOptions,
    faults: &mut Vec<Error>,
) -> Vec<Duplicate> {
    candidates.sort_unstable_by_key(|copy| (copy.digest, copy.archive, copy.entry));
    let is_double = |copies: &&[Candidate]| saved(copies) > 0;
    let groups: Vec<&[Candidate]> =
        candidates.chunk_by(|a, b| a.digest == b.digest).filter(is_double).collect();

    // names are read again, for the copies alone
    let mut wanted: Vec<(u32, u32)> =
        groups.iter().flat_map(|copies| copies.iter().map(|copy| (copy.archive, copy.entry))).collect();
    wanted.sort_unstable();
    let of_archives: Vec<&[(u32, u32)]> = wanted.chunk_by(|a, b| a.0 == b.0).collect();
    let mut entries: HashMap<(u32, u32), (EntryNameBuf, u64)> = HashMap::with_capacity(wanted.len());
    let named = each_of(
        &of_archives,
        observer,
        |places| places.first().and_then(|(number, _)| archives.get(*number as usize)).map_or(0, size_of),
        |places, unit| {
            let path = places.first().and_then(|(number, _)| archives.get(*number as usize));
            let archive = unit.open(path.map_or(Utf8Path::new(""), |path| path), how)?;
            let entry = |place: &(u32, u32)| {
                let entry = archive.entry(place.1 as usize)?;
                Some((*place, (entry.name().into(), entry.size())))
            };
            Ok(places.iter().filter_map(entry).collect())
        },
        |named: Result<Vec<_>, Error>| {
            match named {
                Ok(named) => entries.extend(named),
                // the archive is gone since it was hashed
                Err(error) => faults.push(error),
            }
            Ok::<(), Infallible>(())
        },
    );
    let Ok(()) = named;

    let duplicate = |copies: &[Candidate]| {
        let saved = saved(copies);
        let digest = copies.first()?.digest;
        let mut size = 0;
        let copy = |copy: &Candidate| {
            let (name, bytes) = entries.remove(&(copy.archive, copy.entry))?;
            size = bytes;
            Some(Copy {
                archive: archives.get(copy.archive as usize)?.clone(),
                entry: copy.entry as usize,
                name,
                stored_size: copy.stored_size,
            })
        };
        let copies = copies.iter().filter_map(copy).collect();
        Some(Duplicate { digest, size, saved, copies })
    };
    let mut contents: Vec<Duplicate> = groups.into_iter().filter_map(duplicate).collect();
    contents.sort_by_key(|content| Reverse(content.saved));
    contents
}

/// Bytes that copies of one content take too much. Rows that name the same bytes take them once.
fn saved(copies: &[Candidate]) -> u64 {
    let mut places: Vec<_> =
        copies.iter().map(|copy| (copy.archive, copy.offset, copy.stored_size)).collect();
    places.sort_unstable();
    places.dedup();
    let stored = || places.iter().map(|(_, _, stored)| *stored);
    stored().fold(0, u64::saturating_add) - stored().min().unwrap_or_default()
}
