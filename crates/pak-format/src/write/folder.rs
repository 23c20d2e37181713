//! Collects files on disk for an archive.
//!
//! ```
//! use pak_format::{Builder, Layout, folder};
//! # let root = testutils::game("maps/: start.bsp=start");
//! # let root = root.path();
//!
//! let options = folder::CollectOptions { root: Some(root.into()), ..Default::default() };
//! let (files, skipped) = folder::collect(["maps"], &options);
//! for skipped in &skipped {
//!     println!("{skipped}");
//! }
//! let mut builder = Builder::new(Layout::Quake);
//! for file in &files {
//!     builder.push(&file.name, file.source());
//! }
//! # assert_eq!(files[0].name, "maps/start.bsp");
//! # assert_eq!(builder.finish()?.len(), 12 + 5 + 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use atomic_file::Identity;
use walkdir::WalkDir;

use super::source::Source;
use crate::entry_name::escape_path;
use crate::error::help_for;
use crate::kinds::kinds;

/// How [`collect`] names files, and which files it skips.
#[derive(Clone, Debug, Default)]
pub struct CollectOptions {
    /// The folder that paths and names are relative to, instead of the current folder.
    pub root: Option<PathBuf>,
    /// The path of the new archive, which is not packed into itself. It need not exist.
    pub archive: Option<PathBuf>,
    /// Overrides the stored name if one path is given: the entry's name, or the prefix of the folder's
    /// entries.
    pub name: Option<String>,
    /// Skips a file inside a folder if this returns true for its name. Paths that the caller names are never
    /// skipped.
    pub skip: Option<fn(&str) -> bool>,
}

/// A file to pack.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CollectedFile {
    /// Its name in the archive. The writer checks it later.
    pub name: String,
    /// The path of the file.
    pub path: PathBuf,
    /// Bytes in the file.
    pub size: u64,
    identity: Identity,
    links: Links,
}

/// A path that is not packed.
#[derive(Debug)]
#[non_exhaustive]
pub struct NotCollected {
    /// The path on this computer.
    pub path: PathBuf,
    /// True if the caller named this path, or if the system refused to read it. The caller then decides
    /// whether to pack the other files.
    pub is_error: bool,
    /// Why it is not packed.
    pub reason: SkipReason,
}

kinds! {
    /// Why a path is not packed.
    #[derive(Debug)]
    pub enum SkipReason {
        /// A symbolic link in a folder. Only links that the caller names are followed.
        Link => "link", ["it is a symbolic link"], "name the link itself to pack its file";
        /// A device, a pipe or a socket.
        NotRegular => "not-regular", ["it is neither a file nor a folder"], "leave it out";
        /// The path of the new archive.
        Archive => "archive", ["it is the archive itself"], "leave it out";
        /// A temporary file of a writer that is running or was killed.
        Temporary => "temporary", ["it is a temporary file of an interrupted command"], "remove it";
        /// [`CollectOptions::skip`] skips files of this name.
        Unwanted => "unwanted", ["no game needs it"], "name the file itself to pack it";
        /// The path is outside of the root folder.
        NoName => "no-name", ["it is outside of the folder that names are relative to, so it has no name"],
            "name the folder that names are relative to";
        /// The name of the file or folder is not UTF-8.
        NotUtf8 => "not-utf8", ["the name is not UTF-8"], "rename it";
        /// The system returned an error.
        Io(error: io::Error) => "io", ["{error}"], help_for(error.kind());
    }
}

impl fmt::Display for NotCollected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", escape_path(&self.path), self.reason)
    }
}

impl std::error::Error for NotCollected {}

/// Finds the files of these paths. A folder stands for all files inside it.
///
/// A name is the path relative to the root, with `/` between its parts and without `.` parts. A `..` part
/// stays, and the writer's check refuses it. Only folders are opened.
pub fn collect(
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
    options: &CollectOptions,
) -> (Vec<CollectedFile>, Vec<NotCollected>) {
    let archive = options.archive.as_deref().and_then(|path| Identity::at(path).ok());
    let mut collector = Collector { options, archive, files: Vec::new(), skipped: Vec::new() };
    for path in paths {
        collector.add(path.as_ref());
    }
    (collector.files, collector.skipped)
}

struct Collector<'o> {
    options: &'o CollectOptions,
    archive: Option<Identity>,
    files: Vec<CollectedFile>,
    skipped: Vec<NotCollected>,
}

impl Collector<'_> {
    /// Adds a path that the caller names. A link is followed.
    fn add(&mut self, path: &Path) {
        let root = self.options.root.as_deref();
        // without "." parts, because they would appear in messages
        let start: PathBuf = root.unwrap_or(Path::new("")).join(path).components().collect();
        let name = match &self.options.name {
            Some(name) => Ok(name.clone()),
            None => name_of(root, path),
        };
        let found = match start.metadata() {
            Ok(found) => found,
            Err(error) => return self.fail(start, SkipReason::Io(error)),
        };
        let name = match name {
            Ok(name) => name,
            Err(reason) => return self.fail(start, reason),
        };
        if found.is_dir() {
            return self.add_folder(&start, &name);
        }
        if !found.is_file() {
            return self.fail(start, SkipReason::NotRegular);
        }
        match Identity::at(&start) {
            Err(error) => self.fail(start, SkipReason::Io(error)),
            Ok(identity) if self.archive.as_ref() == Some(&identity) => {
                self.fail(start, SkipReason::Archive);
            }
            Ok(identity) => {
                let (path, size) = (start, found.len());
                self.files.push(CollectedFile { name, path, size, identity, links: Links::Followed });
            }
        }
    }

    /// Adds all files below a folder. A link is not followed.
    fn add_folder(&mut self, folder: &Path, prefix: &str) {
        let mut walk = WalkDir::new(folder).sort_by_file_name().min_depth(1).into_iter();
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    self.fail(path, SkipReason::Io(error.into()));
                    continue;
                }
            };
            let kind = entry.file_type();
            if entry.file_name().to_str().is_none() {
                self.fail(entry.path().to_owned(), SkipReason::NotUtf8);
                // otherwise each file below the folder would be another such error
                if kind.is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            if kind.is_dir() {
                continue;
            }
            match self.look(&entry) {
                Err(error) => self.fail(entry.into_path(), SkipReason::Io(error)),
                Ok(Err(reason)) => {
                    self.skip(entry.into_path(), reason, false);
                }
                Ok(Ok((size, identity))) => {
                    let path = entry.into_path();
                    let below = parts(path.strip_prefix(folder).unwrap_or(&path));
                    let parts = (!prefix.is_empty()).then(|| prefix.to_owned()).into_iter().chain(below);
                    let name = parts.collect::<Vec<_>>().join("/");
                    if self.options.skip.is_some_and(|unwanted| unwanted(&name)) {
                        self.skip(path, SkipReason::Unwanted, false);
                        continue;
                    }
                    self.files.push(CollectedFile { name, path, size, identity, links: Links::Refused });
                }
            }
        }
    }

    /// The size and identity of a walked file, or why it is skipped.
    fn look(&self, entry: &walkdir::DirEntry) -> io::Result<Result<(u64, Identity), SkipReason>> {
        let kind = entry.file_type();
        if entry.file_name().to_str().is_some_and(atomic_file::is_temporary) {
            return Ok(Err(SkipReason::Temporary));
        }
        if kind.is_symlink() {
            return Ok(Err(SkipReason::Link));
        }
        if !kind.is_file() {
            return Ok(Err(SkipReason::NotRegular));
        }
        let found = entry.metadata()?;
        let identity = Identity::at(entry.path())?;
        if self.archive.as_ref() == Some(&identity) {
            return Ok(Err(SkipReason::Archive));
        }
        Ok(Ok((found.len(), identity)))
    }

    fn fail(&mut self, path: PathBuf, reason: SkipReason) {
        self.skip(path, reason, true);
    }

    fn skip(&mut self, path: PathBuf, reason: SkipReason, is_error: bool) {
        self.skipped.push(NotCollected { path, is_error, reason });
    }
}

/// A path as a name.
fn name_of(root: Option<&Path>, path: &Path) -> Result<String, SkipReason> {
    let absolute;
    let mut relative = path;
    if path.is_absolute() {
        absolute = std::path::absolute(root.unwrap_or(Path::new("."))).map_err(SkipReason::Io)?;
        relative = path.strip_prefix(&absolute).map_err(|_| SkipReason::NoName)?;
    }
    if relative.starts_with("..") {
        return Err(SkipReason::NoName);
    }
    let name: Option<Vec<&str>> = relative.components().filter_map(part).map(OsStr::to_str).collect();
    Ok(name.ok_or(SkipReason::NotUtf8)?.join("/"))
}

/// The parts of a path whose names are UTF-8.
fn parts(path: &Path) -> impl Iterator<Item = String> {
    path.components().filter_map(part).map(|part| part.to_string_lossy().into_owned())
}

/// Converts a part of a path to a part of a name.
fn part(component: Component<'_>) -> Option<&OsStr> {
    if component == Component::CurDir { None } else { Some(component.as_os_str()) }
}

/// Whether opening the file follows a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

impl CollectedFile {
    /// The content, opened when the entry is written.
    ///
    /// If another file, a link or a pipe has replaced the file by then, opening it fails and never waits. If
    /// its size has changed, the error is [`ErrorKind::ContentChanged`](crate::ErrorKind::ContentChanged).
    #[must_use]
    pub fn source(&self) -> Source<'static> {
        let CollectedFile { path, identity, links, .. } = self.clone();
        let open = {
            let path = path.clone();
            move || -> io::Result<Box<dyn io::Read>> { Ok(Box::new(open_same(&path, &identity, links)?)) }
        };
        Source::reader(self.size, open).at_path(path)
    }
}

/// Opens a file if it still has the same identity.
fn open_same(path: &Path, identity: &Identity, links: Links) -> io::Result<File> {
    // checked before opening, because opening a device can have effects
    let found = if links == Links::Followed { path.metadata() } else { path.symlink_metadata() }?;
    if !found.is_file() || Identity::at(path)? != *identity {
        return Err(changed());
    }
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let no_follow = if links == Links::Refused { libc::O_NOFOLLOW } else { 0 };
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | no_follow);
    }
    let file = options.open(path)?;
    let found = file.metadata()?;
    if !found.is_file() || Identity::of(&file)? != *identity {
        return Err(changed());
    }
    Ok(file)
}

fn changed() -> io::Error {
    io::Error::other("it is not the file that was found when the folder was listed")
}
