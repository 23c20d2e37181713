//! Whether advice can be followed without harm.

use camino::Utf8Path;

use crate::advice::{Advice, own_name};
use crate::archive::OpenOptions;
use crate::findings::Location;
use crate::{Access, Archive, SearchPath};

/// What the advice would overwrite: a path below the base directory, or an entry; `None` if nothing.
#[must_use]
pub fn taken(search_path: &SearchPath, advice: &Advice) -> Option<String> {
    let root = search_path.roots().into_iter().next()?;
    // a disk that ignores case finds the file itself under the new name
    let is_there = |path: &str| {
        let path = root.join(path);
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let found = search_path.disk().list_any_case(folder.as_std_path(), name.as_bytes());
        found.is_ok_and(|items| items.iter().any(|item| item.name == name.as_bytes()))
    };
    let archive = |name: &str| {
        let layer = search_path.layers().find(|layer| layer.name() == name)?;
        layer.archive().cloned().or_else(|| open(search_path, &root.join(name)))
    };
    match advice {
        Advice::Rename(names) => names.iter().find_map(|(what, to)| {
            // another rename of the list may make room
            let is_moved = |path: &str| names.iter().any(|(other, _)| other.to_string() == path);
            match what {
                Location::Entry { archive: layer, name, .. } => {
                    let is_other = name.as_bytes() != to.as_bytes();
                    archive(layer)?.find(to).filter(|_| is_other).map(|entry| entry.name().to_string())
                }
                Location::File { folder, name } => {
                    let is_other = name.as_bytes() != to.as_bytes();
                    Some(format!("{folder}{to}")).filter(|path| is_other && is_there(path))
                }
                Location::Archive(layer) | Location::Folder(layer) => {
                    let layer = layer.trim_end_matches('/');
                    let path = match layer.rsplit_once('/') {
                        Some((folder, _)) => format!("{folder}/{to}"),
                        None => to.clone(),
                    };
                    let is_other = own_name(what) != *to;
                    Some(path).filter(|path| is_other && is_there(path) && !is_moved(path))
                }
                Location::Flag(_) => None,
            }
        }),
        Advice::Move { what, to } => {
            let names: Vec<String> = match what {
                Location::Folder(from) => {
                    crate::search_path::list_folder(search_path.disk(), &root.join(from), search_path.rules())
                        .into_iter()
                        .filter_map(|(name, _)| String::from_utf8(name).ok())
                        .collect()
                }
                Location::Archive(from) => {
                    let archive = open(search_path, &root.join(from))?;
                    archive.entries().filter_map(|entry| Some(entry.name().to_str()?.to_owned())).collect()
                }
                _ => what.name().and_then(|name| Some(name.to_str()?.to_owned())).into_iter().collect(),
            };
            names.into_iter().map(|name| format!("{to}{name}")).find(|path| is_there(path))
        }
        _ => None,
    }
}

fn open(search_path: &SearchPath, path: &Utf8Path) -> Option<Archive> {
    OpenOptions::new().access(Access::Read).open_on(search_path.disk(), path).ok()
}
