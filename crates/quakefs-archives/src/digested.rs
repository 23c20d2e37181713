//! The hashes of entries in many archives.

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Layout;
use quakefs::archive::OpenOptions;
use quakefs::{Access, Archive, Error, File, Layer};
use rayon::prelude::*;

use crate::allowance::{Budgeted, each_within};
use crate::digest::{Digest, DigestKind, NoDigest, Sums};
use crate::observer::Observer;
use crate::search::Collection;
use crate::wad::compared;

/// Options for hashing the contents of many archives. The default is XXH3-128.
#[derive(Clone, Copy, Debug, Default)]
pub struct DigestOptions {
    /// Which hash.
    pub kind: DigestKind,
    /// Which sums are taken too.
    pub sums: Sums,
    /// The most bytes to decode, for each archive and for all together. The default is 100 times their size,
    /// and at least 1 GiB.
    pub limit: Option<u64>,
    /// The layout of ambiguous archives.
    pub layout: Option<Layout>,
}

impl DigestOptions {
    /// Archives are read by position, because pages of a mapped archive would count as memory of the process.
    pub(crate) fn open(&self) -> OpenOptions {
        OpenOptions::new().layout(self.layout).access(Access::Read)
    }
}

/// An archive, and the hashes of the wanted entries.
#[derive(Debug)]
#[non_exhaustive]
pub struct Digested {
    /// The archive.
    pub archive: Archive,
    /// The numbers of the wanted entries, and their hashes.
    pub entries: Vec<(usize, Result<Digest, NoDigest>)>,
    /// The requested sums of each of these entries, in the order of [`Sums::kinds`]. Empty if the entry has
    /// no hash.
    pub sums: Vec<Vec<Digest>>,
}

impl Collection {
    /// Hashes the entries that `wanted` selects, several archives at a time. `work` gets each archive, and
    /// `take` gets the results of `work` in the order of the archives.
    ///
    /// # Errors
    /// The first error of `take`, which ends the work.
    pub fn each_digested<T: Send, E>(
        &self,
        options: &DigestOptions,
        wanted: impl Fn(&Archive) -> Vec<usize> + Sync,
        work: impl Fn(&Utf8Path, Result<Digested, Error>) -> T + Sync,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |_, path: &Utf8Path, digested| work(path, digested);
        each_digested(self.archives(), self.observer(), options, false, wanted, work, take)
    }
}

/// `pixels` hashes the pixels of textures in WADs and levels, instead of their bytes.
pub(crate) fn each_digested<T: Send, E>(
    archives: &[Utf8PathBuf],
    observer: &Observer,
    options: &DigestOptions,
    pixels: bool,
    wanted: impl Fn(&Archive) -> Vec<usize> + Sync,
    work: impl Fn(usize, &Utf8Path, Result<Digested, Error>) -> T + Sync,
    take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let digest = |number, path: &Utf8Path, budgeted: Result<Budgeted, Error>| {
        let digested = budgeted.map(|Budgeted { archive, entries, mut budget }| {
            let archive = if pixels { compared(archive) } else { archive };
            let layer = Layer::of_archive(path.as_str(), archive.clone());
            let files = entries.into_iter().filter_map(|row| {
                let file = layer.file(row)?;
                // a damaged entry is not decoded, and says why
                let budgeted = file.check().is_err() || budget.take(file.size());
                Some((row, file, budgeted))
            });
            let files: Vec<_> = files.collect();
            let kinds: Vec<_> = std::iter::once(options.kind).chain(options.sums.kinds()).collect();
            let digest = |(row, file, budgeted): (usize, File<'_>, bool)| {
                if !budgeted {
                    return ((row, Err(NoDigest::OverLimit)), Vec::new());
                }
                match Digest::several_of_file(&kinds, &file) {
                    Ok(mut digests) => ((row, Ok(digests.remove(0))), digests),
                    Err(error) => ((row, Err(NoDigest::Unreadable(error))), Vec::new()),
                }
            };
            let (entries, sums) = files.into_par_iter().map(digest).unzip();
            Digested { archive, entries, sums }
        });
        work(number, path, digested)
    };
    each_within(archives, observer, &options.open(), options.limit, wanted, digest, take)
}
