//! `check`: errors and likely mistakes.

use std::collections::HashMap;

use quakefs::findings::{FindingKind, Location, Portability, Severity, Unreachable};
use quakefs::{Layer, SearchPath};
use quakefs_installed::misplaced;

use crate::args::{Check as Args, Format, Game};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::findings::{Printer, Reported};
use crate::installed::known_archives;
use crate::output::counted;
use crate::words::MixedEditions;

pub(crate) fn run(game: &Game, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut printer = Printer::new(&args.findings, console);
    let search_path = game.mount_on(None, console)?;
    caveats::keep(std::slice::from_ref(&search_path), console);
    let budget = args.decode.budget(quakefs::why::decode_budget(&search_path));
    let findings = quakefs::why::check_within(&search_path, budget);
    let starts = !findings.iter().any(|finding| finding.stops_engine);
    let mut findings: Vec<_> = findings.into_iter().map(Reported::from).collect();
    let mut missing = super::needs::reported(&search_path, starts);
    // programs read the other formats
    let is_brief = !args.all && matches!(printer.format, Format::Text | Format::Github);
    if is_brief {
        missing = grouped(missing, game);
        let doubles = take_doubles_of_base(&mut findings, &search_path);
        if doubles > 0 {
            let doubles = counted(doubles, "note about a double", "notes about doubles");
            console.note(format!("{doubles} in the base game not listed: --all lists all"));
        }
    }
    findings.extend(missing);
    if is_brief {
        findings = one_for_each_folder(findings);
    }
    let misplaced = misplaced(&search_path);
    let skipped =
        |found: &Reported| misplaced.iter().any(|other| found.location().layer_name() == other.from);
    findings.retain(|found| !skipped(found));
    findings.extend(misplaced.iter().map(|found| Reported::OfCommand {
        severity: Severity::Warning,
        kind: found.name(),
        location: Location::layer(&*found.from),
        message: Message::of(found, Some(game)),
    }));
    findings.extend(mixed_editions(&search_path));
    if let Some(note) = search_path.rules().not_known(&["needed"]) {
        console.note(note);
    }
    printer = printer.of_game(game, &search_path, console);
    printer.print(&findings, &search_path.rules().name, console)?;
    printer.end(Exit::Done, console)
}

/// The findings about levels, with one finding for all missing files.
fn grouped(findings: Vec<Reported>, game: &Game) -> Vec<Reported> {
    let is_missing = |finding: &Reported| finding.kind() == super::needs::MISSING_FILE;
    let (missing, mut others): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_missing);
    match &missing[..] {
        [] | [_] => others.extend(missing),
        [first, ..] => {
            let files = counted(missing.len() as u64, "file", "files");
            let help = format!("`{}` lists them", game.suggest("needs"));
            others.push(Reported::OfCommand {
                severity: Severity::Warning,
                kind: super::needs::MISSING_FILE,
                location: first.location().clone(),
                message: Message::new(format!("the levels need {files} that are missing"), help),
            });
        }
    }
    others
}

/// The findings, with one for all names of a folder that have capitals: a mod from DOS may have thousands.
fn one_for_each_folder(findings: Vec<Reported>) -> Vec<Reported> {
    let folder = |finding: &Reported| {
        let Reported::Found(found) = finding else { return None };
        let is_of_capitals = matches!(
            found.kind,
            FindingKind::UnlikelyName(Unreachable::Capitals)
                | FindingKind::Portability(Portability::Capitals)
        );
        let name = found.location.name().filter(|_| is_of_capitals)?.as_bytes();
        let folder = name.rsplitn(2, |byte| *byte == b'/').nth(1).unwrap_or_default();
        Some((found.location.layer_name().to_owned(), folder.to_owned()))
    };
    let mut others: HashMap<_, u64> = HashMap::new();
    for folder in findings.iter().filter_map(folder) {
        *others.entry(folder).or_default() += 1;
    }
    let one = |finding: Reported| match folder(&finding).map(|folder| others.remove(&folder)) {
        None | Some(Some(1)) => Some(finding),
        Some(None) => None,
        Some(Some(count)) => {
            let (text, help) = finding.sentence_and_help();
            let others = counted(count - 1, "other name", "other names");
            let text = format!("{text}; the same is true of {others} in this folder");
            let (severity, kind) = (finding.severity(), finding.kind());
            let location = finding.location().clone();
            Some(Reported::OfCommand { severity, kind, location, message: Message::new(text, help) })
        }
    };
    findings.into_iter().filter_map(one).collect()
}

/// The known archives that belong to different editions of a game.
fn mixed_editions(search_path: &SearchPath) -> Vec<Reported> {
    let known = known_archives(search_path);
    let mixed = known.iter().filter_map(|(archive, known_as)| {
        let (other, of_other) = known.iter().find(|(_, other)| known_as.is_mixed_with(other))?;
        let mixed = MixedEditions { known: *known_as, other: other.clone(), of_other: *of_other };
        Some(Reported::OfCommand {
            severity: Severity::Warning,
            kind: MixedEditions::NAME,
            location: Location::layer(&**archive),
            message: Message::of(&mixed, None),
        })
    });
    mixed.collect()
}

/// Removes the notes about files of the base game that another file of the base game overrides with the same bytes, and
/// returns their number.
fn take_doubles_of_base(findings: &mut Vec<Reported>, search_path: &SearchPath) -> u64 {
    let base = &search_path.rules().directories.base;
    let of_base = search_path.layers().filter(|layer| {
        layer.game_directory().is_some_and(|of| base.iter().any(|base| base.as_ref() == of.name))
    });
    let of_base: Vec<_> = of_base.map(Layer::name).collect();
    let before = findings.len();
    findings.retain(|finding| match finding {
        Reported::Found(found) => match &found.kind {
            FindingKind::SameBytes { hidden } => {
                !of_base.contains(&hidden.layer_name()) || !of_base.contains(&found.location.layer_name())
            }
            _ => true,
        },
        Reported::OfCommand { .. } => true,
    });
    (before - findings.len()) as u64
}
