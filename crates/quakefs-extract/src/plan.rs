//! The plan of an extraction.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use camino::Utf8PathBuf;
use pak_format::EntryNameBuf;
use quakefs::content::Leftover;
use quakefs::findings::NoPath;
use quakefs::rules::{Host, Spelling};
use quakefs::tree::WithoutPath;
use quakefs::{EntryName, Error, ErrorKind, File};

use crate::options::ExtractOptions;

/// The longest path in bytes. macOS opens paths of up to 1,024 bytes including the NUL.
const LONGEST_PATH: usize = 1023;

/// Extractions up to this size are always allowed, however small their source is.
const FREE_BYTES: u64 = 1 << 30;
/// In larger extractions, the most bytes for each byte of the source.
const BYTES_A_BYTE: u64 = 100;

/// Extractions with up to this many folders are always allowed, however few files they contain.
const FREE_FOLDERS: u64 = 1000;
/// In larger extractions, the most folders for each file.
const FOLDERS_A_FILE: u64 = 4;

/// Decides which path each file gets below a folder, and which files cannot be written. Nothing is written
/// yet.
///
/// [`EntryName::to_disk_path`](quakefs::EntryName::to_disk_path) turns the name of a file into its path,
/// which is the same on every system and never leaves the folder. Each path belongs to one file:
///
/// - If two files have the same path, the one whose name equals the path wins, or else the first.
/// - A path is either a file or a folder. If the files include `a` and `a/b`, the first wins.
///
/// The others are [`without_path`](Self::without_path), like files whose name is not a valid path.
///
/// On a disk that ignores case, `a` and `A` are one path. On Windows, names that Windows would change or
/// refuse are left out. [`for_folder`](Self::for_folder) plans for the disk of a folder, and
/// [`write`](Self::write) writes the files.
///
/// To extract to something other than a folder, use only the plan:
///
/// ```
/// use std::collections::HashMap;
/// use quakefs_extract::{ExtractOptions, ExtractPlan};
/// # let quake = testutils::search_path::game_in_memory("id1/pak0.pak: maps/start.bsp=start").mount()?;
///
/// let plan = ExtractPlan::new(quake.files().map(quakefs::File::into_owned));
/// plan.check(&ExtractOptions::default())?;
/// let mut files = HashMap::new();
/// for planned in plan.files() {
///     files.insert(planned.path.clone(), planned.file.read()?);
/// }
/// assert_eq!(files[&b"maps/start.bsp"[..]], "start");
/// for file in plan.without_path() {
///     println!("{}: {}", file.file.location(), file.because);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExtractPlan {
    files: Vec<PlannedFile>,
    without_path: Vec<WithoutPath>,
    /// The different folders that the files are in, without the destination.
    folders: usize,
    /// The sum of the sizes that the files claim.
    size: u64,
    /// The sum of the sizes of the sources: each archive once, and each loose file.
    source_size: u64,
    /// Files on disk that must not be replaced.
    pub(crate) kept: Vec<Utf8PathBuf>,
    disk: (Host, Spelling),
    /// The place of each file in the order of precedence.
    ranks: Vec<usize>,
}

/// Which path a file gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paths {
    /// That of its name.
    OfNames,
    /// That with which its entry is unpacked.
    Unpacked,
    /// The same without its folders.
    Flat,
}

/// A file and its path below the folder.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedFile {
    /// The relative path, with `/` between parts and without empty, `.` and `..` parts.
    pub path: EntryNameBuf,
    /// The file to write there.
    pub file: File<'static>,
}

impl ExtractPlan {
    /// Plans for a disk that distinguishes case and allows every name. Pass the files in order of precedence.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = File<'static>>) -> ExtractPlan {
        Self::for_disk(Host::Linux, Spelling::Exact, files, Paths::OfNames)
    }

    /// Plans for a disk of this system.
    pub(crate) fn for_disk(
        host: Host,
        spelling: Spelling,
        files: impl IntoIterator<Item = File<'static>>,
        paths: Paths,
    ) -> ExtractPlan {
        let mut without_path = Vec::new();
        let mut named = Vec::new();
        for file in files {
            let name = if paths == Paths::OfNames { file.name().as_bytes().into() } else { unpacked(&file) };
            match path_of(EntryName::from_bytes(&name), host) {
                Ok(path) => {
                    let is_flat = paths == Paths::Flat;
                    let base = path.rsplit(|byte| *byte == b'/').next().filter(|_| is_flat);
                    let path = base.unwrap_or(&path).into();
                    named.push(PlannedFile { path, file });
                }
                Err(because) => without_path.push(WithoutPath { file, because }),
            }
        }
        let (losers, folders) = losers(&named.iter().collect::<Vec<_>>(), spelling);
        let mut files = Vec::with_capacity(named.len() - losers.len());
        for (number, planned) in named.into_iter().enumerate() {
            match losers.get(&number) {
                Some(because) => {
                    without_path.push(WithoutPath { file: planned.file, because: because.clone() });
                }
                None => files.push(planned),
            }
        }
        let mut ranked: Vec<_> = files.into_iter().enumerate().collect();
        ranked.sort_unstable_by(|(_, a), (_, b)| a.path.cmp(&b.path));
        let (ranks, files): (Vec<usize>, Vec<PlannedFile>) = ranked.into_iter().unzip();
        let size = files.iter().map(|planned| claimed(&planned.file)).fold(0, u64::saturating_add);
        let source_size = source_size(&files);
        ExtractPlan {
            files,
            without_path,
            folders,
            size,
            source_size,
            kept: Vec::new(),
            disk: (host, spelling),
            ranks,
        }
    }

    /// The files that would collide on a disk other than the plan's.
    pub(crate) fn lost_on(&self, host: Host, spelling: Spelling) -> HashMap<&[u8], NoPath> {
        if self.disk == (host, spelling) {
            return HashMap::new();
        }
        let mut ranked: Vec<_> = self.ranks.iter().zip(&self.files).collect();
        ranked.sort_unstable_by_key(|(rank, _)| **rank);
        let files: Vec<_> = ranked.into_iter().map(|(_, planned)| planned).collect();
        let mut lost = losers(&files, spelling).0;
        for (number, planned) in files.iter().enumerate() {
            if let Err(because) = path_of(planned.path.as_name(), host) {
                lost.insert(number, because);
            }
        }
        let path = |number: usize| files.get(number).map_or(&[][..], |planned| planned.path.as_bytes());
        lost.into_iter().map(|(number, because)| (path(number), because)).collect()
    }

    /// Protects files on disk from being replaced, such as all archives of a game. Archives that files of the
    /// plan come from are always protected.
    #[must_use]
    pub fn keeping(mut self, paths: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        self.kept.extend(paths);
        self
    }

    /// The files with their paths, in byte order of the path.
    #[must_use]
    pub fn files(&self) -> &[PlannedFile] {
        &self.files
    }

    /// The files that are not written. Files whose name is not a valid path come first.
    #[must_use]
    pub fn without_path(&self) -> &[WithoutPath] {
        &self.without_path
    }

    /// Returns an error if the files claim more bytes or more folders than the options allow. An entry that
    /// fails [`File::check`] claims nothing, because it cannot be read.
    ///
    /// # Errors
    /// [`ErrorKind::TooManyBytes`] and [`ErrorKind::TooManyFolders`].
    pub fn check(&self, options: &ExtractOptions) -> Result<(), Error> {
        let (claimed, source_size) = (self.size, self.source_size);
        let most = options.max_output.unwrap_or(FREE_BYTES.max(source_size.saturating_mul(BYTES_A_BYTE)));
        if claimed > most {
            return Err(ErrorKind::TooManyBytes { claimed, most, source_size }.into());
        }
        let (claimed, files) = (self.folders as u64, self.files.len() as u64);
        let most = options.max_folders.unwrap_or(FREE_FOLDERS.max(files.saturating_mul(FOLDERS_A_FILE)));
        if claimed > most {
            return Err(ErrorKind::TooManyFolders { claimed, most, files }.into());
        }
        Ok(())
    }
}

/// The name with which a file is unpacked.
fn unpacked<'f>(file: &'f File<'_>) -> Cow<'f, [u8]> {
    let archive = file.layer().archive();
    let entry = archive.zip(file.entry()).and_then(|(archive, entry)| archive.entry(entry));
    entry.map_or(file.name().as_bytes().into(), |entry| entry.unpacked_name())
}

fn path_of(name: EntryName<'_>, host: Host) -> Result<Vec<u8>, NoPath> {
    let path = if host == Host::Windows { name.to_windows_path() } else { name.to_disk_path() };
    let path = path.map_err(NoPath::Name)?.into_owned();
    if path.len() > LONGEST_PATH {
        return Err(NoPath::LongPath { found: path.len(), most: LONGEST_PATH });
    }
    if std::str::from_utf8(&path).is_ok_and(|path| Leftover::of(path) == Some(Leftover::Temporary)) {
        return Err(NoPath::Temporary);
    }
    Ok(path)
}

/// The files that lose their path to another one, by number, and the number of folders for the rest.
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
    let location = |number: usize| named.get(number).map(|planned| planned.file.location());
    let path_of = |number: usize| named.get(number).map(|planned| planned.path.as_bytes());
    let mut losers = HashMap::new();
    // the number is that of the file itself, or of a file inside if the path is a folder
    let mut files: HashMap<&[u8], usize> = HashMap::with_capacity(by_path.len());
    let mut folders: HashMap<&[u8], usize> = HashMap::new();
    for (number, path) in folded.iter().enumerate() {
        let path = &**path;
        let winner = by_path.get(path).map_or(number, |(winner, _)| *winner);
        if winner != number {
            let (same, winner) = (path_of(winner) == path_of(number), location(winner));
            losers.insert(number, if same { NoPath::SamePath { winner } } else { NoPath::Twin { winner } });
            continue;
        }
        let clash = folders.get(path).or_else(|| parents(path).find_map(|folder| files.get(folder)));
        if let Some(&winner) = clash {
            losers.insert(number, NoPath::FolderOfThatName { winner: location(winner) });
            continue;
        }
        files.insert(path, number);
        for folder in parents(path) {
            folders.entry(folder).or_insert(number);
        }
    }
    (losers, folders.len())
}

/// The parent folders of a path, the innermost first.
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
            .field("without_path", &self.without_path.len())
            .field("folders", &self.folders)
            .field("size", &self.size)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quakefs::Archive;

    /// The planned paths, and the names that are left out, each with the kind of reason.
    fn planned_on<const N: usize>(host: Host, spelling: Spelling, names: [&str; N]) -> (String, String) {
        let pak = testutils::pack(pak_format::Layout::Quake, names.map(|name| (name, "")));
        let archive = Archive::from_data(pak.into()).unwrap();
        let plan = ExtractPlan::for_disk(host, spelling, archive.files("x.pak"), Paths::OfNames);
        let files: Vec<_> = plan.files().iter().map(|planned| planned.path.to_string()).collect();
        let without_path = plan.without_path().iter().map(|left| {
            let entry = left.file.entry().unwrap();
            format!("{entry}: {}", left.because)
        });
        (files.join(" "), without_path.collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn names_that_are_equal_on_a_disk_belong_to_the_first_file() {
        let names = ["MAPS/a", "maps/A", "maps/b", "c/d", "C", "./c/D", "\u{e9}", "\u{c9}"];
        let (files, without_path) = planned_on(Host::Windows, Spelling::IgnoresCase, names);
        assert_eq!(files, "MAPS/a c/d maps/b \u{e9}");
        insta::assert_snapshot!(without_path, @"
        1: this disk ignores case, and x.pak: entry 0 (MAPS/a) has the same path there
        4: x.pak: entry 3 (c/d) makes the path both a file and a folder
        5: this disk ignores case, and x.pak: entry 3 (c/d) has the same path there
        7: this disk ignores case, and x.pak: entry 6 (\u{e9}) has the same path there
        ");
        assert_eq!(planned_on(Host::Linux, Spelling::Exact, names).1, "");
    }

    #[test]
    fn names_that_windows_changes_or_has_not_are_left_out_there() {
        let names = ["dot.", "dot./a", "space ", "a?", "com\u{b9}.txt", "a:b", "plain"];
        let (files, without_path) = planned_on(Host::Windows, Spelling::IgnoresCase, names);
        assert_eq!((&*files, without_path.lines().count()), ("plain", 6));
        assert_eq!(planned_on(Host::Linux, Spelling::Exact, names).1.lines().count(), 3);
    }
}
