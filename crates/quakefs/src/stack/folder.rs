//! The loose files of a folder: asked on disk, or listed.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::escape_path;

use super::folder_list::{Detail, FolderList, NoFile};
use crate::archive::positional;
use crate::data::{FileData, FileReader};
use crate::error::Error;
use crate::finding::FindingKind;
use crate::rules::Rewritten;
use crate::rules::instead_of;
use crate::rules::{Hidden, Instead, List, Loose, LooseBytes, LooseCase, Rules};

pub(crate) struct Folder {
    root: Utf8PathBuf,
    loose: Loose,
    /// The longest path in bytes.
    longest: usize,
    instead: List<Instead>,
}

/// What a name in a folder stands for.
enum There {
    File(u64),
    /// No file; whether lower copies are hidden.
    Obstacle(bool),
    Nothing,
}

/// What a folder answers to a name.
pub(crate) enum FolderAnswer {
    /// A regular file. `name` is how the disk spells it, where that is not the name asked for.
    File { name: Option<Box<[u8]>>, size: u64 },
    /// Nothing, and layers below may be asked.
    Nothing,
    /// Nothing, and layers below are hidden.
    Hides,
}

impl Folder {
    pub(crate) fn new(root: Utf8PathBuf, rules: &Rules) -> Self {
        let longest = rules.limits.path.map_or(usize::MAX, |longest| longest as usize);
        Folder { root, loose: rules.loose, longest, instead: rules.requests.instead.clone() }
    }

    /// Asks the disk for a name: relative, `/` between parts, no `.` or `..`; empty where no folder is asked.
    pub(crate) fn find(&self, name: &[u8]) -> FolderAnswer {
        if !self.admits(name) {
            return FolderAnswer::Nothing;
        }
        if let Some(file) = instead_of(&self.instead, name)
            && let There::File(size) = self.there(file)
        {
            return FolderAnswer::File { name: Some(file.into()), size };
        }
        match self.there(name) {
            There::File(size) => return FolderAnswer::File { name: None, size },
            There::Obstacle(true) => return FolderAnswer::Hides,
            There::Obstacle(false) | There::Nothing => {}
        }
        match self.loose.case {
            LooseCase::Exact => FolderAnswer::Nothing,
            LooseCase::ExactThenLower => {
                let lower = Rewritten::lower(name);
                let lower = lower.as_bytes();
                match if lower == name { There::Nothing } else { self.there(lower) } {
                    There::File(size) => FolderAnswer::File { name: Some(lower.into()), size },
                    There::Obstacle(true) => FolderAnswer::Hides,
                    There::Obstacle(false) | There::Nothing => FolderAnswer::Nothing,
                }
            }
            LooseCase::Ignored => match find_ignoring_case(self.root.as_std_path(), name) {
                Some((name, size)) => FolderAnswer::File { name: Some(name.into()), size },
                None => FolderAnswer::Nothing,
            },
            LooseCase::ExactHidesOthers => match find_ignoring_case(self.root.as_std_path(), name) {
                Some(_) => FolderAnswer::Hides,
                None => FolderAnswer::Nothing,
            },
        }
    }

    /// Whether the engine asks the disk for a name at all.
    pub(super) fn admits(&self, name: &[u8]) -> bool {
        let is_hidden = |part: &[u8]| part.first() == Some(&b'.');
        !name.is_empty()
            && self.root.as_str().len() + 1 + name.len() <= self.longest
            && (self.loose.bytes == LooseBytes::Any || name.iter().all(|byte| matches!(byte, b' '..=b'~')))
            && (self.loose.hidden == Hidden::Seen || !name.split(|&byte| byte == b'/').any(is_hidden))
    }

    /// What the disk has under exactly this name.
    fn there(&self, name: &[u8]) -> There {
        let hides = self.loose.hides;
        let Some(found) = with_path(&self.root, name, Path::metadata) else { return There::Nothing };
        match found {
            Ok(metadata) if metadata.is_file() => {
                let is_hidden = (!hides.unreadable && self.open_file(name).is_err())
                    || (self.lists() && !self.is_listed(name));
                if is_hidden { There::Nothing } else { There::File(metadata.len()) }
            }
            Ok(metadata) => There::Obstacle(self.hides(metadata.file_type())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_link = hides.dangling_link
                    && with_path(&self.root, name, Path::symlink_metadata).is_some_and(|found| found.is_ok());
                if is_link { There::Obstacle(true) } else { There::Nothing }
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => There::Nothing,
            Err(_) => There::Obstacle(hides.unreachable),
        }
    }

    /// Whether something that is no file hides lower copies of its name.
    fn hides(&self, found: FileType) -> bool {
        let hides = self.loose.hides;
        // a pipe is waited for, which no answer can show
        if found.is_dir() { hides.folder } else { hides.special && !is_pipe(found) }
    }

    /// Whether the engine looks through lists of the folders rather than ask for the name.
    fn lists(&self) -> bool {
        matches!(self.loose.case, LooseCase::Ignored | LooseCase::ExactHidesOthers)
    }

    /// Whether each folder on the way to a file can be listed.
    fn is_listed(&self, name: &[u8]) -> bool {
        let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(place, _)| name.get(..place).unwrap_or_default()).all(|folder| {
            with_path(&self.root, folder, Path::read_dir).is_some_and(|entries| entries.is_ok())
        })
    }

    pub(crate) fn root(&self) -> &Utf8Path {
        &self.root
    }

    fn open_file(&self, name: &[u8]) -> Result<File, Error> {
        with_path(&self.root, name, |path| File::open(path))
            .unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()))
            .map_err(|error| self.error(name, "open", error))
    }

    fn error(&self, name: &[u8], doing: &'static str, error: io::Error) -> Error {
        Error::io(&self.path_of(name), doing, error)
    }

    pub(crate) fn open(&self, name: &[u8]) -> Result<FileReader, Error> {
        let file = self.open_file(name)?;
        let metadata = file.metadata().map_err(|error| self.error(name, "open", error))?;
        Ok(FileReader::from_file(file, metadata.len()))
    }

    pub(crate) fn read(&self, name: &[u8]) -> Result<FileData, Error> {
        let mut bytes = Vec::new();
        let read = self.open_file(name)?.read_to_end(&mut bytes);
        read.map_err(|error| self.error(name, "read", error))?;
        Ok(bytes.into())
    }

    pub(crate) fn read_at(&self, name: &[u8], offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        let file = self.open_file(name)?;
        positional::fill_at(&file, buffer, offset).map_err(|error| self.error(name, "read", error))
    }

    pub(crate) fn modified(&self, name: &[u8]) -> Option<SystemTime> {
        self.metadata(name)?.modified().ok()
    }

    /// Bytes in a file; 0 where it is gone.
    pub(crate) fn size(&self, name: &[u8]) -> u64 {
        self.metadata(name).map_or(0, |metadata| metadata.len())
    }

    fn metadata(&self, name: &[u8]) -> Option<Metadata> {
        with_path(&self.root, name, Path::metadata)?.ok()
    }

    /// The path of a file, for messages.
    pub(crate) fn path_of(&self, name: &[u8]) -> Utf8PathBuf {
        self.root.join(pak_format::name::escape(name).as_ref())
    }

    /// Every regular file, in byte order, links followed but not in circles, and what could not be listed, each with
    /// its path below the folder. The folders themselves say what is a file; only links and details take a look at each.
    pub(crate) fn list(&self, detail: Detail) -> (FolderList, Vec<(String, FindingKind)>) {
        let mut left_out = Vec::new();
        let mut found = Vec::new();
        let mut hiding = Vec::new();
        let hides = self.loose.hides;
        for entry in Walk::new(&self.root) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(NotWalked::Again(path)) => {
                    left_out.push((escape_path(self.relative(&path)).into_owned(), FindingKind::ManyLinks));
                    continue;
                }
                Err(NotWalked::Error(error)) => {
                    let at = error.path().and_then(|path| self.name_of(path));
                    match (error.io_error().map(io::Error::kind), at) {
                        (Some(io::ErrorKind::NotFound), Some(name)) if hides.dangling_link => {
                            hiding.push(name);
                        }
                        (Some(io::ErrorKind::PermissionDenied), Some(mut name)) if hides.unreachable => {
                            name.push(b'/');
                            hiding.push(name);
                        }
                        _ => {}
                    }
                    // a dangling link is no file for an engine either
                    if error.io_error().is_none_or(|error| error.kind() != io::ErrorKind::NotFound) {
                        let path = error.path().unwrap_or_else(|| Path::new(""));
                        let shown = escape_path(self.relative(path)).into_owned();
                        let kind = if error.loop_ancestor().is_some() {
                            FindingKind::LinkLoop
                        } else {
                            let path = Utf8PathBuf::from(escape_path(path).into_owned());
                            FindingKind::Unreadable(Error::io(&path, "list", error.into()))
                        };
                        left_out.push((shown, kind));
                    }
                    continue;
                }
            };
            let path = entry.path();
            if !entry.file_type().is_file() {
                hiding.extend(self.name_of(path).filter(|_| self.hides(entry.file_type())));
                continue;
            }
            let Some(name) = self.name_of(path) else {
                let shown = escape_path(self.relative(path)).into_owned();
                left_out.push((shown, FindingKind::NotUtf8));
                continue;
            };
            if !self.admits(&name) || (!hides.unreadable && self.open_file(&name).is_err()) {
                continue;
            }
            match detail {
                Detail::Names => found.push((name, None, None)),
                Detail::Metadata => {
                    let Ok(metadata) = entry.metadata() else { continue };
                    found.push((name, Some(metadata.len()), metadata.modified().ok()));
                }
            }
        }
        found.sort_unstable();
        left_out.sort_by(|(a, _), (b, _)| a.cmp(b));
        (found.into_iter().collect::<FolderList>().hiding(hiding), left_out)
    }

    /// The folders and pipes below the folder, by name.
    pub(crate) fn folders_and_pipes(&self) -> Vec<(Vec<u8>, NoFile)> {
        let found = Walk::new(&self.root).flatten().filter_map(|entry| {
            let kind = no_file(entry.file_type())?;
            Some((self.name_of(entry.path())?, kind))
        });
        found.collect()
    }

    /// What stands under a name, if it is no file.
    pub(crate) fn folder_or_pipe(&self, name: &[u8]) -> Option<NoFile> {
        no_file(with_path(&self.root, name, Path::metadata)?.ok()?.file_type())
    }

    /// The names straight in a folder below this one, and whether each is a folder; empty where there is none.
    pub(crate) fn children(&self, folder: &[u8]) -> Vec<(Vec<u8>, bool)> {
        let entries = if folder.is_empty() {
            Some(self.root.as_std_path().read_dir())
        } else {
            with_path(&self.root, folder, Path::read_dir)
        };
        let entries = entries.into_iter().flatten().flatten().flatten();
        let child = |entry: std::fs::DirEntry| {
            let name = to_bytes(&entry.file_name())?.to_vec();
            let kind = entry.file_type().ok()?;
            let is_folder = if kind.is_symlink() { entry.path().is_dir() } else { kind.is_dir() };
            Some((name, is_folder))
        };
        entries.filter_map(child).collect()
    }

    /// Whether there is a regular file of this name.
    pub(crate) fn has_file(&self, name: &[u8]) -> bool {
        with_path(&self.root, name, Path::is_file).unwrap_or(false)
    }

    /// Whether there is a folder of this name.
    pub(crate) fn has_folder(&self, name: &[u8]) -> bool {
        with_path(&self.root, name, Path::is_dir).unwrap_or(false)
    }

    fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// The name of a path that was made from the root: what follows the root, with `/` between parts.
    fn name_of(&self, path: &Path) -> Option<Vec<u8>> {
        let below = to_bytes(path.as_os_str())?.get(self.root.as_str().len()..)?;
        let slash = |&byte: &u8| if std::path::is_separator(char::from(byte)) { b'/' } else { byte };
        Some(below.iter().map(slash).skip_while(|byte| *byte == b'/').collect())
    }
}

/// The regular files below a folder, with their sizes, in byte order; what cannot be listed is passed over.
#[must_use]
pub fn list_folder(folder: &Utf8Path, rules: &Rules) -> Vec<(Vec<u8>, u64)> {
    let (list, _) = Folder::new(folder.to_owned(), rules).list(Detail::Metadata);
    let size = |file| list.file(file).and_then(|file| file.size).unwrap_or_default();
    (0..list.len()).map(|file| (list.name(file).to_vec(), size(file))).collect()
}

fn no_file(found: FileType) -> Option<NoFile> {
    if found.is_dir() { Some(NoFile::Folder) } else { is_pipe(found).then_some(NoFile::Pipe) }
}

/// How often a folder is listed through links. Without a limit, 27 folders with two links each would be listed 2^27
/// times; a folder is always listed by its own path.
const LINKED: usize = 16;

/// Everything below a folder, links followed but not in circles.
struct Walk {
    entries: walkdir::IntoIter,
    /// The depth of the link on the way to the current entry, if one is.
    link: Option<usize>,
    /// How often each folder, by its path without links, was listed through links.
    linked: HashMap<PathBuf, usize>,
}

/// What a walk does not go into.
enum NotWalked {
    /// A folder that was listed through links often enough. It is reported once.
    Again(PathBuf),
    Error(walkdir::Error),
}

impl Walk {
    fn new(root: &Utf8Path) -> Walk {
        let entries = walkdir::WalkDir::new(root).follow_links(true).min_depth(1).into_iter();
        Walk { entries, link: None, linked: HashMap::new() }
    }
}

impl Iterator for Walk {
    type Item = Result<walkdir::DirEntry, NotWalked>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(NotWalked::Error(error))),
            };
            self.link = self.link.filter(|link| *link < entry.depth());
            if self.link.is_none() && entry.path_is_symlink() {
                self.link = Some(entry.depth());
            }
            if self.link.is_none() || !entry.file_type().is_dir() {
                return Some(Ok(entry));
            }
            let Ok(real) = entry.path().canonicalize() else { return Some(Ok(entry)) };
            let count = self.linked.entry(real).or_default();
            *count += 1;
            match (*count).cmp(&(LINKED + 1)) {
                Ordering::Less => return Some(Ok(entry)),
                Ordering::Equal => {
                    self.entries.skip_current_dir();
                    return Some(Err(NotWalked::Again(entry.into_path())));
                }
                Ordering::Greater => self.entries.skip_current_dir(),
            }
        }
    }
}

#[cfg(unix)]
fn is_pipe(found: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// Tries every spelling of each component, in byte order.
fn find_ignoring_case(within: &Path, name: &[u8]) -> Option<(Vec<u8>, u64)> {
    let (first, rest) = match name.iter().position(|&byte| byte == b'/') {
        Some(slash) => (name.get(..slash)?, name.get(slash + 1..)),
        None => (name, None),
    };
    let mut spellings: Vec<_> = within
        .read_dir()
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.file_name()))
        .filter(|spelling| to_bytes(spelling).is_some_and(|bytes| bytes.eq_ignore_ascii_case(first)))
        .collect();
    spellings.sort();
    spellings.iter().find_map(|spelling| {
        let path = within.join(spelling);
        let mut found = to_bytes(spelling)?.to_vec();
        let Some(rest) = rest else {
            let metadata = path.metadata().ok()?;
            return metadata.is_file().then_some((found, metadata.len()));
        };
        let (below, size) = find_ignoring_case(&path, rest)?;
        found.push(b'/');
        found.extend(below);
        Some((found, size))
    })
}

/// Calls `with` with the path of a file below a folder, without allocating where it is of usual length; `None`
/// where no such path can be.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some names are no paths")]
fn with_path<T>(root: &Utf8Path, name: &[u8], with: impl FnOnce(&Path) -> T) -> Option<T> {
    use std::os::unix::ffi::OsStrExt;

    // the standard library keeps a path of up to 384 bytes on the stack too
    const USUAL: usize = 384;
    let root = root.as_str().as_bytes();
    let mut space = [0; USUAL];
    let length = root.len() + 1 + name.len();
    if let Some(path) = space.get_mut(..length)
        && let Some((start, rest)) = path.split_at_mut_checked(root.len())
        && let Some((slash, end)) = rest.split_first_mut()
    {
        start.copy_from_slice(root);
        *slash = b'/';
        end.copy_from_slice(name);
        return Some(with(Path::new(OsStr::from_bytes(path))));
    }
    let path = [root, b"/", name].concat();
    Some(with(Path::new(OsStr::from_bytes(&path))))
}

/// As on Unix, but that names are UTF-8 and may hold neither `\` nor `:`, which mean something here.
#[cfg(not(unix))]
fn with_path<T>(root: &Utf8Path, name: &[u8], with: impl FnOnce(&Path) -> T) -> Option<T> {
    let name = std::str::from_utf8(name).ok().filter(|name| !name.contains(['\\', ':']))?;
    Some(with(root.join(name).as_std_path()))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some names are no bytes")]
fn to_bytes(name: &OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
fn to_bytes(name: &OsStr) -> Option<&[u8]> {
    name.to_str().map(str::as_bytes)
}
