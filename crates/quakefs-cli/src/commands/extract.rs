//! `extract`: writes the merged tree, or the matching files, to disk.

use quakefs::findings::FindingKind;
use quakefs::{File, Finding};
use quakefs_extract::ExtractPlan;

use crate::args::{Extract, Game, Output};
use crate::commands::ls::matching;
use crate::console::{Console, Exit, Failure};
use crate::extraction::extract;
use crate::output;

pub(crate) fn run(game: &Game, args: &Extract, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let (hits, exit) = matching(game, &search_path, &args.patterns, console)?;
    if hits.is_empty() && exit != Exit::Done {
        return Ok(exit);
    }
    let unreachable = |finding: &&Finding| matches!(finding.kind, FindingKind::Unreachable(_));
    output::warn_of(console, search_path.findings().filter(unreachable));
    let Output { folder, writing } = &args.output;
    let plan = ExtractPlan::for_folder(folder, hits.iter().cloned().map(File::into_owned))
        .keeping(game.archives(&search_path));
    Ok(extract(&plan, folder, writing, console)?.max(exit))
}
