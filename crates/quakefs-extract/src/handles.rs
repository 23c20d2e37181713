//! Folders by handle. Every step goes from an open folder to a name directly in it, and follows no link. If
//! another program replaces a folder by a link during the extraction, the step fails, and nothing is written
//! outside the destination.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use atomic_file::Identity;
use camino::Utf8Path;
use parking_lot::Mutex;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::step::{Blocked, LINK, Occupant};

/// The most folders that a walk keeps open, so that deep paths need few handles.
const OPEN: usize = 8;

/// Flags for opening folders. A handle from which only known names are opened needs no read permission.
#[cfg(any(target_os = "linux", target_os = "android"))]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The mode of a new file, before the umask.
const NEW_FILE: Mode = Mode::from_bits_retain(0o666);

/// The destination, held open.
pub(crate) struct Root {
    handle: OwnedFd,
    temporaries: Temporaries,
    /// Whether the file system can create a file without a name and name it later.
    unnamed: bool,
    /// Whether the content of a file is on the disk before the file gets its name.
    durable: bool,
    /// The folders whose abandoned temporary files were removed.
    swept: Mutex<HashSet<Vec<u8>>>,
}

/// Names for temporary files that no other process uses.
struct Temporaries {
    process: u64,
    count: AtomicU64,
}

impl Root {
    /// Opens the destination. If it is a link, the link is followed, because the caller named it.
    pub(crate) fn open(path: &Utf8Path) -> io::Result<Root> {
        let handle = rustix::fs::openat(CWD, path.as_str(), FOLDER, Mode::empty())?;
        let process = RandomState::new().hash_one(std::process::id());
        let temporaries = Temporaries { process, count: AtomicU64::new(0) };
        let unnamed = has_unnamed(handle.as_fd());
        Ok(Root { handle, temporaries, unnamed, durable: false, swept: Mutex::default() })
    }

    /// Sets whether the content of a file survives a power failure before the file gets its name.
    pub(crate) fn durable(self, durable: bool) -> Root {
        Root { durable, ..self }
    }

    /// Removes temporary files of killed processes from a folder, once for all threads.
    fn sweep(&self, path: &[u8], folder: BorrowedFd<'_>) {
        let mut swept = self.swept.lock();
        if !swept.contains(path) {
            remove_abandoned(folder, &self.temporaries);
            swept.insert(path.to_vec());
        }
    }
}

impl Temporaries {
    /// A name that [`atomic_file::is_temporary`] recognises.
    fn name(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{}{count:x}.tmp", self.prefix())
    }

    /// The prefix of this process's names.
    fn prefix(&self) -> String {
        format!(".quakefs-{:016x}-", self.process)
    }
}

/// A walk from folder to folder below the destination. It holds the folders from the destination down to the
/// current one; some in between may be closed.
pub(crate) struct Folders<'r> {
    root: &'r Root,
    open: Vec<(Vec<u8>, OwnedFd)>,
    /// Whether missing folders are created.
    creates: bool,
}

impl<'r> Folders<'r> {
    pub(crate) fn new(root: &'r Root) -> Self {
        Folders { root, open: Vec::new(), creates: true }
    }

    /// A walk that creates no folder.
    pub(crate) fn existing(root: &'r Root) -> Self {
        Folders { root, open: Vec::new(), creates: false }
    }

    /// Enters a folder by its path below the destination and, unless the walk is of existing folders, creates
    /// missing folders on the way. An error comes with the path of the folder that failed.
    pub(crate) fn enter(&mut self, path: &[u8]) -> Result<Folder<'_>, (Vec<u8>, Blocked)> {
        while self.open.last().is_some_and(|(open, _)| !is_in(path, open)) {
            self.open.pop();
        }
        let mut done = self.open.last().map_or(0, |(open, _)| open.len());
        while done < path.len() {
            // skips the slash
            let start = if done == 0 { 0 } else { done + 1 };
            let rest = path.get(start..).unwrap_or_default();
            let end = start + rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
            let here = path.get(..end).unwrap_or(path);
            let name = path.get(start..end).unwrap_or_default();
            let handle = open_folder(self.current(), name, self.creates)
                .map_err(|blocked| (here.to_vec(), blocked))?;
            if self.open.len() == OPEN {
                self.open.remove(OPEN - 1);
            }
            self.open.push((here.to_vec(), handle));
            done = end;
        }
        self.root.sweep(path, self.current());
        Ok(Folder { handle: self.current(), root: self.root })
    }

    fn current(&self) -> BorrowedFd<'_> {
        self.open.last().map_or(&self.root.handle, |(_, handle)| handle).as_fd()
    }
}

/// Whether a path is this folder or inside it.
fn is_in(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Opens a subfolder. If it is missing, creates it or fails.
fn open_folder(parent: BorrowedFd<'_>, name: &[u8], creates: bool) -> Result<OwnedFd, Blocked> {
    let open = || rustix::fs::openat(parent, name, FOLDER | OFlags::NOFOLLOW, Mode::empty());
    let error = match open() {
        Ok(handle) => return Ok(handle),
        Err(Errno::NOENT) if creates => {
            match rustix::fs::mkdirat(parent, name, Mode::from_raw_mode(0o777)) {
                // another thread may have been faster
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(Blocked::Io(error.into())),
            }
            match open() {
                Ok(handle) => return Ok(handle),
                Err(error) => error,
            }
        }
        Err(error) => error,
    };
    let found = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW);
    Err(match found.map(|found| FileType::from_raw_mode(found.st_mode)) {
        Ok(FileType::Symlink) => Blocked::Link,
        Ok(FileType::Directory) | Err(_) => Blocked::Io(error.into()),
        Ok(_) => Blocked::NotAFolder,
    })
}

/// A folder that is held open.
pub(crate) struct Folder<'f> {
    handle: BorrowedFd<'f>,
    root: &'f Root,
}

impl Folder<'_> {
    /// What the folder contains under this name.
    pub(crate) fn find(&self, name: &[u8]) -> io::Result<Occupant> {
        let stat = |flags| match rustix::fs::statat(self.handle, name, flags) {
            Ok(found) => Ok(Some(found)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(io::Error::from(error)),
        };
        let Some(found) = stat(AtFlags::SYMLINK_NOFOLLOW)? else { return Ok(Occupant::Nothing) };
        Ok(match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => Occupant::Folder,
            FileType::Symlink => match stat(AtFlags::empty()) {
                Ok(None) => Occupant::LostLink,
                // a link to a source archive is a name of the archive too
                led => Occupant::File(Some(identity(&led.ok().flatten().unwrap_or(found)))),
            },
            _ => Occupant::File(Some(identity(&found))),
        })
    }

    /// Creates a file, completely or not at all: without a name until it is complete, or as a temporary file
    /// that is then moved. An existing file is replaced only if `replace` is set.
    pub(crate) fn write<E: From<io::Error>>(
        &self,
        name: &[u8],
        replace: bool,
        content: impl FnOnce(&mut File) -> Result<u64, E>,
    ) -> Result<u64, E> {
        // a file without a name needs no lock and disappears if the process ends, but cannot replace another
        // file
        if !replace
            && self.root.unnamed
            && let Ok(mut file) = make_unnamed(self.handle)
        {
            let written = self.filled(&mut file, content)?;
            give_name(&file, self.handle, name).map_err(io::Error::from)?;
            return Ok(written);
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let (temporary, mut file) = loop {
            let name = self.root.temporaries.name();
            let opened = rustix::fs::openat(self.handle, name.as_str(), flags, NEW_FILE);
            let file = File::from(opened.map_err(io::Error::from)?);
            let temporary = Temporary { folder: self.handle, name, is_there: true };
            if atomic_file::hold_temporary(&file)? {
                break (temporary, file);
            }
        };
        let replaced = if replace { self.lock(name)? } else { None };
        let written = self.filled(&mut file, content)?;
        // the file is closed after the move, because its lock protects the temporary file until then
        temporary.move_to(name, replace).map_err(io::Error::from)?;
        // a child process that is just starting holds a copy of the open file for a moment, and with it the
        // lock
        let _ = file.unlock();
        let _ = replaced.map(|replaced| replaced.unlock());
        Ok(written)
    }

    fn filled<E: From<io::Error>>(
        &self,
        file: &mut File,
        content: impl FnOnce(&mut File) -> Result<u64, E>,
    ) -> Result<u64, E> {
        let written = content(file)?;
        if self.root.durable {
            file.sync_all()?;
        }
        Ok(written)
    }

    /// Makes the names in the folder survive a power failure.
    pub(crate) fn flush(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(readable(self.handle)?)?)
    }

    /// Opens a regular file. Follows no link and never waits for a pipe's writer.
    pub(crate) fn open(&self, name: &[u8]) -> io::Result<File> {
        // checked before opening, because opening a device can have effects
        regular(&rustix::fs::statat(self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.handle, name, flags, Mode::empty())?;
        regular(&rustix::fs::fstat(&file)?)?;
        Ok(file.into())
    }

    /// Removes a file that was opened by this name, unless the name is another file by now.
    pub(crate) fn remove(&self, name: &[u8], file: &File) -> io::Result<()> {
        let there = rustix::fs::statat(self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if identity(&there) != Identity::of(file)? {
            return Err(io::Error::other("another program replaced it"));
        }
        Ok(rustix::fs::unlinkat(self.handle, name, AtFlags::empty())?)
    }

    /// Removes an empty folder.
    pub(crate) fn remove_folder(&self, name: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self.handle, name, AtFlags::REMOVEDIR)?)
    }

    /// The names in the folder. Names that are not UTF-8 are skipped.
    pub(crate) fn names(&self) -> io::Result<HashSet<String>> {
        let mut names = HashSet::new();
        for entry in rustix::fs::Dir::new(readable(self.handle)?)? {
            names.extend(entry?.file_name().to_str().ok().map(str::to_owned));
        }
        Ok(names)
    }

    /// Renames within the folder and fails if the new name exists.
    /// [`Unsupported`](io::ErrorKind::Unsupported): this system or this disk cannot do that in one step.
    pub(crate) fn move_new(&self, from: &str, to: &str) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(self.handle, from, self.handle, to, flags) {
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
                moved => return Ok(moved?),
            }
        }
        let _ = (from, to);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames within the folder. A file with the new name is replaced.
    pub(crate) fn move_over(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(self.handle, from, self.handle, to)?)
    }

    /// Locks the regular file that will be replaced, as every writer of this project does. If this user may
    /// not open the file, it is not locked; then only the permissions of its folder decide.
    fn lock(&self, name: &[u8]) -> io::Result<Option<File>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        loop {
            let Ok(opened) = rustix::fs::openat(self.handle, name, flags, Mode::empty()) else {
                return Ok(None);
            };
            let found = rustix::fs::fstat(&opened)?;
            if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
                return Ok(None);
            }
            let file = File::from(opened);
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(io::Error::new(
                        io::ErrorKind::WouldBlock,
                        "another program is writing the file",
                    ));
                }
                Err(std::fs::TryLockError::Error(_)) => return Ok(None),
            }
            // the previous holder of the lock may have replaced the file
            match self.find(name)? {
                Occupant::File(there) if there == Some(identity(&found)) => return Ok(Some(file)),
                Occupant::File(_) => {}
                _ => return Ok(None),
            }
        }
    }
}

/// Whether the folder's file system can create a file without a name and name it later. True for most file
/// systems since Linux 6.10, and before that for root.
fn has_unnamed(folder: BorrowedFd<'_>) -> bool {
    // if naming by handle is allowed, the error is that `.` exists already
    make_unnamed(folder).is_ok_and(|file| give_name(&file, folder, b".") == Err(Errno::EXIST))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn make_unnamed(folder: BorrowedFd<'_>) -> Result<File, Errno> {
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    rustix::fs::openat(folder, ".", flags, NEW_FILE).map(File::from)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn give_name(file: &File, folder: BorrowedFd<'_>, name: &[u8]) -> Result<(), Errno> {
    rustix::fs::linkat(file, "", folder, name, AtFlags::EMPTY_PATH)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn make_unnamed(_: BorrowedFd<'_>) -> Result<File, Errno> {
    Err(Errno::NOTSUP)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn give_name(_: &File, _: BorrowedFd<'_>, _: &[u8]) -> Result<(), Errno> {
    Err(Errno::NOTSUP)
}

/// A folder with read permission, which its handle may lack.
fn readable(folder: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat(folder, ".", flags, Mode::empty())
}

/// Removes temporary files that no process holds, except this process's own. Files that cannot be listed or
/// removed stay.
fn remove_abandoned(folder: BorrowedFd<'_>, own: &Temporaries) {
    let Ok(entries) = readable(folder).and_then(rustix::fs::Dir::new) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().to_str() else { continue };
        if !atomic_file::is_temporary(name) || name.starts_with(&own.prefix()) {
            continue;
        }
        let is_file = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::RegularFile);
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = || rustix::fs::openat(folder, name, flags, Mode::empty()).map(File::from);
        if is_file
            && let Ok(file) = opened()
            && file.try_lock().is_ok()
        {
            let _ = rustix::fs::unlinkat(folder, name, AtFlags::empty());
        }
    }
}

/// Errors of file systems without hard links.
const NO_LINKS: [Errno; 5] = [Errno::PERM, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::MLINK];

/// A temporary file. It is removed on drop unless it was moved.
struct Temporary<'f> {
    folder: BorrowedFd<'f>,
    name: String,
    is_there: bool,
}

impl Temporary<'_> {
    fn move_to(mut self, name: &[u8], replace: bool) -> Result<(), Errno> {
        let from = self.name.as_str();
        if replace {
            rustix::fs::renameat(self.folder, from, self.folder, name)?;
            self.is_there = false;
            return Ok(());
        }
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            use rustix::fs::RenameFlags;
            match rustix::fs::renameat_with(self.folder, from, self.folder, name, RenameFlags::NOREPLACE) {
                Ok(()) => {
                    self.is_there = false;
                    return Ok(());
                }
                // an old kernel, or a file system without this flag
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
                Err(error) => return Err(error),
            }
        }
        match rustix::fs::linkat(self.folder, from, self.folder, name, AtFlags::empty()) {
            // no hard links here
            Err(error) if NO_LINKS.contains(&error) => self.move_to_claim(name),
            // the temporary name is removed when `self` is dropped
            linked => linked,
        }
    }

    /// Reserves the name with a new empty file (fails if it exists), then renames the temporary file over it.
    /// For exFAT, SMB and others that support neither renaming without replacement nor hard links.
    fn move_to_claim(mut self, name: &[u8]) -> Result<(), Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let claimed = rustix::fs::openat(self.folder, name, flags, NEW_FILE)?;
        let claim = identity(&rustix::fs::fstat(&claimed)?);
        // a program that ignores locks may have put its own file there in the meantime
        let is_claim = || {
            let there = rustix::fs::statat(self.folder, name, AtFlags::SYMLINK_NOFOLLOW);
            there.is_ok_and(|there| there.st_size == 0 && identity(&there) == claim)
        };
        if !is_claim() {
            return Err(Errno::EXIST);
        }
        let moved = rustix::fs::renameat(self.folder, self.name.as_str(), self.folder, name);
        if moved.is_err() && is_claim() {
            let _ = rustix::fs::unlinkat(self.folder, name, AtFlags::empty());
        }
        self.is_there = moved.is_err();
        moved
    }
}

/// Returns an error for anything except a regular file.
fn regular(found: &Stat) -> io::Result<()> {
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => Ok(()),
        FileType::Directory => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        FileType::Symlink => Err(io::Error::new(io::ErrorKind::InvalidInput, LINK)),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// The identity of an open file.
#[allow(clippy::unnecessary_cast, clippy::cast_sign_loss, reason = "systems differ in the widths of these")]
fn identity(found: &Stat) -> Identity {
    Identity::new(found.st_dev as u64, found.st_ino as u64)
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if self.is_there {
            // if this fails, a later run recognises the file by its name
            let _ = rustix::fs::unlinkat(self.folder, self.name.as_str(), AtFlags::empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn the_names_of_temporaries_are_recognised_and_differ() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(Utf8Path::from_path(folder.path()).unwrap()).unwrap();
        let (one, other) = (root.temporaries.name(), root.temporaries.name());
        assert!(atomic_file::is_temporary(&one) && one != other);
    }

    #[test]
    fn a_file_is_complete_or_missing_with_and_without_unnamed_files() {
        for unnamed in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let mut root = Root::open(Utf8Path::from_path(folder.path()).unwrap()).unwrap();
            root.unnamed &= unnamed;
            let mut folders = Folders::new(&root);
            let here = folders.enter(b"").map_err(|(path, _)| path).unwrap();
            let write = |name: &[u8], text: &[u8]| {
                here.write::<io::Error>(name, false, |to| to.write_all(text).map(|()| text.len() as u64))
            };
            assert_eq!(write(b"a", b"first").unwrap(), 5);
            assert_eq!(write(b"a", b"second").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            let cut = here.write::<io::Error>(b"b", false, |to| {
                to.write_all(b"half")?;
                Err(io::ErrorKind::StorageFull.into())
            });
            assert_eq!(cut.unwrap_err().kind(), io::ErrorKind::StorageFull);
            let left: Vec<_> =
                folder.path().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
            assert_eq!(left, ["a"]);
            assert_eq!(std::fs::read(folder.path().join("a")).unwrap(), b"first");
        }
    }

    #[test]
    fn a_walk_keeps_few_folders_open_and_finds_the_way_back() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::open(Utf8Path::from_path(folder.path()).unwrap()).unwrap();
        let mut folders = Folders::new(&root);
        let deep = ["d"; 40].join("/");
        for path in [&deep, "d/d/e", "", &deep, "dd", "d"] {
            let entered = folders.enter(path.as_bytes()).map_err(|(path, _)| path).unwrap();
            let name = format!("at-{}", path.len());
            let write = entered.write::<io::Error>(name.as_bytes(), true, |_| Ok(0));
            assert_eq!(write.unwrap(), 0);
            assert!(folder.path().join(path).join(name).is_file(), "{path}");
            assert!(folders.open.len() <= OPEN);
        }
    }
}
