//! Watches the disk while a search path is in use.

mod content;
mod look;
mod places;
mod signal;
mod update;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use parking_lot::Mutex;

use self::look::{Followed, LookResult, Looker};
use self::signal::Signal;
pub use self::update::Update;
use crate::disk::SystemPath;
use crate::error::Error;
use crate::search_path::SearchPath;
use crate::search_path::shared::SharedSearchPath;

/// Mounts the search path again whenever files change on disk: loose files, archives, and whole game
/// directories.
///
/// A thread collects the system's change events until none arrives for 100 ms, or for at most a second. It
/// then mounts again, opening only changed archives, and compares. [`wait`](Watcher::wait) returns the
/// difference. Readers of the earlier search path are not disturbed.
///
/// - A change to an overridden copy is not reported, because the winner stays the same.
///   [`Update::overridden`] lists loose files that were written without effect.
/// - If an archive is incomplete and was written to in the last two seconds, the watcher waits for the rest.
/// - Archives that are overwritten in place are compared by hashes. For that the watcher reads every archive
///   once.
/// - Lost events are harmless: events only tell when to mount again, and each mount covers everything.
///
/// A watcher's search paths read archives by position ([`Access::Read`](crate::Access::Read)), because
/// truncating a mapped archive ends the process. For the same reason, use
/// [`search_path`](Watcher::search_path) instead of the search path that you began with.
///
/// Dropping the watcher ends its threads and closes their files.
pub struct Watcher {
    search_path: SearchPath,
    /// The shared search path that updates are stored in.
    shared: Option<SharedSearchPath>,
    /// `None` once the watcher is dropped.
    updates: Option<Updates>,
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

/// The mutex only makes the watcher `Sync`. It is never contended, because taking an update needs `&mut
/// Watcher`.
type Updates = Mutex<Receiver<Result<LookResult, Error>>>;

impl SearchPath {
    /// Watches the files of this search path on disk. This call mounts it again: the result is
    /// [`Watcher::search_path`], and the first update lists the changes since then.
    ///
    /// # Errors
    /// The errors of [`Builder::mount`](crate::Builder::mount), and [`ErrorKind::Io`](crate::ErrorKind::Io)
    /// if the system refuses to watch. On Linux a user may watch `fs.inotify.max_user_watches` folders. Disks
    /// other than the system's cannot be watched and return this error too.
    pub fn watch(&self) -> Result<Watcher, Error> {
        Watcher::begin(self, Arc::default(), None)
    }
}

impl SharedSearchPath {
    /// Watches the files of the stored search path on disk, and of each one that is stored later.
    ///
    /// The watcher mounts the search path again and stores the result now, and each later update when
    /// [`wait`](Watcher::wait) takes it. After a [`store`](Self::store) the watcher drops pending updates, so
    /// that it never undoes the swap, and follows the new search path. No update reports the difference
    /// between the two; call [`changes_since`](SearchPath::changes_since) for it. Use
    /// [`Access::Read`](crate::Access::Read) for the search paths that you store, as the watcher does: a
    /// mapped file that another program truncates ends the process.
    ///
    /// # Errors
    /// The errors of [`SearchPath::watch`].
    pub fn watch(&self) -> Result<Watcher, Error> {
        let signal: Arc<Signal> = Arc::default();
        let followed = Arc::downgrade(&signal);
        // registered before the value is read, so that no swap is missed
        self.on_store(move || {
            followed.upgrade().is_some_and(|signal| {
                signal.follow();
                !signal.is_stopped()
            })
        });
        let (search_path, stored) = self.load_stored();
        let watcher = Watcher::begin(&search_path, signal, Some(Followed { shared: self.clone(), stored }))?;
        self.update(&watcher.search_path, stored);
        Ok(watcher)
    }
}

impl Watcher {
    fn begin(
        search_path: &SearchPath,
        signal: Arc<Signal>,
        followed: Option<Followed>,
    ) -> Result<Watcher, Error> {
        let roots = search_path.roots();
        let is_on_system = |root: &Utf8PathBuf| {
            search_path.disk().system_path(root.as_std_path()).and_then(SystemPath::file).is_some()
        };
        if let Some(root) = roots.first().filter(|_| !roots.iter().any(is_on_system)) {
            let why = "only the system's disk says what changes: mount with LooseFiles::Listed, and ask \
                refresh and changes_since";
            return Err(Error::io(root, "watch", io::Error::new(io::ErrorKind::Unsupported, why)));
        }
        let shared = followed.as_ref().map(|followed| followed.shared.clone());
        let looker = Looker::new(search_path, &signal, followed)?;
        let search_path = looker.search_path().clone();
        // one update waits to be taken; the next one collects all changes until then
        let (sender, updates) = sync_channel(1);
        let thread = thread::Builder::new().name("quakefs watch".to_owned());
        let thread = thread.spawn(move || looker.run(&sender))?;
        Ok(Watcher { search_path, shared, updates: Some(Mutex::new(updates)), signal, thread: Some(thread) })
    }

    /// The search path of the last update that was received, or the first search path.
    #[must_use]
    pub fn search_path(&self) -> &SearchPath {
        &self.search_path
    }

    /// Waits up to this long for a change, and returns the changes since the last update taken.
    /// [`Duration::ZERO`] does not wait.
    ///
    /// An error means that the search path could not be mounted again or a folder cannot be watched. The
    /// earlier search path stays, and the watcher continues.
    pub fn wait(&mut self, at_most: Duration) -> Option<Result<Update, Error>> {
        let start = Instant::now();
        loop {
            let left = at_most.saturating_sub(start.elapsed());
            let found = self.updates.as_mut()?.get_mut().recv_timeout(left).ok()?;
            if let Some(update) = self.take(found) {
                return Some(update);
            }
        }
    }

    /// `None` if nothing changed on disk or another value was stored in the meantime.
    fn take(&mut self, found: Result<LookResult, Error>) -> Option<Result<Update, Error>> {
        let LookResult { update, stored, is_other } = match found {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        if self.shared.as_ref().is_some_and(|shared| !shared.update(&update.search_path, stored)) {
            return None;
        }
        self.search_path = update.search_path.clone();
        (!is_other).then_some(Ok(update))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // releases a thread that waits for its update to be taken
        self.updates = None;
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").field("search_path", &self.search_path).finish_non_exhaustive()
    }
}
