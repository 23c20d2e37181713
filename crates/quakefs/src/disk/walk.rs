//! Everything below a folder.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::{Disk, FileKind, Item, path_of, with_path};

/// The most times that a folder is listed through links. Without a limit, 27 folders with two links each
/// would be listed 2^27 times. Listing a folder by its own path is always allowed.
const LINKED: usize = 16;

/// The most folders that a walk enters, and the longest name below its start in bytes. The system's disk ends
/// earlier; a caller's disk may have folders without an end.
const MOST_FOLDERS: usize = 1 << 19;
const LONGEST: usize = 1024;

/// A walk over everything below a folder. Links are followed, but not in circles.
pub(crate) struct Walk<'d> {
    disk: &'d dyn Disk,
    root: &'d Path,
    levels: Vec<Level>,
    /// How many folders were entered.
    entered: usize,
    /// How often each folder was listed through links, sorted by its real path.
    linked: Vec<(OsString, usize)>,
    /// The error if the folder itself could not be listed.
    failed: Option<NotWalked>,
}

/// A folder that is being listed.
struct Level {
    /// Its name relative to the start of the walk; empty for the start.
    name: Vec<u8>,
    items: std::vec::IntoIter<Item>,
    /// Whether it was reached through a link.
    linked: bool,
}

/// An item below a folder: its relative name, and its kind after following links.
pub(crate) struct Walked {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: FileKind,
}

/// A folder that the walk skips, with its relative name.
pub(crate) enum NotWalked {
    /// It was listed through links too often. Reported once.
    Again(Vec<u8>),
    /// It is a link to one of its parents.
    Circle(Vec<u8>),
    /// Its name is not a valid path on this system.
    NoPath(Vec<u8>),
    Error(Vec<u8>, io::Error),
}

impl<'d> Walk<'d> {
    pub(crate) fn new(disk: &'d dyn Disk, root: &'d Path) -> Walk<'d> {
        let mut walk = Walk { disk, root, levels: Vec::new(), entered: 0, linked: Vec::new(), failed: None };
        walk.failed = walk.enter(Vec::new(), false).err();
        walk
    }

    fn enter(&mut self, name: Vec<u8>, linked: bool) -> Result<(), NotWalked> {
        self.entered += 1;
        if name.len() > LONGEST {
            return Err(NotWalked::Error(name, io::Error::other("the folders are nested too deep")));
        }
        if self.entered > MOST_FOLDERS {
            let text = format!("there are more than {MOST_FOLDERS} folders: the others are not listed");
            // reported once
            let is_first = self.entered == MOST_FOLDERS + 1;
            return if is_first { Err(NotWalked::Error(name, io::Error::other(text))) } else { Ok(()) };
        }
        match with_path(self.root, &name, |path| self.disk.list(path)) {
            Some(Ok(items)) => {
                self.levels.push(Level { name, items: items.into_iter(), linked });
                Ok(())
            }
            Some(Err(error)) => Err(NotWalked::Error(name, error)),
            None => Err(NotWalked::NoPath(name)),
        }
    }

    /// Enters a folder through a link, unless that leads in circles.
    fn enter_linked(&mut self, name: Vec<u8>, is_link: bool) -> Result<(), NotWalked> {
        let Some(real) = self.real(&name) else { return self.enter(name, true) };
        if is_link && self.levels.iter().any(|level| self.real(&level.name).as_ref() == Some(&real)) {
            return Err(NotWalked::Circle(name));
        }
        let at = self.linked.partition_point(|(known, _)| **known < *real.as_os_str());
        if self.linked.get(at).is_none_or(|(known, _)| *known != *real) {
            self.linked.insert(at, (real.into_os_string(), 0));
        }
        let Some((_, count)) = self.linked.get_mut(at) else { return Ok(()) };
        *count += 1;
        match *count {
            count if count <= LINKED => self.enter(name, true),
            count if count == LINKED + 1 => Err(NotWalked::Again(name)),
            _ => Ok(()),
        }
    }

    fn real(&self, name: &[u8]) -> Option<PathBuf> {
        with_path(self.root, name, |path| self.disk.real(path))?.ok()
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Walked, NotWalked>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(failed) = self.failed.take() {
            return Some(Err(failed));
        }
        loop {
            let level = self.levels.last_mut()?;
            let Some(item) = level.items.next() else {
                self.levels.pop();
                continue;
            };
            let linked = level.linked;
            let mut name = Vec::with_capacity(level.name.len() + 1 + item.name.len());
            if !level.name.is_empty() {
                name.extend_from_slice(&level.name);
                name.push(b'/');
            }
            name.extend_from_slice(&item.name);
            if path_of(&item.name).is_none() {
                return Some(Err(NotWalked::NoPath(name)));
            }
            let is_link = item.kind == FileKind::Link;
            let kind = if is_link {
                match with_path(self.root, &name, |path| self.disk.stat(path))? {
                    Ok(stat) => stat.kind,
                    Err(error) => return Some(Err(NotWalked::Error(name, error))),
                }
            } else {
                item.kind
            };
            if kind == FileKind::Folder {
                let entered = if is_link || linked {
                    self.enter_linked(name.clone(), is_link)
                } else {
                    self.enter(name.clone(), false)
                };
                self.failed = entered.err();
            }
            return Some(Ok(Walked { name, kind }));
        }
    }
}
