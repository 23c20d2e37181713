//! Files on disk as the names and contents of an archive.
//!
//! ```
//! use pak_format::{Builder, Layout, folder};
//! # let root = tempfile::tempdir()?;
//! # std::fs::create_dir(root.path().join("maps"))?;
//! # std::fs::write(root.path().join("maps/start.bsp"), "start")?;
//! # let root = root.path();
//!
//! let collected = folder::collect(["maps"], &folder::CollectOptions::new().root(root));
//! for error in &collected.errors {
//!     println!("{error}");
//! }
//! let mut builder = Builder::new(Layout::Quake);
//! for file in &collected.files {
//!     builder.push(&file.name, file.source());
//! }
//! # assert_eq!(collected.files[0].name, "maps/start.bsp");
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
use crate::name::escape_path;

/// How [`collect`] names files, and which one it leaves out.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CollectOptions {
    /// The folder that paths and names are relative to, instead of the current one.
    pub root: Option<PathBuf>,
    /// The archive that the files are for, which is not packed into itself. It need not exist.
    pub archive: Option<PathBuf>,
    /// The name of the one path that is given: of a file, or of a folder in front of the names of its files.
    pub name: Option<String>,
    /// Which files in folders are left out, by their names in the archive. A file that is a path of its own is not asked
    /// about.
    pub leave_out: Option<fn(&str) -> bool>,
}

impl CollectOptions {
    /// The defaults: paths and names are relative to the current folder.
    #[must_use]
    pub const fn new() -> Self {
        CollectOptions { root: None, archive: None, name: None, leave_out: None }
    }

    /// The folder that paths and names are relative to.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// The archive that the files are for.
    #[must_use]
    pub fn archive(mut self, archive: impl Into<PathBuf>) -> Self {
        self.archive = Some(archive.into());
        self
    }

    /// Which files in folders are left out, by their names.
    #[must_use]
    pub fn leave_out(mut self, leave_out: fn(&str) -> bool) -> Self {
        self.leave_out = Some(leave_out);
        self
    }

    /// The name of the one path that is given.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// What [`collect`] found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Collected {
    /// The files, path after path as given, those of a folder in byte order of their names.
    pub files: Vec<CollectedFile>,
    /// What is in the folders and is not packed.
    pub left_out: Vec<LeftOut>,
    /// The paths that were asked for and cannot be packed. The caller decides whether to pack the other files then.
    pub errors: Vec<CollectError>,
}

/// A file to pack.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CollectedFile {
    /// Its name in the archive. Whether a writer may store the name is not checked yet.
    pub name: String,
    /// Where the file is.
    pub path: PathBuf,
    /// Bytes in the file.
    pub size: u64,
    identity: Identity,
    links: Links,
}

/// Something in a folder that is not packed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is left out.
    pub because: LeftOutBecause,
}

/// Why a thing in a folder is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LeftOutBecause {
    /// A symbolic link. Links are followed where the caller names them, and nowhere else.
    #[error("it is a symbolic link")]
    Link,
    /// A device, a pipe or a socket.
    #[error("it is not a regular file")]
    NotRegular,
    /// The archive that the files are for.
    #[error("it is the archive itself")]
    Archive,
    /// A temporary file of a writer that works now or was killed.
    #[error("it is a temporary file of an interrupted command")]
    Temporary,
    /// A file of a name that the caller does not want: [`CollectOptions::leave_out`].
    #[error("no game asks for it")]
    Unwanted,
}

/// A path that cannot be packed.
#[derive(Debug)]
#[non_exhaustive]
pub struct CollectError {
    /// The path.
    pub path: PathBuf,
    /// Why it cannot be packed.
    pub kind: CollectErrorKind,
}

/// Why a path cannot be packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectErrorKind {
    /// The path is not below the folder that names are relative to.
    #[error("it is not in the folder that names are relative to, so it has no name")]
    NoName,
    /// The name of the file or folder is not UTF-8.
    #[error("the name is not UTF-8")]
    NotUtf8,
    /// The path is that of a device, a pipe or a socket.
    #[error("it is neither a file nor a folder")]
    NotRegular,
    /// The path is that of the archive that the files are for.
    #[error("it is the archive itself")]
    Archive,
    /// The system refuses.
    #[error("{0}")]
    Io(io::Error),
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", escape_path(&self.path), self.kind)
    }
}

impl std::error::Error for CollectError {}

/// Finds the files of these paths, each a file or a folder with all that is in it.
///
/// A name is the path relative to the root, with `/` between its parts and without `.` parts; `..` stays, for the
/// check of the writer to refuse. Nothing is opened or read but folders.
pub fn collect(paths: impl IntoIterator<Item = impl AsRef<Path>>, options: &CollectOptions) -> Collected {
    let archive = options.archive.as_deref().and_then(|path| Identity::at(path).ok());
    let mut collector = Collector { options, archive, found: Collected::default() };
    for path in paths {
        collector.add(path.as_ref());
    }
    collector.found
}

struct Collector<'o> {
    options: &'o CollectOptions,
    archive: Option<Identity>,
    found: Collected,
}

impl Collector<'_> {
    /// Adds a path that the caller names. A link is followed.
    fn add(&mut self, path: &Path) {
        let root = self.options.root.as_deref();
        // without "." parts, which messages need not show
        let start: PathBuf = root.unwrap_or(Path::new("")).join(path).components().collect();
        let name = match &self.options.name {
            Some(name) => Ok(name.clone()),
            None => name_of(root, path),
        };
        let found = match start.metadata() {
            Ok(found) => found,
            Err(error) => return self.fail(start, CollectErrorKind::Io(error)),
        };
        let name = match name {
            Ok(name) => name,
            Err(kind) => return self.fail(start, kind),
        };
        if found.is_dir() {
            return self.add_folder(&start, &name);
        }
        if !found.is_file() {
            return self.fail(start, CollectErrorKind::NotRegular);
        }
        match Identity::at(&start) {
            Err(error) => self.fail(start, CollectErrorKind::Io(error)),
            Ok(identity) if self.archive.as_ref() == Some(&identity) => {
                self.fail(start, CollectErrorKind::Archive);
            }
            Ok(identity) => {
                let (path, size) = (start, found.len());
                self.found.files.push(CollectedFile { name, path, size, identity, links: Links::Followed });
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
                    self.fail(path, CollectErrorKind::Io(error.into()));
                    continue;
                }
            };
            let kind = entry.file_type();
            if entry.file_name().to_str().is_none() {
                self.fail(entry.path().to_owned(), CollectErrorKind::NotUtf8);
                // each name below the folder would be another such error
                if kind.is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            if kind.is_dir() {
                continue;
            }
            match self.look(&entry) {
                Err(error) => self.fail(entry.into_path(), CollectErrorKind::Io(error)),
                Ok(Err(because)) => {
                    self.found.left_out.push(LeftOut { path: entry.into_path(), because });
                }
                Ok(Ok((size, identity))) => {
                    let path = entry.into_path();
                    let below = parts(path.strip_prefix(folder).unwrap_or(&path));
                    let parts = (!prefix.is_empty()).then(|| prefix.to_owned()).into_iter().chain(below);
                    let name = parts.collect::<Vec<_>>().join("/");
                    if self.options.leave_out.is_some_and(|unwanted| unwanted(&name)) {
                        self.found.left_out.push(LeftOut { path, because: LeftOutBecause::Unwanted });
                        continue;
                    }
                    self.found.files.push(CollectedFile {
                        name,
                        path,
                        size,
                        identity,
                        links: Links::Refused,
                    });
                }
            }
        }
    }

    /// The size and the identity of what a walk met, or why it is left out.
    fn look(&self, entry: &walkdir::DirEntry) -> io::Result<Result<(u64, Identity), LeftOutBecause>> {
        let kind = entry.file_type();
        if entry.file_name().to_str().is_some_and(atomic_file::is_temporary) {
            return Ok(Err(LeftOutBecause::Temporary));
        }
        if kind.is_symlink() {
            return Ok(Err(LeftOutBecause::Link));
        }
        if !kind.is_file() {
            return Ok(Err(LeftOutBecause::NotRegular));
        }
        let found = entry.metadata()?;
        let identity = Identity::at(entry.path())?;
        if self.archive.as_ref() == Some(&identity) {
            return Ok(Err(LeftOutBecause::Archive));
        }
        Ok(Ok((found.len(), identity)))
    }

    fn fail(&mut self, path: PathBuf, kind: CollectErrorKind) {
        self.found.errors.push(CollectError { path, kind });
    }
}

/// A path as a name.
fn name_of(root: Option<&Path>, path: &Path) -> Result<String, CollectErrorKind> {
    let absolute;
    let mut relative = path;
    if path.is_absolute() {
        absolute = std::path::absolute(root.unwrap_or(Path::new("."))).map_err(CollectErrorKind::Io)?;
        relative = path.strip_prefix(&absolute).map_err(|_| CollectErrorKind::NoName)?;
    }
    let name: Option<Vec<&str>> = relative.components().filter_map(part).map(OsStr::to_str).collect();
    Ok(name.ok_or(CollectErrorKind::NotUtf8)?.join("/"))
}

/// The parts of a path whose names are UTF-8.
fn parts(path: &Path) -> impl Iterator<Item = String> {
    path.components().filter_map(part).map(|part| part.to_string_lossy().into_owned())
}

/// A part of a path as a part of a name.
fn part(component: Component<'_>) -> Option<&OsStr> {
    if component == Component::CurDir { None } else { Some(component.as_os_str()) }
}

/// Whether a link in the place of a file is followed when the file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

impl CollectedFile {
    /// The content, opened when the entry is written.
    ///
    /// The file has to be the one that was found: what has taken its place since, such as another file, a link or a pipe,
    /// is an error and is not waited for. A file of another size is
    /// [`ErrorKind::ContentChanged`](crate::ErrorKind::ContentChanged).
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

/// Opens a file if it is the one that was found.
fn open_same(path: &Path, identity: &Identity, links: Links) -> io::Result<File> {
    // looked at first, since opening a device can do something to it
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
