//! The part of the disk that a mount needs, as plain data.

use std::cell::RefCell;
use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::escape;

use super::Builder;
use super::given::{CallerPath, folders_in, is_file, is_folder, spelled};
use super::texts::read_text;
use crate::disk::{Disk, FileKind, Stored, as_stored};
use crate::error::Error;
use crate::rules::order::sort_by_name;
use crate::rules::{
    Case, EngineStop, GameText, MoreBases, PlannedDirectory, ProgramFolder, Rules, Spelling, USER,
    UserLookedAt,
};

/// The base directories and game directories on the disk.
pub(super) struct Survey {
    /// The folders that may contain a copy of each game directory, low to high.
    pub(super) roots: Vec<Root>,
    /// The folder of the program, if the engine looks for its own archives there.
    pub(super) program: Option<Root>,
    /// The base directories that the engine ignores, as the caller wrote them.
    pub(super) unused_bases: Vec<Utf8PathBuf>,
    /// The user directory, whether it exists or not.
    pub(super) user: Option<Utf8PathBuf>,
    /// The copies of each planned directory in the roots, low to high.
    pub(super) directories: Vec<Vec<Copy>>,
    /// The names of the folders in the first base directory, if an expected one is missing.
    pub(super) folders: Vec<String>,
}

/// A base directory, or the user's.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) path: CallerPath,
    /// Whether it is the first base directory.
    pub(super) is_main: bool,
    /// Whether it is the user directory, which need not exist.
    pub(super) is_user: bool,
    /// The kind of file at its path, if there is one.
    pub(super) kind: Option<FileKind>,
    /// How names in it compare.
    pub(super) spelling: Spelling,
    /// The engine's own archives in it: the name in the rules, and the name on disk.
    pub(super) own: Vec<(String, String)>,
}

impl Root {
    /// The name on disk of one of the engine's own archives, if it exists.
    pub(super) fn own(&self, file: &str) -> Option<&str> {
        self.own.iter().find(|(own, _)| own == file).map(|(_, stored)| &**stored)
    }
}

/// A game directory in one of the roots.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// The number of the root.
    pub(super) root: usize,
    pub(super) path: CallerPath,
    /// The name that the engine uses, if the disk ignores case and spells the folder differently.
    pub(super) requested: Option<String>,
    /// How names in it compare.
    pub(super) spelling: Spelling,
    /// Everything in it with the name of an archive; `None` if the folder does not exist.
    pub(super) listing: Option<Arc<Listing>>,
}

/// The archives directly in a folder, judged by their names.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// The names, and what each leads to. A [`Link`](FileKind::Link) leads nowhere.
    pub(super) files: Vec<(String, FileKind)>,
    /// The text that lists archives and the archives that it names, if the folder contains such a text.
    pub(super) list: Option<(String, Vec<String>)>,
    /// The names that are not UTF-8, escaped for messages.
    pub(super) not_utf8: Vec<String>,
    /// The names at which the engine stops, escaped for messages.
    pub(super) odd: Vec<String>,
    /// Why the folder cannot be listed.
    pub(super) fault: Option<Error>,
}

impl Survey {
    /// Lists the base directories, the user directory, and each planned directory in them. The first base
    /// directory may be missing: [`has_main`](Self::has_main) tells whether it is a folder.
    pub(super) fn new(
        disk: &dyn Disk,
        builder: &Builder,
        rules: &Rules,
        bases: Vec<CallerPath>,
        planned: &[PlannedDirectory],
    ) -> Result<Survey, Error> {
        let listings = Listings { disk, rules, listed: RefCell::default() };
        let user = user_directory(disk, builder)?;
        let main = bases.first().map(|main| main.absolute.clone());
        let root = |path: CallerPath, is_main: bool, is_user: bool| {
            let there = || disk.stat(path.absolute.as_std_path()).ok().map(|stat| stat.kind);
            let kind = if is_main { Some(FileKind::Folder) } else { there() };
            let is_folder = kind == Some(FileKind::Folder);
            let known = planned.iter().find(|directory| is_folder && directory.name != ".");
            let known = known.filter(|known| listings.of(&path.absolute.join(&known.name)).is_some());
            let known = known.map_or("", |known| &*known.name);
            let spelling = disk.spelling(path.absolute.as_std_path(), known.as_bytes());
            let own = |file: &str| {
                let stored = spelled_in(disk, &path.absolute, file, spelling, Case::Exact);
                is_file(disk, &path.absolute.join(&stored)).then(|| (file.to_owned(), stored))
            };
            let files = rules.archives.own.iter().filter(|_| is_folder);
            let own = files.filter_map(|archive| own(&archive.file)).collect();
            Root { path, is_main, is_user, kind, spelling, own }
        };
        let program =
            builder.program.as_ref().map(|path| CallerPath::new(disk, builder, path, "open")).transpose()?;
        let (program_base, program) = match rules.directories.program_folder {
            None => (None, None),
            Some(ProgramFolder::OwnArchives) => (None, program.map(|path| root(path, false, false))),
            Some(ProgramFolder::Base) => (program, None),
        };
        let mut bases = bases.into_iter();
        let first = bases.next().map(|path| (path, true, false));
        let mut unused_bases = Vec::new();
        let mut candidates: Vec<_> = bases.map(|path| (path, false, false)).collect();
        match rules.directories.more_bases {
            MoreBases::Ignored => {
                unused_bases = candidates.drain(..).map(|(path, ..)| path.given).collect();
                candidates.extend(first);
            }
            MoreBases::Above => candidates.splice(0..0, first).for_each(drop),
            MoreBases::Below => candidates.extend(first),
        }
        candidates.extend(program_base.map(|path| (path, false, false)));
        candidates.extend(user.clone().map(|user| (user, false, true)));
        let mut roots: Vec<Root> = Vec::new();
        for (path, is_main, is_user) in candidates {
            let again = !is_main && main.as_ref() == Some(&path.absolute);
            if !again && roots.iter().all(|there| there.path.absolute != path.absolute) {
                roots.push(root(path, is_main, is_user));
            }
        }
        let directories: Vec<Vec<Copy>> =
            planned.iter().map(|directory| copies(&listings, &roots, directory)).collect();
        let is_missing = |(directory, copies): (&PlannedDirectory, &Vec<Copy>)| {
            directory.expected && copies.iter().all(|copy| copy.listing.is_none())
        };
        let any_missing = planned.iter().zip(&directories).any(is_missing);
        let folders = main.filter(|_| any_missing).map(|main| folders_in(disk, &main)).unwrap_or_default();
        Ok(Survey {
            roots,
            program,
            unused_bases,
            user: user.map(|user| user.absolute),
            directories,
            folders,
        })
    }

    /// Lists one folder with archives; `None` if it is not a folder.
    pub(super) fn of_folder(disk: &dyn Disk, rules: &Rules, path: CallerPath) -> Option<Survey> {
        let (listing, spelling) = Listing::of(disk, &path.absolute, rules)?;
        let copy = Copy { root: 0, path, requested: None, spelling, listing: Some(Arc::new(listing)) };
        Some(Survey {
            roots: Vec::new(),
            program: None,
            unused_bases: Vec::new(),
            user: None,
            directories: vec![vec![copy]],
            folders: Vec::new(),
        })
    }

    /// Whether a folder was found in the first base directory, or the directory itself was listed.
    pub(super) fn has_main(&self) -> bool {
        let is_main = |copy: &Copy| self.roots.get(copy.root).is_some_and(|root| root.is_main);
        self.directories.iter().flatten().any(|copy| copy.listing.is_some() && is_main(copy))
    }
}

/// The caller's user directory, or the engine's in the home folder.
fn user_directory(disk: &dyn Disk, builder: &Builder) -> Result<Option<CallerPath>, Error> {
    if let Some(named) = &builder.user {
        return CallerPath::new(disk, builder, named, "open").map(Some);
    }
    let (Some(home), Some(rule)) = (&builder.home, &builder.rules.user) else {
        return Ok(None);
    };
    let places = rule.places(builder.host_or_here());
    let places: Vec<_> = places.iter().map(|place| home.join(&**place)).collect();
    let places = CallerPath::all(disk, builder, &places)?;
    let found = places.iter().find(|place| is_folder(disk, &place.absolute));
    let first = places.first().filter(|_| rule.looked_at != UserLookedAt::WhereThere);
    Ok(found.or(first).cloned())
}

/// The copy of a game directory in each root, whether it exists or not.
fn copies(listings: &Listings<'_>, roots: &[Root], directory: &PlannedDirectory) -> Vec<Copy> {
    let Listings { disk, rules, .. } = *listings;
    let user_itself = rules.directories.base.iter().any(|base| base == USER);
    let case = if directory.of_game { rules.directories.game_case } else { rules.directories.base_case };
    let copy = |(number, root): (usize, &Root)| {
        let name = &*directory.name;
        let stored = spelled_in(disk, &root.path.absolute, name, root.spelling, case);
        let path = match name {
            // the base directory itself has no copies
            "." => Some(root.path.clone()).filter(|_| root.is_main)?,
            USER => Some(root.path.clone()).filter(|_| root.is_user)?,
            _ if root.is_user && user_itself => return None,
            _ => root.path.join(&stored),
        };
        let requested = (root.spelling.ignores_case() && !matches!(name, "." | USER) && stored != name)
            .then(|| name.to_owned());
        let is_there = root.kind == Some(FileKind::Folder);
        let listed = is_there.then(|| listings.of(&path.absolute)).flatten();
        let (listing, spelling) =
            listed.map_or((None, root.spelling), |(listing, spelling)| (Some(listing), spelling));
        Some(Copy { root: number, path, requested, spelling, listing })
    };
    roots.iter().enumerate().filter_map(copy).collect()
}

/// Listings of folders, each made once, because a directory may be searched at two positions.
struct Listings<'a> {
    disk: &'a dyn Disk,
    rules: &'a Rules,
    listed: RefCell<Vec<(Utf8PathBuf, Listed)>>,
}

type Listed = Option<(Arc<Listing>, Spelling)>;

impl Listings<'_> {
    fn of(&self, folder: &Utf8Path) -> Listed {
        let mut listed = self.listed.borrow_mut();
        if let Some((_, known)) = listed.iter().find(|(path, _)| path == folder) {
            return known.clone();
        }
        let found = Listing::of(self.disk, folder, self.rules);
        let found = found.map(|(listing, spelling)| (Arc::new(listing), spelling));
        listed.push((folder.to_owned(), found.clone()));
        found
    }
}

impl Listing {
    /// What a file's name leads to.
    pub(super) fn kind(&self, file: &str) -> Option<FileKind> {
        let at = self.files.binary_search_by(|(name, _)| (**name).cmp(file)).ok()?;
        self.files.get(at).map(|(_, kind)| *kind)
    }

    /// The listing of a folder, and how names in it compare. `None` if the folder does not exist.
    fn of(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules) -> Option<(Listing, Spelling)> {
        let mut listing = Listing::default();
        let items = match disk.list(folder.as_std_path()) {
            Ok(items) => items,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                // a folder that cannot be listed may still exist
                let spelling = is_folder(disk, folder).then(|| disk.spelling(folder.as_std_path(), b""))?;
                listing.fault = Some(Error::io(folder, "list", error));
                return Some((listing, spelling));
            }
        };
        let known = items.iter().find(|item| item.name.iter().any(u8::is_ascii_alphabetic));
        let known = known.map(|item| &*item.name).unwrap_or_default();
        let spelling = disk.spelling(folder.as_std_path(), known);
        let stops = rules.stops.contains(&EngineStop::OddFileName);
        for item in items {
            if stops && is_odd(&item.name) && Listing::may_stop(disk, folder, rules, &item.name, item.kind) {
                listing.odd.push(escape(&item.name).into_owned());
            }
            let name = match String::from_utf8(item.name) {
                Ok(name) => name,
                Err(name) => {
                    let name = name.into_bytes();
                    if rules.archives.is_archive_name(&name) {
                        listing.not_utf8.push(escape(&name).into_owned());
                    }
                    continue;
                }
            };
            if let Some(text @ GameText::ArchiveList { file, .. }) = &rules.text
                && name == **file
            {
                let listed = read_text(disk, &folder.join(&name)).ok();
                listing.list = listed.and_then(|listed| Some((name, text.archives(&listed)?)));
                continue;
            }
            if !rules.archives.is_archive_name(&name) {
                continue;
            }
            let kind = match item.kind {
                FileKind::Link => match disk.stat(folder.join(&name).as_std_path()) {
                    Ok(stat) => stat.kind,
                    Err(_) => FileKind::Link,
                },
                kind => kind,
            };
            listing.files.push((name, kind));
        }
        sort_by_name(&mut listing.files, |(name, _)| name.as_bytes());
        // a disk may list a name twice
        listing.files.dedup_by(|(one, _), (other, _)| one == other);
        sort_by_name(&mut listing.not_utf8, String::as_bytes);
        sort_by_name(&mut listing.odd, String::as_bytes);
        Some((listing, spelling))
    }

    /// Whether an engine that stops at [odd names](is_odd) looks at this one: a folder, or an archive of a
    /// kind that it loads.
    fn may_stop(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules, name: &[u8], kind: FileKind) -> bool {
        let is_folder = || match (kind, std::str::from_utf8(name)) {
            (FileKind::Link, Ok(name)) => is_folder(disk, &folder.join(name)),
            (kind, _) => kind == FileKind::Folder,
        };
        rules.archives.loads(&String::from_utf8_lossy(name)) || is_folder()
    }
}

/// Whether a name has other bytes than spaces and visible ASCII: below 32 or above 126.
fn is_odd(name: &[u8]) -> bool {
    name.iter().any(|byte| !matches!(byte, b' '..=b'~'))
}

/// The disk's spelling of a name that the engine uses. If only the engine ignores case, several folders may
/// match: the first in byte order is used.
fn spelled_in(disk: &dyn Disk, base: &Utf8Path, name: &str, spelling: Spelling, case: Case) -> String {
    if spelling.ignores_case() {
        let stored = match as_stored(disk, base.as_std_path(), name.as_bytes(), spelling) {
            Stored::As(stored) => String::from_utf8(stored).ok(),
            Stored::Missing | Stored::NotListed => None,
        };
        return stored.unwrap_or_else(|| name.to_owned());
    }
    if case == Case::Exact { name.to_owned() } else { spelled(disk, base, name) }
}
