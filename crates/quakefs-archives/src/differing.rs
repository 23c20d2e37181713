//! Names with different contents in several archives.

use std::collections::BTreeMap;
use std::convert::Infallible;

use pak_format::EntryNameBuf;
use quakefs::archive::ArchiveEntry;
use quakefs::{Archive, Error};

use crate::digest::{Digest, NoDigest};
use crate::digested::{DigestOptions, each_digested};
use crate::duplicates::{Copy, Keys, lost, sound};
use crate::search::Collection;

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
type Named = Result<(Vec<u8>, (Digest, Copy)), NoDigest>;

fn key(entry: &ArchiveEntry<'_>) -> Vec<u8> {
    entry.name().as_bytes().to_ascii_lowercase()
}

fn counts(entry: &ArchiveEntry<'_>) -> bool {
    !entry.row().is_folder
}

impl Collection {
    /// Finds names with different contents. Names are compared without case, and textures of WADs and levels
    /// by their pixels. An archive with two paths counts once.
    ///
    /// The directories are read first, and content only for names with several copies.
    #[must_use]
    pub fn differing(&self, options: &DigestOptions) -> Differing {
        let mut found = Differing::default();
        let archives = self.distinct();
        let names =
            Keys::of(&archives, self.observer(), &options.open(), |entry| counts(entry).then(|| key(entry)));
        (found.archives, found.shared) = (names.archives, names.count_repeated());

        let wanted = |archive: &Archive| {
            let entries = archive.entries().filter(|entry| counts(entry) && names.are_repeated(&key(entry)));
            entries.map(|entry| entry.index()).collect()
        };
        let mut by_name: BTreeMap<Vec<u8>, Vec<(Digest, Copy)>> = BTreeMap::new();
        let hashed = each_digested(
            &archives,
            self.observer(),
            options,
            true,
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
                    Some(digest.map(|digest| (key(&entry), (digest, copy))))
                });
                Ok(lost(path, &digested.archive).map(Err).into_iter().chain(copies).collect())
            },
            |of_archive: Result<Vec<Named>, Error>| {
                for (name, copy) in sound(of_archive, &mut found.faults, &mut found.over_limit) {
                    by_name.entry(name).or_default().push(copy);
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
