//! The extensions of archives of all engines.

use std::sync::LazyLock;

use super::Engine;
use crate::Archives;
use crate::aspects::archives::extension;

impl Archives {
    /// Whether these rules, or the rules of any engine, load archives with the extension of `file`.
    #[must_use]
    pub fn is_archive_name(&self, file: &str) -> bool {
        // sorted numbers, because a check asks this of each entry
        static KNOWN: LazyLock<Vec<u64>> = LazyLock::new(|| {
            let all = Engine::ALL.iter().flat_map(|engine| engine.rules().archives.extensions());
            let mut known: Vec<u64> = all.filter_map(number).collect();
            known.sort_unstable();
            known.dedup();
            known
        });
        let Some(found) = extension(file) else { return false };
        number(found).is_some_and(|number| KNOWN.binary_search(&number).is_ok())
            || self.extensions().any(|wanted| wanted.eq_ignore_ascii_case(found))
    }
}

/// A short extension in lower case as a number.
fn number(extension: &str) -> Option<u64> {
    let mut bytes = [0; 8];
    bytes.get_mut(..extension.len())?.copy_from_slice(extension.as_bytes());
    bytes.make_ascii_lowercase();
    Some(u64::from_le_bytes(bytes))
}
