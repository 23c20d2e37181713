//! Writing many files below a folder: nowhere else, each whole or not at all, on all cores.
//!
//! What a name may become is [`EntryName::to_disk_path`]'s to say. Everything is planned before the first byte is
//! written: what lands where, what cannot, and how much it is.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use atomic_file::{AtomicFile, Options};
use quakefs::{EntryName, FileData};
use serde::Serialize;

use crate::args::Output;
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::progress::Progress;
use crate::text::{escaped, printable};

/// The sum of all files from which on it must be in proportion to the archives.
const LARGE: u64 = 1 << 30;
/// Bytes that a byte of the archives may become, in a large extraction.
const PROPORTION: u64 = 100;
/// Files that a thread takes at once: neighbours share a folder, and a folder is best left to one thread.
const BATCH: usize = 64;

/// A file to write.
pub(crate) struct File<'a> {
    pub(crate) name: EntryName<'a>,
    /// For messages: where it comes from.
    pub(crate) label: String,
    pub(crate) size: u64,
}

/// Everything that is to be written.
pub(crate) struct Extraction<'a> {
    /// In the order of precedence: where two land on one path, the first is written, but one whose name is that
    /// path comes before one whose name becomes it.
    pub(crate) files: Vec<File<'a>>,
    /// Reads the content of a file by its number.
    pub(crate) read: &'a (dyn Fn(usize) -> Result<FileData, Message> + Sync),
    /// Bytes in the archives that they come from.
    pub(crate) source_size: u64,
}

/// What became of a file.
enum Outcome {
    Written(u64),
    /// It was there, and stays.
    Kept,
    Failed(Message),
}

#[derive(Serialize)]
struct JsonExtracted<'a> {
    name: String,
    from: &'a str,
    written: bool,
    size: Option<u64>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonPlanned<'a> {
    name: String,
    from: &'a str,
    path: String,
    size: u64,
}

/// A file's number and its path below the folder.
struct Job {
    file: usize,
    path: Vec<u8>,
}

impl Extraction<'_> {
    pub(crate) fn run(
        &self,
        output: &Output,
        json: bool,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        let mut outcomes: BTreeMap<usize, Outcome> = BTreeMap::new();
        let jobs = self.plan(&mut outcomes, console);
        self.check_size(&jobs, output)?;
        if output.dry_run {
            return self.print_plan(&jobs, &outcomes, json, console);
        }
        let root = output.folder.as_std_path();
        std::fs::create_dir_all(root).map_err(|error| {
            Message::new(
                format!("{}: cannot be made a folder: {error}", output.folder),
                "name another folder with -o",
            )
        })?;
        let progress = Progress::of_files(console);
        let jobs = self.make_folders(root, jobs, &mut outcomes);
        outcomes.extend(self.write_all(root, &jobs, output, &progress));
        let mut failed = false;
        for outcome in outcomes.values() {
            if let Outcome::Failed(message) = outcome {
                console.error(message);
                failed = true;
            }
        }
        if progress.is_interrupted() {
            console.error(&Message::new(
                "interrupted: not every file was written",
                "go on with --skip-existing",
            ));
            failed = true;
        }
        match self.summarise(&outcomes, output, json, console) {
            // what was not written stays so, whoever reads on
            Ok(()) | Err(Failure::ClosedPipe) if failed => Ok(Exit::Failed),
            Ok(()) => Ok(Exit::Done),
            Err(failure) => Err(failure),
        }
    }

    /// What would be written, and what could not be; what is in the folder already is not looked at.
    fn print_plan(
        &self,
        jobs: &[Job],
        outcomes: &BTreeMap<usize, Outcome>,
        json: bool,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        for outcome in outcomes.values() {
            if let Outcome::Failed(message) = outcome {
                console.error(message);
            }
        }
        for (job, file) in jobs.iter().filter_map(|job| Some((job, self.files.get(job.file)?))) {
            let path = EntryName::from_bytes(&job.path);
            if json {
                let (name, path) = (escaped(file.name), escaped(path));
                let line = JsonPlanned { name, from: &file.label, path, size: file.size };
                output::json(console, "planned", &line)?;
            } else {
                writeln!(console.out, "{:>13}  {path}", output::grouped(file.size))?;
            }
        }
        if !json {
            let count = output::grouped(jobs.len() as u64);
            writeln!(console.out, "nothing was written: files that would be: {count}")?;
        }
        Ok(if outcomes.is_empty() { Exit::Done } else { Exit::Failed })
    }

    /// Gives each path to one file, in byte order.
    fn plan(&self, outcomes: &mut BTreeMap<usize, Outcome>, console: &mut Console<'_>) -> Vec<Job> {
        let mut by_path: HashMap<Vec<u8>, usize> = HashMap::with_capacity(self.files.len());
        for (number, file) in self.files.iter().enumerate() {
            let path = match file.name.to_disk_path() {
                Ok(path) => path,
                Err(fault) => {
                    let message = format!("{}: not written: {fault}", file.label);
                    outcomes.insert(number, Outcome::Failed(Message::without_help(message)));
                    continue;
                }
            };
            let exact =
                |number: usize| self.files.get(number).is_some_and(|file| file.name.as_bytes() == &*path);
            match by_path.get_mut(&*path) {
                None => {
                    by_path.insert(path.into_owned(), number);
                }
                Some(first) => {
                    let loser = if exact(number) && !exact(*first) {
                        std::mem::replace(first, number)
                    } else {
                        number
                    };
                    let message =
                        format!("{}: not written: {} lands there", self.label(loser), self.label(*first));
                    console.warn(&Message::without_help(message));
                }
            }
        }
        let mut jobs: Vec<_> = by_path.into_iter().map(|(path, file)| Job { file, path }).collect();
        self.drop_files_that_are_folders(&mut jobs, outcomes);
        jobs.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        jobs
    }

    /// `a` and `a/b` cannot both be on a disk: the first stays.
    fn drop_files_that_are_folders(&self, jobs: &mut Vec<Job>, outcomes: &mut BTreeMap<usize, Outcome>) {
        jobs.sort_unstable_by_key(|job| job.file);
        let mut files: HashMap<&[u8], usize> = HashMap::with_capacity(jobs.len());
        let mut folders: HashMap<&[u8], usize> = HashMap::new();
        let mut dropped = HashSet::new();
        for Job { file, path } in &*jobs {
            let clash = folders.get(&**path).or_else(|| parents(path).find_map(|folder| files.get(folder)));
            if let Some(&winner) = clash {
                let message = format!(
                    "{}: not written: {} is written, and a path cannot be a file and a folder",
                    self.label(*file),
                    self.label(winner)
                );
                outcomes.insert(*file, Outcome::Failed(Message::without_help(message)));
                dropped.insert(*file);
                continue;
            }
            files.insert(path, *file);
            for folder in parents(path) {
                folders.entry(folder).or_insert(*file);
            }
        }
        jobs.retain(|job| !dropped.contains(&job.file));
    }

    fn label(&self, number: usize) -> &str {
        self.files.get(number).map_or("", |file| &file.label)
    }

    /// Refuses what no honest archive holds, before anything is written.
    fn check_size(&self, jobs: &[Job], output: &Output) -> Result<(), Failure> {
        let sum: u64 = jobs.iter().filter_map(|job| self.files.get(job.file)).map(|file| file.size).sum();
        let (limit, reason) = match output.max_output {
            Some(limit) => (limit, format!("--max-output is {}", output::bytes(limit))),
            None => (
                LARGE.max(self.source_size.saturating_mul(PROPORTION)),
                format!("the archives are {}", output::bytes(self.source_size)),
            ),
        };
        if sum <= limit {
            return Ok(());
        }
        Err(Message::new(
            format!("nothing was written: the files claim {}, and {reason}", output::bytes(sum)),
            "allow so much by --max-output, or extract less by a pattern",
        )
        .into())
    }

    /// Makes every folder, and drops the jobs of those that cannot be.
    fn make_folders(&self, root: &Path, jobs: Vec<Job>, outcomes: &mut BTreeMap<usize, Outcome>) -> Vec<Job> {
        let folders: BTreeSet<&[u8]> = jobs.iter().flat_map(|job| parents(&job.path)).collect();
        let mut refused: HashMap<Vec<u8>, String> = HashMap::new();
        // byte order makes a folder before what is in it
        for folder in folders {
            if let Some(reason) = parents(folder).find_map(|parent| refused.get(parent).cloned()) {
                refused.insert(folder.to_vec(), reason);
            } else if let Err(reason) = make_folder(root, folder) {
                refused.insert(folder.to_vec(), reason);
            }
        }
        let (fine, failed): (Vec<_>, Vec<_>) =
            jobs.into_iter().partition(|job| !parents(&job.path).any(|folder| refused.contains_key(folder)));
        for Job { file, path } in failed {
            let reason = parents(&path).find_map(|folder| refused.get(folder)).cloned().unwrap_or_default();
            let message = format!("{}: not written: {reason}", self.label(file));
            outcomes.insert(file, Outcome::Failed(Message::without_help(message)));
        }
        fine
    }

    fn write_all(
        &self,
        root: &Path,
        jobs: &[Job],
        output: &Output,
        progress: &Progress,
    ) -> Vec<(usize, Outcome)> {
        let batches: Vec<&[Job]> = jobs.chunks(BATCH).collect();
        let next = AtomicUsize::new(0);
        let done = AtomicUsize::new(0);
        let work = || {
            let mut outcomes = Vec::new();
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let wanted = batch.iter().take_while(|_| !progress.is_interrupted());
                outcomes.extend(wanted.map(|job| (job.file, self.write(root, job, output))));
                let files = done.fetch_add(batch.len(), Ordering::Relaxed) + batch.len();
                let _ = progress.show(files as u64, jobs.len() as u64);
            }
            outcomes
        };
        let threads =
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(batches.len());
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut outcomes = work();
            for other in others {
                // a thread that panics is a defect, and its panic goes on here
                outcomes.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            outcomes
        })
    }

    fn write(&self, root: &Path, job: &Job, output: &Output) -> Outcome {
        let target = on_disk(root, &job.path);
        let is_folder = || target.symlink_metadata().is_ok_and(|found| found.is_dir());
        if output.skip_existing && target.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            return Outcome::Kept;
        }
        let content = match (self.read)(job.file) {
            Ok(content) => content,
            Err(message) => return Outcome::Failed(message),
        };
        match write_whole(&target, &content, output.overwrite) {
            Ok(()) => Outcome::Written(content.len() as u64),
            Err(_) if is_folder() => {
                let message = format!("{}: not written: a folder is there", shown(root, &job.path));
                Outcome::Failed(Message::without_help(message))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && output.skip_existing => {
                Outcome::Kept
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Outcome::Failed(Message::new(
                format!("{}: not written: the file is there already", shown(root, &job.path)),
                "replace such files with --overwrite, or leave them with --skip-existing",
            )),
            Err(error) => {
                let message = format!("{}: not written: {error}", shown(root, &job.path));
                Outcome::Failed(Message::without_help(message))
            }
        }
    }

    fn summarise(
        &self,
        outcomes: &BTreeMap<usize, Outcome>,
        output: &Output,
        json: bool,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let (mut written, mut size, mut kept, mut failed) = (0_u64, 0, 0_u64, 0_u64);
        for (&number, outcome) in outcomes {
            let (bytes, error) = match outcome {
                Outcome::Written(bytes) => {
                    written += 1;
                    size += bytes;
                    (Some(*bytes), None)
                }
                Outcome::Kept => {
                    kept += 1;
                    (None, None)
                }
                Outcome::Failed(message) => {
                    failed += 1;
                    (None, Some(message.text.as_str()))
                }
            };
            if let (true, Some(file)) = (json, self.files.get(number)) {
                let line = JsonExtracted {
                    name: escaped(file.name),
                    from: &file.label,
                    written: bytes.is_some(),
                    size: bytes,
                    error,
                };
                output::json(console, "extracted", &line)?;
            }
        }
        if json {
            return Ok(());
        }
        let files = |count: u64| output::counted(count, "file", "files");
        let folder = printable(output.folder.as_str());
        write!(console.out, "wrote {} ({}) to {folder}", files(written), output::bytes(size))?;
        if kept > 0 {
            write!(
                console.out,
                "; {} {} there already",
                files(kept),
                if kept == 1 { "was" } else { "were" }
            )?;
        }
        if failed > 0 {
            write!(console.out, "; {} could not be written", files(failed))?;
        }
        writeln!(console.out)?;
        Ok(())
    }
}

/// The folders that a path is in, from the outermost.
fn parents(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.filter_map(|(place, _)| path.get(..place))
}

/// Makes one folder, whose parent is there; one that is there may be no link.
fn make_folder(root: &Path, folder: &[u8]) -> Result<(), String> {
    let path = on_disk(root, folder);
    let shown = || shown(root, folder);
    match std::fs::create_dir(&path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match path.symlink_metadata() {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(found) if found.is_symlink() => {
                Err(format!("{} is a symbolic link, and is not followed", shown()))
            }
            Ok(_) => Err(format!("{} is not a folder", shown())),
            Err(error) => Err(format!("{}: {error}", shown())),
        },
        Err(error) => Err(format!("{}: {error}", shown())),
    }
}

/// Writes a file beside its place and moves it there. A killed process leaves no half of a file; the disk's own
/// cache is not flushed, since what was extracted can be extracted again.
fn write_whole(target: &Path, content: &[u8], overwrite: bool) -> io::Result<()> {
    let options = Options::new().replace(overwrite).durable(false).follow_links(false);
    let mut file = AtomicFile::create(target, &options)?;
    file.write_all(content)?;
    file.commit().map_err(|error| error.into_cause())
}

fn on_disk(root: &Path, relative: &[u8]) -> PathBuf {
    root.join(os_name(relative))
}

/// A path for messages, its name as names are printed.
fn shown(root: &Path, relative: &[u8]) -> String {
    root.join(EntryName::from_bytes(relative).to_string()).display().to_string()
}

#[cfg(unix)]
fn os_name(name: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(name.to_vec())
}

/// Names are text here: what is not is spelled.
#[cfg(not(unix))]
fn os_name(name: &[u8]) -> OsString {
    pak_format::name::escape(name).replace('\\', "_").into()
}
