//! Whether advice can be followed without harm.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};

use crate::advice::{Advice, own_name};
use crate::archive::OpenOptions;
use crate::findings::Location;
use crate::search_path::list_folder;
use crate::{Access, Archive, SearchPath};

/// For each list of steps what it would overwrite: a path below the base directory, or an entry; `None` if
/// nothing. Each folder and each archive is looked into once.
#[must_use]
pub fn taken(search_path: &SearchPath, all: &[Vec<Advice>]) -> Vec<Option<String>> {
    let Some(root) = search_path.roots().into_iter().next() else { return vec![None; all.len()] };
    let mut targets = Targets { search_path, root, names: HashMap::new(), archives: HashMap::new() };
    all.iter().map(|steps| steps.iter().find_map(|step| targets.taken_by(step))).collect()
}

/// What is on the disk and in archives.
struct Targets<'s> {
    search_path: &'s SearchPath,
    root: Utf8PathBuf,
    /// The exact names in a folder.
    names: HashMap<Utf8PathBuf, HashSet<Vec<u8>>>,
    archives: HashMap<String, Option<Archive>>,
}

impl Targets<'_> {
    fn taken_by(&mut self, advice: &Advice) -> Option<String> {
        match advice {
            Advice::Rename(names) => {
                // another rename of the list makes room
                let moved: HashSet<String> = names.iter().map(|(what, _)| what.to_string()).collect();
                names.iter().find_map(|(what, to)| self.taken_by_rename(what, to, &moved))
            }
            Advice::Move { what, to } => {
                let names = self.names_of(what);
                names.into_iter().map(|name| format!("{to}{name}")).find(|path| self.is_there(path))
            }
            _ => None,
        }
    }

    fn taken_by_rename(&mut self, what: &Location, to: &str, moved: &HashSet<String>) -> Option<String> {
        if own_name(what) == to {
            return None;
        }
        match what {
            Location::Entry { archive, .. } => {
                self.archive(archive)?.find(to).map(|entry| entry.name().to_string())
            }
            Location::File { folder, .. } => Some(format!("{folder}{to}")).filter(|path| self.is_there(path)),
            Location::Archive(layer) | Location::Folder(layer) => {
                let layer = layer.trim_end_matches('/');
                let beside = layer.rsplit_once('/').map(|(folder, _)| format!("{folder}/{to}"));
                let path = beside.unwrap_or_else(|| to.to_owned());
                Some(path).filter(|path| !moved.contains(path) && self.is_there(path))
            }
            Location::Flag(_) => None,
        }
    }

    /// The names that a move brings along.
    fn names_of(&mut self, what: &Location) -> Vec<String> {
        match what {
            Location::Folder(from) => {
                let at = self.root.join(from);
                let files = list_folder(self.search_path.disk(), &at, self.search_path.rules());
                files.into_iter().filter_map(|(name, _)| String::from_utf8(name).ok()).collect()
            }
            Location::Archive(from) => {
                let entries = self.archive(from).into_iter().flat_map(Archive::entries);
                entries.filter_map(|entry| Some(entry.name().to_str()?.to_owned())).collect()
            }
            _ => what.name().and_then(|name| Some(name.to_str()?.to_owned())).into_iter().collect(),
        }
    }

    /// Whether a path exists in this spelling: a disk that ignores case finds a file under its new name too.
    fn is_there(&mut self, path: &str) -> bool {
        let path = self.root.join(path);
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
        if let Some(names) = self.names.get(folder) {
            return names.contains(name.as_bytes());
        }
        let items = self.search_path.disk().list(folder.as_std_path()).unwrap_or_default();
        let names: HashSet<_> = items.into_iter().map(|item| item.name).collect();
        let is_there = names.contains(name.as_bytes());
        self.names.insert(folder.to_owned(), names);
        is_there
    }

    fn archive(&mut self, name: &str) -> Option<&Archive> {
        if !self.archives.contains_key(name) {
            let layer = self.search_path.layers().find(|layer| layer.name() == name);
            let mounted = layer.and_then(|layer| layer.archive().cloned());
            let archive = mounted.or_else(|| open(self.search_path, &self.root.join(name)));
            self.archives.insert(name.to_owned(), archive);
        }
        self.archives.get(name)?.as_ref()
    }
}

fn open(search_path: &SearchPath, path: &Utf8Path) -> Option<Archive> {
    OpenOptions::new().access(Access::Read).open_on(search_path.disk(), path).ok()
}
