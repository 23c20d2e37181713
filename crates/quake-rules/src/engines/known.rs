//! The extensions of archives of all engines.

use std::sync::LazyLock;

use super::Engine;
use crate::Archives;

impl Archives {
    /// Whether these rules, or the rules of any engine, load archives with the extension of a path.
    #[must_use]
    pub fn is_archive_name(&self, path: impl AsRef<[u8]>) -> bool {
        self.is_archive(path.as_ref())
    }

    fn is_archive(&self, path: &[u8]) -> bool {
        static KNOWN: LazyLock<Vec<u64>> = LazyLock::new(|| {
            let all = Engine::ALL.iter().flat_map(|engine| engine.rules().archives.extensions());
            let mut known: Vec<u64> = all.filter_map(|extension| number(extension.as_bytes())).collect();
            known.sort_unstable();
            known.dedup();
            known
        });
        let ends_with = |extension: &str| {
            let end = path.len().checked_sub(extension.len()).and_then(|start| path.split_at_checked(start));
            end.is_some_and(|(rest, end)| {
                rest.ends_with(b".") && end.eq_ignore_ascii_case(extension.as_bytes())
            })
        };
        // of the known extensions a number, because a check asks this of each entry
        number_of_path(path).is_some_and(|number| KNOWN.binary_search(&number).is_ok())
            || self.extensions().any(ends_with)
    }
}

/// An extension of at most 8 bytes as a number. It does not depend on case.
fn number(extension: &[u8]) -> Option<u64> {
    let byte =
        |number, (place, byte): (usize, &u8)| number | u64::from(byte.to_ascii_lowercase()) << (8 * place);
    (extension.len() <= 8).then(|| extension.iter().rev().enumerate().fold(0, byte))
}

/// The number of a path's extension.
fn number_of_path(path: &[u8]) -> Option<u64> {
    let length = path.iter().rev().take(9).position(|byte| *byte == b'.')?;
    number(path.get(path.len() - length..)?)
}
