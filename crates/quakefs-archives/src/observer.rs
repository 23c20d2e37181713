//! Progress of work on many archives, and stopping it.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::OpenOptions;
use quakefs::disk::{Content, Disk, Item, Opened, ReadAt, Stat, SystemDisk, SystemPath};
use quakefs::{Access, Archive, Error};
use rayon::prelude::*;

use crate::inside::{Nested, open_inside, opened, outer};
use crate::threads;

/// Bytes to read of an archive before checking again whether to stop.
const PIECE: usize = 1 << 20;

/// The observer of the work, if any, and the disk with the archives.
#[derive(Clone)]
pub(crate) struct Observer {
    observed: Option<Arc<Observed>>,
    disk: Arc<dyn Disk>,
    /// The archives inside archives.
    nested: Arc<Nested>,
}

impl Default for Observer {
    fn default() -> Self {
        Observer::on(Arc::new(SystemDisk))
    }
}

struct Observed {
    report: Box<dyn Fn(u64, u64) -> ControlFlow<()> + Send + Sync>,
    done: AtomicU64,
    all: AtomicU64,
    stopped: AtomicBool,
}

impl Observed {
    /// Reports more finished bytes, and returns whether to continue.
    fn advance(&self, by: u64) -> bool {
        let done = self.done.fetch_add(by, Ordering::Relaxed) + by;
        // once stopped, the work stays stopped
        if self.stopped.load(Ordering::Relaxed) {
            return false;
        }
        let goes_on = (self.report)(done, self.all.load(Ordering::Relaxed)).is_continue();
        if !goes_on {
            self.stopped.store(true, Ordering::Relaxed);
        }
        goes_on
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Observer { observed, disk, nested: _ } = self;
        f.debug_struct("Observer").field("observed", &observed.is_some()).field("disk", disk).finish()
    }
}

impl Observer {
    pub(crate) fn set_report(
        &mut self,
        report: impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + 'static,
    ) {
        self.observed = Some(Arc::new(Observed {
            report: Box::new(report),
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }));
    }

    pub(crate) fn on(disk: Arc<dyn Disk>) -> Observer {
        threads::start();
        Observer { observed: None, disk, nested: Arc::default() }
    }

    pub(crate) fn set_nested(&mut self, nested: Nested) {
        self.nested = Arc::new(nested);
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    /// Opens an archive without reporting progress.
    pub(crate) fn open(&self, path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
        self.work(None).open(path, options)
    }

    /// The size of an archive; 0 if it is missing.
    pub(crate) fn size_of(&self, path: &Utf8Path) -> u64 {
        self.nested.size_of(path).unwrap_or_else(|| self.size_on_disk(path))
    }

    /// The size of archives on disk, without those inside them.
    pub(crate) fn size_of_files(&self, paths: &[Utf8PathBuf]) -> u64 {
        let files = paths.par_iter().filter(|path| self.nested.size_of(path).is_none());
        files.map(|path| self.size_on_disk(path)).reduce(|| 0, u64::saturating_add)
    }

    fn size_on_disk(&self, path: &Utf8Path) -> u64 {
        let path = outer(self.disk(), path).map_or(path, |(outer, _)| outer);
        self.disk.stat(path.as_std_path()).map_or(0, |found| found.size)
    }

    /// Begins work with a total of `all` bytes.
    pub(crate) fn begin(&self, all: u64) {
        if let Some(observed) = &self.observed {
            observed.done.store(0, Ordering::Relaxed);
            observed.all.store(all, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.observed.as_ref().is_some_and(|observed| observed.stopped.load(Ordering::Relaxed))
    }

    /// A work unit of this size; `None` if the work is stopped.
    pub(crate) fn unit(&self, size: u64) -> Option<WorkUnit> {
        let unit = |observed: &Arc<Observed>| {
            let (observed, left) = (Arc::clone(observed), AtomicU64::new(size));
            observed.advance(0).then(|| Arc::new(UnitState { observed, left }))
        };
        let state = match &self.observed {
            None => None,
            Some(observed) => Some(unit(observed)?),
        };
        Some(self.work(state))
    }

    fn work(&self, state: Option<Arc<UnitState>>) -> WorkUnit {
        WorkUnit { state, disk: Arc::clone(&self.disk), nested: Arc::clone(&self.nested) }
    }
}

/// The work on one archive.
pub(crate) struct WorkUnit {
    state: Option<Arc<UnitState>>,
    disk: Arc<dyn Disk>,
    nested: Arc<Nested>,
}

struct UnitState {
    observed: Arc<Observed>,
    /// Bytes not reported yet. Entries may share bytes, which are then read more than once.
    left: AtomicU64,
}

impl UnitState {
    fn advance(&self, by: u64) -> bool {
        let take = |left: u64| Some(left.saturating_sub(by));
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        self.observed.advance(by.min(left.unwrap_or_default()))
    }
}

impl WorkUnit {
    /// Opens an archive; the error names its path. After the work is stopped, reads of the archive fail.
    /// The path may lead into an archive.
    pub(crate) fn open(&self, path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
        self.open_unnamed(path, options).map_err(|error| error.in_archive(path.as_str()))
    }

    fn open_unnamed(&self, path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
        if let Some((outer, entry)) = self.nested.place_of(path) {
            let outer = self.nested.outer(outer, || self.open_unnamed(outer, options))?;
            return opened(&outer, entry);
        }
        self.open_on_disk(path, options).or_else(|error| {
            let Some((outer, inside)) = outer(&*self.disk, path) else { return Err(error) };
            open_inside(&self.open_on_disk(outer, options)?, inside).unwrap_or(Err(error))
        })
    }

    fn open_on_disk(&self, path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
        let disk = match &self.state {
            None => Arc::clone(&self.disk),
            Some(unit) => Arc::new(ObservedDisk { unit: Arc::clone(unit), disk: Arc::clone(&self.disk) }),
        };
        options.open_on(&disk, path)
    }

    /// Returns the result; `None` if the work was stopped before it was complete.
    pub(crate) fn whole<T>(&self, made: T) -> Option<T> {
        self.state.as_ref().is_none_or(|unit| unit.advance(u64::MAX)).then_some(made)
    }
}

/// A disk, for one archive.
struct ObservedDisk {
    unit: Arc<UnitState>,
    disk: Arc<dyn Disk>,
}

impl fmt::Debug for ObservedDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObservedDisk")
    }
}

impl Disk for ObservedDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.disk.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.disk.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        let Opened { stat, content } = self.disk.open(path, access)?;
        let content = match content {
            Content::At(file) => Content::At(Arc::new(ObservedFile { unit: Arc::clone(&self.unit), file })),
            bytes @ Content::Bytes(_) => bytes,
        };
        Ok(Opened { stat, content })
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        self.disk.system_path(path)
    }
}

struct ObservedFile {
    unit: Arc<UnitState>,
    file: Arc<dyn ReadAt>,
}

impl fmt::Debug for ObservedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.fmt(f)
    }
}

impl ReadAt for ObservedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let most = buffer.len().min(PIECE);
        let count = self.file.read_at(buffer.get_mut(..most).unwrap_or_default(), offset)?;
        // not `Interrupted`, after which a reader tries again
        if self.unit.advance(count as u64) { Ok(count) } else { Err(io::Error::other("the work is stopped")) }
    }
}
