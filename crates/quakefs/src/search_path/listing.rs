//! The listed loose files of all game directories. Lookups in it need no access to the disk.

use super::answer::Answer;
use super::folder_list::{Detail, FolderList, ListedFile};
use super::index::{FileId, Hashed, Index, Names};
use super::layer::Layer;
use super::mounted::Mounted;
use crate::disk::Version;
use crate::finding::{Finding, FindingKind, Unreachable};
use crate::location::Location;
use crate::rules::{
    Case, Duplicates, List, LooseAlias, LooseCase, NameBuffer, QPath, Rules, Spelling, loose_alias,
};

pub(crate) struct Listing {
    /// The case rule of each layer.
    cases: Vec<LooseCase>,
    /// Whether the first match in the index is the winner. If not, a match in another case may come first,
    /// and each folder is searched for the exact spelling.
    takes_first: bool,
    instead: List<LooseAlias>,
    /// Files with non-ASCII names in folders that ignore case, sorted by layer and folded name.
    beyond_ascii: Vec<((u16, Vec<u8>), FileId)>,
    spellings: Vec<Spelling>,
    /// Whether one probe answers for all folders. This requires the hashes of the archives' index, a single
    /// spelling to try, and nothing that hides lower copies.
    one_probe: bool,
    /// By layer; empty for archives.
    folders: FolderLists,
    index: Index,
}

struct FolderLists(Vec<FolderList>);

impl FolderLists {
    fn file(&self, id: FileId) -> Option<&ListedFile> {
        self.0.get(usize::from(id.layer))?.file(id.file)
    }
}

impl Names for FolderLists {
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
    /// Lists the folders among the layers, and reports files that cannot be listed or reached. It shares the
    /// hashes of the archives' index if the rules allow it.
    pub(super) fn new(mounted: &Mounted, detail: Detail) -> (Listing, Vec<Finding>) {
        let (layers, rules, archives) = (&mounted.layers.0, &*mounted.rules, &mounted.archives);
        let mut findings = Vec::new();
        let mut folders = Vec::with_capacity(layers.len());
        let (mut cases, mut spellings) = (Vec::new(), Vec::new());
        let mut sizes = Vec::new();
        for (number, layer) in mounted.layers.numbered() {
            let mut list = FolderList::default();
            let (mut case, mut spelling) = (mounted.loose.case, Spelling::Exact);
            if let Some(folder) = layer.folder() {
                (case, spelling) = (folder.case(), folder.spelling());
                let (found, skipped) = folder.list(detail);
                list = found;
                for (place, kind) in skipped {
                    // the mount reports archives
                    let is_archive = !place.contains('/') && rules.archives.is_archive_name(&place);
                    if is_archive && matches!(kind, FindingKind::BrokenLink { .. }) {
                        continue;
                    }
                    let place = Location::layer(format!("{}{place}", layer.name()));
                    findings.push(Finding::new(&rules.name, place, kind));
                }
            }
            if list.len() > 0 {
                sizes.push((number, list.len()));
            }
            folders.push(list);
            cases.push(case);
            spellings.push(spelling);
        }
        let folders = FolderLists(folders);
        let case = match mounted.loose.case {
            LooseCase::Exact | LooseCase::ExactThenLower => Case::Exact,
            LooseCase::Ignored | LooseCase::IgnoredByDisk | LooseCase::ExactHidesOthers => Case::Ignored,
        };
        let mut beyond_ascii = Vec::new();
        sizes.reverse();
        let (archives_case, hasher) = archives.hashing();
        let index = Index::build(&sizes, case, hasher, Duplicates::First, &folders, &mut |id, name| {
            let spelling = spellings.get(usize::from(id.layer)).copied().unwrap_or(Spelling::Exact);
            if spelling.ignores_case() && !name.is_ascii() {
                beyond_ascii.push(((id.layer, spelling.fold(name).into_owned()), id));
            }
            let Err(kind) = reach(name, rules, |qpath| qpath.in_folders()) else { return true };
            let layer = layers.get(usize::from(id.layer)).map_or("", Layer::name);
            let place = Location::file(layer, pak_format::EntryName::from_bytes(name));
            findings.push(Finding::new(&rules.name, place, FindingKind::Unreachable(kind)));
            false
        });
        beyond_ascii.sort_unstable();
        let one_probe = case == archives_case
            && !cases.contains(&LooseCase::ExactThenLower)
            && !folders.0.iter().any(FolderList::may_hide);
        let takes_first = match case {
            Case::Exact => true,
            Case::Ignored => {
                let mut folders = layers.iter().zip(&cases).filter(|(layer, _)| layer.archive().is_none());
                folders.all(|(_, case)| *case == LooseCase::IgnoredByDisk)
            }
        };
        let instead = rules.requests.instead.clone();
        (
            Listing { cases, takes_first, instead, beyond_ascii, spellings, one_probe, folders, index },
            findings,
        )
    }

    pub(super) fn name(&self, id: FileId) -> &[u8] {
        self.folders.name(id)
    }

    /// The size of a file, if the listing has details.
    pub(super) fn size(&self, id: FileId) -> Option<u64> {
        self.folders.file(id)?.size
    }

    /// The state of a file, if the listing has details.
    pub(super) fn version(&self, id: FileId) -> Option<Version> {
        self.folders.file(id)?.version
    }

    /// Every file, of all folders.
    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.folders
            .0
            .iter()
            .zip(0..=u16::MAX)
            .flat_map(|(list, layer)| (0..list.len()).map(move |file| FileId { layer, file }))
    }

    /// Searches all folders with one probe. `None` means that a lookup must try each folder.
    #[inline]
    pub(super) fn find_at_once(&self, hashed: Hashed<'_>) -> Option<Answer<FileId>> {
        let is_odd = !self.beyond_ascii.is_empty() && !hashed.name.is_ascii();
        if !self.one_probe || is_odd || loose_alias(&self.instead, hashed.name).is_some() {
            return None;
        }
        match self.index.find(hashed, &self.folders) {
            None => Some(Answer::Nothing),
            Some(file) if self.takes_first => Some(Answer::File(file)),
            Some(_) => None,
        }
    }

    /// The most copies that a lookup of a name can find, up to 2. `None` if other spellings of the name count
    /// too.
    pub(super) fn most_copies(&self, name: &[u8]) -> Option<usize> {
        let has_other_spellings = self.cases.contains(&LooseCase::ExactThenLower)
            || (!self.beyond_ascii.is_empty() && !name.is_ascii())
            || loose_alias(&self.instead, name).is_some();
        (!has_other_spellings).then(|| self.index.copies(name, &self.folders).take(2).count())
    }

    /// Searches one folder.
    pub(super) fn ask(&self, layer: u16, name: &[u8]) -> Answer<FileId> {
        let within = |name| self.index.copies(name, &self.folders).filter(move |id| id.layer == layer);
        if let Some(file) = loose_alias(&self.instead, name).and_then(|file| within(file).next()) {
            return Answer::File(file);
        }
        let case = self.cases.get(usize::from(layer)).copied().unwrap_or(LooseCase::Exact);
        self.exactly(layer, name).or_else(|| match case {
            LooseCase::IgnoredByDisk => {
                let found = within(name).next().or_else(|| self.beyond_ascii(layer, name));
                found.map_or(Answer::Nothing, Answer::File)
            }
            LooseCase::ExactThenLower => self.exactly(layer, NameBuffer::lower(name).as_bytes()),
            LooseCase::Ignored => within(name).next().map_or(Answer::Nothing, Answer::File),
            LooseCase::ExactHidesOthers if within(name).next().is_some() => Answer::Hides,
            LooseCase::Exact | LooseCase::ExactHidesOthers => Answer::Nothing,
        })
    }

    /// Finds a non-ASCII name in a folder that ignores case.
    fn beyond_ascii(&self, layer: u16, name: &[u8]) -> Option<FileId> {
        if self.beyond_ascii.is_empty() || name.is_ascii() {
            return None;
        }
        let spelling = self.spellings.get(usize::from(layer))?;
        let wanted = (layer, spelling.fold(name).into_owned());
        // of equal names, the first
        let at = self.beyond_ascii.partition_point(|(name, _)| *name < wanted);
        self.beyond_ascii.get(at).filter(|(name, _)| *name == wanted).map(|(_, file)| *file)
    }

    /// Searches one folder for exactly this spelling.
    fn exactly(&self, layer: u16, name: &[u8]) -> Answer<FileId> {
        let mut copies = self.index.copies(name, &self.folders);
        if let Some(file) = copies.find(|id| id.layer == layer && self.folders.name(*id) == name) {
            return Answer::File(file);
        }
        let layer = usize::from(layer);
        let spelling = self.spellings.get(layer).copied().unwrap_or(Spelling::Exact);
        let hides = self.folders.0.get(layer).is_some_and(|folder| folder.hides(name, spelling));
        if hides { Answer::Hides } else { Answer::Nothing }
    }
}

/// Checks that a request for a stored name finds that name. If it does not, no other request finds it.
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
        Ok(qpath) if qpath.in_game_folder() => Err(Unreachable::ReadDifferently),
        Ok(qpath) if qpath.in_archives().is_empty() => Err(Unreachable::LooseOnly),
        Ok(qpath) if qpath.in_folders().is_empty() => Err(Unreachable::NoFileName),
        Ok(_) => Err(Unreachable::ReadDifferently),
        Err(reason) => Err(Unreachable::Refused(reason)),
    }
}
