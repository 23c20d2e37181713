//! The loose files of all game directories, listed: names that can be found without asking the disk.

use crate::index::{FileId, Index, Names};
use crate::layer::Layer;
use crate::problem::{Problem, ProblemKind};
use crate::qpath::{QPath, Rewritten};
use crate::rules::{Case, Duplicates, LooseCase, Rules};
use crate::source::{FolderList, Source};

/// How loose files are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LooseFiles {
    /// The disk is asked at every lookup, as the id engines do: a file that is dropped into the folder is seen
    /// at once.
    #[default]
    Live,
    /// The folders are listed at the mount, and answer without a system call until
    /// [`SearchPath::refresh`](crate::SearchPath::refresh).
    Listed,
}

/// What a folder says to a name.
pub(crate) enum ListAnswer {
    File(FileId),
    Nothing,
    Hides,
}

pub(crate) struct Listing {
    case: LooseCase,
    /// By layer; empty for archives.
    folders: Folders,
    index: Index,
}

struct Folders(Vec<FolderList>);

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
}

impl Listing {
    /// Lists the folders among some layers, lowest first, and tells what could not be listed or reached.
    pub(crate) fn new(layers: &[Layer], rules: &Rules) -> (Listing, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut folders = Vec::with_capacity(layers.len());
        for layer in layers {
            let mut list = FolderList::default();
            if let Source::Folder(folder) = &layer.source {
                let (found, left_out) = folder.list();
                list = found;
                for (place, kind) in left_out {
                    problems.push(Problem::new(format!("{}{place}", layer.name()), &rules.name, kind));
                }
            }
            folders.push(list);
        }
        let folders = Folders(folders);
        let case = match rules.loose.case {
            LooseCase::Exact | LooseCase::ExactThenLower => Case::Exact,
            LooseCase::Ignored | LooseCase::ExactHidesOthers => Case::Ignored,
        };
        let sizes = folders.0.iter().zip(0..=u16::MAX).map(|(list, layer)| (layer, list.len())).rev();
        let index = Index::build(sizes, case, Duplicates::First, &folders, |id| {
            let name = folders.name(id);
            let Err(kind) = reach(name, rules, |qpath| qpath.in_folders()) else { return true };
            let place = layers.get(usize::from(id.layer)).map_or("", Layer::name);
            let place = format!("{place}{}", pak_format::EntryName::from_bytes(name));
            problems.push(Problem::new(place, &rules.name, ProblemKind::Unreachable(kind)));
            false
        });
        (Listing { case: rules.loose.case, folders, index }, problems)
    }

    pub(crate) fn name(&self, id: FileId) -> &[u8] {
        self.folders.name(id)
    }

    pub(crate) fn size(&self, id: FileId) -> u64 {
        self.folders.0.get(usize::from(id.layer)).map_or(0, |folder| folder.size(id.file))
    }

    /// Every file that some request reaches, of all folders.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        self.folders
            .0
            .iter()
            .zip(0..=u16::MAX)
            .flat_map(|(list, layer)| (0..list.len()).map(move |file| FileId { layer, file }))
    }

    /// The highest file of a name where names compare exactly: one probe.
    pub(crate) fn find_exact(&self, name: &[u8]) -> Option<FileId> {
        self.index.find(name, &self.folders)
    }

    /// What one folder says to a name.
    pub(crate) fn ask(&self, layer: u16, name: &[u8]) -> ListAnswer {
        let within = |name| self.index.copies(name, &self.folders).filter(move |id| id.layer == layer);
        let exactly = |id: &FileId| self.folders.name(*id) == name;
        let found = match self.case {
            LooseCase::Exact => within(name).next(),
            LooseCase::ExactThenLower => {
                within(name).next().or_else(|| self.find_lower(layer, Rewritten::lower(name).as_bytes()))
            }
            LooseCase::Ignored => within(name).find(exactly).or_else(|| within(name).next()),
            LooseCase::ExactHidesOthers => match within(name).find(exactly) {
                None if within(name).next().is_some() => return ListAnswer::Hides,
                found => found,
            },
        };
        found.map_or(ListAnswer::Nothing, ListAnswer::File)
    }

    fn find_lower(&self, layer: u16, lower: &[u8]) -> Option<FileId> {
        self.index.copies(lower, &self.folders).find(|id| id.layer == layer)
    }
}

/// Whether a request for a stored name asks for that name. No other request can: what is read once reads as
/// itself.
pub(crate) fn reach(
    name: &[u8],
    rules: &Rules,
    asked: for<'q, 'r> fn(&'q QPath<'r>) -> &'q [u8],
) -> Result<(), crate::problem::Unreachable> {
    use crate::problem::Unreachable;

    match QPath::new(name, &rules.requests) {
        Ok(qpath) if asked(&qpath) == name => Ok(()),
        Ok(_) => Err(Unreachable::ReadDifferently),
        Err(reason) => Err(Unreachable::Refused(reason)),
    }
}
