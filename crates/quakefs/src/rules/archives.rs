//! The archives of one game directory under some rules, low to high, and what was left out and why.

use std::cmp::Ordering;

use crate::problem::ProblemKind;
use crate::rules::{Alike, ArchiveSet, Case, EmptyArchive, Gaps, Order, Rules};

/// The extensions of archives, without case: a file that has one and is not loaded is worth a word.
const ARCHIVES: [&str; 5] = ["pak", "pk3", "pkz", "sin", "pk4"];

/// What a listing of a game directory comes to.
#[derive(Debug, Default)]
pub(crate) struct Discovered {
    /// File names, low to high, and by its number in the rules the set that each is of.
    pub(crate) archives: Vec<(String, usize)>,
    pub(crate) left_out: Vec<(String, ProblemKind)>,
}

/// Sorts out the regular files of a game directory. `is_empty` says whether an archive has no entries; it is
/// asked only where the rules make a difference.
pub(crate) fn discover(mut files: Vec<String>, rules: &Rules, is_empty: impl Fn(&str) -> bool) -> Discovered {
    files.sort_unstable();
    let mut found = Discovered::default();
    let mut left: Vec<String> = files.clone();
    for (set, kind) in rules.archives.iter().enumerate() {
        match kind {
            ArchiveSet::Numbered { extensions, count, gaps, empty } => {
                let run = Run { extensions, last: count.map(|count| count.saturating_sub(1)), gaps: *gaps };
                run.take(set, &mut left, &mut found, &|number, name| match empty {
                    EmptyArchive::Loaded => false,
                    EmptyArchive::EndsRun => is_empty(name),
                    EmptyArchive::EndsRunUnlessFirst => number > 0 && is_empty(name),
                });
            }
            ArchiveSet::Others { extensions, extension_case, alike, order } => {
                let (mut taken, rest): (Vec<_>, Vec<_>) = left.into_iter().partition(|name| {
                    !(*alike == Alike::SkipNumbered && is_numbered_in_other_case(name, extensions))
                        && extension(name).is_some_and(|found| {
                            extensions.iter().any(|wanted| match extension_case {
                                Case::Exact => found == wanted,
                                Case::Ignored => found.eq_ignore_ascii_case(wanted),
                            })
                        })
                });
                taken.sort_by(|a, b| compare(*order, a, b));
                left = rest;
                for name in taken {
                    let like = |(loaded, _): &&(String, usize)| loaded.eq_ignore_ascii_case(&name);
                    match found.archives.iter().find(like) {
                        Some((loaded, _)) if *alike == Alike::SkipSecond => {
                            let loaded = loaded.clone();
                            found.left_out.push((name.clone(), ProblemKind::AlikeLoaded { loaded }));
                            left.push(name);
                        }
                        _ => found.archives.push((name, set)),
                    }
                }
            }
        }
    }
    // what a run left out, a later set may have taken
    found.left_out.retain(|(name, _)| left.contains(name));
    left.retain(|name| !found.left_out.iter().any(|(other, _)| other == name));
    for name in left {
        if is_archive_name(&name) {
            let why =
                why_not(&name, rules, |other| files.binary_search_by(|file| (**file).cmp(other)).is_ok());
            found.left_out.push((name, why));
        }
    }
    if !rules.later_wins {
        found.archives.reverse();
    }
    found.left_out.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

/// A numbered run of archives.
struct Run<'r> {
    extensions: &'r [crate::rules::Text],
    last: Option<u32>,
    gaps: Gaps,
}

impl Run<'_> {
    fn name(&self, number: u32) -> String {
        format!("pak{number}.{}", self.extensions.first().map_or("pak", |extension| extension))
    }

    /// The number in `pak12.pak`, if it is spelled as the engine spells it.
    fn number(&self, name: &str) -> Option<(u32, usize)> {
        let (stem, extension) = name.strip_prefix("pak")?.rsplit_once('.')?;
        let number: u32 = stem.parse().ok()?;
        let place = self.extensions.iter().position(|wanted| wanted == extension)?;
        (number.to_string() == stem).then_some((number, place))
    }

    /// Takes what is loaded from the files that are left, and says why the rest of the run is not.
    fn take(
        &self,
        set: usize,
        left: &mut Vec<String>,
        found: &mut Discovered,
        is_missing: &dyn Fn(u32, &str) -> bool,
    ) {
        let numbered = left.iter().filter_map(|name| Some((self.number(name)?, name.clone())));
        let mut numbered: Vec<((u32, usize), String)> = numbered.collect();
        numbered.sort_unstable();
        let mut next = 0;
        let mut ended: Option<End> = None;
        for ((number, _), name) in numbered {
            if self.last.is_some_and(|last| number > last) {
                let last = self.name(self.last.unwrap_or_default());
                found.left_out.push((name, ProblemKind::BeyondLast { last }));
                continue;
            }
            if ended.is_none() && self.gaps == Gaps::Stop && number > next {
                ended = Some(End::Gap(self.name(next)));
            }
            match &ended {
                Some(End::Gap(missing)) => {
                    let free = self.name(next);
                    next = next.saturating_add(1);
                    found.left_out.push((name, ProblemKind::AfterGap { missing: missing.clone(), free }));
                }
                Some(End::Empty(empty)) => {
                    found.left_out.push((name, ProblemKind::AfterEmpty { empty: empty.clone() }));
                }
                None if self.gaps == Gaps::Stop && is_missing(number, &name) => {
                    ended = Some(End::Empty(name.clone()));
                    found.left_out.push((name, ProblemKind::EmptyEndsRun));
                }
                None => {
                    next = number.saturating_add(1);
                    left.retain(|other| *other != name);
                    found.archives.push((name, set));
                }
            }
        }
    }
}

/// Whether a name is not numbered, but would be in lower case.
fn is_numbered_in_other_case(name: &str, extensions: &[crate::rules::Text]) -> bool {
    let lower = name.to_ascii_lowercase();
    lower != name && Run { extensions, last: None, gaps: Gaps::Skip }.number(&lower).is_some()
}

enum End {
    Gap(String),
    Empty(String),
}

/// Why a file that is named like an archive is in no set.
fn why_not(name: &str, rules: &Rules, is_there: impl Fn(&str) -> bool) -> ProblemKind {
    let extension = extension(name).unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let mut read = false;
    for set in &*rules.archives {
        let (ArchiveSet::Numbered { extensions, .. } | ArchiveSet::Others { extensions, .. }) = set;
        if !extensions.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted)) {
            continue;
        }
        read = true;
        if lower == name {
            continue;
        }
        let expected = match set {
            ArchiveSet::Numbered { .. } => {
                Run { extensions, last: None, gaps: Gaps::Skip }.number(&lower).map(|_| lower.clone())
            }
            ArchiveSet::Others { .. } => {
                name.strip_suffix(extension).map(|stem| format!("{stem}{}", extension.to_ascii_lowercase()))
            }
        };
        if let Some(expected) = expected.filter(|expected| !is_there(expected)) {
            return ProblemKind::WrongCase { expected };
        }
    }
    if read { ProblemKind::NotNumbered } else { ProblemKind::KindIgnored }
}

/// Whether a file is named like an archive of some engine.
pub(crate) fn is_archive_name(name: &str) -> bool {
    extension(name).is_some_and(|found| ARCHIVES.iter().any(|known| found.eq_ignore_ascii_case(known)))
}

fn extension(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, extension)| extension)
}

fn compare(order: Order, a: &str, b: &str) -> Ordering {
    let ignoring_case = || a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
    let first = match order {
        Order::Bytes => Ordering::Equal,
        Order::IgnoreCase => ignoring_case(),
        Order::NumberThenName => pak_number(a).cmp(&pak_number(b)).then_with(ignoring_case),
    };
    first.then_with(|| a.cmp(b))
}

/// `(false, number)` for names that begin with `pak`, `(true, 0)` for the others, which stand above them.
fn pak_number(name: &str) -> (bool, u64) {
    let Some((start, rest)) = name.split_at_checked(3) else { return (true, 0) };
    if !start.eq_ignore_ascii_case("pak") {
        return (true, 0);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit);
    (
        false,
        digits
            .fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    fn check(rules: &Rules, files: &str, expected: &str) -> Vec<String> {
        let files = files.split_whitespace().map(str::to_owned).collect();
        let found = discover(files, rules, |name| name == "pak2.pak");
        let archives: Vec<_> = found.archives.into_iter().map(|(name, _)| name).collect();
        assert_eq!(archives.join(" "), expected);
        found.left_out.into_iter().map(|(name, kind)| format!("{name}: {kind:?}")).collect()
    }

    #[test]
    fn a_numbered_run_ends_at_the_gap_and_says_so() {
        let rules = Engine::WinQuake.rules();
        let left_out = check(
            rules,
            "pak10.pak pak1.pak pak0.pak pak3.pak PAK2.PAK pak01.pak maps.pak a.pk3 notes.txt",
            "pak0.pak pak1.pak",
        );
        assert_eq!(
            left_out,
            [
                r#"PAK2.PAK: WrongCase { expected: "pak2.pak" }"#,
                "a.pk3: KindIgnored",
                "maps.pak: NotNumbered",
                "pak01.pak: NotNumbered",
                r#"pak10.pak: AfterGap { missing: "pak2.pak", free: "pak3.pak" }"#,
                r#"pak3.pak: AfterGap { missing: "pak2.pak", free: "pak2.pak" }"#,
            ],
        );
    }

    #[test]
    fn an_empty_pak_ends_the_run_where_the_engine_says_so() {
        let left_out =
            check(Engine::QuakeSpasm.rules(), "pak0.pak pak1.pak pak2.pak pak3.pak", "pak0.pak pak1.pak");
        assert_eq!(left_out, ["pak2.pak: EmptyEndsRun", r#"pak3.pak: AfterEmpty { empty: "pak2.pak" }"#]);
        check(Engine::WinQuake.rules(), "pak0.pak pak1.pak pak2.pak", "pak0.pak pak1.pak pak2.pak");
    }

    #[test]
    fn the_caller_chooses_the_order() {
        let mut rules = Engine::WinQuake.rules().clone();
        let others = |order| {
            vec![ArchiveSet::Others {
                extensions: vec!["pak".into()].into(),
                extension_case: Case::Ignored,
                alike: Alike::Loaded,
                order,
            }]
        };
        rules.archives = others(Order::Bytes).into();
        check(&rules, "pak10.pak pak2.pak b.pak A.PAK", "A.PAK b.pak pak10.pak pak2.pak");
        rules.archives = others(Order::IgnoreCase).into();
        check(&rules, "pak10.pak pak2.pak B.pak a.PAK", "a.PAK B.pak pak10.pak pak2.pak");
        rules.archives = others(Order::NumberThenName).into();
        check(&rules, "pak10.pak pak2.pak b.pak pakx.pak", "pakx.pak pak2.pak pak10.pak b.pak");
        rules.later_wins = false;
        check(&rules, "pak10.pak pak2.pak b.pak", "b.pak pak10.pak pak2.pak");
    }
}
