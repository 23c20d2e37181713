//! Writing many files below a folder: nowhere else, each whole or not at all, on all cores.
//!
//! What a name may become is [`EntryName::to_disk_path`]'s to say. Everything is planned before the first byte is
//! written: what lands where, what cannot, and how much it is.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quakefs::{EntryName, FileData};
use serde::Serialize;

use crate::args::Into;
use crate::console::{Console, Exit, Failure, Told};
use crate::output;
use crate::temporary::temporary_in;

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
    pub(crate) read: &'a (dyn Fn(usize) -> Result<FileData, Told> + Sync),
    /// Bytes in the archives that they come from.
    pub(crate) source_size: u64,
}

/// What became of a file.
enum Fate {
    Written(u64),
    /// It was there, and stays.
    Kept,
    Failed(Told),
}

#[derive(Serialize)]
struct JsonFate<'a> {
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
    pub(crate) fn run(&self, into: &Into, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
        let mut fates: BTreeMap<usize, Fate> = BTreeMap::new();
        let jobs = self.plan(&mut fates, console);
        self.check_size(&jobs, into)?;
        if into.dry_run {
            return self.tell_plan(&jobs, &fates, json, console);
        }
        let root = into.output.as_std_path();
        std::fs::create_dir_all(root).map_err(|error| {
            Told::new(
                format!("{}: cannot be made a folder: {error}", into.output),
                "name another folder with -o",
            )
        })?;
        let interrupted = (console.interrupts)();
        let jobs = self.make_folders(root, jobs, &mut fates);
        fates.extend(self.write_all(root, &jobs, into, interrupted, console.progress));
        let mut failed = false;
        for fate in fates.values() {
            if let Fate::Failed(told) = fate {
                console.error(told);
                failed = true;
            }
        }
        if interrupted.load(Ordering::Relaxed) {
            console
                .error(&Told::new("interrupted: not every file was written", "go on with --skip-existing"));
            failed = true;
        }
        match self.summarise(&fates, into, json, console) {
            // what was not written stays so, whoever reads on
            Ok(()) | Err(Failure::ClosedPipe) if failed => Ok(Exit::Failed),
            Ok(()) => Ok(Exit::Done),
            Err(failure) => Err(failure),
        }
    }

    /// What would be written, and what could not be; what is in the folder already is not looked at.
    fn tell_plan(
        &self,
        jobs: &[Job],
        fates: &BTreeMap<usize, Fate>,
        json: bool,
        console: &mut Console<'_>,
    ) -> Result<Exit, Failure> {
        for fate in fates.values() {
            if let Fate::Failed(told) = fate {
                console.error(told);
            }
        }
        for (job, file) in jobs.iter().filter_map(|job| Some((job, self.files.get(job.file)?))) {
            let path = EntryName::from_bytes(&job.path);
            if json {
                let (name, path) = (output::spelled(file.name), output::spelled(path));
                output::json(console, &JsonPlanned { name, from: &file.label, path, size: file.size })?;
            } else {
                writeln!(console.out, "{:>13}  {path}", output::grouped(file.size))?;
            }
        }
        if !json {
            let count = output::grouped(jobs.len() as u64);
            writeln!(console.out, "nothing was written: files that would be: {count}")?;
        }
        Ok(if fates.is_empty() { Exit::Done } else { Exit::Failed })
    }

    /// Gives each path to one file, in byte order.
    fn plan(&self, fates: &mut BTreeMap<usize, Fate>, console: &mut Console<'_>) -> Vec<Job> {
        let mut by_path: HashMap<Vec<u8>, usize> = HashMap::with_capacity(self.files.len());
        for (number, file) in self.files.iter().enumerate() {
            let path = match file.name.to_disk_path() {
                Ok(path) => path,
                Err(fault) => {
                    let message = format!("{}: not written: {fault}", file.label);
                    fates.insert(number, Fate::Failed(Told { message, help: None }));
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
                    console.warn(message, None);
                }
            }
        }
        let mut jobs: Vec<_> = by_path.into_iter().map(|(path, file)| Job { file, path }).collect();
        self.drop_files_that_are_folders(&mut jobs, fates);
        jobs.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        jobs
    }

    /// `a` and `a/b` cannot both be on a disk: the first stays.
    fn drop_files_that_are_folders(&self, jobs: &mut Vec<Job>, fates: &mut BTreeMap<usize, Fate>) {
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
                fates.insert(*file, Fate::Failed(Told { message, help: None }));
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
    fn check_size(&self, jobs: &[Job], into: &Into) -> Result<(), Failure> {
        let sum: u64 = jobs.iter().filter_map(|job| self.files.get(job.file)).map(|file| file.size).sum();
        let (limit, reason) = match into.max_output {
            Some(limit) => (limit, format!("--max-output is {}", output::bytes(limit))),
            None => (
                LARGE.max(self.source_size.saturating_mul(PROPORTION)),
                format!("the archives are {}", output::bytes(self.source_size)),
            ),
        };
        if sum <= limit {
            return Ok(());
        }
        Err(Told::new(
            format!("nothing was written: the files claim {}, and {reason}", output::bytes(sum)),
            "allow so much by --max-output, or extract less by a pattern",
        )
        .into())
    }

    /// Makes every folder, and drops the jobs of those that cannot be.
    fn make_folders(&self, root: &Path, jobs: Vec<Job>, fates: &mut BTreeMap<usize, Fate>) -> Vec<Job> {
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
            fates.insert(file, Fate::Failed(Told { message, help: None }));
        }
        fine
    }

    fn write_all(
        &self,
        root: &Path,
        jobs: &[Job],
        into: &Into,
        interrupted: &AtomicBool,
        progress: bool,
    ) -> Vec<(usize, Fate)> {
        let batches: Vec<&[Job]> = jobs.chunks(BATCH).collect();
        let next = AtomicUsize::new(0);
        let progress = Progress::new(jobs.len(), progress);
        let work = || {
            let mut fates = Vec::new();
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let wanted = batch.iter().take_while(|_| !interrupted.load(Ordering::Relaxed));
                fates.extend(wanted.map(|job| (job.file, self.write(root, job, into))));
                progress.advance(batch.len());
            }
            fates
        };
        let threads =
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(batches.len());
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut fates = work();
            for other in others {
                // a thread that panics is a defect, and its panic goes on here
                fates.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            fates
        })
    }

    fn write(&self, root: &Path, job: &Job, into: &Into) -> Fate {
        let target = on_disk(root, &job.path);
        let is_folder = || target.symlink_metadata().is_ok_and(|found| found.is_dir());
        if into.skip_existing && target.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            return Fate::Kept;
        }
        let content = match (self.read)(job.file) {
            Ok(content) => content,
            Err(told) => return Fate::Failed(told),
        };
        match write_whole(&target, &content, into.overwrite) {
            Ok(()) => Fate::Written(content.len() as u64),
            Err(_) if is_folder() => {
                let message = format!("{}: not written: a folder is there", shown(root, &job.path));
                Fate::Failed(Told { message, help: None })
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && into.skip_existing => Fate::Kept,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Fate::Failed(Told::new(
                format!("{}: not written: the file is there already", shown(root, &job.path)),
                "replace such files with --overwrite, or leave them with --skip-existing",
            )),
            Err(error) => {
                let message = format!("{}: not written: {error}", shown(root, &job.path));
                Fate::Failed(Told { message, help: None })
            }
        }
    }

    fn summarise(
        &self,
        fates: &BTreeMap<usize, Fate>,
        into: &Into,
        json: bool,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let (mut written, mut size, mut kept, mut failed) = (0_u64, 0, 0_u64, 0_u64);
        for (&number, fate) in fates {
            let (bytes, error) = match fate {
                Fate::Written(bytes) => {
                    written += 1;
                    size += bytes;
                    (Some(*bytes), None)
                }
                Fate::Kept => {
                    kept += 1;
                    (None, None)
                }
                Fate::Failed(told) => {
                    failed += 1;
                    (None, Some(told.message.as_str()))
                }
            };
            if let (true, Some(file)) = (json, self.files.get(number)) {
                let line = JsonFate {
                    name: output::spelled(file.name),
                    from: &file.label,
                    written: bytes.is_some(),
                    size: bytes,
                    error,
                };
                output::json(console, &line)?;
            }
        }
        if json {
            return Ok(());
        }
        let files = |count: u64| {
            if count == 1 { "1 file".to_owned() } else { format!("{} files", output::grouped(count)) }
        };
        write!(console.out, "wrote {} ({}) to {}", files(written), output::bytes(size), into.output)?;
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
    let mut file = temporary_in(target.parent().unwrap_or(target))?;
    file.as_file_mut().write_all(content)?;
    let moved = if overwrite { file.persist(target) } else { file.persist_noclobber(target) };
    moved.map(drop).map_err(|error| error.error)
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
    pak_format::name::spell(name).replace('\\', "_").into()
}

/// A bar that shows itself when the work takes longer than a second.
struct Progress {
    bar: ProgressBar,
    started: Instant,
    wanted: AtomicBool,
}

impl Progress {
    fn new(files: usize, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left") {
            bar.set_style(style);
        }
        Progress { bar, started: Instant::now(), wanted: AtomicBool::new(wanted) }
    }

    fn advance(&self, files: usize) {
        if self.started.elapsed() > Duration::from_secs(1) && self.wanted.swap(false, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(files as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
