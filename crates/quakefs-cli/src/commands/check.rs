//! `check`: everything that would surprise somebody.

use crate::args::Game;
use crate::console::{Console, Exit, Failure};
use crate::output::{self, Finding};

pub(crate) fn run(game: &Game, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount_unwarned()?;
    let findings = search_path.check().into_iter().map(|finding| Finding {
        severity: finding.severity.name(),
        kind: finding.kind,
        place: finding.place,
        reason: finding.reason,
        help: finding.help,
    });
    output::findings(&findings.collect::<Vec<_>>(), &search_path.rules().name, game.json, console)
}
