//! The resource: the current search path, and its changes.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_channel::Sender;
use bevy_asset::io::{AssetSourceEvent, AssetSourceId};
use bevy_asset::{AssetPath, AssetServer};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Res;
use parking_lot::{Mutex, RwLock};
use quakefs::sentences::Help as _;
use quakefs::watch::{Change, ChangeKind, Watcher};
use quakefs::{Error, Finding, SearchPath, SharedSearchPath};

use crate::names::asset_path;

/// The search path that the asset source reads. Clones share it.
#[derive(Clone, Resource)]
pub struct QuakeAssets(Arc<Shared>);

/// All asset sources, which [`follow`] follows.
#[derive(Default, Resource)]
pub(crate) struct Sources(pub(crate) Vec<QuakeAssets>);

struct Shared {
    source: AssetSourceId<'static>,
    /// An error if nothing could be mounted.
    current: RwLock<Result<SharedSearchPath, Error>>,
    watch: bool,
    watcher: Mutex<Option<Watcher>>,
    /// Events for the next run of [`follow`].
    pending: Mutex<Vec<AssetSourceEvent>>,
    /// Receives events if the asset server watches for changes.
    send: Mutex<Option<Sender<AssetSourceEvent>>>,
}

impl QuakeAssets {
    pub(crate) fn new(
        source: AssetSourceId<'static>,
        mounted: Result<SearchPath, Error>,
        watch: bool,
    ) -> Self {
        match &mounted {
            Ok(search_path) => report(search_path.findings()),
            Err(error) => tracing::error!("nothing is mounted, and every load will fail: {error}"),
        }
        let current = mounted.map(SharedSearchPath::new);
        let watcher = current.as_ref().ok().filter(|_| watch).and_then(watched);
        QuakeAssets(Arc::new(Shared {
            source,
            current: RwLock::new(current),
            watch,
            watcher: Mutex::new(watcher),
            pending: Mutex::default(),
            send: Mutex::default(),
        }))
    }

    /// The current search path.
    ///
    /// # Errors
    /// The reason why nothing is mounted.
    pub fn search_path(&self) -> Result<SearchPath, Error> {
        self.0.current.read().as_ref().map(SharedSearchPath::load).map_err(Error::clone)
    }

    /// Replaces the search path: another mod, another engine. In the next frame, the asset server reloads the
    /// assets whose bytes differ. Returns the changes, which are empty if nothing was mounted before.
    ///
    /// To compare, it reads files that are in different places in both. For a large game, mount and call this
    /// in a task.
    pub fn swap(&self, search_path: SearchPath) -> Vec<Change> {
        let shared = &*self.0;
        report(search_path.findings());
        // locked until the end, so that the old watcher cannot send an event in between
        let mut watcher = shared.watcher.lock();
        // the old watcher would notice the swap too late and miss changes on disk
        *watcher = None;
        let (held, old) = {
            let mut current = shared.current.write();
            let before = current.as_ref().ok().cloned();
            let old = before.as_ref().map(|held| held.store(search_path.clone()));
            let held = before.unwrap_or_else(|| SharedSearchPath::new(search_path));
            *current = Ok(held.clone());
            (held, old)
        };
        if shared.watch {
            *watcher = watched(&held);
        }
        let new = held.load();
        let mut pending = shared.pending.lock();
        let Some(old) = old else {
            // every load so far has failed
            let files = new.files();
            let names = files.filter_map(|file| Some(PathBuf::from(asset_path(file.name().as_bytes())?)));
            pending.extend(names.map(AssetSourceEvent::AddedAsset));
            return Vec::new();
        };
        let changes = new.changes_since(&old);
        pending.extend(changes.iter().filter_map(event));
        changes
    }

    pub(crate) fn send_to(&self, sender: Sender<AssetSourceEvent>) {
        *self.0.send.lock() = Some(sender);
    }

    /// The changes on disk and by `swap` since the last call.
    fn events(&self) -> Vec<AssetSourceEvent> {
        let shared = &*self.0;
        // `swap` may hold the lock; the next frame is soon enough
        if let Some(mut watcher) = shared.watcher.try_lock()
            && let Some(watcher) = watcher.as_mut()
        {
            while let Some(update) = watcher.wait(Duration::ZERO) {
                match update {
                    Ok(update) => {
                        report(&update.findings);
                        shared.pending.lock().extend(update.changes.iter().filter_map(event));
                    }
                    Err(error) => tracing::warn!("the game cannot be mounted again: {error}"),
                }
            }
        }
        std::mem::take(&mut shared.pending.lock())
    }
}

/// Logs the findings about a game, with advice.
fn report<'f>(findings: impl IntoIterator<Item = &'f Finding>) {
    for finding in findings {
        let help = finding.help(None).map(|help| format!(" ({help})")).unwrap_or_default();
        tracing::warn!("{finding}{help}");
    }
}

/// Watches the search path. From then on, it reads archives by position.
fn watched(held: &SharedSearchPath) -> Option<Watcher> {
    held.watch().inspect_err(|error| tracing::warn!("changes on disk are not noticed: {error}")).ok()
}

/// The event for a change; `None` if the bytes are the same, or if no asset path can name the file.
fn event(change: &Change) -> Option<AssetSourceEvent> {
    let name = PathBuf::from(asset_path(change.name().as_bytes())?);
    let is_meta = name.extension().is_some_and(|extension| extension == "meta");
    Some(match change.kind {
        ChangeKind::Moved => return None,
        // a new or removed .meta file changes the settings of its asset
        _ if is_meta => AssetSourceEvent::ModifiedMeta(name.with_extension("")),
        ChangeKind::Added => AssetSourceEvent::AddedAsset(name),
        ChangeKind::Removed => AssetSourceEvent::RemovedAsset(name),
        _ => AssetSourceEvent::ModifiedAsset(name),
    })
}

/// Sends changes to the asset server. If the server does not watch for changes, reloads each asset instead,
/// but not folders and dependent assets.
#[expect(clippy::needless_pass_by_value, reason = "the arguments of a system")]
pub(crate) fn follow(sources: Res<Sources>, server: Res<AssetServer>) {
    for assets in &sources.0 {
        for event in assets.events() {
            match (&*assets.0.send.lock(), event) {
                (Some(send), event) => {
                    // the channel is unbounded, and an app that ends needs no events
                    let _ = send.try_send(event);
                }
                (
                    None,
                    AssetSourceEvent::AddedAsset(path)
                    | AssetSourceEvent::ModifiedAsset(path)
                    | AssetSourceEvent::ModifiedMeta(path),
                ) => server.reload(AssetPath::from(path).with_source(assets.0.source.clone())),
                (None, _) => {}
            }
        }
    }
}

impl fmt::Debug for QuakeAssets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QuakeAssets")
            .field("current", &*self.0.current.read())
            .field("watch", &self.0.watch)
            .finish_non_exhaustive()
    }
}
