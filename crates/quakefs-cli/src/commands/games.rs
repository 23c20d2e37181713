//! `games`: the installed games, and why an engine would not start on each.

use std::borrow::Cow;

use quakefs::rules::Expansion;
use quakefs::{Access, Engine, ErrorKind, Finding};
use quakefs_installed::Known;
use quakefs_installed::{Install, games_in};
use serde::Serialize;

use crate::args::{Games, named_engine};
use crate::console::{Console, Exit, Failure, Message};
use crate::installed::{known_archives, places};
use crate::line::print_names;
use crate::output;
use crate::text::{slashed, with_slashes};
use crate::words::does_not_start;

#[derive(Serialize)]
struct JsonGame<'a> {
    name: String,
    store: &'static str,
    title: &'a str,
    edition: &'static str,
    #[serde(serialize_with = "slashed")]
    path: &'a str,
    /// The download folder of the store's engine. Some engines use it as another base directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    downloads: Option<Cow<'a, str>>,
    expansions: &'a [&'static Expansion],
    engine: &'static str,
    starts: bool,
    problems: Vec<Message>,
    /// The known archives of the base game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    known: Vec<JsonKnown>,
}

#[derive(Serialize)]
struct JsonKnown {
    archive: String,
    known: String,
}

pub(crate) fn run(args: &Games, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let engine = named_engine(args.engine, &console.environment)?;
    let found = games_in(&places(&console.environment));
    if console.json {
        for install in &found.games {
            print_json(engine, install, console)?;
        }
        for error in &found.unread {
            output::pairs(console, "unread", &[("reason", Message::from(error).text.into())])?;
        }
    } else if let Some(end) = args.names.end() {
        let names: Vec<_> = found.games.iter().map(Install::to_string).collect();
        print_names(names.iter().map(String::as_str), end, console)?;
    } else {
        if !found.games.is_empty() {
            let rows = found.games.iter().map(|install| {
                let expansions: Vec<_> =
                    install.expansions.iter().map(|expansion| &*expansion.directory).collect();
                let expansions = if expansions.is_empty() { "-".to_owned() } else { expansions.join(" ") };
                let title = format!("{} ({})", install.title.name, install.title.edition());
                vec![install.to_string(), title, expansions, install.path.to_string()]
            });
            output::table(console, &["name", "game", "expansions", "base directory"], &[], rows)?;
        }
        for install in &found.games {
            let (problems, known) = examined(engine, install);
            for problem in problems {
                console.warn(&problem.about(install));
            }
            for (archive, known) in known {
                writeln!(console.out, "{install}: {archive} is of {known}")?;
            }
        }
        for error in &found.unread {
            console.warn(&error.into());
        }
    }
    if found.games.is_empty() {
        let help = "name the folder of a game with --basedir";
        console.error(&Message::new("no game was found in Steam, GOG, Epic or the system's packages", help));
        return Ok(Exit::NotFound);
    }
    Ok(Exit::Done)
}

fn print_json(engine: Option<Engine>, install: &Install, console: &mut Console<'_>) -> Result<(), Failure> {
    let (problems, known) = examined(engine, install);
    let known = known.into_iter().map(|(archive, known)| JsonKnown { archive, known: known.to_string() });
    let line = JsonGame {
        name: install.to_string(),
        store: install.store.name(),
        title: &install.title.name,
        edition: install.title.edition(),
        path: install.path.as_str(),
        downloads: install.downloads.as_ref().map(|path| with_slashes(path.as_str())),
        expansions: &install.expansions,
        engine: install.engine_or(engine).name(),
        starts: problems.is_empty(),
        problems,
        known: known.collect(),
    };
    output::json(console, "game", &line)
}

/// Why the engine would not start, and the known archives of the base game. If the named engine is for another game, it is ignored.
fn examined(engine: Option<Engine>, install: &Install) -> (Vec<Message>, Vec<(String, Known)>) {
    let engine = install.engine_or(engine);
    let search_path = match install.under(engine.rules()).access(Access::Read).mount() {
        Ok(search_path) => search_path,
        Err(error) => {
            let mut message = Message::from(&error);
            if let ErrorKind::NoGameDirectory { because: Some(_), .. } = error.kind() {
                message.text = format!("{engine} does not start: {}", error.reason());
            }
            return (vec![message], Vec::new());
        }
    };
    let stops = quakefs::why::starts(&search_path).err().unwrap_or_default();
    let message =
        |finding: &Finding| Message { text: does_not_start(engine.name(), finding, 0), ..finding.into() };
    (stops.iter().map(message).collect(), known_archives(&search_path))
}
