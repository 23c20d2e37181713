//! Keys under which a cache keeps what it made of files.

use super::mounted::Mounted;
use super::surface::SearchPath;
use crate::rules::{LooseCase, QPath, Spelling};

impl SearchPath {
    /// The key under which a cache keeps a name: equal for all spellings of a name that the engine or the
    /// disk takes for one. A file that changes has the same key as each request for it:
    /// [`Change::key`](crate::watch::Change::key).
    ///
    /// ```
    /// # use std::collections::HashMap;
    /// # use quakefs::{Engine, SearchPath};
    /// # let game = testutils::game("id1/: maps/e1m1.bsp=old");
    /// let quake = SearchPath::builder(game.path()).engine(Engine::DarkPlaces).mount()?.listed();
    /// let mut cache = HashMap::new();
    /// cache.insert(quake.key("maps/e1m1.bsp"), quake.read("maps/e1m1.bsp")?);
    /// # std::fs::remove_file(game.join("id1/maps/e1m1.bsp"))?;
    /// std::fs::create_dir(game.join("id1/Maps"))?;
    /// std::fs::write(game.join("id1/Maps/E1M1.bsp"), "new")?;
    /// for change in quake.remount()?.listed().changes_since(&quake) {
    ///     cache.remove(change.key());
    /// }
    /// assert!(cache.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// If only archives or only folders ignore case, names that share a key can be two files, or only one of
    /// them may be found. A cache that must tell them apart keeps the name too.
    #[must_use]
    pub fn key(&self, name: impl AsRef<[u8]>) -> Vec<u8> {
        key_of(&self.0, name.as_ref())
    }
}

pub(super) fn key_of(search_path: &Mounted, name: &[u8]) -> Vec<u8> {
    let read = QPath::new(name, &search_path.rules.requests);
    let name = match &read {
        Ok(qpath) if !qpath.in_folders().is_empty() => qpath.in_folders(),
        Ok(qpath) => qpath.in_archives(),
        Err(_) => name,
    };
    match search_path.loose.case {
        LooseCase::IgnoredByDisk => Spelling::IgnoresCaseAndForm.fold(name).into_owned(),
        _ => search_path.loose.pattern_case(search_path.rules.archives.case).fold(name),
    }
}
