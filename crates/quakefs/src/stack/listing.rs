//! The loose files of all game directories, listed: names that are found without asking the disk.

use std::time::SystemTime;

use super::answer::Answer;
use super::folder_list::{Detail, FolderList, ListedFile};
use super::index::{FileId, Hashed, Index, Names};
use super::layer::{Layer, Source};
use super::mounted::Mounted;
use crate::finding::{Finding, FindingKind, Unreachable};
use crate::place::Place;
use crate::rules::Rewritten;
use crate::rules::instead_of;
use crate::rules::{Case, Duplicates, Instead, List, LooseCase, QPath, Rules};

/// How loose files are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LooseFiles {
    /// The disk is asked at every lookup, as the id engines do: a file that is put into the folder is seen at once.
    #[default]
    Live,
    /// The folders are listed at the mount, and answer without a system call until
    /// [`SearchPath::refresh`](crate::SearchPath::refresh).
    Listed,
}

pub(crate) struct Listing {
    case: LooseCase,
    instead: List<Instead>,
    /// Whether one probe with the hash that the archives are asked with may say what the folders answer: hashes are
    /// shared, a name is not asked for in another case, and nothing among the files hides lower copies.
    one_probe: bool,
    /// By layer; empty for archives.
    folders: Folders,
    index: Index,
}

struct Folders(Vec<FolderList>);

impl Folders {
    fn file(&self, id: FileId) -> Option<&ListedFile> {
        self.0.get(usize::from(id.layer))?.file(id.file)
    }
}

impl Names for Folders {
    fn is(&self, id: FileId, name: &[u8], case: Case) -> bool {
        match case {
            Case::Exact => self.name(id) == name,
            Case::Ignored => self.name(id).eq_ignore_ascii_case(name),
        }
    }

    fn name(&self, id: FileId) -> &[u8] {
        self.0.get(usize::from(id.layer)).map_or(&[], |folder| folder.name(id.file))
    }

    fn is_searched(&self, _: FileId) -> bool {
        true
    }
}

impl Listing {
    /// Lists the folders among the layers, and reports what could not be listed or reached. Hashes are
    /// those of the archives' index where the rules allow it.
    pub(super) fn new(mounted: &Mounted, detail: Detail) -> (Listing, Vec<Finding>) {
        let (layers, rules, archives) = (&mounted.layers.0, &*mounted.rules, &mounted.archives);
        let mut findings = Vec::new();
        let mut folders = Vec::with_capacity(layers.len());
        for layer in layers {
            let mut list = FolderList::default();
            if let Source::Folder(folder) = &layer.source {
                let (found, left_out) = folder.list(detail);
                list = found;
                for (place, kind) in left_out {
                    let place = Place::layer(format!("{}{place}", layer.name()));
                    findings.push(Finding::new(&rules.name, place, kind));
                }
            }
            folders.push(list);
        }
        let folders = Folders(folders);
        let case = match rules.loose.case {
            LooseCase::Exact | LooseCase::ExactThenLower => Case::Exact,
            LooseCase::Ignored | LooseCase::ExactHidesOthers => Case::Ignored,
        };
        let sizes = folders.0.iter().zip(0..=u16::MAX).map(|(list, layer)| (layer, list.len()));
        let sizes: Vec<_> = sizes.filter(|(_, files)| *files > 0).collect();
        let (archives_case, hasher) = archives.hashing();
        let sizes = sizes.into_iter().rev();
        let index = Index::build(sizes, case, hasher, Duplicates::First, &folders, |id, name| {
            let Err(kind) = reach(name, rules, |qpath| qpath.in_folders()) else { return true };
            let layer = layers.get(usize::from(id.layer)).map_or("", Layer::name);
            let place = Place::loose(layer, pak_format::EntryName::from_bytes(name));
            findings.push(Finding::new(&rules.name, place, FindingKind::Unreachable(kind)));
            false
        });
        let one_probe = case == archives_case
            && rules.loose.case != LooseCase::ExactThenLower
            && folders.0.iter().all(|list| list.hiding.is_empty());
        let (case, instead) = (rules.loose.case, rules.requests.instead.clone());
        (Listing { case, instead, one_probe, folders, index }, findings)
    }

    pub(super) fn name(&self, id: FileId) -> &[u8] {
        self.folders.name(id)
    }

    /// Bytes in a file, if the listing has more than names.
    pub(super) fn size(&self, id: FileId) -> Option<u64> {
        self.folders.file(id)?.size
    }

    /// The time of a file, if the listing has more than names.
    pub(super) fn modified(&self, id: FileId) -> Option<SystemTime> {
        self.folders.file(id)?.modified
    }

    /// Every file, of all folders.
    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.folders
            .0
            .iter()
            .zip(0..=u16::MAX)
            .flat_map(|(list, layer)| (0..list.len()).map(move |file| FileId { layer, file }))
    }

    /// What all folders together answer to a name, by one probe; `None` where each folder has to be asked.
    #[inline]
    pub(super) fn find_at_once(&self, hashed: Hashed<'_>) -> Option<Answer<FileId>> {
        if !self.one_probe || instead_of(&self.instead, hashed.name).is_some() {
            return None;
        }
        match self.index.find(hashed, &self.folders) {
            None => Some(Answer::Nothing),
            Some(file) if self.case == LooseCase::Exact => Some(Answer::File(file)),
            // of several spellings, the one that was asked for is served
            Some(_) => None,
        }
    }

    /// What one folder answers to a name.
    pub(super) fn ask(&self, layer: u16, name: &[u8]) -> Answer<FileId> {
        let within = |name| self.index.copies(name, &self.folders).filter(move |id| id.layer == layer);
        if let Some(file) = instead_of(&self.instead, name).and_then(|file| within(file).next()) {
            return Answer::File(file);
        }
        self.exactly(layer, name).or_else(|| match self.case {
            LooseCase::ExactThenLower => self.exactly(layer, Rewritten::lower(name).as_bytes()),
            LooseCase::Ignored => within(name).next().map_or(Answer::Nothing, Answer::File),
            LooseCase::ExactHidesOthers if within(name).next().is_some() => Answer::Hides,
            LooseCase::Exact | LooseCase::ExactHidesOthers => Answer::Nothing,
        })
    }

    /// What one folder answers to a name as it is spelled.
    fn exactly(&self, layer: u16, name: &[u8]) -> Answer<FileId> {
        let mut copies = self.index.copies(name, &self.folders);
        match copies.find(|id| id.layer == layer && self.folders.name(*id) == name) {
            Some(file) => Answer::File(file),
            None if self.folders.0.get(usize::from(layer)).is_some_and(|folder| folder.hides(name)) => {
                Answer::Hides
            }
            None => Answer::Nothing,
        }
    }
}

/// Whether a request for a stored name asks for that name. No other request can: a name that was read once reads as
/// itself.
pub(crate) fn reach(
    name: &[u8],
    rules: &Rules,
    asked: for<'q, 'r> fn(&'q QPath<'r>) -> &'q [u8],
) -> Result<(), Unreachable> {
    if QPath::is_as_requested(name, &rules.requests) {
        return Ok(());
    }
    match QPath::new(name, &rules.requests) {
        Ok(qpath) if asked(&qpath) == name => Ok(()),
        Ok(_) => Err(Unreachable::ReadDifferently),
        Err(reason) => Err(Unreachable::Refused(reason)),
    }
}
