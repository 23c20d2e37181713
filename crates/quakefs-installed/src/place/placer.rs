//! The decision about each file of a download.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use quakefs::content::{ContentType, is_content_folder};
use quakefs::findings::NoPath;
use quakefs::rules::{Expansion, Family, GameText, Text, Title};
use quakefs::{Engine, Rules};

use super::download::Download;
use super::folders::{above, below, halves, is_base, last, root_of, roots, with_slash};
use super::placement::{By, Note, Options, Part, Placed, Placement, Start};
use super::signs::{self, is_mark, is_plain, is_text, loose_folder, number_of};
use super::texts::{Said, What};

/// The longest path below the base directory in bytes, as long as the longest request of an engine.
const LONGEST: usize = 255;

pub(super) struct Placer<'a> {
    download: &'a Download,
    options: &'a Options<'a>,
    family: &'a Family,
    /// The base game's directory.
    base: &'a str,
    said: Vec<Said>,
    /// The game directory that the texts name, with the line.
    game_said: Option<(String, String)>,
    placement: Placement,
    /// The files that cannot be placed, with the reason.
    unplaceable: Vec<(String, String)>,
    /// The numbers of the parts by their folders, in one text behind the length of the first.
    parts: HashMap<String, usize>,
    /// The folders of the files that engines read beside the download's levels, such as `e1.res`, by their
    /// names in lower case.
    beside_levels: HashMap<String, String>,
    /// Found once, because a download may have many folders.
    names: OnceCell<Names<'a>>,
    inner: OnceCell<Vec<String>>,
    guessed_place: OnceCell<(String, By)>,
    /// The paths that have a file, and the folders around them.
    taken: HashSet<String>,
    folders: HashSet<String>,
}

/// What the paths of a download tell about its folders.
struct Names<'a> {
    /// The folders with a text of a game.
    with_info: HashSet<&'a str>,
    /// The names of these, in lower case.
    games: HashSet<String>,
    /// All names in the paths, in lower case.
    all: HashSet<String>,
}

/// What a download brings into a game directory.
#[derive(Default)]
struct Played<'p> {
    folder: &'p str,
    levels: Vec<&'p str>,
    demos: Vec<&'p str>,
    has_archives: bool,
    /// The names of the files directly in it.
    files: Vec<&'p str>,
}

impl Played<'_> {
    fn has(&self, names: &[&str]) -> bool {
        self.files.iter().any(|file| names.iter().any(|name| file.eq_ignore_ascii_case(name)))
    }
}

impl<'a> Placer<'a> {
    pub(super) fn new(download: &'a Download, options: &'a Options<'a>) -> Placer<'a> {
        let of_engine: Option<&Family> = options.engine.and_then(|rules| rules.family.as_ref());
        let by_archive = || {
            let ends = |extension: &str| {
                let mut files = download.files.iter().filter_map(|found| found.path.rsplit_once('.'));
                files.any(|(_, end)| end.eq_ignore_ascii_case(extension))
            };
            let mut families = Family::known().iter().copied();
            families.find(|family| options.engine.is_none() && family.archives.as_deref().is_some_and(ends))
        };
        let shown = download.family(of_engine);
        let strong: Option<&Family> = shown.filter(|(_, is_weak)| !is_weak).map(|(family, _)| family);
        let weak: Option<&Family> = shown.map(|(family, _)| family);
        let said = download.said();
        let by_text = || {
            let owner = |said: &Said| match Family::with_directory(&said.name) {
                [only] => Some(*only),
                _ => None,
            };
            said.iter().find_map(owner)
        };
        let family = strong.or_else(|| by_text().filter(|_| of_engine.is_none() || weak.is_some()));
        let family = family.or(weak).or(of_engine).or_else(by_archive);
        let family = family.unwrap_or(signs::usual());
        let own_base = options.engine.filter(|_| of_engine.is_none());
        let own_base = own_base.and_then(|rules| rules.directories.first_name());
        let base = own_base.unwrap_or_else(|| family.base());
        let mut notes = Vec::new();
        if let (Some(engine), Some(other)) = (options.engine, of_engine)
            && other.name != family.name
        {
            notes.push(Note::OtherFamily { family: family.name.clone(), engine: engine.name.to_string() });
        }
        let placement = Placement {
            family: family.clone(),
            parts: Vec::new(),
            files: Vec::new(),
            left: Vec::new(),
            downloads: Vec::new(),
            nothing: None,
            notes,
            starts: Vec::new(),
            size: download.size,
        };
        let mut placer = Placer {
            download,
            options,
            family,
            base: options
                .directories
                .iter()
                .find(|known| known.eq_ignore_ascii_case(base))
                .map_or(base, |known| known),
            said,
            game_said: None,
            placement,
            unplaceable: download.unplaceable.clone(),
            parts: HashMap::new(),
            beside_levels: HashMap::new(),
            names: OnceCell::new(),
            inner: OnceCell::new(),
            guessed_place: OnceCell::new(),
            taken: HashSet::new(),
            folders: HashSet::new(),
        };
        placer.game_said = placer.chosen_game();
        placer.beside_levels = placer.beside_levels();
        placer
    }

    pub(super) fn placement(mut self) -> Placement {
        let download = self.download;
        let known = self.options.directories;
        let mut roots = roots(download.files.iter().map(|found| &*found.path), known);
        // `mymod.pak` is a part of a game directory, whatever its name
        if download.within.is_some() {
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
                    // other downloads in this game have such texts too
                    let stays = *only_levels || is_text(path) && !path.contains('/') && self.is_shared(to);
                    if !stays || root_of(path, known).is_some() || self.loose(path).is_some() {
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
        if let Some((first, reason)) = self.unplaceable.first() {
            let (first, reason, more) = (first.clone(), reason.clone(), self.unplaceable.len() - 1);
            self.placement.notes.push(Note::Unplaceable { first, reason, more });
        }
        self.placement.starts = self.starts();
        let note = self.note_of_level();
        self.placement.notes.extend(note);
        self.placement
    }

    /// Whether a game directory has the files of others too: it is there, or comes with a game.
    fn is_shared(&self, game: &str) -> bool {
        Family::comes_with_one(game)
            || self.options.directories.iter().any(|known| known.eq_ignore_ascii_case(game))
    }

    fn beside_levels(&self) -> HashMap<String, String> {
        let companions = self.family.engine().rules().companions.items();
        let names = |level| {
            companions
                .iter()
                .flat_map(move |one| one.names_for(&format!("maps/{level}"), None, "").collect::<Vec<_>>())
        };
        let mut beside = HashMap::new();
        for path in self.levels().flat_map(names) {
            if let Some((folder, file)) = path.rsplit_once('/') {
                beside.entry(file.to_ascii_lowercase()).or_insert_with(|| folder.to_owned());
            }
        }
        beside
    }

    /// The folder of a game directory for a file without a folder.
    fn loose(&self, path: &str) -> Option<&str> {
        let is_wad = ContentType::of(path.as_bytes()) == ContentType::TextureArchive;
        if is_wad && self.loads_wads() {
            return Some("");
        }
        let beside = || self.beside_levels.get(&path.to_ascii_lowercase()).map(|folder| &**folder);
        loose_folder(path, self.family).or_else(beside)
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
        if Family::comes_with_one(name) {
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
            _ if !self.is_game(root) => self.guessed_place().clone(),
            _ => (name.to_owned(), By::Folder),
        }
    }

    /// Whether an engine of the family takes a folder of the download for a game, or for a part of one.
    fn is_game(&self, root: &str) -> bool {
        self.game_infos().is_empty()
            || self.game_beside(last(root)).is_some()
            || self.names().with_info.contains(root)
    }

    /// The game that a folder is a part of, beside the game's own.
    fn game_beside<'f>(&self, folder: &'f str) -> Option<&'f str> {
        let game = self.family.engine().rules().directories.game_beside(folder)?;
        let is_known = game.eq_ignore_ascii_case(self.base)
            || Family::comes_with_one(game)
            || self.options.directories.iter().any(|known| known.eq_ignore_ascii_case(game))
            || self.names().all.contains(&game.to_ascii_lowercase());
        (is_known && !self.names().games.contains(&folder.to_ascii_lowercase())).then_some(game)
    }

    fn names(&self) -> &Names<'a> {
        self.names.get_or_init(|| {
            let paths = || self.download.files.iter().map(|found| &*found.path);
            let with_info = paths().map(halves).filter(|(_, name)| self.is_info(name));
            let with_info: HashSet<&str> = with_info.map(|(folder, _)| folder).collect();
            let games = with_info.iter().filter(|folder| !folder.is_empty());
            let games = games.map(|folder| last(folder).to_ascii_lowercase()).collect();
            let all = paths().flat_map(|path| path.split('/')).map(str::to_ascii_lowercase).collect();
            Names { with_info, games, all }
        })
    }

    /// The game that is there whose levels have such names, and how they begin.
    fn game_of_level(&self, level: &str) -> Option<(&'a Expansion, &'a str)> {
        let there = |own: &Expansion| {
            self.options.directories.iter().any(|known| known.eq_ignore_ascii_case(&own.directory))
        };
        let titles: &'a [Title] = &self.family.engine().rules().titles;
        let mut known = titles.iter().flat_map(|title| &*title.expansions);
        known.find_map(|own| Some((own, own.prefix_of(level).filter(|_| there(own))?)))
    }

    /// The game whose levels have the names of all levels, or else the base game: a guess.
    fn guessed_place(&self) -> &(String, By) {
        self.guessed_place.get_or_init(|| self.guess_place())
    }

    fn guess_place(&self) -> (String, By) {
        let mut games = self.levels().map(|level| self.game_of_level(level));
        let first = games.next().flatten();
        let is_first = |other: Option<(&Expansion, &str)>| {
            let directory = |found: Option<(&'a Expansion, &str)>| found.map(|(own, _)| &own.directory);
            other.map(|(own, _)| &own.directory) == directory(first)
        };
        match first.filter(|_| games.all(is_first)) {
            Some((own, prefix)) => {
                let by = By::LevelName { prefix: prefix.to_owned(), game: own.name.to_string() };
                (self.directory(&own.directory), by)
            }
            None => (self.base.to_owned(), By::Name),
        }
    }

    /// The names of the download's levels.
    fn levels(&self) -> impl Iterator<Item = &'a str> {
        let levels = self.download.files.iter().map(|found| &*found.path);
        let levels = levels.filter(|path| ContentType::of(path.as_bytes()) == ContentType::Level);
        levels.map(|path| last(path).rsplit_once('.').map_or("", |(stem, _)| stem))
    }

    /// A game directory as it is spelled where it is there.
    fn directory(&self, name: &str) -> String {
        let there = self.options.directories.iter().find(|known| known.eq_ignore_ascii_case(name));
        there.map_or(name, |there| there).to_owned()
    }

    /// The place of levels without a folder.
    fn level_place(&self) -> (String, By) {
        if let Some(name) = self.options.name {
            return (name.to_owned(), By::Caller);
        }
        if let Some((name, line)) = self.game_said.clone() {
            return (name, By::Text { line });
        }
        // a mission's flag starts it from the base game too
        let needed = self.said.iter().find(|said| said.what == What::Needs && !self.is_flag(&said.name));
        match needed {
            Some(said) => (self.directory(&said.name), By::Text { line: said.line.clone() }),
            None => (self.base.to_owned(), By::Levels),
        }
    }

    /// The place of files of a game without a folder around them, and whether they are only levels.
    fn flat_place(&self) -> (String, By, bool) {
        let paths = || self.download.files.iter().map(|found| &*found.path);
        let is_level =
            |path: &str| path.split('/').next().is_some_and(|first| first.eq_ignore_ascii_case("maps"));
        let only_levels = self.download.within.is_none()
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
        if self.is_base_archive() {
            return (self.base.to_owned(), By::Base, false);
        }
        if let Some(by) = self.archive_of_base() {
            return (self.base.to_owned(), by, false);
        }
        let replaces = |path: &str| match path.split_once('/') {
            Some((folder, _)) => !folder.eq_ignore_ascii_case("maps") && is_content_folder(folder),
            None => is_text(path),
        };
        // textures, music, skins and sounds change a game, and are none
        if paths().all(replaces) && !self.has_program() && self.download.within.is_none() {
            return (self.base.to_owned(), By::Name, false);
        }
        let is_no_game = !self.game_infos().is_empty() && self.names().with_info.is_empty();
        if (self.family.archives.is_some() && !self.has_program()) || is_no_game {
            let (to, by) = self.guessed_place().clone();
            return (to, by, false);
        }
        (self.download.folder_name(), By::Name, false)
    }

    /// Whether the engine that plays the download has a flag for a mission of this name.
    fn is_flag(&self, name: &str) -> bool {
        let rules = self.options.engine.unwrap_or_else(|| self.family.engine().rules());
        rules.directories.missions.iter().any(|mission| mission.flag == name)
    }

    fn has_program(&self) -> bool {
        let paths = self.download.files.iter().map(|found| &*found.path);
        let mut inside = self.paths_within().iter().map(String::as_str).chain(paths);
        inside.any(|path| ContentType::of(path.as_bytes()) == ContentType::Program)
    }

    /// Whether the download is an archive of the base game, which is not there.
    fn is_base_archive(&self) -> bool {
        let has = |needed: &Text| self.download.paths_within().any(|path| path.eq_ignore_ascii_case(needed));
        !self.options.directories.iter().any(|known| known.eq_ignore_ascii_case(self.base))
            && self.family.base_files.iter().all(has)
    }

    /// The paths in the archives that stay files: the download itself, or archives directly in it with the
    /// extension of the family.
    fn paths_within(&self) -> &[String] {
        self.inner.get_or_init(|| {
            let own = self.download.paths_within().map(str::to_owned);
            let Some(extension) = self.family.archives.as_ref().filter(|_| self.download.within.is_none())
            else {
                return own.collect();
            };
            let is_one = |path: &str| {
                let end = path.rsplit_once('.').map(|(_, end)| end);
                !path.contains('/') && end.is_some_and(|end| end.eq_ignore_ascii_case(extension))
            };
            let archives = self.download.opened(is_one).into_iter();
            let files = archives.filter_map(|(_, opened)| opened.ok()).flat_map(|inner| inner.files);
            own.chain(files.map(|found| found.path)).collect()
        })
    }

    /// Why archives without a folder belong to the base game: they have numbers like that game's own, or
    /// levels and no program.
    fn archive_of_base(&self) -> Option<By> {
        let extension = self.family.archives.as_ref()?;
        let names = self.download.files.iter().map(|found| last(&found.path));
        let mut names = names.filter(|name| ContentType::of(name.as_bytes()) == ContentType::Archive);
        let is_numbered = |name: &str| {
            // a patch, such as `pak6-patch088.pk3`
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let start = stem.split_once(['-', '_']).map_or(stem, |(start, _)| start);
            number_of(&format!("{start}.{extension}"), extension).is_some()
        };
        let has_folder = || self.download.files.iter().any(|found| found.path.contains('/'));
        if self.download.within.is_none() && has_folder() {
            return None;
        }
        let has_level = || self.paths_within().iter().any(|path| level_name(path).is_some());
        if names.any(is_numbered) {
            Some(By::Base)
        } else {
            (has_level() && !self.has_program()).then_some(By::Levels)
        }
    }

    /// The game directories that the texts name. Options count, and instructions only without them.
    fn games_said(&self) -> impl Iterator<Item = &Said> {
        let has_options = self.said.iter().any(|said| said.what == What::Game);
        let stem = self.download.folder_name();
        // "the X folder" may be any folder
        let is_known = move |name: &str| {
            let mods = self.family.mods.iter().map(|known| &*known.directory);
            let there = self.options.directories.iter().map(String::as_str);
            stem.starts_with(name) || there.chain(mods).any(|known| known.eq_ignore_ascii_case(name))
        };
        self.said.iter().filter(move |said| match said.what {
            What::Game => has_options,
            What::Folder => !has_options,
            What::Maybe => !has_options && is_known(&said.name),
            What::Mission | What::Needs => false,
        })
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
        // and where its files are, which is no place for another program
        let is_base_said = games.is_empty() && !self.has_program();
        let chosen = games.iter().find(is_own).or_else(most).or(bases.first().filter(|_| is_base_said))?;
        let existing = self.options.directories.iter().find(|known| known.eq_ignore_ascii_case(&chosen.name));
        Some((existing.unwrap_or(&chosen.name).clone(), chosen.line.clone()))
    }

    /// Places a file of the download that is in a folder of it.
    fn put(&mut self, number: usize, folder: &str, game: &str, by: By) {
        let Some(found) = self.download.files.get(number) else { return };
        let rest = &*in_small_letters(below(&found.path, folder).unwrap_or(&found.path), self.family);
        let is_loose = !rest.contains('/');
        let inner = self.loose(rest).filter(|inner| is_loose && !inner.is_empty());
        let inner = inner.map_or_else(String::new, with_slash);
        let is_pak = is_loose
            && ContentType::of(rest.as_bytes()) == ContentType::Archive
            && self.download.within.is_some();
        let renamed =
            is_pak && rest.to_ascii_lowercase().ends_with(".pak") && number_of(rest, "pak").is_none();
        let name = if renamed { format!("pak{}.pak", self.options.pak) } else { rest.to_owned() };
        let to = format!("{game}/{inner}{name}");
        if to.len() > LONGEST {
            let why = NoPath::LongPath { found: to.len(), most: LONGEST };
            self.unplaceable.push((found.path.clone(), why.to_string()));
            return;
        }
        if self.is_taken(&to) {
            self.placement.notes.push(Note::Twice { to });
            return;
        }
        let (from, part_to) = (with_slash(folder), format!("{game}/{inner}"));
        let key = format!("{} {from}{part_to}", from.len());
        let part = if let Some(part) = self.parts.get(&key) {
            *part
        } else {
            let of = self.game_beside(game).unwrap_or(game);
            let game = (!of.eq_ignore_ascii_case(self.base)).then(|| of.to_owned());
            let part = self.placement.parts.len();
            self.placement.parts.push(Part { from, to: part_to, by, files: 0, game });
            self.parts.insert(key, part);
            part
        };
        if let Some(part) = self.placement.parts.get_mut(part) {
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

    /// The note about the game of a level that goes into the base game.
    fn note_of_level(&self) -> Option<Note> {
        let of_base = self.placement.parts.iter().any(|part| part.by == By::Levels);
        let mut levels = self.levels().filter(|_| of_base);
        let (level, (own, _)) = levels.find_map(|level| Some((level, self.game_of_level(level)?)))?;
        let directory = self.directory(&own.directory);
        Some(Note::LevelOf { level: level.to_owned(), game: own.name.to_string(), directory })
    }

    /// How each game directory is started.
    fn starts(&mut self) -> Vec<Start> {
        let levels_within: Vec<String> =
            self.paths_within().iter().filter_map(|path| level_name(path)).map(str::to_owned).collect();
        let games = self.played(&levels_within);
        let is_mission = |said: &&Said| match said.what {
            What::Mission | What::Needs => self.is_flag(&said.name),
            What::Game | What::Folder | What::Maybe => false,
        };
        let missions: Vec<String> = self
            .said
            .iter()
            .filter(|said| is_mission(said) && is_plain(&said.name))
            .map(|said| said.name.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let mut not_plain = None;
        let mut start = |played: Played<'_>| {
            let Played { folder, levels: found, demos, .. } = played;
            let game = self.game_beside(folder).unwrap_or(folder);
            let is_game = !game.eq_ignore_ascii_case(self.base);
            let by_flag = self.is_flag(game);
            let first = found.iter().find(|level| level.eq_ignore_ascii_case("start"));
            // boxes of ammunition have such names
            let mut usual = found.iter().filter(|level| !level.starts_with("b_"));
            let only = || usual.next().or(found.first()).filter(|_| !is_game || found.len() == 1);
            let first = first.or_else(only);
            // launchers run these words
            let names = first.into_iter().copied().chain([game]);
            not_plain = names.rev().find(|name| !is_plain(name)).map(str::to_owned).or(not_plain.take());
            let first = first.filter(|level| is_plain(level));
            if !is_plain(game) {
                return None;
            }
            let demo = match &*demos {
                [demo] if first.is_none() && is_plain(demo) && !self.family.plays.is_empty() => Some(demo),
                _ => None,
            };
            let mut missions = missions.clone();
            if by_flag && !missions.iter().any(|known| known == game) {
                missions.push(game.to_owned());
            }
            let of_level = first.and_then(|level| self.game_of_level(level)).filter(|_| !is_game);
            let of_level = of_level.map(|(own, _)| self.directory(&own.directory));
            Some(Start {
                missions,
                games: (is_game && !by_flag).then(|| game.to_owned()).or(of_level).into_iter().collect(),
                demo: demo.map(|demo| (*demo).to_owned()),
                level: first.map(|level| (*level).to_owned()),
            })
        };
        let games = games.into_iter().filter(|played| match self.game_beside(played.folder) {
            Some(_) => !played.levels.is_empty(),
            None => self.is_startable(played) && !self.is_of_quakeworld(played),
        });
        let starts: Vec<Start> = games.filter_map(&mut start).collect();
        let needed = self.needed_games(&starts);
        self.placement.notes.extend(needed);
        self.placement.notes.extend(not_plain.map(|name| Note::NotPlain { name }));
        starts
    }

    /// What the download brings into each game directory, with the levels in archives that stay files.
    fn played<'f>(&'f self, levels_within: &'f [String]) -> Vec<Played<'f>> {
        let mut places = HashMap::new();
        let mut games: Vec<Played<'f>> = Vec::new();
        for file in &self.placement.files {
            let Some((folder, rest)) = file.to.split_once('/') else { continue };
            let place = *places.entry(folder).or_insert(games.len());
            if place == games.len() {
                games.push(Played { folder, ..Played::default() });
            }
            let Some(played) = games.get_mut(place) else { continue };
            match ContentType::of(rest.as_bytes()) {
                ContentType::Level => {
                    let level = rest.strip_prefix("maps/").and_then(|level| level.rsplit_once('.'));
                    played.levels.extend(level.map(|(level, _)| level));
                }
                // those of all archives without a folder, which have one place
                ContentType::Archive if !file.from.contains('/') && !played.has_archives => {
                    played.has_archives = true;
                    played.levels.extend(levels_within.iter().map(String::as_str));
                }
                // `playdemo` of Quake plays no recording of QuakeWorld
                ContentType::Demo if ![".qwd", ".mvd"].iter().any(|end| rest.ends_with(end)) => {
                    played.demos.push(last(rest));
                }
                _ => {}
            }
            played.files.extend(Some(rest).filter(|rest| !rest.contains('/')));
        }
        games
    }

    /// The known mod with this directory.
    fn mod_in(&self, directory: &str) -> Option<&'a Expansion> {
        self.family.mods.iter().find(|known| known.directory.eq_ignore_ascii_case(directory))
    }

    /// The games that starts name and the base directory lacks, unless the download is one of them.
    fn needed_games(&self, starts: &[Start]) -> Vec<Note> {
        let brings = |directory: &str| {
            let mut files = self.placement.files.iter().filter_map(|file| file.to.split_once('/'));
            files.any(|(game, rest)| game.eq_ignore_ascii_case(directory) && is_mark(rest))
        };
        let is_missing = |directory: &&str| {
            let known = self.options.directories;
            // another folder that a text names may be the download's own
            let is_other = |said: &Said| match said.what {
                What::Needs | What::Mission => true,
                What::Game | What::Folder | What::Maybe => self.mod_in(directory).is_some(),
            };
            let mut said = self.said.iter().filter(|said| said.name.eq_ignore_ascii_case(directory));
            let named = said.any(is_other);
            !known.is_empty()
                && named
                && !brings(directory)
                && !known.iter().any(|one| one.eq_ignore_ascii_case(directory))
        };
        let named = starts.iter().flat_map(|start| start.games.iter().chain(&start.missions));
        let mut missing: Vec<&str> = named.map(String::as_str).filter(is_missing).collect();
        missing.dedup();
        let note = |directory: &str| {
            let game = self.mod_in(directory).map_or(directory, |known| &known.name).to_owned();
            Note::NeedsGame { game, directory: directory.to_owned() }
        };
        missing.into_iter().map(note).collect()
    }

    /// The texts without one of which an engine of the family takes no folder for a game; none if it needs
    /// none.
    fn game_infos(&self) -> &'a [Text] {
        match &self.family.engine().rules().text {
            Some(GameText::GameInfo { files, .. }) => files,
            _ => &[],
        }
    }

    /// Whether a name is the one of such a text.
    fn is_info(&self, name: &str) -> bool {
        self.game_infos().iter().any(|info| name.eq_ignore_ascii_case(info))
    }

    /// Whether only engines of `QuakeWorld` play what goes into a game directory, and not the usual engine of
    /// the family: `qw`, or a folder with `qwprogs.dat`.
    fn is_of_quakeworld(&self, played: &Played<'_>) -> bool {
        let is_base = |rules: &Rules| {
            rules.directories.base.iter().any(|base| base.eq_ignore_ascii_case(played.folder))
        };
        let of_others =
            Engine::with(|rules| rules.family.as_ref() == Some(self.family) && is_base(rules)).next();
        let is_others = of_others.is_some() && !is_base(self.family.engine().rules());
        let programs = ["qwprogs.dat", "qwprogs.so", "qwprogs.dll", "qwprogs.qvm"];
        is_others || played.has(&programs) && !played.has(&["progs.dat", "pak0.pak"])
    }

    /// Whether an engine of the family would take a folder for a game.
    fn is_startable(&self, played: &Played<'_>) -> bool {
        let is_it = |known: &str| known.eq_ignore_ascii_case(played.folder);
        self.game_infos().is_empty()
            || self.options.directories.iter().any(|known| is_it(known))
            || is_it(self.base)
            || played.files.iter().any(|file| self.is_info(file))
    }

    /// Whether the engines of the family read the textures of levels from WADs in the game's folder.
    fn loads_wads(&self) -> bool {
        !self.family.engine().rules().wads.items().is_empty()
    }
}

/// A path as engines ask for it: folders of games, such as `Maps/`, in small letters, and names of only
/// capitals. On a disk that respects case they find no other. Names like `MAPS/E1.BSP` come from DOS. What no
/// engine asks for, such as `LICENSE`, keeps its name.
fn in_small_letters<'p>(path: &'p str, family: &Family) -> Cow<'p, str> {
    if !path.bytes().any(|letter| letter.is_ascii_uppercase()) {
        return path.into();
    }
    let is_asked = !matches!(ContentType::of(path.as_bytes()), ContentType::Other | ContentType::Text);
    let is_capitals = |part: &str| !part.bytes().any(|letter| letter.is_ascii_lowercase());
    let is_known = |part: &str| family.files.iter().any(|known| known.eq_ignore_ascii_case(part));
    let small = |part: &str, is_small: bool| {
        if is_small { part.to_ascii_lowercase() } else { part.to_owned() }
    };
    let (folders, name) = halves(path);
    let name = small(name, is_asked && (is_capitals(name) || is_known(name)));
    let folder = |part| small(part, is_content_folder(part) || is_asked && is_capitals(part));
    let folders = folders.split('/').filter(|part| !part.is_empty()).map(folder);
    folders.chain([name]).collect::<Vec<_>>().join("/").into()
}

/// The name of a level in an archive, as after `map` at the console. No engine with such archives compares
/// their case.
fn level_name(path: &str) -> Option<&str> {
    let (folder, level) = path.split_at_checked("maps/".len())?;
    let is_level =
        folder.eq_ignore_ascii_case("maps/") && ContentType::of(path.as_bytes()) == ContentType::Level;
    is_level.then_some(level.rsplit_once('.')?.0)
}
