//! The game directories in a base directory, with a summary of each.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryNameBuf;
use quakefs::archive::OpenOptions;
use quakefs::content::ContentType;
use quakefs::disk::{Disk, FileKind, folders_in};
use quakefs::rules::{CommandLine, GameText, Games, Rules};
use quakefs::search_path::list_folder;
use quakefs::{Access, Error, SearchPath};

/// A folder of the base directory or user directory that looks like a game directory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mod {
    /// The name of the folder, for `-game`.
    pub name: String,
    /// The folder in each base directory and in the user directory, wherever it exists.
    pub folders: Vec<Utf8PathBuf>,
    /// How the engine selects the name.
    pub selection: Selection,
    /// The number of archives directly in the folder, of all kinds that any engine loads.
    pub archives: usize,
    /// The number of levels in `maps/`, loose and in archives, each name once. Item models, whose names start
    /// with `b_`, do not count.
    pub levels: usize,
    /// The game's programs, loose and in archives, each name once: `progs.dat`, `gamex86_64.so`,
    /// `vm/qagame.qvm`.
    pub programs: Vec<EntryNameBuf>,
    /// The number of files on disk.
    pub files: u64,
    /// The size of the files on disk in bytes.
    pub bytes: u64,
    /// Archives that cannot be read. Their contents are not counted.
    pub unread: Vec<Error>,
}

/// How an engine selects a game directory by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Selection {
    /// It is always searched.
    Always,
    /// A mission flag adds it, such as `-hipnotic`.
    Mission(String),
    /// `-game` selects it.
    Game,
    /// The engine uses only a part of the name, like a console that stops at `;`.
    Part(String),
    /// The engine ignores such a name and continues.
    Ignored,
    /// The engine stops with an error at such a name.
    Stops,
    /// The engine accepts no game on its command line.
    NoGames,
}

impl Selection {
    /// How an engine with these rules selects the name.
    #[must_use]
    pub fn of(name: &str, rules: &Rules) -> Selection {
        let directories = &rules.directories;
        if directories.base.iter().any(|base| base == name) {
            return Selection::Always;
        }
        if let Some(mission) = directories.missions.iter().find(|mission| mission.directory == name) {
            return Selection::Mission(mission.flag.to_string());
        }
        if directories.games == Games::Ignored {
            return Selection::NoGames;
        }
        let mut asked = CommandLine::default();
        asked.games.push(name.to_owned());
        let Ok(planned) = directories.plan(&asked, &rules.stops) else { return Selection::Ignored };
        if !planned.stopping.is_empty() {
            return Selection::Stops;
        }
        if !planned.not_used.is_empty() {
            return Selection::Ignored;
        }
        match planned.directories.iter().find(|directory| directory.of_game) {
            Some(directory) if directory.name == name => Selection::Game,
            Some(directory) => Selection::Part(directory.name.clone()),
            None => Selection::Ignored,
        }
    }

    /// Whether an option makes the engine search the folder of exactly this name.
    #[must_use]
    pub fn is_selectable(&self) -> bool {
        matches!(self, Selection::Always | Selection::Mission(_) | Selection::Game)
    }
}

/// Finds the folders of the base directories and the user directory that look like game directories. Such a
/// folder directly contains an archive, a program or settings, or a folder `maps`. Folders that the
/// engine searches beside a game's, such as `valve_hd`, are parts of that game. Sorted by name without regard
/// to case.
///
/// The call reads the folders and the directory of each archive, but no content.
#[must_use]
pub fn mods(search_path: &SearchPath) -> Vec<Mod> {
    let disk = &**search_path.disk();
    let mut found: BTreeMap<(String, String), Vec<Utf8PathBuf>> = BTreeMap::new();
    for root in search_path.roots() {
        for name in folders_in(disk, &root).unwrap_or_default() {
            let folder = root.join(&name);
            if is_game_directory(disk, &folder, search_path.rules()) {
                found.entry((name.to_ascii_lowercase(), name)).or_default().push(folder);
            }
        }
    }
    let names: Vec<String> = found.keys().map(|(lower, _)| lower.clone()).collect();
    let is_beside = |lower: &str, folders: &[Utf8PathBuf]| {
        let game = search_path.rules().directories.game_beside(lower);
        let is_game = |folder: &Utf8PathBuf| has_game_info(disk, folder, search_path.rules());
        game.is_some_and(|game| names.iter().any(|name| name == game)) && !folders.iter().any(is_game)
    };
    found
        .into_iter()
        .filter(|((lower, _), folders)| !is_beside(lower, folders))
        .map(|((_, name), folders)| Mod::new(name, folders, search_path.disk(), search_path.rules()))
        .collect()
}

/// Whether a folder has the text without which the engine takes no folder for a game.
fn has_game_info(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules) -> bool {
    let Some(GameText::GameInfo { files, .. }) = &rules.text else { return false };
    let is_info = |name: &String| files.iter().any(|info| name.eq_ignore_ascii_case(info));
    files_in(disk, folder).iter().any(is_info)
}

/// The folder of levels in a game directory.
const LEVELS: &str = "maps";

/// The prefix of levels that are models of items: WinQuake's `progs/items.qc` has `maps/b_bh25.bsp`.
const ITEM: &[u8] = b"b_";

fn is_game_directory(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules) -> bool {
    let shows = |file: &String| {
        let content = ContentType::of(file.as_bytes());
        rules.archives.is_archive_name(file) || matches!(content, ContentType::Program | ContentType::Config)
    };
    files_in(disk, folder).iter().any(shows)
        || folders_in(disk, folder).unwrap_or_default().iter().any(|name| name == LEVELS)
}

/// The names in a folder except those of its subfolders.
pub(crate) fn files_in(disk: &dyn Disk, folder: &Utf8Path) -> Vec<String> {
    let items = disk.list(folder.as_std_path()).unwrap_or_default();
    let names = items.into_iter().filter_map(|item| Some((String::from_utf8(item.name).ok()?, item.kind)));
    let is_folder = |name: &str, kind| match kind {
        FileKind::Link => {
            disk.stat(folder.join(name).as_std_path()).is_ok_and(|stat| stat.kind == FileKind::Folder)
        }
        kind => kind == FileKind::Folder,
    };
    names.filter(|(name, kind)| !is_folder(name, *kind)).map(|(name, _)| name).collect()
}

impl Mod {
    fn new(name: String, folders: Vec<Utf8PathBuf>, disk: &Arc<dyn Disk>, rules: &Rules) -> Mod {
        let selection = Selection::of(&name, rules);
        let mut found = Mod {
            name,
            folders,
            selection,
            archives: 0,
            levels: 0,
            programs: Vec::new(),
            files: 0,
            bytes: 0,
            unread: Vec::new(),
        };
        let mut names: Vec<Vec<u8>> = Vec::new();
        for folder in &found.folders {
            for (file, size) in list_folder(disk, folder, rules) {
                found.files += 1;
                found.bytes = found.bytes.saturating_add(size);
                match std::str::from_utf8(&file) {
                    Ok(archive) if !archive.contains('/') && rules.archives.is_archive_name(archive) => {
                        found.archives += 1;
                        match OpenOptions::new().access(Access::Read).open_on(disk, &folder.join(archive)) {
                            Ok(archive) => {
                                names.extend(archive.entries().map(|entry| entry.name().as_bytes().to_vec()));
                            }
                            Err(error) => {
                                found.unread.push(error.in_archive(format!("{}/{archive}", found.name)));
                            }
                        }
                    }
                    _ => names.push(file),
                }
            }
        }
        for name in &mut names {
            name.make_ascii_lowercase();
        }
        names.sort_unstable();
        names.dedup();
        found.levels = names.iter().filter(|name| is_level(name)).count();
        found.programs = names.into_iter().filter(|name| is_program(name)).map(Into::into).collect();
        found
    }
}

fn is_level(name: &[u8]) -> bool {
    let file = name.strip_prefix(LEVELS.as_bytes()).and_then(|file| file.strip_prefix(b"/"));
    file.is_some_and(|file| !file.starts_with(ITEM)) && ContentType::of(name) == ContentType::Level
}

/// Programs are in the game directory, and those of Quake III one folder below. A `.dat` file there is no
/// program: sources of QuakeC have a text `src/files.dat`.
fn is_program(name: &[u8]) -> bool {
    let parts = if name.ends_with(b".dat") { 1 } else { 2 };
    name.split(|&byte| byte == b'/').count() <= parts && ContentType::of(name) == ContentType::Program
}
