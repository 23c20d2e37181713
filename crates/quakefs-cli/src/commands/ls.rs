//! `ls`: every file that the engine would load, with its layer.

use quakefs::content::ContentType;
use quakefs::{File, Pattern, SearchPath};
use quakefs_game::{FileRow, Game};

use crate::args::{GameArgs, Ls};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message, Part};
use crate::line::{LayerColumn, Line};
use crate::missing::{Missed, mention_skipped, missing};
use crate::output;

pub(crate) fn run(game: &GameArgs, args: &Ls, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = game.asking("ls").open(console)?;
    let (files, exit) = matching(&game, &args.patterns, console)?;
    output::answer(console, "file", files.iter().map(FileRow::from), |console| {
        let layers = LayerColumn::new(files.iter().map(|file| file.layer().name()), Part::Place, console);
        let mut line = Line::new(console);
        for file in &files {
            if let Some(end) = args.names.end(console) {
                line.name_alone(file.name(), end, console.out)?;
                continue;
            }
            if args.long {
                line.size(file.size());
                line.text(ContentType::of(file.stored().as_bytes()).name(), 10);
            }
            line.cell(layers.of(file.layer().name()));
            line.end(file.name(), console.out)?;
        }
        Ok(())
    })?;
    Ok(exit)
}

/// The files that match one of the patterns (without patterns, all files) and the exit code. A pattern that
/// matches nothing is reported.
pub(crate) fn matching<'a>(
    game: &'a Game,
    patterns: &[String],
    console: &mut Console<'_>,
) -> Result<(Vec<File<'a>>, Exit), Failure> {
    let search_path = &game.search_path;
    let files = search_path.files();
    if patterns.is_empty() {
        output::warn_of(console, files.findings());
        return Ok((files.collect(), Exit::Done));
    }
    caveats::warn_unread(files.findings().iter(), console);
    let selected = Pattern::select(&globs(search_path, patterns)?, files, File::name);
    let idle: Vec<_> = selected.idle.iter().filter_map(|index| patterns.get(*index)).collect();
    report_idle(game, &idle, console);
    Ok((selected.items, if idle.is_empty() { Exit::Done } else { Exit::NotFound }))
}

/// The words with the paths of levels that they name as at the console: `maps/start.bsp` for `start`.
pub(crate) fn with_levels(game: &Game, words: &[String]) -> Vec<String> {
    let path = |word: &String| String::from_utf8_lossy(&game.level_path(word.as_bytes())).into_owned();
    words.iter().map(path).collect()
}

/// Compiles the patterns with the case rule of the engine. A pattern that the engine reads as the name of a
/// file, such as `maps\start.bsp`, stands for that file.
pub(crate) fn globs(search_path: &SearchPath, patterns: &[String]) -> Result<Vec<Pattern>, Failure> {
    let case = search_path.loose().pattern_case(search_path.rules().archives.case);
    let found =
        |pattern: &String| String::from_utf8(search_path.find(pattern)?.name().as_bytes().into()).ok();
    let globs = patterns.iter().map(|pattern| Pattern::new(found(pattern).as_ref().unwrap_or(pattern), case));
    Ok(globs.collect::<Result<_, _>>()?)
}

/// Reports each pattern that matches no file, with help.
pub(crate) fn report_idle(game: &Game, idle: &[&String], console: &mut Console<'_>) {
    let search_path = &game.search_path;
    let mut missed = None;
    for pattern in idle {
        let message = if pattern.contains(['*', '?', '[', '{']) {
            missed = Some(Missed::Pattern);
            let text = format!("nothing matches \"{pattern}\"");
            let lister = format!("`{}` lists", output::suggest(game, "ls"));
            let matches = |other: &str| search_path.glob(other).is_ok_and(|mut found| found.next().is_some());
            Message::new(text, output::other_pattern(pattern, &lister, matches))
        } else {
            let (message, is_unexplained) = missing(game, pattern.as_bytes(), console);
            if is_unexplained {
                missed.get_or_insert(Missed::Name);
            }
            message
        };
        console.error(&message);
    }
    if let Some(missed) = missed {
        mention_skipped(missed, game, console);
    }
}
