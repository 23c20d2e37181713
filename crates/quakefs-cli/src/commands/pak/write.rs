//! The `pak` commands that write: create, add, remove, repack.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::daikatana::EncodeOptions;
use pak_format::folder::{CollectOptions, CollectedFile};
use pak_format::name::escape_path;
use pak_format::{
    Builder, ErrorKind, Layout, ParseOptions, RepackOptions, Report, Source, WriteOptions, repack,
};
use quake_content::WadVersion;
use quakefs::archive::ArchiveKind as ArchiveKindOf;
use quakefs::content::{ContentType, Leftover, folder_too_deep};
use quakefs::rules::Case;
use quakefs::rules::{ArchiveKind, ArchiveSet};
use quakefs::{Engine, EntryName, Pattern, Rules};
use quakefs_archives::{Editor, WadContents, begins_as_archive, rewrite};

use super::selection::{alike, did_you_mean};
use super::wad;
use super::written;
use crate::args::{Add, Create, Encoding, Input, Remove, Repack, by_position, suggest_list};
use crate::changes::{Change, Deed};
use crate::collection::collect;
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Planned};
use crate::progress::Progress;
use crate::scratch::Scratch;
use crate::text::{command_line, printable, with_slashes};

pub(crate) fn create(args: &Create, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    check_new(file, args.layout, args.overwrite, console)?;
    let mut files = collect(&args.inputs, &collecting(file, args.layout, args.packing.all), console)?;
    // a .zip is a download, which is unpacked into the base directory
    let is_download = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    if let [input] = &*args.inputs.0
        && !wad::is_wad(file, args.layout)
        && !is_download
    {
        warn_of_depth(&files, input, console);
    }
    if args.sort {
        files.sort_by(|a, b| a.name.cmp(&b.name));
    }
    if !is_download {
        note_of_archives(&files, file, console);
    }
    let mut names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let mut builder = if wad::is_wad(file, args.layout) {
        let version = args.wad.version().or_else(|| wad::version_of(&files)).unwrap_or(WadVersion::Wad2);
        let lumps = wad::of_files(&files, version, &args.wad.textures, console)?;
        names = wad::names(&lumps);
        wad::builder(version, lumps)
    } else {
        let mut builder = builder_of(file, args.layout, &args.packing.encoding);
        for file in &files {
            builder.push(&file.name, file.source());
        }
        builder
    };
    builder.unique_names(true);
    refuse(&builder.check(), file, None, console)?;
    if args.packing.dry_run {
        return planned(&files, output::size_of_replaced(file), console);
    }
    let changes: Vec<_> = names.iter().map(|name| Change { name, deed: Deed::Added }).collect();
    write_new(builder, file, args.overwrite, None, &changes, 0, console)
}

/// Says that archives are put into an archive, where no engine looks.
fn note_of_archives(files: &[CollectedFile], into: &Utf8Path, console: &mut Console<'_>) {
    let is_archive = |file: &&CollectedFile| ContentType::of(file.name.as_bytes()) == ContentType::Archive;
    let mut inside = files.iter().filter(is_archive);
    if let Some(first) = inside.next() {
        let more = match inside.count() {
            0 => " is".to_owned(),
            count => format!(" and {} more are", output::counted(count as u64, "archive", "archives")),
        };
        let name = printable(&first.name);
        console
            .note(format!("{into}: {name}{more} put into it, and engines do not look into archives there"));
    }
}

/// A new archive of the named layout, or else of its extension's kind.
pub(crate) fn builder_of<'a>(file: &Utf8Path, named: Option<Layout>, encoding: &Encoding) -> Builder<'a> {
    let kind = ArchiveKind::of(file.file_name().unwrap_or_default());
    let mut builder = if named.is_none() && kind == Some(ArchiveKind::Zip) {
        Builder::zip()
    } else {
        Builder::new(named.unwrap_or_else(|| usual_layout(file.extension().unwrap_or_default())))
    };
    builder.encoding(encoding.options()).level(encoding.level());
    builder
}

/// The layout of the first engine that looks for archives with this extension, such as SiN's for `.sin`.
fn usual_layout(extension: &str) -> Layout {
    let loads = |rules: &Rules| {
        let mut extensions = rules.archives.sets.iter().flat_map(ArchiveSet::extensions);
        extensions.any(|wanted| wanted.eq_ignore_ascii_case(extension))
    };
    Engine::with(loads).find_map(|engine| engine.rules().paks.layout).unwrap_or(Layout::Quake)
}

/// Refuses a name of a new archive that tells no kind, unless the layout is named.
fn check_kind(file: &Utf8Path, named: Option<Layout>) -> Result<(), Failure> {
    let name = file.file_name().unwrap_or_default();
    let is_archive = || matches!(ArchiveKind::of(name), Some(kind) if kind != ArchiveKind::Folder);
    if named.is_some() || is_stdout(file) || wad::is_wad(file, named) || is_archive() {
        return Ok(());
    }
    let text = format!("{file}: the extension is of no kind of archive that quakefs writes");
    Err(Message::new(text, "name a .pak, .pk3, .zip, .wad or .sin, or the layout with --layout").into())
}

/// Refuses a new archive that cannot be written, before any work.
pub(super) fn check_new(
    file: &Utf8Path,
    named: Option<Layout>,
    overwrite: bool,
    console: &Console<'_>,
) -> Result<(), Failure> {
    check_kind(file, named)?;
    check_output(file, overwrite, console)
}

/// Refuses to write an archive over what is none, or to a terminal.
pub(crate) fn check_output(file: &Utf8Path, overwrite: bool, console: &Console<'_>) -> Result<(), Failure> {
    if is_stdout(file) {
        if console.columns.is_some() {
            let text = "an archive is not text, so it is not printed to a terminal";
            return Err(Message::new(text, "name a file, such as -o new.pak").into());
        }
        return Ok(());
    }
    check_target(file, overwrite)?;
    let is_filled = file.metadata().is_ok_and(|found| found.len() > 0);
    if is_filled && !begins_as_archive(file) {
        let text = format!("{file}: it is no archive, so an archive does not replace it");
        return Err(Message::new(text, "name another file, or remove it first").into());
    }
    Ok(())
}

/// Whether a file to write stands for standard output.
pub(crate) fn is_stdout(file: &Utf8Path) -> bool {
    file == "-"
}

/// Refuses a target that cannot be written, before any work.
pub(crate) fn check_target(file: &Utf8Path, overwrite: bool) -> Result<(), Failure> {
    let Ok(found) = file.symlink_metadata() else { return Ok(()) };
    let (reason, help) = if !overwrite {
        ("the file exists already", "replace it with --overwrite")
    } else if file.is_dir() {
        ("it is a folder", "name the file to write")
    } else if found.is_symlink() && !file.exists() {
        ("it is a symbolic link without a target", "remove the link, or create its target")
    } else {
        return Ok(());
    };
    Err(Message::new(format!("{file}: {reason}"), help).into())
}

/// Prints a new archive.
pub(crate) fn print(builder: Builder<'_>, console: &mut Console<'_>) -> Result<(), Failure> {
    Ok(console.out.write_all(&builder.finish()?)?)
}

/// Writes a new archive, or prints it, and says what was written. `size` is the size of the archive that it
/// is made from, or 0.
pub(super) fn write_new(
    builder: Builder<'_>,
    file: &Utf8Path,
    overwrite: bool,
    before: Option<&Metadata>,
    changes: &[Change<'_>],
    size: u64,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    if is_stdout(file) {
        print(builder, console)?;
        return Ok(Exit::Done);
    }
    let (entries, bar) = (builder.len(), Progress::of_bytes(console));
    let replaced = output::size_of_replaced(file);
    let written = write(builder, file, overwrite, before, &bar)?;
    written::report(file, changes, Report::new(entries, size, written), true, replaced, console)
}

/// Writes an archive, and returns its size. `before` is the file that it replaces, if that must be unchanged.
pub(crate) fn write(
    builder: Builder<'_>,
    file: &Utf8Path,
    overwrite: bool,
    before: Option<&Metadata>,
    bar: &Progress,
) -> Result<u64, Failure> {
    let progress = |done, all| bar.show(done, all);
    let options = WriteOptions { overwrite, progress: Some(&progress), unchanged_since: before };
    builder.write_file(file, &options).map_err(|error| not_written(&error, file, bar))
}

/// Why an archive was not written.
fn not_written(error: &pak_format::Error, file: &Utf8Path, bar: &Progress) -> Failure {
    of_writing(error.kind(), error.into(), file, bar)
}

fn of_writing(kind: &ErrorKind, message: Message, file: &Utf8Path, bar: &Progress) -> Failure {
    match kind {
        ErrorKind::Stopped => Message { text: format!("{file}: {}", bar.interrupted()), ..message }.into(),
        ErrorKind::Io { kind: io::ErrorKind::AlreadyExists, .. } => {
            Message::new(format!("{file}: the file exists already"), "replace it with --overwrite").into()
        }
        _ => message.into(),
    }
}

pub(crate) fn add(args: &Add, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let from_stdin = args.inputs.paths().any(|path| path == "-");
    if from_stdin && (args.name.is_none() || args.inputs.paths().count() > 1) {
        return Err(Message::new("- reads one file from standard input", "name it with --as NAME").into());
    }
    if !file.exists() {
        let line = command_line(["quakefs", "pak", "create", file.as_str()]);
        let text = format!("{file}: no such archive to add to");
        return Err(Message::new(text, format!("`{line}` with the same files makes it")).into());
    }
    let mut stdin = Vec::new();
    let mut files = Vec::new();
    if from_stdin {
        stdin = read_stdin(args, console)?;
    } else {
        let mut options = collecting(file, args.layout, args.packing.all);
        options.name.clone_from(&args.name);
        files = collect(&args.inputs, &options, console)?;
    }
    if let Some(name) = &args.name {
        match files.as_mut_slice() {
            [] if from_stdin => {}
            [one] => name.clone_into(&mut one.name),
            several => {
                let text = format!("--as names one file, but there are {}", several.len());
                return Err(Message::new(text, "leave out --as, or name one file").into());
            }
        }
    }
    // caught only now, because an interrupt has to end the wait for standard input
    let bar = Progress::of_bytes(console);
    let mut editor = open(file, args.layout)?;
    if let (None, None, [input]) = (&args.name, editor.wad(), &*args.inputs.0)
        && !args.overwrite
    {
        warn_of_depth(&files, input, console);
    }
    editor.encoding(args.packing.encoding.options());
    editor.level(args.packing.encoding.level());
    let mut sources: Vec<NewEntry<'_>> = Vec::new();
    if let Some(version) = editor.wad() {
        let lumps = if from_stdin {
            let name = args.name.as_deref().unwrap_or_default();
            vec![wad::of_stdin(name, &stdin, version, &args.textures, console)?]
        } else {
            wad::of_files(&files, version, &args.textures, console)?
        };
        for (name, lump) in wad::names(&lumps).into_iter().zip(lumps) {
            sources.push(NewEntry { name, source: Source::bytes(lump.bytes), kind: Some(lump.kind) });
        }
    } else if from_stdin {
        let name = args.name.clone().unwrap_or_default();
        sources.push(NewEntry { name, source: Source::bytes(stdin), kind: None });
    } else {
        let new =
            |file: &CollectedFile| NewEntry { name: file.name.clone(), source: file.source(), kind: None };
        sources.extend(files.iter().map(new));
    }
    let (mut problems, mut done) = (Vec::new(), Vec::new());
    for NewEntry { name, source, kind } in sources {
        let replaced = args.overwrite && editor.contains(&name);
        let added = if replaced { editor.replace(&name, source) } else { editor.add(&name, source) };
        if let (Ok(()), Some(kind)) = (&added, kind) {
            editor.set_kind(&name, kind);
        }
        problems.extend(added.err());
        done.push((name, if replaced { Deed::Replaced } else { Deed::Added }));
    }
    let changes: Vec<_> = done.iter().map(|(name, deed)| Change { name, deed: *deed }).collect();
    problems.extend(editor.check());
    refuse(&problems, file, Some(ADD), console)?;
    if args.packing.dry_run && !from_stdin {
        return planned(&files, None, console);
    }
    if args.overwrite {
        warn_of_nothing_replaced(&changes, &editor, file, console);
    }
    commit(editor, file, &changes, args.packing.dry_run, &bar, console)
}

/// Reads the content of an entry from standard input, after all other checks.
fn read_stdin(args: &Add, console: &mut Console<'_>) -> Result<Vec<u8>, Failure> {
    let name = args.name.as_deref().unwrap_or_default();
    // no lock during the wait, because the writer of standard input may read the archive
    let mut editor = open(&args.file, args.layout)?;
    if !(args.overwrite && editor.contains(name)) {
        refuse(editor.add(name, Source::bytes([])).err().as_slice(), &args.file, Some(ADD), console)?;
    }
    drop(editor);
    let mut bytes = Vec::new();
    // a PACK archive has no room for more
    let most = u64::from(u32::MAX);
    let read = io::stdin().lock().take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Message::without_help(format!("standard input cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        let text = "standard input: it is larger than 4 GiB, the limit of an archive";
        return Err(Message::new(text, "split the file").into());
    }
    Ok(bytes)
}

/// The message for a pattern without a match among the names of the entries.
pub(super) fn nothing_matches<'n, N: Iterator<Item = EntryName<'n>>>(
    pattern: impl fmt::Display,
    entries: impl Fn() -> N,
    file: &Utf8Path,
    layout: Option<Layout>,
) -> Message {
    let pattern = pattern.to_string();
    let lister = format!("`{}` lists", suggest_list(file, layout));
    let matches = |other: &str| {
        let other = Pattern::new(other, Case::Ignored);
        other.is_ok_and(|other| !Pattern::select([&other], entries(), |name| *name).items.is_empty())
    };
    let other = || output::other_pattern(&pattern, &lister, matches);
    let help = did_you_mean(&alike(&entries, &pattern)).unwrap_or_else(other);
    Message::new(format!("{file}: nothing matches \"{pattern}\""), help)
}

pub(crate) fn remove(args: &Remove, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    let mut gone: HashSet<Vec<u8>> = HashSet::new();
    let mut missing = false;
    for pattern in &args.patterns {
        let case = if editor.wad().is_some() { Case::Ignored } else { Case::Exact };
        let glob = Pattern::new(pattern, case)?;
        let matching = Pattern::select([&glob], editor.names(), |name| *name).items;
        if matching.is_empty() {
            missing = true;
            console.error(&nothing_matches(pattern, || editor.names(), file, args.layout));
        }
        gone.extend(matching.iter().map(|name| name.as_bytes().to_vec()));
    }
    if missing {
        return Ok(Exit::NotFound);
    }
    editor.remove_where(|name| gone.contains(name.as_bytes()));
    refuse(&editor.check(), file, None, console)?;
    let mut names: Vec<_> = gone.iter().map(|name| EntryName::from_bytes(name).to_string()).collect();
    names.sort_unstable();
    let changes: Vec<_> = names.iter().map(|name| Change { name, deed: Deed::Removed }).collect();
    let exit = commit(editor, file, &changes, args.dry_run, &Progress::of_bytes(console), console)?;
    if !args.dry_run {
        output::for_people(console, |console| say_unused(file, args.layout, console))?;
    }
    Ok(exit)
}

/// Prints how many bytes a repack would reclaim: removing an entry leaves its payload and the old directory.
fn say_unused(file: &Utf8Path, layout: Option<Layout>, console: &mut Console<'_>) -> Result<(), Failure> {
    let Ok(archive) = by_position().layout(layout).open(file) else { return Ok(()) };
    // a ZIP has headers between its entries, and every change rewrites it
    if archive.kind() != ArchiveKindOf::Pak {
        return Ok(());
    }
    let extents = archive
        .entries()
        .map(|entry| entry.row().offset..entry.row().offset.saturating_add(entry.row().stored_size));
    let mut extents: Vec<_> = extents.chain([0..12, archive.directory_range()]).collect();
    extents.sort_by_key(|extent| extent.start);
    let (mut unused, mut end) = (0, 0);
    for extent in extents.iter().filter(|extent| !extent.is_empty()) {
        unused += extent.start.saturating_sub(end);
        end = end.max(extent.end);
    }
    unused += archive.size().saturating_sub(end);
    if unused > 0 {
        let (bytes, line) =
            (output::bytes(unused), command_line(["quakefs", "pak", "repack", file.as_str()]));
        writeln!(console.out, "{bytes} are unused; `{line}` reclaims them")?;
    }
    Ok(())
}

pub(crate) fn repacked(args: &Repack, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut output = args.output.clone();
    let mut scratch = None;
    if let Some(file) = &args.output {
        check_new(file, args.layout, args.overwrite, console)?;
        if is_stdout(file) {
            output = Some(scratch.insert(Scratch::new(console)?).join("repacked"));
        }
    }
    let overwritten = output.as_deref().and_then(output::size_of_replaced);
    let bar = Progress::of_bytes(console);
    let progress = |done, all| bar.show(done, all);
    let options = RepackOptions {
        output: output.clone().map(Utf8PathBuf::into_std_path_buf),
        overwrite: args.overwrite,
        read_as: ParseOptions::new().layout(args.from),
        layout: args.layout,
        encoding: args.encoding.options(),
        dry_run: args.dry_run,
        progress: Some(&progress),
    };
    let file = args.output.as_ref().unwrap_or(&args.file);
    let done = |report, console: &mut Console<'_>| match (&scratch, &output) {
        (Some(_), Some(repacked)) if !args.dry_run => {
            io::copy(&mut File::open(repacked)?, &mut console.out)?;
            Ok(Exit::Done)
        }
        _ => written::report(file, &[], report, !args.dry_run, overwritten, console),
    };
    match repack(&args.file, &options) {
        Ok(report) => done(report, console),
        Err(error) if args.from.is_none() && error.is_other_format() => {
            let report = rewritten(args, &options, error, &bar, console)?;
            done(report, console)
        }
        Err(error) if matches!(error.kind(), ErrorKind::Stopped | ErrorKind::NotDurable { .. }) => {
            Err(not_written(&error, &args.file, &bar))
        }
        Err(error)
            if matches!(error.kind(), ErrorKind::AmbiguousLayout { .. } | ErrorKind::WrongMagic { .. }) =>
        {
            // here, --layout is the layout of the new archive
            let message = Message::from(&error);
            let help = message.help.as_deref().map(|help| help.replace("--layout", "--from"));
            Err(Message { help, ..message }.into())
        }
        Err(error) => {
            refuse(error.problems(), &args.file, None, console)?;
            Ok(Exit::Failed)
        }
    }
}

/// Repacks a ZIP or a WAD; `no_pack` is the error for a file of another kind.
fn rewritten(
    args: &Repack,
    options: &RepackOptions<'_>,
    no_pack: pak_format::Error,
    bar: &Progress,
    console: &mut Console<'_>,
) -> Result<Report, Failure> {
    let file = &args.file;
    if args.layout.is_some() && by_position().open(file).is_ok() && !is_level(file) {
        let text = format!("{file}: --layout applies only to PACK archives");
        let line = command_line(["quakefs", "pak", "convert", file.as_str(), "-o", "new.pak"]);
        return Err(Message::new(text, format!("`{line}` makes a PACK archive")).into());
    }
    rewrite(file, options, args.encoding.level()).map_err(|error| match error.kind() {
        quakefs::ErrorKind::Pak(ErrorKind::UnknownMagic { .. } | ErrorKind::ShortHeader { .. }) => {
            refuse(&[no_pack], file, None, console).err().unwrap_or_else(|| error.into())
        }
        quakefs::ErrorKind::Pak(kind) => {
            let file = args.output.as_ref().unwrap_or(file);
            of_writing(kind, Message::from(&error), file, bar)
        }
        _ => not_opened(error, file),
    })
}

/// An entry to add, with its kind in a WAD.
struct NewEntry<'a> {
    name: String,
    source: Source<'a>,
    kind: Option<u8>,
}

pub(super) fn open<'a>(file: &Utf8Path, layout: Option<Layout>) -> Result<Editor<'a>, Failure> {
    Editor::open_with(file, layout).map_err(|error| not_opened(error, file))
}

/// Why an archive cannot be changed.
fn not_opened(error: quakefs::Error, file: &Utf8Path) -> Failure {
    if is_level(file) {
        let text = format!("{file}: the textures of a level cannot be changed");
        let line = command_line(["quakefs", "pak", "convert", file.as_str(), "-o", "textures.wad"]);
        return Message::new(text, format!("`{line}` makes a WAD of them")).into();
    }
    in_file(error, file).into()
}

/// The error with the file in it.
pub(super) fn in_file(error: quakefs::Error, file: &Utf8Path) -> quakefs::Error {
    if error.archive().is_none() && error.path().is_none() { error.in_archive(file.as_str()) } else { error }
}

fn is_level(file: &Utf8Path) -> bool {
    let found = by_position().open(file);
    found.is_ok_and(|found| WadContents::of(&found).is_some_and(|contents| contents.is_level()))
}

pub(super) fn commit(
    editor: Editor<'_>,
    file: &Utf8Path,
    changes: &[Change<'_>],
    dry_run: bool,
    bar: &Progress,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let report = if dry_run {
        Report::new(editor.len(), 0, 0)
    } else {
        let report = editor.commit(Some(&|done, all| bar.show(done, all)));
        report.map_err(|error| not_written(&error, file, bar))?
    };
    written::report(file, changes, report, !dry_run, None, console)
}

/// The advice for a name that exists already, if entries can be replaced.
const ADD: &str = "choose another name, or replace the entry with --overwrite";

/// Prints every problem, and fails if there is one.
pub(super) fn refuse(
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
            message = message.about(file);
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

/// Refuses to write an archive if entries cannot be read.
pub(super) fn refuse_unreadable(
    errors: impl Iterator<Item = quakefs::Error>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    match console.errors(errors) {
        Exit::Done => Ok(()),
        _ => Err(Message::without_help("nothing was written").into()),
    }
}

fn planned(
    files: &[CollectedFile],
    replaced: Option<u64>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    for file in files {
        let (name, path) = (file.name.clone(), with_slashes(&escape_path(&file.path)).into_owned());
        let line = Planned { name, from: None, path: Some(path), size: file.size, replaces: false };
        output::planned(&line, &printable(&file.name), console)?;
    }
    output::end_dry_run(files.len() as u64, replaced, console)?;
    Ok(Exit::Done)
}

/// Reports files that should have replaced an entry but did not, with entries of similar names.
fn warn_of_nothing_replaced(
    changes: &[Change<'_>],
    editor: &Editor<'_>,
    file: &Utf8Path,
    console: &mut Console<'_>,
) {
    const PRINTED: usize = 10;
    let last = |name: &[u8]| name.rsplit(|byte| *byte == b'/').next().map(<[u8]>::to_ascii_lowercase);
    let mut alike: HashMap<Vec<u8>, String> = HashMap::new();
    let new: HashSet<&[u8]> = changes.iter().map(|change| change.name.as_bytes()).collect();
    for name in editor.names().filter(|name| !new.contains(name.as_bytes())) {
        alike.entry(last(name.as_bytes()).unwrap_or_default()).or_insert_with(|| name.to_string());
    }
    let is_idle = changes.iter().all(|change| change.deed != Deed::Replaced);
    let mut printed = 0;
    for change in changes.iter().filter(|change| change.deed != Deed::Replaced) {
        let alike = last(change.name.as_bytes()).and_then(|name| alike.get(&name));
        if printed == PRINTED || (alike.is_none() && !is_idle) {
            continue;
        }
        printed += 1;
        let text = format!("{file}: {}: it replaces nothing: no entry has that name", change.name);
        console.warn(&match alike {
            Some(alike) => Message::new(
                text,
                format!(
                    "there is {alike}: name the file with --as, or use -C for the folder that names are \
                        relative to"
                ),
            ),
            None => Message::without_help(text),
        });
    }
}

/// Warns of levels without a folder, or if all files are inside one extra folder: no engine looks there.
fn warn_of_depth(files: &[CollectedFile], input: &Input, console: &mut Console<'_>) {
    let is_level = |name: &str| !name.contains('/') && ContentType::of(name.as_bytes()) == ContentType::Level;
    if let Some(level) = files.iter().map(|file| &*file.name).find(|name| is_level(name)) {
        let text = format!("{level} has no folder: engines look for levels in maps/");
        let name = command_line([&*format!("maps/{level}")]);
        console.warn(&Message::new(text, format!("`quakefs pak add` names it with --as {name}")));
    }
    let Some(folder) = folder_too_deep(files.iter().map(|file| &*file.name)) else { return };
    let below = files.first().and_then(|file| file.name.strip_prefix(folder)?.strip_prefix('/'));
    let below = below.unwrap_or_default();
    let text = format!(
        "all files are inside an extra folder {folder}/: an engine looks for {below}, not for \
            {folder}/{below}"
    );
    let root = input.root.as_ref().map_or_else(|| folder.into(), |root| root.join(folder));
    let below = input.paths.iter().map(|path| path.strip_prefix(folder).unwrap_or(".".into()).as_str());
    let below = below.map(|path| if path.is_empty() { "." } else { path });
    let words = command_line(["-C", root.as_str()].into_iter().chain(below));
    console.warn(&Message::new(text, format!("name it without that folder: {words}")));
}

/// Options that name the files for an archive and skip some.
fn collecting(archive: &Utf8Path, layout: Option<Layout>, all: bool) -> CollectOptions {
    let is_unwanted = if wad::is_wad(archive, layout) { is_unwanted_in_wad } else { is_unwanted };
    let archive = Some(archive.as_std_path().to_owned());
    CollectOptions { archive, skip: (!all).then_some(is_unwanted), ..CollectOptions::default() }
}

/// The same for a WAD: GoldSrc's textures that light a level have names like `~light`.
fn is_unwanted_in_wad(name: &str) -> bool {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    is_unwanted(&format!("{folder}/{}", file.trim_start_matches('~')))
}

impl Encoding {
    pub(super) fn options(&self) -> EncodeOptions {
        EncodeOptions::new().smallest(self.smallest).allow_overlap(self.allow_overlap)
    }

    /// The compression level of a ZIP.
    pub(super) fn level(&self) -> u32 {
        self.level.unwrap_or(6)
    }
}

/// Whether no game requests a file of this name: a saved game, or something that a system or a program left.
fn is_unwanted(name: &str) -> bool {
    ContentType::of(name.as_bytes()) == ContentType::Save
        || Leftover::of(name).is_some_and(|left| left != Leftover::Copy)
}
