//! Decoding of many archives, limited by their size.

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::verify::DecodeBudget;
use quakefs::archive::OpenOptions;
use quakefs::{Archive, Error};
use rayon::prelude::*;

use crate::observer::{Observer, WorkUnit};
use crate::search::{Collection, sum, windows};

/// An archive, the wanted entries, and a budget for decoding them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Budgeted {
    /// The archive.
    pub archive: Archive,
    /// The numbers of the wanted entries.
    pub entries: Vec<usize>,
    /// The bytes that may be decoded: the [`DecodeBudget`] of the archive, limited by the budget of all
    /// archives together.
    pub budget: DecodeBudget,
}

impl Collection {
    /// Like [`each`](Self::each), for work that decodes: `wanted` selects the entries, and each archive has a
    /// budget. All archives together have a budget too, so ten thousand small archives that claim a GiB each
    /// are not decoded. `limit` replaces the default of 100 times the size of the archives and at least 1
    /// GiB.
    ///
    /// Archives get their budgets in order, so the result does not depend on the number of threads.
    ///
    /// # Errors
    /// The first error of `take`, which ends the work.
    pub fn each_within<T: Send, E>(
        &self,
        options: &OpenOptions,
        limit: Option<u64>,
        wanted: impl Fn(&Archive) -> Vec<usize> + Sync,
        work: impl Fn(&Utf8Path, Result<Budgeted, Error>) -> T + Sync,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |_, path: &Utf8Path, budgeted| work(path, budgeted);
        each_within(self.archives(), self.observer(), options, limit, wanted, work, take)
    }
}

pub(crate) fn each_within<T: Send, E>(
    archives: &[Utf8PathBuf],
    observer: &Observer,
    options: &OpenOptions,
    limit: Option<u64>,
    wanted: impl Fn(&Archive) -> Vec<usize> + Sync,
    work: impl Fn(usize, &Utf8Path, Result<Budgeted, Error>) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let sizes: Vec<u64> = archives.par_iter().map(|path| observer.size_of(path)).collect();
    observer.begin(sum(&sizes));
    // an archive inside another one is no permission to decode more
    let on_disk = observer.size_of_files(archives);
    let mut left = limit.unwrap_or(DecodeBudget::for_archive(on_disk).limit());
    let numbered: Vec<(usize, &Utf8PathBuf, u64)> = archives
        .iter()
        .zip(sizes.iter().copied())
        .enumerate()
        .map(|(n, (path, size))| (n, path, size))
        .collect();
    for window in windows(&sizes) {
        let window = numbered.get(window).unwrap_or_default();
        let opened: Option<Vec<_>> = window
            .par_iter()
            .map(|(_, path, size)| {
                let unit = observer.unit(*size)?;
                let opened = unit.open(path, options).map(|archive| {
                    let entries = wanted(&archive);
                    let claimed = claimed(&archive, &entries);
                    (archive, entries, claimed)
                });
                Some((unit, opened))
            })
            .collect();
        // the budget of an archive depends on the claims of the archives before it
        let Some(opened) = opened.filter(|_| !observer.is_stopped()) else { break };
        let mut allow = |(archive, entries, claimed): (Archive, Vec<usize>, u64)| {
            let most = limit.unwrap_or(DecodeBudget::for_archive(archive.size()).limit()).min(left);
            left -= claimed.min(most);
            Budgeted { archive, entries, budget: DecodeBudget::new(most) }
        };
        let budgeted: Vec<(WorkUnit, Result<Budgeted, Error>)> =
            opened.into_iter().map(|(unit, opened)| (unit, opened.map(&mut allow))).collect();
        let one = |(&(number, path, _), (unit, budgeted)): (&(usize, &Utf8PathBuf, u64), (WorkUnit, _))| {
            if observer.is_stopped() { None } else { unit.whole(work(number, path, budgeted)) }
        };
        let done: Vec<Option<T>> = window.par_iter().zip(budgeted).map(one).collect();
        done.into_iter().map_while(|done| done).try_for_each(&mut take)?;
        if observer.is_stopped() {
            break;
        }
    }
    Ok(())
}

/// The total size that entries claim. Damaged entries do not count, because they are not decoded.
fn claimed(archive: &Archive, entries: &[usize]) -> u64 {
    let entries = entries.iter().filter_map(|entry| archive.entry(*entry));
    let sound = entries.filter(|entry| entry.check().is_ok());
    sound.fold(0, |sum, entry| sum.saturating_add(entry.size()))
}
