//! The place of a download in a base directory, and the options that start it.

mod download;
mod misplaced;
mod signs;
mod texts;
#[cfg(feature = "fs")]
mod write;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::Utf8Path;
use quakefs::content::{ContentType, is_content_folder};
use quakefs::disk::{Disk, FileKind, Moved};
use quakefs::why::{Help, Shell};
use quakefs::{Access, EntryName, Error, Rules};

pub use self::download::Download;
pub use self::misplaced::{Misplaced, misplaced};
pub use self::signs::Family;
use self::signs::{FAMILIES, is_mark, is_text, loose_folder, pak_number};
use self::texts::{Said, What};

/// How [`place`] decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The rules of the engine that will load the download. Its base game is used if the download does not show its family.
    pub engine: Option<&'a Rules>,
    /// The name of the game directory, instead of the name that is found.
    pub name: Option<&'a str>,
    /// The game directories that exist already. A folder of the download with such a name belongs there.
    pub directories: &'a [String],
    /// The number for a `.pak` that has no number in its name.
    pub pak: u32,
}

/// Where the files of a download go, and how it is started.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Placement {
    /// The family of games that the download is for.
    pub family: &'static Family,
    /// The parts that go somewhere. If it is empty, `nothing` tells why.
    pub parts: Vec<Part>,
    /// The files of all parts.
    pub files: Vec<Placed>,
    /// The files that stay in the download, such as a text beside the folder of a mod.
    pub left: Vec<String>,
    /// Why nothing is placed.
    pub nothing: Option<Nothing>,
    /// What is unclear or could not be read.
    pub notes: Vec<Note>,
    /// How to start each game directory of it.
    pub starts: Vec<Start>,
    /// The size of the download in bytes.
    size: u64,
}

/// Files that go to one folder for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The folder in the download, such as `progs_dump/pd/`; empty for the download itself.
    pub from: String,
    /// The folder below the base directory, such as `pd/`, or `id1/maps/` for levels.
    pub to: String,
    /// Why they go there.
    pub by: By,
    /// The number of files.
    pub files: usize,
    /// The game directory, if an option of the engine selects it.
    pub game: Option<String>,
}

/// The evidence for a place, the strongest first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// The caller named the game directory.
    Caller,
    /// A folder of the download holds files of a game.
    Folder,
    /// A text of the author names the game directory.
    Text {
        /// The line.
        line: String,
    },
    /// Levels or demos without a folder go into the base game.
    Levels,
    /// Only the file name of the download suggests it: a guess.
    Name,
}

impl By {
    /// A stable word: `as`, `folder`, `text`, `levels` or `name`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            By::Caller => "as",
            By::Folder => "folder",
            By::Text { .. } => "text",
            By::Levels => "levels",
            By::Name => "name",
        }
    }

    /// The line of the author's text, if that is the evidence.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            By::Text { line } => Some(line),
            _ => None,
        }
    }
}

/// A file and its place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Placed {
    /// The path in the download. The path of a file in an archive inside begins with that archive's.
    pub from: String,
    /// The path below the base directory.
    pub to: String,
    /// The number of its part.
    pub part: usize,
    disk: Arc<dyn Disk>,
    on_disk: PathBuf,
}

/// The options that start a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Start {
    /// Mission flags without a dash: `quoth`.
    pub missions: Vec<String>,
    /// Game directories.
    pub games: Vec<String>,
    /// The level, such as `start`, if one is known.
    pub level: Option<String>,
}

/// Why no file of a download goes anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nothing {
    /// It has no files.
    Empty,
    /// It has only texts.
    Texts,
    /// It has models, skins, sounds or pictures without a folder.
    Loose,
    /// It has a WAD of textures.
    Textures,
    /// It has the source of a level.
    Source,
    /// It has no file of a game.
    Unknown,
    /// The caller's name cannot name a game directory.
    BadName,
}

/// What is unclear about a download.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Note {
    /// Its texts name several game directories.
    SeveralNames {
        /// The names.
        names: Vec<String>,
    },
    /// It is for another family of games than the engine's.
    OtherFamily {
        /// The download's.
        family: &'static Family,
        /// The engine.
        engine: String,
    },
    /// An archive in the download was placed as if it were the download.
    Inside {
        /// Its path.
        archive: String,
    },
    /// An archive in the download cannot be opened.
    Unread {
        /// Its path.
        archive: String,
        /// Why.
        error: Error,
    },
    /// A path that the download has twice, or both as a file and as a folder.
    Twice {
        /// The path below the base directory.
        to: String,
    },
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Caller => f.write_str("as asked"),
            By::Folder => f.write_str("its own folder"),
            By::Text { line } => write!(f, "as its text says: {line}"),
            By::Levels => f.write_str("levels without a folder"),
            By::Name => f.write_str("a guess: no folder and no text names a place"),
        }
    }
}

impl fmt::Display for Placement {
    /// Where the download goes, or why it goes nowhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(nothing) = self.nothing {
            return write!(f, "nothing of it goes into a game: {nothing}");
        }
        for (number, part) in self.parts.iter().enumerate() {
            f.write_str(if number == 0 { "taken as " } else { "; " })?;
            write!(f, "{}, {}", part.to, part.by)?;
        }
        Ok(())
    }
}

impl Placement {
    /// The placed files as a disk whose root is the base directory, for [`Overlay`](quakefs::disk::Overlay).
    #[must_use]
    pub fn disk(&self) -> Moved {
        let mut moved = Moved::default();
        for file in &self.files {
            // `place` keeps only files whose paths agree
            let _ = moved.insert(&file.to, &file.disk, &*file.on_disk);
        }
        moved
    }

    /// The files that exist already in a base directory, by their numbers, and whether each has the same content there.
    #[must_use]
    pub fn existing(&self, disk: &dyn Disk, base: &Utf8Path) -> Vec<(usize, bool)> {
        let exists = |(number, file): (usize, &Placed)| {
            let there = base.join(&file.to);
            let stat = disk.stat(there.as_std_path()).ok()?;
            Some((
                number,
                stat.kind == FileKind::File && is_same(&file.disk, &file.on_disk, disk, there.as_std_path()),
            ))
        };
        self.files.iter().enumerate().filter_map(exists).collect()
    }

    /// The first part whose place only the name of the download suggests.
    #[must_use]
    pub fn guess(&self) -> Option<&Part> {
        self.parts.iter().find(|part| part.by == By::Name)
    }
}

/// Finds where the files of a download go, from its names, its texts and the first bytes of levels and models.
///
/// The strongest evidence decides: a folder that holds files of a game; the author's text; levels without a folder, which go into
/// the base game; the file name of the download, which is a guess. What lies around a game's folder stays in the download. An
/// archive in the download is opened only if nothing else goes anywhere.
///
/// ```
/// use quakefs::Archive;
/// use quakefs_installed::{Download, PlaceOptions, place};
/// # let zip = testutils::zip([("progs_dump-3.0.1/pd/progs.dat", "x"), ("progs_dump-3.0.1/readme.txt", "x")]);
/// let archive = Archive::from_data(zip.into())?;
/// let placement = place(&Download::archive(&archive, "progs_dump-3.0.1.zip"), &PlaceOptions::default());
/// let part = &placement.parts[0];
/// assert_eq!((&*part.from, &*part.to, part.by.name()), ("progs_dump-3.0.1/pd/", "pd/", "folder"));
/// assert_eq!(placement.starts[0].words(placement.family), ["-game", "pd"]);
/// # Ok::<(), quakefs::Error>(())
/// ```
#[must_use]
pub fn place(download: &Download, options: &Options<'_>) -> Placement {
    let size = download.size;
    let download = download.as_loaded(options.directories);
    let mut placement = Placer::new(download, options).placement();
    if options.name.is_some_and(|name| !is_folder(name)) {
        let placed = std::mem::take(&mut placement.files);
        placement.left.extend(placed.into_iter().map(|file| file.from));
        (placement.parts, placement.starts) = (Vec::new(), Vec::new());
        placement.nothing = Some(Nothing::BadName);
        return placement;
    }
    if placement.parts.is_empty() {
        for (archive, opened) in download.inner() {
            match opened {
                Ok(inner) => {
                    let found = Placer::new(&inner, options).placement();
                    if !found.parts.is_empty() {
                        placement.add(found, &archive);
                    }
                }
                Err(error) => placement.notes.push(Note::Unread { archive, error }),
            }
        }
    }
    placement.size = size;
    placement.nothing = placement.parts.is_empty().then(|| Nothing::of(&placement.left));
    placement
}

/// The folders that hold files of a game. None is in another one, except base games.
fn roots<'p>(paths: impl Iterator<Item = &'p str>, known: &[String]) -> HashSet<&'p str> {
    let all: HashSet<&str> = paths.filter_map(|path| root_of(path, known)).collect();
    let is_inside =
        |root: &str| !root.is_empty() && (all.contains("") || above(root).any(|folder| all.contains(folder)));
    all.iter().copied().filter(|root| is_base(last(root), known) || !is_inside(root)).collect()
}

/// The game directory that a path shows: above `maps/`, a folder like `id1`, or around a file like `progs.dat`.
fn root_of<'p>(path: &'p str, known: &[String]) -> Option<&'p str> {
    let mut start = 0;
    while let Some(length) = path.get(start..)?.find('/') {
        let end = start + length;
        let folder = path.get(start..end)?;
        if is_base(folder, known) {
            return path.get(..end);
        }
        if is_content_folder(folder) {
            return path.get(..start.saturating_sub(1));
        }
        start = end + 1;
    }
    is_mark(path.get(start..)?).then(|| path.get(..start.saturating_sub(1)).unwrap_or_default())
}

/// Whether a folder is a base game's, or a game directory that exists.
fn is_base(folder: &str, known: &[String]) -> bool {
    let is = |name: &str| folder.eq_ignore_ascii_case(name);
    FAMILIES.iter().any(|family| is(family.base))
        || (known.iter().any(|name| is(name)) && !is_content_folder(folder))
}

/// The folders above a folder.
fn above(folder: &str) -> impl Iterator<Item = &str> {
    folder.rmatch_indices('/').filter_map(|(end, _)| folder.get(..end))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The rest of a path below a folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// A folder with a slash at its end; empty if it has no name.
fn with_slash(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

struct Placer<'a> {
    download: &'a Download,
    options: &'a Options<'a>,
    family: &'static Family,
    /// The base game's directory.
    base: &'a str,
    said: Vec<Said>,
    /// The game directory that the texts name, with the line.
    game_said: Option<(String, String)>,
    placement: Placement,
    /// The numbers of the parts by their folders, in one text behind the length of the first.
    parts: HashMap<String, usize>,
    /// The paths that have a file, and the folders around them.
    taken: HashSet<String>,
    folders: HashSet<String>,
}

impl<'a> Placer<'a> {
    fn new(download: &'a Download, options: &'a Options<'a>) -> Placer<'a> {
        let of_engine = options.engine.and_then(Family::of_engine);
        let has_pk3 = || download.files.iter().any(|found| found.path.to_ascii_lowercase().ends_with(".pk3"));
        let by_default =
            || if options.engine.is_none() && has_pk3() { &signs::QUAKE3 } else { &signs::QUAKE };
        let family = download.votes().best().or(of_engine).unwrap_or_else(by_default);
        let own_base = options.engine.filter(|_| of_engine.is_none());
        let own_base = own_base.and_then(|rules| rules.directories.base.iter().find(|name| is_name(name)));
        let mut notes = Vec::new();
        if let (Some(engine), Some(other)) = (options.engine, of_engine)
            && other != family
        {
            notes.push(Note::OtherFamily { family, engine: engine.name.to_string() });
        }
        let placement = Placement {
            family,
            parts: Vec::new(),
            files: Vec::new(),
            left: Vec::new(),
            nothing: None,
            notes,
            starts: Vec::new(),
            size: download.size,
        };
        let mut placer = Placer {
            download,
            options,
            family,
            base: own_base.map_or(family.base, |name| name),
            said: download.said(),
            game_said: None,
            placement,
            parts: HashMap::new(),
            taken: HashSet::new(),
            folders: HashSet::new(),
        };
        placer.game_said = placer.chosen_game();
        placer
    }

    fn placement(mut self) -> Placement {
        let download = self.download;
        let known = self.options.directories;
        let mut roots = roots(download.files.iter().map(|found| &*found.path), known);
        // `mymod.pak` is a part of a game directory, whatever its name
        if !download.within.is_empty() {
            roots.insert("");
        }
        let own: Vec<&str> = roots.iter().copied().filter(|root| !is_base(last(root), known)).collect();
        let flat = own.contains(&"").then(|| self.flat_place());
        for (number, found) in download.files.iter().enumerate() {
            let root = above(&found.path).find(|folder| roots.contains(folder));
            let path = &*found.path;
            match (root, &flat) {
                (Some(root), _) => {
                    let (to, by) = self.folder_place(root, own.len() == 1, roots.len() == 1);
                    self.put(number, root, &to, by);
                }
                (None, Some((to, by, only_levels))) => {
                    if !only_levels || root_of(path, known).is_some() || self.loose(path).is_some() {
                        self.put(number, "", to, by.clone());
                    } else {
                        self.placement.left.push(path.to_owned());
                    }
                }
                (None, None) => match self.loose(path).filter(|_| roots.is_empty()) {
                    Some(_) => {
                        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                        let (to, by) = self.level_place();
                        self.put(number, folder, &to, by);
                    }
                    None => self.placement.left.push(path.to_owned()),
                },
            }
        }
        let names: Vec<String> = self.games_said().map(|said| said.name.clone()).collect();
        if names.len() > 1 && own.contains(&"") && self.options.name.is_none() {
            self.placement.notes.push(Note::SeveralNames { names });
        }
        self.placement.starts = self.starts();
        self.placement
    }

    /// The folder of a game directory for a file without a folder.
    fn loose(&self, path: &str) -> Option<&'static str> {
        loose_folder(path, self.family)
    }

    /// The place of a folder that holds files of a game.
    fn folder_place(&self, root: &str, own: bool, alone: bool) -> (String, By) {
        let name = last(root);
        if let Some(name) = self.options.name.filter(|_| alone) {
            return (name.to_owned(), By::Caller);
        }
        if let Some(exists) = self.options.directories.iter().find(|known| name.eq_ignore_ascii_case(known)) {
            return (exists.clone(), By::Folder);
        }
        if FAMILIES.iter().any(|family| family.has_directory(name)) {
            return (name.to_ascii_lowercase(), By::Folder);
        }
        if let Some(name) = self.options.name.filter(|_| own) {
            return (name.to_owned(), By::Caller);
        }
        // `mymod-1.2` is `mymod` with a version, if the text says so
        let is_version = |rest: &str| {
            rest.starts_with(['-', '_', '.', ' ']) || rest.starts_with(|c: char| c.is_ascii_digit())
        };
        let lower = name.to_ascii_lowercase();
        match self.game_said.clone() {
            Some((said, line)) if lower.strip_prefix(&*said).is_some_and(is_version) => {
                (said, By::Text { line })
            }
            _ => (name.to_owned(), By::Folder),
        }
    }

    /// The place of levels without a folder.
    fn level_place(&self) -> (String, By) {
        if let Some(name) = self.options.name {
            return (name.to_owned(), By::Caller);
        }
        match self.game_said.clone() {
            Some((name, line)) => (name, By::Text { line }),
            None => (self.base.to_owned(), By::Levels),
        }
    }

    /// The place of files of a game without a folder around them, and whether they are only levels.
    fn flat_place(&self) -> (String, By, bool) {
        let paths = || self.download.files.iter().map(|found| &*found.path);
        let is_level =
            |path: &str| path.split('/').next().is_some_and(|first| first.eq_ignore_ascii_case("maps"));
        let only_levels = self.download.within.is_empty()
            && paths().all(|path| !is_mark(last(path)) && (!path.contains('/') || is_level(path)));
        if only_levels {
            let (to, by) = self.level_place();
            return (to, by, true);
        }
        if let Some(name) = self.options.name {
            return (name.to_owned(), By::Caller, false);
        }
        if let Some((name, line)) = self.game_said.clone() {
            return (name, By::Text { line }, false);
        }
        let mission = self.said.iter().find(|said| said.what == What::Mission);
        if let Some(said) = mission {
            return (said.name.clone(), By::Text { line: said.line.clone() }, false);
        }
        let inside = || self.download.within.iter().map(String::as_str).chain(paths());
        let has_program = inside().any(|path| ContentType::of(path.as_bytes()) == ContentType::Program);
        if self.family == &signs::QUAKE3 && !has_program {
            return (self.base.to_owned(), By::Name, false);
        }
        (self.download.folder_name(), By::Name, false)
    }

    /// The game directories that the texts name. Options count, and instructions only without them.
    fn games_said(&self) -> impl Iterator<Item = &Said> {
        let has_options = self.said.iter().any(|said| said.what == What::Game);
        let wanted = if has_options { What::Game } else { What::Folder };
        self.said.iter().filter(move |said| said.what == wanted)
    }

    /// The game directory that the texts name, with the line.
    fn chosen_game(&self) -> Option<(String, String)> {
        // texts also name the game that a mod was made for
        let (bases, games): (Vec<&Said>, Vec<_>) =
            self.games_said().partition(|said| is_base(&said.name, &[]));
        let stem = self.download.folder_name();
        let is_own = |said: &&&Said| stem.starts_with(&*said.name);
        let most = || {
            let most = games.iter().max_by_key(|said| said.times)?;
            (games.iter().filter(|said| said.times == most.times).count() == 1).then_some(most)
        };
        let chosen =
            games.iter().find(is_own).or_else(most).or(bases.first().filter(|_| games.is_empty()))?;
        let existing = self.options.directories.iter().find(|known| known.eq_ignore_ascii_case(&chosen.name));
        Some((existing.unwrap_or(&chosen.name).clone(), chosen.line.clone()))
    }

    /// Places a file of the download that is in a folder of it.
    fn put(&mut self, number: usize, folder: &str, game: &str, by: By) {
        let Some(found) = self.download.files.get(number) else { return };
        let rest = below(&found.path, folder).unwrap_or(&found.path);
        let is_loose = !rest.contains('/');
        let inner = self.loose(rest).filter(|inner| is_loose && !inner.is_empty());
        let inner = inner.map_or_else(String::new, with_slash);
        let is_pak = is_loose
            && ContentType::of(rest.as_bytes()) == ContentType::Archive
            && !self.download.within.is_empty();
        let renamed = is_pak && rest.to_ascii_lowercase().ends_with(".pak") && pak_number(rest).is_none();
        let name = if renamed { format!("pak{}.pak", self.options.pak) } else { rest.to_owned() };
        let to = format!("{game}/{inner}{name}");
        if self.is_taken(&to) {
            self.placement.notes.push(Note::Twice { to });
            return;
        }
        let part = Part {
            from: with_slash(folder),
            to: format!("{game}/{inner}"),
            by,
            files: 0,
            game: (!game.eq_ignore_ascii_case(self.base)).then(|| game.to_owned()),
        };
        let parts = &mut self.placement.parts;
        let key = format!("{} {}{}", part.from.len(), part.from, part.to);
        let part = *self.parts.entry(key).or_insert_with(|| {
            parts.push(part);
            parts.len() - 1
        });
        if let Some(part) = parts.get_mut(part) {
            part.files += 1;
        }
        let disk = Arc::clone(&self.download.disk);
        self.placement.files.push(Placed {
            from: found.path.clone(),
            to,
            part,
            disk,
            on_disk: found.on_disk.clone(),
        });
    }

    /// Whether a path has a file or is a folder already; else it is taken now.
    fn is_taken(&mut self, to: &str) -> bool {
        if self.folders.contains(to) || above(to).any(|folder| self.taken.contains(folder)) {
            return true;
        }
        if !self.taken.insert(to.to_owned()) {
            return true;
        }
        for folder in above(to) {
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
        }
        false
    }

    /// How each game directory is started.
    fn starts(&self) -> Vec<Start> {
        let mut places = HashMap::new();
        let mut games: Vec<(&str, Vec<&str>)> = Vec::new();
        for file in &self.placement.files {
            let Some((game, rest)) = file.to.split_once('/') else { continue };
            let place = *places.entry(game.to_owned()).or_insert(games.len());
            if place == games.len() {
                games.push((game, Vec::new()));
            }
            let Some((_, levels)) = games.get_mut(place) else { continue };
            if ContentType::of(rest.as_bytes()) == ContentType::Level {
                levels.extend(rest.strip_prefix("maps/").and_then(|level| Some(level.rsplit_once('.')?.0)));
            }
        }
        let missions: Vec<String> = self
            .said
            .iter()
            .filter(|said| said.what == What::Mission)
            .map(|said| said.name.clone())
            .collect();
        let start = |(game, found): (&str, Vec<&str>)| {
            let is_game = !game.eq_ignore_ascii_case(self.base);
            let by_flag = signs::FLAGS.contains(&game);
            let first = found.iter().find(|level| level.eq_ignore_ascii_case("start"));
            let first = first.or_else(|| found.first().filter(|_| !is_game || found.len() == 1));
            let mut missions = missions.clone();
            if by_flag && !missions.iter().any(|known| known == game) {
                missions.push(game.to_owned());
            }
            Start {
                missions,
                games: (is_game && !by_flag).then(|| game.to_owned()).into_iter().collect(),
                level: first.map(|level| (*level).to_owned()),
            }
        };
        games.into_iter().map(start).collect()
    }
}

/// Whether two files have the same bytes. A file that cannot be read equals no other.
fn is_same(one: &dyn Disk, at: &Path, other: &dyn Disk, there: &Path) -> bool {
    let open = |disk: &dyn Disk, path| disk.open(path, Access::Read).ok();
    let (Some(one), Some(other)) = (open(one, at), open(other, there)) else { return false };
    let size = one.stat.size;
    let mut buffers = (Vec::new(), Vec::new());
    let mut start = 0;
    while size == other.stat.size && start < size {
        let end = size.min(start + BLOCK);
        let blocks = (
            download::block(&one, start..end, &mut buffers.0),
            download::block(&other, start..end, &mut buffers.1),
        );
        if !matches!(blocks, (Some(one), Some(other)) if one == other) {
            return false;
        }
        start = end;
    }
    size == other.stat.size
}

/// How many bytes are compared at a time.
const BLOCK: u64 = 1 << 20;

/// Whether a word of the rules is a directory's name.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// A name for a game directory from a file name.
fn guess(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_ascii_lowercase();
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let name: String = stem.chars().map(|letter| if is_kept(letter) { letter } else { '_' }).collect();
    let name = name.trim_matches(['.', '_', '-']);
    if is_folder(name) { name.to_owned() } else { "download".to_owned() }
}

/// Whether a name can name one folder, on each system.
fn is_folder(name: &str) -> bool {
    !name.contains('/') && EntryName::from(name).to_windows_path().is_ok_and(|path| *path == *name.as_bytes())
}

impl Placement {
    /// Adds the placement of an archive in the download.
    fn add(&mut self, inner: Placement, archive: &str) {
        let before = self.parts.len();
        let within = |path: &str| format!("{archive}/{path}");
        self.family = inner.family;
        self.parts.extend(inner.parts.into_iter().map(|part| Part { from: within(&part.from), ..part }));
        self.files.extend(inner.files.into_iter().map(|file| Placed {
            from: within(&file.from),
            part: before + file.part,
            ..file
        }));
        self.left.retain(|path| path != archive);
        self.left.extend(inner.left.iter().map(|path| within(path)));
        self.notes.push(Note::Inside { archive: archive.to_owned() });
        self.notes.extend(inner.notes);
        self.starts.extend(inner.starts);
    }
}

impl Start {
    /// The words for an engine's command line: `-hipnotic -game mymod +map start`.
    #[must_use]
    pub fn words(&self, family: &Family) -> Vec<String> {
        let missions = self.missions.iter().map(|flag| format!("-{flag}"));
        let option = family.game_option.iter().map(|word| (*word).to_owned());
        let games = self.games.iter().flat_map(|game| option.clone().chain([game.clone()]));
        let level = self.level.iter().flat_map(|level| ["+map".to_owned(), level.clone()]);
        missions.chain(games).chain(level).collect()
    }
}

impl Nothing {
    fn of(left: &[String]) -> Nothing {
        use ContentType::{Animation, Lump, Map, Model, Sound, Source, Sprite, Texture, TextureArchive};

        let has = |wanted: &[ContentType]| {
            left.iter().any(|path| wanted.contains(&ContentType::of(path.as_bytes())))
        };
        if left.is_empty() {
            Nothing::Empty
        } else if has(&[Model, Animation, Sprite, Sound, Lump, Texture]) {
            Nothing::Loose
        } else if has(&[TextureArchive]) {
            Nothing::Textures
        } else if has(&[Map, Source]) {
            Nothing::Source
        } else if left.iter().all(|path| is_text(path)) {
            Nothing::Texts
        } else {
            Nothing::Unknown
        }
    }

    /// A stable word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Nothing::Empty => "empty",
            Nothing::Texts => "texts",
            Nothing::Loose => "loose",
            Nothing::Textures => "textures",
            Nothing::Source => "source",
            Nothing::Unknown => "unknown",
            Nothing::BadName => "bad-name",
        }
    }
}

impl Help for Nothing {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        let help = match self {
            Nothing::Loose => {
                "put a model into progs/ of a mod, a sound into sound/, a picture into gfx/ or textures/"
            }
            Nothing::Textures => "name it in your level editor; engines read textures from the level",
            Nothing::Source => "compile it, and place the result",
            Nothing::BadName => "give the name of one folder, without `/` and `..`",
            Nothing::Empty | Nothing::Texts | Nothing::Unknown => return None,
        };
        Some(help.to_owned())
    }
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Nothing::Empty => "it has no files",
            Nothing::Texts => "it has only texts",
            Nothing::Loose => "it has models, sounds or pictures without a folder",
            Nothing::Textures => "it has only textures for level editors",
            Nothing::Source => "it has only source code",
            Nothing::Unknown => "it has no file of a game",
            Nothing::BadName => "the name that was given cannot be that of a folder",
        })
    }
}

impl Note {
    /// Whether it only tells how the download was read.
    #[must_use]
    pub const fn is_remark(&self) -> bool {
        matches!(self, Note::Inside { .. } | Note::SeveralNames { .. })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::SeveralNames { names } => {
                write!(f, "its texts name several game directories: {}", names.join(", "))
            }
            Note::OtherFamily { family, engine } => {
                write!(f, "it is for {}, and {engine} is an engine of another game", family.name)
            }
            Note::Inside { archive } => {
                write!(f, "{archive} is an archive in the archive, and was unpacked too")
            }
            Note::Unread { archive, error } => write!(f, "{archive}: not opened: {error}"),
            Note::Twice { to } => write!(f, "two files would be {to}: the first was taken"),
        }
    }
}
