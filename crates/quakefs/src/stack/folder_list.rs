//! What a folder holds: the files that were listed, and what is no file.

use std::time::SystemTime;

use crate::rules::Spelling;

/// What a list of a folder has of each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The name alone, for which no file has to be looked at.
    Names,
    /// The name, the size and the time.
    Metadata,
}

/// A name, and what the disk says of the file if that was asked for.
pub(super) type Found = (Vec<u8>, Option<u64>, Option<SystemTime>);

/// What stands in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFile {
    /// A folder.
    Folder,
    /// A pipe.
    Pipe,
}

/// The files in a folder, numbered in byte order: their names, and their sizes and times if these were asked for.
#[derive(Default)]
pub(crate) struct FolderList {
    names: Vec<u8>,
    files: Vec<ListedFile>,
    /// Names of what is no file and hides lower copies, sorted.
    pub(super) hiding: Vec<Vec<u8>>,
}

pub(super) struct ListedFile {
    /// Where the name ends in `names`.
    end: usize,
    pub(super) size: Option<u64>,
    pub(super) modified: Option<SystemTime>,
}

impl FromIterator<Found> for FolderList {
    fn from_iter<I: IntoIterator<Item = Found>>(files: I) -> Self {
        let mut list = FolderList::default();
        for (name, size, modified) in files {
            list.names.extend_from_slice(&name);
            list.files.push(ListedFile { end: list.names.len(), size, modified });
        }
        list
    }
}

impl FolderList {
    pub(super) fn hiding(mut self, mut names: Vec<Vec<u8>>) -> Self {
        names.sort_unstable();
        self.hiding = names;
        self
    }

    /// Whether something with this name, or a folder on the way to it, hides lower copies.
    pub(super) fn hides(&self, name: &[u8], spelling: Spelling) -> bool {
        let name = spelling.fold(name);
        self.hiding.iter().map(|hiding| spelling.fold(hiding)).any(|hiding| match hiding.strip_suffix(b"/") {
            Some(_) => name.starts_with(&hiding),
            None => hiding == name,
        })
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
