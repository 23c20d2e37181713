//! Extracts files to a folder, and prints the progress and the result.

use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use camino::Utf8Path;
use quakefs::findings::NoPath;
use quakefs::pak_format::EntryNameBuf;
use quakefs::tree::WithoutPath;
use quakefs::{Error, ErrorKind, File};
use quakefs_extract::{Existing, ExtractOptions, ExtractPlan, ExtractSink, NotWritten, Outcome, PlannedFile};

use crate::args::Writing;
use crate::changes::{Change, Deed, print_changes};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Planned};
use crate::progress::Progress;
use crate::text::{SHELL, escaped, printable};
use crate::words::TooMuchWritten;

/// Writes files below a folder, and prints the result.
pub(crate) fn extract(
    plan: &ExtractPlan,
    folder: &Utf8Path,
    writing: &Writing,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let progress = Progress::of_files(console);
    progress.begin(plan.files().len() as u64);
    let exit = extract_part(plan, folder, writing, &writing.options(), &progress, console)?;
    if exit == Exit::Failed && progress.is_interrupted() {
        return Err(interrupted(&progress).into());
    }
    Ok(exit)
}

/// The message after an interrupt.
pub(crate) fn interrupted(progress: &Progress) -> Message {
    Message::new(progress.interrupted(), "continue with --skip-existing")
}

/// Extracts files as a part of longer work. The caller reports an interrupt.
pub(crate) fn extract_part(
    plan: &ExtractPlan,
    folder: &Utf8Path,
    writing: &Writing,
    options: &ExtractOptions,
    progress: &Progress,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    plan.check(options).map_err(|error| refused(&error, folder, writing))?;
    let mut errors = Errors::default();
    let without_path: Vec<_> = plan
        .without_path()
        .iter()
        .filter_map(|file| report_without_path(file, &mut errors, console))
        .collect();
    if writing.dry_run {
        return print_plan(plan, folder, writing, errors, without_path.is_empty(), console);
    }
    let sink = Sink { progress, outcomes: Mutex::default() };
    let extracted = plan.write(folder, options, &sink).map_err(|error| refused(&error, folder, writing))?;
    let mut outcomes = sink.outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.aside(console, |console| {
        let mut lines = Vec::new();
        let mut names = Vec::new();
        for (file, message) in without_path {
            lines.push((file, None, false, Some(message)));
        }
        for planned in plan.files() {
            let Some(outcome) = outcomes.remove(&planned.path) else { continue };
            let (size, replaced, message) = match outcome {
                Outcome::Written { bytes, replaced } => {
                    names.extend(replaced.then(|| planned.path.as_name().to_string()));
                    (Some(bytes), replaced, None)
                }
                Outcome::Failed(why) => {
                    let message = not_written(&why, planned, folder);
                    errors.report(group_of(&why), &message, console);
                    (None, false, Some(message))
                }
                _ => (None, false, None),
            };
            lines.push((&planned.file, size, replaced, message));
        }
        errors.count_rest(console);
        let failed = lines.iter().filter(|(_, _, _, message)| message.is_some()).count() as u64;
        let rows = lines.iter().map(|(file, size, replaced, message)| ExtractedRow {
            name: escaped(file.name()),
            from: file.location().to_string(),
            written: size.is_some(),
            size: *size,
            replaced: *replaced,
            error: message.as_ref().map(|message| &*message.text),
        });
        let printed = output::answer(console, "extracted", rows, |console| {
            let change = |name| Change { name, deed: Deed::Replaced };
            print_changes(&names.iter().map(|name| change(name)).collect::<Vec<_>>(), true, console)?;
            summarise(&extracted, failed, folder, console)
        });
        let done = format!("{folder}: the files were written");
        match console.after(if extracted.written > 0 { &done } else { "" }, printed) {
            // a file that was not written is a failure, even after the reader of the output closed the pipe
            Ok(()) | Err(Failure::ClosedPipe) if failed > 0 || extracted.stopped => Ok(Exit::Failed),
            Ok(()) => Ok(Exit::Done),
            Err(failure) => Err(failure),
        }
    })
}

/// Prints the first errors of each group, and counts the rest.
#[derive(Default)]
struct Errors(BTreeMap<String, usize>);

impl Errors {
    const PRINTED: usize = 20;

    fn report(&mut self, group: String, message: &Message, console: &mut Console<'_>) {
        let count = self.0.entry(group).or_default();
        *count += 1;
        if *count <= Self::PRINTED {
            console.error(message);
        }
    }

    /// Prints how many errors were not printed.
    fn count_rest(self, console: &mut Console<'_>) {
        for (group, count) in self.0 {
            if let Some(more @ 1..) = count.checked_sub(Self::PRINTED) {
                let files = output::counted(more as u64, "more file", "more files");
                console.error(&Message::without_help(format!("{files}: not written: {group}")));
            }
        }
    }
}

/// The group of an error: its reason without the file name.
fn group_of(why: &NotWritten) -> String {
    match why {
        NotWritten::Read(_) => "the entry cannot be read".to_owned(),
        NotWritten::Write(error) => error.reason(),
        _ => why.to_string(),
    }
}

/// Collects the outcome of each file, by path.
struct Sink<'p> {
    progress: &'p Progress,
    outcomes: Mutex<HashMap<EntryNameBuf, Outcome>>,
}

impl ExtractSink for Sink<'_> {
    fn file(&self, file: &PlannedFile, outcome: &Outcome) {
        let _ = self.progress.advance(1);
        let mut outcomes = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        outcomes.insert(file.path.clone(), outcome.clone());
    }

    fn go_on(&self) -> bool {
        self.progress.advance(0).is_continue()
    }
}

impl Writing {
    /// Whether existing files may be replaced or skipped.
    pub(crate) fn replaces(&self) -> bool {
        self.existing() != Existing::Refuse
    }

    pub(crate) fn options(&self) -> ExtractOptions {
        ExtractOptions { existing: self.existing(), max_output: self.limit, ..ExtractOptions::default() }
    }

    fn existing(&self) -> Existing {
        match (self.overwrite, self.skip_existing) {
            (true, _) => Existing::Overwrite,
            (false, true) => Existing::Skip,
            (false, false) => Existing::Refuse,
        }
    }
}

/// The message if the whole extraction is refused.
pub(crate) fn refused(error: &Error, folder: &Utf8Path, writing: &Writing) -> Message {
    match error.kind() {
        ErrorKind::TooManyBytes { claimed, source_size, .. } => {
            let (claimed, source_size) = (*claimed, *source_size);
            Message::of(&TooMuchWritten { claimed, source_size, limit: writing.limit }, SHELL)
        }
        ErrorKind::Io { .. } => {
            let text = format!("{folder}: cannot create the folder: {}", error.reason());
            Message::new(text, "name another folder with -o")
        }
        _ => Message::from(error),
    }
}

/// Reports a skipped file, and returns it with its message unless another file takes its path.
fn report_without_path<'p>(
    without_path: &'p WithoutPath,
    errors: &mut Errors,
    console: &mut Console<'_>,
) -> Option<(&'p File<'static>, Message)> {
    let WithoutPath { file, because } = without_path;
    let text = format!("{}: not written: {because}", file.location());
    let message = Message::without_help(text);
    if let NoPath::SamePath { .. } = because {
        console.warn(&message);
        return None;
    }
    errors.report(because.to_string(), &message, console);
    Some((file, message))
}

fn not_written(why: &NotWritten, planned: &PlannedFile, folder: &Utf8Path) -> Message {
    let path = folder.join(planned.path.as_name().to_string());
    match why {
        // the error names its entry
        NotWritten::Read(error) => Message::from(error),
        NotWritten::AlreadyThere => Message::new(
            format!("{path}: not written: {why}"),
            "replace such files with --overwrite, or keep them with --skip-existing",
        ),
        NotWritten::Write(error) => {
            let path = error.path().unwrap_or(&path);
            Message::without_help(format!("{path}: not written: {}", error.reason()))
        }
        why => Message::without_help(format!("{path}: not written: {why}")),
    }
}

/// Lists what would be written. Existing files are only checked with `--overwrite`, and no content is read.
fn print_plan(
    plan: &ExtractPlan,
    folder: &Utf8Path,
    writing: &Writing,
    mut errors: Errors,
    mut is_whole: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut planned = 0;
    for PlannedFile { file, path, .. } in plan.files() {
        let path = path.as_name();
        if let Err(error) = file.check() {
            errors.report(group_of(&NotWritten::Read(error.clone())), &Message::from(&error), console);
            is_whole = false;
            continue;
        }
        planned += 1;
        let line = Planned {
            name: escaped(file.name()),
            from: Some(file.location().to_string()),
            path: Some(escaped(path)),
            size: file.size(),
            replaces: writing.overwrite && folder.join(path.to_string()).is_file(),
        };
        output::planned(&line, &path.to_string(), console)?;
    }
    errors.count_rest(console);
    output::end_dry_run(planned, None, console)?;
    Ok(if is_whole { Exit::Done } else { Exit::Failed })
}

/// A file of an extraction.
#[derive(Serialize)]
struct ExtractedRow<'e> {
    name: String,
    from: String,
    written: bool,
    size: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replaced: bool,
    error: Option<&'e str>,
}

fn summarise(
    extracted: &quakefs_extract::Extracted,
    failed: u64,
    folder: &Utf8Path,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let files = |count| output::counted(count, "file", "files");
    let (written, bytes) = (files(extracted.written), output::bytes(extracted.bytes));
    write!(console.out, "wrote {written} ({bytes}) to {}", printable(folder.as_str()))?;
    if extracted.replaced > 0 {
        write!(console.out, "; replaced {}", files(extracted.replaced))?;
    }
    if extracted.kept > 0 {
        let were = if extracted.kept == 1 { "was" } else { "were" };
        write!(console.out, "; {} {were} there already", files(extracted.kept))?;
    }
    if failed > 0 {
        write!(console.out, "; {} could not be written", files(failed))?;
    }
    writeln!(console.out)?;
    Ok(())
}
