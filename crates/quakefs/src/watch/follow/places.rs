//! Decides which folders are watched and which events of the system matter.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use notify::event::{AccessKind, AccessMode, Event, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use parking_lot::Mutex;

use super::signal::Signal;
use crate::archive::Archive;
use crate::disk::{FileKind, SystemDisk, Walk, with_path};
use crate::error::Error;
use crate::rules::ArchiveKind;
use crate::search_path::{Layer, SearchPath};

/// The folders of a search path that are watched.
#[derive(Clone, Default, PartialEq)]
struct Places {
    /// Watched with all subfolders.
    trees: Vec<Utf8PathBuf>,
    /// Watched without subfolders: a game directory or an archive may appear here.
    folders: Vec<Utf8PathBuf>,
    /// The base directories and the user directory.
    roots: Vec<Utf8PathBuf>,
    /// Archives that the caller added, and targets of links to archives.
    archives: Vec<Utf8PathBuf>,
}

impl Places {
    fn of(search_path: &SearchPath) -> Places {
        let folders = search_path.layers().filter(|layer| layer.kind() == ArchiveKind::Folder);
        let mut folders: Vec<_> =
            folders.filter_map(Layer::system_path).filter(|path| path.is_dir()).collect();
        folders.sort_unstable();
        let mut places = Places { roots: search_path.roots(), ..Places::default() };
        for folder in folders {
            if !places.in_tree(&folder) {
                places.trees.push(folder);
            }
        }
        for archive in search_path.archives_on_disk().filter_map(Archive::system_path) {
            // both the link and its target are watched
            let real = archive.canonicalize_utf8().unwrap_or_else(|_| archive.clone());
            for path in [archive, real] {
                if !places.in_tree(&path) && !places.archives.contains(&path) {
                    places.archives.push(path);
                }
            }
        }
        let parents = places.archives.iter().filter_map(|archive| archive.parent());
        let mut folders: Vec<_> =
            parents.chain(places.roots.iter().map(|root| &**root)).filter_map(nearest_existing).collect();
        folders.sort_unstable();
        folders.dedup();
        let folders: Vec<_> =
            folders.into_iter().filter(|folder| !places.in_tree(folder)).map(Utf8Path::to_owned).collect();
        places.folders = folders;
        places
    }

    fn in_tree(&self, path: &Utf8Path) -> bool {
        self.trees.iter().any(|tree| path.starts_with(tree))
    }

    /// Whether an event at a path may change a winner. `moves` tells whether something appeared or
    /// disappeared there.
    fn concern(&self, path: &Utf8Path, moves: bool, search_path: &SearchPath) -> bool {
        let in_root = || self.roots.iter().any(|root| path.parent() == Some(root));
        self.in_tree(path)
            || self.archives.iter().any(|archive| archive.starts_with(path))
            || (moves && self.roots.iter().any(|root| root.starts_with(path)))
            || (in_root()
                && (moves || path.file_name().is_some_and(|name| search_path.is_archive_name(name))))
    }

    /// Whether the event may have replaced a watched folder or a parent of one.
    fn is_on_the_way(&self, path: &Utf8Path) -> bool {
        self.trees.iter().chain(&self.folders).any(|place| place.starts_with(path))
    }
}

/// The nearest existing folder, from a path upwards.
fn nearest_existing(path: &Utf8Path) -> Option<&Utf8Path> {
    path.ancestors().find(|folder| folder.is_dir())
}

/// The state that the event handler needs.
struct Scene {
    places: Places,
    search_path: SearchPath,
}

/// The watcher of the system, for the folders of a search path.
pub(super) struct Watched {
    system: RecommendedWatcher,
    /// The folders registered with the system.
    folders: HashSet<PathBuf>,
    scene: Arc<Mutex<Scene>>,
}

impl Watched {
    pub(super) fn new(search_path: &SearchPath, signal: &Arc<Signal>) -> Result<Watched, Error> {
        let scene =
            Arc::new(Mutex::new(Scene { places: Places::default(), search_path: search_path.clone() }));
        let (signal, seen) = (Arc::clone(signal), Arc::clone(&scene));
        let handler = move |event: notify::Result<Event>| handle(event, &seen, &signal);
        let system = notify::recommended_watcher(handler).map_err(|error| of_notify(error, None))?;
        Ok(Watched { system, folders: HashSet::new(), scene })
    }

    /// Watches the folders of a search path. Returns whether the set changed. `again` registers all of them
    /// again.
    pub(super) fn watch(&mut self, search_path: &SearchPath, again: bool) -> Result<bool, Error> {
        let places = Places::of(search_path);
        let before = {
            // not held while calling `watch`, because the event thread needs this lock to answer
            let mut scene = self.scene.lock();
            scene.search_path = search_path.clone();
            std::mem::replace(&mut scene.places, places.clone())
        };
        if before == places && !again {
            return Ok(false);
        }
        let mut places_now = HashSet::new();
        for tree in &places.trees {
            places_now.extend(folders_of(tree));
        }
        places_now.extend(places.folders.iter().map(|folder| folder.clone().into_std_path_buf()));
        for gone in self.folders.difference(&places_now) {
            // fails if the folder was removed, which ends the watch anyway
            let _ = self.system.unwatch(gone);
        }
        for place in &places_now {
            self.watch_place(place).map_err(|error| of_notify(error, Utf8Path::from_path(place)))?;
        }
        self.folders = places_now;
        Ok(before != places)
    }

    /// Watches a folder. An unreadable folder is skipped, because engines do not find its files either.
    fn watch_place(&mut self, place: &Path) -> Result<(), notify::Error> {
        let is_denied = |error: &notify::Error| match &error.kind {
            notify::ErrorKind::Io(error) => error.kind() == io::ErrorKind::PermissionDenied,
            _ => false,
        };
        let mode = if WALKED { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        match self.system.watch(place, mode) {
            // the folder was removed; its parent reports that
            Err(_) if !place.is_dir() => Ok(()),
            Err(error) if is_denied(&error) => Ok(()),
            watched => watched,
        }
    }
}

/// Whether each folder of a tree is registered separately. Linux cannot watch trees. The crate notify would
/// follow every path through links, and a few folders can have millions of these.
const WALKED: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// The folders of a tree, each once.
fn folders_of(tree: &Utf8Path) -> Vec<PathBuf> {
    let mut folders = vec![tree.as_std_path().to_owned()];
    if !WALKED {
        return folders;
    }
    let mut seen: HashSet<PathBuf> = tree.as_std_path().canonicalize().into_iter().collect();
    for walked in Walk::new(&SystemDisk, tree.as_std_path()).flatten() {
        if walked.kind != FileKind::Folder {
            continue;
        }
        let Some(path) = with_path(tree.as_std_path(), &walked.name, Path::to_owned) else { continue };
        if path.canonicalize().is_ok_and(|real| seen.insert(real)) {
            folders.push(path);
        }
    }
    folders
}

/// Handles an event. Runs in the event thread, which must not be blocked for long.
fn handle(event: notify::Result<Event>, scene: &Mutex<Scene>, signal: &Signal) {
    let Ok(event) = event else { return signal.raise(true) };
    if event.need_rescan() {
        tracing::warn!("the system has lost events, and everything is looked at again");
        return signal.raise(true);
    }
    let moves = match event.kind {
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))
        | EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        // opening and reading changes nothing, and the next mount does both
        EventKind::Access(_) => return,
        _ => true,
    };
    let scene = scene.lock();
    for path in &event.paths {
        // if a name is not UTF-8, the event counts for its parent folder
        let Some(path) = path.ancestors().find_map(Utf8Path::from_path) else { continue };
        if scene.places.concern(path, moves, &scene.search_path) {
            // new and moved folders have to be watched too
            signal.raise(moves && (path.is_dir() || scene.places.is_on_the_way(path)));
        }
    }
}

fn of_notify(error: notify::Error, place: Option<&Utf8Path>) -> Error {
    let cause = match error.kind {
        notify::ErrorKind::Io(error) => error,
        notify::ErrorKind::MaxFilesWatch => {
            io::Error::new(io::ErrorKind::StorageFull, "the system's limit of watched folders is reached")
        }
        _ => io::Error::other(error.to_string()),
    };
    match place {
        Some(place) => Error::io(place, "watch", cause),
        None => Error::of_io("watch", cause),
    }
}
