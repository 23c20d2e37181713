//! Why a name is not found, in words.

use quakefs::{EntryName, Hit, SearchPath};
use quakefs_report::{Explanation, MissingBecause};
use serde::Serialize;

use crate::advice;
use crate::args::Game;
use crate::caveats;
use crate::console::{Console, Message};
use crate::output::counted;
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
    let asked = EntryName::from_bytes(name);
    if name.is_empty() {
        return ("refused", Message::new("\"\": not found: the name is empty", advice::REQUEST));
    }
    let Explanation::Missing(because) = quakefs_report::explain(search_path, name) else {
        // a loose file was made since
        return ("not-there", Message::new(format!("{asked}: not found"), "try again"));
    };
    let engine = &search_path.rules().name;
    let there = |file: &Hit<'_>| (file.layer().name().to_owned(), file.stored().to_string());
    let because_of = |reason: String| format!("{asked}: not found: {reason}");
    let ask_for = |file: &Hit<'_>| format!("ask for {}", file.name());
    match because.first() {
        Some(MissingBecause::Refused(reason)) => {
            ("refused", Message::new(because_of(reason.to_string()), advice::REQUEST))
        }
        Some(MissingBecause::LeftOut { entry, finding }) => {
            let (layer, cause) = (&entry.layer, finding.cause());
            let reason = format!("{layer} has it, but {engine} does not load that archive: {cause}");
            ("left-out", Message::new(because_of(reason), advice::of_finding(&finding.kind)))
        }
        Some(MissingBecause::HiddenBySpelling { by: file } | MissingBecause::OtherSpelling { file }) => {
            let (layer, stored) = there(file);
            let reason = format!("{layer} has {stored}, and {engine} takes a name as it is spelled");
            ("other-spelling", Message::new(because_of(reason), ask_for(file)))
        }
        Some(MissingBecause::Shallower { file }) => {
            let (layer, stored) = there(file);
            let reason = format!("{layer} has it as {stored}: names begin below the game directory");
            ("shallower", Message::new(because_of(reason), ask_for(file)))
        }
        Some(MissingBecause::Deeper { file }) => {
            let (layer, stored) = there(file);
            let above = file.layer().game_directory().map_or("", |directory| &directory.name);
            let begins = |folder: &str| stored.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            let help = match file.entry() {
                Some(_) if begins(above) => {
                    format!("it is packed one folder too deep: pack what is in {above}, without that folder")
                }
                None if begins(above) => format!("move what is in {above}/{above} to {above}"),
                _ => ask_for(file),
            };
            ("deeper", Message::new(because_of(format!("{layer} has it as {stored}")), help))
        }
        Some(MissingBecause::Folder) => {
            let below = command_line([&*format!("{asked}/**")]);
            let help = format!("`{} {below}` lists what is in it", game.suggest("ls"));
            ("folder", Message::new(because_of("it is a folder".to_owned()), help))
        }
        Some(MissingBecause::OtherExtension { file }) => {
            let (layer, stored) = there(file);
            ("other-extension", Message::new(because_of(format!("{layer} has {stored}")), ask_for(file)))
        }
        Some(MissingBecause::Nearest { files }) => {
            let names: Vec<_> = files.iter().map(|file| file.name().to_string()).collect();
            let help = format!("did you mean {}?", advice::one_of(&names));
            ("nearest", Message::new(format!("{asked}: not found"), help))
        }
        _ => {
            let help = format!("`{}` lists the names", game.suggest("ls"));
            ("not-there", Message::new(format!("{asked}: not found"), help))
        }
    }
}

/// Says that there are more findings than were printed, for commands whose answer they may explain.
pub(crate) fn mention_findings(console: &mut Console<'_>, game: &Game, search_path: &SearchPath) {
    let count = caveats::unreported(search_path).count();
    if count > 0 {
        let text = format!("{} with this game", counted(count as u64, "problem", "problems"));
        let help = format!("`{}` lists what was left out and why", game.suggest("path"));
        console.warn(&Message::new(text, help));
    }
}
