//! `check`: errors and likely mistakes.

use quakefs_game::{CheckOptions, Checked};

use crate::args::{Check as Args, Format, GameArgs, note_engine};
use crate::caveats;
use crate::console::{Console, Exit, Failure};
use crate::findings::Printer;
use crate::output::counted;

pub(crate) fn run(game: &GameArgs, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut printer = Printer::new(&args.findings, console);
    let game = game.open_quietly(console)?;
    note_engine(&game, console);
    caveats::keep(&[&game.search_path], console);
    // programs read the other formats
    let all = args.all || !matches!(printer.format, Format::Text | Format::Github);
    let checked = game.check(&CheckOptions { all, decode: args.decode.limit() });
    let verdict = game.verdict_of(&checked);
    let Checked { problems, doubles, of_publisher, not_known, .. } = checked;
    if doubles > 0 {
        let doubles = counted(doubles, "note about a double", "notes about doubles");
        console.note(format!("{doubles} in the base game not listed: --all lists all"));
    }
    if of_publisher > 0 {
        let findings = counted(of_publisher, "finding", "findings");
        console.note(format!("{findings} in the publisher's archives not listed: --all lists all"));
    }
    if let Some(note) = not_known {
        console.note(note);
    }
    printer = printer.of_game(&game);
    printer.print(&problems, &game.rules().name, console)?;
    printer.verdict(&verdict, console)?;
    printer.end(Exit::Done, console)
}
