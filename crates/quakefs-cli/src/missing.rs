//! Messages for a name that is not found.

use std::cell::OnceCell;

use quakefs::why::{Explanation, Missing};
use quakefs::{EntryName, SearchPath};
use quakefs_installed::{Misplaced, misplaced};

use crate::args::Game;
use crate::caveats;
use crate::console::{Console, Message};
use crate::text::command_line;
use crate::words::MoreFindings;

/// Why a name is not found.
pub(crate) struct Cause {
    /// The stable name of the cause.
    pub(crate) because: &'static str,
    pub(crate) message: Message,
}

/// The causes that already name the move.
const NAME_THE_MOVE: [&str; 2] = ["deeper", "shallower"];

/// The message for a name that is not found, with a suggestion.
pub(crate) fn missing(game: &Game, search_path: &SearchPath, name: &[u8]) -> Message {
    match quakefs::why::explain(search_path, name) {
        Explanation::Missing(missing) => cause(game, search_path, &missing, &OnceCell::new()).message,
        // a loose file was created since
        Explanation::Served { .. } => {
            Message::new(format!("{}: not found", EntryName::from_bytes(name)), "try again")
        }
    }
}

/// Why a name is not found, with a suggestion. `known` keeps the misplaced files of the game from one name to the next.
pub(crate) fn cause(
    game: &Game,
    search_path: &SearchPath,
    missing: &Missing<'_>,
    known: &OnceCell<Vec<Misplaced>>,
) -> Cause {
    let name = missing.name.as_name();
    // these characters may also be part of a name
    if let Some(text) = name.to_str()
        && text.contains(['*', '?', '[', '{'])
        && search_path.glob(text).is_ok_and(|mut found| found.next().is_some())
    {
        let said = format!("{name}: not found: it is a pattern, but this command takes only names");
        let list = format!("{} {}", game.suggest("ls"), command_line([text]));
        let message = Message::new(said, format!("`{list}` lists what it matches"));
        return Cause { because: "pattern", message };
    }
    let known = || known.get_or_init(|| misplaced(search_path)).iter();
    if !NAME_THE_MOVE.contains(&missing.cause)
        && let Some(found) = known().find(|found| found.has(name.as_bytes()))
    {
        let message = Message::of(found, Some(game));
        let text = format!("{name}: not found: {}", message.text);
        return Cause { because: found.name(), message: Message { text, ..message } };
    }
    Cause { because: missing.cause, message: Message::of(missing, Some(game)) }
}

/// Mentions that `path` has more findings, which may explain why a name is not found.
pub(crate) fn mention_findings(console: &mut Console<'_>, game: &Game, search_path: &SearchPath) {
    let count = caveats::unreported(search_path).count();
    if count > 0 {
        console.warn(&Message::of(&MoreFindings(count), Some(game)));
    }
}
