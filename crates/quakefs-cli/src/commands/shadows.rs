//! `shadows`: every hidden copy, and what hides it.

use quakefs::{Pattern, Shadow};
use serde::Serialize;

use crate::args::{Game, Shadows};
use crate::commands::ls::{layer_width, matching};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::Line;
use crate::output::{self, JsonCopy};
use crate::text::escaped;

#[derive(Serialize)]
struct JsonShadow {
    name: String,
    winner: JsonCopy,
    hidden: JsonCopy,
    /// Whether both hold the same bytes; null where one cannot be read, or would take too long.
    same: Option<bool>,
}

pub(crate) fn run(game: &Game, args: &Shadows, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let pattern = match &args.pattern {
        Some(pattern) => Some(Pattern::new(pattern, search_path.rules().case)?),
        None => None,
    };
    let wanted =
        |shadow: &Shadow<'_>| pattern.as_ref().is_none_or(|pattern| pattern.matches(shadow.winner.name()));
    let shadows: Vec<_> = search_path.shadows().into_iter().filter(wanted).collect();
    if shadows.is_empty()
        && let Some(pattern) = &args.pattern
        && matching(game, &search_path, Some(pattern), console)?.is_none()
    {
        return Ok(Exit::NotFound);
    }
    let winner_width = layer_width(shadows.iter().map(|shadow| &shadow.winner));
    let hidden_width = layer_width(shadows.iter().map(|shadow| &shadow.hidden));
    let mut budget = args.decode.budget(search_path.decode_budget());
    let mut not_read = 0;
    let mut exit = Exit::Done;
    let mut line = Line::default();
    for shadow in &shadows {
        let same = shadow.is_same_content_within(&mut budget);
        match &same {
            Ok(None) => not_read += 1,
            Ok(Some(_)) => {}
            Err(error) => {
                console.error(&error.into());
                exit = Exit::Failed;
            }
        }
        let (winner, hidden) = (&shadow.winner, &shadow.hidden);
        if game.json {
            let shadow = JsonShadow {
                name: escaped(winner.name()),
                winner: winner.into(),
                hidden: hidden.into(),
                same: same.ok().flatten(),
            };
            output::json(console, "shadow", &shadow)?;
            continue;
        }
        let same = match same {
            Ok(Some(true)) => "same",
            Ok(Some(false)) => "different",
            Ok(None) => "not read",
            Err(_) => "unreadable",
        };
        line.printable(winner.layer().name(), winner_width);
        line.text("hides", 5);
        line.printable(hidden.layer().name(), hidden_width);
        line.text(same, 10);
        line.end(winner.name(), console.out)?;
    }
    if not_read > 0 {
        let pairs = output::counted(not_read, "pair was", "pairs were");
        let text = format!("{pairs} not read: it would take too long");
        console.warn(&Message::new(text, "allow more by --max-output"));
    }
    Ok(exit)
}
