//! Faults in rules: contradictions, and values without effect.

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

use crate::aspects::names::is_below;

/// A contradiction in rules, or a value without effect. Rules with a fault still work, except that a mount
/// refuses rules that [leave their root](Self::leaves_root).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFault {
    key: String,
    what: String,
    leaves_root: bool,
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.what)
    }
}

impl std::error::Error for RulesFault {}

impl RulesFault {
    /// The path of the key in a rule file: `stops[1]`, `directories.most-games`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether the rules would search a folder outside of the base directory or of the home folder.
    #[must_use]
    pub fn leaves_root(&self) -> bool {
        self.leaves_root
    }
}

/// The faults that were found so far.
#[derive(Default)]
pub(crate) struct Faults(pub(crate) Vec<RulesFault>);

impl Faults {
    pub(crate) fn add(&mut self, key: impl Into<String>, what: impl Into<String>) {
        self.0.push(RulesFault { key: key.into(), what: what.into(), leaves_root: false });
    }

    pub(crate) fn no_effect(&mut self, key: impl Into<String>, because: &str) {
        self.add(key, format!("no effect, because {because}"));
    }

    /// Reports the items of a list for which `why` has a reason.
    pub(crate) fn no_effects<T>(&mut self, key: &str, list: &[T], why: impl Fn(&T) -> Option<&'static str>) {
        for (index, item) in list.iter().enumerate() {
            if let Some(why) = why(item) {
                self.no_effect(format!("{key}[{index}]"), why);
            }
        }
    }

    pub(crate) fn empty(&mut self, key: impl Into<String>) {
        self.add(key, "the list is empty");
    }

    /// Reports a path that does not lead into the folder `root` or to it.
    pub(crate) fn below(&mut self, key: impl Into<String>, path: &str, root: &str) {
        if !is_below(path) {
            let what = format!("the directory {path:?} is not below the {root}");
            self.0.push(RulesFault { key: key.into(), what, leaves_root: true });
        }
    }

    /// Reports unknown parts and unpaired braces in a name. If `known` has an entry with a comma, lists of
    /// choices are allowed too.
    pub(crate) fn parts(&mut self, key: &str, name: &str, known: &[&str]) {
        let has_choices = known.iter().any(|part| part.contains(','));
        // `file:ogg` stands for all of its kind
        let of_kind = |part: &str| {
            let start = part.split_once(':').map(|(start, _)| start);
            start.is_some()
                && known.iter().any(|known| known.split_once(':').map(|(start, _)| start) == start)
        };
        let is_part = |part: &str| {
            known.contains(&part)
                || of_kind(part)
                || (has_choices && part.contains(',') && !part.contains('{'))
        };
        let mut rest = name;
        while let Some((_, from)) = rest.find(['{', '}']).and_then(|brace| rest.split_at_checked(brace)) {
            let inside = from.strip_prefix('{').and_then(|from| from.split_once('}'));
            match inside {
                Some((part, after)) if is_part(part) => rest = after,
                found => {
                    let part = found.map_or_else(|| from.to_owned(), |(part, _)| format!("{{{part}}}"));
                    let what = format!("{part:?} is not a part of a name: expected {}", one_of(known));
                    return self.add(key, what);
                }
            }
        }
    }

    /// Reports an empty list, and items that are in it before.
    pub(crate) fn list<T: Eq + Hash>(&mut self, key: &str, list: &[T]) {
        if list.is_empty() {
            self.empty(key);
        }
        self.twice(key, list);
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

/// Formats parts in braces as a list for a sentence.
fn one_of(parts: &[&str]) -> String {
    let mut parts: Vec<_> = parts.iter().map(|part| format!("{{{part}}}")).collect();
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} or {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
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
