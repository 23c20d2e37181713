//! Why a name is not found, in words.

use quakefs::why::Explanation;
use quakefs::why::words::{MoreFindings, Reader, Say as _};
use quakefs::{EntryName, SearchPath};
use serde::Serialize;

use crate::args::Game;
use crate::caveats;
use crate::console::{Console, Message};
use crate::text::command_line;

/// Why a name is not found, for programs.
#[derive(Serialize)]
pub(crate) struct JsonCause {
    /// A word for the cause, that stays the same.
    because: &'static str,
    reason: String,
    help: Option<String>,
}

impl From<(&'static str, Message)> for JsonCause {
    fn from((because, message): (&'static str, Message)) -> Self {
        JsonCause { because, reason: message.text, help: message.help }
    }
}

/// Why a name is not found, and what may have been meant.
pub(crate) fn missing(game: &Game, search_path: &SearchPath, name: &[u8]) -> Message {
    cause(game, search_path, name).1
}

/// A word for the cause, and the message.
pub(crate) fn cause(game: &Game, search_path: &SearchPath, name: &[u8]) -> (&'static str, Message) {
    let Explanation::Missing(missing) = quakefs::why::explain(search_path, name) else {
        // a loose file was made since
        let text = format!("{}: not found", EntryName::from_bytes(name));
        return ("not-there", Message::new(text, "try again"));
    };
    // a name may hold such characters, and then it is looked for as it is
    if let Ok(text) = std::str::from_utf8(name)
        && text.contains(['*', '?', '[', '{'])
        && search_path.glob(text).is_ok_and(|mut found| found.next().is_some())
    {
        let said = format!(
            "{}: not found: it is a pattern, and names are asked for here",
            EntryName::from_bytes(name)
        );
        let list = format!("{} {}", game.suggest("ls"), command_line([text]));
        return ("pattern", Message::new(said, format!("`{list}` lists what it matches")));
    }
    (missing.cause(), missing.say_to(Reader::Shell(game)).into())
}

/// Says that there are more findings than were printed, for commands whose answer they may explain.
pub(crate) fn mention_findings(console: &mut Console<'_>, game: &Game, search_path: &SearchPath) {
    let count = caveats::unreported(search_path).count();
    if count > 0 {
        console.warn(&MoreFindings(count).say_to(Reader::Shell(game)).into());
    }
}
