//! Archives inside other archives.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::verify::DecodeBudget;
use quakefs::archive::OpenOptions;
use quakefs::{Archive, Error};
use rayon::prelude::*;

use crate::digest::NoDigest;
use crate::inside::{Inner, Nested, inside, opened};
use crate::search::{Collection, sum, windows};

/// The deepest nesting of archives that are opened: more than anybody packs, and a limit for an archive that
/// contains itself.
const DEEPEST: usize = 4;

/// The archives inside others that are always opened, however small the files on disk are.
const FREE_ARCHIVES: u64 = 10_000;
/// Above that, the bytes on disk for each. Entries may share bytes, so a few records claim millions of
/// archives.
const BYTES_AN_ARCHIVE: u64 = 64;

impl Collection {
    /// Adds the archives inside the archives, and those inside these, each after the archive that contains
    /// it. Its path joins the archive and the entry: `mods.zip/id1/pak0.pak`. The second archive of a path
    /// has ` (2)` after it.
    ///
    /// `limit` is as in [`each_within`](Self::each_within). An archive that exceeds it is a
    /// [fault](Self::faults), and is left out; so are archives that are nested more than four levels deep,
    /// and all beyond ten thousand or one for each 64 bytes on disk. One that cannot be opened returns its
    /// error when it is opened.
    #[must_use]
    pub fn nested(mut self, options: &OpenOptions, limit: Option<u64>) -> Collection {
        let observer = self.observer();
        let sizes: Vec<u64> = self.archives().par_iter().map(|path| observer.size_of(path)).collect();
        let size = sum(&sizes);
        observer.begin(size);
        let mut left = Left {
            bytes: limit.unwrap_or(DecodeBudget::for_archive(size).limit()),
            archives: FREE_ARCHIVES.max(size / BYTES_AN_ARCHIVE),
        };
        let (mut all, mut nested, mut faults) = (Vec::new(), HashMap::new(), Vec::new());
        for window in windows(&sizes) {
            let window: Vec<(&Utf8PathBuf, &u64)> =
                self.archives().iter().zip(&sizes).skip(window.start).take(window.len()).collect();
            let expand = |shared: &Shared, (path, size): &(&Utf8PathBuf, &u64)| {
                let unit = observer.unit(**size)?;
                let mut found = Found::new(path, shared);
                if let Ok(archive) = unit.open(path, options) {
                    let most = limit.unwrap_or(DecodeBudget::for_archive(archive.size()).limit());
                    found.below(path, &archive, &mut DecodeBudget::new(most), DEEPEST);
                }
                unit.whole((found.archives, found.faults))
            };
            let mut shared = Shared::new(left);
            let mut found: Vec<_> = window.par_iter().map(|item| expand(&shared, item)).collect();
            if shared.is_over.load(Ordering::Relaxed) {
                // in order, so that the result does not depend on the number of threads
                shared = Shared { in_order: true, ..Shared::new(left) };
                found = window.iter().map(|item| expand(&shared, item)).collect();
            }
            left = shared.left();
            for (archives, of_window) in found.into_iter().map_while(|found| found) {
                faults.extend(of_window);
                for (path, inner) in archives {
                    all.push(path.clone());
                    nested.extend(inner.map(|inner| (path, inner)));
                }
            }
            if observer.is_stopped() {
                break;
            }
        }
        if !self.is_stopped() {
            self.add_nested(all, Nested::new(nested), faults);
        }
        self
    }
}

/// What may still be decoded and opened.
#[derive(Clone, Copy)]
struct Left {
    bytes: u64,
    archives: u64,
}

/// The same for several threads.
struct Shared {
    bytes: AtomicU64,
    archives: AtomicU64,
    is_over: AtomicBool,
    /// Whether the work goes on after something exceeded the limit.
    in_order: bool,
}

impl Shared {
    fn new(left: Left) -> Shared {
        let (bytes, archives) = (AtomicU64::new(left.bytes), AtomicU64::new(left.archives));
        Shared { bytes, archives, is_over: AtomicBool::new(false), in_order: false }
    }

    fn left(&self) -> Left {
        Left { bytes: self.bytes.load(Ordering::Relaxed), archives: self.archives.load(Ordering::Relaxed) }
    }

    fn take(&self, of: &AtomicU64, count: u64) -> bool {
        let taken =
            of.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count)).is_ok();
        self.is_over.fetch_or(!taken, Ordering::Relaxed);
        taken
    }

    fn stops(&self) -> bool {
        !self.in_order && self.is_over.load(Ordering::Relaxed)
    }
}

/// The archives in an archive on disk.
struct Found<'s> {
    shared: &'s Shared,
    archives: Vec<(Utf8PathBuf, Option<Inner>)>,
    faults: Vec<Error>,
    taken: HashSet<Utf8PathBuf>,
    /// The next number for a second archive of a path.
    numbers: HashMap<Utf8PathBuf, usize>,
}

impl<'s> Found<'s> {
    fn new(path: &Utf8Path, shared: &'s Shared) -> Self {
        let archives = vec![(path.to_owned(), None)];
        let (taken, numbers) = (HashSet::new(), HashMap::new());
        Found { shared, archives, faults: Vec::new(), taken, numbers }
    }

    fn below(&mut self, outer: &Utf8Path, archive: &Archive, budget: &mut DecodeBudget, deeper: usize) {
        let inside = inside(archive);
        let Some(deeper) = deeper.checked_sub(1) else {
            if !inside.is_empty() {
                self.fault(outer, "the archives in it are nested too deep, and are not opened");
            }
            return;
        };
        for (name, row) in inside {
            let Some(entry) = archive.entry(row) else { continue };
            let path = self.unique(Utf8PathBuf::from(format!("{outer}/{name}")));
            if self.shared.stops() {
                return;
            }
            if !self.shared.take(&self.shared.archives, 1) {
                self.fault(outer, "there are too many archives inside archives: the others are not opened");
                return;
            }
            let size = entry.size();
            let is_over =
                |budget: &mut DecodeBudget| !budget.take(size) || !self.shared.take(&self.shared.bytes, size);
            if entry.check().is_ok() && is_over(budget) {
                self.fault(&path, &NoDigest::OverLimit.to_string());
                continue;
            }
            self.archives.push((path.clone(), Some(Inner { outer: outer.to_owned(), entry: row, size })));
            if let Ok(opened) = opened(archive, row) {
                self.below(&path, &opened, budget, deeper);
            }
        }
    }

    /// A path that no other archive has. An entry `a.zip/b.pak` and the entry `b.pak` of `a.zip` have one.
    fn unique(&mut self, path: Utf8PathBuf) -> Utf8PathBuf {
        let next = self.numbers.get(&path).copied().unwrap_or(1);
        let named = |number: usize| match number {
            1 => path.clone(),
            _ => Utf8PathBuf::from(format!("{path} ({number})")),
        };
        let mut number = next;
        while self.taken.contains(&named(number)) {
            number += 1;
        }
        let unique = named(number);
        self.taken.insert(unique.clone());
        self.numbers.insert(path, number + 1);
        unique
    }

    fn fault(&mut self, path: &Utf8Path, reason: &str) {
        self.faults.push(Error::io(path, "open", io::Error::other(reason.to_owned())));
    }
}
