//! Messages for a name that is not found.

use quakefs_game::{Game, ReasonRow};

use crate::caveats;
use crate::console::{Console, Message};
use crate::text::SHELL;
use crate::words::MoreFindings;

/// The message for a name that is not found, with a suggestion.
pub(crate) fn missing(game: &Game, name: &[u8]) -> Message {
    let ReasonRow { reason, help } = game.not_listed(name);
    Message { text: reason, help }
}

/// Mentions that `path` has more findings, which may explain why a name is not found.
pub(crate) fn mention_findings(console: &mut Console<'_>, game: &Game) {
    let count = caveats::unreported(&game.search_path).count();
    if count > 0 {
        console.warn(&Message::of(&MoreFindings(count), game.shell().or(SHELL)));
    }
}
