//! Resolves paths of the mounted folder.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use quakefs::disk::Disk;
use quakefs::findings::NoPath;
use quakefs::pak_format::NameFault;
use quakefs::rules::Case;
use quakefs::tree::{Counts, DirEntry, WithoutPath};
use quakefs::{EntryName, File, Layer, SearchPath};

use crate::outside::{Mounts, Outside};

/// The contents of a mounted folder.
#[derive(Debug)]
pub struct View {
    source: SearchPath,
    tops: Tops,
    counts: Counts,
    not_shown: Vec<WithoutPath>,
}

#[derive(Debug)]
enum Tops {
    Merged(SearchPath),
    /// A folder for each layer, by name.
    Layers(Vec<(String, SearchPath)>),
}

/// A file or a folder of the view.
pub(crate) enum Node {
    Folder,
    File(File<'static>),
}

/// A name in a folder.
pub(crate) struct Child {
    pub(crate) name: Vec<u8>,
    pub(crate) is_folder: bool,
}

/// The target of a path.
enum Inside<'v, 'p> {
    /// The root folder, which contains a folder for each layer.
    Tops(&'v [(String, SearchPath)]),
    /// A search path, and the path in it.
    Merged(&'v SearchPath, &'p [u8]),
}

impl View {
    /// Shows the merged tree: each name once, with its winner.
    #[must_use]
    pub fn merged(search_path: SearchPath) -> View {
        let (counts, not_shown) = survey(&search_path);
        View { tops: Tops::Merged(search_path.clone()), source: search_path, counts, not_shown }
    }

    /// Shows a folder for each layer, the highest first, such as `01-mymod-pak1.pak` and `02-mymod`. Each
    /// contains the files of its layer, overridden or not.
    ///
    /// # Errors
    /// The errors of [`SearchPath::keep_layers`].
    pub fn layers(search_path: SearchPath) -> Result<View, quakefs::Error> {
        let width = search_path.layers().len().to_string().len().max(2);
        let (mut tops, mut counts, mut not_shown) = (Vec::new(), Counts::default(), Vec::new());
        for (number, layer) in search_path.layers().enumerate() {
            let top = search_path.keep_layers(|kept| kept.name() == layer.name())?;
            let (of_layer, not_of_layer) = survey(&top);
            counts.files += of_layer.files;
            counts.folders += of_layer.folders + 1;
            counts.bytes = counts.bytes.saturating_add(of_layer.bytes);
            not_shown.extend(not_of_layer);
            tops.push((folder_name(number + 1, width, layer.name()), top));
        }
        Ok(View { source: search_path, tops: Tops::Layers(tops), counts, not_shown })
    }

    /// The same view on a disk without the mounts of this crate. The counts do not change.
    pub(crate) fn outside(self) -> Result<View, quakefs::Error> {
        let outside = |search_path: &SearchPath| {
            let mounts = Mounts::open().map_err(quakefs::Error::from)?;
            // mounting again brings back layers that the caller had removed
            let kept: HashSet<&str> = search_path.layers().map(Layer::name).collect();
            let now =
                search_path.remount_with(|builder| builder.wrap_disk(|disk| Outside::new(disk, mounts)))?;
            now.keep_layers(|layer| kept.contains(layer.name()))
        };
        let View { source, tops, counts, not_shown } = self;
        let source = outside(&source)?;
        let tops = match tops {
            Tops::Merged(_) => Tops::Merged(source.clone()),
            Tops::Layers(tops) => {
                let top = |(folder, top): (String, SearchPath)| {
                    let name = top.layers().next().map_or("", Layer::name).to_owned();
                    Ok::<_, quakefs::Error>((folder, source.keep_layers(|layer| layer.name() == name)?))
                };
                Tops::Layers(tops.into_iter().map(top).collect::<Result<_, _>>()?)
            }
        };
        Ok(View { source, tops, counts, not_shown })
    }

    /// The same view, mounted again; `None` if the layers did not change.
    ///
    /// # Errors
    /// The errors of [`SearchPath::remount`].
    pub(crate) fn anew(&self) -> Result<Option<View>, quakefs::Error> {
        let now = self.source.remount()?;
        let layer = |layer: &Layer| {
            let archive = layer.archive().map(|archive| (archive.modified(), archive.size()));
            (layer.name().to_owned(), archive)
        };
        if now.layers().map(layer).eq(self.source.layers().map(layer)) {
            return Ok(None);
        }
        match self.tops {
            Tops::Merged(_) => Ok(Some(View::merged(now))),
            Tops::Layers(_) => View::layers(now).map(Some),
        }
    }

    /// The counts when the view was created.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The files that could not be shown when the view was created.
    #[must_use]
    pub fn not_shown(&self) -> &[WithoutPath] {
        &self.not_shown
    }

    /// The layers that the view reads from.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Layer> {
        self.source.layers()
    }

    /// The disk that the view reads from.
    pub(crate) fn disk(&self) -> &Arc<dyn Disk> {
        self.source.disk()
    }

    fn inside<'v, 'p>(&'v self, path: &'p [u8]) -> Option<Inside<'v, 'p>> {
        match &self.tops {
            Tops::Merged(search_path) => Some(Inside::Merged(search_path, path)),
            Tops::Layers(tops) if path.is_empty() => Some(Inside::Tops(tops)),
            Tops::Layers(tops) => {
                let end = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
                let (first, rest) = path.split_at_checked(end)?;
                let (_, search_path) = tops.iter().find(|(name, _)| name.as_bytes() == first)?;
                Some(Inside::Merged(search_path, rest.strip_prefix(b"/").unwrap_or(rest)))
            }
        }
    }

    /// Resolves a relative path with `/` between parts. The root is empty.
    pub(crate) fn node(&self, path: &[u8]) -> Option<Node> {
        match self.inside(path)? {
            Inside::Tops(_) | Inside::Merged(_, []) => Some(Node::Folder),
            Inside::Merged(search_path, path) => {
                is_shown(path).ok()?;
                let entry = search_path.dir_entry(path).or_else(|| listed(search_path, path))?;
                Some(entry.file.map_or(Node::Folder, |file| Node::File(file.into_owned())))
            }
        }
    }

    /// Lists a folder.
    pub(crate) fn children(&self, path: &[u8]) -> Option<Vec<Child>> {
        match self.inside(path)? {
            Inside::Tops(tops) => {
                let child =
                    |(name, _): &(String, _)| Child { name: name.as_bytes().to_vec(), is_folder: true };
                Some(tops.iter().map(child).collect())
            }
            Inside::Merged(search_path, path) => {
                let children = search_path.read_dir(path).ok()?.into_iter();
                let children = children
                    .map(|entry| Child { name: entry.name.as_bytes().to_vec(), is_folder: entry.is_dir() });
                Some(children.filter(|child| is_shown(&join(path, &child.name)).is_ok()).collect())
            }
        }
    }

    /// The modification time of a folder: the newest of its loose copies, or of the archives.
    pub(crate) fn modified(&self, path: &[u8]) -> Option<SystemTime> {
        let (layers, path): (Vec<&Layer>, _) = match self.inside(path)? {
            Inside::Tops(_) => (self.sources().collect(), &b""[..]),
            Inside::Merged(search_path, path) => (search_path.layers().collect(), path),
        };
        let path = std::str::from_utf8(path).ok()?;
        let loose =
            layers.iter().filter(|layer| layer.archive().is_none()).filter_map(|layer| layer.system_path());
        let loose =
            loose.filter_map(|root| self.disk().stat(root.join(path).as_std_path()).ok()?.modified).max();
        loose.or_else(|| layers.iter().filter_map(|layer| layer.archive()?.modified()).max())
    }
}

/// Finds a path that a listing contains but a lookup does not find. This happens if the engine compares case
/// only for loose files, and a listing merges folders that differ only in case.
fn listed<'s>(search_path: &'s SearchPath, path: &[u8]) -> Option<DirEntry<'s>> {
    if search_path.rules().archives.case != Case::Ignored || search_path.loose().case.is_ignored() {
        return None;
    }
    let slash = path.iter().rposition(|&byte| byte == b'/')?;
    let (folder, name) = (path.get(..slash)?, path.get(slash + 1..)?);
    // listing such a folder is slow, and most missing names are in no folder
    if !search_path.layers().any(|layer| is_in_loose(search_path, layer, folder, name)) {
        return None;
    }
    search_path.read_dir(folder).ok()?.into_iter().find(|entry| entry.name == *name)
}

/// Whether a loose folder, in any case, contains exactly this name.
fn is_in_loose(search_path: &SearchPath, layer: &Layer, folder: &[u8], name: &[u8]) -> bool {
    let Some(root) = layer.system_path().filter(|_| layer.archive().is_none()) else { return false };
    let mut folders = vec![root.into_std_path_buf()];
    for part in folder.split(|&byte| byte == b'/') {
        let below = |folder: &PathBuf| {
            let items = search_path.disk().list_any_case(folder, part).unwrap_or_default();
            let alike = items.into_iter().filter(|item| item.name.eq_ignore_ascii_case(part));
            alike.map(|item| folder.join(OsStr::from_bytes(&item.name))).collect::<Vec<_>>()
        };
        folders = folders.iter().flat_map(below).collect();
    }
    let has = |folder: &PathBuf| {
        search_path
            .disk()
            .list_any_case(folder, name)
            .is_ok_and(|items| items.iter().any(|item| item.name == name))
    };
    folders.iter().any(has)
}

/// The path of a name in a folder.
pub(crate) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }
}

/// Whether a path can be shown unchanged, by the rules of extraction.
fn is_shown(path: &[u8]) -> Result<(), NoPath> {
    match EntryName::from_bytes(path).to_disk_path() {
        Ok(Cow::Borrowed(_)) => Ok(()),
        Ok(Cow::Owned(_)) => Err(NoPath::Name(NameFault::EmptyComponent)),
        Err(fault) => Err(NoPath::Name(fault)),
    }
}

/// Counts what a search path shows, and collects what it cannot show.
fn survey(search_path: &SearchPath) -> (Counts, Vec<WithoutPath>) {
    let tree = search_path.tree();
    let mut counts = tree.root().counts;
    let without_path = tree.without_path().iter().map(|without_path| {
        let name = || is_shown(without_path.file.name().as_bytes()).err();
        let because = match &without_path.because {
            NoPath::Name(_) => name().unwrap_or_else(|| without_path.because.clone()),
            because => because.clone(),
        };
        WithoutPath { file: without_path.file.clone(), because }
    });
    let mut not_shown: Vec<_> = without_path.collect();
    let mut folders = vec![tree.root()];
    while let Some(folder) = folders.pop() {
        for child in folder.children() {
            let Some(file) = child.file else {
                folders.push(child);
                continue;
            };
            if let Err(because) = is_shown(file.name().as_bytes()) {
                counts.files -= 1;
                counts.bytes = counts.bytes.saturating_sub(file.size());
                not_shown.push(WithoutPath { file: file.clone(), because });
            }
        }
    }
    (counts, not_shown)
}

/// The folder name of a layer. Its number keeps the order and separates layers with the same name.
fn folder_name(number: usize, width: usize, layer: &str) -> String {
    let name: String = layer
        .trim_matches('/')
        .chars()
        .map(|letter| if letter.is_control() || matches!(letter, '/' | '\\' | ':') { '-' } else { letter })
        .collect();
    format!("{number:0width$}-{name}")
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use quakefs::disk::{Item, Opened, Stat, SystemDisk, SystemPath};
    use quakefs::rules::Host;
    use quakefs::{Access, Engine};

    use super::*;

    /// The system's disk, which counts how often folders are listed.
    #[derive(Debug, Default)]
    struct Counting(AtomicUsize);

    impl Disk for Counting {
        fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            SystemDisk.list(folder)
        }
        fn stat(&self, path: &Path) -> io::Result<Stat> {
            SystemDisk.stat(path)
        }
        fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
            SystemDisk.open(path, access)
        }
        fn system_path(&self, path: &Path) -> Option<SystemPath> {
            SystemDisk.system_path(path)
        }
    }

    #[test]
    fn a_missing_name_lists_no_folder_again() {
        let disk = Arc::new(Counting::default());
        // folders that have not changed for some seconds
        let base = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/game");
        for (engine, host) in [(Engine::QuakeSpasm, Host::Windows), (Engine::Fte, Host::Linux)] {
            let quake =
                SearchPath::builder(base).disk(Arc::clone(&disk)).engine(engine).host(host).game("mymod");
            let view = View::merged(quake.mount().unwrap()).outside().unwrap();
            let missing = |number: usize| view.node(format!("maps/none{number}.bsp").as_bytes()).is_none();
            assert!(missing(0));
            let before = disk.0.load(Ordering::Relaxed);
            assert!((1..50).all(missing));
            assert_eq!(disk.0.load(Ordering::Relaxed), before, "{engine}");
        }
    }
}
