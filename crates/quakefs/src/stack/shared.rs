//! A search path that can be replaced while others read it.

use parking_lot::RwLock;

use super::search_path::SearchPath;

/// Holds the current [`SearchPath`], for engines that change the game at run time.
///
/// Readers take a clone and keep a whole, unchanging stack for as long as they like; what they read from an
/// older one stays valid.
///
/// ```
/// use quakefs::{SearchPath, SharedSearchPath};
/// # let pak = || pak_format::Builder::new(pak_format::Layout::Quake).finish().unwrap();
/// let shared = SharedSearchPath::new(SearchPath::layers_only().memory("a.pak", pak()).mount()?);
/// let before = shared.load();
/// shared.store(SearchPath::layers_only().memory("b.pak", pak()).mount()?);
/// assert_eq!(before.layers().next().unwrap().name(), "a.pak");
/// assert_eq!(shared.load().layers().next().unwrap().name(), "b.pak");
/// # Ok::<(), quakefs::Error>(())
/// ```
#[derive(Debug)]
pub struct SharedSearchPath(RwLock<SearchPath>);

impl SharedSearchPath {
    /// Starts with this stack.
    #[must_use]
    pub fn new(search_path: SearchPath) -> Self {
        SharedSearchPath(RwLock::new(search_path))
    }

    /// The stack of this moment.
    #[must_use]
    pub fn load(&self) -> SearchPath {
        self.0.read().clone()
    }

    /// Swaps a new stack in and gives the old one back.
    pub fn store(&self, search_path: SearchPath) -> SearchPath {
        std::mem::replace(&mut self.0.write(), search_path)
    }
}
