//! Answers the system's FUSE requests from the view.

use std::collections::HashMap;
use std::error::Error as _;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, LockOwner, OpenFlags,
    ReplyAttr, ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, Request,
};
use parking_lot::{Mutex, RwLock};
use quakefs::Error;

use crate::inodes::Inodes;
use crate::opened::{ContentKey, Handles};
use crate::view::{Child, Node, View, join};

/// How long the system caches that a name is a file. Zero, because a loose file may change at any moment.
const FILE: Duration = Duration::ZERO;

/// How long the system caches that a name is a folder. This saves looking up the path of a folder for each of
/// its files. The folder's contents are not cached.
const FOLDER: Duration = Duration::from_millis(100);

/// How long the system caches a size and a time. Opening a file or a `stat` by path looks up the name first,
/// which refreshes both.
const ATTRIBUTES: Duration = Duration::from_millis(100);

const BLOCK: u64 = 512;

/// The current view.
pub(crate) type CurrentView = Arc<RwLock<Arc<View>>>;

pub(crate) struct ViewFilesystem {
    shown: CurrentView,
    owner: (u32, u32),
    mounted: SystemTime,
    inodes: Mutex<Inodes>,
    handles: Mutex<Handles>,
    lists: Mutex<Lists>,
}

/// Folders that programs are listing. Each list is a snapshot from its start.
#[derive(Default)]
struct Lists {
    open: HashMap<u64, Arc<[Child]>>,
    last: u64,
}

impl ViewFilesystem {
    pub(crate) fn new(shown: CurrentView) -> Self {
        ViewFilesystem {
            shown,
            owner: (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw()),
            mounted: SystemTime::now(),
            inodes: Mutex::new(Inodes::new()),
            handles: Mutex::default(),
            lists: Mutex::default(),
        }
    }

    fn view(&self) -> Arc<View> {
        Arc::clone(&self.shown.read())
    }

    fn path(&self, number: INodeNo) -> Result<Arc<[u8]>, Errno> {
        let (path, _) = self.inodes.lock().get(number.0).ok_or(Errno::ENOENT)?;
        Ok(path)
    }

    /// The attributes of an inode. A folder's are current; a file's come from its lookup.
    fn attributes(&self, number: u64) -> Result<FileAttr, Errno> {
        let (path, content) = self.inodes.lock().get(number).ok_or(Errno::ENOENT)?;
        let (kind, perm, size, modified) = match content {
            None => (FileType::Directory, 0o555, 0, self.view().modified(&path)),
            Some(content) => (FileType::RegularFile, 0o444, content.size, content.modified),
        };
        let modified = modified.unwrap_or(self.mounted);
        Ok(FileAttr {
            ino: INodeNo(number),
            size,
            blocks: size.div_ceil(BLOCK),
            atime: modified,
            mtime: modified,
            ctime: modified,
            crtime: modified,
            kind,
            perm,
            // counting the subfolders would require listing them
            nlink: 1,
            uid: self.owner.0,
            gid: self.owner.1,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        })
    }

    fn found(&self, parent: INodeNo, name: &OsStr) -> Result<FileAttr, Errno> {
        let path = join(&self.path(parent)?, name.as_bytes());
        let content = match self.view().node(&path).ok_or(Errno::ENOENT)? {
            Node::File(file) => Some(ContentKey::of(&file)),
            Node::Folder => None,
        };
        let number = self.inodes.lock().look_up(&path, content);
        self.attributes(number)
    }

    fn open_file(&self, number: INodeNo) -> Result<u64, Errno> {
        let (path, content) = self.inodes.lock().get(number.0).ok_or(Errno::ENOENT)?;
        let file = match self.view().node(&path) {
            Some(Node::File(file)) => file,
            Some(Node::Folder) | None => return Err(Errno::ESTALE),
        };
        // the file was replaced after the lookup; the error makes the system look it up again
        if content.as_deref() != Some(&ContentKey::of(&file)) {
            return Err(Errno::ESTALE);
        }
        self.handles.lock().open(number.0, file).map_err(|error| errno(&error))
    }

    fn open_folder(&self, number: INodeNo) -> Result<u64, Errno> {
        let children = self.view().children(&self.path(number)?).ok_or(Errno::ENOENT)?;
        let mut lists = self.lists.lock();
        lists.last += 1;
        let handle = lists.last;
        lists.open.insert(handle, children.into());
        Ok(handle)
    }
}

impl Filesystem for ViewFilesystem {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        match self.found(parent, name) {
            Ok(attributes) => {
                let name = if attributes.kind == FileType::Directory { FOLDER } else { FILE };
                reply.entry_with_ttls(&ATTRIBUTES, &name, &attributes, Generation(0));
            }
            Err(error) => reply.error(error),
        }
    }

    fn forget(&self, _: &Request, number: INodeNo, lookups: u64) {
        self.inodes.lock().forget(number.0, lookups);
    }

    fn getattr(&self, _: &Request, number: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.attributes(number.0) {
            Ok(attributes) => reply.attr(&ATTRIBUTES, &attributes),
            Err(error) => reply.error(error),
        }
    }

    fn open(&self, _: &Request, number: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        match self.open_file(number) {
            Ok(handle) => reply.opened(FileHandle(handle), FopenFlags::FOPEN_KEEP_CACHE),
            Err(error) => reply.error(error),
        }
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        handle: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let Some(opened) = self.handles.lock().get(handle.0) else { return reply.error(Errno::EBADF) };
        let mut reply = Some(reply);
        let read = opened.read(offset, size as usize, |bytes| {
            if let Some(reply) = reply.take() {
                reply.data(bytes);
            }
        });
        if let (Err(error), Some(reply)) = (read, reply) {
            reply.error(errno(&error));
        }
    }

    fn release(
        &self,
        _: &Request,
        number: INodeNo,
        handle: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        self.handles.lock().close(number.0, handle.0);
        reply.ok();
    }

    fn opendir(&self, _: &Request, number: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        match self.open_folder(number) {
            Ok(handle) => reply.opened(FileHandle(handle), FopenFlags::empty()),
            Err(error) => reply.error(error),
        }
    }

    fn readdir(
        &self,
        _: &Request,
        number: INodeNo,
        handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        /// The inode for a name that was not looked up, as in libfuse.
        const UNKNOWN: INodeNo = INodeNo(0xffff_ffff);

        let Some(children) = self.lists.lock().open.get(&handle.0).cloned() else {
            return reply.error(Errno::EBADF);
        };
        let dots = [(&b"."[..], number, FileType::Directory), (b"..", UNKNOWN, FileType::Directory)];
        let children = children.iter().map(|child| {
            let kind = if child.is_folder { FileType::Directory } else { FileType::RegularFile };
            (&*child.name, UNKNOWN, kind)
        });
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        for ((name, number, kind), next) in dots.into_iter().chain(children).zip(1..).skip(skipped) {
            if reply.add(number, next, kind, OsStr::from_bytes(name)) {
                break;
            }
        }
        reply.ok();
    }

    fn releasedir(&self, _: &Request, _: INodeNo, handle: FileHandle, _: OpenFlags, reply: ReplyEmpty) {
        self.lists.lock().open.remove(&handle.0);
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        let counts = self.view().counts();
        reply.statfs(counts.bytes.div_ceil(BLOCK), 0, 0, counts.files + counts.folders, 0, 512, 255, 512);
    }
}

/// The system's error number, or a general read error.
fn errno(error: &Error) -> Errno {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let mut codes = causes.filter_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    codes.next().map_or(Errno::EIO, Errno::from_i32)
}
