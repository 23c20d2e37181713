//! `which --as`: the file that the engine loads instead of a texture, sky, track, model or skin.

use quakefs::SearchPath;
use quakefs::rules::SubstituteKind;
use quakefs::search_path::{SubstituteCopy, Substitution};
use serde::Serialize;

use crate::args::{Game, Which};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, JsonNamed};
use crate::text::escaped;
use crate::words::NoSubstitute;

#[derive(Serialize)]
struct JsonSubstitute<'a> {
    #[serde(rename = "as")]
    kind: Option<&'static str>,
    /// The name on the command line.
    named: String,
    level: Option<&'a str>,
    found: bool,
    /// The names that the engine tries, in order.
    asked: Vec<String>,
    /// The winner.
    loaded: Option<JsonNamed>,
    /// Existing files with the other names, in search order.
    others: Vec<JsonNamed>,
    /// Files that the engine ignores because they rank below the model.
    ignored: Vec<JsonNamed>,
}

fn json_copy(copy: &SubstituteCopy<'_>) -> JsonNamed {
    JsonNamed::new(copy.name.as_name(), &copy.hit)
}

pub(crate) fn run(
    game: &Game,
    search_path: &SearchPath,
    kind: SubstituteKind,
    name: &[u8],
    args: &Which,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    // accepts a level's name, file name and path
    let level = args.level.as_deref().map(|level| level.rsplit('/').next().unwrap_or_default());
    let level = level.map(|level| level.strip_suffix(".bsp").unwrap_or(level));
    let Some(files) = search_path.substitutes(kind, name, level.map(str::as_bytes)) else {
        let unknown = NoSubstitute::Unknown { engine: &search_path.rules().name, kind };
        return Err(Message::of(&unknown, Some(game)).into());
    };
    let mut exit = Exit::Done;
    for file in files.iter().filter(|file| !file.beside || !file.copies.is_empty()) {
        exit = exit.max(of_file(game, search_path, name, level, args, file, console)?);
    }
    Ok(exit)
}

fn of_file(
    game: &Game,
    search_path: &SearchPath,
    name: &[u8],
    level: Option<&str>,
    args: &Which,
    file: &Substitution<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let asked: Vec<_> = file.asked.iter().map(|name| name.as_name().to_string()).collect();
    let exit = if file.copies.is_empty() { Exit::NotFound } else { Exit::Done };
    if console.json {
        let line = JsonSubstitute {
            kind: args.substitute.map(SubstituteKind::name),
            named: output::asked(name),
            level,
            found: !file.copies.is_empty(),
            asked,
            loaded: file.copies.first().map(json_copy),
            others: file.copies.iter().skip(1).map(json_copy).collect(),
            ignored: file.ignored.iter().map(json_copy).collect(),
        };
        output::json(console, "substitute", &line)?;
        return Ok(exit);
    }
    let Some((loaded, others)) = file.copies.split_first() else {
        let (engine, name) = (&*search_path.rules().name, &*String::from_utf8_lossy(name));
        let kind = args.substitute.unwrap_or(SubstituteKind::Texture);
        let missing = NoSubstitute::Missing { engine, kind, name, asked: &asked };
        let said = match file.ignored.first() {
            None => Message::of(&missing, Some(game)),
            Some(copy) => {
                let (file, place) = (escaped(copy.name.as_name()), copy.hit.layer().name().to_string());
                let below = NoSubstitute::Below { engine, name, file: &file, place: &place };
                Message::of(&below, Some(game))
            }
        };
        console.error(&said);
        return Ok(exit);
    };
    let line = |copy: &SubstituteCopy<'_>| {
        format!("{}: {}", copy.name.as_name(), output::describe(&copy.hit, copy.name.as_name()))
    };
    writeln!(console.out, "{}", line(loaded))?;
    for other in others.iter().filter(|_| args.all) {
        writeln!(console.out, "  before {}", line(other))?;
    }
    for copy in file.ignored.iter().filter(|_| args.all) {
        writeln!(console.out, "  ignored, because it ranks below the model: {}", line(copy))?;
    }
    Ok(exit)
}
