//! `pak info`: the kind of an archive and a summary of its content.

use std::collections::BTreeMap;

use quakefs::archive::{ArchiveKind, Method};
use quakefs::content::ContentType;
use serde::Serialize;

use super::selection::{SelectedArchive, Selection};
use crate::args::{Archives, Strict};
use crate::console::{Console, Exit, Failure};
use crate::output::{self, Column};
use crate::text::{printable, slashed};

#[derive(Serialize)]
struct JsonInfo<'a> {
    #[serde(serialize_with = "slashed")]
    file: &'a str,
    layout: &'static str,
    because: String,
    size: u64,
    directory_offset: u64,
    directory_size: u64,
    entries: usize,
    compressed: usize,
    content_size: u64,
    stored_size: u64,
    problems: usize,
    types: Vec<JsonType>,
    /// The game and edition, for an archive that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<String>,
}

#[derive(Serialize)]
struct JsonType {
    r#type: &'static str,
    entries: usize,
    size: u64,
}

pub(super) fn run(archives: &Archives, strict: &Strict, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let selection = Selection::whole(archives, "`pak info` sums up whole archives", console)?.strict(strict);
    let mut rows = Vec::new();
    let exit = selection.each(console, |opened, console| {
        let info = info(opened);
        output::answer(console, "info", [&info], |console| {
            if selection.many {
                rows.push(row(&info, console));
                return Ok(());
            }
            print(&info, console)?;
            opened.warn_of_problems(console);
            Ok(())
        })?;
        Ok(Exit::Done)
    })?;
    if !rows.is_empty() {
        let titles = [
            Column::Text("layout"),
            Column::Number("entries"),
            Column::Number("bytes"),
            Column::Number("content"),
            Column::Number("problems"),
            Column::Copied("archive"),
        ];
        output::table(console, &titles, rows)?;
    }
    Ok(exit)
}

fn info(opened: &SelectedArchive) -> JsonInfo<'_> {
    let archive = &opened.archive;
    let mut types: BTreeMap<ContentType, (usize, u64)> = BTreeMap::new();
    let (mut content_size, mut stored_size, mut compressed) = (0_u64, 0_u64, 0);
    for entry in archive.entries() {
        let (count, size) = types.entry(entry.content_type()).or_default();
        *count += 1;
        *size = size.saturating_add(entry.size());
        content_size = content_size.saturating_add(entry.size());
        stored_size = stored_size.saturating_add(entry.row().stored_size);
        compressed += usize::from(entry.row().method != Method::Stored);
    }
    let directory = archive.directory_range();
    JsonInfo {
        file: opened.name(),
        layout: archive.format(),
        because: match (archive.layout_reason(), archive.kind()) {
            (Some(reason), _) => reason.to_string(),
            (None, ArchiveKind::Wad | ArchiveKind::Anachronox) => "by its first bytes".to_owned(),
            (None, _) => "by its end record".to_owned(),
        },
        size: archive.size(),
        directory_offset: directory.start,
        directory_size: directory.end - directory.start,
        entries: archive.entries().len(),
        compressed,
        content_size,
        stored_size,
        problems: archive.problems().count(),
        types: types
            .into_iter()
            .map(|(content, (entries, size))| JsonType { r#type: content.name(), entries, size })
            .collect(),
        // `pak verify` reports an archive that cannot be read
        known: quakefs_game::known(archive),
    }
}

/// The table row of one of several archives.
fn row(info: &JsonInfo<'_>, console: &Console<'_>) -> Vec<String> {
    let number = |number: usize| output::cell(console, number as u64);
    vec![
        info.layout.to_owned(),
        number(info.entries),
        output::cell(console, info.size),
        output::cell(console, info.content_size),
        number(info.problems),
        info.file.to_owned(),
    ]
}

fn print(info: &JsonInfo<'_>, console: &mut Console<'_>) -> Result<(), Failure> {
    let number = |number: usize| output::grouped(number as u64);
    let lines = [
        ("file", printable(info.file).into_owned()),
        ("layout", format!("{} ({})", info.layout, info.because)),
        ("size", output::bytes(info.size)),
        (
            "directory",
            format!("{} at {}", output::bytes(info.directory_size), output::grouped(info.directory_offset)),
        ),
        ("entries", format!("{}, {} compressed", number(info.entries), number(info.compressed))),
        (
            "content",
            format!("{}, stored in {}", output::bytes(info.content_size), output::bytes(info.stored_size)),
        ),
        ("problems", number(info.problems)),
    ];
    for (word, value) in lines {
        writeln!(console.out, "{word:<10} {value}")?;
    }
    if let Some(known) = &info.known {
        writeln!(console.out, "{:<10} {known}", "known as")?;
    }
    if !info.types.is_empty() {
        let rows = info.types.iter().map(|content| {
            let number = |number| output::cell(console, number);
            vec![content.r#type.to_owned(), number(content.entries as u64), number(content.size)]
        });
        let rows: Vec<_> = rows.collect();
        writeln!(console.out)?;
        output::table(
            console,
            &[Column::Copied("type"), Column::Number("entries"), Column::Number("bytes")],
            rows,
        )?;
    }
    Ok(())
}
