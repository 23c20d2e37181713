//! Names with different contents in several archives.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;

use pak_format::EntryNameBuf;
use quakefs::archive::ArchiveEntry;
use quakefs::{Archive, Error};

use crate::digest::Digest;
use crate::digested::{DigestOptions, NoDigest, each_digested};
use crate::duplicates::Copy;
use crate::search::{Collection, each_of, size_of};

/// The names with different contents.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Differing {
    /// The names, in byte order of their lower case.
    pub names: Vec<DifferingName>,
    /// The number of names with several copies, whether or not they differ.
    pub shared: u64,
    /// The archives that were read.
    pub archives: u64,
    /// The number of entries that were not compared because the archives exceed the limit.
    pub over_limit: u64,
    /// Archives and entries that cannot be read.
    pub faults: Vec<Error>,
}

/// A name with several contents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DifferingName {
    /// The name as spelled in the first archive.
    pub name: EntryNameBuf,
    /// The copies, grouped by content and in the order of the archives.
    pub contents: Vec<Vec<Copy>>,
}

/// A name in the form for comparison, and an archive's copy of it.
type Named = (Vec<u8>, Result<(Digest, Copy), NoDigest>);

fn key(entry: &ArchiveEntry<'_>) -> Vec<u8> {
    entry.name().as_bytes().to_ascii_lowercase()
}

fn counts(entry: &ArchiveEntry<'_>) -> bool {
    !entry.row().is_folder
}

impl Collection {
    /// Finds names with different contents. Names are compared without case, and textures of WADs and levels by their
    /// pixels. An archive with two paths counts once.
    ///
    /// The directories are read first, and content only for names with several copies.
    #[must_use]
    pub fn differing(&self, options: &DigestOptions) -> Differing {
        let mut found = Differing::default();
        let archives = self.distinct();
        let (how, options) = (options.open(), DigestOptions { pixels: true, ..*options });
        let mut names: HashMap<Vec<u8>, bool> = HashMap::new();
        let read = each_of(
            &archives,
            self.observer(),
            size_of,
            |path, unit| {
                let archive = unit.open(path, &how).ok()?;
                Some(archive.entries().filter(counts).map(|entry| key(&entry)).collect())
            },
            |of_archive: Option<Vec<Vec<u8>>>| {
                found.archives += u64::from(of_archive.is_some());
                for name in of_archive.into_iter().flatten() {
                    names.entry(name).and_modify(|twice| *twice = true).or_insert(false);
                }
                Ok::<(), Infallible>(())
            },
        );
        let Ok(()) = read;
        found.shared = names.values().filter(|twice| **twice).count() as u64;

        let is_shared = |entry: &ArchiveEntry<'_>| names.get(&key(entry)) == Some(&true);
        let wanted = |archive: &Archive| {
            let entries = archive.entries().filter(|entry| counts(entry) && is_shared(entry));
            entries.map(|entry| entry.index()).collect()
        };
        let mut by_name: BTreeMap<Vec<u8>, Vec<(Digest, Copy)>> = BTreeMap::new();
        let hashed = each_digested(
            &archives,
            self.observer(),
            &options,
            wanted,
            |_, path, digested| {
                let digested = digested?;
                let copies = digested.entries.into_iter().filter_map(|(row, digest)| {
                    let entry = digested.archive.entry(row)?;
                    let copy = Copy {
                        archive: path.to_owned(),
                        entry: row,
                        name: entry.name().as_bytes().into(),
                        stored_size: entry.row().stored_size,
                    };
                    Some((key(&entry), digest.map(|digest| (digest, copy))))
                });
                Ok(copies.collect())
            },
            |of_archive: Result<Vec<Named>, Error>| {
                match of_archive {
                    Err(error) => found.faults.push(error),
                    Ok(of_archive) => {
                        for (name, copy) in of_archive {
                            match copy {
                                Ok(copy) => by_name.entry(name).or_default().push(copy),
                                Err(NoDigest::Unreadable(error)) => found.faults.push(error),
                                Err(NoDigest::OverLimit) => found.over_limit += 1,
                            }
                        }
                    }
                }
                Ok::<(), Infallible>(())
            },
        );
        let Ok(()) = hashed;
        found.names = by_name.into_values().filter_map(differing).collect();
        found
    }
}

/// The copies of a name, grouped by content, if there are several contents.
fn differing(copies: Vec<(Digest, Copy)>) -> Option<DifferingName> {
    let name = copies.first()?.1.name.clone();
    let mut contents: Vec<(Digest, Vec<Copy>)> = Vec::new();
    for (digest, copy) in copies {
        match contents.iter_mut().find(|(known, _)| *known == digest) {
            Some((_, places)) => places.push(copy),
            None => contents.push((digest, vec![copy])),
        }
    }
    let contents: Vec<_> = contents.into_iter().map(|(_, places)| places).collect();
    (contents.len() > 1).then_some(DifferingName { name, contents })
}
