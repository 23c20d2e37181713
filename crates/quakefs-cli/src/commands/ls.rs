//! `ls`: each name once, with its layer.

use quakefs::{ContentType, Hit, SearchPath};
use serde::Serialize;

use crate::args::{Game, Ls};
use crate::console::{Console, Exit, Failure, Told};
use crate::output::{self, JsonCopy};

#[derive(Serialize)]
struct JsonFile {
    name: String,
    #[serde(flatten)]
    copy: JsonCopy,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<&'static str>,
}

pub(crate) fn run(game: &Game, args: &Ls, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let Some(files) = matching(&search_path, args.pattern.as_deref(), console)? else {
        return Ok(Exit::NotFound);
    };
    let width = files.iter().map(|hit| hit.layer().name().len()).max().unwrap_or(0);
    for hit in &files {
        let content = ContentType::of(hit.stored().as_bytes());
        if game.json {
            let line = JsonFile {
                name: output::spelled(hit.name()),
                copy: hit.into(),
                r#type: args.long.then(|| content.name()),
            };
            output::json(console, &line)?;
            continue;
        }
        if args.long {
            write!(console.out, "{:>13}  {content:<10}  ", output::grouped(hit.size()))?;
        }
        write!(console.out, "{:width$}  ", hit.layer().name())?;
        output::name(console.out, hit.name())?;
        writeln!(console.out)?;
    }
    Ok(Exit::Done)
}

/// The files that match; `None`, with a message, where a pattern matches none.
pub(crate) fn matching<'a>(
    search_path: &'a SearchPath,
    pattern: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Hit<'a>>>, Failure> {
    let Some(pattern) = pattern else {
        let files = search_path.files();
        output::warn_of(console, &files.problems().iter().collect::<Vec<_>>());
        return Ok(Some(files.collect()));
    };
    let files: Vec<_> = search_path.glob(pattern)?.collect();
    if files.is_empty() {
        let is_folder = |below: &str| search_path.glob(below).is_ok_and(|mut files| files.next().is_some());
        let help = output::other_pattern(pattern, "quakefs ls", is_folder);
        console.error(&Told::new(format!("nothing matches \"{pattern}\""), help));
        output::mention_problems(console, search_path);
        return Ok(None);
    }
    Ok(Some(files))
}
