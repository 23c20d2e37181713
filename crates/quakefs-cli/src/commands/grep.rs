//! `grep`: the lines of the game's texts, entities and programs that match a pattern.

use pak_format::name::escape;
use quake_content::Text;
use quakefs::content::ContentType;
use quakefs::why::{decode_budget, on_all_cores};
use quakefs::{EntryName, File};
use regex::bytes::{Regex, RegexBuilder};
use serde::Serialize;

use super::ls::{matching, with_levels};
use crate::args::{GameArgs, Grep, Searched};
use crate::console::{Console, Exit, Failure, Message, Part};
use crate::output;
use crate::text::printable;

/// A line that matches.
#[derive(Serialize)]
pub(crate) struct MatchRow {
    /// The layer of the game, or the archive.
    layer: String,
    name: String,
    line: usize,
    text: String,
}

impl Searched {
    /// The pattern, compiled.
    ///
    /// # Errors
    /// It is no regular expression.
    pub(crate) fn compiled(&self) -> Result<Regex, Failure> {
        let pattern = if self.fixed { regex::escape(&self.pattern) } else { self.pattern.clone() };
        let made = RegexBuilder::new(&pattern).case_insensitive(self.ignore_case).multi_line(true).build();
        made.map_err(|error| {
            // the lines before show the pattern
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let text = format!("\"{}\": {reason}", self.pattern);
            Message::new(text, "-F takes the pattern literally").into()
        })
    }
}

/// Whether a file of this name may have text: pictures, models and sounds are not read.
pub(crate) fn may_have_text(name: EntryName<'_>) -> bool {
    !matches!(
        ContentType::of(name.as_bytes()),
        ContentType::Animation
            | ContentType::Sprite
            | ContentType::Sound
            | ContentType::Lump
            | ContentType::Texture
            | ContentType::Picture
            | ContentType::TextureArchive
            | ContentType::Demo
            | ContentType::Film
            | ContentType::Font
            | ContentType::Archive
    )
}

/// The lines of a file that match.
pub(crate) fn matches(pattern: &Regex, layer: &str, name: EntryName<'_>, bytes: &[u8]) -> Vec<MatchRow> {
    let text = Text::of(bytes);
    // most files have no match, which is told fastest of the whole text
    if text.line_end == b'\n' && !pattern.is_match(text.bytes) {
        return Vec::new();
    }
    let lines = text.lines().filter(|(_, line)| pattern.is_match(line));
    let row = |(line, text): (usize, &[u8])| MatchRow {
        layer: layer.to_owned(),
        name: escape(name.as_bytes()).into_owned(),
        line,
        text: shown(text),
    };
    lines.map(row).collect()
}

/// A line, cut where nobody reads on.
fn shown(line: &[u8]) -> String {
    const LONGEST: usize = 2000;
    let start = line.get(..LONGEST).unwrap_or(line);
    let end = if start.len() < line.len() { "…" } else { "" };
    format!("{}{end}", String::from_utf8_lossy(start))
}

pub(crate) fn run(game: &GameArgs, args: &Grep, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let pattern = args.searched.compiled()?;
    let game = game.open(console)?;
    let (mut files, mut exit) = matching(&game, &with_levels(&game, &args.names), console)?;
    files.retain(|file| may_have_text(file.name()));
    let mut budget = args.decode.budget(decode_budget(&game.search_path));
    let before = files.len();
    files.retain(|file| file.check().is_err() || budget.take(file.size()));
    let not_read = before - files.len();
    let mut found = false;
    let rows = |file: &File<'_>| {
        Ok::<_, quakefs::Error>(matches(&pattern, file.layer().name(), file.name(), &file.read()?))
    };
    for answer in on_all_cores(&files, rows) {
        match answer {
            Ok(rows) => {
                let Some(first) = rows.first() else { continue };
                found = true;
                print(&args.searched, &first.name, &rows, console)?;
            }
            Err(error) => {
                console.error(&Message::from(&error));
                exit = Exit::Failed;
            }
        }
    }
    let searched = (files.len() as u64, ["file", "files"]);
    Ok(end(&args.searched, found, not_read, searched, exit, console))
}

/// Prints the matches of a file, or only its place: `maps/start.bsp:12: the line`.
pub(crate) fn print(
    args: &Searched,
    place: &str,
    rows: &[MatchRow],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    output::answer(console, "match", rows, |console| {
        if args.files {
            return Ok(writeln!(console.out, "{}", printable(place))?);
        }
        let place = console.paint(Part::Place, printable(place));
        for row in rows {
            writeln!(console.out, "{place}:{}: {}", row.line, printable(&row.text))?;
        }
        Ok(())
    })
}

/// Says what was not read, or that nothing was found, and returns the exit code.
pub(crate) fn end(
    args: &Searched,
    found: bool,
    not_read: usize,
    (searched, [one, many]): (u64, [&str; 2]),
    exit: Exit,
    console: &mut Console<'_>,
) -> Exit {
    if not_read > 0 {
        let files = output::counted(not_read as u64, "file was", "files were");
        let text = format!("{files} not read: they claim too many bytes");
        console.warn(&Message::new(text, "allow more with --max-output"));
        return Exit::Failed;
    }
    if found || (searched == 0 && exit != Exit::Done) {
        return exit;
    }
    let searched = output::counted(searched, one, many);
    let text = format!("\"{}\": in no text of {searched}", args.pattern);
    console.error(&Message::without_help(text));
    exit.max(Exit::NotFound)
}
