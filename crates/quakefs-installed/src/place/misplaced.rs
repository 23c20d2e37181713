//! Files that are where no engine looks.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::OpenOptions;
use quakefs::content::{ContentType, Leftover, is_content_folder};
use quakefs::disk::{Disk, folders_in};
use quakefs::findings::{Advice, Location};
use quakefs::rules::Family;
use quakefs::search_path::list_folder;
use quakefs::sentences::{Help, Shell};
use quakefs::{Access, Engine, Layer, Rules, SearchPath};

use super::download::Budget;
use super::signs::{is_mark, loose_folder};
use super::{Download, Nothing, Options, Placed, place, signs};
use crate::mods::files_in;

/// The most downloads that are looked into.
const DOWNLOADS: usize = 64;

/// Files in a base directory that are where the engine does not look, and the move that mends it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Misplaced {
    /// The path below the base directory: a folder with a slash at its end, a level, or a downloaded archive.
    pub from: String,
    /// The folder below the base directory where it belongs; of another installation, its base game.
    pub to: String,
    /// The path on the disk.
    pub path: Utf8PathBuf,
    /// What it is.
    pub kind: MisplacedKind,
    /// The names that the game would have then.
    names: Vec<String>,
    /// The game directory of a download, if it is a guess, which nothing is written to by itself.
    guess: Option<String>,
}

/// What is not where the engine looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MisplacedKind {
    /// A folder or a level.
    Files,
    /// An archive that `quakefs place` unpacks.
    Download,
    /// An archive that quakefs does not open, such as `a 7-Zip archive`.
    Packed(&'static str),
    /// The folder of another installation of the game, such as `rerelease/`: it is right where it is.
    Installation,
}

impl Misplaced {
    /// A stable word for the kind.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.kind {
            MisplacedKind::Files => "misplaced",
            MisplacedKind::Download | MisplacedKind::Packed(_) => "not-unpacked",
            MisplacedKind::Installation => "other-installation",
        }
    }

    /// Whether it should be moved or unpacked. Another installation is right where it is.
    #[must_use]
    pub fn is_mistake(&self) -> bool {
        self.kind != MisplacedKind::Installation
    }

    /// The words of the command that places a download of this path.
    fn placing(&self, path: &str) -> Vec<String> {
        let guess = self.guess.iter().flat_map(|game| ["--as".to_owned(), game.clone()]);
        std::iter::once(path.to_owned()).chain(guess).chain(["--write".to_owned()]).collect()
    }

    /// Whether the game would have a file of this name, in any case.
    #[must_use]
    pub fn has(&self, name: &[u8]) -> bool {
        self.names.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = &self.from;
        match self.kind {
            MisplacedKind::Files => write!(f, "engines do not look in {from}"),
            MisplacedKind::Download => write!(f, "{from} is a download, and engines do not look inside it"),
            MisplacedKind::Packed(kind) => write!(f, "{from} is {kind}, and engines do not look inside it"),
            MisplacedKind::Installation => {
                write!(f, "{from} has it, which is another installation of the game, with {}", self.to)
            }
        }
    }
}

impl Help for Misplaced {
    fn advice(&self) -> Vec<Advice> {
        let path = self.path.as_str().trim_end_matches('/').to_owned();
        let at = match self.from.rsplit_once('/') {
            Some((folder, name)) if !name.is_empty() => {
                Location::File { folder: format!("{folder}/"), name: name.as_bytes().into() }
            }
            _ => Location::layer(&*self.from),
        };
        vec![match self.kind {
            MisplacedKind::Packed(_) => Advice::Tell("unpack it with 7-Zip or another program".into()),
            MisplacedKind::Installation => Advice::Choose { option: "--basedir".into(), value: Some(path) },
            MisplacedKind::Download => Advice::Run { command: "place", arguments: self.placing(&path) },
            MisplacedKind::Files => Advice::Move { what: at, to: self.to.clone() },
        }]
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        let (to, path) = (&self.to, self.path.as_str().trim_end_matches('/'));
        Some(match (self.kind, shell) {
            (MisplacedKind::Installation, Some(shell)) => {
                format!("ask about it with {}", shell.quoted(&["--basedir", path]))
            }
            (MisplacedKind::Installation, None) => format!("choose the base directory {path}"),
            (MisplacedKind::Download, Some(shell)) => {
                let words = self.placing(path);
                let words = shell.quoted(&words.iter().map(String::as_str).collect::<Vec<_>>());
                format!("`{} {words}` unpacks it to {to}", shell.command("place", None))
            }
            (MisplacedKind::Download, None) => format!("unpack it to {to}"),
            _ => return self.advice().first().map(|advice| advice.sentence(None, shell)),
        })
    }
}

/// Finds files in the base directory and its game directories that are where the engine does not look: a
/// folder like `maps` or a level beside `id1`; a game's folder inside another one or one folder too deep; a
/// level beside `maps`; a ZIP that nobody unpacked.
#[must_use]
pub fn misplaced(search_path: &SearchPath) -> Vec<Misplaced> {
    let Some(base) = search_path.roots().into_iter().next() else { return Vec::new() };
    let rules = search_path.rules();
    let family = rules.family.as_ref().unwrap_or(signs::usual());
    let Some(base_game) = rules.directories.first_name() else { return Vec::new() };
    let mut search = Search {
        disk: search_path.disk(),
        base: &base,
        rules,
        family,
        base_game,
        found: Vec::new(),
        loaded: search_path.layers().map(Layer::name).collect(),
        left: DOWNLOADS,
        budget: Budget::default(),
    };
    search.installations();
    // an engine that searches the base directory itself finds everything else there
    if rules.directories.base.iter().all(|directory| directory != ".") {
        search.base_directory();
    }
    search.found
}

struct Search<'a> {
    disk: &'a Arc<dyn Disk>,
    base: &'a Utf8Path,
    rules: &'a Rules,
    family: &'a Family,
    base_game: &'a str,
    found: Vec<Misplaced>,
    /// The names of the archives and folders that the engine loads.
    loaded: HashSet<&'a str>,
    /// How many downloads may still be opened.
    left: usize,
    budget: Budget,
}

impl Search<'_> {
    /// Folders with a base game of their own.
    fn installations(&mut self) {
        for folder in folders_in(&**self.disk, self.base).unwrap_or_default() {
            let at = self.base.join(&folder);
            let games = folders_in(&**self.disk, &at).unwrap_or_default();
            let is_base = |game: &&String| game.eq_ignore_ascii_case(self.base_game);
            // in a mod, it is a folder too many
            if self.is_game(&folder) || !games.iter().any(|game| is_base(&game)) {
                continue;
            }
            let mut names = Vec::new();
            for game in games {
                names.extend(self.names_in(&at.join(&game)));
            }
            let game = format!("{folder}/{}/", self.base_game);
            self.push(format!("{folder}/"), game, MisplacedKind::Installation, names);
        }
    }

    /// The names of the files in a game directory: the loose ones, and those in its archives.
    fn names_in(&mut self, folder: &Utf8Path) -> Vec<String> {
        let files = list_folder(self.disk, folder, self.rules);
        let mut names = Vec::new();
        for (file, _) in files {
            let Ok(file) = String::from_utf8(file) else { continue };
            if !file.contains('/') && self.rules.archives.is_archive_name(&file) && self.left > 0 {
                self.left -= 1;
                let opened = OpenOptions::new().access(Access::Read).open_on(self.disk, &folder.join(&file));
                let entries = opened.iter().flat_map(quakefs::Archive::entries);
                names.extend(entries.filter_map(|entry| Some(entry.name().to_str()?.to_owned())));
            } else {
                names.push(file);
            }
        }
        names
    }

    fn base_directory(&mut self) {
        let folders = folders_in(&**self.disk, self.base).unwrap_or_default();
        for folder in &folders {
            let is_installation = self.found.iter().any(|found| {
                found.kind == MisplacedKind::Installation && found.from.trim_end_matches('/') == folder
            });
            if is_installation || is_left_alone(folder) {
                continue;
            }
            if is_content_folder(folder) {
                if self.holds_content(folder) {
                    self.add(format!("{folder}/"), format!("{}/{folder}/", self.base_game), self.base_game);
                }
                continue;
            }
            self.folder(folder, &folders);
        }
        self.loose_files("", self.base_game, &folders);
    }

    /// A folder beside the base game: a game directory, or one around game directories.
    fn folder(&mut self, folder: &str, directories: &[String]) {
        let has_own = self.is_game(folder);
        let is_known = directories.iter().any(|known| known == folder) && has_own;
        if is_known {
            self.loose_files(&format!("{folder}/"), folder, directories);
        }
        for inner in folders_in(&**self.disk, &self.base.join(folder)).unwrap_or_default() {
            let path = format!("{folder}/{inner}");
            let is_loaded = self.loaded.contains(&*format!("{path}/"));
            if is_loaded || is_left_alone(&inner) || is_content_folder(&inner) || !self.is_game(&path) {
                continue;
            }
            let to = if !has_own && inner.eq_ignore_ascii_case(folder) { folder } else { &inner };
            self.add(format!("{path}/"), format!("{to}/"), to);
        }
    }

    /// Levels and downloads directly in a folder.
    fn loose_files(&mut self, folder: &str, game: &str, directories: &[String]) {
        for file in files_in(&**self.disk, &self.base.join(folder)) {
            let path = format!("{folder}{file}");
            if ContentType::of(file.as_bytes()) == ContentType::Level {
                let maps = loose_folder(&file, self.family).unwrap_or_default();
                let names = vec![format!("{maps}/{file}")];
                self.push(path, format!("{game}/{maps}/"), MisplacedKind::Files, names);
            } else if is_download(&file) && !self.loaded.contains(&*path) && self.left > 0 {
                self.left -= 1;
                self.download(path, directories);
            }
        }
    }

    fn download(&mut self, path: String, directories: &[String]) {
        let opened = Download::open_within(self.disk, &self.base.join(&path), &self.budget);
        let Ok(download) = opened else { return };
        let options = Options { engine: Some(self.rules), directories, ..Options::default() };
        let placement = place(&download, &options);
        if let Some(Nothing::Packed(packed)) = placement.nothing {
            self.push(path, String::new(), MisplacedKind::Packed(packed), Vec::new());
            return;
        }
        let Some(part) = placement.parts.first() else { return };
        let is_there = |file: &Placed| {
            let there = self.disk.stat(self.base.join(&file.to).as_std_path()).map(|stat| stat.size);
            let of_download = file.disk.stat(&file.on_disk).map(|stat| stat.size);
            matches!((there, of_download), (Ok(one), Ok(other)) if one == other)
        };
        if placement.files.iter().all(is_there) {
            return;
        }
        let names = placement.files.iter().filter_map(|file| Some(file.to.split_once('/')?.1.to_owned()));
        let names = names.collect();
        let guess = placement.guess().and_then(|part| part.to.split('/').next()).map(str::to_owned);
        let to = part.to.clone();
        let found = Misplaced { guess, ..self.misplaced(path, to, MisplacedKind::Download, names) };
        self.found.push(found);
    }

    /// Whether a folder directly holds what only a game directory has.
    fn is_game(&self, folder: &str) -> bool {
        let at = self.base.join(folder);
        // a mod's folder of sounds may have one of music, as in Nazi Zombies: Portable
        let is_sign = |name: &String| is_content_folder(name) && !name.eq_ignore_ascii_case("music");
        folders_in(&**self.disk, &at).unwrap_or_default().iter().any(is_sign)
            || files_in(&**self.disk, &at).iter().any(|name| is_mark(name))
    }

    /// Whether a folder like `maps` holds files of a game, and not only texts.
    fn holds_content(&self, folder: &str) -> bool {
        let files = list_folder(self.disk, &self.base.join(folder), self.rules);
        files.iter().any(|(name, _)| !matches!(ContentType::of(name), ContentType::Other | ContentType::Text))
    }

    fn add(&mut self, from: String, to: String, game: &str) {
        let files = list_folder(self.disk, &self.base.join(&from), self.rules);
        let below = to.get(game.len() + 1..).unwrap_or_default();
        let names = files
            .into_iter()
            .filter_map(|(name, _)| Some(format!("{below}{}", String::from_utf8(name).ok()?)));
        let names = names.collect();
        self.push(from, to, MisplacedKind::Files, names);
    }

    fn push(&mut self, from: String, to: String, kind: MisplacedKind, names: Vec<String>) {
        let found = self.misplaced(from, to, kind, names);
        self.found.push(found);
    }

    fn misplaced(&self, from: String, to: String, kind: MisplacedKind, names: Vec<String>) -> Misplaced {
        let path = self.base.join(&from);
        Misplaced { from, to, path, kind, names, guess: None }
    }
}

fn is_download(name: &str) -> bool {
    const EXTENSIONS: [&str; 6] = [".zip", ".7z", ".rar", ".tar.gz", ".tgz", ".tar"];
    let name = name.to_ascii_lowercase();
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// Whether an engine writes the folder itself, or a system or a program left it behind.
fn is_left_alone(folder: &str) -> bool {
    let is_of = |engine: &Engine| engine.rules().directories.is_engine_folder(folder.as_bytes());
    Leftover::of(folder).is_some() || Engine::ALL.iter().any(is_of)
}
