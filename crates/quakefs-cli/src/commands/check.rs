//! `check`: everything that is wrong, or that an author may not have intended.

use crate::args::{Decode, Game};
use crate::caveats;
use crate::console::{Console, Exit, Failure};
use crate::output::{self, Reported};

pub(crate) fn run(game: &Game, decode: &Decode, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount_unwarned(console)?;
    caveats::keep(std::slice::from_ref(&search_path), console);
    let budget = decode.budget(search_path.decode_budget());
    let findings: Vec<_> = search_path.check_within(budget).iter().map(Reported::from).collect();
    output::findings(&findings, &search_path.rules().name, console.json, console)
}
