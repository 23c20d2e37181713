//! `pak edit`: an entry in the user's editor.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;

use camino::Utf8Path;
use pak_format::Source;
use quakefs::{Archive, EntryName, Layer};
use quakefs_archives::WadContents;
use quakefs_extract::ExtractPlan;

use super::write::{commit, in_file, nothing_matches, open, refuse};
use crate::args::{Edit as Args, by_position, name_bytes};
use crate::changes::{Change, Deed};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::progress::Progress;
use crate::scratch::Scratch;
use crate::text::{command_line, printable};

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (file, name) = (&args.file, name_bytes(&args.name));
    let archive = opened(args)?;
    let Some(before) = stored(&archive, args, &name)? else {
        let names = || archive.entries().map(|entry| entry.name());
        console.error(&nothing_matches(EntryName::from_bytes(&name), names, file, args.layout));
        return Ok(Exit::NotFound);
    };
    drop(archive);
    let editor = editor(console)?;
    // fails before the work if the archive cannot be changed
    drop(open(file, args.layout)?);
    let scratch = Scratch::new(console)?;
    let path = scratch.join(write(args, &name, &before, &scratch)?);
    // Ctrl-C is the editor's
    (console.interrupts)();
    let ended = start(&editor, &path);
    (console.uncaught)();
    if let Err(why) = ended {
        let text = format!("{}: {why}; nothing was written", editor.to_string_lossy());
        let help = "correct the variable VISUAL or EDITOR, such as EDITOR=nano";
        let message = Message::new(text, help);
        // an editor that crashes may have saved before
        let is_changed = std::fs::read(&path).is_ok_and(|after| after != before);
        return Err(if is_changed { kept(message, scratch, &path) } else { message }.into());
    }
    let after = std::fs::read(&path).map_err(|error| {
        Message::without_help(format!("the editor left no file: {error}; nothing was written"))
    })?;
    if after == before {
        return said_unchanged(file, &name, console);
    }
    // from here on the user's text must not be lost
    replace(args, &name, &before, after, console).map_err(|failure| match failure {
        Failure::Error(message) => kept(message, scratch, &path).into(),
        Failure::ClosedPipe => Failure::ClosedPipe,
    })
}

/// The message with the path of the user's text, which stays.
fn kept(message: Message, scratch: Scratch, path: &Utf8Path) -> Message {
    scratch.keep();
    Message { text: format!("{}; your text is in {path}", message.text), ..message }
}

/// The content of the entry; `None` if there is none of this name.
fn stored(archive: &Archive, args: &Args, name: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    if WadContents::of(archive).is_some() {
        let text = format!("{}: a WAD contains pictures, which an editor of texts would damage", args.file);
        let line = command_line(["quakefs", "pak", "extract", args.file.as_str()]);
        return Err(
            Message::new(text, format!("`{line}` writes them as PNG, and `pak add` puts them back")).into()
        );
    }
    let Some(entry) = archive.find(name) else { return Ok(None) };
    let content = entry.read().map_err(|error| in_file(error, &args.file))?;
    Ok(Some(content.to_vec()))
}

fn opened(args: &Args) -> Result<Archive, Failure> {
    let opened = by_position().layout(args.layout).open(&args.file);
    Ok(opened.map_err(|error| in_file(error, &args.file))?)
}

/// Writes the content of the entry to the folder, under a name that this system permits, and returns the
/// name.
fn write(args: &Args, name: &[u8], content: &[u8], folder: &Scratch) -> Result<String, Failure> {
    let archive = opened(args)?;
    let number = archive.find(name).map(|entry| entry.index());
    let layer = Layer::of_archive(args.file.as_str(), archive);
    let entry = number.and_then(|number| Some(layer.file(number)?.into_owned()));
    let plan = ExtractPlan::flat(folder.path(), entry);
    let planned = plan.files().first().map(|planned| planned.path.as_name().to_string());
    let planned = planned.ok_or_else(|| {
        let text = format!("{}: the name is not one of a file", EntryName::from_bytes(name));
        Message::new(text, "rename it with `quakefs pak rename`")
    })?;
    let path = folder.join(&planned);
    std::fs::write(&path, content).map_err(|error| {
        let text = format!("{path}: write failed: {error}; nothing was edited");
        Message::new(text, "make room in the folder for temporary files, or name another one with TMPDIR")
    })?;
    Ok(planned)
}

/// The program of the user, and its options.
fn editor(console: &Console<'_>) -> Result<std::ffi::OsString, Failure> {
    let usual = cfg!(windows).then(|| "notepad".into());
    console.environment.editor.clone().or(usual).ok_or_else(|| {
        Message::new("no editor is chosen", "set the variable EDITOR, such as EDITOR=nano").into()
    })
}

/// Starts the editor and waits for its end.
fn start(editor: &OsStr, file: &Utf8Path) -> Result<(), String> {
    let words = words(editor).ok_or("the quotes in it do not match")?;
    let (program, options) = words.split_first().ok_or("it names no program")?;
    let ended = Command::new(program).args(options).arg(file).status();
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the editor failed ({status})")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err("no such program".to_owned()),
        Err(error) => Err(format!("cannot be started: {error}")),
    }
}

/// The program and the options of a variable. A path with spaces needs no quotes if it is the whole text.
fn words(editor: &OsStr) -> Option<Vec<String>> {
    let text = editor.to_str()?;
    if Path::new(text).is_file() {
        return Some(vec![text.to_owned()]);
    }
    // a backslash separates folders on Windows, and escapes elsewhere
    let text = if cfg!(windows) { text.replace('\\', "\\\\") } else { text.to_owned() };
    shlex::split(&text)
}

fn said_unchanged(file: &Utf8Path, name: &[u8], console: &mut Console<'_>) -> Result<Exit, Failure> {
    output::for_people(console, |console| {
        let name = EntryName::from_bytes(name);
        Ok(writeln!(console.out, "{}: {name} is unchanged; nothing was written", printable(file.as_str()))?)
    })?;
    Ok(Exit::Done)
}

/// Replaces the entry, unless somebody else changed it in the meantime.
fn replace(
    args: &Args,
    name: &[u8],
    before: &[u8],
    after: Vec<u8>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    if stored(&opened(args)?, args, name)?.is_none_or(|now| now != before) {
        let text = format!("{file}: {} was changed in the meantime", EntryName::from_bytes(name));
        return Err(Message::new(text, "edit it again").into());
    }
    let problems = editor.replace(name, Source::bytes(after)).err();
    refuse(problems.as_slice(), file, None, console)?;
    refuse(&editor.check(), file, None, console)?;
    let shown = EntryName::from_bytes(name).to_string();
    let changes = [Change { name: &shown, deed: Deed::Replaced }];
    commit(editor, file, &changes, false, &Progress::of_bytes(console), console)
}
