//! Mounts the search path again and compares it with the previous one.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, SystemTime};

use super::content::Contents;
use super::places::Watched;
use super::signal::Signal;
use super::update::Update;
use crate::error::Error;
use crate::finding::{Finding, FindingKind};
use crate::search_path::SearchPath;
use crate::search_path::shared::SharedSearchPath;

/// How long to wait after the last write for an archive that is still incomplete.
const PATIENCE: Duration = Duration::from_secs(2);
/// Two writes within this time may leave the same modification time.
const TICK: Duration = Duration::from_millis(20);
/// How often a look is repeated because a file was written to during it.
const TRIES: usize = 4;

/// A search path at one moment.
struct Moment {
    search_path: SearchPath,
    /// The same search path with its folders listed, with sizes and times.
    snapshot: SearchPath,
    contents: Contents,
    /// A file with a time in this range may have been written again without a new time.
    unsure: RangeInclusive<SystemTime>,
}

/// Mounts the search path again and compares.
pub(super) struct Looker {
    signal: Arc<Signal>,
    watched: Watched,
    last: Moment,
    followed: Option<Followed>,
}

/// A shared search path whose current value is watched.
pub(super) struct Followed {
    pub(super) shared: SharedSearchPath,
    /// The number of values stored before the watched one.
    pub(super) stored: u64,
}

/// The result of a look.
pub(super) struct LookResult {
    pub(super) update: Update,
    /// The number of the stored value that this updates: see [`Followed::stored`].
    pub(super) stored: u64,
    /// Whether the watcher switched to another stored value and nothing changed on disk.
    pub(super) is_other: bool,
}

impl Looker {
    /// Mounts a search path and starts to watch its folders.
    pub(super) fn new(
        search_path: &SearchPath,
        signal: &Arc<Signal>,
        followed: Option<Followed>,
    ) -> Result<Looker, Error> {
        let (watched, last) = begin(search_path, signal)?;
        Ok(Looker { signal: Arc::clone(signal), watched, last, followed })
    }

    pub(super) fn search_path(&self) -> &SearchPath {
        &self.last.search_path
    }

    /// Looks after each burst of changes, until the watcher is dropped.
    pub(super) fn run(mut self, updates: &SyncSender<Result<LookResult, Error>>) {
        self.last.contents = Contents::of(&self.last.search_path, &Contents::default(), &self.signal);
        while let Some(rewatch) = self.signal.gather() {
            let found = match self.follow() {
                Ok(None) => self.look(rewatch).map(|update| Some((update?, false))),
                followed => followed.map(|update| Some((update?, true))),
            };
            let found = match found {
                Ok(None) => continue,
                Ok(Some((update, is_other))) => Ok(LookResult { update, stored: self.stored(), is_other }),
                Err(error) => Err(error),
            };
            if updates.send(found).is_err() {
                return;
            }
        }
    }

    fn stored(&self) -> u64 {
        self.followed.as_ref().map_or(0, |followed| followed.stored)
    }

    /// Starts over if another value was stored. After an error, the next change on disk tries again.
    fn follow(&mut self) -> Result<Option<Update>, Error> {
        let Some(followed) = &mut self.followed else { return Ok(None) };
        let (search_path, stored) = followed.shared.load_stored();
        if stored == followed.stored {
            return Ok(None);
        }
        (self.watched, self.last) = begin(&search_path, &self.signal)?;
        followed.stored = stored;
        self.last.contents = Contents::of(&self.last.search_path, &Contents::default(), &self.signal);
        let search_path = self.last.search_path.clone();
        Ok(Some(Update { search_path, changes: Vec::new(), findings: Vec::new(), overridden: Vec::new() }))
    }

    fn look(&mut self, rewatch: bool) -> Result<Option<Update>, Error> {
        if rewatch {
            self.watched.watch(&self.last.search_path, true)?;
        }
        let (search_path, snapshot, unsure) = settled(&self.last.search_path, &mut self.watched)?;
        let known: HashSet<String> = self.last.snapshot.findings().map(ToString::to_string).collect();
        let findings: Vec<Finding> =
            snapshot.findings().filter(|finding| !known.contains(&finding.to_string())).cloned().collect();
        if findings.iter().any(|finding| is_unfinished(finding, &search_path)) {
            self.signal.raise(false);
            return Ok(None);
        }
        let contents = Contents::of(&search_path, &self.last.contents, &self.signal);
        let old = &self.last;
        let changes =
            snapshot.changes_by(&old.snapshot, &|time| !old.unsure.contains(&time), &|before, after| {
                contents.is_same(&old.contents, before, after)
            });
        let overridden = snapshot.overridden_edits(&old.snapshot, &|time| !old.unsure.contains(&time));
        let names = |search_path: &SearchPath| -> Vec<String> {
            search_path.layers().map(|layer| layer.name().to_owned()).collect()
        };
        let is_same = changes.is_empty()
            && findings.is_empty()
            && overridden.is_empty()
            && names(&search_path) == names(&old.search_path);
        tracing::debug!(changes = changes.len(), findings = findings.len(), "looked again");
        self.last = Moment { search_path: search_path.clone(), snapshot, contents, unsure };
        Ok((!is_same).then_some(Update { search_path, changes, findings, overridden }))
    }
}

fn begin(search_path: &SearchPath, signal: &Arc<Signal>) -> Result<(Watched, Moment), Error> {
    let search_path = search_path.read_by_position()?;
    let mut watched = Watched::new(&search_path, signal)?;
    watched.watch(&search_path, true)?;
    // this mount sees changes from before the folders were watched
    let (search_path, snapshot, unsure) = settled(&search_path, &mut watched)?;
    Ok((watched, Moment { search_path, snapshot, contents: Contents::default(), unsure }))
}

/// The search path as mounted now, the same with its folders listed, and the range of times that are
/// unreliable. Its folders are watched.
fn settled(
    last: &SearchPath,
    watched: &mut Watched,
) -> Result<(SearchPath, SearchPath, RangeInclusive<SystemTime>), Error> {
    let mut tries = TRIES;
    loop {
        tries -= 1;
        let start = SystemTime::now();
        let search_path = last.remount()?;
        if watched.watch(&search_path, false)? && tries > 0 {
            continue;
        }
        let snapshot = search_path.snapshot();
        let unsure = start.checked_sub(TICK).unwrap_or(start)..=SystemTime::now();
        if tries == 0 || !snapshot.has_time_in(&unsure) {
            return Ok((search_path, snapshot, unsure));
        }
        thread::sleep(TICK + TICK / 2);
    }
}

/// Whether a finding may be caused by an archive that is still being written.
fn is_unfinished(finding: &Finding, search_path: &SearchPath) -> bool {
    let incomplete = matches!(
        finding.kind,
        FindingKind::WrongArchive { .. }
            | FindingKind::Damaged(_)
            | FindingKind::Entry(_)
            | FindingKind::PartialRow { .. }
            | FindingKind::OtherLayout { .. }
    );
    let modified =
        || search_path.archive_path(finding.location.layer_name())?.metadata().ok()?.modified().ok();
    incomplete && modified().is_some_and(|time| time.elapsed().is_ok_and(|elapsed| elapsed < PATIENCE))
}
