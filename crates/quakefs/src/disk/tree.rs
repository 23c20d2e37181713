//! Folders and files by path, for disks other than the system's.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path};
use std::sync::OnceLock;

use super::{FileKind, Item, bytes_of};
use crate::rules::Spelling;
use crate::rules::order::sort_by_name;

/// A tree of folders and files. Each file is a number, which the disk assigned.
#[derive(Debug, Default)]
pub(super) struct Tree {
    root: MemoryFolder,
    /// The number of folders ever created.
    pub(super) made: usize,
}

#[derive(Debug, Default)]
struct MemoryFolder {
    items: BTreeMap<Box<[u8]>, Node>,
    /// The names by their folded form, made on first use after a change.
    folded: OnceLock<Folded>,
}

/// Names behind their folded form, sorted.
type Folded = Vec<(Vec<u8>, Box<[u8]>)>;

#[derive(Debug)]
enum Node {
    Folder(MemoryFolder),
    File(u32),
}

/// What a path leads to.
pub(super) enum At {
    Folder,
    File(u32),
}

impl Tree {
    /// Adds or replaces a file and creates missing parents. Fails if a parent is a file, and for a path
    /// without a name or outside the tree.
    pub(super) fn insert(&mut self, path: &Path, file: u32) -> io::Result<()> {
        let mut parts = parts(path)?;
        let name = parts.pop().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = self.root.make(&parts, &mut self.made)?;
        if matches!(folder.items.get(name), Some(Node::Folder(_))) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        folder.folded.take();
        folder.items.insert(name.into(), Node::File(file));
        Ok(())
    }

    /// Creates a folder and missing parents.
    pub(super) fn insert_folder(&mut self, path: &Path) -> io::Result<()> {
        self.root.make(&parts(path)?, &mut self.made).map(drop)
    }

    /// Removes a file or folder. Returns the numbers of the removed files.
    pub(super) fn remove(&mut self, path: &Path) -> io::Result<Vec<u32>> {
        let mut parts = parts(path)?;
        let name = parts.pop().ok_or(io::ErrorKind::InvalidInput)?;
        let mut folder = &mut self.root;
        for part in parts {
            match folder.items.get_mut(part) {
                Some(Node::Folder(below)) => folder = below,
                _ => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        folder.folded.take();
        let removed = folder.items.remove(name).ok_or(io::ErrorKind::NotFound)?;
        let mut files = Vec::new();
        removed.add_to(&mut files);
        Ok(files)
    }

    pub(super) fn get(&self, path: &Path) -> io::Result<At> {
        let mut at = At::Folder;
        let mut folder = Some(&self.root);
        for part in parts(path)? {
            match folder.ok_or(io::ErrorKind::NotADirectory)?.items.get(part) {
                Some(Node::Folder(below)) => (at, folder) = (At::Folder, Some(below)),
                Some(Node::File(file)) => (at, folder) = (At::File(*file), None),
                None => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        Ok(at)
    }

    pub(super) fn list(&self, path: &Path) -> io::Result<Vec<Item>> {
        Ok(self.folder(path)?.items.iter().map(|(name, node)| item(name, node)).collect())
    }

    /// The items of a folder with this name in any case and form.
    pub(super) fn list_any_case(&self, path: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        let folder = self.folder(path)?;
        let (names, wanted) = (folder.folded(), ANY.fold(name));
        let first = names.partition_point(|(folded, _)| **folded < *wanted);
        let alike = names.iter().skip(first).take_while(|(folded, _)| **folded == *wanted);
        Ok(alike.filter_map(|(_, name)| Some(item(name, folder.items.get(name)?))).collect())
    }

    fn folder(&self, path: &Path) -> io::Result<&MemoryFolder> {
        let mut folder = &self.root;
        for part in parts(path)? {
            folder = match folder.items.get(part) {
                Some(Node::Folder(below)) => below,
                Some(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                None => return Err(io::ErrorKind::NotFound.into()),
            };
        }
        Ok(folder)
    }
}

impl Node {
    fn add_to(&self, files: &mut Vec<u32>) {
        match self {
            Node::Folder(folder) => folder.items.values().for_each(|node| node.add_to(files)),
            Node::File(file) => files.push(*file),
        }
    }
}

fn item(name: &[u8], node: &Node) -> Item {
    let kind = match node {
        Node::Folder(_) => FileKind::Folder,
        Node::File(_) => FileKind::File,
    };
    Item { name: name.to_vec(), kind }
}

/// The comparison of `list_any_case`.
const ANY: Spelling = Spelling::IgnoresCaseAndForm;

impl MemoryFolder {
    fn folded(&self) -> &Folded {
        self.folded.get_or_init(|| {
            let names = self.items.keys();
            let mut folded: Folded = names.map(|name| (ANY.fold(name).into_owned(), name.clone())).collect();
            sort_by_name(&mut folded, |(name, _)| name);
            folded
        })
    }

    fn make(&mut self, parts: &[&[u8]], made: &mut usize) -> io::Result<&mut MemoryFolder> {
        let mut folder = self;
        for part in parts {
            let MemoryFolder { items, folded } = folder;
            let node = items.entry((*part).into()).or_insert_with(|| {
                folded.take();
                *made += 1;
                Node::Folder(MemoryFolder::default())
            });
            match node {
                Node::Folder(below) => folder = below,
                Node::File(_) => return Err(io::ErrorKind::NotADirectory.into()),
            }
        }
        Ok(folder)
    }
}

/// The deepest nesting. Dropping the tree recurses once for each level.
const DEEPEST: usize = 512;

/// The names in a path, without root and `.` parts. Fails for `..`, and for a path with very many names.
fn parts(path: &Path) -> io::Result<Vec<&[u8]>> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => parts.push(bytes_of(name).ok_or(io::ErrorKind::NotFound)?),
            Component::ParentDir => return Err(io::ErrorKind::NotFound.into()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
        if parts.len() > DEEPEST {
            return Err(io::ErrorKind::NotFound.into());
        }
    }
    Ok(parts)
}
