//! The same content in several places.

use std::collections::HashMap;

use camino::Utf8PathBuf;
use pak_format::EntryNameBuf;
use rayon::prelude::*;

use super::digest::Digest;
use super::digested::{DigestOptions, NoDigest, each_digested};
use super::search::{Collection, each_of, open};
use crate::archive::{Archive, ArchiveEntry};
use crate::error::Error;
use crate::finding::Place;

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
    pub fn place(&self) -> Place {
        Place::entry(self.archive.as_str(), self.entry, self.name.as_name())
    }
}

impl Duplicates {
    /// Bytes that the archives would be smaller by if each content were in them once.
    #[must_use]
    pub fn saved(&self) -> u64 {
        self.contents.iter().fold(0, |sum, content| sum.saturating_add(content.saved))
    }
}

/// An entry whose size is that of another one, without its archive's path.
struct Candidate {
    archive: usize,
    entry: usize,
    offset: u64,
    stored_size: u64,
    size: u64,
    name: EntryNameBuf,
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
        // which sizes are there once, and which more than once
        let mut sizes: HashMap<u64, bool> = HashMap::new();
        let sized = each_of(
            &archives,
            |path| {
                Some(
                    open(path, &how)
                        .ok()?
                        .entries()
                        .filter(|entry| counts(entry))
                        .map(|entry| entry.size())
                        .collect(),
                )
            },
            |of_archive: Option<Vec<u64>>| {
                found.archives += u64::from(of_archive.is_some());
                for size in of_archive.into_iter().flatten() {
                    found.entries += 1;
                    sizes.entry(size).and_modify(|twice| *twice = true).or_insert(false);
                }
                Ok::<(), std::convert::Infallible>(())
            },
        );
        let Ok(()) = sized;

        let mut contents: HashMap<Digest, Vec<Candidate>> = HashMap::new();
        let is_twice = |size| sizes.get(&size).copied().unwrap_or_default();
        let hashed = each_digested(
            &archives,
            options,
            |archive| rows(archive, |size| is_twice(size)),
            |number, path, digested| {
                let digested = digested?;
                let candidate = |(row, digest): (usize, Result<Digest, NoDigest>)| {
                    let entry = digested.archive.entry(row)?;
                    let row = entry.row();
                    let candidate = Candidate {
                        archive: number,
                        entry: entry.index(),
                        offset: row.offset,
                        stored_size: row.stored_size,
                        size: entry.size(),
                        name: row.name.into(),
                    };
                    let place =
                        |error: Error| error.in_archive(path.as_str()).at_entry(entry.index(), row.name);
                    Some(match digest {
                        Ok(digest) => Ok((digest, candidate)),
                        Err(NoDigest::Unreadable(error)) => Err(NoDigest::Unreadable(place(error))),
                        Err(over) => Err(over),
                    })
                };
                Ok(digested.entries.into_iter().filter_map(candidate).collect())
            },
            |candidates: Result<Vec<_>, Error>| {
                match candidates {
                    Err(error) => found.faults.push(error),
                    Ok(candidates) => {
                        for candidate in candidates {
                            match candidate {
                                Ok((digest, candidate)) => {
                                    contents.entry(digest).or_default().push(candidate)
                                }
                                Err(NoDigest::Unreadable(error)) => found.faults.push(error),
                                Err(NoDigest::OverLimit) => found.over_limit += 1,
                            }
                        }
                    }
                }
                Ok::<(), std::convert::Infallible>(())
            },
        );
        let Ok(()) = hashed;

        let duplicates =
            contents.into_iter().filter_map(|(digest, copies)| duplicate(digest, copies, &archives));
        found.contents = duplicates.collect();
        found.contents.sort_unstable_by(|a, b| b.saved.cmp(&a.saved).then(a.digest.cmp(&b.digest)));
        found
    }

    /// The archives without those that are one file with an earlier one.
    fn distinct(&self) -> Vec<Utf8PathBuf> {
        let identities: Vec<_> = self.archives().par_iter().map(|path| identity(path)).collect();
        let mut seen = std::collections::HashSet::new();
        let archives = self.archives().iter().zip(identities);
        archives
            .filter(|(_, identity)| identity.is_none() || seen.insert(*identity))
            .map(|(path, _)| path.clone())
            .collect()
    }
}

/// Which file a path leads to, where the system says so.
fn identity(path: &camino::Utf8Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let found = path.metadata().ok()?;
        Some((found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// The entries of the sizes that count.
fn rows(archive: &Archive, is_wanted: impl Fn(u64) -> bool) -> Vec<usize> {
    let wanted = archive.entries().filter(|entry| counts(entry) && is_wanted(entry.size()));
    wanted.map(|entry| entry.index()).collect()
}

/// Whether an entry has a content that can be there twice. What is wrong with the others is not asked.
fn counts(entry: &ArchiveEntry<'_>) -> bool {
    entry.size() > 0 && !entry.is_folder()
}

/// A content, if it is in several places.
fn duplicate(digest: Digest, copies: Vec<Candidate>, archives: &[Utf8PathBuf]) -> Option<Duplicate> {
    let size = copies.first()?.size;
    // rows that name the same bytes take them once
    let mut places: Vec<_> =
        copies.iter().map(|copy| (copy.archive, copy.offset, copy.stored_size)).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() < 2 {
        return None;
    }
    let stored = || places.iter().map(|(_, _, stored)| *stored);
    let saved = stored().fold(0, u64::saturating_add) - stored().min().unwrap_or_default();
    let copies = copies.into_iter().map(|copy| Copy {
        archive: archives.get(copy.archive).cloned().unwrap_or_default(),
        entry: copy.entry,
        name: copy.name,
        stored_size: copy.stored_size,
    });
    Some(Duplicate { digest, size, saved, copies: copies.collect() })
}
