//! A search path that can be replaced while others read it.

use std::fmt;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use super::surface::SearchPath;

/// The current [`SearchPath`] of an engine that changes the game at run time. Clones share it.
///
/// Readers take a clone and keep it as long as they like. Files of an older search path stay valid.
#[derive(Clone)]
pub struct SharedSearchPath(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) current: RwLock<Current>,
    /// Functions of watchers, to call after each [`store`](SharedSearchPath::store) until they return
    /// `false`.
    pub(super) on_store: Mutex<Vec<Box<dyn FnMut() -> bool + Send>>>,
}

pub(super) struct Current {
    pub(super) search_path: SearchPath,
    /// How often a search path was stored. A watcher discards changes that it found in an earlier one.
    pub(super) stored: u64,
}

impl SharedSearchPath {
    /// Starts with this search path.
    #[must_use]
    pub fn new(search_path: SearchPath) -> Self {
        SharedSearchPath(Arc::new(Shared {
            current: RwLock::new(Current { search_path, stored: 0 }),
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
        self.0.on_store.lock().retain_mut(|called| called());
        old
    }
}

impl fmt::Debug for SharedSearchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedSearchPath").field(&self.0.current.read().search_path).finish()
    }
}
