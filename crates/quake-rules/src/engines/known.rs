//! The extensions of archives of all engines.

use std::sync::LazyLock;

use super::Engine;
use crate::Archives;
use crate::aspects::archives::extension;

impl Archives {
    /// Whether these rules, or the rules of any engine, load archives with the extension of `file`.
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
