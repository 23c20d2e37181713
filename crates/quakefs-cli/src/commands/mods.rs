//! `mods`: the game directories of a base directory.

use quakefs_game::ModRow;
use quakefs_installed::misplaced;

use crate::args::{GameArgs, NamesAlone, note_engine};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output::{self, Column, counted};
use crate::text::{SHELL, command_line};

/// How many programs of a mod are printed. The rest are counted.
const PROGRAMS: usize = 2;

pub(crate) fn run(args: &GameArgs, names: &NamesAlone, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut game = args.open_quietly(console)?;
    note_engine(&game, console);
    caveats::list(&mut game, console);
    let mods = game.mods();
    output::answer(console, "mod", &mods, |console| match names.end(console) {
        Some(end) => Ok(print_names(mods.iter().map(|found| &*found.name), end, console)?),
        None => print(&mods, console),
    })?;
    if names.end(console).is_none() {
        for found in misplaced(&game.search_path).iter().filter(|found| found.is_mistake()) {
            console.warn(&Message::of(found, game.shell().or(SHELL)));
        }
    }
    if mods.is_empty() {
        let help = "name the folder that contains the game directories with --basedir";
        console.error(&Message::new("there is no base directory to search", help));
        return Ok(Exit::NotFound);
    }
    Ok(Exit::Done)
}

fn print(mods: &[ModRow], console: &mut Console<'_>) -> Result<(), Failure> {
    if mods.is_empty() {
        return Ok(());
    }
    let count = |count: u64| if count == 0 { "-".to_owned() } else { output::cell(console, count) };
    let row = |found: &ModRow| {
        vec![
            found.name.clone(),
            count(found.archives as u64),
            count(found.levels as u64),
            count(found.files),
            count(found.bytes),
            programs(found),
            option(found),
        ]
    };
    let titles = [
        Column::Copied("mod"),
        Column::Number("archives"),
        Column::Number("maps"),
        Column::Number("files"),
        Column::Number("bytes"),
        Column::Text("programs"),
        Column::Copied("option"),
    ];
    let rows: Vec<_> = mods.iter().map(row).collect();
    output::table(console, &titles, rows)?;
    for unread in mods.iter().flat_map(|found| &found.unread) {
        console.warn(&unread.into());
    }
    Ok(())
}

fn programs(found: &ModRow) -> String {
    let mut names: Vec<_> = found.programs.iter().take(PROGRAMS).cloned().collect();
    if let Some(more @ 1..) = found.programs.len().checked_sub(PROGRAMS) {
        names.push(format!("and {}", counted(more as u64, "other", "others")));
    }
    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
}

/// The option that makes the engine search the folder, or why there is none.
fn option(found: &ModRow) -> String {
    match found {
        ModRow { reason: Some(reason), .. } => format!("no: {reason}"),
        ModRow { mission: Some(flag), .. } => command_line(["--mission", flag]),
        ModRow { game: Some(game), .. } => command_line(["--game", game]),
        _ => "always".to_owned(),
    }
}
