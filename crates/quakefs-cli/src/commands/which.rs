//! `which`: the copy that is served, or every copy.

use quakefs::{EntryName, Explanation, Hit, MissingBecause, Precedence, SearchPath};
use serde::Serialize;

use crate::advice;
use crate::args::{Game, Which, command_line, name_bytes};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, JsonCopy};
use crate::text::printable;

#[derive(Serialize)]
struct JsonFound {
    name: String,
    found: bool,
    #[serde(flatten)]
    copy: JsonCopy,
    #[serde(skip_serializing_if = "Option::is_none")]
    shadowed: Option<Vec<JsonShadowed>>,
}

#[derive(Serialize)]
struct JsonShadowed {
    #[serde(flatten)]
    copy: JsonCopy,
    /// The rule that puts the winner above this copy.
    rule: String,
}

#[derive(Serialize)]
struct JsonMissing {
    name: String,
    found: bool,
}

pub(crate) fn run(game: &Game, args: &Which, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let mut exit = Exit::Done;
    for name in &args.names {
        let name = name_bytes(name);
        let asked = EntryName::from_bytes(&name);
        match served(&search_path, &name, args.all) {
            Some((winner, hidden)) if game.json => {
                let shadowed = |(copy, rule): &(Hit<'_>, Precedence)| JsonShadowed {
                    copy: copy.into(),
                    rule: rule.to_string(),
                };
                let line = JsonFound {
                    name: output::asked(&name),
                    found: true,
                    copy: (&winner).into(),
                    shadowed: args.all.then(|| hidden.iter().map(shadowed).collect()),
                };
                output::json(console, "which", &line)?;
            }
            Some((winner, hidden)) => {
                writeln!(console.out, "{asked}: {}", describe(&winner, asked))?;
                for (copy, rule) in hidden {
                    let rule = rule.to_string();
                    writeln!(console.out, "  hides {}: {}", describe(&copy, asked), printable(&rule))?;
                }
            }
            None => {
                exit = Exit::NotFound;
                if game.json {
                    let line = JsonMissing { name: output::asked(&name), found: false };
                    output::json(console, "which", &line)?;
                } else {
                    console.error(&missing(game, &search_path, &name));
                }
            }
        }
    }
    if exit == Exit::NotFound && !game.json {
        output::mention_findings(console, game, &search_path);
    }
    Ok(exit)
}

/// The copy that is served; with `all`, also the copies that it hides and why.
fn served<'a>(
    search_path: &'a SearchPath,
    name: &[u8],
    all: bool,
) -> Option<(Hit<'a>, Vec<(Hit<'a>, Precedence)>)> {
    let winner = search_path.find(name)?;
    match all.then(|| search_path.explain(name)) {
        Some(Explanation::Served { winner, hidden }) => Some((winner, hidden)),
        _ => Some((winner, Vec::new())),
    }
}

/// `id1/pak0.pak (entry 3, 812 bytes)`.
fn describe(hit: &Hit<'_>, asked: EntryName<'_>) -> String {
    let stored = if hit.stored() == asked { String::new() } else { format!("as {}, ", hit.stored()) };
    let entry = hit.entry().map_or_else(String::new, |entry| format!("entry {entry}, "));
    let layer = printable(hit.layer().name());
    format!("{layer} ({stored}{entry}{})", output::bytes(hit.size()))
}

/// Why a name is not found, and what may have been meant.
pub(crate) fn missing(game: &Game, search_path: &SearchPath, name: &[u8]) -> Message {
    let asked = EntryName::from_bytes(name);
    if name.is_empty() {
        return Message::new("\"\": not found: the name is empty", advice::REQUEST);
    }
    let engine = &search_path.rules().name;
    let Explanation::Missing(because) = search_path.explain(name) else {
        // a loose file was made since
        return Message::new(format!("{asked}: not found"), "try again");
    };
    match because.first() {
        Some(MissingBecause::Refused(reason)) => {
            Message::new(format!("{asked}: not found: {reason}"), advice::REQUEST)
        }
        Some(MissingBecause::LeftOut { entry, finding }) => Message::new(
            format!("{asked}: not found: {} has the file; {}", entry.layer, finding.reason()),
            advice::of_finding(&finding.kind),
        ),
        Some(MissingBecause::HiddenBySpelling { by: file } | MissingBecause::OtherSpelling { file }) => {
            let (layer, stored) = (file.layer().name(), file.stored());
            let help = format!("{layer} has {stored}; {engine} takes a name as it is spelled");
            Message::new(format!("{asked}: not found"), help)
        }
        _ if search_path.is_dir(name) => {
            let below = command_line([&*format!("{asked}/**")]);
            let help = format!("it is a folder: `{} {below}` lists what is in it", game.suggest("ls"));
            Message::new(format!("{asked}: not found"), help)
        }
        _ => Message::new(format!("{asked}: not found"), format!("`{}` lists the names", game.suggest("ls"))),
    }
}
