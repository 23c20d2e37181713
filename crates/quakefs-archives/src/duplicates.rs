//! Contents that are stored several times.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::hash::Hash;

use atomic_file::Identity;
use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryNameBuf;
use quakefs::archive::{ArchiveEntry, OpenOptions};
use quakefs::findings::Location;
use quakefs::{Archive, Error};
use rayon::prelude::*;

use crate::digest::{Digest, NoDigest};
use crate::digested::{DigestOptions, Digested, each_digested};
use crate::observer::{Observer, WorkUnit};
use crate::search::{Collection, each_of};

/// Contents that are stored several times.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Duplicates {
    /// The contents. The one that wastes the most bytes comes first.
    pub contents: Vec<Duplicate>,
    /// The number of entries that were compared.
    pub entries: u64,
    /// The archives that were read.
    pub archives: u64,
    /// The number of entries that were not compared because the archives exceed the limit.
    pub over_limit: u64,
    /// Archives and entries that cannot be read.
    pub faults: Vec<Error>,
}

/// A content that is stored several times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Duplicate {
    /// Its hash.
    pub digest: Digest,
    /// Bytes of the content.
    pub size: u64,
    /// The bytes that would be saved if only the smallest copy were kept.
    pub saved: u64,
    /// Its copies, in the order of the archives.
    pub copies: Vec<Copy>,
}

/// A copy of a content.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Copy {
    /// The path of the archive.
    pub archive: Utf8PathBuf,
    /// The number of the entry.
    pub entry: usize,
    /// Its name.
    pub name: EntryNameBuf,
    /// The size of the copy in the archive. Entries that share a payload use these bytes only once.
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
    /// The bytes that would be saved if each content were stored once.
    #[must_use]
    pub fn saved(&self) -> u64 {
        self.contents.iter().fold(0, |sum, content| sum.saturating_add(content.saved))
    }
}

/// An entry with the same size as another, in a compact form because there may be millions.
struct Candidate {
    digest: Digest,
    archive: u32,
    entry: u32,
    offset: u64,
    stored_size: u64,
}

impl Collection {
    /// Finds contents that are stored several times. Empty contents do not count. An archive with two paths
    /// counts once.
    ///
    /// The directories are read first. Entries with a unique size are not decoded.
    #[must_use]
    pub fn duplicates(&self, options: &DigestOptions) -> Duplicates {
        let mut found = Duplicates::default();
        let archives = self.distinct();
        let key = |entry: &ArchiveEntry<'_>| counts(entry).then(|| entry.size());
        let sizes = Keys::of(&archives, self.observer(), &options.open(), key);
        (found.archives, found.entries) = (sizes.archives, sizes.entries);

        let mut candidates: Vec<Candidate> = Vec::new();
        let hashed = each_digested(
            &archives,
            self.observer(),
            options,
            false,
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
                let damage = lost(path, &archive).map(Err);
                Ok(damage.into_iter().chain(entries.into_iter().filter_map(candidate)).collect())
            },
            |of_archive: Result<Vec<Result<Candidate, NoDigest>>, Error>| {
                candidates.extend(sound(of_archive, &mut found.faults, &mut found.over_limit));
                Ok::<(), Infallible>(())
            },
        );
        let Ok(()) = hashed;
        found.contents = contents(candidates, &archives, self.observer(), &options.open(), &mut found.faults);
        found
    }

    /// The archives, without further paths to the same file.
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
        let read = each_of(
            archives,
            observer,
            |path| observer.size_of(path),
            of_archive,
            |of_archive: Option<Vec<K>>| {
                keys.archives += u64::from(of_archive.is_some());
                for key in of_archive.into_iter().flatten() {
                    keys.entries += 1;
                    keys.repeated.entry(key).and_modify(|repeated| *repeated = true).or_insert(false);
                }
                Ok::<(), Infallible>(())
            },
        );
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

/// Why some entries of an archive are not compared.
pub(crate) fn lost(path: &Utf8Path, archive: &Archive) -> Option<NoDigest> {
    archive.damage().map(|damage| NoDigest::Unreadable(damage.in_archive(path.as_str())))
}

/// Whether an entry has a content to compare. Other problems are not checked.
fn counts(entry: &ArchiveEntry<'_>) -> bool {
    entry.size() > 0 && !entry.row().is_folder
}

/// The contents with several copies, and the names of the copies.
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

    // names are read again, only for the copies
    let mut wanted: Vec<(u32, u32)> =
        groups.iter().flat_map(|copies| copies.iter().map(|copy| (copy.archive, copy.entry))).collect();
    wanted.sort_unstable();
    let of_archives: Vec<&[(u32, u32)]> = wanted.chunk_by(|a, b| a.0 == b.0).collect();
    let mut entries: HashMap<(u32, u32), (EntryNameBuf, u64)> = HashMap::with_capacity(wanted.len());
    let named = each_of(
        &of_archives,
        observer,
        |places| {
            places
                .first()
                .and_then(|(number, _)| archives.get(*number as usize))
                .map_or(0, |path| observer.size_of(path))
        },
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
                // the archive disappeared after it was hashed
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

/// The bytes that copies of one content waste. Entries that share a payload waste nothing.
fn saved(copies: &[Candidate]) -> u64 {
    let mut places: Vec<_> =
        copies.iter().map(|copy| (copy.archive, copy.offset, copy.stored_size)).collect();
    places.sort_unstable();
    places.dedup();
    let stored = || places.iter().map(|(_, _, stored)| *stored);
    stored().fold(0, u64::saturating_add) - stored().min().unwrap_or_default()
}
