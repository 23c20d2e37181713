//! What changes on disk while a stack is in use.

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

use self::look::{Followed, Found, Looker};
use self::signal::Signal;
pub use self::update::Update;
use crate::disk::SystemPath;
use crate::error::Error;
use crate::search_path::{SearchPath, SharedSearchPath};

/// A stack that is mounted again when files change on disk: loose files, archives, game directories that come and go.
///
/// A thread waits for the system's word that something changed, until nothing did for 100 ms (in a burst without an end:
/// for a second). It then mounts again, opening only archives that changed, and compares. The difference waits to be
/// taken by [`poll`](Watcher::poll) or [`wait`](Watcher::wait); whoever reads the stack from before goes on with it.
///
/// - A change of a copy that is hidden is none: no name is served by another copy. [`Update::hidden`] has loose files that were
///   written in vain.
/// - An archive that cannot be read whole, and was written to in the last two seconds, is waited for.
/// - An archive that is written over in place is compared by hashes, for which the watcher reads every archive once.
/// - Where the system has lost count, everything is looked at again: each look is a whole one, and what the system says is
///   only when to look.
///
/// What is watched is written to by others, so the stacks of a watcher read archives by position
/// ([`Access::Read`](crate::Access::Read)): a mapped archive that is cut short ends the process. To be safe of that, take
/// the first stack from [`search_path`](Watcher::search_path).
///
/// Dropping the watcher ends its threads and closes what they have open.
pub struct Watcher {
    search_path: SearchPath,
    /// Where what was found is stored.
    shared: Option<SharedSearchPath>,
    /// `None` once the watcher is dropped.
    updates: Option<Updates>,
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

/// A receiver alone cannot be shared between threads, and a watcher can. Nothing locks it: what takes an update has the watcher to
/// itself.
type Updates = Mutex<Receiver<Result<Found, Error>>>;

impl SearchPath {
    /// Watches the files of this stack on disk. The first comparison is with the stack as it is mounted by this call,
    /// [`Watcher::search_path`].
    ///
    /// # Errors
    /// As [`Builder::mount`](crate::Builder::mount), and [`ErrorKind::Io`](crate::ErrorKind::Io) where the system refuses to
    /// watch: on Linux, a user may watch `fs.inotify.max_user_watches` folders. A disk that is not the system's cannot be
    /// watched, and gives this error too.
    pub fn watch(&self) -> Result<Watcher, Error> {
        Watcher::begin(self, Arc::default(), None)
    }
}

impl SharedSearchPath {
    /// Watches the files of the stored stack on disk, and of each stack that is stored later.
    ///
    /// The stack as the watcher mounts it is stored now, and each update of it when the update is taken by
    /// [`poll`](Watcher::poll) or [`wait`](Watcher::wait). After a [`store`](Self::store), updates of the stack before are
    /// dropped, so that a watcher never undoes a swap, and the watcher follows the new one: what differs between the two is
    /// what [`changes_since`](SearchPath::changes_since) gives, and no update. Build what you store with
    /// [`Access::Read`](crate::Access::Read), as the watcher mounts its own: a mapped stack is read through the map until the next
    /// update.
    ///
    /// # Errors
    /// As [`SearchPath::watch`].
    pub fn watch(&self) -> Result<Watcher, Error> {
        let signal: Arc<Signal> = Arc::default();
        let followed = Arc::downgrade(&signal);
        // before the stack is taken, so that no swap is missed
        self.on_store(move || {
            followed.upgrade().is_some_and(|signal| {
                signal.follow();
                !signal.is_stopped()
            })
        });
        let (stack, stored) = self.load_stored();
        let watcher = Watcher::begin(&stack, signal, Some(Followed { shared: self.clone(), stored }))?;
        self.update(&watcher.search_path, stored);
        Ok(watcher)
    }
}

impl Watcher {
    fn begin(stack: &SearchPath, signal: Arc<Signal>, followed: Option<Followed>) -> Result<Watcher, Error> {
        let roots = stack.roots();
        let is_on_system = |root: &Utf8PathBuf| {
            stack.disk().system_path(root.as_std_path()).and_then(SystemPath::file).is_some()
        };
        if let Some(root) = roots.first().filter(|_| !roots.iter().any(is_on_system)) {
            let why = "only the system's disk says what changes: mount with LooseFiles::Listed, and ask refresh and changes_since";
            return Err(Error::io(root, "watch", io::Error::new(io::ErrorKind::Unsupported, why)));
        }
        let shared = followed.as_ref().map(|followed| followed.shared.clone());
        let looker = Looker::new(stack, &signal, followed)?;
        let search_path = looker.search_path().clone();
        // one waits to be taken, and the next one has all that changed until it can be given
        let (sender, updates) = sync_channel(1);
        let thread = thread::Builder::new().name("quakefs watch".to_owned());
        let thread = thread.spawn(move || looker.run(&sender))?;
        Ok(Watcher { search_path, shared, updates: Some(Mutex::new(updates)), signal, thread: Some(thread) })
    }

    /// The stack as it was when the watcher began, and after that the one of the last update that was taken.
    #[must_use]
    pub fn search_path(&self) -> &SearchPath {
        &self.search_path
    }

    /// What changed since the last update that was taken; `None` where nothing did. Does not wait.
    ///
    /// An error says that the stack could not be mounted again, or that a folder cannot be watched; the stack from before
    /// stays, and the watcher goes on.
    pub fn poll(&mut self) -> Option<Result<Update, Error>> {
        loop {
            let found = self.updates.as_mut()?.get_mut().try_recv().ok()?;
            if let Some(update) = self.take(found) {
                return Some(update);
            }
        }
    }

    /// As [`poll`](Self::poll), and waits this long for something to change.
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

    /// `None` where nothing changed on disk, or another stack was stored since.
    fn take(&mut self, found: Result<Found, Error>) -> Option<Result<Update, Error>> {
        let Found { update, stored, is_other } = match found {
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
        // a thread that waits for its update to be taken goes on without
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
