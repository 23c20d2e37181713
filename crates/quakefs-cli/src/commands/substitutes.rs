//! `which --as`: the file that the engine loads instead of a texture, sky, track, model or skin.

use quakefs::rules::SubstituteKind;
use quakefs_game::{FileRow, Game, SubstituteRow};

use crate::args::Which;
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{SHELL, printable};

pub(crate) fn run(
    game: &Game,
    kind: SubstituteKind,
    name: &[u8],
    args: &Which,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let rows = game.substitutes(kind, name, args.level.as_deref())?;
    output::answer(console, "substitute", &rows, |console| {
        rows.iter().try_for_each(|row| print(row, args.all, console))
    })?;
    let is_found = rows.iter().all(|row| row.loaded.is_some());
    Ok(if is_found { Exit::Done } else { Exit::NotFound })
}

fn print(row: &SubstituteRow, all: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    if row.loaded.is_none() {
        console.error(&Message::of(row, SHELL));
        return Ok(());
    }
    writeln!(console.out, "{}", printable(&row.to_string()))?;
    let mut others = |word: &str, files: &[FileRow]| {
        files.iter().filter(|_| all).try_for_each(|file| {
            let line = format!("{}: {}", file.name, file.place(&file.name));
            writeln!(console.out, "  {word} {}", printable(&line))
        })
    };
    others("before", &row.overridden)?;
    Ok(others("skipped, because it ranks below the model:", &row.skipped)?)
}
