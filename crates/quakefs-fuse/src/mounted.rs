//! A mounted view.

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

use crate::filesystem::{CurrentView, ViewFilesystem};
use crate::outside::NAME;
use crate::view::View;

/// Why a view cannot be mounted on a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MountError {
    /// The folder cannot be accessed. `NotConnected` means that the process of an earlier mount has ended.
    #[error("it cannot be mounted on")]
    Folder(#[source] io::Error),
    /// The folder is not empty, and the mount would hide its contents.
    #[error("it is not empty")]
    NotEmpty,
    /// The folder contains a layer or is inside one, so that the mount would read from itself.
    #[error("it contains the layer {layer} or is inside it, so the mount would read from itself")]
    Overlaps {
        /// The path of the layer.
        layer: Utf8PathBuf,
    },
    /// The system has no FUSE (`/dev/fuse` is missing).
    #[error("there is no /dev/fuse")]
    NoDevice,
    /// The program `fusermount3`, which all users except root need, is missing.
    #[error("there is no fusermount3")]
    NoFusermount,
    /// The search path cannot be mounted again on a disk without this crate's own mounts.
    #[error("{0}")]
    View(#[source] quakefs::Error),
    /// The system refused.
    #[error("the mount failed")]
    Refused(#[source] io::Error),
}

/// A mounted view. Dropping it unmounts it.
#[derive(Debug)]
pub struct Mounted {
    session: BackgroundSession,
    folder: PathBuf,
    shown: CurrentView,
    /// The state of each layer on disk at the last look.
    stamps: Vec<Option<Stamp>>,
}

/// The modification time and size of something on disk.
type Stamp = (SystemTime, u64);

/// The number of requests answered at the same time, so that decoding one file does not delay others.
const THREADS: usize = 4;

/// How long an unmount waits for the threads that answer requests to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Mounts a view on an empty folder, visible only to the user of this process.
///
/// # Errors
/// See [`MountError`].
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
    let shown: CurrentView = Arc::new(RwLock::new(Arc::new(view)));
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
        // the folder and the device exist, so the program is what was not found
        MountError::NoFusermount
    } else {
        MountError::Refused(error)
    }
}

impl Mounted {
    /// Whether another program has unmounted the folder.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.session.guard.is_finished()
    }

    /// Mounts again if an archive was added, changed or removed since the last call. Returns the new counts
    /// in that case. Costs one `stat` for each layer.
    ///
    /// # Errors
    /// The errors of [`SearchPath::remount`](quakefs::SearchPath::remount). The earlier view then stays
    /// mounted.
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

    /// Unmounts the folder, and returns whether programs still had files open in it. Their reads now return
    /// errors.
    ///
    /// # Errors
    /// The system could not unmount it.
    pub fn unmount(self) -> io::Result<bool> {
        let Mounted { session, folder, .. } = self;
        if session.guard.is_finished() {
            return Ok(false);
        }
        let in_use = match rustix::mount::unmount(&folder, UnmountFlags::NOFOLLOW) {
            Err(rustix::io::Errno::BUSY) => {
                // waiting programs get an error; this also ends mounts whose process is gone
                let _ = rustix::mount::unmount(&folder, UnmountFlags::FORCE | UnmountFlags::NOFOLLOW);
                let detach = UnmountFlags::DETACH | UnmountFlags::NOFOLLOW;
                rustix::mount::unmount(&folder, detach)?;
                true
            }
            // if only root may unmount, dropping the session calls fusermount3
            _ => false,
        };
        let answering = stop(session);
        let start = Instant::now();
        while !in_use && !answering.is_finished() && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(5));
        }
        Ok(in_use || !answering.is_finished())
    }
}

/// Drops a session, which unmounts it, and returns its thread.
fn stop(session: BackgroundSession) -> JoinHandle<io::Result<()>> {
    let BackgroundSession { guard, .. } = session;
    guard
}

/// Whether a layer is inside the folder or contains it.
fn overlap(layer: &Utf8Path, folder: &Path) -> bool {
    let layer = layer.as_std_path().canonicalize().unwrap_or_else(|_| layer.into());
    layer.starts_with(folder) || folder.starts_with(layer)
}
