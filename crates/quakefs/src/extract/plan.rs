//! Which file lands where.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use camino::Utf8PathBuf;
use pak_format::EntryNameBuf;
use quake_rules::{Host, Spelling};

use crate::error::{Error, TooMuch};
use crate::no_path::NoPath;
use crate::search_path::File;
use crate::search_path::tree::LeftOut;

/// The longest path, in bytes: macOS opens paths of up to 1,024 bytes with the NUL after them.
const LONGEST_PATH: usize = 1023;

/// Extractions of up to this many bytes need not be in proportion to their source.
const FREE_BYTES: u64 = 1 << 30;
/// Bytes that each byte of the source may become in a larger extraction.
const BYTES_A_BYTE: u64 = 100;

/// Extractions of up to this many folders need not be in proportion to their files.
const FREE_FOLDERS: u64 = 1000;
/// Folders that each file may need in a larger extraction.
const FOLDERS_A_FILE: u64 = 4;

/// Which file lands where below a folder, and which files cannot: worked out before anything is written.
///
/// A path is the name of its file by the rule of
/// [`EntryName::to_disk_path`](crate::EntryName::to_disk_path): the same on every system, and never one that leaves the
/// folder. Each path belongs to one file:
///
/// - Of two files with one path, the one whose name is that path byte for byte wins, then the first.
/// - A path is a file or a folder: of `a` and `a/b`, the first wins.
///
/// The others are [`left_out`](Self::left_out), as are files whose name gives no path.
///
/// A plan [`on`](Self::on) a disk that ignores case gives `a` and `A` one path, and one on Windows leaves out the names that
/// Windows changes or has not.
///
#[cfg_attr(feature = "fs", doc = "[`write`](Self::write) writes the files below a folder on disk.")]
/// An extraction to another place needs the plan alone:
///
/// ```
/// use std::collections::HashMap;
/// use quakefs::SearchPath;
/// use quakefs::extract::ExtractPlan;
/// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
/// # pak.add("maps/start.bsp", "start")?;
/// # let pak = pak.finish()?;
///
/// let quake = SearchPath::layers_only().memory("pak0.pak", pak).mount()?;
/// let plan = ExtractPlan::new(quake.files().map(|hit| hit.into_owned()));
/// plan.check_size(None)?;
/// let mut files = HashMap::new();
/// for planned in plan.files() {
///     files.insert(planned.path.clone(), planned.file.read()?);
/// }
/// assert_eq!(files[&b"maps/start.bsp"[..]], "start");
/// for file in plan.left_out() {
///     println!("{}: {}", file.file.place(), file.because);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExtractPlan {
    files: Vec<PlannedFile>,
    left_out: Vec<LeftOut>,
    folders: usize,
    size: u64,
    source_size: u64,
    /// Files that no file may replace, whether a file comes from them or not.
    pub(super) kept: Vec<Utf8PathBuf>,
    #[cfg_attr(not(feature = "fs"), expect(dead_code, reason = "without a disk nothing is written"))]
    disk: (Host, Spelling),
    /// The numbers of the files in their order of precedence.
    #[cfg(feature = "fs")]
    precedence: Vec<usize>,
}

/// A file and its path below the folder.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedFile {
    /// The path: relative, `/` between parts, without empty, `.` and `..` parts.
    pub path: EntryNameBuf,
    /// The file that lands there.
    pub file: File<'static>,
}

impl ExtractPlan {
    /// Gives each file its path, for a disk that tells `a` from `A` and has every name. Files come in the order of
    /// precedence.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = File<'static>>) -> ExtractPlan {
        Self::on(Host::Linux, Spelling::Exact, files)
    }

    /// Gives each file its path on a disk of a system. Files come in the order of precedence.
    #[must_use]
    pub fn on(host: Host, spelling: Spelling, files: impl IntoIterator<Item = File<'static>>) -> ExtractPlan {
        let mut left_out = Vec::new();
        let mut named = Vec::new();
        for file in files {
            match path_of(&file, host) {
                Ok(path) => named.push(PlannedFile { path: path.into(), file }),
                Err(because) => left_out.push(LeftOut { file, because }),
            }
        }
        let (losers, folders) = losers(&named.iter().collect::<Vec<_>>(), spelling);
        let mut files = Vec::with_capacity(named.len() - losers.len());
        for (number, planned) in named.into_iter().enumerate() {
            match losers.get(&number) {
                Some(because) => {
                    left_out.push(LeftOut { file: planned.file, because: because.clone() });
                }
                None => files.push(planned),
            }
        }
        #[cfg(feature = "fs")]
        let mut precedence: Vec<usize> = (0..files.len()).collect();
        #[cfg(feature = "fs")]
        {
            let path = |number: &usize| files.get(*number).map(|planned: &PlannedFile| &planned.path);
            let mut sorted = precedence.clone();
            sorted.sort_unstable_by(|a, b| path(a).cmp(&path(b)));
            // where each file is after the sort
            for (place, number) in sorted.into_iter().enumerate() {
                if let Some(rank) = precedence.get_mut(number) {
                    *rank = place;
                }
            }
        }
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let size = files.iter().map(|planned| claimed(&planned.file)).fold(0, u64::saturating_add);
        let source_size = source_size(&files);
        ExtractPlan {
            files,
            left_out,
            folders,
            size,
            source_size,
            kept: Vec::new(),
            disk: (host, spelling),
            #[cfg(feature = "fs")]
            precedence,
        }
    }

    /// The files of the plan that have no path of their own on another disk than that of the plan, by their paths.
    #[cfg(feature = "fs")]
    pub(super) fn lost_on(&self, host: Host, spelling: Spelling) -> HashMap<&[u8], NoPath> {
        if self.disk == (host, spelling) {
            return HashMap::new();
        }
        let files: Vec<_> = self.precedence.iter().filter_map(|number| self.files.get(*number)).collect();
        let mut lost = losers(&files, spelling).0;
        for (number, planned) in files.iter().enumerate() {
            if let Err(because) = path_of(&planned.file, host) {
                lost.insert(number, because);
            }
        }
        let path = |number: usize| files.get(number).map_or(&[][..], |planned| planned.path.as_bytes());
        lost.into_iter().map(|(number, because)| (path(number), because)).collect()
    }

    /// Names files on disk that the extraction does not replace, such as all archives of a game. Archives that files of the
    /// plan come from are never replaced.
    #[must_use]
    pub fn keeping(mut self, paths: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        self.kept.extend(paths);
        self
    }

    /// The files and their paths, in byte order of the path.
    #[must_use]
    pub fn files(&self) -> &[PlannedFile] {
        &self.files
    }

    /// The files that land nowhere: first those whose name gives no path.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Bytes that the files claim to have. An entry that [`File::check`] refuses counts 0, since it cannot be read.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes that the files come from: each archive once, as large as it is, and each loose file.
    #[must_use]
    pub fn source_size(&self) -> u64 {
        self.source_size
    }

    /// How many folders the files are in, each counted once and the destination not.
    #[must_use]
    pub fn folders(&self) -> usize {
        self.folders
    }

    /// Refuses files that claim more bytes than `limit`. The default is the larger of 1 GiB and 100 ×
    /// [`source_size`](Self::source_size): real archives stay far below, and a small archive that claims to become a
    /// disk full of zeros does not.
    ///
    /// # Errors
    /// [`TooMuch::Bytes`], as [`ErrorKind::TooMuch`](crate::ErrorKind::TooMuch).
    pub fn check_size(&self, limit: Option<u64>) -> Result<(), Error> {
        let (claimed, source_size) = (self.size, self.source_size);
        let most = limit.unwrap_or(FREE_BYTES.max(source_size.saturating_mul(BYTES_A_BYTE)));
        if claimed > most {
            return Err(TooMuch::Bytes { claimed, most, source_size }.into());
        }
        Ok(())
    }

    /// Refuses files that are in more folders than `limit`. The default is the larger of 1,000 and 4 × the number of
    /// files: in real archives many files share a folder, and a name of 56 bytes can claim 28 folders of its own.
    ///
    /// # Errors
    /// [`TooMuch::Folders`], as [`ErrorKind::TooMuch`](crate::ErrorKind::TooMuch).
    pub fn check_folders(&self, limit: Option<u64>) -> Result<(), Error> {
        let (claimed, files) = (self.folders as u64, self.files.len() as u64);
        let most = limit.unwrap_or(FREE_FOLDERS.max(files.saturating_mul(FOLDERS_A_FILE)));
        if claimed > most {
            return Err(TooMuch::Folders { claimed, most, files }.into());
        }
        Ok(())
    }
}

fn path_of(file: &File<'_>, host: Host) -> Result<Vec<u8>, NoPath> {
    let name = file.name();
    let path = if host == Host::Windows { name.to_windows_path() } else { name.to_disk_path() };
    let path = path.map_err(NoPath::Name)?.into_owned();
    if path.len() > LONGEST_PATH {
        return Err(NoPath::LongPath { found: path.len(), most: LONGEST_PATH });
    }
    Ok(path)
}

/// The files that do not get their path, by number, and how many folders the others are in.
fn losers(named: &[&PlannedFile], spelling: Spelling) -> (HashMap<usize, NoPath>, usize) {
    let is_exact = |planned: &PlannedFile| planned.file.name() == planned.path.as_name();
    let folded: Vec<Cow<'_, [u8]>> =
        named.iter().map(|planned| spelling.fold(planned.path.as_bytes())).collect();
    let mut by_path: HashMap<&[u8], (usize, bool)> = HashMap::with_capacity(named.len());
    for (number, (planned, path)) in named.iter().zip(&folded).enumerate() {
        let exact = is_exact(planned);
        let winner = by_path.entry(path).or_insert((number, exact));
        if exact && !winner.1 {
            *winner = (number, exact);
        }
    }
    let place = |number: usize| named.get(number).map(|planned| planned.file.place()).unwrap_or_default();
    let path_of = |number: usize| named.get(number).map(|planned| planned.path.as_bytes());
    let mut losers = HashMap::new();
    // the path is a file, or is a folder of the file with this number
    let mut files: HashMap<&[u8], usize> = HashMap::with_capacity(by_path.len());
    let mut folders: HashMap<&[u8], usize> = HashMap::new();
    for (number, path) in folded.iter().enumerate() {
        let path = &**path;
        let winner = by_path.get(path).map_or(number, |(winner, _)| *winner);
        if winner != number {
            let (same, winner) = (path_of(winner) == path_of(number), Some(place(winner)));
            losers.insert(number, if same { NoPath::SamePath { winner } } else { NoPath::Twin { winner } });
            continue;
        }
        let clash = folders.get(path).or_else(|| parents(path).find_map(|folder| files.get(folder)));
        if let Some(&winner) = clash {
            losers.insert(number, NoPath::FolderOfThatName { winner: Some(place(winner)) });
            continue;
        }
        files.insert(path, number);
        for folder in parents(path) {
            folders.entry(folder).or_insert(number);
        }
    }
    (losers, folders.len())
}

/// The folders that a path is in, the innermost first.
fn parents(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/');
    slashes.filter_map(|(place, _)| path.get(..place))
}

fn claimed(file: &File<'_>) -> u64 {
    if file.check().is_ok() { file.size() } else { 0 }
}

fn source_size(files: &[PlannedFile]) -> u64 {
    let mut archives = HashSet::new();
    let sizes = files.iter().map(|PlannedFile { file, .. }| match file.layer().archive() {
        None => file.size(),
        Some(archive) if archives.insert((file.layer().name(), archive.system_path())) => archive.size(),
        Some(_) => 0,
    });
    sizes.fold(0, u64::saturating_add)
}

impl fmt::Debug for ExtractPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractPlan")
            .field("files", &self.files.len())
            .field("left_out", &self.left_out.len())
            .field("folders", &self.folders)
            .field("size", &self.size)
            .finish()
    }
}
