//! The extensions of archives of all engines.

use std::sync::LazyLock;

use super::Engine;
use crate::Archives;
use crate::aspects::archives::extension;

impl Archives {
    /// Whether these rules, or the rules of any engine, load archives with the extension of `file`.
    ///
    /// ```
    /// let archives = &quake_rules::Engine::WinQuake.rules().archives;
    /// assert!(archives.is_archive_name("x.PAK") && archives.is_archive_name("y.pk3"));
    /// assert!(!archives.is_archive_name("x.pak.bak"));
    /// ```
    #[must_use]
    pub fn is_archive_name(&self, file: &str) -> bool {
        static KNOWN: LazyLock<Vec<&str>> = LazyLock::new(|| {
            let all = Engine::ALL.iter().flat_map(|engine| engine.rules().archives.extensions());
            let mut known: Vec<_> = all.collect();
            known.sort_unstable();
            known.dedup();
            known
        });
        let Some(found) = extension(file) else { return false };
        let mut wanted = self.extensions().chain(KNOWN.iter().copied());
        wanted.any(|wanted| wanted.eq_ignore_ascii_case(found))
    }
}
