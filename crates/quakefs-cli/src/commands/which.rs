//! `which`: the copy that is served, or every copy.

use quakefs::{EntryName, Hit, QPath, SearchPath};
use serde::Serialize;

use crate::args::{Game, Which, name_bytes};
use crate::console::{Console, Exit, Failure, Told};
use crate::output::{self, JsonCopy};

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
    /// The rule that puts the winner above it.
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
        let copies =
            if args.all { search_path.copies(&name) } else { search_path.find(&name).into_iter().collect() };
        let asked = EntryName::from_bytes(&name);
        match copies.split_first() {
            Some((winner, shadowed)) if game.json => {
                let line = JsonFound {
                    name: output::spelled(asked),
                    found: true,
                    copy: winner.into(),
                    shadowed: args.all.then(|| {
                        let rule = |copy| search_path.precedence(winner, copy).to_string();
                        shadowed
                            .iter()
                            .map(|copy| JsonShadowed { copy: copy.into(), rule: rule(copy) })
                            .collect()
                    }),
                };
                output::json(console, &line)?;
            }
            Some((winner, shadowed)) => {
                writeln!(console.out, "{asked}: {}", describe(winner, asked))?;
                for copy in shadowed {
                    let rule = search_path.precedence(winner, copy);
                    writeln!(console.out, "  hides {}: {rule}", describe(copy, asked))?;
                }
            }
            None => {
                exit = Exit::NotFound;
                if game.json {
                    output::json(console, &JsonMissing { name: output::spelled(asked), found: false })?;
                } else {
                    console.error(&missing(&search_path, &name));
                }
            }
        }
    }
    if exit == Exit::NotFound && !game.json {
        output::mention_problems(console, &search_path);
    }
    Ok(exit)
}

/// `id1/pak0.pak (entry 3, 812 bytes)`.
fn describe(hit: &Hit<'_>, asked: EntryName<'_>) -> String {
    let stored = if hit.stored() == asked { String::new() } else { format!("as {}, ", hit.stored()) };
    let entry = hit.entry().map_or_else(String::new, |entry| format!("entry {entry}, "));
    format!("{} ({stored}{entry}{})", hit.layer().name(), output::bytes(hit.size()))
}

/// Why nothing was found, and what may have been meant.
pub(crate) fn missing(search_path: &SearchPath, name: &[u8]) -> Told {
    let asked = EntryName::from_bytes(name);
    if let Err(reason) = QPath::new(name, &search_path.rules().requests) {
        return Told::new(
            format!("{asked}: not found: {reason}"),
            "ask for a relative name with / between its parts, such as maps/start.bsp",
        );
    }
    let engine = &search_path.rules().name;
    let files = search_path.files();
    let like = |hit: &Hit<'_>| {
        let slashes: Vec<u8> = name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect();
        hit.stored().as_bytes().eq_ignore_ascii_case(&slashes)
    };
    let help = match files.filter(like).last() {
        Some(hit) => {
            format!("{} has {}; {engine} takes a name as it is spelled", hit.layer().name(), hit.stored())
        }
        None => "`quakefs ls` lists the names".to_owned(),
    };
    Told::new(format!("{asked}: not found"), help)
}
