//! `mount`: the merged tree as a folder that every program can open.

use serde::Serialize;
use std::fs;
use std::io;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use quakefs::Finding;
use quakefs::findings::FindingKind;
use quakefs::tree::{Counts, WithoutPath};
use quakefs_fuse::{MountError, View};

use crate::args::{GameArgs, Mount};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, counted};
use crate::progress::Progress;
use crate::text::{command_line, escaped, printable};

/// How many missing files are printed. The rest are counted.
const PRINTED: usize = 10;

/// How often to check for an interrupt.
const NAP: Duration = Duration::from_millis(50);

/// How often to check the archives for changes.
const LOOK: Duration = Duration::from_secs(1);

/// The folder, with what is in it.
#[derive(Serialize)]
struct MountedRow<'f> {
    path: &'f str,
    files: u64,
    bytes: u64,
    layers: bool,
}

/// The folder after the end.
#[derive(Serialize)]
struct UnmountedRow<'f> {
    path: &'f str,
    in_use: bool,
}

/// A winner that the folder cannot show.
#[derive(Serialize)]
struct NotShownRow {
    name: String,
    location: String,
    reason: String,
}

pub(crate) fn run(game: &GameArgs, args: &Mount, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.open(console)?.search_path;
    let unreachable = |finding: &&Finding| matches!(finding.kind, FindingKind::Unreachable(_));
    output::for_people(console, |console| {
        output::warn_of(console, search_path.findings().filter(unreachable));
        Ok(())
    })?;
    let layers = args.layers;
    let listed = Progress::of_time("the files are listed", console);
    let view = listed
        .attend(move |_| if layers { View::layers(search_path) } else { Ok(View::merged(search_path)) })??;
    let (counts, not_shown) = (view.counts(), view.not_shown().to_vec());
    // from now on an interrupt does not end the process
    let interrupted = (console.interrupts)();
    let folder = &args.folder;
    let made = make(folder)?;
    let mut mounted = quakefs_fuse::mount(view, folder).map_err(|error| {
        made.remove();
        refused(&error, folder)
    })?;
    report(&not_shown, console)?;
    tell("mounted", counts, args, console)?;
    let mut looked = Instant::now();
    while !interrupted.load(Ordering::Relaxed) && !mounted.is_gone() {
        thread::sleep(NAP);
        if looked.elapsed() < LOOK {
            continue;
        }
        match mounted.refresh() {
            Ok(None) => {}
            // a reader that closed the pipe is no reason to unmount
            Ok(Some(counts)) => tell("refreshed", counts, args, console).unwrap_or_default(),
            Err(error) => console.warn(&Message::from(&error)),
        }
        looked = Instant::now();
    }
    let in_use = mounted.unmount().map_err(|error| {
        let help = format!("`{}`", command_line(["umount", folder.as_str()]));
        Failure::from(Message::new(format!("{folder}: cannot be unmounted: {error}"), help))
    })?;
    made.remove();
    output::answer(console, "unmounted", [UnmountedRow { path: folder.as_str(), in_use }], |console| {
        Ok(writeln!(console.out, "unmounted {}", printable(folder.as_str()))?)
    })?;
    if in_use {
        console.warn(&Message::without_help(format!("{folder}: programs still had files open there")));
    }
    Ok(Exit::Done)
}

/// Prints the number of files in the folder.
fn tell(what: &'static str, counts: Counts, args: &Mount, console: &mut Console<'_>) -> Result<(), Failure> {
    let folder = args.folder.as_str();
    let row = MountedRow { path: folder, files: counts.files, bytes: counts.bytes, layers: args.layers };
    output::answer(console, what, [row], |console| {
        let (files, bytes) = (counted(counts.files, "file", "files"), output::bytes(counts.bytes));
        Ok(writeln!(console.out, "{what} {files} ({bytes}) at {}; Ctrl-C unmounts", printable(folder))?)
    })?;
    Ok(console.out.flush()?)
}

/// The folder that the command created for the mount, if it did.
struct CreatedFolder<'a>(Option<&'a Utf8Path>);

impl CreatedFolder<'_> {
    /// Removes the folder again. It is harmless if that fails.
    fn remove(&self) {
        if let Some(folder) = self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn make(folder: &Utf8Path) -> Result<CreatedFolder<'_>, Failure> {
    match fs::create_dir(folder) {
        Ok(()) => Ok(CreatedFolder(Some(folder))),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(CreatedFolder(None)),
        Err(error) => {
            let text = format!("{folder}: cannot create the folder: {error}");
            Err(Message::new(text, "name another folder").into())
        }
    }
}

/// Reports the winners that the folder cannot show.
fn report(not_shown: &[WithoutPath], console: &mut Console<'_>) -> Result<(), Failure> {
    let rows = not_shown.iter().map(|WithoutPath { file, because }| NotShownRow {
        name: escaped(file.name()),
        location: file.location().to_string(),
        reason: because.to_string(),
    });
    output::answer(console, "not-shown", rows, |console| {
        for WithoutPath { file, because } in not_shown.iter().take(PRINTED) {
            console.warn(&Message::without_help(format!("{}: not shown: {because}", file.location())));
        }
        if let Some(more @ 1..) = not_shown.len().checked_sub(PRINTED) {
            let files = counted(more as u64, "more file", "more files");
            console.warn(&Message::without_help(format!("{files}: not shown")));
        }
        Ok(())
    })
}

/// The message if the mount fails, with advice.
fn refused(error: &MountError, folder: &Utf8Path) -> Message {
    let cause = std::error::Error::source(error).map_or_else(String::new, |cause| format!(": {cause}"));
    let text = format!("{folder}: not mounted: {error}{cause}");
    match error {
        MountError::Folder(cause) if cause.kind() == io::ErrorKind::NotConnected => {
            let help = format!(
                "an earlier mount ended without unmounting: run `{}`, or as root `{}`",
                command_line(["fusermount3", "-u", folder.as_str()]),
                command_line(["umount", folder.as_str()])
            );
            Message::new(text, help)
        }
        MountError::NotEmpty => Message::new(text, "name an empty folder, or one that does not exist yet"),
        MountError::Overlaps { .. } => Message::new(text, "name a folder outside of the game directories"),
        MountError::NoDevice => Message::new(text, "`modprobe fuse`; a container needs access to /dev/fuse"),
        MountError::NoFusermount => Message::new(text, "install the package fuse3"),
        MountError::Refused(cause) if cause.kind() == io::ErrorKind::PermissionDenied => Message::new(
            text,
            "install the package fuse3, or check the permissions of /dev/fuse and of the folder",
        ),
        _ => Message::without_help(text),
    }
}
