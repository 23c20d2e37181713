//! A view that is mounted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use fuser::{BackgroundSession, Config, MountOption, Session};
use parking_lot::RwLock;
use quakefs::Layer;
use quakefs::tree::Counts;
use rustix::mount::UnmountFlags;

use crate::filesystem::{Shown, ViewFilesystem};
use crate::outside::NAME;
use crate::view::View;

/// Why a folder cannot be mounted on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MountError {
    /// The folder cannot be looked at; `NotConnected` where a mount is there whose process has ended.
    #[error("it cannot be mounted on")]
    Folder(#[source] io::Error),
    /// The folder holds something, which the mount would hide.
    #[error("it is not empty")]
    NotEmpty,
    /// The folder holds a layer or is in one: the mount would read from itself.
    #[error("it holds the layer {layer} or is in it, and the mount would read from itself")]
    Overlaps {
        /// The path of the layer.
        layer: Utf8PathBuf,
    },
    /// The system has no FUSE: there is no `/dev/fuse`.
    #[error("there is no /dev/fuse")]
    NoDevice,
    /// Root alone mounts by itself; others need the program `fusermount3`, which is not there.
    #[error("there is no fusermount3")]
    NoFusermount,
    /// The stack cannot be mounted again on a disk that leads into no mount of this command.
    #[error("{0}")]
    View(#[source] quakefs::Error),
    /// The system refused.
    #[error("the mount failed")]
    Refused(#[source] io::Error),
}

/// How an unmount went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmounted {
    /// Nothing is left.
    Done,
    /// Programs had files open there. The folder is free, and what they read of those files is an error.
    InUse,
}

/// A mounted view. Dropping it unmounts it.
#[derive(Debug)]
pub struct Mounted {
    session: BackgroundSession,
    folder: PathBuf,
    shown: Shown,
    /// What the disk said of each layer when the view was looked at last.
    stamps: Vec<Option<Stamp>>,
}

/// When something on disk was modified, and its size.
type Stamp = (SystemTime, u64);

/// How many requests are answered at once: a file that is being decoded holds up no other one.
const THREADS: usize = 4;

/// How long an unmount waits for the threads that answer requests.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows a view in an empty folder, for the user of this process alone.
///
/// # Errors
/// [`MountError`].
pub fn mount(view: View, folder: impl AsRef<Path>) -> Result<Mounted, MountError> {
    let folder = folder.as_ref().canonicalize().map_err(MountError::Folder)?;
    if fs::read_dir(&folder).map_err(MountError::Folder)?.next().is_some() {
        return Err(MountError::NotEmpty);
    }
    if let Some(layer) = view.sources().filter_map(Layer::system_path).find(|layer| overlap(layer, &folder)) {
        return Err(MountError::Overlaps { layer });
    }
    let view = view.outside().map_err(MountError::View)?;
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::RO,
        MountOption::NoDev,
        MountOption::NoSuid,
        MountOption::DefaultPermissions,
        MountOption::FSName(NAME.to_owned()),
        MountOption::Subtype(NAME.to_owned()),
    ];
    config.n_threads = Some(THREADS);
    let stamps = stamps(&view);
    let shown: Shown = Arc::new(RwLock::new(Arc::new(view)));
    let filesystem = ViewFilesystem::new(Arc::clone(&shown));
    let session = Session::new(filesystem, &folder, &config).map_err(refused)?;
    let session = session.spawn().map_err(MountError::Refused)?;
    Ok(Mounted { session, folder, shown, stamps })
}

fn stamps(view: &View) -> Vec<Option<Stamp>> {
    let stamp = |layer: &Layer| {
        let found = view.disk().stat(layer.system_path()?.as_std_path()).ok()?;
        Some((found.modified?, found.size))
    };
    view.sources().map(stamp).collect()
}

fn refused(error: io::Error) -> MountError {
    if !Path::new("/dev/fuse").exists() {
        MountError::NoDevice
    } else if error.kind() == io::ErrorKind::NotFound {
        // the folder and the device are there: what was not found is the program
        MountError::NoFusermount
    } else {
        MountError::Refused(error)
    }
}

impl Mounted {
    /// The folder, from the root and without links.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether somebody else has unmounted the folder.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.session.guard.is_finished()
    }

    /// Shows the archives as they are now, if one was added, changed or removed since the last look. Gives how much is
    /// shown then. A look asks the disk once for each layer.
    ///
    /// # Errors
    /// As [`SearchPath::remount`](quakefs::SearchPath::remount); what was shown is shown on.
    pub fn refresh(&mut self) -> Result<Option<Counts>, quakefs::Error> {
        let view = Arc::clone(&self.shown.read());
        let now = stamps(&view);
        if now == self.stamps {
            return Ok(None);
        }
        self.stamps = now;
        let Some(anew) = view.anew()? else { return Ok(None) };
        self.stamps = stamps(&anew);
        let counts = anew.counts();
        *self.shown.write() = Arc::new(anew);
        Ok(Some(counts))
    }

    /// Unmounts the folder, also while programs have files open there.
    ///
    /// # Errors
    /// What the system says.
    pub fn unmount(self) -> io::Result<Unmounted> {
        let Mounted { session, folder, .. } = self;
        if session.guard.is_finished() {
            return Ok(Unmounted::Done);
        }
        let unmounted = match rustix::mount::unmount(&folder, UnmountFlags::NOFOLLOW) {
            Err(rustix::io::Errno::BUSY) => {
                // whoever waits for an answer gets an error, and a mount of which no thread answers ends too
                let _ = rustix::mount::unmount(&folder, UnmountFlags::FORCE | UnmountFlags::NOFOLLOW);
                let detach = UnmountFlags::DETACH | UnmountFlags::NOFOLLOW;
                rustix::mount::unmount(&folder, detach)?;
                Unmounted::InUse
            }
            // where root alone may, dropping the session asks fusermount3
            _ => Unmounted::Done,
        };
        let answering = stop(session);
        let start = Instant::now();
        while unmounted == Unmounted::Done && !answering.is_finished() && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(5));
        }
        Ok(if answering.is_finished() { unmounted } else { Unmounted::InUse })
    }
}

/// Drops a session, which unmounts it, but for the thread.
fn stop(session: BackgroundSession) -> JoinHandle<io::Result<()>> {
    let BackgroundSession { guard, .. } = session;
    guard
}

/// Whether a layer is in the folder or holds it.
fn overlap(layer: &Utf8Path, folder: &Path) -> bool {
    let layer = layer.as_std_path().canonicalize().unwrap_or_else(|_| layer.into());
    layer.starts_with(folder) || folder.starts_with(layer)
}
