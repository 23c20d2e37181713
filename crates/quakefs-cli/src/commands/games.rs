//! `games`: the installed games, and why an engine would not start on each.

use quakefs_game::{InstalledAnswer, InstalledRow};

use crate::args::{Games, engine_of};
use crate::console::{Console, Exit, Failure, Message};
use crate::installed::places;
use crate::line::print_names;
use crate::output::{self, Column};

pub(crate) fn run(args: &Games, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let engine = match args.engine {
        Some(engine) => Some(engine),
        None => engine_of(&console.environment)?,
    };
    let InstalledAnswer { games, unread } = InstalledAnswer::of(&places(&console.environment), engine);
    output::answer(console, "game", &games, |console| match args.names.end(console) {
        Some(end) => Ok(print_names(games.iter().map(|game| &*game.name), end, console)?),
        None => print(&games, console),
    })?;
    if args.names.end(console).is_none() {
        output::answer(console, "unread", &unread, |console| {
            for unread in &unread {
                console.warn(&unread.into());
            }
            Ok(())
        })?;
    }
    if games.is_empty() {
        let help = "name the folder of a game with --basedir";
        console.error(&Message::new("no game was found in Steam, GOG, Epic or the system's packages", help));
        return Ok(Exit::NotFound);
    }
    Ok(Exit::Done)
}

fn print(games: &[InstalledRow], console: &mut Console<'_>) -> Result<(), Failure> {
    if games.is_empty() {
        return Ok(());
    }
    let row = |game: &InstalledRow| {
        let expansions: Vec<_> = game.expansions.keys().map(String::as_str).collect();
        let expansions = if expansions.is_empty() { "-".to_owned() } else { expansions.join(" ") };
        let title = format!("{} ({})", game.title, game.edition);
        vec![game.name.clone(), title, expansions, game.path.clone()]
    };
    let titles = [
        Column::Copied("name"),
        Column::Text("game"),
        Column::Text("expansions"),
        Column::Copied("base directory"),
    ];
    output::table(console, &titles, games.iter().map(row))?;
    for game in games {
        for problem in &game.problems {
            console.warn(&Message::from(problem).about(&game.name));
        }
        for (archive, known) in &game.known {
            writeln!(console.out, "{}: {archive} is of {known}", game.name)?;
        }
    }
    Ok(())
}
