//! Candidates for a misspelt name.

use super::folder::LooseFolder;
use super::layer::Source;
use super::surface::SearchPath;
use crate::rules::spelling;

/// A name that may have been meant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Candidate<'n> {
    /// A file.
    File(&'n [u8]),
    /// A folder on disk.
    Folder(&'n [u8]),
}

impl SearchPath {
    /// Calls `each` with every name in the archives, and with loose files near `name`: in folders of a
    /// similar spelling, one folder up and one folder down, in any case.
    pub(crate) fn candidates(&self, name: &[u8], mut each: impl FnMut(Candidate<'_>)) {
        for layer in &self.0.layers.0 {
            match &layer.source {
                Source::Archive(archive) => {
                    let files = (0..archive.rows()).filter(|row| !archive.is_folder(*row));
                    files.for_each(|row| each(Candidate::File(archive.name(row))));
                }
                Source::Folder(_) if self.0.listing.is_some() => {}
                Source::Folder(folder) => {
                    let mut any_case = |mut within: Vec<u8>, name: &[u8]| {
                        let mut walk = Walk { folder, each: &mut each, folders: MOST_FOLDERS };
                        walk.any_case(&mut within, name);
                    };
                    for (child, _) in folder.children(b"").into_iter().filter(|(_, is_folder)| *is_folder) {
                        any_case(child, name);
                    }
                    if let Some(slash) = name.iter().position(|&byte| byte == b'/') {
                        any_case(Vec::new(), name.get(slash + 1..).unwrap_or_default());
                    }
                    let mut walk = Walk { folder, each: &mut each, folders: MOST_FOLDERS };
                    walk.similar(&mut Vec::new(), name);
                }
            }
        }
        if let Some(listing) = &self.0.listing {
            listing.files().for_each(|id| each(Candidate::File(listing.name(id))));
        }
    }
}

/// The most folders of a layer that are listed. With links, a few folders can have any number of paths.
const MOST_FOLDERS: usize = 64;

/// A walk to the folders on disk with names similar to a path.
struct Walk<'w, F> {
    folder: &'w LooseFolder,
    each: &'w mut F,
    /// The number of folders that may still be listed.
    folders: usize,
}

impl<F: FnMut(Candidate<'_>)> Walk<'_, F> {
    /// Calls `each` with the files of this name in any case.
    fn any_case(&mut self, within: &mut Vec<u8>, name: &[u8]) {
        let Some(left) = self.folders.checked_sub(1) else { return };
        self.folders = left;
        let slash = name.iter().position(|&byte| byte == b'/');
        let part = name.get(..slash.unwrap_or(name.len())).unwrap_or_default();
        let length = within.len();
        for (child, is_folder) in self.folder.children_any_case(within, part) {
            if length > 0 {
                within.push(b'/');
            }
            within.extend_from_slice(&child);
            match slash {
                Some(slash) if is_folder => self.any_case(within, name.get(slash + 1..).unwrap_or_default()),
                None if !is_folder => (self.each)(Candidate::File(within)),
                _ => {}
            }
            within.truncate(length);
        }
    }

    fn similar(&mut self, within: &mut Vec<u8>, rest: &[u8]) {
        let Some(left) = self.folders.checked_sub(1) else { return };
        self.folders = left;
        let slash = rest.iter().position(|&byte| byte == b'/');
        let part = rest.get(..slash.unwrap_or(rest.len())).unwrap_or_default();
        let mut children = self.folder.children(within);
        children.sort_unstable();
        let is_there = children.iter().any(|(child, is_folder)| *is_folder && child == part);
        let is_like = |child: &[u8]| {
            child.eq_ignore_ascii_case(part) || (!is_there && spelling::distance(part, child).is_some())
        };
        let length = within.len();
        for (child, is_folder) in &children {
            if length > 0 {
                within.push(b'/');
            }
            within.extend_from_slice(child);
            match (slash, is_folder) {
                (Some(slash), true) if is_like(child) => {
                    self.similar(within, rest.get(slash + 1..).unwrap_or_default());
                }
                (Some(_), _) => {}
                (None, true) => (self.each)(Candidate::Folder(within)),
                (None, false) => (self.each)(Candidate::File(within)),
            }
            within.truncate(length);
        }
    }
}
