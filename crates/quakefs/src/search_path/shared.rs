//! A search path that can be replaced while others read it.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "watch")]
use parking_lot::Mutex;
use parking_lot::RwLock;

use super::surface::SearchPath;

/// Holds the current [`SearchPath`], for engines that change the game at run time. Clones hold the same one.
///
/// Readers take a clone of the stack and keep a whole, unchanging one for as long as they like; what they read from an
/// older one stays valid.
#[derive(Clone)]
pub struct SharedSearchPath(Arc<Shared>);

struct Shared {
    current: RwLock<Current>,
    /// Called after each [`store`](SharedSearchPath::store), until they give `false`.
    #[cfg(feature = "watch")]
    on_store: Mutex<Vec<Box<dyn FnMut() -> bool + Send>>>,
}

struct Current {
    search_path: SearchPath,
    /// How often another stack was stored. What a watcher finds out about an earlier one is out of date.
    stored: u64,
}

impl SharedSearchPath {
    /// Starts with this stack.
    #[must_use]
    pub fn new(search_path: SearchPath) -> Self {
        SharedSearchPath(Arc::new(Shared {
            current: RwLock::new(Current { search_path, stored: 0 }),
            #[cfg(feature = "watch")]
            on_store: Mutex::default(),
        }))
    }

    /// The stack of this moment.
    #[must_use]
    pub fn load(&self) -> SearchPath {
        self.0.current.read().search_path.clone()
    }

    /// Swaps a new stack in and gives the old one back. Watchers follow the new one.
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

    /// The stack of this moment, and how often one was stored before.
    #[cfg(feature = "watch")]
    pub(crate) fn load_stored(&self) -> (SearchPath, u64) {
        let current = self.0.current.read();
        (current.search_path.clone(), current.stored)
    }

    /// Puts in what the stored stack has become, and gives whether it still is the one that was stored then.
    #[cfg(feature = "watch")]
    pub(crate) fn update(&self, search_path: &SearchPath, stored: u64) -> bool {
        let mut current = self.0.current.write();
        let is_stored = current.stored == stored;
        if is_stored {
            current.search_path = search_path.clone();
        }
        is_stored
    }

    /// Calls this after each store, until it gives `false`.
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
