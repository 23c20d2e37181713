//! `ls`: each name once, with its layer.

use quakefs::{ContentType, Hit, SearchPath};
use serde::Serialize;

use crate::args::{Game, Ls};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::Line;
use crate::missing::{mention_findings, missing};
use crate::output::{self, JsonCopy};
use crate::text::{escaped, printable};

#[derive(Serialize)]
struct JsonFile {
    name: String,
    #[serde(flatten)]
    copy: JsonCopy,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<&'static str>,
}

pub(crate) fn run(game: &Game, args: &Ls, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let Some(files) = matching(game, &search_path, args.pattern.as_deref(), console)? else {
        return Ok(Exit::NotFound);
    };
    let width = layer_width(files.iter());
    let mut line = Line::default();
    for hit in &files {
        let content = || ContentType::of(hit.stored().as_bytes()).name();
        if game.json {
            let file = JsonFile {
                name: escaped(hit.name()),
                copy: hit.into(),
                content_type: args.long.then(content),
            };
            output::json(console, "file", &file)?;
            continue;
        }
        if args.long {
            line.text(&format!("{:>13}", output::grouped(hit.size())), 13);
            line.text(content(), 10);
        }
        line.printable(hit.layer().name(), width);
        line.end(hit.name(), console.out)?;
    }
    Ok(Exit::Done)
}

/// The longest name of a layer, as printed.
pub(crate) fn layer_width<'h, 'a: 'h>(hits: impl Iterator<Item = &'h Hit<'a>>) -> usize {
    hits.map(|hit| printable(hit.layer().name()).chars().count()).max().unwrap_or(0)
}

/// The files that match; `None`, with a message, where a pattern matches none.
pub(crate) fn matching<'a>(
    game: &Game,
    search_path: &'a SearchPath,
    pattern: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Option<Vec<Hit<'a>>>, Failure> {
    let Some(pattern) = pattern else {
        let files = search_path.files();
        output::warn_of(console, files.findings());
        return Ok(Some(files.collect()));
    };
    let files: Vec<_> = search_path.glob(pattern)?.collect();
    if files.is_empty() {
        let matches = |below: &str| search_path.glob(below).is_ok_and(|mut files| files.next().is_some());
        let help = output::other_pattern(pattern, &game.suggest("ls"), matches);
        let is_name = !pattern.contains(['*', '?', '[', '{']) && !search_path.is_dir(pattern);
        let message = if is_name {
            missing(game, search_path, pattern.as_bytes())
        } else {
            Message::new(format!("nothing matches \"{pattern}\""), help)
        };
        console.error(&message);
        mention_findings(console, game, search_path);
        return Ok(None);
    }
    Ok(Some(files))
}
