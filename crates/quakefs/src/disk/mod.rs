//! What a stack stands on: folders and files, of the system, in memory, in an archive, or of a caller's own.

mod archive;
mod memory;
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

pub use self::archive::ArchiveDisk;
pub use self::memory::MemoryDisk;
pub use self::overlay::Overlay;
pub use self::spelled::{SpelledAs, on_host};
pub(crate) use self::spelled::{Stored, as_stored};
#[cfg(feature = "fs")]
pub use self::system::SystemDisk;
pub(crate) use self::walk::{NotWalked, Walk, Walked};
use crate::data::FileData;
use crate::finding::Finding;
use crate::rules::Spelling;

/// Folders and files as an engine meets them.
///
/// A stack asks its disk for everything: which game directories there are, which archives lie in them, and what is at
/// the path of a loose file; it also writes there. A path is the base directory's with `/` and names after it; names are
/// bytes where the system has such paths, and UTF-8 elsewhere. Three functions are required.
///
/// ```
/// use std::{io, path::Path};
/// use quakefs::disk::{Access, Content, Disk, FileKind, Item, Opened, Stat};
/// use quakefs::{FileData, SearchPath};
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
    /// What is straight in a folder, in any order.
    ///
    /// # Errors
    /// Where there is no such folder, or it cannot be listed.
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>>;

    /// What is straight in a folder under names that are equal to this one but for ASCII case, in any order. The default lists
    /// the folder.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        let mut items = self.list(folder)?;
        items.retain(|item| item.name.eq_ignore_ascii_case(name));
        Ok(items)
    }

    /// What is at a path, where links lead.
    ///
    /// # Errors
    /// [`NotFound`](io::ErrorKind::NotFound) where there is nothing, and whatever keeps the path from being looked up.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Opens a regular file. Another thing at the path is an error, and no pipe is waited for: a lookup for a caller that reads next
    /// asks by opening. `access` is a wish: a disk may lend bytes that it has in memory either way.
    ///
    /// # Errors
    /// Where there is no regular file, or it cannot be opened for reading.
    fn open(&self, path: &Path, access: Access) -> io::Result<Opened>;

    /// Whether a regular file can be opened for reading, or a folder listed. The default tries it.
    fn can_read(&self, path: &Path) -> bool {
        self.open(path, Access::Read).is_ok() || self.list(path).is_ok()
    }

    /// Whether a symbolic link is at a path, wherever it leads. The default knows no links.
    fn is_link(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// How the names in a folder compare. `has` is a name in it, as the folder spells it, so that the folder need not be
    /// listed; empty where none is known. The default asks for the name in another case.
    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        spelled::ask(self, folder, has)
    }

    /// A path from the root of the disk. The default knows no current folder, and gives the path as it is.
    ///
    /// # Errors
    /// Where the disk cannot say.
    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        Ok(path.to_owned())
    }

    /// The path of a folder without links, by which a walk sees that it runs in circles. The default knows no links.
    ///
    /// # Errors
    /// Where there is nothing at the path.
    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.stat(path).map(|_| path.to_owned())
    }

    /// Where other programs find a file or folder on this computer. The default is nowhere.
    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        let _ = path;
        None
    }

    /// Makes a folder that is `root` or below it, and those on the way to it; no link leads out of `root`. The default makes none.
    ///
    /// # Errors
    /// [`Unsupported`](io::ErrorKind::Unsupported) where the disk is not written to, and whatever keeps the folder from being made.
    fn make_folder(&self, root: &Path, folder: &Path) -> io::Result<()> {
        let _ = (root, folder);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Puts a file into a folder, in the place of the file that is there: whole, or not at all. A link in its place is replaced and
    /// not followed. The default writes nothing.
    ///
    /// # Errors
    /// As [`make_folder`](Self::make_folder).
    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let _ = (path, bytes);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Removes a file below `root`; no link leads out of `root`. The default removes nothing.
    ///
    /// # Errors
    /// As [`write_file`](Self::write_file), and [`NotFound`](io::ErrorKind::NotFound) where no file is at the path.
    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        let _ = (root, path);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// What the disk itself leaves out, such as entries of an archive whose names are no paths. By default nothing.
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

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        (**self).stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        (**self).open(path, access)
    }

    fn can_read(&self, path: &Path) -> bool {
        (**self).can_read(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        (**self).is_link(path)
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

    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        (**self).write_file(path, bytes)
    }

    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        (**self).remove_file(root, path)
    }

    fn findings(&self) -> Vec<Finding> {
        (**self).findings()
    }
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

    /// The path of the file that holds the bytes.
    #[must_use]
    pub fn source(self) -> PathBuf {
        match self {
            SystemPath::File(path) | SystemPath::Inside(path) => path,
        }
    }
}

/// What is straight in a folder under one name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// The name, as the disk spells it.
    pub name: Vec<u8>,
    /// What has the name; a link is a link, wherever it leads.
    pub kind: FileKind,
}

/// What a name on a disk stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link. Only a list has links: a [`look`](Disk::stat) follows them.
    Link,
    /// A pipe: whoever opens it waits for a writer.
    Pipe,
    /// A socket or a device.
    Special,
}

/// What a disk says of one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stat {
    /// What is there.
    pub kind: FileKind,
    /// Bytes in a file.
    pub size: u64,
    /// When a file was last modified, where the disk knows that.
    pub modified: Option<SystemTime>,
    /// Device and number of the file, where the disk has them: two files of other numbers are not the same. A disk without times
    /// gives a file that was written to another number: without both, each remount takes all files for changed.
    pub identity: Option<(u64, u64)>,
}

impl Stat {
    /// A thing of this kind and size, without a time.
    #[must_use]
    pub fn new(kind: FileKind, size: u64) -> Stat {
        Stat { kind, size, modified: None, identity: None }
    }

    /// What tells this state of the file from another one of its size; `None` where the disk knows nothing of the kind.
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
    /// The number of the file, on a disk that knows no times.
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

/// A file that is open.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What the disk says of the file that was opened.
    pub stat: Stat,
    /// Its bytes.
    pub content: Content,
}

/// The bytes of an open file.
#[derive(Clone, Debug)]
pub enum Content {
    /// In memory, or mapped.
    Bytes(FileData),
    /// Read by position: as many as [`Stat::size`] says.
    At(Arc<dyn ReadAt>),
}

impl Content {
    /// Reads as much from an offset as there is room for, or less at the end.
    pub(crate) fn fill_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Content::Bytes(bytes) => bytes.read_at(buffer, offset),
            Content::At(file) => fill_at(&**file, buffer, offset),
        }
    }
}

/// Bytes that are read by position: a file, a browser's `Blob`, a part of another file.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// Reads bytes from an offset into `buffer`, and gives how many; none at and after the end.
    ///
    /// # Errors
    /// Where the bytes cannot be read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

/// Opens a file that was not looked at, such as one that a person named. A device is not opened at all, since that can do something to
/// it.
pub(crate) fn open_named(disk: &dyn Disk, path: &Path, access: Access) -> io::Result<Opened> {
    match disk.stat(path)?.kind {
        FileKind::Pipe | FileKind::Special => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
        }
        _ => disk.open(path, access),
    }
}

/// Reads as much as there is room for, or less at the end.
pub(crate) fn fill_at(file: &dyn ReadAt, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match file.read_at(room, offset.saturating_add(filled as u64)) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// From here on room is asked for before it is taken: where the system refuses it, that is an error and not the end of the process.
const LARGE: usize = 64 << 20;

/// This many bytes from an offset, or fewer at the end.
pub(crate) fn bytes_at(file: &dyn ReadAt, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    if length >= LARGE {
        Vec::<u8>::new().try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    }
    let mut bytes = vec![0; length];
    let filled = fill_at(file, &mut bytes, offset)?;
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
        let count = match &self.content {
            Content::Bytes(bytes) => bytes.read_at(buffer, self.place)?,
            Content::At(file) => file.read_at(buffer, self.place)?,
        };
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

/// How archives on a disk are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// Archives are mapped into memory: nothing is copied, and stored files are lent. If another program cuts a
    /// mapped file short, or the disk fails, touching the bytes that are gone ends the process. An archive of up to 16 KiB is read.
    #[default]
    Map,
    /// Archives are read by position: the directory at the mount, a payload when it is asked for. For folders that
    /// other programs write to. A mounted entry then costs the memory of its row too.
    Read,
}

/// Calls `with` with the path of a name below a folder, without allocating where the path is of usual length; `None` where
/// the name is no path of the system.
#[cfg(unix)]
pub(crate) fn with_path<T>(root: &Path, name: &[u8], with: impl FnOnce(&Path) -> T) -> Option<T> {
    // the standard library keeps a path of up to 384 bytes on the stack too
    const USUAL: usize = 384;
    if name.is_empty() {
        return Some(with(root));
    }
    let root = root.as_os_str().as_encoded_bytes();
    if root.is_empty() {
        return path_of(name).map(with);
    }
    let mut space = [0; USUAL];
    let length = root.len() + 1 + name.len();
    if let Some(path) = space.get_mut(..length)
        && let Some((start, rest)) = path.split_at_mut_checked(root.len())
        && let Some((slash, end)) = rest.split_first_mut()
    {
        start.copy_from_slice(root);
        *slash = b'/';
        end.copy_from_slice(name);
        return path_of(path).map(with);
    }
    path_of(&[root, b"/", name].concat()).map(with)
}

/// As on Unix, but that names are UTF-8 and may hold neither `\` nor `:`, which mean something there.
#[cfg(not(unix))]
pub(crate) fn with_path<T>(root: &Path, name: &[u8], with: impl FnOnce(&Path) -> T) -> Option<T> {
    if name.is_empty() { Some(with(root)) } else { Some(with(&root.join(path_of(name)?))) }
}

/// A name as a path; `None` where it cannot be one.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some names are no paths")]
pub(crate) fn path_of(name: &[u8]) -> Option<&Path> {
    Some(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)))
}

#[cfg(not(unix))]
pub(crate) fn path_of(name: &[u8]) -> Option<&Path> {
    std::str::from_utf8(name).ok().filter(|name| !name.contains(['\\', ':'])).map(Path::new)
}

/// The bytes of a name on a disk; `None` where it is not UTF-8 on a system that has no others.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere some names are no bytes")]
pub(crate) fn bytes_of(name: &std::ffi::OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
pub(crate) fn bytes_of(name: &std::ffi::OsStr) -> Option<&[u8]> {
    name.to_str().map(str::as_bytes)
}
