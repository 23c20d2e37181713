//! Finds the games that stores have installed, by the contents of the folders that the stores list.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::disk::SystemDisk;
use quakefs::errors::utf8;
use quakefs::rules::{Engine, Expansion, Host, MoreBases, ORIGINAL, RERELEASE, Title};
use quakefs::{Builder, Error, Rules, SearchPath};
use serde_json::Value;
use steamlocate::{Library, SteamDir};

use super::places::{
    BASES, LIBRARIES, LIBRARIES_OF_SYSTEM, LISTS, MANIFESTS, MANIFESTS_OF_SYSTEM, Places, STEAM,
    STEAM_OF_SYSTEM, Store,
};
use super::titles::{in_any_case, titles_in};

/// The largest accepted JSON list or manifest of a store in bytes. A large library needs some hundred
/// thousand.
const LARGEST: u64 = 16 << 20;

/// The largest accepted list or manifest of Steam in bytes. Its parser takes 50 bytes of memory for each.
const LARGEST_OF_STEAM: u64 = 1 << 20;

/// The deepest accepted nesting of a Steam manifest, because its parser is recursive.
const DEEPEST: usize = 64;

/// An installed game: the base directory of one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Install {
    /// The origin of the game.
    pub store: Store,
    /// The game and its edition.
    pub title: &'static Title,
    /// An engine that runs this edition.
    pub engine: Engine,
    /// The absolute path of the base directory.
    pub path: Utf8PathBuf,
    /// A second base directory, if it exists: the folder for downloads of the store's own engine.
    pub downloads: Option<Utf8PathBuf>,
    /// The installed expansions.
    pub expansions: Vec<&'static Expansion>,
}

impl Install {
    /// A builder for the game's search path, with the rules of its [`engine`](Self::engine).
    pub fn builder(&self) -> Builder {
        self.under(self.engine.rules())
    }

    /// A builder for the game's search path, as an engine with these rules would find the store's folders.
    pub fn under(&self, rules: &Rules) -> Builder {
        let builder = SearchPath::builder(&self.path).rules(rules.clone());
        self.downloads_of(rules).into_iter().fold(builder, Builder::base_directory)
    }

    /// The second base directory, if an engine with these rules searches it.
    #[must_use]
    pub fn downloads_of(&self, rules: &Rules) -> Option<&Utf8Path> {
        let is_searched = rules.directories.more_bases != MoreBases::Ignored;
        self.downloads.as_deref().filter(|_| is_searched)
    }

    /// The user directory of an engine with these rules below the home folder, if it differs for a store's
    /// game.
    #[must_use]
    pub fn user_directory(&self, rules: &Rules, host: Host) -> Option<String> {
        let edition = if self.title.remaster { RERELEASE } else { ORIGINAL };
        rules.user.as_ref()?.place_in_store(host, edition)
    }

    /// This engine if it runs the game, otherwise [`engine`](Self::engine).
    #[must_use]
    pub fn engine_or(&self, wanted: Option<Engine>) -> Engine {
        let own = self.engine;
        let shares = |engine: &Engine| own.rules().directories.share_base(&engine.rules().directories);
        wanted.filter(shares).unwrap_or(own)
    }
}

impl fmt::Display for Install {
    /// The name for the command line: `steam:quake`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.store, self.title.word)
    }
}

/// The result of [`games_in`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Installs {
    /// The games, by store and then in the order of the table of titles. A game that several stores list
    /// appears once.
    pub games: Vec<Install>,
    /// Errors for the stores' lists and manifests that cannot be read.
    pub unread: Vec<Error>,
}

impl Installs {
    /// The game with this base directory.
    #[must_use]
    pub fn at(&self, folder: &Path) -> Option<&Install> {
        let folder = dunce::canonicalize(folder).ok()?;
        self.games.iter().find(|game| game.path == folder)
    }
}

/// Finds the games installed in some places.
///
/// The stores' lists name the folders; the contents of a folder decide which game it is. Listed folders that
/// do not exist are ignored, because stores leave such entries behind.
#[must_use]
pub fn games_in(places: &Places) -> Installs {
    let mut search = Search { home: places.home.clone(), ..Search::default() };
    search.steam(places);
    for (store, folder) in &places.installs {
        search.folder(*store, folder, None);
    }
    if let Some(home) = &places.home {
        search.below(home, LIBRARIES, MANIFESTS);
        for (store, list, key) in LISTS {
            search.list(*store, &home.join(list), key);
        }
    }
    if let Some(root) = &places.system {
        search.below(root, LIBRARIES_OF_SYSTEM, MANIFESTS_OF_SYSTEM);
    }
    let mut found = search.found;
    found
        .games
        .sort_by_key(|game| (game.store, Title::known().iter().position(|(_, title)| *title == game.title)));
    found
}

#[derive(Default)]
struct Search {
    found: Installs,
    /// The user's profile folder on Windows.
    home: Option<PathBuf>,
    /// The folders already examined, with links resolved.
    seen: HashSet<PathBuf>,
}

impl Search {
    /// Finds the games in all libraries listed in Steam's folders.
    fn steam(&mut self, places: &Places) {
        let in_home = places.home.iter().flat_map(|home| STEAM.iter().map(|folder| home.join(folder)));
        let in_root =
            places.system.iter().flat_map(|root| STEAM_OF_SYSTEM.iter().map(|folder| root.join(folder)));
        let folders: Vec<_> = places.steam.iter().cloned().chain(in_home).chain(in_root).collect();
        let mut libraries = HashSet::new();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            let mut paths = vec![folder.clone()];
            let list = folder.join("steamapps/libraryfolders.vdf");
            if list.is_file() {
                let listed = is_sane(&list).and_then(|()| {
                    SteamDir::from_dir(folder)
                        .and_then(|steam| steam.library_paths())
                        .map_err(of_steam(&list))
                });
                match listed {
                    Ok(listed) => paths.extend(listed),
                    Err(error) => self.found.unread.push(error),
                }
            }
            for path in paths {
                let Ok(real) = path.canonicalize() else { continue };
                if real.join("steamapps").is_dir() && libraries.insert(real) {
                    self.library(&path);
                }
            }
        }
    }

    /// Finds the games in one Steam library.
    fn library(&mut self, path: &Path) {
        let library = match Library::from_dir(path).map_err(of_steam(path)) {
            Ok(library) => library,
            Err(error) => return self.found.unread.push(error),
        };
        for app in library.app_ids() {
            let manifest = path.join(format!("steamapps/appmanifest_{app}.acf"));
            let read =
                is_sane(&manifest).and_then(|()| library.app(*app).transpose().map_err(of_steam(&manifest)));
            match read {
                Ok(Some(found)) => {
                    // the profile folder in the Windows that Proton creates for the game
                    let profile =
                        path.join(format!("steamapps/compatdata/{app}/pfx/drive_c/users/steamuser"));
                    self.folder(Store::Steam, &library.resolve_app_dir(&found), Some(profile));
                }
                Ok(None) => {}
                Err(error) => self.found.unread.push(error),
            }
        }
    }

    /// Finds the games below a home folder or a root.
    fn below(&mut self, root: &Path, libraries: &[(Store, &str)], manifests: &[(Store, &str, &str, &str)]) {
        for (store, library) in libraries {
            for folder in entries(&root.join(library)) {
                self.folder(*store, &folder, None);
            }
        }
        for (store, folder, extension, key) in manifests {
            for manifest in entries(&root.join(folder)) {
                if manifest.extension().is_some_and(|found| found == *extension) {
                    self.list(*store, &manifest, key);
                }
            }
        }
    }

    /// Finds the games whose folders a JSON file lists under a key at any depth.
    fn list(&mut self, store: Store, path: &Path, key: &str) {
        if !path.is_file() {
            return;
        }
        let read = read_limited(path, LARGEST).and_then(|bytes| {
            serde_json::from_slice(&bytes).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("it is not JSON: {error}"))
            })
        });
        match read {
            Ok(list) => strings_at(&list, key, &mut |folder| self.folder(store, Path::new(folder), None)),
            Err(error) => self.found.unread.push(Error::io(&shown(path), "read", error)),
        }
    }

    /// Finds the games in a folder from a store's list. `profile` is the user's folder on the system that the
    /// game runs on.
    fn folder(&mut self, store: Store, folder: &Path, profile: Option<PathBuf>) {
        let profiles: Vec<_> = profile.into_iter().chain(self.home.clone()).collect();
        for base in BASES {
            let Ok(base) = dunce::canonicalize(folder.join(base)) else { continue };
            if !base.is_dir() || !self.seen.insert(base.clone()) {
                continue;
            }
            let base = match utf8(&base) {
                Ok(base) => base,
                Err(error) => {
                    self.found.unread.push(error);
                    continue;
                }
            };
            self.found.games.extend(titles_in(&SystemDisk, base).into_iter().map(|(engine, title)| {
                let expansions = title.expansions.iter();
                let expansions = expansions
                    .filter(|expansion| in_any_case(&SystemDisk, base, &expansion.directory).is_some());
                let downloads = title.downloads.as_ref().and_then(|below| {
                    let mut there = profiles.iter().filter_map(|profile| folder_at(&profile.join(&**below)));
                    there.next()
                });
                let path = base.to_owned();
                Install { store, title, engine, path, downloads, expansions: expansions.collect() }
            }));
        }
    }
}

/// A folder with links in its path resolved, if it exists.
fn folder_at(path: &Path) -> Option<Utf8PathBuf> {
    let path = dunce::canonicalize(path).ok().filter(|path| path.is_dir())?;
    Utf8PathBuf::from_path_buf(path).ok()
}

/// The items of a folder in byte order; empty if it cannot be listed.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths
}

fn read_limited(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (file, _) = atomic_file::open_regular(path, fs::File::options().read(true))?;
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Checks the size and nesting of a file before Steam's parser reads it.
fn is_sane(path: &Path) -> Result<(), Error> {
    let sane = read_limited(path, LARGEST_OF_STEAM).and_then(|bytes| {
        let mut depth: usize = 0;
        let deep = bytes.iter().any(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > DEEPEST
        });
        if deep { Err(io::Error::new(io::ErrorKind::InvalidData, "it is nested too deep")) } else { Ok(()) }
    });
    sane.map_err(|error| Error::io(&shown(path), "read", error))
}

fn of_steam(path: &Path) -> impl FnOnce(steamlocate::Error) -> Error + '_ {
    move |error| {
        let cause = match error {
            steamlocate::Error::Io { inner, .. } => inner,
            // the parser's own message would mention its grammar
            _ => io::Error::new(io::ErrorKind::InvalidData, "it is not in Steam's form"),
        };
        Error::io(&shown(path), "read", cause)
    }
}

fn shown(path: &Path) -> Utf8PathBuf {
    Utf8PathBuf::from(pak_format::name::escape_path(path).into_owned())
}

/// Calls `with` for each string under a key, at any depth.
fn strings_at(value: &Value, key: &str, with: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(object) => {
            for (found, value) in object {
                match value {
                    Value::String(text) if found == key => with(text),
                    _ => strings_at(value, key, with),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| strings_at(value, key, with)),
        _ => {}
    }
}
