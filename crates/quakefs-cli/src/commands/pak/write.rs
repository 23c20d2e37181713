//! The `pak` commands that write: create, add, remove, rename, repack.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pak_format::daikatana::{EncodeOptions, Level};
use pak_format::{Builder, Editor, Layout, RepackOptions, Report, Source, repack};
use quakefs::{Case, Pattern};
use serde::Serialize;

use crate::args::{Add, Create, Encoding, Remove, Rename, Repack, name_bytes};
use crate::collection::{Collected, collect};
use crate::console::{Console, Exit, Failure, Told};
use crate::output;
use crate::temporary::temporary_in;

#[derive(Serialize)]
struct JsonWritten<'a> {
    file: &'a str,
    written: bool,
    entries: usize,
    /// Null where it was not done, and nobody knows.
    before: Option<u64>,
    after: Option<u64>,
    dropped: u64,
}

#[derive(Serialize)]
struct JsonPlanned<'a> {
    name: &'a str,
    path: &'a str,
    size: u64,
}

pub(crate) fn create(args: &Create, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    refuse_existing(file, args.overwrite)?;
    if file.is_dir() {
        return Err(
            Told::new(format!("{file}: it is a folder"), "name the archive that is to be made").into()
        );
    }
    if file.is_symlink() && !file.exists() {
        return Err(Told::new(
            format!("{file}: it is a link to nowhere"),
            "remove the link, or make its target",
        )
        .into());
    }
    let is_zip =
        |extension: &str| extension.eq_ignore_ascii_case("pk3") || extension.eq_ignore_ascii_case("pkz");
    if args.layout.is_none() && file.extension().is_some_and(is_zip) {
        let message = format!("{file}: an engine takes it for a ZIP, which quakefs does not write");
        return Err(Told::new(message, "name it .pak, or say the layout with --layout").into());
    }
    let layout = args.layout.unwrap_or_else(|| match file.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("sin") => Layout::Sin,
        _ => Layout::Quake,
    });
    let mut files = collect(args.root.as_deref(), &args.paths, file, None, console)?;
    if args.sort {
        files.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let interrupted = (console.interrupts)();
    let bar = bar(&files, console.progress);
    let mut builder = Builder::new(layout);
    builder.encoding(args.encoding.options()).unique_names(true);
    for file in &files {
        builder.push(&file.name, file.source(&bar, interrupted));
    }
    refuse(&builder.check(), file, console)?;
    if args.dry_run {
        return planned(&files, json, console);
    }
    let entries = builder.len();
    let size =
        write_whole(file, args.overwrite, interrupted, |out| builder.write_to(out)).map_err(|told| *told)?;
    let report = Written { entries, before: 0, after: size, dropped: 0, done: true };
    tell(file, &report, json, console)?;
    Ok(Exit::Done)
}

fn refuse_existing(file: &Utf8Path, overwrite: bool) -> Result<(), Failure> {
    if overwrite || file.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Told::new(format!("{file}: the file is there already"), "replace it with --overwrite").into())
}

/// What became of a file, for both kinds of output.
struct Written {
    entries: usize,
    before: u64,
    after: u64,
    dropped: u64,
    /// Whether it was done, and not only tried.
    done: bool,
}

impl Written {
    fn of(report: Report, written: bool) -> Self {
        let Report { entries, before, after, dropped, .. } = report;
        Written { entries, before, after, dropped, done: written }
    }
}

pub(crate) fn add(args: &Add, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let from_stdin = args.paths.iter().any(|path| path == "-");
    if from_stdin && (args.name.is_none() || args.paths.len() > 1) {
        return Err(Told::new("- reads one file from standard input", "say its name with --as NAME").into());
    }
    let mut stdin = Vec::new();
    let mut files = Vec::new();
    if from_stdin {
        std::io::stdin().lock().read_to_end(&mut stdin).map_err(|error| Told {
            message: format!("standard input cannot be read: {error}"),
            help: None,
        })?;
    } else {
        files = collect(args.root.as_deref(), &args.paths, file, args.name.as_deref(), console)?;
    }
    if let Some(name) = &args.name {
        match files.as_mut_slice() {
            [] if from_stdin => {}
            [one] => name.clone_into(&mut one.name),
            several => {
                let message = format!("--as names one file, and there are {}", several.len());
                return Err(Told::new(message, "leave --as out, or name one file").into());
            }
        }
    }
    // not before: an interrupt has to end the wait for standard input
    let interrupted = (console.interrupts)();
    let bar = bar(&files, console.progress);
    let mut editor = open(file, args.layout)?;
    editor.encoding(args.encoding.options());
    let mut sources: Vec<(&str, Source<'_>)> =
        files.iter().map(|file| (file.name.as_str(), file.source(&bar, interrupted))).collect();
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
    refuse(&problems, file, console)?;
    if args.dry_run && !from_stdin {
        return planned(&files, json, console);
    }
    commit(editor, file, args.dry_run, json, console)
}

pub(crate) fn remove(args: &Remove, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    let mut gone: HashSet<Vec<u8>> = HashSet::new();
    let mut missing = false;
    for pattern in &args.patterns {
        let glob = Pattern::new(pattern, Case::Exact)?;
        let matching: Vec<_> =
            editor.names().filter(|name| glob.matches(*name)).map(|name| name.as_bytes().to_vec()).collect();
        if matching.is_empty() {
            missing = true;
            let message = format!("{file}: nothing matches \"{pattern}\"");
            console.error(&Told::new(message, format!("`quakefs pak list {file}` lists the names")));
        }
        gone.extend(matching);
    }
    if missing {
        return Ok(Exit::NotFound);
    }
    editor.remove_where(|name| gone.contains(name.as_bytes()));
    refuse(&editor.check(), file, console)?;
    commit(editor, file, args.dry_run, json, console)
}

pub(crate) fn rename(args: &Rename, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    if let Err(error) = editor.rename(name_bytes(&args.old), name_bytes(&args.new)) {
        let missing = matches!(error.kind(), pak_format::ErrorKind::NoEntry { .. });
        console.error(&Told::from(&error.in_archive(file.as_str())));
        return Ok(if missing { Exit::NotFound } else { Exit::Failed });
    }
    refuse(&editor.check(), file, console)?;
    commit(editor, file, args.dry_run, json, console)
}

pub(crate) fn repacked(args: &Repack, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(output) = &args.output {
        refuse_existing(output, args.overwrite)?;
    }
    let interrupted = (console.interrupts)();
    let bar = bar(&[], console.progress);
    let progress = |done: u64, all: u64| {
        bar.set_length(all);
        bar.set_position(done);
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = RepackOptions {
        output: args.output.clone().map(Utf8PathBuf::into_std_path_buf),
        overwrite: args.overwrite,
        read_as: args.from,
        layout: args.layout,
        encoding: args.encoding.options(),
        dry_run: args.dry_run,
        progress: Some(&progress),
        ..RepackOptions::default()
    };
    match repack(&args.file, &options) {
        Ok(report) => {
            let file = args.output.as_ref().unwrap_or(&args.file);
            tell(file, &Written::of(report, !args.dry_run), json, console)?;
            Ok(Exit::Done)
        }
        Err(error) if matches!(error.kind(), pak_format::ErrorKind::Stopped) => {
            let message = format!("{}: interrupted: nothing was written", args.file);
            Err(Told { message, help: None }.into())
        }
        Err(error) => {
            refuse(error.problems(), &args.file, console)?;
            Ok(Exit::Failed)
        }
    }
}

fn open<'a>(file: &Utf8Path, layout: Option<Layout>) -> Result<Editor<'a>, Failure> {
    let opened = match layout {
        Some(layout) => Editor::open_as(file, layout),
        None => Editor::open(file),
    };
    opened.map_err(|error| {
        let mut told = Told::from(&error);
        if let Some(help) = &mut told.help {
            *help = help.replace("name the layout", "name the layout by --layout");
        }
        told.into()
    })
}

fn commit(
    editor: Editor<'_>,
    file: &Utf8Path,
    dry_run: bool,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let written = if dry_run {
        Written { entries: editor.len(), before: 0, after: 0, dropped: 0, done: false }
    } else {
        // an interrupt finds nothing half done: what is behind the old end is finished or cut off
        let interrupted = (console.interrupts)();
        match editor.commit() {
            Ok(report) => Written::of(report, true),
            Err(_) if interrupted.load(Ordering::Relaxed) => {
                let message = format!("{file}: interrupted: nothing was written");
                return Err(Told { message, help: None }.into());
            }
            Err(error) => return Err(error.into()),
        }
    };
    tell(file, &written, json, console)?;
    Ok(Exit::Done)
}

/// Tells everything that is wrong at once, and stops if anything is.
fn refuse(problems: &[pak_format::Error], file: &Utf8Path, console: &mut Console<'_>) -> Result<(), Failure> {
    const TOLD: usize = 20;
    for problem in problems.iter().take(TOLD) {
        let mut told = Told::from(problem);
        if problem.archive().is_none() {
            told.message = format!("{file}: {}", told.message);
        }
        console.error(&told);
    }
    let count = problems.len();
    let message = match count {
        0 => return Ok(()),
        1..=TOLD => "nothing was written".to_owned(),
        _ => format!("and {} more; nothing was written", output::grouped((count - TOLD) as u64)),
    };
    Err(Told { message, help: None }.into())
}

fn planned(files: &[Collected], json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    for file in files {
        if json {
            output::json(
                console,
                &JsonPlanned { name: &file.name, path: file.path.as_str(), size: file.size },
            )?;
        } else {
            write!(console.out, "{:>13}  ", output::grouped(file.size))?;
            output::text(console.out, &file.name)?;
            writeln!(console.out)?;
        }
    }
    if !json {
        writeln!(
            console.out,
            "nothing was written: files that would be: {}",
            output::grouped(files.len() as u64)
        )?;
    }
    Ok(Exit::Done)
}

fn tell(file: &Utf8Path, written: &Written, json: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    let Written { entries, before, after, dropped, done } = *written;
    if json {
        let file = file.as_str();
        let known = |size: u64| (size > 0 || done).then_some(size);
        let (before, after) = (known(before), known(after));
        return output::json(console, &JsonWritten { file, written: done, entries, before, after, dropped });
    }
    let entries = if entries == 1 {
        "1 entry".to_owned()
    } else {
        format!("{} entries", output::grouped(entries as u64))
    };
    output::text(console.out, file.as_str())?;
    if !done {
        writeln!(console.out, ": would have {entries}; nothing was written")?;
        return Ok(());
    }
    write!(console.out, ": {entries}, {}", output::bytes(after))?;
    if dropped > 0 {
        write!(console.out, "; dropped {} that no entry named", output::bytes(dropped))?;
    }
    writeln!(console.out)?;
    Ok(())
}

/// A bar over the bytes of some files; it shows itself where the terminal is one and the work is long.
fn bar(files: &[Collected], wanted: bool) -> ProgressBar {
    let size = files.iter().map(|file| file.size).sum();
    // a short work is over before a bar would be read
    let target =
        if wanted && size > 64 << 20 { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(size), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn already_there(file: &Utf8Path) -> Told {
    Told::new(format!("{file}: the file is there already"), "replace it with --overwrite")
}

/// Writes a file beside its place, flushes it to the disk, and moves it there. One that is replaced keeps its mode,
/// and stays behind the symbolic link that named it.
fn write_whole(
    file: &Utf8Path,
    overwrite: bool,
    interrupted: &AtomicBool,
    write: impl FnOnce(&mut std::fs::File) -> Result<u64, pak_format::Error>,
) -> Result<u64, Box<Told>> {
    let target = file.canonicalize_utf8().unwrap_or_else(|_| file.to_owned());
    let folder = target.parent().filter(|folder| *folder != "").unwrap_or(Utf8Path::new("."));
    let io = |doing: &str, error: std::io::Error| {
        Box::new(Told { message: format!("{file}: {doing}: {error}"), help: None })
    };
    let made = temporary_in(folder.as_std_path());
    let mut temporary = made.map_err(|error| io("cannot be written", error))?;
    if let Ok(there) = target.metadata() {
        // who may not write to a file may not replace it either
        let opened = std::fs::OpenOptions::new().write(true).open(&target);
        opened.map_err(|error| io("cannot be replaced", error))?;
        // the owner first: giving a file away clears bits of its mode; not everybody may
        #[cfg(unix)]
        let _ = std::os::unix::fs::fchown(
            temporary.as_file(),
            Some(std::os::unix::fs::MetadataExt::uid(&there)),
            Some(std::os::unix::fs::MetadataExt::gid(&there)),
        );
        let kept = temporary.as_file().set_permissions(there.permissions());
        kept.map_err(|error| io("cannot keep its mode", error))?;
    }
    let written = write(temporary.as_file_mut());
    if interrupted.load(Ordering::Relaxed) {
        let message = format!("{file}: interrupted: nothing was written");
        return Err(Box::new(Told { message, help: None }));
    }
    let size = written.map_err(|error| Told::from(&error.in_archive(file.as_str())))?;
    temporary.as_file_mut().flush().map_err(|error| io("cannot be written", error))?;
    temporary.as_file().sync_all().map_err(|error| io("cannot be flushed", error))?;
    let moved = if overwrite { temporary.persist(&target) } else { temporary.persist_noclobber(&target) };
    moved.map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => Box::new(already_there(file)),
        _ => io("cannot be moved to its place", error.error),
    })?;
    if cfg!(unix) {
        let flushed = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        flushed.map_err(|error| io("cannot be flushed", error))?;
    }
    Ok(size)
}

impl Encoding {
    fn options(&self) -> EncodeOptions {
        let level = if self.smallest { Level::Smallest } else { Level::Fast };
        EncodeOptions { level, allow_overlap: self.allow_overlap }
    }
}
