//! What changes on disk while a stack is in use.

mod content;
mod look;
mod places;
mod signal;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::Error;
use crate::finding::Finding;
use crate::stack::{Change, SearchPath};
use look::Looker;
use signal::Signal;

/// A stack that is mounted again when files change on disk: loose files, archives, game directories that come and go.
///
/// A thread waits for the system's word that something changed, until nothing did for 100 ms (in a burst without an end:
/// for a second). It then mounts again, opening only archives that changed, and compares. The difference waits to be
/// taken by [`poll`](Watcher::poll) or [`wait`](Watcher::wait); whoever reads the stack from before goes on with it.
///
/// - A change of a copy that is hidden is none: no name is served by another copy.
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
    /// `None` once the watcher is dropped.
    updates: Option<Receiver<Result<Update, Error>>>,
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

/// What differs between a stack and the one before, as a [`Watcher`] gives it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Update {
    /// The stack as it is now.
    pub search_path: SearchPath,
    /// The names whose served copy differs, sorted; empty where only other layers, or findings, came and went.
    pub changes: Vec<Change>,
    /// The findings that the stack before did not have.
    pub findings: Vec<Finding>,
}

impl SearchPath {
    /// Watches the files of this stack on disk. The first comparison is with the stack as it is mounted by this call,
    /// [`Watcher::search_path`].
    ///
    /// # Errors
    /// As [`Builder::mount`](crate::Builder::mount), and [`ErrorKind::Io`](crate::ErrorKind::Io) where the system refuses to
    /// watch: on Linux, a user may watch `fs.inotify.max_user_watches` folders.
    pub fn watch(&self) -> Result<Watcher, Error> {
        let signal = Arc::new(Signal::default());
        let looker = Looker::new(self, &signal)?;
        let search_path = looker.search_path().clone();
        // one waits to be taken, and the next one has all that changed until it can be given
        let (sender, updates) = sync_channel(1);
        let thread = thread::Builder::new().name("quakefs watch".to_owned());
        let thread = thread.spawn(move || looker.run(&sender))?;
        Ok(Watcher { search_path, updates: Some(updates), signal, thread: Some(thread) })
    }
}

impl Watcher {
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
        let update = self.updates.as_ref()?.try_recv().ok()?;
        Some(self.take(update))
    }

    /// As [`poll`](Self::poll), and waits this long for something to change.
    pub fn wait(&mut self, at_most: Duration) -> Option<Result<Update, Error>> {
        let update = self.updates.as_ref()?.recv_timeout(at_most).ok()?;
        Some(self.take(update))
    }

    fn take(&mut self, update: Result<Update, Error>) -> Result<Update, Error> {
        if let Ok(update) = &update {
            self.search_path = update.search_path.clone();
        }
        update
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
