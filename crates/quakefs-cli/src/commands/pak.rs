//! `pak`: one archive, without a game.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8Path;
use quakefs::{
    Access, Archive, ArchiveEntry, ArchiveFormat, Case, ContentType, File, FileData, Layout, Method,
    OpenOptions, Pattern,
};
use serde::Serialize;

use crate::args::{ArchiveFile, Output, Pak, name_bytes, suggest_list};
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction;
use crate::line::{Line, Object};
use crate::output::{self, Raw};
use crate::text::printable;

mod verify;
mod write;
mod written;

pub(crate) fn run(command: &Pak, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    match command {
        Pak::List { long, archive, pattern } => list(archive, pattern.as_deref(), *long, json, console),
        Pak::Info { archive } => info(archive, json, console),
        Pak::Cat { archive, name, entry } => {
            let name = name.as_deref().map(name_bytes);
            cat(archive, name.as_deref(), *entry, json, console)
        }
        Pak::Verify { files, layout, deep, decode } => {
            verify::run(files, *layout, *deep, decode, json, console)
        }
        Pak::Create(args) => write::create(args, json, console),
        Pak::Add(args) => write::add(args, json, console),
        Pak::Remove(args) => write::remove(args, json, console),
        Pak::Rename(args) => write::rename(args, json, console),
        Pak::Repack(args) => write::repacked(args, json, console),
        Pak::Extract { archive, pattern, output } => {
            extract(archive, pattern.as_deref(), output, json, console)
        }
    }
}

/// An archive on disk, and its name for messages.
struct Opened<'a> {
    name: &'a str,
    layout: Option<Layout>,
    archive: Archive,
}

impl<'a> Opened<'a> {
    fn open(file: &'a ArchiveFile) -> Result<Self, Failure> {
        Ok(Self::open_as(&file.file, file.layout, Access::Map)?)
    }

    fn open_as(file: &'a Utf8Path, layout: Option<Layout>, access: Access) -> Result<Self, quakefs::Error> {
        let opened = Archive::open_with(file, &OpenOptions::new().layout(layout).access(access));
        let archive = opened.map_err(|error| error.in_archive(file.as_str()))?;
        Ok(Opened { name: file.as_str(), layout, archive })
    }

    /// The command line that lists the archive, for a suggestion.
    fn list(&self) -> String {
        suggest_list(self.name.into(), self.layout)
    }

    fn read(&self, entry: ArchiveEntry<'_>) -> Result<FileData, quakefs::Error> {
        entry.read().map_err(|error| error.in_archive(self.name))
    }

    /// The entries whose names match; `None`, with a message, where a pattern matches none.
    fn matching(
        &self,
        pattern: Option<&str>,
        console: &mut Console<'_>,
    ) -> Result<Option<Vec<ArchiveEntry<'_>>>, Failure> {
        let Some(pattern) = pattern else { return Ok(Some(self.archive.entries().collect())) };
        let glob = Pattern::new(pattern, Case::Exact)?;
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the lifetime of the method's answer is that of the archive"
        )]
        let entries = glob.select(self.archive.entries(), |entry| entry.name());
        if entries.is_empty() {
            let message = format!("{}: nothing matches \"{pattern}\"", self.name);
            let help = output::other_pattern(pattern, &self.list());
            console.error(&Message::new(message, help));
            return Ok(None);
        }
        Ok(Some(entries))
    }

    fn warn_of_problems(&self, console: &mut Console<'_>) {
        const PRINTED: usize = 10;
        let mut problems = self.archive.problems();
        for problem in problems.by_ref().take(PRINTED) {
            console.warn(&Message::from(&problem.in_archive(self.name)));
        }
        let more = problems.count();
        if more > 0 {
            let text = format!("{}: {} more like this", self.name, output::grouped(more as u64));
            console.warn(&Message::without_help(text));
        }
    }
}

/// An entry, for programs.
fn json_entry<'l>(
    line: &'l mut Line,
    entry: ArchiveEntry<'_>,
    r#type: &'static str,
) -> Result<Object<'l>, Failure> {
    let row = entry.row();
    let object = line.object(r#type).number("entry", entry.index() as u64).name("name", row.name)?;
    let object = object.number("offset", row.offset).number("size", entry.size());
    let compressed = row.method != Method::Stored;
    Ok(object.number("stored_size", row.stored_size).flag("compressed", compressed))
}

fn list(
    file: &ArchiveFile,
    pattern: Option<&str>,
    long: bool,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let opened = Opened::open(file)?;
    let Some(entries) = opened.matching(pattern, console)? else { return Ok(Exit::NotFound) };
    if long && !json {
        writeln!(
            console.out,
            "{:>7}  {:>10}  {:>10}  {:>10}  {:<10}  name",
            "entry", "offset", "size", "stored", "type"
        )?;
    }
    let mut line = Line::new(console);
    for entry in entries {
        let content = || ContentType::of(entry.name().as_bytes()).name();
        if json {
            let mut object = json_entry(&mut line, entry, "entry")?;
            if long {
                object = object.name("content_type", content().into())?;
            }
            object.end(console.out)?;
            continue;
        }
        if long {
            let row = entry.row();
            line.number(entry.index() as u64, 7);
            line.number(row.offset, 10);
            line.number(entry.size(), 10);
            line.number(row.stored_size, 10);
            line.text(content(), 10);
        }
        line.end(entry.name(), console.out)?;
    }
    opened.warn_of_problems(console);
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct JsonInfo<'a> {
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
}

#[derive(Serialize)]
struct JsonType {
    r#type: &'static str,
    entries: usize,
    size: u64,
}

fn info(file: &ArchiveFile, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let opened = Opened::open(file)?;
    let archive = &opened.archive;
    let mut types: BTreeMap<ContentType, (usize, u64)> = BTreeMap::new();
    let (mut content_size, mut stored_size, mut compressed) = (0_u64, 0_u64, 0);
    for entry in archive.entries() {
        let (count, size) = types.entry(ContentType::of(entry.name().as_bytes())).or_default();
        *count += 1;
        *size = size.saturating_add(entry.size());
        content_size = content_size.saturating_add(entry.size());
        stored_size = stored_size.saturating_add(entry.stored_size());
        compressed += usize::from(entry.method() != Method::Stored);
    }
    let directory = archive.directory_range();
    let info = JsonInfo {
        file: opened.name,
        layout: archive.format().name(),
        because: match archive.format() {
            ArchiveFormat::Pak(detection) => detection.reason.to_string(),
            _ => "by its end record".to_owned(),
        },
        size: archive.size(),
        directory_offset: directory.start,
        directory_size: directory.end - directory.start,
        entries: archive.len(),
        compressed,
        content_size,
        stored_size,
        problems: archive.problems().count(),
        types: types
            .into_iter()
            .map(|(content, (entries, size))| JsonType { r#type: content.name(), entries, size })
            .collect(),
    };
    if json {
        output::json(console, "info", &info)?;
        return Ok(Exit::Done);
    }
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
    if !info.types.is_empty() {
        let rows = info.types.iter().map(|content| {
            let number = |number| output::cell(console, number);
            vec![content.r#type.to_owned(), number(content.entries as u64), number(content.size)]
        });
        let rows: Vec<_> = rows.collect();
        writeln!(console.out)?;
        output::table(console, &["type", "entries", "bytes"], &[1, 2], rows)?;
    }
    opened.warn_of_problems(console);
    Ok(Exit::Done)
}

fn cat(
    file: &ArchiveFile,
    name: Option<&[u8]>,
    number: Option<usize>,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let opened = Opened::open(file)?;
    let entry = match (name, number) {
        (Some(name), _) => opened.archive.find(name),
        (None, Some(number)) => opened.archive.entry(number),
        (None, None) => None,
    };
    let Some(entry) = entry else {
        let what = match (name, number) {
            (None, Some(number)) => format!("entry {number}"),
            (name, _) => quakefs::EntryName::from_bytes(name.unwrap_or_default()).to_string(),
        };
        let entries = output::counted(opened.archive.len() as u64, "entry", "entries");
        let message = format!("{}: {what}: not found among {entries}", opened.name);
        console.error(&Message::new(message, format!("`{}` lists them", opened.list())));
        return Ok(Exit::NotFound);
    };
    let content = opened.read(entry)?;
    if json {
        let mut line = Line::new(console);
        json_entry(&mut line, entry, "content")?.name("content", (&*content).into())?.end(console.out)?;
    } else {
        Raw::new(format!("{}: {}", opened.name, entry.name())).write(&content, console)?;
    }
    Ok(Exit::Done)
}

fn extract(
    file: &ArchiveFile,
    pattern: Option<&str>,
    output: &Output,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    // pages of a map count as memory of the process, and every payload is read once
    let opened = Opened::open_as(&file.file, file.layout, Access::Read)?;
    let Some(entries) = opened.matching(pattern, console)? else { return Ok(Exit::NotFound) };
    let name: Arc<str> = opened.name.into();
    // a folder that a ZIP names is made when a file is in it
    let files = entries.into_iter().filter(|entry| !entry.is_folder());
    let files = files.filter_map(|entry| File::of_archive(&opened.archive, entry.index(), Arc::clone(&name)));
    extraction::extract(files, output, json, console)
}
