//! A folder of a disk that ignores case and may fail: a FUSE file system over another folder.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use fuser::{
    BackgroundSession, BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags,
    Generation, INodeNo, LockOwner, MountOption, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyWrite, Request, Session, TimeOrNow, WriteFlags,
};
use tempfile::TempDir;

/// A folder on a disk that ignores case. As on exFAT, files have no hard links, and a rename supports no
/// flags.
#[derive(Debug)]
pub struct IgnoringCase {
    session: Option<BackgroundSession>,
    at: TempDir,
    below: TempDir,
    lost: Arc<Mutex<Lost>>,
}

/// Ranges of files that cannot be read.
type Lost = HashMap<PathBuf, Range<u64>>;

impl IgnoringCase {
    /// An empty folder; `None` if this user cannot mount.
    #[must_use]
    pub fn new() -> Option<IgnoringCase> {
        let (at, below) = (tempfile::tempdir().ok()?, tempfile::tempdir().ok()?);
        let lost = Arc::<Mutex<Lost>>::default();
        let filesystem =
            PassThrough { root: below.path().to_owned(), paths: Mutex::default(), lost: Arc::clone(&lost) };
        let mut config = Config::default();
        config.mount_options = vec![MountOption::FSName("ignoring-case".to_owned())];
        let session = Session::new(filesystem, at.path(), &config).ok()?.spawn().ok()?;
        Some(IgnoringCase { session: Some(session), at, below, lost })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.at.path()
    }

    /// The underlying folder, in which case matters.
    #[must_use]
    pub fn below(&self) -> &Path {
        self.below.path()
    }
}

impl IgnoringCase {
    /// Makes each read of these bytes of a file fail, like a damaged sector.
    pub fn lose(&self, name: &str, bytes: Range<u64>) {
        self.lost.lock().unwrap().insert(self.below.path().join(name), bytes);
    }
}

impl Drop for IgnoringCase {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            let _ = session.umount_and_join();
        }
    }
}

const TTL: Duration = Duration::ZERO;

struct PassThrough {
    root: PathBuf,
    /// The path of each known inode.
    paths: Mutex<HashMap<u64, PathBuf>>,
    lost: Arc<Mutex<Lost>>,
}

impl PassThrough {
    fn path(&self, number: INodeNo) -> Result<PathBuf, Errno> {
        if number == INodeNo::ROOT {
            return Ok(self.root.clone());
        }
        self.paths.lock().unwrap().get(&number.0).cloned().ok_or(Errno::ENOENT)
    }

    /// The path of a name in a folder, with the spelling of the folder if it contains the name.
    fn child(&self, parent: INodeNo, name: &OsStr) -> Result<PathBuf, Errno> {
        let folder = self.path(parent)?;
        let wanted = capitals(name);
        let names = fs::read_dir(&folder).map_err(errno)?.flatten().map(|entry| entry.file_name());
        let stored = names.into_iter().find(|stored| capitals(stored) == wanted);
        Ok(folder.join(stored.as_deref().unwrap_or(name)))
    }

    fn attributes(&self, path: PathBuf) -> Result<FileAttr, Errno> {
        let metadata = fs::metadata(&path).map_err(errno)?;
        let attributes = attributes(&metadata);
        self.paths.lock().unwrap().insert(attributes.ino.0, path);
        Ok(attributes)
    }
}

fn capitals(name: &OsStr) -> OsString {
    name.to_str().map_or_else(|| name.to_ascii_uppercase(), |name| name.to_uppercase().into())
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn errno(error: io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::EIO, Errno::from_i32)
}

fn attributes(metadata: &Metadata) -> FileAttr {
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    FileAttr {
        ino: INodeNo(metadata.ino()),
        size: metadata.len(),
        blocks: metadata.blocks(),
        atime: modified,
        mtime: modified,
        ctime: modified,
        crtime: modified,
        kind: if metadata.is_dir() { FileType::Directory } else { FileType::RegularFile },
        perm: u16::try_from(metadata.permissions().mode() & 0o777).unwrap(),
        nlink: 1,
        uid: metadata.uid(),
        gid: metadata.gid(),
        rdev: 0,
        blksize: 4096,
        flags: 0,
    }
}

fn entry(found: Result<FileAttr, Errno>, reply: ReplyEntry) {
    match found {
        Ok(attributes) => reply.entry(&TTL, &attributes, Generation(0)),
        Err(error) => reply.error(error),
    }
}

fn done(result: Result<(), Errno>, reply: ReplyEmpty) {
    match result {
        Ok(()) => reply.ok(),
        Err(error) => reply.error(error),
    }
}

impl Filesystem for PassThrough {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        entry(self.child(parent, name).and_then(|path| self.attributes(path)), reply);
    }

    fn getattr(&self, _: &Request, number: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.path(number).and_then(|path| fs::metadata(path).map_err(errno)) {
            Ok(metadata) => reply.attr(&TTL, &FileAttr { ino: number, ..attributes(&metadata) }),
            Err(error) => reply.error(error),
        }
    }

    fn setattr(
        &self,
        _: &Request,
        number: INodeNo,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        modified: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let set = |path: PathBuf| -> io::Result<FileAttr> {
            if let Some(size) = size {
                File::options().write(true).open(&path)?.set_len(size)?;
            }
            if let Some(TimeOrNow::SpecificTime(time)) = modified {
                File::options().write(true).open(&path)?.set_modified(time)?;
            }
            Ok(FileAttr { ino: number, ..attributes(&fs::metadata(path)?) })
        };
        match self.path(number).and_then(|path| set(path).map_err(errno)) {
            Ok(attributes) => reply.attr(&TTL, &attributes),
            Err(error) => reply.error(error),
        }
    }

    fn mkdir(&self, _: &Request, parent: INodeNo, name: &OsStr, _: u32, _: u32, reply: ReplyEntry) {
        let made = self.child(parent, name).and_then(|path| {
            fs::create_dir(&path).map_err(errno)?;
            self.attributes(path)
        });
        entry(made, reply);
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        done(self.child(parent, name).and_then(|path| fs::remove_file(path).map_err(errno)), reply);
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        done(self.child(parent, name).and_then(|path| fs::remove_dir(path).map_err(errno)), reply);
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let rename = || {
            if !flags.is_empty() {
                return Err(Errno::EINVAL);
            }
            let (from, there) = (self.child(parent, name)?, self.child(new_parent, new_name)?);
            // a rename to another spelling of the same file changes its name; another file is replaced and
            // keeps its spelling
            let to = if there == from { self.path(new_parent)?.join(new_name) } else { there };
            fs::rename(&from, &to).map_err(errno)?;
            for path in self.paths.lock().unwrap().values_mut() {
                if let Ok(rest) = path.strip_prefix(&from) {
                    *path = if rest.as_os_str().is_empty() { to.clone() } else { to.join(rest) };
                }
            }
            Ok(())
        };
        done(rename(), reply);
    }

    fn read(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let read = |path: PathBuf| {
            let lost = self.lost.lock().unwrap().get(&path).cloned().unwrap_or_default();
            if offset < lost.end && lost.start < offset.saturating_add(size.into()) {
                return Err(Errno::EIO);
            }
            let mut bytes = vec![0; size as usize];
            let count = File::open(path).and_then(|file| file.read_at(&mut bytes, offset)).map_err(errno)?;
            bytes.truncate(count);
            Ok(bytes)
        };
        match self.path(number).and_then(read) {
            Ok(bytes) => reply.data(&bytes),
            Err(error) => reply.error(error),
        }
    }

    fn write(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let write = |path| File::options().write(true).open(path)?.write_at(data, offset);
        match self.path(number).and_then(|path| write(path).map_err(errno)) {
            Ok(count) => reply.written(u32::try_from(count).unwrap()),
            Err(error) => reply.error(error),
        }
    }

    fn create(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: i32,
        reply: ReplyCreate,
    ) {
        let created = self.child(parent, name).and_then(|path| {
            let mut options = File::options();
            options.write(true).create(true).mode(mode).open(&path).map_err(errno)?;
            self.attributes(path)
        });
        match created {
            Ok(attributes) => {
                reply.created(&TTL, &attributes, Generation(0), FileHandle(0), FopenFlags::empty());
            }
            Err(error) => reply.error(error),
        }
    }

    fn readdir(&self, _: &Request, number: INodeNo, _: FileHandle, offset: u64, mut reply: ReplyDirectory) {
        let list = |path: PathBuf| -> io::Result<Vec<(OsString, FileType)>> {
            let entries = fs::read_dir(path)?.map(|entry| {
                let entry = entry?;
                let kind =
                    if entry.file_type()?.is_dir() { FileType::Directory } else { FileType::RegularFile };
                Ok((entry.file_name(), kind))
            });
            entries.collect()
        };
        let mut names = match self.path(number).and_then(|path| list(path).map_err(errno)) {
            Ok(names) => names,
            Err(error) => return reply.error(error),
        };
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        let dots = [".", ".."].map(|name| (OsString::from(name), FileType::Directory));
        let skipped = usize::try_from(offset).unwrap();
        for ((name, kind), next) in dots.into_iter().chain(names).zip(1..).skip(skipped) {
            if reply.add(INodeNo(u64::MAX), next, kind, name) {
                break;
            }
        }
        reply.ok();
    }
}
