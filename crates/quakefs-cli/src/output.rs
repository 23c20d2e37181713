//! Output that several commands share: tables, sizes, JSON objects.

use std::fs::Metadata;
use std::io::{self, Read as _};

use camino::Utf8Path;
use comfy_table::{CellAlignment, ColumnConstraint, Table, Width, presets};
use pak_format::name::steers;
pub(crate) use quakefs::sentences::{counted, grouped};
use quakefs::{FileReader, Finding};
use quakefs_game::{Caveats, Game, is_not_opened};
use serde::Serialize;

use crate::console::{Console, Failure, Message, Part};
use crate::text::{PrintableJson, SHELL, printable};

/// How many findings about one archive or folder are printed. The rest are counted.
const PRINTED: usize = 10;

/// Prints one object on a line, with its `type` as the first key.
pub(crate) fn json(
    console: &mut Console<'_>,
    r#type: &'static str,
    object: &impl Serialize,
) -> Result<(), Failure> {
    Ok(self::object(&mut *console.out, r#type, object, &console.caveats)?)
}

/// Writes an object with its `type` on a line.
pub(crate) fn object(
    out: &mut dyn io::Write,
    r#type: &'static str,
    object: &impl Serialize,
    caveats: &Caveats,
) -> io::Result<()> {
    #[derive(Serialize)]
    struct Typed<'a, T> {
        r#type: &'static str,
        #[serde(flatten)]
        object: &'a T,
        #[serde(flatten)]
        caveats: &'a Caveats,
    }
    value(out, &Typed { r#type, object, caveats })?;
    out.write_all(b"\n")
}

/// Prints rows as objects for programs, or else as text for people.
pub(crate) fn answer<T: Serialize>(
    console: &mut Console<'_>,
    r#type: &'static str,
    rows: impl IntoIterator<Item = T>,
    text: impl FnOnce(&mut Console<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if console.json {
        return rows.into_iter().try_for_each(|row| json(console, r#type, &row));
    }
    text(console)
}

/// Prints one row as an object for programs, or else as text for people.
pub(crate) fn one<T: Serialize>(
    console: &mut Console<'_>,
    r#type: &'static str,
    row: impl FnOnce() -> Result<T, Failure>,
    text: impl FnOnce(&mut Console<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if console.json {
        return json(console, r#type, &row()?);
    }
    text(console)
}

/// Prints what only people read.
pub(crate) fn for_people(
    console: &mut Console<'_>,
    text: impl FnOnce(&mut Console<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    answer(console, "", std::iter::empty::<()>(), text)
}

/// Writes a value as JSON on one line, without a line end.
pub(crate) fn value(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    // many small writes: in memory they cost little
    let mut text = Vec::with_capacity(256);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, PrintableJson))?;
    out.write_all(&text)
}

/// A column of a table, with its title.
#[derive(Clone, Copy)]
pub(crate) enum Column<'t> {
    /// What a user copies, such as a name or a path: always on one line.
    Copied(&'t str),
    /// What explains a row. It gives way where a terminal is narrow.
    Text(&'t str),
    /// Aligned on the right.
    Number(&'t str),
}

impl<'t> Column<'t> {
    fn title(self) -> &'t str {
        match self {
            Column::Copied(title) | Column::Text(title) | Column::Number(title) => title,
        }
    }
}

/// A column of names, and texts about them.
pub(crate) fn named<'t>(name: &'t str, texts: &'t [impl AsRef<str>]) -> Vec<Column<'t>> {
    let texts = texts.iter().map(|title| Column::Text(title.as_ref()));
    std::iter::once(Column::Copied(name)).chain(texts).collect()
}

/// Prints a table without borders, or nothing without rows. On a narrow terminal, texts are wrapped in their
/// columns. If that does not suffice, each row is printed as lines.
pub(crate) fn table(
    console: &mut Console<'_>,
    columns: &[Column<'_>],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<(), Failure> {
    let printable = |row: Vec<String>| row.iter().map(|cell| printable(cell).into_owned()).collect();
    let rows: Vec<Vec<String>> = rows.into_iter().map(printable).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let width = |(index, column): (usize, &Column<'_>)| {
        let cells = rows.iter().filter_map(|row| row.get(index)).map(String::as_str);
        cells.chain([column.title()]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = columns.iter().enumerate().map(width).collect();
    let words = |(index, column): (usize, &Column<'_>)| {
        let cells = rows.iter().filter_map(|row| row.get(index)).flat_map(|cell| cell.split(' '));
        cells.chain([column.title()]).map(|word| word.chars().count()).max().unwrap_or(0)
    };
    let narrowest: Vec<_> = columns.iter().enumerate().map(words).collect();
    let Some(fitting) = fitting(&widths, &narrowest, columns, console.columns.unwrap_or(usize::MAX)) else {
        return stacked(console, columns, &rows);
    };
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(columns.iter().map(|column| column.title())).add_rows(rows);
    for ((column, kind), (width, fitting)) in
        table.column_iter_mut().zip(columns).zip(widths.into_iter().zip(fitting))
    {
        column.set_padding((0, PADDING));
        if matches!(kind, Column::Number(_)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        // only what gives way: a character may be two columns wide
        if fitting < width {
            let width = u16::try_from(fitting).unwrap_or(u16::MAX).saturating_add(PADDING);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
        }
    }
    for (number, line) in table.lines().enumerate() {
        let line = line.trim_end();
        let line = if number == 0 { console.paint(Part::Name, line) } else { line.into() };
        writeln!(console.out, "{line}")?;
    }
    Ok(())
}

/// The space after a column.
const PADDING: u16 = 2;

/// The widths that columns have on a terminal; of the texts, the widest gives way first, until its longest
/// word fills it. `None`: there is not enough space.
fn fitting(
    widths: &[usize],
    narrowest: &[usize],
    columns: &[Column<'_>],
    available: usize,
) -> Option<Vec<usize>> {
    let mut widths = widths.to_vec();
    let between = usize::from(PADDING) * columns.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + between > available {
        let texts = widths.iter_mut().zip(narrowest).zip(columns);
        let texts = texts.filter(|(_, column)| matches!(column, Column::Text(_)));
        let wide = texts.map(|(width, _)| width).filter(|(width, narrowest)| **width > **narrowest);
        let (widest, _) = wide.max_by_key(|(width, _)| **width)?;
        *widest -= 1;
    }
    Some(widths)
}

/// Prints what a user copies from a row, and below it each other cell on a line.
fn stacked(console: &mut Console<'_>, columns: &[Column<'_>], rows: &[Vec<String>]) -> Result<(), Failure> {
    for row in rows {
        let (copied, others): (Vec<_>, Vec<_>) =
            columns.iter().zip(row).partition(|(column, _)| matches!(column, Column::Copied(_)));
        let mut indent = "";
        // a row without them goes on with the row before
        for (_, cell) in copied.iter().filter(|(_, cell)| !cell.trim().is_empty()) {
            writeln!(console.out, "{indent}{cell}")?;
            indent = "  ";
        }
        for (column, cell) in others.iter().filter(|(_, cell)| !cell.is_empty()) {
            writeln!(console.out, "  {}: {cell}", column.title())?;
        }
    }
    Ok(())
}

/// A number in a table: with spaces between thousands on a terminal, only digits in a pipe.
pub(crate) fn cell(console: &Console<'_>, number: u64) -> String {
    if console.columns.is_some() { grouped(number) } else { number.to_string() }
}

/// A file that a dry run lists.
#[derive(Serialize)]
pub(crate) struct Planned {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    pub(crate) size: u64,
    /// Whether it would replace a file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) replaces: bool,
}

/// Prints a file of a dry run: an object, or its size and a text.
pub(crate) fn planned(file: &Planned, text: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    answer(console, "planned", [file], |console| {
        let replaces = if file.replaces { ", replaces a file" } else { "" };
        Ok(writeln!(console.out, "{:>13}  {text}{replaces}", cell(console, file.size))?)
    })
}

/// Prints the last line of a dry run. `replaced` is the size of the file that the new one would replace.
pub(crate) fn end_dry_run(
    files: u64,
    replaced: Option<u64>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    for_people(console, |console| {
        let (files, replaced) = (counted(files, "file", "files"), self::replaced("would replace", replaced));
        Ok(writeln!(console.out, "dry run: {files} would be written{replaced}")?)
    })
}

/// The size of the file that a new one replaces, if there is one.
pub(crate) fn size_of_replaced(file: &Utf8Path) -> Option<u64> {
    file.metadata().ok().filter(Metadata::is_file).map(|found| found.len())
}

/// The end of a line about a written file, such as `; replaced a file of 812 bytes`.
pub(crate) fn replaced(word: &str, size: Option<u64>) -> String {
    size.map_or_else(String::new, |size| format!("; {word} a file of {}", bytes(size)))
}

/// `1 byte`, `812 bytes`.
pub(crate) fn bytes(size: u64) -> String {
    counted(size, "byte", "bytes")
}

/// A command line about the same game, for a suggestion.
pub(crate) fn suggest(game: &Game, command: &str) -> String {
    game.shell().or(SHELL).map_or_else(|| format!("quakefs {command}"), |shell| shell.command(command, None))
}

/// Prints findings as warnings. Of many findings about one archive or folder, it prints only the first.
/// What could not be read counts for the exit code too.
pub(crate) fn warn_of<'f>(console: &mut Console<'_>, findings: impl IntoIterator<Item = &'f Finding>) {
    let findings: Vec<_> = findings.into_iter().collect();
    let unread = findings.iter().find(|finding| is_not_opened(finding)).map(|finding| Caveats::line(finding));
    console.caveats.not_opened = console.caveats.not_opened.take().or(unread);
    let alike = |a: &&Finding, b: &&Finding| {
        a.location.layer_name() == b.location.layer_name()
            && a.location.name().is_some() == b.location.name().is_some()
    };
    for group in findings.chunk_by(alike) {
        for finding in group.iter().take(PRINTED) {
            console.warn(&Message::from(*finding));
        }
        if let (Some(first), Some(more @ 1..)) = (group.first(), group.len().checked_sub(PRINTED)) {
            let text = format!("{}: {} more like this", first.location.layer_name(), grouped(more as u64));
            console.warn(&Message::without_help(text));
        }
    }
}

/// Help for a pattern that matches nothing. `lister` is a command that lists names. `matches` tests another
/// pattern.
pub(crate) fn other_pattern(pattern: &str, lister: &str, matches: impl Fn(&str) -> bool) -> String {
    if let Some(help) = quoted_twice(pattern) {
        return help;
    }
    better_pattern(pattern, matches).unwrap_or_else(|| format!("{lister} the names"))
}

/// A similar pattern that matches, as help.
pub(crate) fn better_pattern(pattern: &str, matches: impl Fn(&str) -> bool) -> Option<String> {
    let with_slashes = pattern.replace('\\', "/");
    if with_slashes != pattern && matches(&with_slashes) {
        return Some(format!("names have / between their parts: \"{with_slashes}\" matches"));
    }
    let other = in_every_folder(pattern).filter(|other| matches(other))?;
    Some(format!("* stops at /: \"{other}\" matches in every folder"))
}

/// Help for a word with its quotes, which `cmd` on Windows keeps.
fn quoted_twice(word: &str) -> Option<String> {
    let inner = word.strip_prefix('\'')?.strip_suffix('\'')?;
    Some(format!("the single quotes are a part of it: write \"{inner}\""))
}

/// The pattern extended to match in every subfolder, if its last part has a single `*`.
pub(crate) fn in_every_folder(pattern: &str) -> Option<String> {
    let (folder, last) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let stops = last.contains('*') && !pattern.contains("**");
    stops.then(|| if folder.is_empty() { format!("**/{last}") } else { format!("{folder}/**/{last}") })
}

/// Writes the unchanged bytes of a file. On a terminal, which bytes can control, it writes only text.
pub(crate) struct Raw {
    /// The name of the file, for the message.
    file: String,
    /// The command that writes it to a folder.
    extract: String,
    /// Whether a part was written, which may have ended inside a character.
    started: bool,
}

impl Raw {
    pub(crate) fn new(file: String, extract: String) -> Self {
        Raw { file, extract, started: false }
    }

    /// Writes a part of the file.
    ///
    /// # Errors
    /// The output cannot be written, or it is a terminal and the bytes are not text.
    pub(crate) fn write(&mut self, bytes: &[u8], console: &mut Console<'_>) -> Result<(), Failure> {
        let is_rest = |byte: &u8| (0x80..0xC0).contains(byte);
        let rest =
            if self.started { bytes.iter().take(3).take_while(|byte| is_rest(byte)).count() } else { 0 };
        self.started = true;
        if console.columns.is_some() && !is_text(bytes.get(rest..).unwrap_or_default()) {
            let text = format!("{}: not a text file; its bytes could control the terminal", self.file);
            return Err(Message::new(text, format!("`{}` writes it to a folder", self.extract)).into());
        }
        Ok(console.out.write_all(bytes)?)
    }

    /// Writes a file to its end.
    ///
    /// # Errors
    /// Like [`write`](Self::write), and errors of the reader.
    pub(crate) fn copy(
        mut self,
        mut reader: FileReader,
        console: &mut Console<'_>,
        unreadable: impl FnOnce(io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => self.write(buffer.get(..read).unwrap_or_default(), console)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(error)),
            }
        }
    }
}

/// Whether a part of a file is safe for a terminal: UTF-8, perhaps cut off inside a character, without
/// control characters.
fn is_text(bytes: &[u8]) -> bool {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.chars().any(|letter| !matches!(letter, '\n' | '\r' | '\t') && steers(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_two_columns_wide_are_not_wrapped() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let row = ["a.cfg", "\u{65e5}\u{672c}\u{8a9e}\u{65e5}\u{672c}\u{8a9e}/"].map(str::to_owned).to_vec();
        table(&mut Console::plain(&mut out, &mut err), &named("name", &["layer"]), [row]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), 2);
    }
}
