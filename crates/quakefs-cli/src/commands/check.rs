//! `check`: errors and likely mistakes.

use quakefs::findings::{Location, Severity};
use quakefs_installed::misplaced;

use crate::args::{Decode, Game};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Reported};

pub(crate) fn run(game: &Game, decode: &Decode, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount_on(None, console)?;
    caveats::keep(std::slice::from_ref(&search_path), console);
    let budget = decode.budget(quakefs::why::decode_budget(&search_path));
    let mut findings: Vec<_> =
        quakefs::why::check_within(&search_path, budget).into_iter().map(Reported::from).collect();
    findings.extend(super::needs::reported(&search_path));
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
    output::findings(&findings, &search_path.rules().name, console)
}
