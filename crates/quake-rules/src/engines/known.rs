//! The extensions of archives of all engines.

use crate::Archives;

/// The extensions that the rows load, without case. Listed, because a program that names its engine does not
/// link the other rows.
const KNOWN: &[&str] =
    &["dpk", "dpkdir", "obb", "pak", "pakdir", "pk2", "pk3", "pk3dir", "pk4", "pkz", "sin", "zip"];

impl Archives {
    /// Whether these rules, or the rules of any engine, load archives with the extension of a path.
    #[must_use]
    pub fn is_archive_name(&self, path: impl AsRef<[u8]>) -> bool {
        self.is_archive(path.as_ref())
    }

    fn is_archive(&self, path: &[u8]) -> bool {
        let Some(dot) = path.iter().rposition(|byte| *byte == b'.') else { return false };
        let ends_with = |extension: &str| {
            let end = path.len().checked_sub(extension.len()).and_then(|start| path.split_at_checked(start));
            end.is_some_and(|(rest, end)| {
                rest.ends_with(b".") && end.eq_ignore_ascii_case(extension.as_bytes())
            })
        };
        let end = path.get(dot + 1..).unwrap_or_default();
        KNOWN.iter().any(|known| end.eq_ignore_ascii_case(known.as_bytes()))
            || self.extensions().any(ends_with)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::KNOWN;
    use crate::Engine;

    #[test]
    fn the_known_extensions_are_those_of_all_rows() {
        let all = Engine::ALL.iter().flat_map(|engine| engine.rules().archives.extensions());
        let all: BTreeSet<String> = all.map(str::to_ascii_lowercase).collect();
        assert_eq!(all, KNOWN.iter().map(|known| (*known).to_owned()).collect());
    }
}
