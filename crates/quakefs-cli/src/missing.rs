//! Messages for a name that is not found.

use quakefs::why::Explanation;
use quakefs::why::Reader;
use quakefs::{EntryName, SearchPath};
use serde::Serialize;

use crate::args::Game;
use crate::caveats;
use crate::console::{Console, Message};
use crate::text::command_line;
use crate::words::MoreFindings;

/// Why a name is not found.
#[derive(Serialize)]
pub(crate) struct Cause {
    /// The stable name of the cause.
    because: &'static str,
    #[serde(flatten)]
    pub(crate) message: Message,
}

/// The message for a name that is not found, with a suggestion.
pub(crate) fn missing(game: &Game, search_path: &SearchPath, name: &[u8]) -> Message {
    cause(game, search_path, name).message
}

/// Why a name is not found, with a suggestion.
pub(crate) fn cause(game: &Game, search_path: &SearchPath, name: &[u8]) -> Cause {
    let Explanation::Missing(missing) = quakefs::why::explain(search_path, name) else {
        // a loose file was created since
        let text = format!("{}: not found", EntryName::from_bytes(name));
        return Cause { because: "not-there", message: Message::new(text, "try again") };
    };
    // these characters may also be part of a name
    if let Ok(text) = std::str::from_utf8(name)
        && text.contains(['*', '?', '[', '{'])
        && search_path.glob(text).is_ok_and(|mut found| found.next().is_some())
    {
        let said = format!(
            "{}: not found: it is a pattern, but this command takes only names",
            EntryName::from_bytes(name)
        );
        let list = format!("{} {}", game.suggest("ls"), command_line([text]));
        let message = Message::new(said, format!("`{list}` lists what it matches"));
        return Cause { because: "pattern", message };
    }
    Cause { because: missing.cause(), message: Message::of(&missing, Reader::Shell(game)) }
}

/// Mentions that `path` has more findings, which may explain why a name is not found.
pub(crate) fn mention_findings(console: &mut Console<'_>, game: &Game, search_path: &SearchPath) {
    let count = caveats::unreported(search_path).count();
    if count > 0 {
        console.warn(&Message::of(&MoreFindings(count), Reader::Shell(game)));
    }
}
