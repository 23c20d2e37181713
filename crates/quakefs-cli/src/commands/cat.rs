//! `cat`: the bytes of a file.

use std::io::{self, Read as _};

use quakefs::{Finding, Hit};
use serde::Serialize;

use crate::args::{Cat, Game, name_bytes};
use crate::console::{Console, Exit, Failure, Message};
use crate::missing::{mention_findings, missing};
use crate::output::{self, JsonCopy};

#[derive(Serialize)]
struct JsonContent {
    name: String,
    #[serde(flatten)]
    copy: JsonCopy,
    /// Escaped as names are: `\xNN` for each byte that is not UTF-8.
    content: String,
}

pub(crate) fn run(game: &Game, args: &Cat, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let name = name_bytes(&args.name);
    let Some(hit) = search_path.find(&name) else {
        console.error(&missing(game, &search_path, &name));
        mention_findings(console, game, &search_path);
        return Ok(Exit::NotFound);
    };
    let finding = search_path.check_file(&hit).filter(Finding::stops_engine);
    let done = finding.as_ref().map_or(Exit::Done, |_| Exit::NotFound);
    if let Some(finding) = &finding {
        console.warn(&finding.into());
    }
    if game.json {
        let content = pak_format::name::escape(&hit.read()?).into_owned();
        let line = JsonContent { name: output::asked(&name), copy: (&hit).into(), content };
        output::json(console, "content", &line)?;
        return Ok(done);
    }
    let mut reader = hit.open()?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match reader.read(&mut buffer) {
            Ok(0) => return Ok(done),
            Ok(read) => read,
            Err(error) => return Err(unreadable(&hit, error)),
        };
        console.out.write_all(buffer.get(..read).unwrap_or_default())?;
    }
}

/// Why a file cannot be read to its end.
fn unreadable(hit: &Hit<'_>, error: io::Error) -> Failure {
    match error.downcast::<quakefs::Error>() {
        Ok(error) => error.in_archive(hit.layer().name()).into(),
        Err(error) => Message::without_help(format!("{}: read failed: {error}", hit.place())).into(),
    }
}
