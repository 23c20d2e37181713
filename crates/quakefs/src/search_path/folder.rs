//! The loose files of a folder, looked up on disk or listed.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use super::answer::Answer;
use super::folder_list::{Detail, FolderList, NotAFile};
use crate::data::FileData;
use crate::disk::{
    self, Access, Content, Disk, FileKind, NotWalked, Opened, Stat, Stored, Version, Walk, Walked, as_stored,
    with_path,
};
use crate::error::Error;
use crate::finding::FindingKind;
use crate::reader::FileReader;
use crate::rules::order::sort_by_name;
use crate::rules::{List, Loose, LooseAlias, LooseCase, NameBuffer, Rules, Spelling, loose_alias};

pub(crate) struct LooseFolder {
    disk: Arc<dyn Disk>,
    root: Utf8PathBuf,
    spelling: Spelling,
    loose: Loose,
    /// The longest path in bytes.
    longest: usize,
    instead: List<LooseAlias>,
    /// The disk for listed names, if there is one, and the path of the folder on it.
    listed: OnceLock<Option<(Arc<dyn Disk>, PathBuf)>>,
}

/// The name of a file in the folder.
#[derive(Clone, Copy)]
pub(crate) struct Named<'n> {
    pub(crate) name: &'n [u8],
    /// Whether a listing spells it so.
    pub(crate) is_listed: bool,
}

impl<'n> From<&'n [u8]> for Named<'n> {
    fn from(name: &'n [u8]) -> Self {
        Named { name, is_listed: false }
    }
}

/// The most memory reserved before a file is read.
const MOST_ROOM: usize = 64 << 20;

/// How a lookup checks that a file exists on disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Looking,
    /// It opens the file, which also shows whether it exists. For callers that read the file next.
    Opening,
}

/// A regular file. `name` is the disk's spelling if it differs from the request.
pub(crate) struct LooseFile {
    pub(crate) name: Option<Box<[u8]>>,
    pub(crate) size: u64,
    pub(crate) opened: Option<Box<Opened>>,
}

impl LooseFile {
    fn spelled(self, name: impl Into<Box<[u8]>>) -> LooseFile {
        LooseFile { name: Some(name.into()), ..self }
    }
}

/// The longest first bytes of a file that are read without opening it as a whole.
const MOST_START: usize = 4096;

impl LooseFolder {
    pub(crate) fn new(
        disk: Arc<dyn Disk>,
        root: Utf8PathBuf,
        spelling: Spelling,
        loose: Loose,
        rules: &Rules,
    ) -> Self {
        let longest = rules.limits.path.map_or(usize::MAX, |longest| longest as usize);
        let loose = loose.in_folder(spelling);
        let instead = rules.requests.instead.clone();
        LooseFolder { disk, root, spelling, loose, longest, instead, listed: OnceLock::new() }
    }

    /// How the disk compares the names in the folder.
    pub(crate) fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// How the engine finds a name in the folder.
    pub(super) fn case(&self) -> LooseCase {
        self.loose.case
    }

    /// The disk's spelling of a found file's name; `None` if the folder cannot be listed.
    pub(super) fn stored(&self, name: &[u8]) -> Option<Vec<u8>> {
        match as_stored(&*self.disk, self.root.as_std_path(), name, self.spelling) {
            Stored::As(stored) => Some(stored),
            Stored::Missing | Stored::NotListed => None,
        }
    }

    /// Looks up an admitted name on disk. Names are relative, with `/` between parts and no `.` or `..`.
    pub(super) fn find(&self, name: &[u8], by: By) -> Answer<LooseFile> {
        if let Some(file) = loose_alias(&self.instead, name)
            && let Answer::File(found) = self.find_exactly(file, by)
        {
            return Answer::File(found.spelled(file));
        }
        self.find_exactly(name, by).or_else(|| match self.loose.case {
            LooseCase::Exact | LooseCase::IgnoredByDisk => Answer::Nothing,
            LooseCase::ExactThenLower => {
                let lower = NameBuffer::lower(name);
                let lower = lower.as_bytes();
                let answer = if lower == name { Answer::Nothing } else { self.find_exactly(lower, by) };
                answer.map(|found| found.spelled(lower))
            }
            LooseCase::Ignored => match self.find_ignoring_case(name) {
                Some((name, size)) => Answer::File(LooseFile { name: Some(name.into()), size, opened: None }),
                None => Answer::Nothing,
            },
            LooseCase::ExactHidesOthers => match self.find_ignoring_case(name) {
                Some(_) => Answer::Hides,
                None => Answer::Nothing,
            },
        })
    }

    /// Whether the engine looks for such a name on disk. It never does for the empty name.
    pub(super) fn admits(&self, name: &[u8]) -> bool {
        let is_hidden = |part: &[u8]| part.first() == Some(&b'.');
        !name.is_empty()
            && self.root.as_str().len() + 1 + name.len() <= self.longest
            && (!self.loose.only_ascii || name.iter().all(|byte| matches!(byte, b' '..=b'~')))
            && (!self.loose.skips_hidden || !name.split(|&byte| byte == b'/').any(is_hidden))
    }

    /// Whether the engine finds a file of this name on disk.
    pub(crate) fn has_file(&self, name: &[u8]) -> bool {
        self.admits(name) && matches!(self.find(name, By::Looking), Answer::File(_))
    }

    fn with<'n, T>(&self, name: impl Into<Named<'n>>, with: impl FnOnce(&dyn Disk, &Path) -> T) -> Option<T> {
        let Named { name, is_listed } = name.into();
        let (disk, root) = if is_listed { self.as_listed() } else { (&*self.disk, self.root.as_std_path()) };
        with_path(root, name, |path| with(disk, path))
    }

    /// The disk for listed names and the path of the folder on it.
    fn as_listed(&self) -> (&dyn Disk, &Path) {
        let root = self.root.as_std_path();
        let found = self.listed.get_or_init(|| self.disk.as_listed(root));
        found.as_ref().map_or((&*self.disk, root), |(disk, root)| (&**disk, root))
    }

    fn stat<'n>(&self, name: impl Into<Named<'n>>) -> Option<Stat> {
        self.with(name, |disk, path| disk.stat(path))?.ok()
    }

    /// The kind and size of a name on disk, and the file if it was opened.
    fn seen(&self, name: &[u8], by: By) -> Option<io::Result<(Stat, Option<Box<Opened>>)>> {
        self.with(name, |disk, path| {
            if by == By::Opening {
                match disk.open(path, Access::Read) {
                    Ok(opened) => return Ok((opened.stat, Some(Box::new(opened)))),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
                    // a `stat` tells what it is
                    Err(_) => {}
                }
            }
            disk.stat(path).map(|stat| (stat, None))
        })
    }

    /// Looks up exactly this name on disk.
    fn find_exactly(&self, name: &[u8], by: By) -> Answer<LooseFile> {
        let hides = self.loose.hides;
        let hides_if = |hides| if hides { Answer::Hides } else { Answer::Nothing };
        let Some(found) = self.seen(name, by) else { return Answer::Nothing };
        match found {
            Ok((stat, opened)) if stat.is_file() => {
                let opens = hides.unreadable || opened.is_some() || self.can_read(name);
                if !opens || (self.lists_folders() && !self.is_listed(name)) {
                    return Answer::Nothing;
                }
                Answer::File(LooseFile { name: None, size: stat.size, opened })
            }
            Ok((stat, _)) => hides_if(self.hides(stat.kind)),
            Err(error) => {
                let is_unreachable = || error.kind() != io::ErrorKind::NotFound;
                hides_if(
                    (hides.unreachable && is_unreachable()) || (hides.dangling_link && self.is_link(name)),
                )
            }
        }
    }

    fn is_link(&self, name: &[u8]) -> bool {
        self.with(name, |disk, path| disk.link_target(path).is_some()) == Some(true)
    }

    /// Whether a folder or device hides lower copies of its name.
    fn hides(&self, found: FileKind) -> bool {
        let hides = self.loose.hides;
        match found {
            FileKind::Folder => hides.folder,
            // an engine would wait for a pipe, so neither answer is right
            FileKind::Pipe | FileKind::File | FileKind::Link => false,
            FileKind::Special => hides.special,
        }
    }

    /// Whether the engine lists folders instead of opening the name.
    fn lists_folders(&self) -> bool {
        matches!(self.loose.case, LooseCase::Ignored | LooseCase::ExactHidesOthers)
    }

    /// Whether each folder on the way to a file can be listed.
    fn is_listed(&self, name: &[u8]) -> bool {
        let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes
            .map(|(place, _)| name.get(..place).unwrap_or_default())
            .all(|folder| self.with(folder, |disk, path| disk.can_read(path)).unwrap_or(false))
    }

    /// Tries each spelling of each component, in byte order.
    fn find_ignoring_case(&self, name: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.find_below(&mut Vec::new(), name)
    }

    fn find_below(&self, within: &mut Vec<u8>, rest: &[u8]) -> Option<(Vec<u8>, u64)> {
        let (first, rest) = match rest.iter().position(|&byte| byte == b'/') {
            Some(slash) => (rest.get(..slash)?, rest.get(slash + 1..)),
            None => (rest, None),
        };
        let items = self.with(&**within, |disk, path| disk.list_any_case(path, first))?.ok()?;
        let names = items.into_iter().map(|item| item.name);
        let mut spellings: Vec<_> = names.filter(|name| name.eq_ignore_ascii_case(first)).collect();
        sort_by_name(&mut spellings, Vec::as_slice);
        let length = within.len();
        // such an engine only looks at the names in a folder
        let takes_links = self.loose.case == LooseCase::ExactHidesOthers && self.loose.hides.dangling_link;
        spellings.iter().find_map(|spelling| {
            if length > 0 {
                within.push(b'/');
            }
            within.extend_from_slice(spelling);
            let found = match rest {
                None => {
                    let stat = self.stat(&**within);
                    let hides = match &stat {
                        Some(stat) => stat.is_file() || (takes_links && !stat.is_folder()),
                        None => takes_links && self.is_link(within),
                    };
                    hides.then(|| (within.clone(), stat.map_or(0, |stat| stat.size)))
                }
                Some(rest) => self.find_below(within, rest),
            };
            within.truncate(length);
            found
        })
    }

    /// The path of the folder on its disk.
    pub(crate) fn root(&self) -> &Utf8Path {
        &self.root
    }

    fn open_file(&self, file: Named<'_>, access: Access) -> Result<Opened, Error> {
        self.with(file, |disk, path| disk.open(path, access))
            .unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()))
            .map_err(|error| self.error(file.name, "open", error))
    }

    fn can_read<'n>(&self, name: impl Into<Named<'n>>) -> bool {
        self.with(name, |disk, path| disk.can_read(path)).unwrap_or(false)
    }

    fn error(&self, name: &[u8], doing: &'static str, error: io::Error) -> Error {
        Error::io(&self.path_of(name), doing, error)
    }

    /// Opens the file, unless a lookup already did.
    pub(crate) fn open(&self, file: Named<'_>, opened: Option<&Opened>) -> Result<FileReader, Error> {
        Ok(FileReader::from(self.opened(file, opened)?).at_path(self.path_of(file.name)))
    }

    fn opened(&self, file: Named<'_>, opened: Option<&Opened>) -> Result<Opened, Error> {
        opened.cloned().map_or_else(|| self.open_file(file, Access::Read), Ok)
    }

    pub(crate) fn read(&self, file: Named<'_>, opened: Option<&Opened>) -> Result<FileData, Error> {
        let opened = self.opened(file, opened)?;
        if let Content::Bytes(bytes) = opened.content {
            return Ok(bytes);
        }
        // a disk may claim any size
        let room = usize::try_from(opened.stat.size).unwrap_or(MOST_ROOM).min(MOST_ROOM);
        let mut bytes = Vec::with_capacity(room);
        let read = disk::Positioned::from(opened).read_to_end(&mut bytes);
        read.map_err(|error| self.error(file.name, "read", error))?;
        Ok(bytes.into())
    }

    pub(crate) fn read_at(&self, file: Named<'_>, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        let failed = |error| self.error(file.name, "read", error);
        if offset == 0 && buffer.len() <= MOST_START {
            let start = self.with(file, |disk, path| disk.start(path, buffer.len()));
            let start = start.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into())).map_err(failed)?;
            buffer.iter_mut().zip(&start).for_each(|(to, from)| *to = *from);
            return Ok(start.len());
        }
        let opened = self.open_file(file, Access::Read)?;
        opened.content.as_file().fill_at(buffer, offset).map_err(failed)
    }

    pub(crate) fn modified(&self, file: Named<'_>) -> Option<SystemTime> {
        self.stat(file)?.modified
    }

    pub(super) fn version(&self, name: &[u8]) -> Option<Version> {
        self.stat(name)?.version()
    }

    /// The size of a file; 0 if it is missing.
    pub(crate) fn size(&self, file: Named<'_>) -> u64 {
        self.stat(file).map_or(0, |stat| stat.size)
    }

    /// The path of a file on the search path's disk, for messages.
    pub(crate) fn path_of(&self, name: &[u8]) -> Utf8PathBuf {
        self.root.join(pak_format::name::escape(name).as_ref())
    }

    /// The path of a file on this computer.
    pub(crate) fn system_path(&self, file: Named<'_>) -> Option<Utf8PathBuf> {
        let path = self.with(file, |disk, path| disk.system_path(path))??.file()?;
        // in the escaped form of messages if it is not UTF-8
        Some(Utf8PathBuf::from_path_buf(path).unwrap_or_else(|_| self.path_of(file.name)))
    }

    /// The file on this computer that contains the bytes of a file.
    pub(crate) fn source_file(&self, file: Named<'_>) -> Option<Utf8PathBuf> {
        Utf8PathBuf::from_path_buf(self.with(file, |disk, path| disk.system_path(path))??.source()).ok()
    }

    /// Lists every regular file in byte order, and the folders that cannot be listed, with paths relative to
    /// this folder. Links are followed, but not in circles. Only links and details require a `stat`.
    pub(crate) fn list(&self, detail: Detail) -> (FolderList, Vec<(String, FindingKind)>) {
        let mut skipped = Vec::new();
        let mut found = Vec::new();
        let mut hiding = Vec::new();
        let hides = self.loose.hides;
        let shown = |name: &[u8]| pak_format::name::escape(name).into_owned();
        let (disk, root) = self.as_listed();
        for walked in Walk::new(disk, root) {
            let Walked { name, kind } = match walked {
                Ok(walked) => walked,
                Err(NotWalked::Again(name)) => {
                    skipped.push((shown(&name), FindingKind::ManyLinks));
                    continue;
                }
                Err(NotWalked::Circle(name)) => {
                    skipped.push((shown(&name), FindingKind::LinkLoop));
                    continue;
                }
                Err(NotWalked::NoPath(name)) => {
                    skipped.push((shown(&name), FindingKind::NotUtf8));
                    continue;
                }
                Err(NotWalked::Error(name, error)) => {
                    let is_missing = error.kind() == io::ErrorKind::NotFound;
                    if !is_missing && hides.unreachable && !name.is_empty() {
                        hiding.push([&*name, b"/"].concat());
                    }
                    if matches!(self.find_exactly(&name, By::Looking), Answer::Hides) {
                        hiding.push(name.clone());
                    }
                    // engines ignore a broken link too
                    let kind = if is_missing {
                        let Some(target) = self.with(&*name, disk::broken_link).flatten() else { continue };
                        FindingKind::BrokenLink { target }
                    } else {
                        FindingKind::Unreadable(self.error(&name, "list", error))
                    };
                    skipped.push((shown(&name), kind));
                    continue;
                }
            };
            if kind != FileKind::File {
                hiding.extend(Some(name).filter(|_| self.hides(kind)));
                continue;
            }
            let file = Named { name: &name, is_listed: true };
            if !self.admits(&name) || (!hides.unreadable && !self.can_read(file)) {
                continue;
            }
            match detail {
                Detail::Names => found.push((name, None, None)),
                Detail::Metadata => {
                    let Some(stat) = self.stat(file) else { continue };
                    found.push((name, Some(stat.size), stat.version()));
                }
            }
        }
        sort_by_name(&mut found, |(name, ..)| name);
        sort_by_name(&mut skipped, |(name, _)| name.as_bytes());
        // on Windows a name below a file is only missing
        let hides_below = hides.unreachable && found.first().is_some_and(|(file, ..)| self.stops_below(file));
        (found.into_iter().collect::<FolderList>().hiding(hiding, hides_below), skipped)
    }

    /// Whether the disk returns another error for a name below a file than for a missing name.
    fn stops_below(&self, file: &[u8]) -> bool {
        let below = [file, b"/0"].concat();
        let stat = self.with(Named { name: &below, is_listed: true }, |disk, path| disk.stat(path));
        stat.and_then(Result::err).is_some_and(|error| error.kind() != io::ErrorKind::NotFound)
    }

    /// The folders and pipes in the folder and below, by name.
    pub(crate) fn folders_and_pipes(&self) -> Vec<(Vec<u8>, NotAFile)> {
        let (disk, root) = self.as_listed();
        let found = Walk::new(disk, root).flatten();
        found.filter_map(|walked| Some((walked.name, no_file(walked.kind)?))).collect()
    }

    /// The kind of a name if it is a folder or a pipe.
    pub(crate) fn folder_or_pipe(&self, name: &[u8]) -> Option<NotAFile> {
        no_file(self.stat(name)?.kind)
    }

    /// The children of a subfolder, and whether each is a folder. Empty if the subfolder is missing.
    pub(crate) fn children(&self, folder: &[u8]) -> Vec<(Vec<u8>, bool)> {
        self.children_of(folder, |disk, path| disk.list(path))
    }

    /// The children with this name in any case of the letters A to Z.
    pub(crate) fn children_any_case(&self, folder: &[u8], name: &[u8]) -> Vec<(Vec<u8>, bool)> {
        let mut found = self.children_of(folder, |disk, path| disk.list_any_case(path, name));
        found.retain(|(child, _)| child.eq_ignore_ascii_case(name));
        found
    }

    fn children_of(
        &self,
        folder: &[u8],
        list: impl FnOnce(&dyn Disk, &Path) -> io::Result<Vec<disk::Item>>,
    ) -> Vec<(Vec<u8>, bool)> {
        let Some(Ok(items)) = self.with(folder, list) else { return Vec::new() };
        let child = |item: disk::Item| {
            let is_folder = match item.kind {
                FileKind::Link if folder.is_empty() => self.has_folder(&item.name),
                FileKind::Link => self.has_folder(&[folder, b"/", &*item.name].concat()),
                kind => kind == FileKind::Folder,
            };
            (item.name, is_folder)
        };
        items.into_iter().map(child).collect()
    }

    /// Whether a folder of this name exists.
    pub(crate) fn has_folder(&self, name: &[u8]) -> bool {
        self.stat(name).is_some_and(|stat| stat.is_folder())
    }
}

/// Lists the regular files in a folder and below with their sizes, in byte order. Folders that cannot be
/// listed are skipped.
#[must_use]
pub fn list_folder(disk: &Arc<dyn Disk>, folder: &Utf8Path, rules: &Rules) -> Vec<(Vec<u8>, u64)> {
    let folder = LooseFolder::new(Arc::clone(disk), folder.to_owned(), Spelling::Exact, rules.loose, rules);
    let (list, _) = folder.list(Detail::Metadata);
    let size = |file| list.file(file).and_then(|file| file.size).unwrap_or_default();
    (0..list.len()).map(|file| (list.name(file).to_vec(), size(file))).collect()
}

fn no_file(found: FileKind) -> Option<NotAFile> {
    match found {
        FileKind::Folder => Some(NotAFile::Folder),
        FileKind::Pipe => Some(NotAFile::Pipe),
        FileKind::File | FileKind::Link | FileKind::Special => None,
    }
}
