//! Archives inside other archives.

use std::convert::Infallible;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::verify::DecodeBudget;
use quakefs::archive::OpenOptions;
use quakefs::{Archive, Error};

use crate::allowance::Budgeted;
use crate::digested::NoDigest;
use crate::inside::{inside, nested_rows, opened};
use crate::search::Collection;

/// The deepest nesting of archives that are opened: more than anybody packs, and a limit for an archive that
/// contains itself.
const DEEPEST: usize = 4;

impl Collection {
    /// Adds the archives inside the archives, and those inside these, each after the archive that contains
    /// it. Its path joins the archive and the entry: `mods.zip/id1/pak0.pak`. The second entry of a name has
    /// ` (2)` after it.
    ///
    /// `limit` is as in [`each_within`](Self::each_within). An archive that exceeds it is a
    /// [fault](Self::faults), and is left out. One that cannot be opened returns its error when it is opened.
    #[must_use]
    pub fn nested(mut self, options: &OpenOptions, limit: Option<u64>) -> Collection {
        let (mut all, mut faults) = (Vec::new(), Vec::new());
        let expanded = self.each_within(
            options,
            limit,
            nested_rows,
            |path, budgeted| {
                let mut found = vec![Ok(path.to_owned())];
                if let Ok(Budgeted { archive, mut budget, .. }) = budgeted {
                    below(path, &archive, &mut budget, &mut found, DEEPEST);
                }
                found
            },
            |found| {
                for inside in found {
                    match inside {
                        Ok(path) => all.push(path),
                        Err(fault) => faults.push(fault),
                    }
                }
                Ok::<(), Infallible>(())
            },
        );
        let Ok(()) = expanded;
        if !self.is_stopped() {
            self.add_nested(all, faults);
        }
        self
    }
}

fn below(
    path: &Utf8Path,
    archive: &Archive,
    budget: &mut DecodeBudget,
    found: &mut Vec<Result<Utf8PathBuf, Error>>,
    deeper: usize,
) {
    let Some(deeper) = deeper.checked_sub(1) else { return };
    for (name, row) in inside(archive) {
        let Some(entry) = archive.entry(row) else { continue };
        let path = Utf8PathBuf::from(format!("{path}/{name}"));
        if entry.check().is_ok() && !budget.take(entry.size()) {
            let over = io::Error::other(NoDigest::OverLimit);
            found.push(Err(Error::io(&path, "open", over)));
            continue;
        }
        found.push(Ok(path.clone()));
        if let Ok(opened) = opened(archive, row) {
            below(&path, &opened, budget, found, deeper);
        }
    }
}
