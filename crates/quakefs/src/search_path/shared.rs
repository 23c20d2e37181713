//! A search path that can be replaced while others read it.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "watch")]
use parking_lot::Mutex;
use parking_lot::RwLock;

use super::surface::SearchPath;

/// The current [`SearchPath`] of an engine that changes the game at run time. Clones share it.
///
/// Readers take a clone and keep it as long as they like. Files of an older search path stay valid.
#[derive(Clone)]
pub struct SharedSearchPath(Arc<Shared>);

struct Shared {
    current: RwLock<Current>,
    /// Functions to call after each [`store`](SharedSearchPath::store), until they return `false`.
    #[cfg(feature = "watch")]
    on_store: Mutex<Vec<Box<dyn FnMut() -> bool + Send>>>,
}

struct Current {
    search_path: SearchPath,
    /// How often a search path was stored. A watcher discards changes that it found in an earlier one.
    stored: u64,
}

impl SharedSearchPath {
    /// Starts with this search path.
    #[must_use]
    pub fn new(search_path: SearchPath) -> Self {
        SharedSearchPath(Arc::new(Shared {
            current: RwLock::new(Current { search_path, stored: 0 }),
            #[cfg(feature = "watch")]
            on_store: Mutex::default(),
        }))
    }

    /// Returns the current search path.
    #[must_use]
    pub fn load(&self) -> SearchPath {
        self.0.current.read().search_path.clone()
    }

    /// Replaces the search path and returns the old one. Watchers follow the new one.
    #[expect(clippy::must_use_candidate, reason = "few want the old one back")]
    pub fn store(&self, search_path: SearchPath) -> SearchPath {
        let old = {
            let mut current = self.0.current.write();
            current.stored += 1;
            std::mem::replace(&mut current.search_path, search_path)
        };
        #[cfg(feature = "watch")]
        self.0.on_store.lock().retain_mut(|called| called());
        old
    }

    /// The current search path, and how often one was stored.
    #[cfg(feature = "watch")]
    pub(crate) fn load_stored(&self) -> (SearchPath, u64) {
        let current = self.0.current.read();
        (current.search_path.clone(), current.stored)
    }

    /// Updates the search path after a change on disk. Returns `false` if another one was stored in the meantime.
    #[cfg(feature = "watch")]
    pub(crate) fn update(&self, search_path: &SearchPath, stored: u64) -> bool {
        let mut current = self.0.current.write();
        let is_stored = current.stored == stored;
        if is_stored {
            current.search_path = search_path.clone();
        }
        is_stored
    }

    /// Calls this after each store, until it returns `false`.
    #[cfg(feature = "watch")]
    pub(crate) fn on_store(&self, called: impl FnMut() -> bool + Send + 'static) {
        self.0.on_store.lock().push(Box::new(called));
    }
}

impl fmt::Debug for SharedSearchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedSearchPath").field(&self.0.current.read().search_path).finish()
    }
}
