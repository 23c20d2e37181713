//! `path`: the layers, highest first, and the skipped archives.

use quakefs_game::{BaseBecause, Error, Game, LayerRow, UserDirectoryRow};
use serde::Serialize;

use crate::args::GameArgs;
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Column};
use crate::text::printable;
use crate::words;

/// Why a base directory was chosen that the user's configuration names.
const CONFIGURED: &str = BaseBecause::Configured.name();

/// A line that the engine's console refuses.
#[derive(Serialize)]
struct RefusedLine<'a> {
    line: &'a str,
    refused: bool,
    reason: String,
}

pub(crate) fn run(args: &GameArgs, line: Option<&str>, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut game = args.open_quietly(console)?;
    if let Some(line) = line {
        let rules = game.rules();
        if rules.console.known().and_then(Option::as_ref).is_none() {
            let none = || format!("the console of {} has no command that changes the game", rules.name);
            let text = rules.not_known(&["console"]).unwrap_or_else(none);
            return Err(Message::new(text, "name another engine with --engine").into());
        }
        game = match game.at_console(line) {
            Ok(game) => game,
            Err(Error::Quake(error)) if matches!(error.kind(), quakefs::ErrorKind::Console(_)) => {
                let reason = error.to_string();
                let row = RefusedLine { line, refused: true, reason: reason.clone() };
                output::answer(console, "console", &[row], |console| {
                    let text = format!("{line}: the engine refuses this: {reason}");
                    console
                        .error(&Message::new(text, "`quakefs engines NAME` describes its console commands"));
                    Ok(())
                })?;
                return Ok(Exit::NotFound);
            }
            Err(error) => return Err(error.into()),
        };
    }
    print(&game, console)?;
    Ok(if game.caveats().engine_stops.is_some() { Exit::NotFound } else { Exit::Done })
}

fn print(game: &Game, console: &mut Console<'_>) -> Result<(), Failure> {
    // each JSON object has the caveats
    caveats::keep(&[&game.search_path], console);
    output::for_people(console, |console| {
        caveats::report(&[&game.search_path], console);
        Ok(())
    })?;
    let path = game.path();
    output::answer(console, "chosen", [&path.chosen], |console| {
        let engine = &path.chosen;
        let as_of = engine.as_of.as_ref().map_or_else(String::new, |as_of| format!(" ({as_of})"));
        writeln!(console.out, "{}{as_of}: {}", printable(&engine.engine), engine.reason)?;
        if let Some(base) = engine.base.as_ref().filter(|_| engine.base_because == CONFIGURED) {
            writeln!(console.out, "base directory {}: `quakefs config` names it", printable(base))?;
        }
        Ok(writeln!(console.out)?)
    })?;
    output::answer(console, "layer", &path.layers, |console| table(&path.layers, console))?;
    output::for_people(console, |console| {
        for text in &path.chosen.texts {
            writeln!(console.out, "\n{}: {}", printable(text), words::OF_GAME_TEXT)?;
        }
        Ok(())
    })?;
    output::answer(console, "user-directory", path.user_directory.as_slice(), |console| {
        let Some(user) = &path.user_directory else { return Ok(()) };
        let remark = remark(user).map_or_else(String::new, |remark| format!(" ({remark})"));
        Ok(writeln!(console.out, "\nuser directory: {}{remark}", printable(&user.path))?)
    })?;
    output::answer(console, "registration", path.registration.as_slice(), |console| {
        let Some(found) = &path.registration else { return Ok(()) };
        Ok(writeln!(console.out, "\n{}: {}", found.registration, printable(&found.reason))?)
    })?;
    output::answer(console, "finding", &path.findings, |console| {
        output::warn_of(console, caveats::unreported(&game.search_path));
        Ok(())
    })
}

fn table(layers: &[LayerRow], console: &mut Console<'_>) -> Result<(), Failure> {
    let count = |count: Option<usize>| match count {
        None | Some(0) => "-".to_owned(),
        Some(count) => output::cell(console, count as u64),
    };
    let row = |layer: &LayerRow| {
        let entries = layer.entries.map(|entries| output::cell(console, entries as u64));
        vec![
            layer.layer.clone(),
            layer.kind.to_owned(),
            entries.unwrap_or_else(|| "-".to_owned()),
            count(Some(layer.problems)),
            layer.known.clone().unwrap_or_default(),
        ]
    };
    let mut rows: Vec<_> = layers.iter().map(row).collect();
    let mut titles = vec![
        Column::Copied("layer"),
        Column::Text("kind"),
        Column::Number("entries"),
        Column::Number("problems"),
        Column::Text("known as"),
    ];
    if layers.iter().all(|layer| layer.known.is_none()) {
        titles.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    output::table(console, &titles, rows)
}

fn remark(user: &UserDirectoryRow) -> Option<&'static str> {
    match user {
        UserDirectoryRow { exists: false, .. } => Some("missing"),
        UserDirectoryRow { in_some_builds: true, .. } => Some("some builds of the engine do not look there"),
        _ => None,
    }
}
