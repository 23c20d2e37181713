//! `unused`: the files of a mod that nothing needs.

use quakefs_game::UnusedRow;

use crate::args::{GameArgs, Unused as Args};
use crate::caveats;
use crate::console::{Console, Exit, Failure};
use crate::line::print_names;
use crate::output::{self, Column};

pub(crate) fn run(game: &GameArgs, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut game = game.open(console)?;
    caveats::list(&mut game, console);
    let unused = game.unused()?;
    if let Some(end) = args.names.end(console) {
        print_names(unused.iter().map(|row| &*row.file.name), end, console)?;
    } else {
        output::answer(console, "unused", &unused, |console| {
            if unused.is_empty() {
                return Ok(writeln!(console.out, "every file is used")?);
            }
            let row = |row: &UnusedRow| {
                let size = output::cell(console, row.file.size);
                vec![
                    row.file.name.clone(),
                    size,
                    row.file.layer.clone(),
                    row.meant.clone().unwrap_or_default(),
                ]
            };
            let titles = [
                Column::Copied("name"),
                Column::Number("size"),
                Column::Text("layer"),
                Column::Copied("similar missing file"),
            ];
            let rows: Vec<_> = unused.iter().map(row).collect();
            output::table(console, &titles, rows)
        })?;
    }
    Ok(if unused.is_empty() { Exit::Done } else { Exit::NotFound })
}
