//! The listed content of a folder.

use std::cmp::Ordering;

use crate::disk::Version;
use crate::rules::Spelling;
use crate::rules::order::sort_by_name;

/// The details that a listing contains for each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Only the name, which needs no `stat`.
    Names,
    /// The name, the size and the time.
    Metadata,
}

/// A name, with size and version if the listing has details.
pub(super) type ListedName = (Vec<u8>, Option<u64>, Option<Version>);

/// The kind of something that is not a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotAFile {
    /// A folder.
    Folder,
    /// A pipe.
    Pipe,
}

/// The files in a folder, numbered in byte order, with sizes and times if the listing has details.
#[derive(Default)]
pub(crate) struct FolderList {
    names: Vec<u8>,
    files: Vec<ListedFile>,
    /// Sorted names of folders and devices that hide lower copies.
    hiding: Vec<Vec<u8>>,
    /// Whether a file hides lower copies of the names below it.
    files_hide_below: bool,
}

pub(super) struct ListedFile {
    /// Where the name ends in `names`.
    end: usize,
    pub(super) size: Option<u64>,
    pub(super) version: Option<Version>,
}

impl FromIterator<ListedName> for FolderList {
    fn from_iter<I: IntoIterator<Item = ListedName>>(files: I) -> Self {
        let mut list = FolderList::default();
        for (name, size, version) in files {
            list.names.extend_from_slice(&name);
            list.files.push(ListedFile { end: list.names.len(), size, version });
        }
        list
    }
}

impl FolderList {
    pub(super) fn hiding(self, mut names: Vec<Vec<u8>>, files_hide_below: bool) -> Self {
        sort_by_name(&mut names, Vec::as_slice);
        FolderList { hiding: names, files_hide_below, ..self }
    }

    /// Whether the folder may hide lower copies of names that it does not have.
    pub(super) fn may_hide(&self) -> bool {
        self.files_hide_below || !self.hiding.is_empty()
    }

    /// Whether this name, or a parent of it, hides lower copies.
    pub(super) fn hides(&self, name: &[u8], spelling: Spelling) -> bool {
        if self.files_hide_below && self.is_below_file(name) {
            return true;
        }
        let name = spelling.fold(name);
        self.hiding.iter().map(|hiding| spelling.fold(hiding)).any(|hiding| match hiding.strip_suffix(b"/") {
            Some(_) => name.starts_with(&hiding),
            None => hiding == name,
        })
    }

    fn is_below_file(&self, name: &[u8]) -> bool {
        let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(end, _)| name.get(..end).unwrap_or_default()).any(|folder| self.has(folder))
    }

    fn has(&self, name: &[u8]) -> bool {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            match self.name(middle).cmp(name) {
                Ordering::Less => from = middle + 1,
                Ordering::Equal => return true,
                Ordering::Greater => to = middle,
            }
        }
        false
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.files.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn file(&self, file: u32) -> Option<&ListedFile> {
        self.files.get(file as usize)
    }

    pub(super) fn name(&self, file: u32) -> &[u8] {
        let file = file as usize;
        let end_of = |file: usize| self.files.get(file).map(|file| file.end);
        let start = file.checked_sub(1).and_then(end_of).unwrap_or(0);
        end_of(file).and_then(|end| self.names.get(start..end)).unwrap_or_default()
    }
}
