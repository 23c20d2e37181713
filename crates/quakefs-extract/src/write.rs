//! Writes the files of a plan below a folder, on all cores, each completely or not at all.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, BufRead as _, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use atomic_file::Identity;
use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryNameBuf;
use quakefs::disk::{Disk as _, SystemDisk};
use quakefs::errors::utf8;
use quakefs::findings::NoPath;
use quakefs::rules::{Host, Spelling};
use quakefs::{Error, File};

use crate::options::{Existing, ExtractOptions};
use crate::plan::{ExtractPlan, Paths, PlannedFile};
use crate::step::{Blocked, Occupant, split};
use crate::{Folder, Folders, Root};

/// The number of files that a thread takes at once. Neighbours share a folder, and one thread per folder is
/// faster.
const BATCH: usize = 64;
/// The most threads by default, so that large machines stay below the usual limit of 1,024 open files.
const THREADS: usize = 16;
/// Entries above this size are read as streams, so that memory does not grow with them.
const LARGE: u64 = 1 << 22;

/// Receives the outcome of each file during an extraction, and can stop it. `()` ignores all outcomes.
///
/// The writing threads call these functions, several at a time and in no particular order.
pub trait ExtractSink: Sync {
    /// Called with the outcome of each file.
    fn file(&self, file: &PlannedFile, outcome: &Outcome) {
        let _ = (file, outcome);
    }

    /// Whether to continue. Called by each thread before each file, and on each read from a loose file or an
    /// entry above 4 MiB. A file for which it returns false is not written.
    fn go_on(&self) -> bool {
        true
    }
}

impl ExtractSink for () {}

/// The outcome of one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The file was written.
    Written {
        /// The size of its content in bytes.
        bytes: u64,
        /// Whether it replaced a file.
        replaced: bool,
    },
    /// A file existed and was kept: [`Existing::Skip`].
    Kept,
    /// The file was not written. An existing file is unchanged.
    Failed(NotWritten),
}

/// Why a file was not written.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotWritten {
    /// A file exists already: [`Existing::Refuse`].
    #[error("the file exists already")]
    AlreadyThere,
    /// The path is a folder.
    #[error("the path is a folder")]
    FolderThere,
    /// A parent folder is a symbolic link, which is not followed.
    #[error("{folder} is a symbolic link, which is not followed")]
    LinkInTheWay {
        /// The path of the link below the destination.
        folder: EntryNameBuf,
    },
    /// A parent folder is a file.
    #[error("{folder} is not a folder")]
    NotAFolder {
        /// The path of the file below the destination.
        folder: EntryNameBuf,
    },
    /// The file would replace an archive that files of this extraction come from.
    #[error("{archive} is an archive that these files come from")]
    SourceArchive {
        /// The archive.
        archive: Utf8PathBuf,
    },
    /// The disk ignores case or allows fewer names than the plan assumed.
    #[error("{0}")]
    NoPath(#[source] NoPath),
    /// The content cannot be read.
    #[error("{0}")]
    Read(#[source] Error),
    /// The system could not create the file or a folder.
    #[error("{0}")]
    Write(#[source] Error),
}

/// The result of an extraction in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extracted {
    /// Files that were written.
    pub written: u64,
    /// Bytes in the written files.
    pub bytes: u64,
    /// Files among the written ones that replaced another file.
    pub replaced: u64,
    /// Existing files that were kept.
    pub kept: u64,
    /// Files that were not written.
    pub failed: u64,
    /// Whether the sink stopped the extraction before the last file.
    pub stopped: bool,
}

impl Extracted {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Written { bytes, replaced } => {
                self.written += 1;
                self.replaced += u64::from(*replaced);
                self.bytes = self.bytes.saturating_add(*bytes);
            }
            Outcome::Kept => self.kept += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    fn and(self, other: Extracted) -> Extracted {
        Extracted {
            written: self.written + other.written,
            bytes: self.bytes.saturating_add(other.bytes),
            replaced: self.replaced + other.replaced,
            kept: self.kept + other.kept,
            failed: self.failed + other.failed,
            stopped: self.stopped || other.stopped,
        }
    }
}

impl ExtractPlan {
    /// Plans for a folder of this system, which need not exist yet. Pass the files in order of precedence.
    /// Nothing is written.
    #[must_use]
    pub fn for_folder(
        folder: impl AsRef<Path>,
        files: impl IntoIterator<Item = File<'static>>,
    ) -> ExtractPlan {
        Self::below(folder.as_ref(), files, Paths::OfNames)
    }

    /// Like [`for_folder`](Self::for_folder), for entries of archives by themselves: each has its
    /// [`unpacked_name`](quakefs::archive::ArchiveEntry::unpacked_name).
    #[must_use]
    pub fn unpacked(folder: impl AsRef<Path>, files: impl IntoIterator<Item = File<'static>>) -> ExtractPlan {
        Self::below(folder.as_ref(), files, Paths::Unpacked)
    }

    /// Like [`unpacked`](Self::unpacked), with all files directly in the folder. Of several files of one
    /// name, the one that is in no folder is written, or else the first.
    #[must_use]
    pub fn flat(folder: impl AsRef<Path>, files: impl IntoIterator<Item = File<'static>>) -> ExtractPlan {
        Self::below(folder.as_ref(), files, Paths::Flat)
    }

    fn below(folder: &Path, files: impl IntoIterator<Item = File<'static>>, paths: Paths) -> ExtractPlan {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(&folder);
        let names = SystemDisk.list(there).unwrap_or_default();
        let name = names.iter().map(|item| &*item.name).find(|name| name.iter().any(u8::is_ascii_alphabetic));
        let spelling = SystemDisk.spelling(there, name.unwrap_or_default());
        Self::for_disk(Host::here(), spelling, files, paths)
    }

    /// Writes the files below a folder, and creates the folder and missing folders in it.
    ///
    /// - Each file is written completely or not at all. Since Linux 6.10 a new file has no name until it is
    ///   complete: `openat` creates it, `pread` and `write` copy the content, `linkat` gives it its name,
    ///   `close` ends it. A killed process leaves nothing behind. On other systems, and if a file is
    ///   replaced, the content goes to a temporary file in the same folder, which is then renamed; `flock`
    ///   marks it as in use. Nothing is flushed to disk unless [`durable`](ExtractOptions::durable) is set,
    ///   because an extraction can be repeated.
    /// - Symbolic links below the folder are never followed. On Unix this holds even while other programs
    ///   change the folder, because each step starts at the handle of an open folder. On other systems each
    ///   step checks for links and junctions first.
    /// - An archive that files of the plan come from is never replaced.
    /// - If one file fails, the others are still written.
    /// - Loose files and entries above 4 MiB are read as streams. [`FileReader`](quakefs::FileReader) lists
    ///   the methods that need little memory for that.
    ///
    /// If the folder ignores case or is on Windows, and the plan was made for another disk, files whose paths
    /// collide there fail with [`NotWritten::NoPath`]. A plan from [`for_folder`](Self::for_folder) avoids
    /// this.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check) before anything is written, and
    /// [`ErrorKind::Io`](quakefs::ErrorKind::Io) or
    /// [`ErrorKind::PathNotUtf8`](quakefs::ErrorKind::PathNotUtf8) if the folder itself cannot be used.
    /// Failures of single files go to the sink.
    pub fn write(
        &self,
        folder: impl AsRef<Path>,
        options: &ExtractOptions,
        sink: &dyn ExtractSink,
    ) -> Result<Extracted, Error> {
        self.check(options)?;
        let path = utf8(folder.as_ref())?;
        std::fs::create_dir_all(path).map_err(|error| Error::io(path, "make", error))?;
        let root = Root::open(path).map_err(|error| Error::io(path, "open", error))?.durable(options.durable);
        let archives = if options.existing == Existing::Overwrite { self.archives() } else { Vec::new() };
        let lost = self.lost_on(Host::here(), spelling_of(path));
        let writer = Writer { path, existing: options.existing, archives, lost };
        let written = self.write_all(&root, &writer, options.threads, sink);
        if options.durable {
            let folders = self.files().iter().map(|planned| split(planned.path.as_bytes()).0);
            flush(&root, folders).map_err(|error| Error::io(path, "flush", error))?;
        }
        Ok(written)
    }

    fn write_all(
        &self,
        root: &Root,
        writer: &Writer<'_>,
        threads: Option<NonZero<usize>>,
        sink: &dyn ExtractSink,
    ) -> Extracted {
        let batches: Vec<&[PlannedFile]> = self.files().chunks(BATCH).collect();
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        self.make_folders(root);
        let work = || {
            let mut counts = Extracted::default();
            let mut folders = Folders::new(root);
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                for planned in *batch {
                    if stopped.load(Ordering::Relaxed) || !sink.go_on() {
                        stopped.store(true, Ordering::Relaxed);
                        return Extracted { stopped: true, ..counts };
                    }
                    let written = writer.write(&mut folders, planned, sink);
                    let Some(outcome) = written.unwrap_or_else(|why| Some(Outcome::Failed(why))) else {
                        stopped.store(true, Ordering::Relaxed);
                        return Extracted { stopped: true, ..counts };
                    };
                    counts.count(&outcome);
                    sink.file(planned, &outcome);
                }
            }
            counts
        };
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get).min(THREADS);
        let threads = threads.map_or_else(cores, NonZero::get).min(batches.len());
        std::thread::scope(|scope| {
            // if the system refuses a thread, the others do its work
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).map_while(spawn).collect();
            // a panic in a sink continues in the caller's thread
            let join = |thread: std::thread::ScopedJoinHandle<'_, Extracted>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let own = work();
            others.into_iter().map(join).fold(own, Extracted::and)
        })
    }

    /// Creates the folders before the files. After many files were removed, ext4 then needs half the time or
    /// less. If a folder cannot be created, its files fail later, each with its own outcome.
    fn make_folders(&self, root: &Root) {
        let mut folders = Folders::new(root);
        let mut last = None;
        for planned in self.files() {
            let folder = split(planned.path.as_bytes()).0;
            if last != Some(folder) {
                let _ = folders.enter(folder);
                last = Some(folder);
            }
        }
    }

    /// The files on disk that must not be replaced: source archives, and files that the caller protects.
    fn archives(&self) -> Vec<(Identity, Utf8PathBuf)> {
        let mut seen: HashSet<&Utf8Path> = HashSet::new();
        let mut held: HashSet<Utf8PathBuf> = self.kept.iter().cloned().collect();
        for PlannedFile { file, .. } in self.files() {
            match file.layer().archive() {
                Some(archive) if archive.path().is_none_or(|path| !seen.insert(path)) => {}
                // a loose file without a system path is inside an archive
                None if file.system_path().is_some() => {}
                _ => held.extend(file.source_file()),
            }
        }
        held.into_iter().filter_map(|path| Some((Identity::at(&path).ok()?, path))).collect()
    }
}

/// Makes the names in folders, and in those above them, survive a power failure. A folder that is gone has
/// none.
pub(crate) fn flush<'p>(root: &Root, paths: impl Iterator<Item = &'p [u8]>) -> io::Result<()> {
    let mut all = BTreeSet::from([&b""[..]]);
    for path in paths {
        let ends = (0..path.len()).filter(|&at| path.get(at) == Some(&b'/')).chain([path.len()]);
        all.extend(ends.filter_map(|end| path.get(..end)));
    }
    // nothing was written through a link, or where there is no folder
    let is_none =
        |error: &io::Error| matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    let mut folders = Folders::existing(root);
    for path in all {
        match folders.enter(path) {
            Ok(folder) => folder.flush()?,
            Err((_, Blocked::Io(error))) if !is_none(&error) => return Err(error),
            Err(_) => {}
        }
    }
    Ok(())
}

/// Detects with a temporary file how a new or empty folder compares names.
fn spelling_of(folder: &Utf8Path) -> Spelling {
    let usual = Host::here().usual_spelling();
    match atomic_file::ignores_case(folder.as_std_path()) {
        Ok(ignores) if ignores == usual.ignores_case() => usual,
        Ok(true) => Spelling::IgnoresCase,
        Ok(false) => Spelling::Exact,
        Err(_) => usual,
    }
}

/// The parts of an extraction that all files share.
struct Writer<'p> {
    path: &'p Utf8Path,
    existing: Existing,
    /// The archives that must not be replaced.
    archives: Vec<(Identity, Utf8PathBuf)>,
    /// The files that collide on this disk.
    lost: HashMap<&'p [u8], NoPath>,
}

impl Writer<'_> {
    /// Writes a file and returns its outcome; `None` if the sink stopped it.
    fn write(
        &self,
        folders: &mut Folders<'_>,
        planned: &PlannedFile,
        sink: &dyn ExtractSink,
    ) -> Result<Option<Outcome>, NotWritten> {
        let path = planned.path.as_bytes();
        if let Some(because) = self.lost.get(path) {
            return Err(NotWritten::NoPath(because.clone()));
        }
        let (folder, name) = split(path);
        let folder = folders.enter(folder).map_err(|(folder, blocked)| self.blocked(folder, blocked))?;
        // if existing files are refused, the move itself reports them; an extra check would take 8 % of the
        // time
        let met =
            if self.existing == Existing::Refuse { Met::Nothing } else { self.look(&folder, name, path)? };
        if met == Met::Kept {
            return Ok(Some(Outcome::Kept));
        }
        let replace = self.existing == Existing::Overwrite;
        match folder.write(name, replace, |to| copy(&planned.file, to, sink)) {
            Ok(bytes) => Ok(Some(Outcome::Written { bytes, replaced: met == Met::Replaced })),
            Err(Failure::Stopped) => Ok(None),
            Err(Failure::Read(error)) => Err(NotWritten::Read(error)),
            Err(Failure::Write(error)) => {
                // another program may have created it in the meantime
                match self.look(&folder, name, path)? {
                    Met::Kept => Ok(Some(Outcome::Kept)),
                    _ => Err(NotWritten::Write(self.io(path, "write", error))),
                }
            }
        }
    }

    /// Checks the path of a file. An error: the file cannot be written there.
    fn look(&self, folder: &Folder<'_>, name: &[u8], path: &[u8]) -> Result<Met, NotWritten> {
        match folder.find(name).map_err(|error| NotWritten::Write(self.io(path, "write", error)))? {
            Occupant::Nothing => Ok(Met::Nothing),
            Occupant::Folder => Err(NotWritten::FolderThere),
            Occupant::LostLink => match self.existing {
                Existing::Refuse => Err(NotWritten::AlreadyThere),
                Existing::Skip => Err(NotWritten::LinkInTheWay { folder: path.to_vec().into() }),
                Existing::Overwrite => Ok(Met::Replaced),
            },
            Occupant::File(identity) => match self.existing {
                Existing::Refuse => Err(NotWritten::AlreadyThere),
                Existing::Skip => Ok(Met::Kept),
                Existing::Overwrite => {
                    match self.archives.iter().find(|(archive, _)| Some(*archive) == identity) {
                        Some((_, archive)) => Err(NotWritten::SourceArchive { archive: archive.clone() }),
                        None => Ok(Met::Replaced),
                    }
                }
            },
        }
    }

    fn blocked(&self, folder: Vec<u8>, blocked: Blocked) -> NotWritten {
        match blocked {
            Blocked::Link => NotWritten::LinkInTheWay { folder: folder.into() },
            Blocked::NotAFolder => NotWritten::NotAFolder { folder: folder.into() },
            Blocked::Io(error) => NotWritten::Write(self.io(&folder, "make", error)),
        }
    }

    fn io(&self, path: &[u8], doing: &'static str, error: io::Error) -> Error {
        Error::io(&self.path.join(pak_format::name::escape(path).as_ref()), doing, error)
    }
}

/// What is at the path of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    Nothing,
    /// A file that stays.
    Kept,
    /// A file, or a link without a target, that the new file replaces.
    Replaced,
}

/// Why a copy is incomplete.
enum Failure {
    /// The sink stopped it.
    Stopped,
    Read(Error),
    Write(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Write(error)
    }
}

/// Copies the content and returns its size in bytes.
fn copy(file: &File<'_>, to: &mut impl Write, sink: &dyn ExtractSink) -> Result<u64, Failure> {
    if file.entry().is_some() && file.size() <= LARGE {
        let content = file.read().map_err(Failure::Read)?;
        to.write_all(&content)?;
        return Ok(content.len() as u64);
    }
    let mut reader = file.open().map_err(Failure::Read)?;
    let mut written = 0;
    loop {
        let bytes = match reader.fill_buf() {
            Ok([]) => return Ok(written),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Read(error.into())),
        };
        to.write_all(bytes)?;
        let count = bytes.len();
        written += count as u64;
        reader.consume(count);
        if !sink.go_on() {
            return Err(Failure::Stopped);
        }
    }
}
