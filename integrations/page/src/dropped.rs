//! The dropped files as a disk.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quakefs::archive::OpenOptions;
use quakefs::camino::Utf8Path;
use quakefs::content::{ContentType, is_content_folder};
use quakefs::disk::{Disk, FileKind, Item, MemoryDisk, Overlay, ReadAt, folders_in, on_host};
use quakefs::errors::WrongBase;
use quakefs::rules::Host;
use quakefs::sentences::{Help as _, with_causes};
use quakefs::why::has_base_game;
use quakefs::{Access, Archive, Engine, Error, ErrorKind};
use quakefs_game::{
    BaseBecause, CheckOptions, Checked, Choices, EngineBecause, Game, Options, Surroundings, some,
};
use quakefs_installed::{By, Download, Known, Nothing, PlaceOptions, Placement, place};
use quakefs_web::Sources;
use serde::{Deserialize, Serialize};

/// The folder of the disk that contains a numbered folder for each dropped one, and one for all loose files.
/// Archives are beside it.
const FOLDERS: &str = "dropped";

/// The base directory if no dropped folder contains a game. Only downloads are in it.
const EMPTY: &str = "base";

/// The path below the numbered folder of a dropped one; `None` for another path, and for the folder itself.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix(FOLDERS)?.strip_prefix('/')?.splitn(3, '/').nth(2)
}

/// Removes the folders of the disk from a sentence, because the person never sees them.
fn without_root(sentence: &str) -> String {
    let below = below(sentence).or_else(|| sentence.strip_prefix(EMPTY)?.strip_prefix(": "));
    below.unwrap_or(sentence).to_owned()
}

/// Instead of the name of a game directory: the archive is mounted above the game.
const MOUNTED: &str = "/";

/// The choices of the person on the page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// The system that the engine runs on. Empty: names compare exactly.
    pub on: String,
    /// The games, as for `--game`.
    pub games: Vec<String>,
    /// The flags of missions.
    pub missions: Vec<String>,
    /// Downloads with the game directories that the person chose for them.
    pub places: Vec<(String, String)>,
    /// What was dropped or placed elsewhere since the last mount. Its games are selected.
    pub fresh: Vec<String>,
}

/// Dropped files.
#[derive(Debug)]
pub struct Dropped {
    disk: Arc<dyn Disk>,
    items: Vec<Dropping>,
}

/// A folder with the game, or a download.
#[derive(Clone, Debug)]
struct Dropping {
    /// The name of the folder or archive, or of a loose file that goes into a game.
    name: String,
    /// The number of the drop that it came with.
    drop: usize,
    /// The path on the disk.
    path: String,
    /// The loose files of one drop, which count as one download.
    loose: Vec<String>,
}

/// A game with the choices behind it.
#[derive(Debug)]
pub(crate) struct Mounted {
    pub(crate) engine: Engine,
    /// Why the engine was taken; empty if the person chose it.
    pub(crate) because: String,
    pub(crate) game: Game,
    /// The games in the base directory.
    pub(crate) known: Vec<String>,
    /// The game directories in which a download can be placed.
    pub(crate) folders: Vec<String>,
    pub(crate) placed: Vec<PlacedRow>,
    /// The options of `quakefs` for the same mount.
    pub(crate) line: Vec<String>,
    checked: OnceCell<Checked>,
}

impl Mounted {
    /// The check of the game, which reads much: it is made once.
    pub(crate) fn checked(&self) -> &Checked {
        self.checked.get_or_init(|| self.game.check(&CheckOptions::default()))
    }
}

/// A dropped game, or a download and its place.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PlacedRow {
    /// The number of its drop.
    drop: usize,
    name: String,
    /// The dropped files and folders that it consists of.
    files: Vec<String>,
    /// Where it goes and why, or why it goes nowhere.
    says: String,
    help: String,
    notes: Vec<String>,
    /// The files of it that go nowhere.
    left: String,
    /// The name of a new game directory for it; empty for a game.
    own: String,
    /// Whether it can be mounted above the game.
    mountable: bool,
    /// Its files: their paths below the base directory.
    to: Vec<String>,
    /// If it is for another family of games than the engine's: an engine of that family.
    other: Option<&'static str>,
    /// Whether it came with the last drop.
    fresh: bool,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct ErrorRow {
    pub(crate) error: String,
    pub(crate) help: String,
    /// Whether nothing of a drop goes into a game.
    pub(crate) nothing: bool,
}

/// An error of a mount. On the page the remedy is another drop, after a rename if names are in another case.
fn not_mounted(error: &quakefs_game::Error) -> ErrorRow {
    let drop = "drop the folder that contains the game's own folder, or a download".to_owned();
    let is_case = matches!(error, quakefs_game::Error::Quake(error)
        if matches!(error.kind(), ErrorKind::NoGameDirectory { because: Some(WrongBase::Case { .. }), .. }));
    let help = error.help(None).filter(|_| is_case).unwrap_or(drop);
    ErrorRow { error: without_root(&error.to_string()), help, nothing: false }
}

impl Dropping {
    /// Whether it contains a dropped file or folder.
    fn is_one_of(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.name == *name || self.loose.contains(name))
    }

    fn is_archive(&self) -> bool {
        self.path == self.name
    }

    /// Whether engines load such archives.
    fn is_mountable(&self) -> bool {
        let is_wad = ContentType::of(self.name.as_bytes()) == ContentType::TextureArchive;
        self.is_archive() && !is_wad && !self.name.to_ascii_lowercase().ends_with(".zip")
    }

    /// The arguments of `--over` for the same placement.
    fn overs(&self, placement: &Placement, chosen: Option<&str>, is_here: bool) -> Vec<String> {
        let named = |name: Option<&str>, file: &str| match name {
            Some(name) => format!("{name}={file}"),
            None => file.to_owned(),
        };
        if !self.loose.is_empty() {
            return placement.files.iter().map(|file| named(chosen, &file.from)).collect();
        }
        // the command looks only into a folder, so it does not use the folder's own name
        let own = match &*placement.parts {
            [part] if !self.is_archive() => part.from.strip_suffix('/').filter(|from| *from == self.name),
            _ => None,
        };
        if is_here
            && own
                .is_some_and(|own| placement.parts.iter().all(|part| part.to.strip_suffix('/') == Some(own)))
        {
            return Vec::new();
        }
        vec![named(chosen.or(own), &self.name)]
    }
}

impl Dropped {
    /// Takes files by their paths, sizes and the numbers of their drops; `read` returns the reader for a file
    /// number.
    ///
    /// # Errors
    /// A message for the person: two files have the same path.
    pub fn new<R: ReadAt + 'static>(
        files: Vec<(String, u64, usize)>,
        read: impl Fn(u32) -> R,
    ) -> Result<Dropped, String> {
        let memory = MemoryDisk::new();
        let mut items: Vec<Dropping> = Vec::new();
        let mut numbers = HashMap::new();
        let is_loose = |path: &str| !path.contains('/') && !is_archive(path);
        let mut loose: HashMap<usize, String> = HashMap::new();
        for (path, _, drop) in files.iter().filter(|(path, ..)| is_loose(path)) {
            let first = loose.entry(*drop).or_insert_with(|| path.clone());
            if fitness(path) < fitness(first) {
                first.clone_from(path);
            }
        }
        for (number, (path, size, drop)) in (0..).zip(files) {
            let is_archive = !path.contains('/') && is_archive(&path);
            let own = path.split('/').next().unwrap_or_default();
            let name = Some(drop).filter(|_| is_loose(&path)).and_then(|drop| loose.get(&drop));
            let name = name.map_or(own, |name| name);
            let index = *numbers.entry((drop, name.to_owned(), is_archive)).or_insert_with(|| {
                // numbered, so that no folder seems to be beside another one
                let at =
                    if is_archive { name.to_owned() } else { format!("{FOLDERS}/{}/{name}", items.len()) };
                items.push(Dropping { name: name.to_owned(), drop, path: at, loose: Vec::new() });
                items.len() - 1
            });
            let Some(item) = items.get_mut(index) else { continue };
            let at = if is_archive { path.clone() } else { format!("{}/{path}", item.path) };
            memory.insert_at(&at, read(number), size).map_err(|error| format!("{path}: {error}"))?;
            if is_loose(&path) {
                item.loose.push(path);
            }
        }
        Ok(Dropped { disk: Arc::new(Sources::new(memory, |path| Some(dropped(path)))), items })
    }

    /// Mounts the files without a drop, as an engine would.
    pub(crate) fn mount_without(
        &self,
        drop: usize,
        engine: Engine,
        choice: &Choice,
    ) -> Result<Mounted, ErrorRow> {
        let (gone, items) = self.items.iter().cloned().partition::<Vec<_>, _>(|item| item.drop == drop);
        // so that its games and missions are not selected
        let fresh = gone.into_iter().map(|item| item.name).collect();
        let others = Dropped { disk: Arc::clone(&self.disk), items };
        others.mount(Some(engine), &Choice { fresh, ..choice.clone() })
    }

    fn open(&self, item: &Dropping) -> Result<Download, Error> {
        Download::open(&self.disk, item.path.as_str().into())
    }

    /// The archive of an item, if engines load such archives.
    fn archive(&self, item: &Dropping) -> Option<Archive> {
        let item = Some(item).filter(|item| item.is_mountable())?;
        OpenOptions::new().access(Access::Read).open_on(&self.disk, item.path.as_str().into()).ok()
    }

    /// Mounts the files as an engine would. Without an engine, the files decide.
    pub(crate) fn mount(&self, engine: Option<Engine>, choice: &Choice) -> Result<Mounted, ErrorRow> {
        let named = engine;
        let host = Host::ALL.iter().copied().find(|host| host.name() == choice.on);
        let (engine, because, found) = self.choose(engine, host);
        let own = &engine.rules().directories;
        let base = found.as_deref().unwrap_or(EMPTY);
        let below = below(base).unwrap_or(".");
        let mut disk = Arc::clone(&self.disk);
        if let Some(host) = host {
            disk = on_host(disk, host, [base]);
        }
        let (has_game, is_here) = (found.is_some(), below == ".");
        let main = self.items.iter().find(|item| !has_game && self.is_base_archive(engine, item));
        let mut placing = Placing {
            dropped: self,
            engine,
            named,
            host,
            choice,
            base,
            has_game,
            is_here,
            main: main.map(|main| &*main.name),
            disk,
            games: Vec::new(),
            missions: Vec::new(),
            archives: Vec::new(),
            rows: Vec::new(),
            overs: Vec::new(),
            has_fresh: false,
            nothing: None,
            others: Vec::new(),
        };
        // the base game first, because the places of downloads depend on it
        let is_main = |item: &&Dropping| main.is_some_and(|main| main.name == item.name);
        for item in main.into_iter().chain(self.items.iter().filter(|item| !is_main(item))) {
            placing.add(item)?;
        }
        let Placing {
            disk, mut games, mut missions, archives, rows, overs, nothing, has_fresh, others, ..
        } = placing;
        if let Some((error, help)) = nothing.filter(|_| !has_fresh) {
            return Err(ErrorRow { error, help, nothing: true });
        }
        if games.is_empty() {
            games.clone_from(&choice.games);
            // a download may have gone to another folder, and the engine may be another
            let is_kept = |game: &String| is_folder(&*disk, base, game) && !others.contains(game);
            games.retain(|game| choice.fresh.is_empty() || is_kept(game));
        }
        for flag in &choice.missions {
            let mut known = own.missions.iter().filter(|mission| *mission.flag == **flag);
            if choice.fresh.is_empty() || known.any(|known| is_folder(&*disk, base, &known.directory)) {
                add(&mut missions, flag);
            }
        }
        let (mut folders, mut known) = (Vec::new(), games_in(&*disk, base.into()));
        for name in own.base.iter().map(|name| &**name).filter(|name| *name != ".") {
            let spelled = known.iter().find(|known| known.eq_ignore_ascii_case(name));
            add(&mut folders, spelled.map_or(name, |known| known));
        }
        for name in &known {
            add(&mut folders, name);
        }
        known.retain(|name| {
            let mission = own.missions.iter().any(|mission| mission.directory.eq_ignore_ascii_case(name));
            !mission && !own.base.iter().any(|base| base.eq_ignore_ascii_case(name))
        });
        // a mod that was dropped with its game
        let is_new =
            |item: &Dropping| item.is_one_of(&choice.fresh) && Path::new(base).starts_with(&item.path);
        if let [only] = &*known
            && games.is_empty()
            && !others.contains(only)
            && missions.is_empty()
            && self.items.iter().any(is_new)
        {
            games.push(only.clone());
        }
        let mut options = Options {
            engine: Some(engine),
            on: host,
            games,
            missions,
            mounts: archives.iter().map(Into::into).collect(),
            ..Options::default()
        };
        if has_game || is_folder(&*disk, base, "") {
            options.bases.push(base.into());
        }
        let line = line_of(below, &overs, &options);
        let game = Game::open(&options, &Surroundings::of(disk)).map_err(|error| not_mounted(&error))?;
        Ok(Mounted { engine, because, game, known, folders, placed: rows, line, checked: OnceCell::new() })
    }

    /// The engine, the reason for it unless the person chose it, and the base directory. Of several games,
    /// the one that was dropped last decides, and of one drop the topmost; without a game, the first download
    /// that shows an engine.
    fn choose(&self, named: Option<Engine>, host: Option<Host>) -> (Engine, String, Option<String>) {
        let all = self.items.iter().filter_map(|item| Some((self.choices(item, named)?, item)));
        let all: Vec<_> = all.collect();
        let mut games: Vec<_> = all.iter().filter(|(choices, _)| has_game(choices)).collect();
        let whole = |found: &&(Choices, &Dropping)| self.is_whole(&found.0, host);
        let last = Some(&games).filter(|games| games.len() > 1);
        let last =
            last.and_then(|games| games.iter().copied().filter(whole).map(|(_, item)| item.drop).max());
        games.retain(|(_, item)| last.is_none_or(|last| item.drop == last));
        let depth = |choices: &&Choices| choices.base.as_ref().map(|base| base.components().count());
        let game = games.into_iter().map(|(choices, _)| choices).min_by_key(depth);
        let base = game.and_then(|choices| Some(choices.base.as_ref()?.to_string()));
        if let Some(engine) = named {
            return (engine, String::new(), base);
        }
        let chosen =
            |choices: &Choices| Some((Engine::of(&choices.rules)?, choices.engine_because.to_string()));
        let of_download = |(choices, item): &(Choices, &Dropping)| {
            if !choices.engine_because.is_guess() {
                return chosen(choices);
            }
            let placement = self.placed(item, None).filter(|placement| !placement.parts.is_empty())?;
            Some((placement.family.engine(), "a guess from the files".to_owned()))
        };
        let chosen = game.map_or_else(|| all.iter().find_map(of_download), chosen);
        let (engine, because) =
            chosen.unwrap_or_else(|| (Engine::default(), EngineBecause::Default.to_string()));
        (engine, because, base)
    }

    fn choices(&self, item: &Dropping, engine: Option<Engine>) -> Option<Choices> {
        Choices::of(&options(engine, item), &self.around(item)).ok()
    }

    /// Whether a folder has the base game itself: a download may have a folder for it, too.
    fn is_whole(&self, choices: &Choices, host: Option<Host>) -> bool {
        let mut disk = Arc::clone(&self.disk);
        if let Some(host) = host {
            disk = on_host(disk, host, choices.base.as_ref().map(|base| base.as_str()));
        }
        let bases = choices.base.iter().cloned().collect();
        let options = Options { engine: Engine::of(&choices.rules), bases, on: host, ..Options::default() };
        let game = Game::open(&options, &Surroundings::of(disk));
        game.is_ok_and(|game| has_base_game(&game.search_path))
    }

    /// The folder of an item, in and around which its game is looked for.
    fn around(&self, item: &Dropping) -> Surroundings {
        let folder = match &*item.loose {
            _ if item.is_archive() => None,
            [] => Some(format!("{}/{}", item.path, item.name).into()),
            _ => Some(item.path.as_str().into()),
        };
        Surroundings { folder, ..Surroundings::of(Arc::clone(&self.disk)) }
    }

    /// The place of a download without a game below it.
    fn placed(&self, item: &Dropping, engine: Option<Engine>) -> Option<Placement> {
        let engine = engine.map(Engine::rules);
        Some(place(&self.open(item).ok()?, &PlaceOptions { engine, ..PlaceOptions::default() }))
    }

    /// Whether an archive is the base game's, by what it contains.
    fn is_base_archive(&self, engine: Engine, item: &Dropping) -> bool {
        let placement =
            Some(item).filter(|item| item.is_mountable()).and_then(|item| self.placed(item, Some(engine)));
        placement.is_some_and(|placement| placement.parts.iter().any(|part| part.by == By::Base))
    }
}

fn has_game(choices: &Choices) -> bool {
    matches!(choices.base_because, BaseBecause::Here | BaseBecause::Above | BaseBecause::Below)
}

/// The options of `quakefs` for the same mount.
fn line_of(base: &str, overs: &[String], options: &Options) -> Vec<String> {
    let bases = options.bases.first().map(|_| ("--basedir", base));
    let overs = overs.iter().map(|over| ("--over", &**over));
    let engine = options.engine.map(|engine| ("--engine", engine.name()));
    let host = options.on.map(|host| ("--on", host.name()));
    let games = options.games.iter().map(|game| ("--game", &**game));
    let missions = options.missions.iter().map(|flag| ("--mission", &**flag));
    let mounts = options.mounts.iter().map(|file| ("--mount", file.as_str()));
    let all = bases.into_iter().chain(overs).chain(engine).chain(host).chain(games).chain(missions);
    all.chain(mounts).flat_map(|(option, value)| [option.to_owned(), value.to_owned()]).collect()
}

/// What the choice of an engine knows of an item: an archive is mounted.
fn options(engine: Option<Engine>, item: &Dropping) -> Options {
    let mounts = item.is_mountable().then(|| item.path.as_str().into()).into_iter().collect();
    Options { engine, mounts, ..Options::default() }
}

fn is_archive(path: &str) -> bool {
    matches!(ContentType::of(path.as_bytes()), ContentType::Archive | ContentType::TextureArchive)
}

/// How well the name of a loose file names all of them, the best first: files that go into a game, and
/// programs of the system last.
fn fitness(path: &str) -> u8 {
    match ContentType::of(path.as_bytes()) {
        ContentType::Level => 0,
        ContentType::Demo => 1,
        ContentType::Program => 2,
        ContentType::LevelData => 3,
        _ if path.to_ascii_lowercase().ends_with(".exe") => 5,
        _ => 4,
    }
}

/// The downloads that go over a base directory, one after another.
struct Placing<'a> {
    dropped: &'a Dropped,
    engine: Engine,
    /// The same if the person chose it.
    named: Option<Engine>,
    host: Option<Host>,
    choice: &'a Choice,
    base: &'a str,
    /// Whether a dropped folder is the base directory.
    has_game: bool,
    /// Whether the dropped folders are directly in the base directory.
    is_here: bool,
    /// Without such a folder, the archive that is the base game.
    main: Option<&'a str>,
    disk: Arc<dyn Disk>,
    /// The games and missions of fresh downloads.
    games: Vec<String>,
    missions: Vec<String>,
    /// The archives above the game.
    archives: Vec<String>,
    rows: Vec<PlacedRow>,
    /// The arguments of `--over`.
    overs: Vec<String>,
    /// Whether something fresh has a place, and the first that has none, with an advice.
    has_fresh: bool,
    nothing: Option<(String, String)>,
    /// The folders of downloads for other families.
    others: Vec<String>,
}

impl Placing<'_> {
    fn add(&mut self, item: &Dropping) -> Result<(), ErrorRow> {
        let is_fresh = item.is_one_of(&self.choice.fresh);
        let mut row = PlacedRow {
            drop: item.drop,
            name: item.name.clone(),
            files: if item.loose.is_empty() { vec![item.name.clone()] } else { item.loose.clone() },
            fresh: is_fresh,
            ..PlacedRow::default()
        };
        if Path::new(self.base).starts_with(&item.path) {
            self.has_fresh |= is_fresh;
            self.rows.push(PlacedRow { says: "the game".to_owned(), ..row });
            return Ok(());
        }
        if let Some(help) = self.other_game(item) {
            self.has_fresh |= is_fresh;
            self.rows.push(PlacedRow { says: "another game, which is left".to_owned(), help, ..row });
            return Ok(());
        }
        let download = self.dropped.open(item).map_err(|error| ErrorRow {
            error: without_root(&with_causes(&error)),
            help: error.help(None).unwrap_or_default(),
            nothing: false,
        })?;
        let chosen = self.choice.places.iter().find(|(name, _)| *name == item.name).map(|(_, to)| &**to);
        let opened = self.dropped.archive(item);
        let own = self.base_of_archive(item, opened.as_ref()).filter(|_| chosen.is_none());
        let chosen = chosen.or(own.as_deref());
        let mut placement = self.place(&download, chosen.filter(|name| *name != MOUNTED));
        if own.is_some() {
            placement.parts.iter_mut().for_each(|part| part.by = By::Base);
        }
        let by_name = || placement.parts.iter().all(|part| part.by == By::Name);
        let has_place = || self.has_game && placement.nothing != Some(Nothing::Unknown);
        let is_mounted =
            item.is_mountable() && chosen.map_or_else(|| by_name() && !has_place(), |name| name == MOUNTED);
        row.says = placement.to_string();
        row.help = placement.nothing.and_then(|nothing| nothing.help(None)).unwrap_or_default();
        row.notes = placement.notes.iter().map(ToString::to_string).collect();
        row.left = match placement.nothing {
            // all of it, which is said
            Some(_) => String::new(),
            None => some(placement.left.iter().map(String::as_str)),
        };
        row.own = download.folder_name();
        row.mountable = item.is_mountable();
        row.to = placement.files.iter().map(|file| file.to.clone()).collect();
        let family = &placement.family;
        let is_other = self.engine.rules().family.as_ref().is_some_and(|own| own.name != family.name);
        if is_other {
            row.other = Some(family.engine().name());
            let folders = placement.parts.iter().filter_map(|part| part.to.split_once('/'));
            self.others.extend(folders.map(|(folder, _)| folder.to_owned()));
        }
        if is_mounted {
            let says = "mounted above the game".to_owned();
            let layout = opened.and_then(|archive| archive.layout());
            let unread =
                layout.filter(|layout| self.engine.rules().paks.layout.is_some_and(|own| own != *layout));
            let unread = unread
                .map(|layout| format!("{} does not read the {layout} layout of this archive", self.engine));
            row = PlacedRow {
                says,
                help: String::new(),
                notes: unread.into_iter().collect(),
                to: vec![item.name.clone()],
                ..row
            };
            self.archives.push(item.name.clone());
        } else if !row.to.is_empty() {
            if is_fresh && !is_other {
                self.select(&placement);
            }
            self.overs.extend(item.overs(&placement, chosen, self.is_here));
            let overlay = Overlay::new(placement.disk(), Arc::clone(&self.disk), self.base);
            self.disk = Arc::new(overlay.map_err(|error| not_mounted(&Error::from(error).into()))?);
        } else if is_fresh {
            self.nothing.get_or_insert_with(|| (format!("{}: {}", item.name, row.says), row.help.clone()));
        }
        self.has_fresh |= is_fresh && !row.to.is_empty();
        self.rows.push(row);
        Ok(())
    }

    /// What to do to see a game beside the one that is mounted; `None` for a download.
    fn other_game(&self, item: &Dropping) -> Option<String> {
        let games = || self.dropped.items.iter().filter(|item| Path::new(self.base).starts_with(&item.path));
        let shown = games().next()?;
        let choices = self.dropped.choices(item, None).filter(has_game)?;
        let engine = Engine::of(&choices.rules)?;
        let is_of = |other: Engine| engine.rules().directories.share_base(&other.rules().directories);
        let is_other = !is_of(self.engine) || self.dropped.is_whole(&choices, self.host);
        is_other.then(|| match self.named {
            Some(named) if !is_of(named) => format!("choose an engine of its game, such as {engine}"),
            _ => format!("take back {} to see it", shown.name),
        })
    }

    /// The base game's directory for an archive that belongs into it: it is known, or has a number and was
    /// dropped with the base game.
    fn base_of_archive(&self, item: &Dropping, archive: Option<&Archive>) -> Option<String> {
        let archive = archive.filter(|_| !self.has_game && self.main != Some(&item.name))?;
        let base = self.engine.rules().directories.base.iter().find(|name| **name != *".")?;
        let name = item.name.to_ascii_lowercase();
        let has_number = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
        let is_numbered = self.main.is_some() && name.strip_prefix("pak").is_some_and(has_number);
        let is_of_base = |known: Known| known.file.split('/').next() == Some(base);
        (is_numbered || Known::of(archive).is_ok_and(|known| known.is_some_and(is_of_base)))
            .then(|| base.to_string())
    }

    fn place(&self, download: &Download, name: Option<&str>) -> Placement {
        let directories = folders_in(&*self.disk, self.base.into()).unwrap_or_default();
        let is_free = |number: &u32| {
            let file = format!("{}/{}/pak{number}.pak", self.base, name.unwrap_or_default());
            self.disk.stat(file.as_ref()).is_err()
        };
        let pak = (0..u32::MAX).find(is_free).unwrap_or_default();
        place(
            download,
            &PlaceOptions {
                engine: Some(self.engine.rules()),
                name,
                directories: &directories,
                pak,
                ..PlaceOptions::default()
            },
        )
    }

    /// Selects the games of a download, and the missions that it is or needs.
    fn select(&mut self, placement: &Placement) {
        let known = &self.engine.rules().directories.missions;
        for flag in placement.starts.iter().flat_map(|start| &start.missions) {
            if known.iter().any(|mission| *mission.flag == **flag) {
                add(&mut self.missions, flag);
            }
        }
        for game in placement.parts.iter().filter_map(|part| part.game.as_ref()) {
            match known.iter().find(|mission| mission.directory.eq_ignore_ascii_case(game)) {
                Some(mission) => add(&mut self.missions, &mission.flag),
                None => add(&mut self.games, game),
            }
        }
    }
}

/// Adds a name that is not in the list.
fn add(list: &mut Vec<String>, name: &str) {
    if !list.iter().any(|known| known == name) {
        list.push(name.to_owned());
    }
}

/// The folders of a base directory that look like games.
fn games_in(disk: &dyn Disk, base: &Utf8Path) -> Vec<String> {
    let mut games = folders_in(disk, base).unwrap_or_default();
    games.retain(|name| looks_like_game(disk, base.join(name).as_std_path()));
    games
}

/// Whether a folder contains an archive or program, or a folder that games have.
fn looks_like_game(disk: &dyn Disk, folder: &Path) -> bool {
    let is_of_game = |item: Item| match item.kind {
        FileKind::Folder => std::str::from_utf8(&item.name).is_ok_and(is_content_folder),
        _ => matches!(ContentType::of(&item.name), ContentType::Archive | ContentType::Program),
    };
    disk.list(folder).is_ok_and(|items| items.into_iter().any(is_of_game))
}

fn is_folder(disk: &dyn Disk, folder: &str, name: &str) -> bool {
    disk.stat(&Path::new(folder).join(name)).is_ok_and(|stat| stat.kind == FileKind::Folder)
}

/// The path of a dropped file without the folder that the disk puts it in.
fn dropped(path: &Path) -> PathBuf {
    let below = path.strip_prefix(FOLDERS).map(|item| item.components().skip(2).collect());
    below.unwrap_or_else(|_| path.to_owned())
}

/// A range of bytes in a file of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Stretch {
    path: String,
    start: u64,
    end: u64,
}

impl Stretch {
    pub(crate) fn of(file: &quakefs::File<'_>) -> Option<Stretch> {
        let extent = file.extent()?;
        Some(Stretch { path: extent.path.into(), start: extent.range.start, end: extent.range.end })
    }
}
