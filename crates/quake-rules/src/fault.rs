//! Faults in rules: contradictions, and values without effect.

use std::collections::HashSet;
use std::hash::Hash;

/// A contradiction in rules, or a value without effect. Rules with a fault still work, except that a mount refuses
/// rules that [leave their root](Self::leaves_root).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {kind}")]
pub struct RulesFault {
    key: String,
    kind: FaultKind,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A list is empty that needs an item.
    #[error("the list is empty")]
    Empty,
    /// A directory is not a relative path below the base directory.
    #[error("the directory {directory:?} is not below the base directory")]
    Outside {
        /// The directory as the rules spell it.
        directory: String,
    },
    /// A place of the user directory is not a relative path below the home folder.
    #[error("the directory {directory:?} is not below the home folder")]
    OutsideHome {
        /// The place as the rules spell it.
        directory: String,
    },
    /// No kind of archive has the extension.
    #[error("no archive format has the extension {extension:?}")]
    UnknownExtension {
        /// The extension.
        extension: String,
    },
    /// Braces in a name are not in pairs, or do not contain a part that is allowed here.
    #[error("{part:?} is not a part of a name: expected {}", one_of(.known))]
    UnknownPart {
        /// The braces with their content, or the text after a brace without its partner.
        part: String,
        /// The allowed contents of the braces.
        known: &'static [&'static str],
    },
    /// A rule would drop request components that begin with a dot, which is not allowed.
    #[error("a component with a name cannot be dropped")]
    DroppedName,
    /// The value has no effect.
    #[error("no effect, because {because}")]
    NoEffect {
        /// The reason why it has no effect.
        because: &'static str,
    },
}

/// Formats parts in braces as a list for a sentence.
fn one_of(parts: &[&str]) -> String {
    let mut parts: Vec<_> = parts.iter().map(|part| format!("{{{part}}}")).collect();
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} or {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

impl RulesFault {
    /// The path of the key in a rule file: `stops[1]`, `directories.most-games`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &FaultKind {
        &self.kind
    }

    /// Whether the rules would search a folder outside of the base directory or of the home folder.
    #[must_use]
    pub fn leaves_root(&self) -> bool {
        matches!(self.kind, FaultKind::Outside { .. } | FaultKind::OutsideHome { .. })
    }
}

/// The faults that were found so far.
#[derive(Default)]
pub(crate) struct Faults(pub(crate) Vec<RulesFault>);

impl Faults {
    pub(crate) fn add(&mut self, key: impl Into<String>, kind: FaultKind) {
        self.0.push(RulesFault { key: key.into(), kind });
    }

    pub(crate) fn no_effect(&mut self, key: impl Into<String>, because: &'static str) {
        self.add(key, FaultKind::NoEffect { because });
    }

    /// Reports unknown parts and unpaired braces in a name. If `known` has an entry with a comma, lists of
    /// choices are allowed too.
    pub(crate) fn parts(&mut self, key: &str, name: &str, known: &'static [&'static str]) {
        let has_choices = known.iter().any(|part| part.contains(','));
        let is_part =
            |part: &str| known.contains(&part) || (has_choices && part.contains(',') && !part.contains('{'));
        let mut rest = name;
        while let Some((_, from)) = rest.find(['{', '}']).and_then(|brace| rest.split_at_checked(brace)) {
            let inside = from.strip_prefix('{').and_then(|from| from.split_once('}'));
            match inside {
                Some((part, after)) if is_part(part) => rest = after,
                found => {
                    let part = found.map_or_else(|| from.to_owned(), |(part, _)| format!("{{{part}}}"));
                    return self.add(key, FaultKind::UnknownPart { part, known });
                }
            }
        }
    }

    /// Reports items that are in a list twice.
    pub(crate) fn twice<T: Eq + Hash>(&mut self, key: &str, list: &[T]) {
        let mut seen = HashSet::new();
        for (index, item) in list.iter().enumerate() {
            if !seen.insert(item) {
                self.no_effect(format!("{key}[{index}]"), "it is in the list already");
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{Engine, Rules};

    /// Compares the faults of WinQuake's rules after a change.
    #[track_caller]
    pub(crate) fn check(change: impl FnOnce(&mut Rules), expected: &[&str]) {
        let mut rules = Engine::WinQuake.rules().clone();
        change(&mut rules);
        let faults: Vec<_> = rules.validate().iter().map(ToString::to_string).collect();
        assert_eq!(faults, expected);
    }

    #[test]
    fn the_rows_of_the_engines_have_no_fault() {
        for engine in Engine::ALL {
            assert_eq!(engine.rules().validate(), [], "{engine}");
        }
    }
}
