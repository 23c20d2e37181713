//! A disk without the mounts of this crate.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use parking_lot::Mutex;
use quakefs::disk::{Disk, Item, Opened, Stat, SystemPath};
use quakefs::rules::Spelling;
use quakefs::{Access, Finding};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{AtFlags, CWD, FileType, StatxFlags, statx};

/// A disk that hides everything below folders mounted by this crate, in this process or another. A process
/// that answers requests by reading from its own mount would wait for itself forever, and two processes could
/// wait for each other.
///
/// Listings are cached until the folder changes, so that looking up a missing name is as fast in a folder
/// with many files as in one with few.
#[derive(Debug)]
pub(crate) struct Outside {
    disk: Arc<dyn Disk>,
    mounts: Mutex<Mounts>,
    folders: Mutex<HashMap<PathBuf, Arc<Kept>>>,
}

/// The cached listing of a folder.
#[derive(Debug)]
struct Kept {
    stamp: Stamp,
    /// The items by folded name.
    items: HashMap<Vec<u8>, Vec<Item>>,
}

/// The identity and change time of a folder: device, file number, seconds and nanoseconds.
type Stamp = (u64, u64, i64, i64);

/// The number of cached folders.
const KEPT: usize = 256;

/// Two changes within this time may leave the same change time on disks with the coarsest clocks (FAT).
const TICK: Duration = Duration::from_secs(2);

/// The name of the mounted file system.
pub(crate) const NAME: &str = "quakefs";

/// Linux follows at most 40 symbolic links (`path_resolution(7)`).
const LINKS: usize = 40;

impl Outside {
    pub(crate) fn new(disk: Arc<dyn Disk>, mounts: Mounts) -> Self {
        Outside { disk, mounts: Mutex::new(mounts), folders: Mutex::default() }
    }

    /// The listing of a folder, renewed if the folder may have changed.
    fn kept(&self, folder: &Path) -> io::Result<Arc<Kept>> {
        let stamp = stamp(folder);
        if let Some(kept) = self.folders.lock().get(folder)
            && stamp == Some(kept.stamp)
        {
            return Ok(Arc::clone(kept));
        }
        let mut items: HashMap<Vec<u8>, Vec<Item>> = HashMap::new();
        for item in self.disk.list(folder)? {
            items.entry(folded(&item.name)).or_default().push(item);
        }
        let kept = Arc::new(Kept { stamp: stamp.unwrap_or_default(), items });
        // a recently changed folder may change again without a new time
        if stamp.is_some_and(is_settled) {
            let mut folders = self.folders.lock();
            if folders.len() >= KEPT {
                folders.clear();
            }
            folders.insert(folder.to_owned(), Arc::clone(&kept));
        }
        Ok(kept)
    }

    /// Walks to a path part by part, without accessing anything inside such a mount.
    fn check(&self, path: &Path) -> io::Result<()> {
        let path = std::path::absolute(path)?;
        let mut at = PathBuf::from("/");
        let mut rest = parts(&path);
        let (mut links, mut last) = (0, None);
        while let Some(part) = rest.pop() {
            if part == ".." {
                at.pop();
                continue;
            }
            at.push(&part);
            // these flags avoid a request to the mounted file system itself
            let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::STATX_DONT_SYNC | AtFlags::NO_AUTOMOUNT;
            // the disk itself will report this error
            let Ok(found) = statx(CWD, &at, flags, StatxFlags::TYPE) else { return Ok(()) };
            let device = (found.stx_dev_major, found.stx_dev_minor);
            if last != Some(device) && self.mounts.lock().are_at(device)? {
                return Err(io::Error::from(rustix::io::Errno::LOOP));
            }
            last = Some(device);
            if FileType::from_raw_mode(found.stx_mode.into()) == FileType::Symlink {
                links += 1;
                let Ok(target) = at.read_link() else { return Ok(()) };
                if links > LINKS {
                    return Ok(());
                }
                at.pop();
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                rest.extend(parts(&target));
            }
        }
        Ok(())
    }
}

/// The form of a name that [`Disk::list_any_case`] compares.
fn folded(name: &[u8]) -> Vec<u8> {
    Spelling::IgnoresCaseAndForm.fold(name).into_owned()
}

/// `None` if the folder is not on the system's disk.
fn stamp(folder: &Path) -> Option<Stamp> {
    let found = folder.metadata().ok().filter(Metadata::is_dir)?;
    Some((found.dev(), found.ino(), found.ctime(), found.ctime_nsec()))
}

/// Whether the last change is long enough ago.
fn is_settled((_, _, seconds, nanoseconds): Stamp) -> bool {
    let since = (u64::try_from(seconds), u32::try_from(nanoseconds));
    let (Ok(seconds), Ok(nanoseconds)) = since else { return false };
    let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    changed.elapsed().is_ok_and(|elapsed| elapsed > TICK)
}

/// The parts of a path in reverse order.
fn parts(path: &Path) -> Vec<OsString> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    let mut parts: Vec<_> = parts.collect();
    parts.reverse();
    parts
}

/// The devices of this crate's mounts, from the list described in `proc_pid_mountinfo(5)`.
#[derive(Debug)]
pub(crate) struct Mounts {
    list: File,
    devices: Vec<(u32, u32)>,
}

impl Mounts {
    pub(crate) fn open() -> io::Result<Self> {
        let mut mounts = Mounts { list: File::open("/proc/self/mountinfo")?, devices: Vec::new() };
        mounts.read()?;
        Ok(mounts)
    }

    fn are_at(&mut self, device: (u32, u32)) -> io::Result<bool> {
        // FUSE mounts have no block device
        if device.0 != 0 {
            return Ok(false);
        }
        let mut changed = [PollFd::new(&self.list, PollFlags::PRI)];
        if poll(&mut changed, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))? > 0 {
            self.read()?;
        }
        Ok(self.devices.contains(&device))
    }

    fn read(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.list.rewind()?;
        self.list.read_to_end(&mut bytes)?;
        self.devices = String::from_utf8_lossy(&bytes).lines().filter_map(device).collect();
        Ok(())
    }
}

/// The device in a line of the list, if the line is a mount of this crate.
fn device(line: &str) -> Option<(u32, u32)> {
    let (mount, system) = line.split_once(" - ")?;
    // if root mounts without fusermount3, the type has no second part
    let mut system = system.split(' ');
    let is_ours = matches!((system.next()?, system.next()?), ("fuse" | "fuse.quakefs", NAME));
    is_ours.then_some(())?;
    let (major, minor) = mount.split(' ').nth(2)?.split_once(':')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

impl Disk for Outside {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.check(folder)?;
        self.disk.list(folder)
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        self.check(folder)?;
        // folders of other disks, such as archives, have no change time
        if self.disk.system_path(folder) != Some(SystemPath::File(folder.to_owned())) {
            return self.disk.list_any_case(folder, name);
        }
        Ok(self.kept(folder)?.items.get(&folded(name)).cloned().unwrap_or_default())
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.check(path)?;
        self.disk.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.check(path)?;
        self.disk.open(path, access)
    }

    fn can_read(&self, path: &Path) -> bool {
        self.check(path).is_ok() && self.disk.can_read(path)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        let is_inside = path.parent().is_none_or(|folder| self.check(folder).is_ok());
        is_inside.then(|| self.disk.link_target(path)).flatten()
    }

    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        self.check(folder).map_or(Spelling::Exact, |()| self.disk.spelling(folder, has))
    }

    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.disk.absolute(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.check(path)?;
        self.disk.real(path)
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        self.disk.system_path(path)
    }

    fn findings(&self) -> Vec<Finding> {
        self.disk.findings()
    }
}
