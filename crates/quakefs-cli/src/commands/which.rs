//! `which`: the winner, or every copy.

use std::cell::OnceCell;
use std::io::{self, BufRead as _, Read as _};

use pak_format::name::unescape;
use quakefs_game::WhichRow;

use super::{companions, substitutes};
use crate::args::{GameArgs, Thing, Which, name_bytes};
use crate::console::{Console, Exit, Failure, Message, Part};
use crate::missing::{Missed, UNEXPLAINED, mention_skipped};
use crate::output;
use crate::text::printable;

pub(crate) fn run(game: &GameArgs, args: &Which, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = game.open(console)?;
    let (mut exit, mut is_unexplained) = (Exit::Done, false);
    let misplaced = OnceCell::new();
    for name in asked(args) {
        let name = name?;
        match args.kind {
            Some(Thing::Replaced(kind)) => {
                exit = exit.max(substitutes::run(&game, kind, &name, args, console)?);
                continue;
            }
            Some(Thing::Companion) => {
                exit = exit.max(companions::of_level(&game, &name, console)?);
                continue;
            }
            None => {}
        }
        // a name with an extension is that of a file
        let name = if name.contains(&b'.') { name.into() } else { game.level_path(&name) };
        let row = game.which_of(&name, args.all || console.json, &misplaced);
        is_unexplained |= row.because == Some(UNEXPLAINED);
        let stops = row.problem.as_ref().is_some_and(|problem| problem.stops);
        exit = exit.max(if row.found && !stops { Exit::Done } else { Exit::NotFound });
        output::answer(console, "which", std::slice::from_ref(&row), |console| {
            print(&row, args.all, console)
        })?;
    }
    if is_unexplained {
        output::for_people(console, |console| {
            mention_skipped(Missed::Name, &game, console);
            Ok(())
        })?;
    }
    Ok(exit)
}

/// Prints the winner, and with `all` the copies that it overrides, or why there is none.
fn print(row: &WhichRow, all: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    let Some(file) = &row.file else {
        let text = row.reason.clone().unwrap_or_default();
        console.error(&Message { text, help: row.help.clone() });
        return Ok(());
    };
    let mark = if row.disk_decides { ", by the order in which the disk lists files" } else { "" };
    let place = file.place(&row.name);
    let name = console.paint(Part::Name, printable(&row.name));
    let winner = console.paint(Part::Place, printable(&place));
    writeln!(console.out, "{name}: {winner}{mark}")?;
    for copy in row.overridden.iter().filter(|_| all) {
        let place = copy.file.place(&row.name);
        let place = console.paint(Part::Passed, printable(&place));
        writeln!(console.out, "  overrides {place}: {}", printable(&copy.rule))?;
    }
    for copy in &row.skipped {
        let place = console.paint(Part::Passed, printable(&copy.location));
        writeln!(console.out, "  skips {place}: {}", printable(&copy.reason))?;
        if let Some(help) = copy.help.as_ref().filter(|_| all) {
            writeln!(console.out, "    help: {}", printable(help))?;
        }
    }
    if let Some(companion) = &row.companion {
        let (level, reason) = (printable(&companion.level), printable(&companion.reason));
        writeln!(console.out, "  beside {level}: {reason}")?;
    }
    if let Some(problem) = &row.problem {
        console.warn(&problem.into());
    }
    Ok(())
}

/// The names of the command line, with the names on standard input instead of `-`.
fn asked(args: &Which) -> impl Iterator<Item = Result<Vec<u8>, Failure>> {
    args.names.iter().flat_map(|name| -> Box<dyn Iterator<Item = _>> {
        if name == "-" {
            Box::new(names_of_stdin(args.null))
        } else {
            Box::new(std::iter::once(Ok(name_bytes(name))))
        }
    })
}

/// The longest name on standard input, in bytes: more than any engine accepts.
const LONGEST: u64 = 1 << 16;

/// Names from standard input: escaped, one per line, or unescaped with a NUL after each.
fn names_of_stdin(null: bool) -> impl Iterator<Item = Result<Vec<u8>, Failure>> {
    let end = if null { 0 } else { b'\n' };
    std::iter::from_fn(move || {
        let mut name = Vec::new();
        match io::stdin().lock().take(LONGEST).read_until(end, &mut name) {
            Ok(0) => return None,
            Ok(read) if read as u64 == LONGEST => {
                let text = format!("standard input: a name of more than {} bytes", output::grouped(LONGEST));
                return Some(Err(Message::without_help(text).into()));
            }
            Ok(_) => {}
            Err(error) => {
                let text = format!("standard input cannot be read: {error}");
                return Some(Err(Message::without_help(text).into()));
            }
        }
        name.pop_if(|last| *last == end);
        if null {
            return Some(Ok(name));
        }
        name.pop_if(|last| *last == b'\r');
        Some(Ok(match str::from_utf8(&name) {
            Ok(text) => unescape(text).into_owned(),
            Err(_) => name,
        }))
    })
}
