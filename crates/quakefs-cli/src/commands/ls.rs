//! `ls`: every file that the engine would load, with its layer.

use quakefs::content::ContentType;
use quakefs::{File, Pattern, SearchPath};
use serde::Serialize;

use crate::args::{Game, Ls};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::{LayerColumn, Line};
use crate::missing::{mention_findings, missing};
use crate::output::{self, JsonNamed};

#[derive(Serialize)]
struct JsonFile {
    #[serde(flatten)]
    named: JsonNamed,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<&'static str>,
}

pub(crate) fn run(game: &Game, args: &Ls, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let (files, exit) = matching(game, &search_path, &args.patterns, console)?;
    let layers = LayerColumn::new(files.iter().map(|hit| hit.layer().name()));
    let mut line = Line::new(console);
    for hit in &files {
        let content = || ContentType::of(hit.stored().as_bytes()).name();
        if console.json {
            let named = JsonNamed::new(hit.name(), hit);
            let file = JsonFile { named, content_type: args.long.then(content) };
            output::json(console, "file", &file)?;
            continue;
        }
        if let Some(end) = args.names.end() {
            line.name_alone(hit.name(), end, console.out)?;
            continue;
        }
        if args.long {
            line.size(hit.size());
            line.text(content(), 10);
        }
        line.cell(layers.of(hit.layer().name()));
        line.end(hit.name(), console.out)?;
    }
    Ok(exit)
}

/// The files that match one of the patterns (without patterns, all files) and the exit code. A pattern that matches
/// nothing is reported.
pub(crate) fn matching<'a>(
    game: &Game,
    search_path: &'a SearchPath,
    patterns: &[String],
    console: &mut Console<'_>,
) -> Result<(Vec<File<'a>>, Exit), Failure> {
    let files = search_path.files();
    if patterns.is_empty() {
        output::warn_of(console, files.findings());
        return Ok((files.collect(), Exit::Done));
    }
    let selected = Pattern::select(&globs(search_path, patterns)?, files, File::name);
    let idle: Vec<_> = selected.idle.iter().filter_map(|index| patterns.get(*index)).collect();
    report_idle(game, search_path, &idle, console);
    Ok((selected.items, if idle.is_empty() { Exit::Done } else { Exit::NotFound }))
}

/// Compiles the patterns with the case rule of the engine.
pub(crate) fn globs(search_path: &SearchPath, patterns: &[String]) -> Result<Vec<Pattern>, Failure> {
    let case = search_path.loose().pattern_case(search_path.rules().archives.case);
    let globs = patterns.iter().map(|pattern| Pattern::new(pattern, case));
    Ok(globs.collect::<Result<_, _>>()?)
}

/// Reports each pattern that matches no file, with help.
pub(crate) fn report_idle(
    game: &Game,
    search_path: &SearchPath,
    idle: &[&String],
    console: &mut Console<'_>,
) {
    for pattern in idle {
        let message = if pattern.contains(['*', '?', '[', '{']) {
            let text = format!("nothing matches \"{pattern}\"");
            let lister = format!("`{}` lists", game.suggest("ls"));
            let matches = |other: &str| search_path.glob(other).is_ok_and(|mut found| found.next().is_some());
            Message::new(text, output::other_pattern(pattern, &lister, matches))
        } else {
            missing(game, search_path, pattern.as_bytes())
        };
        console.error(&message);
    }
    if !idle.is_empty() {
        mention_findings(console, game, search_path);
    }
}
