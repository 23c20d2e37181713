//! `mods`: the game directories of a base directory.

use quakefs_installed::{Mod, Selection, misplaced};

use crate::args::{Game, NamesAlone};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output::{self, counted};
use crate::text::{command_line, escaped};
use crate::words::not_selected;

/// How many programs of a mod are printed. The rest are counted.
const PROGRAMS: usize = 2;

pub(crate) fn run(game: &Game, names: &NamesAlone, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount_on(None, console)?;
    let engine = &search_path.rules().name;
    let mods = quakefs_installed::mods(&search_path);
    if console.json {
        for found in &mods {
            let pairs = [
                ("name", (&*found.name).into()),
                ("folders", found.folders.iter().map(|folder| folder.as_str()).collect()),
                ("archives", found.archives.into()),
                ("unread", found.unread.iter().map(|error| Message::from(error).text).collect()),
                ("maps", found.levels.into()),
                ("programs", found.programs.iter().map(|name| escaped(name.as_name())).collect()),
                ("files", found.files.into()),
                ("bytes", found.bytes.into()),
                ("taken", found.selection.is_selectable().into()),
                ("options", options(found).into()),
                ("reason", not_selected(&found.selection, engine).into()),
            ];
            output::pairs(console, "mod", &pairs)?;
        }
    } else if let Some(end) = names.end() {
        print_names(mods.iter().map(|found| &*found.name), end, console)?;
    } else if !mods.is_empty() {
        let rows = mods.iter().map(|found| {
            let count = |count: u64| if count == 0 { "-".to_owned() } else { output::cell(console, count) };
            vec![
                found.name.clone(),
                count(found.archives as u64),
                count(found.levels as u64),
                count(found.files),
                count(found.bytes),
                programs(found),
                asked_by(found, engine),
            ]
        });
        let titles = ["mod", "archives", "maps", "files", "bytes", "programs", "option"];
        let rows: Vec<_> = rows.collect();
        output::table(console, &titles, &[1, 2, 3, 4], rows)?;
        for error in mods.iter().flat_map(|found| &found.unread) {
            console.warn(&error.into());
        }
    }
    if names.end().is_none() {
        for found in misplaced(&search_path) {
            console.warn(&Message::of(&found, Some(game)));
        }
    }
    if mods.is_empty() {
        let help = "name the folder that contains the game directories with --basedir";
        console.error(&Message::new("there is no base directory to search", help));
        return Ok(Exit::NotFound);
    }
    Ok(Exit::Done)
}

fn programs(found: &Mod) -> String {
    let mut names: Vec<_> =
        found.programs.iter().take(PROGRAMS).map(|name| name.as_name().to_string()).collect();
    if let Some(more @ 1..) = found.programs.len().checked_sub(PROGRAMS) {
        names.push(format!("and {}", counted(more as u64, "other", "others")));
    }
    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
}

/// The options that make the engine search the folder; empty if it always does.
fn options(found: &Mod) -> Vec<&str> {
    match &found.selection {
        Selection::Mission(flag) => vec!["--mission", flag],
        Selection::Game => vec!["--game", &found.name],
        _ => Vec::new(),
    }
}

fn asked_by(found: &Mod, engine: &str) -> String {
    match (not_selected(&found.selection, engine), options(found)) {
        (Some(reason), _) => format!("no: {reason}"),
        (None, options) if options.is_empty() => "always".to_owned(),
        (None, options) => command_line(options),
    }
}
