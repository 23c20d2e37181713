//! Disks: folders and files of the system, in memory, in an archive, or of the caller's own.

pub(crate) mod access;
mod archive;
mod memory;
mod moved;
mod overlay;
mod spelled;
#[cfg(feature = "fs")]
mod system;
mod tree;
mod walk;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

pub(crate) use self::access::Access;
pub use self::archive::ArchiveDisk;
pub use self::memory::MemoryDisk;
pub use self::moved::Moved;
pub use self::overlay::Overlay;
pub use self::spelled::on_host;
pub(crate) use self::spelled::{SpelledAs, Stored, as_stored};
#[cfg(feature = "fs")]
pub use self::system::SystemDisk;
pub(crate) use self::walk::{NotWalked, Walk, Walked};
use crate::data::FileData;
use crate::finding::Finding;
use crate::rules::Spelling;
use crate::rules::order::sort_by_name;

/// Where a link leads that leads to nothing, as it is written in the link.
pub(crate) fn broken_link(disk: &dyn Disk, path: &Path) -> Option<String> {
    let target = disk.link_target(path)?;
    disk.stat(path).is_err().then(|| target.to_string_lossy().into_owned())
}

/// The folders and files that an engine sees.
///
/// A search path uses its disk for everything: to find game directories and archives, to look up loose files,
/// and to write. A path is the base directory's followed by `/` and names. Names are bytes on systems with
/// such paths, and UTF-8 elsewhere. Three functions are required.
///
/// ```
/// use std::{io, path::Path};
/// use quakefs::disk::{Content, Disk, FileKind, Item, Opened, Stat};
/// use quakefs::{Access, FileData, SearchPath};
///
/// /// A disk with one file, `id1/autoexec.cfg`.
/// #[derive(Debug)]
/// struct OneFile;
///
/// const TEXT: &[u8] = b"echo built in\n";
///
/// impl Disk for OneFile {
///     fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
///         match folder.to_str() {
///             Some("base") => Ok(vec![Item { name: b"id1".into(), kind: FileKind::Folder }]),
///             Some("base/id1") => Ok(vec![Item { name: b"autoexec.cfg".into(), kind: FileKind::File }]),
///             _ => Err(io::ErrorKind::NotFound.into()),
///         }
///     }
///     fn stat(&self, path: &Path) -> io::Result<Stat> {
///         match path.to_str() {
///             Some("base" | "base/id1") => Ok(Stat::new(FileKind::Folder, 0)),
///             Some("base/id1/autoexec.cfg") => Ok(Stat::new(FileKind::File, TEXT.len() as u64)),
///             _ => Err(io::ErrorKind::NotFound.into()),
///         }
///     }
///     fn open(&self, path: &Path, _: Access) -> io::Result<Opened> {
///         Ok(Opened { stat: self.stat(path)?, content: Content::Bytes(FileData::from(TEXT)) })
///     }
/// }
///
/// let quake = SearchPath::builder("base").disk(OneFile).mount()?;
/// assert_eq!(quake.read("autoexec.cfg")?, "echo built in\n");
/// # Ok::<(), quakefs::Error>(())
/// ```
pub trait Disk: fmt::Debug + Send + Sync {
    /// Lists the items directly in a folder, in any order.
    ///
    /// # Errors
    /// The folder does not exist or cannot be listed.
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>>;

    /// Lists the items directly in a folder whose names equal this one in any case and form
    /// ([`IgnoresCaseAndForm`](Spelling::IgnoresCaseAndForm)), in any order. The default filters
    /// [`list`](Self::list).
    ///
    /// # Errors
    /// The errors of [`list`](Self::list).
    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        let mut items = self.list(folder)?;
        items.retain(|item| Spelling::IgnoresCaseAndForm.same(&item.name, name));
        Ok(items)
    }

    /// The disk for names below a folder that are spelled as [`list`](Self::list) returned them, and the
    /// folder's path on it. A disk that compares names by another rule looks for each part of a path; this
    /// one need not. The default is `None`.
    fn as_listed(&self, folder: &Path) -> Option<(Arc<dyn Disk>, PathBuf)> {
        let _ = folder;
        None
    }

    /// The status of a path. Links are followed.
    ///
    /// # Errors
    /// [`NotFound`](io::ErrorKind::NotFound) if the path does not exist, and any other error of the lookup.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Opens a regular file. Must not wait for a pipe's writer, because lookups open files without calling
    /// `stat` first. `access` is a hint: a disk in memory may ignore it.
    ///
    /// # Errors
    /// The path is not a regular file, or cannot be opened for reading.
    fn open(&self, path: &Path, access: Access) -> io::Result<Opened>;

    /// The first bytes of a regular file; fewer only at its end. The default opens the file. A disk that
    /// decodes files decodes only these bytes.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open), and of reading.
    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        let opened = self.open(path, Access::Read)?;
        let length = opened.stat.size.min(length as u64);
        bytes_at(opened.content.as_file(), 0, length)
    }

    /// Whether a regular file can be opened for reading or a folder can be listed. The default tries.
    fn can_read(&self, path: &Path) -> bool {
        self.open(path, Access::Read).is_ok() || self.list(path).is_ok()
    }

    /// Where a symbolic link leads, as it is written in the link; `None` if the path is no link. The default
    /// returns `None`.
    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let _ = path;
        None
    }

    /// How names in a folder compare. `has` is a name in it, in the folder's spelling, or empty if none is
    /// known; it saves listing the folder. The default looks the name up in another case.
    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        spelled::ask(self, folder, has)
    }

    /// Makes a path absolute. The default returns it unchanged.
    ///
    /// # Errors
    /// The current folder is unknown.
    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        Ok(path.to_owned())
    }

    /// The path of a folder with links resolved. A walk uses it to notice circles. The default returns the
    /// path unchanged.
    ///
    /// # Errors
    /// The path does not exist.
    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.stat(path).map(|_| path.to_owned())
    }

    /// The path on this computer, for other programs. The default is `None`.
    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        let _ = path;
        None
    }

    /// Creates a folder that is `root` or below it, with missing parents. Links that lead out of `root` are
    /// not followed. The default does not support writing.
    ///
    /// # Errors
    /// [`Unsupported`](io::ErrorKind::Unsupported) if the disk is read-only, and any error of creating the
    /// folder.
    fn make_folder(&self, root: &Path, folder: &Path) -> io::Result<()> {
        let _ = (root, folder);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Starts to write or replace a file, completely or not at all. A link at the path is replaced, not
    /// followed. The default does not support writing.
    ///
    /// # Errors
    /// The errors of [`make_folder`](Self::make_folder).
    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        let _ = path;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Removes a file below `root`. Links that lead out of `root` are not followed. The default does not
    /// support writing.
    ///
    /// # Errors
    /// The errors of [`create_file`](Self::create_file), and [`NotFound`](io::ErrorKind::NotFound) if the
    /// path is not a file.
    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        let _ = (root, path);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Items that the disk itself skips, such as archive entries whose names are not paths. By default there
    /// are none.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
}

impl<D: Disk + ?Sized> Disk for Arc<D> {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        (**self).list(folder)
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        (**self).list_any_case(folder, name)
    }

    fn as_listed(&self, folder: &Path) -> Option<(Arc<dyn Disk>, PathBuf)> {
        (**self).as_listed(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        (**self).stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        (**self).open(path, access)
    }

    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        (**self).start(path, length)
    }

    fn can_read(&self, path: &Path) -> bool {
        (**self).can_read(path)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        (**self).link_target(path)
    }

    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        (**self).spelling(folder, has)
    }

    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        (**self).absolute(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        (**self).real(path)
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        (**self).system_path(path)
    }

    fn make_folder(&self, root: &Path, folder: &Path) -> io::Result<()> {
        (**self).make_folder(root, folder)
    }

    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        (**self).create_file(path)
    }

    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        (**self).remove_file(root, path)
    }

    fn findings(&self) -> Vec<Finding> {
        (**self).findings()
    }
}

/// A file that is being written. Dropped without a commit, it leaves the disk unchanged.
pub trait NewFile: io::Write + io::Seek + Send {
    /// Puts the file in its place. With `durable` it survives a power failure from then on.
    ///
    /// # Errors
    /// The file cannot be put in its place or flushed.
    fn commit(self: Box<Self>, durable: bool) -> io::Result<()>;
}

/// A path on this computer, for other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemPath {
    /// The path of the file or folder itself.
    File(PathBuf),
    /// The path of an archive that contains it.
    Inside(PathBuf),
}

impl SystemPath {
    /// The path of the file or folder itself.
    #[must_use]
    pub fn file(self) -> Option<PathBuf> {
        match self {
            SystemPath::File(path) => Some(path),
            SystemPath::Inside(_) => None,
        }
    }

    /// The path of the file that contains the bytes.
    pub(crate) fn source(self) -> PathBuf {
        match self {
            SystemPath::File(path) | SystemPath::Inside(path) => path,
        }
    }
}

/// An item of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// The name in the disk's spelling.
    pub name: Vec<u8>,
    /// The kind. Links are not followed.
    pub kind: FileKind,
}

/// The kind of an item on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link. Only [`list`](Disk::list) returns this, because [`stat`](Disk::stat) follows links.
    Link,
    /// A pipe. Opening it would wait for a writer.
    Pipe,
    /// A socket or a device.
    Special,
}

/// The status of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stat {
    /// The kind.
    pub kind: FileKind,
    /// The size of a file in bytes.
    pub size: u64,
    /// The modification time, if the disk knows it.
    pub modified: Option<SystemTime>,
    /// Device and file number. Files with different identities differ. A disk without modification times must
    /// change the identity on every write; with neither, every remount sees all files as changed.
    pub identity: Option<(u64, u64)>,
}

impl Stat {
    /// A status with this kind and size, without time and identity.
    #[must_use]
    pub fn new(kind: FileKind, size: u64) -> Stat {
        Stat { kind, size, modified: None, identity: None }
    }

    /// Distinguishes this state of the file from others of the same size; `None` if the disk has neither
    /// times nor identities.
    pub(crate) fn version(&self) -> Option<Version> {
        let number = || self.identity.map(|(_, number)| Version::Number(number));
        self.modified.map(Version::Modified).or_else(number)
    }

    pub(crate) fn is_file(&self) -> bool {
        self.kind == FileKind::File
    }

    pub(crate) fn is_folder(&self) -> bool {
        self.kind == FileKind::Folder
    }
}

/// A state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    Modified(SystemTime),
    /// The file number, on a disk without times.
    Number(u64),
}

impl Version {
    pub(crate) fn time(self) -> Option<SystemTime> {
        match self {
            Version::Modified(time) => Some(time),
            Version::Number(_) => None,
        }
    }
}

/// An open file.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The status of the opened file.
    pub stat: Stat,
    /// Its bytes.
    pub content: Content,
}

/// The bytes of an open file.
#[derive(Clone, Debug)]
pub enum Content {
    /// Bytes in memory or mapped.
    Bytes(FileData),
    /// [`Stat::size`] bytes that are read by position.
    At(Arc<dyn ReadAt>),
}

impl Content {
    pub(crate) fn as_file(&self) -> &dyn ReadAt {
        match self {
            Content::Bytes(bytes) => bytes,
            Content::At(file) => &**file,
        }
    }
}

/// Bytes that are read by position, such as a file, a browser's `Blob` or a part of another file.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// Reads bytes from an offset into `buffer` and returns how many, 0 at and after the end.
    ///
    /// # Errors
    /// The bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Fills the buffer from an offset, except at the end, and returns the number of bytes.
    ///
    /// # Errors
    /// As [`read_at`](Self::read_at).
    fn fill_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
            match self.read_at(room, offset.saturating_add(filled as u64)) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

/// Opens a file of unknown kind, such as one that a user named. A device is never opened, because opening it
/// can have effects.
pub(crate) fn open_named(disk: &dyn Disk, path: &Path, access: Access) -> io::Result<Opened> {
    match disk.stat(path)?.kind {
        FileKind::Pipe | FileKind::Special => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
        }
        _ => disk.open(path, access),
    }
}

/// The direct subfolders of a folder, including links to folders, in byte order. Names that are not UTF-8 are
/// left out.
///
/// # Errors
/// The folder cannot be listed.
pub fn folders_in(disk: &dyn Disk, folder: &Utf8Path) -> io::Result<Vec<String>> {
    names_in(disk, folder, &|name, kind| match kind {
        FileKind::Link => disk.stat(folder.join(name).as_std_path()).is_ok_and(|stat| stat.is_folder()),
        kind => kind == FileKind::Folder,
    })
}

/// The names directly in a folder that the filter accepts, in byte order.
pub(crate) fn names_in(
    disk: &dyn Disk,
    folder: &Utf8Path,
    wanted: &dyn Fn(&str, FileKind) -> bool,
) -> io::Result<Vec<String>> {
    let items = disk.list(folder.as_std_path())?.into_iter();
    let names = items.filter_map(|item| Some((String::from_utf8(item.name).ok()?, item.kind)));
    let mut names: Vec<_> = names.filter(|(name, kind)| wanted(name, *kind)).map(|(name, _)| name).collect();
    sort_by_name(&mut names, String::as_bytes);
    Ok(names)
}

/// Allocations of at least this size are tried first, so that a lack of memory is an error and does not end
/// the process.
const LARGE: usize = 64 << 20;

/// Reads this many bytes from an offset; fewer only at the end.
pub(crate) fn bytes_at(file: &dyn ReadAt, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    if length >= LARGE {
        Vec::<u8>::new().try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    }
    let mut bytes = vec![0; length];
    let filled = file.fill_at(&mut bytes, offset)?;
    bytes.truncate(filled);
    Ok(bytes)
}

impl ReadAt for FileData {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..));
        io::Read::read(&mut rest.unwrap_or_default(), buffer)
    }
}

/// A stream over an open file.
#[derive(Debug)]
pub(crate) struct Positioned {
    content: Content,
    size: u64,
    place: u64,
}

impl From<Opened> for Positioned {
    fn from(opened: Opened) -> Self {
        Positioned { content: opened.content, size: opened.stat.size, place: 0 }
    }
}

impl io::Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.as_file().read_at(buffer, self.place)?;
        self.place += count as u64;
        Ok(count)
    }
}

impl io::Seek for Positioned {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let place = match to {
            io::SeekFrom::Start(place) => Some(place),
            io::SeekFrom::Current(by) => self.place.checked_add_signed(by),
            io::SeekFrom::End(by) => self.size.checked_add_signed(by),
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}

/// Calls `with` with the path of a name below a folder. Does not allocate for paths of usual length. Returns
/// `None` if the name is not a valid path on this system.
#[cfg(unix)]
pub(crate) fn with_path<T>(root: &Path, name: &[u8], with: impl FnOnce(&Path) -> T) -> Option<T> {
    // the standard library uses the same limit for paths on the stack
    const USUAL: usize = 384;
    let root = root.as_os_str().as_encoded_bytes();
    let mut space = [0; USUAL];
    let long;
    let path = if name.is_empty() {
        root
    } else if root.is_empty() {
        name
    } else if let Some(path) = space.get_mut(..root.len() + 1 + name.len())
        && let Some((start, rest)) = path.split_at_mut_checked(root.len())
        && let Some((slash, end)) = rest.split_first_mut()
    {
        start.copy_from_slice(root);
        *slash = b'/';
        end.copy_from_slice(name);
        &*path
    } else {
        long = [root, b"/", name].concat();
        &long
    };
    path_of(path).map(with)
}

/// As on Unix, but names must be UTF-8 without `\` and `:`, which have a meaning there.
#[cfg(not(unix))]
pub(crate) fn with_path<T>(root: &Path, name: &[u8], with: impl FnOnce(&Path) -> T) -> Option<T> {
    if name.is_empty() { Some(with(root)) } else { Some(with(&root.join(path_of(name)?))) }
}

/// A name as a path; `None` if it cannot be one.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some names are no paths")]
pub(crate) fn path_of(name: &[u8]) -> Option<&Path> {
    Some(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)))
}

#[cfg(not(unix))]
pub(crate) fn path_of(name: &[u8]) -> Option<&Path> {
    std::str::from_utf8(name).ok().filter(|name| !name.contains(['\\', ':'])).map(Path::new)
}

/// The bytes of a name on a disk; `None` if it is not UTF-8 on a system that requires that.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some names are no bytes")]
pub(crate) fn bytes_of(name: &std::ffi::OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
pub(crate) fn bytes_of(name: &std::ffi::OsStr) -> Option<&[u8]> {
    name.to_str().map(str::as_bytes)
}

/// The folder of a path, empty at the root, and the name in it.
pub(crate) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    let (folder, name) = match slash {
        Some(slash) => (path.get(..slash), path.get(slash + 1..)),
        None => (None, Some(path)),
    };
    (folder.unwrap_or_default(), name.unwrap_or_default())
}
