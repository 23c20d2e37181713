//! `extract`: writes the merged tree, or the matching files, to disk.

use quakefs::findings::FindingKind;
use quakefs::{File, Finding};
use quakefs_extract::ExtractPlan;

use crate::args::{Extract, GameArgs, Output};
use crate::commands::cat;
use crate::commands::ls::matching;
use crate::commands::pak::write::is_stdout;
use crate::console::{Console, Exit, Failure};
use crate::extraction::extract;
use crate::output;

pub(crate) fn run(game: &GameArgs, args: &Extract, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = game.open(console)?;
    let (files, exit) = matching(&game, &args.patterns, console)?;
    if files.is_empty() && exit != Exit::Done {
        return Ok(exit);
    }
    let unreachable = |finding: &&Finding| matches!(finding.kind, FindingKind::Unreachable(_));
    output::warn_of(console, game.search_path.findings().filter(unreachable));
    let Output { folder, writing } = &args.output;
    if is_stdout(folder) {
        return Ok(cat::print(&game, &files, console)?.max(exit));
    }
    let plan =
        ExtractPlan::for_folder(folder, files.iter().cloned().map(File::into_owned)).keeping(game.archives());
    Ok(extract(&plan, folder, writing, console)?.max(exit))
}
