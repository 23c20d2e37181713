//! What would surprise somebody about a stack.

use std::collections::HashMap;

use pak_format::{ContentType, EntryName, Severity};

use crate::layer::{Hit, LayerKind};
use crate::problem::{Problem, ProblemKind, Unreachable};
use crate::registration::Registration;
use crate::rules::{Case, LooseCase, WrongArchive};
use crate::search_path::{SearchPath, Shadow};

/// Something that would surprise: how bad, where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// One word for its kind, for programs: `gap`, `hidden-loose`, `case`, …
    pub kind: &'static str,
    /// Where: a layer, with the entry or the name if it is about one.
    pub place: String,
    /// What is so.
    pub reason: String,
    /// What to do about it.
    pub help: String,
}

impl SearchPath {
    /// Everything that would surprise somebody, the worst first.
    ///
    /// That is each [`Problem`], and besides: names that differ in case alone, loose files hidden by an archive of
    /// their directory and the reverse, copies that change nothing, names and archives too large for the engine,
    /// shareware with a game. It lists the folders and reads the copies that are hidden.
    #[must_use]
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        // a listing tells what cannot be listed or reached, which a live stack has not looked at
        let files = self.files();
        findings.extend(self.problems().chain(files.problems()).map(of_problem));
        self.check_sizes(&mut findings);
        let files: Vec<_> = files.collect();
        self.check_names(&files, &mut findings);
        for shadow in self.shadows() {
            findings.extend(self.of_shadow(&shadow));
        }
        findings.extend(self.of_registration());
        findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.place.cmp(&b.place)));
        findings
    }

    fn check_sizes(&self, findings: &mut Vec<Finding>) {
        let limits = self.rules().limits;
        let Some(most) = limits.entries else { return };
        let engine = &self.rules().name;
        for layer in self.layers() {
            let rows = layer.entries().filter(|_| layer.kind() == LayerKind::Pak);
            let Some(entries) = rows.filter(|entries| *entries > most as usize) else { continue };
            let then = match limits.too_many {
                WrongArchive::Fatal => "stops with an error",
                WrongArchive::Skipped => "does not load it",
            };
            findings.push(Finding {
                severity: Severity::Error,
                kind: "too-many-entries",
                place: layer.name().to_owned(),
                reason: format!("it has {entries} entries, {engine} takes {most} and {then}"),
                help: "split it into two archives".to_owned(),
            });
        }
    }

    fn check_names(&self, files: &[Hit<'_>], findings: &mut Vec<Finding>) {
        let rules = self.rules();
        let mut spellings: HashMap<Vec<u8>, &Hit<'_>> = HashMap::new();
        for file in files {
            let name = file.name();
            let content = ContentType::of(name.as_bytes());
            // what is not loaded is told as a problem, and not asked for by its name
            if file.entry().is_none() && content == ContentType::Archive {
                continue;
            }
            if name.as_bytes().len() > rules.limits.name as usize {
                findings.push(Finding {
                    severity: Severity::Warning,
                    kind: "long-name",
                    place: place_of(file),
                    reason: format!(
                        "the name has {} bytes, {} has room for {}",
                        name.as_bytes().len(),
                        rules.name,
                        rules.limits.name
                    ),
                    help: "give it a shorter name".to_owned(),
                });
            }
            let case = if file.entry().is_some() || rules.loose.case == LooseCase::Ignored {
                rules.case
            } else {
                Case::Exact
            };
            // people may name their notes as they like
            let loaded = file.entry().is_some() || !matches!(content, ContentType::Text | ContentType::Other);
            if let Some(reason) = unlikely(name, case).filter(|_| loaded) {
                findings.push(Finding {
                    severity: Severity::Warning,
                    kind: "unlikely-name",
                    place: place_of(file),
                    reason: format!("{} serves it under this very name alone, and {reason}", rules.name),
                    help: "name it in lower case, with / between the parts".to_owned(),
                });
            }
            if rules.case == Case::Ignored && rules.loose.case == LooseCase::Ignored {
                continue;
            }
            let folded = name.as_bytes().to_ascii_lowercase();
            if let Some(other) = spellings.insert(folded, file) {
                findings.push(Finding {
                    severity: Severity::Warning,
                    kind: "case",
                    place: place_of(file),
                    reason: format!("{} differs from it in case alone, and both are served", place_of(other)),
                    help: "give both one spelling, or two names".to_owned(),
                });
            }
        }
    }

    fn of_shadow(&self, shadow: &Shadow<'_>) -> Option<Finding> {
        let Shadow { winner, hidden } = shadow;
        let same = shadow.is_same_content().unwrap_or(false);
        let one_directory =
            winner.layer().directory.is_some() && winner.layer().directory == hidden.layer().directory;
        let rule = self.precedence(winner, hidden);
        if same {
            return Some(Finding {
                severity: Severity::Note,
                kind: "same-bytes",
                place: place_of(winner),
                reason: format!("it holds the same bytes as {}, which it hides", place_of(hidden)),
                help: "leave one of them out".to_owned(),
            });
        }
        let (kind, severity) = match (winner.entry(), hidden.entry()) {
            (Some(_), None) if one_directory => ("hidden-loose", Severity::Warning),
            (None, Some(_)) if one_directory => ("hidden-entry", Severity::Warning),
            (Some(_), Some(_)) if std::ptr::eq(winner.layer(), hidden.layer()) => {
                ("equal-names", Severity::Warning)
            }
            _ => return None,
        };
        Some(Finding {
            severity,
            kind,
            place: place_of(hidden),
            reason: format!("it is hidden by {}: {rule}", place_of(winner)),
            help: "remove the one that is not meant, or change that one".to_owned(),
        })
    }

    fn of_registration(&self) -> Option<Finding> {
        let file = self.rules().registered_by.as_deref()?;
        let registration = self.registration()?;
        let (reason, help) = match registration {
            Registration::Registered => return None,
            Registration::Shareware if !self.has_game() => return None,
            Registration::Shareware => (
                format!("this is the shareware, which has no {file}: the engines of id refuse a mod with it"),
                "add the archives of the registered version",
            ),
            Registration::Corrupt => (
                format!("{file} is not the file of the registered version: the engines of id stop"),
                "remove the file that stands in its place",
            ),
        };
        let lowest = self.layers().rfind(|layer| layer.kind() == LayerKind::Folder);
        let place = lowest.map_or_else(String::new, |layer| layer.name().to_owned());
        let (severity, kind) = (Severity::Warning, registration.name());
        Some(Finding { severity, kind, place, reason, help: help.to_owned() })
    }
}

/// Why no game asks for a name, though a request would find it.
fn unlikely(name: EntryName<'_>, case: Case) -> Option<&'static str> {
    let name = name.as_bytes();
    if name.contains(&b'\\') {
        return Some("no game asks with a backslash");
    }
    if name.split(|&byte| byte == b'/').any(|part| part.is_empty() || part == b".") {
        return Some("no game asks with an empty or \".\" component");
    }
    let upper = case == Case::Exact && name.iter().any(u8::is_ascii_uppercase);
    upper.then_some("most games ask in lower case")
}

fn of_problem(problem: &Problem) -> Finding {
    let (kind, severity) = match problem.kind() {
        ProblemKind::MissingDirectory => ("missing-directory", Severity::Warning),
        ProblemKind::GameIgnored { .. } => ("game-ignored", Severity::Warning),
        ProblemKind::UnknownFlag => ("unknown-flag", Severity::Warning),
        ProblemKind::AfterGap { .. } => ("gap", Severity::Warning),
        ProblemKind::AfterEmpty { .. } | ProblemKind::EmptyEndsRun => ("empty-archive", Severity::Warning),
        ProblemKind::BeyondLast { .. } => ("number-too-high", Severity::Warning),
        ProblemKind::WrongCase { .. } | ProblemKind::AlikeLoaded { .. } => {
            ("archive-case", Severity::Warning)
        }
        ProblemKind::NotNumbered | ProblemKind::KindIgnored => ("archive-ignored", Severity::Warning),
        ProblemKind::NotRegular => ("not-a-file", Severity::Warning),
        ProblemKind::LinkLoop => ("link-loop", Severity::Warning),
        ProblemKind::NotUtf8 => ("not-utf8", Severity::Warning),
        ProblemKind::Unreadable(_) => ("unreadable", Severity::Error),
        // what the engine does not open does no harm
        ProblemKind::WrongArchive { opened: false, .. } => ("wrong-archive", Severity::Warning),
        ProblemKind::WrongArchive { .. } => ("wrong-archive", Severity::Error),
        ProblemKind::OtherLayout { .. } => ("other-layout", Severity::Error),
        ProblemKind::PartialRow { .. } => ("partial-row", Severity::Warning),
        ProblemKind::Damaged(_) => ("damaged-archive", Severity::Error),
        ProblemKind::Entry(_) => ("damaged-entry", Severity::Error),
        ProblemKind::Unreachable(Unreachable::Refused(_) | Unreachable::ReadDifferently) => {
            ("unreachable", Severity::Warning)
        }
    };
    let entry = problem.entry().map_or_else(String::new, |(entry, name)| format!(": entry {entry} ({name})"));
    Finding {
        severity,
        kind,
        place: format!("{}{entry}", problem.place()),
        reason: problem.reason(),
        help: problem.help(),
    }
}

/// `id1/pak0.pak: entry 3 (maps/start.bsp)`, `id1/config.cfg`.
fn place_of(hit: &Hit<'_>) -> String {
    let stored: EntryName<'_> = hit.stored();
    match hit.entry() {
        Some(entry) => format!("{}: entry {entry} ({stored})", hit.layer().name()),
        None => format!("{}{stored}", hit.layer().name()),
    }
}
