//! The `pak` commands that write: create, add, remove, rename, repack.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::daikatana::{EncodeOptions, Level};
use pak_format::folder::CollectedFile;
use pak_format::name::escape_path;
use pak_format::{
    Builder, Editor, ErrorKind, Layout, ParseOptions, RepackOptions, Report, Source, WriteOptions, repack,
};
use quakefs::rules::{ArchiveKind, ArchiveSet};
use quakefs::{Case, Engine, Pattern};
use serde::Serialize;

use crate::advice;
use crate::args::{Add, Create, Encoding, Remove, Rename, Repack, name_bytes, suggest_list};
use crate::collection::collect;
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::progress::Progress;
use crate::text::printable;

#[derive(Serialize)]
struct JsonWritten<'a> {
    file: &'a str,
    written: bool,
    entries: usize,
    /// Null where nothing was written and the size is not known.
    before: Option<u64>,
    after: Option<u64>,
    dropped: u64,
}

#[derive(Serialize)]
struct JsonPlanned<'a> {
    name: &'a str,
    path: Cow<'a, str>,
    size: u64,
}

pub(crate) fn create(args: &Create, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    check_target(file, args.overwrite)?;
    let kind = Engine::WinQuake.rules().archive_kind(file.file_name().unwrap_or_default());
    if args.layout.is_none() && kind == Some(ArchiveKind::Zip) {
        let text = format!("{file}: an engine takes it for a ZIP, which quakefs does not write");
        return Err(Message::new(text, "name it .pak, or name the layout by --layout").into());
    }
    let layout = args.layout.unwrap_or_else(|| usual_layout(file.extension().unwrap_or_default()));
    let mut files = collect(args.root.as_deref(), &args.paths, file, None, console)?;
    if args.sort {
        files.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let bar = Progress::of_bytes(console);
    let mut builder = Builder::new(layout);
    builder.encoding(args.encoding.options()).unique_names(true);
    for file in &files {
        builder.push(&file.name, file.source());
    }
    refuse(&builder.check(), file, None, console)?;
    if args.dry_run {
        return planned(&files, json, console);
    }
    let entries = builder.len();
    let progress = |done, all| bar.show(done, all);
    let options =
        WriteOptions::new().overwrite(args.overwrite).progress(&progress as pak_format::Progress<'_>);
    let size = builder.write_file(file, &options).map_err(|error| not_written(&error, file))?;
    let written = Written { entries, before: 0, after: size, dropped: 0, done: true };
    report_written(file, &written, json, console)
}

/// The layout of the first engine that looks for archives with this extension, such as SiN's for `.sin`.
fn usual_layout(extension: &str) -> Layout {
    let of_engine = |engine: &Engine| {
        let rules = engine.rules();
        let mut extensions = rules.archives.iter().flat_map(ArchiveSet::extensions);
        extensions.find(|wanted| wanted.eq_ignore_ascii_case(extension))?;
        rules.paks.layout
    };
    Engine::ALL.iter().find_map(of_engine).unwrap_or(Layout::Quake)
}

/// Refuses a target that cannot be written, before any work.
fn check_target(file: &Utf8Path, overwrite: bool) -> Result<(), Failure> {
    let Ok(found) = file.symlink_metadata() else { return Ok(()) };
    let (reason, help) = if !overwrite {
        ("the file is there already", "replace it with --overwrite")
    } else if file.is_dir() {
        ("it is a folder", "name the archive that is to be made")
    } else if found.is_symlink() && !file.exists() {
        ("it is a symbolic link without a target", "remove the link, or make its target")
    } else {
        return Ok(());
    };
    Err(Message::new(format!("{file}: {reason}"), help).into())
}

/// Why an archive was not written.
fn not_written(error: &pak_format::Error, file: &Utf8Path) -> Failure {
    match error.kind() {
        ErrorKind::Stopped => {
            Message::without_help(format!("{file}: interrupted: nothing was written")).into()
        }
        ErrorKind::Io { kind: io::ErrorKind::AlreadyExists, .. } => {
            Message::new(format!("{file}: the file is there already"), "replace it with --overwrite").into()
        }
        _ => Message::from(error).into(),
    }
}

/// What became of an archive, for both kinds of output.
struct Written {
    entries: usize,
    before: u64,
    after: u64,
    dropped: u64,
    /// Whether the archive was written, not only checked.
    done: bool,
}

impl Written {
    fn of(report: Report, done: bool) -> Self {
        let Report { entries, before, after, dropped, .. } = report;
        Written { entries, before, after, dropped, done }
    }
}

pub(crate) fn add(args: &Add, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let from_stdin = args.paths.iter().any(|path| path == "-");
    if from_stdin && (args.name.is_none() || args.paths.len() > 1) {
        return Err(Message::new("- reads one file from standard input", "name it by --as NAME").into());
    }
    let mut stdin = Vec::new();
    let mut files = Vec::new();
    if from_stdin {
        stdin = read_stdin(args, console)?;
    } else {
        files = collect(args.root.as_deref(), &args.paths, file, args.name.as_deref(), console)?;
    }
    if let Some(name) = &args.name {
        match files.as_mut_slice() {
            [] if from_stdin => {}
            [one] => name.clone_into(&mut one.name),
            several => {
                let text = format!("--as names one file, and there are {}", several.len());
                return Err(Message::new(text, "leave --as out, or name one file").into());
            }
        }
    }
    // an interrupt has to end the wait for standard input, so it is caught after that
    let bar = Progress::of_bytes(console);
    let mut editor = open(file, args.layout)?;
    editor.encoding(args.encoding.options());
    let mut sources: Vec<(&str, Source<'_>)> = Vec::new();
    for file in &files {
        sources.push((&file.name, file.source()));
    }
    if from_stdin {
        sources.push((args.name.as_deref().unwrap_or_default(), Source::bytes(stdin)));
    }
    let mut problems = Vec::new();
    for (name, source) in sources {
        let done = if args.replace && editor.contains(name) {
            editor.replace(name, source)
        } else {
            editor.add(name, source)
        };
        problems.extend(done.err());
    }
    problems.extend(editor.check());
    refuse(&problems, file, Some(ADD), console)?;
    if args.dry_run && !from_stdin {
        return planned(&files, json, console);
    }
    commit(editor, file, args.dry_run, &bar, json, console)
}

/// Reads the content of an entry from standard input, after everything that is wrong without it.
fn read_stdin(args: &Add, console: &mut Console<'_>) -> Result<Vec<u8>, Failure> {
    let name = args.name.as_deref().unwrap_or_default();
    // the lock ends before the wait, which may be for a program that reads the archive
    let mut editor = open(&args.file, args.layout)?;
    if !(args.replace && editor.contains(name)) {
        refuse(editor.add(name, Source::bytes([])).err().as_slice(), &args.file, Some(ADD), console)?;
    }
    drop(editor);
    let mut bytes = Vec::new();
    // an archive of this family has no room for more
    let most = u64::from(u32::MAX);
    let read = io::stdin().lock().take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Message::without_help(format!("standard input cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        let text = "standard input: an archive holds at most 4 GiB, and this is more";
        return Err(Message::new(text, "split the file").into());
    }
    Ok(bytes)
}

pub(crate) fn remove(args: &Remove, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    let mut gone: HashSet<Vec<u8>> = HashSet::new();
    let mut missing = false;
    for pattern in &args.patterns {
        let glob = Pattern::new(pattern, Case::Exact)?;
        let matching = glob.select(editor.names(), |name| *name);
        if matching.is_empty() {
            missing = true;
            let message = format!("{file}: nothing matches \"{pattern}\"");
            console.error(&Message::new(
                message,
                format!("`{}` lists the names", suggest_list(file, args.layout)),
            ));
        }
        gone.extend(matching.iter().map(|name| name.as_bytes().to_vec()));
    }
    if missing {
        return Ok(Exit::NotFound);
    }
    editor.remove_where(|name| gone.contains(name.as_bytes()));
    refuse(&editor.check(), file, None, console)?;
    commit(editor, file, args.dry_run, &Progress::of_bytes(console), json, console)
}

pub(crate) fn rename(args: &Rename, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    if let Err(error) = editor.rename(name_bytes(&args.old), name_bytes(&args.new)) {
        console.error(&Message::from(&error));
        return Ok(if error.is_not_found() { Exit::NotFound } else { Exit::Failed });
    }
    refuse(&editor.check(), file, None, console)?;
    commit(editor, file, args.dry_run, &Progress::of_bytes(console), json, console)
}

pub(crate) fn repacked(args: &Repack, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(output) = &args.output {
        check_target(output, args.overwrite)?;
    }
    let bar = Progress::of_bytes(console);
    let progress = |done, all| bar.show(done, all);
    let mut options = RepackOptions::new()
        .overwrite(args.overwrite)
        .read_as(ParseOptions::new().layout(args.from))
        .layout(args.layout)
        .encoding(args.encoding.options())
        .dry_run(args.dry_run)
        .progress(&progress as pak_format::Progress<'_>);
    options.output = args.output.clone().map(Utf8PathBuf::into_std_path_buf);
    match repack(&args.file, &options) {
        Ok(report) => {
            let file = args.output.as_ref().unwrap_or(&args.file);
            report_written(file, &Written::of(report, !args.dry_run), json, console)
        }
        Err(error) if matches!(error.kind(), ErrorKind::Stopped | ErrorKind::NotDurable { .. }) => {
            Err(not_written(&error, &args.file))
        }
        Err(error)
            if matches!(error.kind(), ErrorKind::AmbiguousLayout { .. } | ErrorKind::WrongMagic { .. }) =>
        {
            // --layout is that of the new archive here
            let help = advice::of_pak_error(error.kind()).replace("--layout", "--from");
            Err(Message { help: Some(help), ..Message::from(&error) }.into())
        }
        Err(error) => {
            refuse(error.problems(), &args.file, None, console)?;
            Ok(Exit::Failed)
        }
    }
}

fn open<'a>(file: &Utf8Path, layout: Option<Layout>) -> Result<Editor<'a>, Failure> {
    Ok(Editor::open_with(file, &ParseOptions::new().layout(layout))?)
}

fn commit(
    editor: Editor<'_>,
    file: &Utf8Path,
    dry_run: bool,
    bar: &Progress,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let written = if dry_run {
        Written { entries: editor.len(), before: 0, after: 0, dropped: 0, done: false }
    } else {
        let report = editor.commit_with(&|done, all| bar.show(done, all));
        Written::of(report.map_err(|error| not_written(&error, file))?, true)
    };
    report_written(file, &written, json, console)
}

/// What to do about a name that an entry has already, where an entry can be replaced.
const ADD: &str = "choose another name, or replace the entry by --replace";

/// Prints every problem, and fails if there is one.
fn refuse(
    problems: &[pak_format::Error],
    file: &Utf8Path,
    of_duplicate: Option<&str>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    const PRINTED: usize = 20;
    for problem in problems.iter().take(PRINTED) {
        let mut message = Message::from(problem);
        if let (ErrorKind::Duplicate { .. }, Some(help)) = (problem.kind(), of_duplicate) {
            message.help = Some(help.to_owned());
        }
        if problem.archive().is_none() {
            message.text = format!("{file}: {}", message.text);
        }
        console.error(&message);
    }
    let text = match problems.len() {
        0 => return Ok(()),
        1..=PRINTED => "nothing was written".to_owned(),
        count => format!("and {} more; nothing was written", output::grouped((count - PRINTED) as u64)),
    };
    Err(Message::without_help(text).into())
}

fn planned(files: &[CollectedFile], json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    for file in files {
        if json {
            let line = JsonPlanned { name: &file.name, path: escape_path(&file.path), size: file.size };
            output::json(console, "planned", &line)?;
        } else {
            writeln!(console.out, "{:>13}  {}", output::cell(console, file.size), printable(&file.name))?;
        }
    }
    if !json {
        let count = output::grouped(files.len() as u64);
        writeln!(console.out, "nothing was written: files that would be: {count}")?;
    }
    Ok(Exit::Done)
}

/// Says what became of an archive. Where that cannot be printed, the error says that the archive is written.
fn report_written(
    file: &Utf8Path,
    written: &Written,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let printed = print_written(file, written, json, console);
    let done = if written.done { format!("{file}: the archive is written") } else { String::new() };
    console.after(&done, printed)?;
    Ok(Exit::Done)
}

fn print_written(
    file: &Utf8Path,
    written: &Written,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let Written { entries, before, after, dropped, done } = *written;
    if json {
        let file = file.as_str();
        let known = |size: u64| (size > 0 || done).then_some(size);
        let (before, after) = (known(before), known(after));
        let line = JsonWritten { file, written: done, entries, before, after, dropped };
        return output::json(console, "written", &line);
    }
    let entries = output::counted(entries as u64, "entry", "entries");
    let file = printable(file.as_str());
    if !done {
        writeln!(console.out, "{file}: would have {entries}; nothing was written")?;
        return Ok(());
    }
    write!(console.out, "{file}: {entries}, {}", output::bytes(after))?;
    if dropped > 0 {
        write!(console.out, "; dropped {} that no entry named", output::bytes(dropped))?;
    }
    writeln!(console.out)?;
    Ok(())
}

impl Encoding {
    fn options(&self) -> EncodeOptions {
        let level = if self.smallest { Level::Smallest } else { Level::Fast };
        EncodeOptions::new().level(level).allow_overlap(self.allow_overlap)
    }
}
