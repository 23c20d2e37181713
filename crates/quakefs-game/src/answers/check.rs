//! What is wrong with a game: its search path, its files, what its levels lack.

use std::collections::{HashMap, HashSet};

use quakefs::findings::{Advice, FindingKind, Location, Portability, Severity, Unreachable};
use quakefs::sentences::{Help as _, Shell, counted};
use quakefs::why::{check_within, decode_budget, taken};
use quakefs::{Layer, SearchPath};
use quakefs_installed::{Known, misplaced};

use super::finding::{FindingRow, MISSING_FILE, Problem, is_taken};
use super::path::known_archives;
use crate::game::Game;
use crate::words::MixedEditions;

/// How [`Game::check`] works.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// Whether all findings are listed: otherwise alike ones are one, and those in the publisher's archives
    /// and about doubles within the base game are skipped.
    pub all: bool,
    /// The most bytes that are decoded; `None` for [`decode_budget`].
    pub decode: Option<u64>,
}

/// What is wrong with a game.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// The problems.
    pub problems: Vec<Problem>,
    /// How many notes about doubles in the base game are skipped.
    pub doubles: u64,
    /// How many findings in the publisher's archives are skipped, because nobody mends those.
    pub of_publisher: u64,
    /// A sentence about facts that are not known of the engine, so that the check is not complete.
    pub not_known: Option<String>,
    /// What the levels of the game need; none for the base game.
    #[cfg(feature = "needs")]
    pub needed: super::Needed,
}

impl Checked {
    /// The problems as rows.
    #[must_use]
    pub fn rows(&self, shell: Option<&dyn Shell>) -> Vec<FindingRow> {
        self.problems.iter().map(|problem| problem.row(shell)).collect()
    }
}

impl Game {
    /// Everything that is wrong or probably a mistake: in the search path, in its files, in what its levels
    /// need, and beside the folders that the engine searches. This reads overridden copies and runs the
    /// program of the game.
    #[must_use]
    pub fn check(&self, options: &CheckOptions) -> Checked {
        let search_path = &self.search_path;
        let mut budget = decode_budget(search_path);
        if let Some(most) = options.decode {
            budget = pak_format::verify::DecodeBudget::new(most);
        }
        let findings = check_within(search_path, budget);
        #[cfg(feature = "needs")]
        let starts = !findings.iter().any(|finding| finding.stops_engine);
        let mut problems: Vec<_> = findings.into_iter().map(Problem::from).collect();
        #[cfg(feature = "needs")]
        let needed = super::needs::needed_by_check(self);
        #[cfg(feature = "needs")]
        let missing = super::needs::problems_of_check(self, &needed, starts);
        #[cfg(not(feature = "needs"))]
        let missing = Vec::new();
        let mut checked = Checked {
            not_known: search_path.rules().not_known(&["needed"]),
            #[cfg(feature = "needs")]
            needed,
            ..Checked::default()
        };
        let known = known_archives(search_path);
        if options.all {
            problems.extend(missing);
        } else {
            checked.of_publisher = take_those_of_publisher(&mut problems, &known);
            checked.doubles = take_doubles_of_base(&mut problems, search_path);
            problems.extend(grouped(missing, self.shell()));
            problems = one_for_each_folder(problems, self.shell());
        }
        let mut misplaced = misplaced(search_path);
        // a link to itself is said to be one
        let loops = problems.iter().filter(|found| found.kind() == "link-loop");
        let loops: HashSet<_> = loops.map(|found| found.location().to_string()).collect();
        misplaced.retain(|other| {
            !loops.contains(other.from.trim_end_matches('/')) && !loops.contains(&other.from)
        });
        problems.retain(|found| !misplaced.iter().any(|other| found.location().layer_name() == other.from));
        problems.extend(misplaced.iter().filter(|found| found.is_mistake()).map(|found| {
            let location = Location::layer(&*found.from);
            Problem::of(Severity::Warning, found.name(), location, found, self.shell())
        }));
        problems.extend(mixed_editions(&known));
        let advice: Vec<_> = problems.iter().map(Problem::advice).collect();
        for (problem, target) in problems.iter_mut().zip(taken(search_path, &advice)) {
            if let Some(target) = target {
                problem.tell(is_taken(&target));
            }
        }
        Checked { problems, ..checked }
    }
}

/// The problems of levels, with one for all missing files.
fn grouped(problems: Vec<Problem>, shell: Option<&dyn Shell>) -> Vec<Problem> {
    let is_missing = |problem: &Problem| problem.kind() == MISSING_FILE;
    let (missing, mut others): (Vec<_>, Vec<_>) = problems.into_iter().partition(is_missing);
    match &missing[..] {
        [] | [_] => others.extend(missing),
        [first, ..] => others.push(Problem::Other {
            severity: Severity::Warning,
            kind: MISSING_FILE,
            location: first.location().clone(),
            reason: format!(
                "{} {} that are missing",
                if missing.iter().all(|other| other.location() == first.location()) {
                    "it needs"
                } else {
                    "it and other levels need"
                },
                counted(missing.len() as u64, "file", "files")
            ),
            help: Some(match shell {
                Some(shell) => format!("`{}` lists them", shell.command("needs", None)),
                None => "see what the levels need".to_owned(),
            }),
            advice: missing.iter().flat_map(Problem::advice).collect(),
        }),
    }
    others
}

/// The problems, with one for all of a folder that are alike: a mod from DOS may have thousands of names with
/// capitals.
pub(super) fn one_for_each_folder(problems: Vec<Problem>, shell: Option<&dyn Shell>) -> Vec<Problem> {
    let key = |problem: &Problem| {
        let Problem::Found(found) = problem else { return None };
        let name = found.location.name()?.as_bytes();
        let folder = name.rsplitn(2, |byte| *byte == b'/').nth(1).unwrap_or_default();
        let (layer, folder) = (found.location.layer_name().to_owned(), folder.to_owned());
        Some((layer, folder, problem.kind(), problem.reason()))
    };
    // how many there are, and the advice on each
    let mut all: HashMap<_, (u64, Vec<Advice>)> = HashMap::new();
    for problem in &problems {
        let Some(key) = key(problem) else { continue };
        let (count, advice) = all.entry(key).or_default();
        *count += 1;
        advice.extend(problem.advice());
    }
    let one = |problem: Problem| match (key(&problem).map(|key| all.remove(&key)), problem) {
        (Some(None), _) => None,
        (Some(Some((count, mut advice))), Problem::Found(first)) if count > 1 => {
            let is_loose = matches!(first.location, Location::File { .. });
            let is_case = matches!(
                first.kind,
                FindingKind::UnlikelyName(Unreachable::Capitals)
                    | FindingKind::Portability(Portability::Capitals)
            );
            let help = match shell {
                Some(shell) if is_loose && is_case => {
                    Some(format!("`{} --write` renames them", shell.command("fix", None)))
                }
                _ => first.help(shell),
            };
            advice.dedup();
            Some(Problem::Alike { first, others: count - 1, help, advice })
        }
        (_, problem) => Some(problem),
    };
    problems.into_iter().filter_map(one).collect()
}

/// Removes the notes about files of the base game that another file of the base game overrides with the same
/// bytes, and returns their number.
fn take_doubles_of_base(problems: &mut Vec<Problem>, search_path: &SearchPath) -> u64 {
    let base = &search_path.rules().directories.base;
    let of_base = search_path.layers().filter(|layer| {
        layer.game_directory().is_some_and(|of| base.iter().any(|base| base.as_ref() == of.name))
    });
    let of_base: HashSet<&str> = of_base.map(Layer::name).collect();
    let before = problems.len();
    problems.retain(|problem| match problem {
        Problem::Found(found) | Problem::Alike { first: found, .. } => match &found.kind {
            FindingKind::SameBytes { overridden } => {
                !of_base.contains(overridden.layer_name()) || !of_base.contains(found.location.layer_name())
            }
            _ => true,
        },
        Problem::Other { .. } => true,
    });
    (before - problems.len()) as u64
}

/// Removes what was found in the archives that the game's publisher sold, and returns the number: their bytes
/// are known, so the engines cope with it. What stops the engine stays.
fn take_those_of_publisher(problems: &mut Vec<Problem>, known: &[(String, Known)]) -> u64 {
    let before = problems.len();
    problems.retain(|problem| {
        let Problem::Found(found) = problem else { return true };
        let layer = found.location.layer_name();
        found.stops_engine || !known.iter().any(|(archive, _)| archive == layer)
    });
    (before - problems.len()) as u64
}

/// The known archives that belong to different editions of a game.
fn mixed_editions(known: &[(String, Known)]) -> Vec<Problem> {
    let mixed = known.iter().filter_map(|(archive, known_as)| {
        let (other, of_other) = known.iter().find(|(_, other)| known_as.is_mixed_with(other))?;
        let location = Location::layer(&**archive);
        let (other, at) = (other.clone(), location.clone());
        let mixed = MixedEditions { known: *known_as, other, of_other: *of_other, at };
        Some(Problem::of(Severity::Warning, MixedEditions::NAME, location, &mixed, None))
    });
    mixed.collect()
}

#[cfg(test)]
mod tests {
    use quakefs::Finding;

    use super::*;

    #[test]
    fn only_what_stops_the_engine_is_told_of_a_publishers_archive() {
        let known = vec![("id1/pak0.pak".to_owned(), Known::all().next().unwrap())];
        let found = |layer: &str, stops_engine| {
            let kind = FindingKind::ManyLinks;
            let mut finding = Finding::of_archive(Location::layer(layer), kind);
            finding.stops_engine = stops_engine;
            Problem::from(finding)
        };
        let mut problems =
            vec![found("id1/pak0.pak", false), found("id1/pak0.pak", true), found("mymod/pak0.pak", false)];
        assert_eq!(take_those_of_publisher(&mut problems, &known), 1);
        assert_eq!(problems.len(), 2);
    }
}
