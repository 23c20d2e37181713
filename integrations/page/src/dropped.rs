//! The dropped files as a disk.

use std::io;
use std::path::Path;
use std::sync::Arc;

use quakefs::archive::OpenOptions;
use quakefs::content::ContentType;
use quakefs::disk::{
    ArchiveDisk, Disk, FileKind, Item, MemoryDisk, Opened, Overlay, ReadAt, Stat, SystemPath, on_host,
};
use quakefs::rules::Host;
use quakefs::{Access, Archive, Builder, Engine, Error, SearchPath};
use serde::Serialize;

/// The folder of the disk that contains the dropped folders. Single archives are beside it. Names of layers do not contain it.
const ROOT: &str = "dropped";

/// Removes [`ROOT`] from a sentence, because the person never sees that folder.
pub(crate) fn without_root(sentence: &str) -> String {
    let below = sentence.strip_prefix(ROOT);
    let below = below.and_then(|rest| rest.strip_prefix('/').or_else(|| rest.strip_prefix(": ")));
    below.unwrap_or(sentence).to_owned()
}

/// Folders that occur in game directories and never in base directories.
const OF_A_GAME: [&str; 9] =
    ["maps", "progs", "models", "sound", "gfx", "textures", "env", "pics", "particles"];

/// How many levels of folders are searched for the base directory.
const DEPTH: usize = 3;

/// The choices of the person on the page.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The system that the engine runs on. Empty: names compare exactly.
    pub on: String,
    /// The games, as for `--game`; `None` for the games that the files suggest.
    pub games: Option<Vec<String>>,
    /// The flags of missions.
    pub missions: Vec<String>,
}

/// Dropped files: folders, single archives and downloads of mods.
#[derive(Debug)]
pub struct Dropped {
    disk: Arc<dyn Disk>,
    /// Single archives, mounted above everything else.
    archives: Vec<String>,
    /// ZIPs of mods, placed over the base directory.
    downloads: Vec<Download>,
    has_folders: bool,
}

#[derive(Debug)]
struct Download {
    file: String,
    archive: Archive,
    /// Whether it is a single game directory, not a folder of game directories.
    is_game: bool,
}

/// A search path with the choices behind it.
#[derive(Debug)]
pub(crate) struct Mounted {
    pub(crate) engine: Engine,
    pub(crate) stack: SearchPath,
    /// The games in the base directory.
    pub(crate) known: Vec<String>,
    /// The mounted games.
    pub(crate) games: Vec<String>,
    /// The options of `quakefs` for the same mount.
    pub(crate) line: Vec<String>,
}

impl Dropped {
    /// Takes files as paths and sizes; `read` returns the reader for a file number.
    ///
    /// # Errors
    /// A message for the person: two files have the same path, or a download cannot be opened.
    pub fn new<R: ReadAt + 'static>(
        files: impl IntoIterator<Item = (String, u64)>,
        read: impl Fn(u32) -> R,
    ) -> Result<Dropped, String> {
        let memory = MemoryDisk::new();
        let (mut archives, mut downloads, mut has_folders) = (Vec::new(), Vec::new(), false);
        for (number, (path, size)) in (0..).zip(files) {
            let is_below = path.contains('/');
            let at = if is_below { format!("{ROOT}/{path}") } else { path.clone() };
            memory.insert_at(&at, read(number), size).map_err(|error| format!("{path}: {error}"))?;
            if is_below {
                has_folders = true;
            } else if path.to_ascii_lowercase().ends_with(".zip") {
                downloads.push(path);
            } else {
                archives.push(path);
            }
        }
        let disk: Arc<dyn Disk> = Arc::new(Files(memory));
        let open = |file: String| {
            let options = OpenOptions::new().access(Access::Read);
            let archive = options.open_on(&disk, file.as_str().into());
            let archive = archive.map_err(|error| error.in_archive(&*file).to_string())?;
            let download = ArchiveDisk::new(archive.clone(), &file);
            let is_game = looks_like_game(&download, Path::new(""));
            Ok(Download { file, archive, is_game })
        };
        let downloads = downloads.into_iter().map(open).collect::<Result<_, String>>()?;
        Ok(Dropped { disk, archives, downloads, has_folders })
    }

    /// Mounts the files as an engine would.
    pub(crate) fn mount(&self, engine: Engine, choice: &Choice) -> Result<Mounted, Error> {
        let host = Host::ALL.iter().copied().find(|host| host.name() == choice.on);
        let mut disk = Arc::clone(&self.disk);
        let base = base_of(&*disk, engine).unwrap_or_else(|| ROOT.to_owned());
        let has_base = self.has_folders || !self.downloads.is_empty();
        let mut suggested = Vec::new();
        if let Some(host) = host {
            disk = on_host(disk, host, [ROOT]);
        }
        for Download { file, archive, is_game } in &self.downloads {
            let upper = ArchiveDisk::new(archive.clone(), file);
            let stem = file.rsplit_once('.').map_or(&**file, |(stem, _)| stem);
            let at = if *is_game { format!("{base}/{stem}") } else { base.clone() };
            if *is_game {
                suggested.push(stem.to_owned());
            } else {
                suggested.extend(games_in(&upper, Path::new(""), engine));
            }
            disk = Arc::new(Overlay::new(upper, disk, &at).map_err(Error::from)?);
        }
        let known = if has_base { games_in(&*disk, Path::new(&base), engine) } else { Vec::new() };
        // a mod without a base game is the game itself
        let holds_base = engine.rules().directories.base.iter().any(|name| is_folder(&*disk, &base, name));
        if !holds_base && suggested.is_empty() {
            suggested.clone_from(&known);
            suggested.truncate(1);
        }
        let games = choice.games.clone().unwrap_or(suggested);
        let mut builder = if has_base { SearchPath::builder(&base) } else { Builder::new() };
        builder = builder.disk(disk).access(Access::Read).engine(engine);
        if let Some(host) = host {
            builder = builder.host(host);
        }
        builder = choice.missions.iter().fold(builder, Builder::mission);
        builder = games.iter().fold(builder, Builder::game);
        builder = self.archives.iter().fold(builder, Builder::archive);
        let stack = builder.mount()?;
        let below = base.strip_prefix(ROOT).and_then(|base| base.strip_prefix('/')).unwrap_or(".");
        let option = |option: &str, value: &str| [option.to_owned(), value.to_owned()];
        let line = has_base.then(|| option("--basedir", below)).into_iter();
        let line = line.chain(self.downloads.iter().map(|download| option("--over", &download.file)));
        let line = line.chain([option("--engine", engine.name())]);
        let line = line.chain(host.map(|host| option("--on", host.name())));
        let line = line.chain(games.iter().map(|game| option("--game", game)));
        let line = line.chain(choice.missions.iter().map(|flag| option("--mission", flag)));
        let line = line.chain(self.archives.iter().map(|file| option("--mount", file))).flatten().collect();
        Ok(Mounted { engine, stack, known, games, line })
    }

    /// The first engine whose game was dropped.
    pub(crate) fn engine(&self) -> Engine {
        let mut engines = Engine::ALL.iter().copied();
        engines.find(|engine| base_of(&*self.disk, *engine).is_some()).unwrap_or(Engine::WinQuake)
    }
}

/// The topmost folder that contains the engine's own game directory.
fn base_of(disk: &dyn Disk, engine: Engine) -> Option<String> {
    let names = &engine.rules().directories.base;
    let mut folders = vec![ROOT.to_owned()];
    for _ in 0..DEPTH {
        let holds =
            |folder: &&String| names.iter().any(|name| **name != *"." && is_folder(disk, folder, name));
        if let Some(found) = folders.iter().find(holds) {
            return Some(found.clone());
        }
        let below = |folder: &String| {
            folders_in(disk, Path::new(folder)).into_iter().map(|name| format!("{folder}/{name}")).collect()
        };
        folders = folders.iter().flat_map(|folder| -> Vec<String> { below(folder) }).collect();
    }
    None
}

/// The folders of a base directory that look like games, except the engine's own.
fn games_in(disk: &dyn Disk, base: &Path, engine: Engine) -> Vec<String> {
    let directories = &engine.rules().directories;
    let own = |name: &String| {
        let mission = directories.missions.iter().any(|mission| *mission.directory == **name);
        mission || directories.base.iter().any(|base| base.eq_ignore_ascii_case(name))
    };
    let mut games = folders_in(disk, base);
    games.retain(|name| !own(name) && looks_like_game(disk, &base.join(name)));
    games.sort_unstable();
    games
}

/// Whether a folder contains an archive or program, or a folder that only games have.
fn looks_like_game(disk: &dyn Disk, folder: &Path) -> bool {
    let is_of_game = |item: Item| match item.kind {
        FileKind::Folder => OF_A_GAME.iter().any(|known| item.name.eq_ignore_ascii_case(known.as_bytes())),
        _ => matches!(ContentType::of(&item.name), ContentType::Archive | ContentType::Program),
    };
    disk.list(folder).is_ok_and(|items| items.into_iter().any(is_of_game))
}

fn is_folder(disk: &dyn Disk, folder: &str, name: &str) -> bool {
    disk.stat(&Path::new(folder).join(name)).is_ok_and(|stat| stat.kind == FileKind::Folder)
}

fn folders_in(disk: &dyn Disk, folder: &Path) -> Vec<String> {
    let items = disk.list(folder).unwrap_or_default().into_iter();
    let folders = items.filter(|item| item.kind == FileKind::Folder);
    folders.filter_map(|item| String::from_utf8(item.name).ok()).collect()
}

/// A disk that tells the page where the files are, so that the page can save uncompressed ones without the module.
#[derive(Debug)]
struct Files(MemoryDisk);

impl Disk for Files {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.0.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.0.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.0.open(path, access)
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        Some(SystemPath::File(path.strip_prefix(ROOT).unwrap_or(path).to_owned()))
    }
}

/// A range of bytes in a file of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Stretch {
    path: String,
    start: u64,
    end: u64,
}

impl Stretch {
    pub(crate) fn of(hit: &quakefs::File<'_>) -> Option<Stretch> {
        let extent = hit.extent()?;
        Some(Stretch { path: extent.path.into(), start: extent.range.start, end: extent.range.end })
    }
}
