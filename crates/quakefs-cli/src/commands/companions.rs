//! `which --as companion`: the files that the engine loads beside a level.

use quakefs_game::Game;

use crate::console::{Console, Exit, Failure, Message};
use crate::missing::missing;
use crate::output;
use crate::text::printable;

pub(super) fn of_level(game: &Game, level: &[u8], console: &mut Console<'_>) -> Result<Exit, Failure> {
    let answer = game.companions(level);
    let Some(served) = &answer.level else {
        console.error(&missing(game, level, console).0);
        return Ok(Exit::NotFound);
    };
    if let Some(unread) = &answer.unread {
        console.error(&Message::without_help(unread));
    }
    output::answer(console, "companion", &answer.companions, |console| {
        writeln!(console.out, "{}: {}", printable(&served.name), printable(&served.layer))?;
        if answer.companions.is_empty() {
            writeln!(console.out, "  it has no companions")?;
        }
        for row in &answer.companions {
            writeln!(console.out, "  {}", printable(&row.to_string()))?;
        }
        Ok(())
    })?;
    Ok(if answer.unread.is_some() { Exit::Failed } else { Exit::Done })
}
