//! Mounting: from directories, rules and pushed layers to a stack.

use std::borrow::Cow;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::detect::detect;
use pak_format::layout::Header;
use pak_format::{EntryName, Layout, ParseOptions};

use crate::data::FileData;
use crate::discover::{discover, is_archive_name};
use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::index::Index;
use crate::layer::Layer;
use crate::listing::{Listing, LooseFiles, reach};
use crate::problem::{Problem, ProblemKind};
use crate::rules::{Games, LoosePosition, NamedAgain, PartialRow, Rules, WrongArchive};
use crate::search_path::{Layers, SearchPath, Stack};
use crate::source::image::{Access, Image};
use crate::source::pak::Pak;
use crate::source::{Archive, Folder, Source};

/// Collects what a [`SearchPath`] is made of.
///
/// ```no_run
/// use quakefs::{Engine, SearchPath};
/// let quake = SearchPath::builder("/games/quake")
///     .engine(Engine::QuakeSpasm)
///     .mission("hipnotic")
///     .game("mymod")
///     .archive("/downloads/try-this.pak")
///     .mount()?;
/// # Ok::<(), quakefs::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is mounted before `mount`"]
pub struct Builder {
    base: Option<Utf8PathBuf>,
    user: Option<Utf8PathBuf>,
    rules: Cow<'static, Rules>,
    missions: Vec<String>,
    games: Vec<String>,
    pushed: Vec<Pushed>,
    loose: LooseFiles,
    access: Access,
}

#[derive(Debug, Clone)]
enum Pushed {
    Folder(Utf8PathBuf),
    Archive(Utf8PathBuf, Option<Layout>),
    Memory(String, FileData, Option<Layout>),
}

impl Builder {
    pub(crate) fn new(base: Option<&Utf8Path>) -> Self {
        Builder {
            base: base.map(Utf8Path::to_owned),
            user: None,
            rules: Cow::Borrowed(Engine::WinQuake.rules()),
            missions: Vec::new(),
            games: Vec::new(),
            pushed: Vec::new(),
            loose: LooseFiles::default(),
            access: Access::default(),
        }
    }

    /// Does as this engine does. The default is [`Engine::WinQuake`].
    pub fn engine(mut self, engine: Engine) -> Self {
        self.rules = Cow::Borrowed(engine.rules());
        self
    }

    /// Does as these rules say.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Cow::Owned(rules);
        self
    }

    /// Starts the engine with a mission flag: `hipnotic`, `rogue`, `quoth`. One that it does not know is a
    /// [`Problem`].
    pub fn mission(mut self, flag: impl Into<String>) -> Self {
        self.missions.push(flag.into());
        self
    }

    /// Starts the engine with a game, `-game NAME`. May be called again: which of several count is the engine's
    /// rule. One that does not exist or does not count is a [`Problem`].
    pub fn game(mut self, name: impl Into<String>) -> Self {
        self.games.push(name.into());
        self
    }

    /// A directory of the user's own, in the home folder as a rule: its copy of each game directory stands just
    /// above the base directory's. Nothing in it is ever written. It need not exist.
    pub fn user_directory(mut self, path: impl Into<Utf8PathBuf>) -> Self {
        self.user = Some(path.into());
        self
    }

    /// Puts a folder on top.
    pub fn folder(mut self, path: impl Into<Utf8PathBuf>) -> Self {
        self.pushed.push(Pushed::Folder(path.into()));
        self
    }

    /// Puts an archive file on top, of the layout that its bytes tell.
    pub fn archive(mut self, path: impl Into<Utf8PathBuf>) -> Self {
        self.pushed.push(Pushed::Archive(path.into(), None));
        self
    }

    /// Puts an archive file of this layout on top.
    pub fn archive_as(mut self, path: impl Into<Utf8PathBuf>, layout: Layout) -> Self {
        self.pushed.push(Pushed::Archive(path.into(), Some(layout)));
        self
    }

    /// Puts an archive in memory on top, under a name for messages.
    pub fn memory(
        mut self,
        name: impl Into<String>,
        archive: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Self {
        self.pushed.push(Pushed::Memory(name.into(), FileData::new(archive), None));
        self
    }

    /// Asks for loose files on disk or lists them. The default is [`LooseFiles::Live`].
    pub fn loose_files(mut self, loose: LooseFiles) -> Self {
        self.loose = loose;
        self
    }

    /// Maps archives or reads them. The default is [`Access::Map`].
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Opens every archive and indexes its names.
    ///
    /// An archive that a game directory holds and that cannot be loaded is a [`Problem`] of the stack, as is
    /// everything that was left out. It fails where there is no base directory or nothing of a game in it, and
    /// where a layer that was pushed cannot be opened.
    pub fn mount(self) -> Result<SearchPath, Error> {
        let mut mount = Mount {
            builder: &self,
            layers: Vec::new(),
            problems: Vec::new(),
            misread: Vec::new(),
            directory: 0,
            write_dir: None,
        };
        if let Some(base) = &self.base {
            mount.base(base)?;
        }
        for pushed in &self.pushed {
            mount.push(pushed)?;
        }
        mount.finish()
    }
}

/// A folder that the engine looks into.
#[derive(Clone)]
struct GameDirectory {
    /// Its path in the base directory; `.` is that itself.
    name: String,
    /// Whether it would surprise if it is not there.
    expected: bool,
    /// Whether the engine writes there while nothing ranks above it.
    written: bool,
}

/// What is mounted of a game directory at one place.
#[derive(Clone, Copy)]
struct Parts {
    archives: bool,
    loose: bool,
}

/// A mount on its way.
struct Mount<'b> {
    builder: &'b Builder,
    /// Lowest first.
    layers: Vec<Layer>,
    problems: Vec<Problem>,
    /// Archives whose rows the engine misreads: to tell of each row would tell the same again.
    misread: Vec<String>,
    /// How many game directories are mounted.
    directory: u16,
    /// The highest game directory, in the user directory if there is one.
    write_dir: Option<Utf8PathBuf>,
}

impl Mount<'_> {
    fn rules(&self) -> &Rules {
        &self.builder.rules
    }

    fn problem(&mut self, place: impl Into<String>, kind: ProblemKind) {
        let problem = Problem::new(place, &self.builder.rules.name, kind);
        self.tell(problem);
    }

    fn tell(&mut self, problem: Problem) {
        tracing::warn!(place = problem.place(), reason = problem.reason(), "mounted with a problem");
        self.problems.push(problem);
    }

    fn base(&mut self, base: &Utf8Path) -> Result<(), Error> {
        if base.is_file() {
            return Err(not_a_folder(base));
        }
        if !base.is_dir() {
            return Err(ErrorKind::NoBaseDirectory { path: base.to_owned() }.into());
        }
        let base = camino::absolute_utf8(base).map_err(|error| Error::io(base, "open", error))?;
        let directories = self.directories()?;
        let user = match &self.builder.user {
            Some(user) => {
                Some((user, camino::absolute_utf8(user).map_err(|error| Error::io(user, "open", error))?))
            }
            None => None,
        };
        let mut any = false;
        // what is not there yet, and will be when something is written: its name, its path and its place
        let mut written_later: Option<(String, Utf8PathBuf, usize)> = None;
        for (GameDirectory { name: directory, expected, written }, parts) in &directories {
            let mut here = false;
            if directory == "." {
                self.game_directory(".", "", &base, *parts);
                continue;
            }
            let path = base.join(directory);
            if path.is_dir() {
                here = true;
                self.game_directory(directory, &format!("{directory}/"), &path, *parts);
            }
            if let Some((given, absolute)) = &user {
                let path = absolute.join(directory);
                if path.is_dir() && path != base.join(directory) {
                    here = true;
                    let name = self.name_of(&given.join(directory), &path);
                    self.game_directory(&name, &format!("{name}/"), &path, *parts);
                }
            }
            if here && *written {
                let above = user.as_ref().map_or(&base, |(_, user)| user);
                let path = above.join(directory);
                let name = user.as_ref().map(|(given, _)| self.name_of(&given.join(directory), &path));
                written_later = match name {
                    Some(name) if !path.is_dir() && !above.is_file() => {
                        Some((name, path.clone(), self.layers.len()))
                    }
                    _ => None,
                };
                self.write_dir = Some(path);
            }
            any |= here;
            if !here && *expected {
                self.problem(format!("{directory}/"), ProblemKind::MissingDirectory);
            }
        }
        if let Some((name, path, place)) = written_later {
            self.directory += 1;
            let mut layer = folder_layer(format!("{name}/"), path, self.rules());
            layer.directory = Some(self.directory);
            self.layers.insert(place, layer);
        }
        if !any && self.builder.pushed.is_empty() {
            let names = directories.into_iter().map(|(directory, _)| directory.name);
            let expected = names.filter(|name| name != ".").collect();
            return Err(ErrorKind::NoGameDirectory { path: base, expected }.into());
        }
        Ok(())
    }

    /// The game directories, lowest first.
    fn directories(&mut self) -> Result<Vec<(GameDirectory, Parts)>, Error> {
        let builder = self.builder;
        let rules = &builder.rules.directories;
        let mut directories: Vec<GameDirectory> = Vec::new();
        for (index, base) in rules.base.iter().enumerate() {
            directories.push(GameDirectory {
                name: base.to_string(),
                expected: index == 0,
                written: base != ".",
            });
        }
        for flag in &builder.missions {
            if !rules.missions.iter().any(|mission| mission.flag == *flag) {
                self.problem(format!("-{flag}"), ProblemKind::UnknownFlag);
            }
        }
        let asked_for = |flag: &str| builder.missions.iter().any(|asked| asked == flag);
        for mission in rules.missions.iter().filter(|mission| asked_for(&mission.flag)) {
            directories.push(GameDirectory {
                name: mission.directory.to_string(),
                expected: true,
                written: true,
            });
        }

        let mut games = Vec::new();
        for game in &builder.games {
            let name = game.trim_end_matches('/');
            let path = EntryName::from_bytes(name.as_bytes()).to_disk_path();
            if path.as_deref() != Ok(name.as_bytes()) {
                return Err(ErrorKind::BadGame { game: game.clone() }.into());
            }
            games.push(name);
        }
        let (taken, ignored, words): (&[&str], Vec<&str>, _) = match rules.games {
            Games::Every => (&games, Vec::new(), ""),
            Games::Ignored => (&[], games.clone(), "no game from its command line"),
            Games::First => match games.split_first() {
                Some((_, rest)) => {
                    (games.get(..1).unwrap_or_default(), rest.to_vec(), "the first game alone")
                }
                None => (&[], Vec::new(), ""),
            },
            Games::Last => match games.split_last() {
                Some((_, rest)) => {
                    (games.get(rest.len()..).unwrap_or_default(), rest.to_vec(), "the last game alone")
                }
                None => (&[], Vec::new(), ""),
            },
        };
        for game in ignored.into_iter().filter(|game| !taken.contains(game)) {
            self.problem(format!("{game}/"), ProblemKind::GameIgnored { taken: words });
        }
        for game in taken {
            for folder in &*rules.game_folders {
                let main = folder == "{}";
                directories.push(GameDirectory {
                    name: folder.replace("{}", game),
                    expected: main,
                    written: main,
                });
            }
        }
        let mut last = Vec::with_capacity(directories.len());
        for (place, directory) in directories.iter().enumerate() {
            let name = &directory.name;
            let is_first = !directories.iter().take(place).any(|other| other.name == *name);
            // hidden whole by what stands where it is named again
            let is_last = !directories.iter().skip(place + 1).any(|other| other.name == *name);
            let is_mission = || {
                let mut missions = rules.missions.iter().filter(|mission| asked_for(&mission.flag));
                missions.any(|mission| mission.directory == *name)
            };
            let (archives, loose) = match rules.named_again {
                NamedAgain::LooseMoveUp => (is_first, is_last),
                NamedAgain::Stays => (is_first, is_first),
                // its flag has put it there
                NamedAgain::MissionsStay if is_mission() => (is_first, is_first),
                NamedAgain::MovesUp | NamedAgain::MissionsStay => (is_last, is_last),
            };
            if archives || loose {
                last.push((directory.clone(), Parts { archives, loose }));
            }
        }
        Ok(last)
    }

    /// Mounts a game directory, whose archives are told with a prefix to their names.
    fn game_directory(&mut self, directory: &str, prefix: &str, path: &Utf8Path, parts: Parts) {
        let builder = self.builder;
        let name = format!("{directory}/");
        self.directory += 1;
        let number = self.directory;
        let loose = |layers: &mut Vec<Layer>| {
            tracing::info!(layer = name, "mounted a folder");
            let mut layer = folder_layer(name.clone(), path.to_owned(), &builder.rules);
            layer.directory = Some(number);
            layers.push(layer);
        };
        if parts.loose && builder.rules.loose.position == LoosePosition::Below {
            loose(&mut self.layers);
        }
        let files = if parts.archives { self.list_files(prefix, path) } else { Vec::new() };
        let found = discover(files, &builder.rules, |file| is_empty_archive(&path.join(file)));
        for (file, mut why) in found.left_out {
            // to rename what is no archive would make it worse
            if let (ProblemKind::NotNumbered, Err(error)) = (&why, header_of(&path.join(&file))) {
                why = ProblemKind::WrongArchive { error: error.into(), opened: false, fatal: false };
            }
            self.problem(format!("{prefix}{file}"), why);
        }
        for (file, set) in found.archives {
            let first = self.layers.len();
            self.found_archive(format!("{prefix}{file}"), path.join(file));
            for layer in self.layers.iter_mut().skip(first) {
                (layer.directory, layer.set) = (Some(number), Some(set));
            }
        }
        if parts.loose && builder.rules.loose.position == LoosePosition::Above {
            loose(&mut self.layers);
        }
    }

    /// The names of the regular files straight in a folder.
    fn list_files(&mut self, prefix: &str, path: &Utf8Path) -> Vec<String> {
        let mut files = Vec::new();
        let entries = match path.as_std_path().read_dir() {
            Ok(entries) => entries,
            Err(error) => {
                self.problem(prefix, ProblemKind::Unreadable(error));
                return files;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.problem(prefix, ProblemKind::Unreadable(error));
                    continue;
                }
            };
            let is_file = entry.path().is_file();
            match entry.file_name().into_string() {
                Ok(name) if is_file => files.push(name),
                Ok(name) if is_archive_name(&name) => {
                    self.problem(format!("{prefix}{name}"), ProblemKind::NotRegular);
                }
                Err(name) if is_archive_name(&name.to_string_lossy()) => {
                    self.problem(format!("{prefix}{}", name.to_string_lossy()), ProblemKind::NotUtf8);
                }
                Ok(_) | Err(_) => {}
            }
        }
        files
    }

    fn found_archive(&mut self, name: String, path: Utf8PathBuf) {
        match self.open_found(&path) {
            Ok(archive) => {
                if let (Some(pak), Some(read_as)) = (archive.as_pak(), self.rules().paks.layout) {
                    self.compare_layouts(&name, pak, read_as);
                }
                self.archive(name, Some(path), archive);
            }
            Err(error) => {
                let fatal = self.rules().paks.wrong_archive == WrongArchive::Fatal && !is_zip_name(&path);
                self.problem(name, ProblemKind::WrongArchive { error, opened: true, fatal });
            }
        }
    }

    /// Opens an archive as the engine would: what it is follows from its extension.
    fn open_found(&self, path: &Utf8Path) -> Result<Archive, Error> {
        let rules = self.rules();
        let image = Image::open(path, self.builder.access)?;
        if is_zip_name(path) {
            return Archive::open_zip(image, rules.zip_names);
        }
        let layout = rules.paks.layout;
        let allow_partial_row = rules.paks.partial_row == PartialRow::Ignored;
        Archive::open_pak(image, &ParseOptions { layout, allow_partial_row })
    }

    /// An engine that knows one layout reads its rows whatever they are; its user should know.
    fn compare_layouts(&mut self, name: &str, pak: &Pak, read_as: Layout) {
        let rows = pak.directory().rows();
        let size = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let header = Header { magic: read_as.magic(), directory_offset: 0, directory_size: size };
        match detect(&header, rows, pak.directory().image_size()) {
            Ok(found) if found.layout != read_as => {
                self.misread.push(name.to_owned());
                self.problem(name, ProblemKind::OtherLayout { found: found.layout, read_as });
            }
            _ if pak.ragged() > 0 => self.problem(name, ProblemKind::PartialRow { ignored: pak.ragged() }),
            _ => {}
        }
    }

    fn push(&mut self, pushed: &Pushed) -> Result<(), Error> {
        let access = self.builder.access;
        match pushed {
            Pushed::Folder(path) => {
                if !path.is_dir() {
                    return Err(not_a_folder(path));
                }
                let absolute =
                    camino::absolute_utf8(path).map_err(|error| Error::io(path, "mount", error))?;
                let name = format!("{}/", self.name_of(path, &absolute).trim_end_matches('/'));
                tracing::info!(layer = name, "mounted a folder");
                self.layers.push(folder_layer(name, absolute, self.rules()));
            }
            Pushed::Archive(path, layout) => {
                let absolute =
                    camino::absolute_utf8(path).map_err(|error| Error::io(path, "mount", error))?;
                let name = self.name_of(path, &absolute);
                let archive =
                    Archive::open(&absolute, access, *layout).map_err(|error| error.in_archive(&name))?;
                self.archive(name, Some(absolute), archive);
            }
            Pushed::Memory(name, bytes, layout) => {
                let archive =
                    Archive::from_memory(bytes.clone(), *layout).map_err(|error| error.in_archive(name))?;
                self.archive(name.clone(), None, archive);
            }
        }
        Ok(())
    }

    /// A pushed path as layers are named: relative to the base directory if it is inside, else as it was given.
    fn name_of(&self, given: &Utf8Path, absolute: &Utf8Path) -> String {
        let base = self.builder.base.as_ref().and_then(|base| camino::absolute_utf8(base).ok());
        let inside = base.and_then(|base| absolute.strip_prefix(base).ok().map(Utf8Path::to_owned));
        match inside {
            Some(inside) if inside == "" => ".".to_owned(),
            Some(inside) => inside.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/"),
            None => given.to_string(),
        }
    }

    fn archive(&mut self, name: String, path: Option<Utf8PathBuf>, archive: Archive) {
        tracing::info!(layer = name, entries = archive.len(), "mounted an archive");
        if let Some(error) = archive.damage() {
            self.problem(name.clone(), ProblemKind::Damaged(error));
        }
        self.layers.push(Layer { name, path, directory: None, set: None, source: Source::Archive(archive) });
    }

    fn finish(mut self) -> Result<SearchPath, Error> {
        let layers = Layers(std::mem::take(&mut self.layers));
        if layers.0.is_empty() {
            return Err(ErrorKind::NothingToMount.into());
        }
        if layers.0.len() > usize::from(u16::MAX) {
            return Err(ErrorKind::TooManyLayers { found: layers.0.len() }.into());
        }
        let archives = self.index(&layers);
        let folders = layers.0.iter().zip(0..=u16::MAX).filter(|(layer, _)| layer.archive().is_none());
        let folders: Vec<u16> = folders.map(|(_, number)| number).rev().collect();
        let rules = self.builder.rules.clone().into_owned();
        let (listing, listing_problems) = match self.builder.loose {
            LooseFiles::Live => (None, Vec::new()),
            LooseFiles::Listed => {
                let (listing, problems) = Listing::new(&layers.0, &rules);
                (Some(listing), problems)
            }
        };
        Ok(SearchPath::from_stack(Stack {
            rules,
            layers: Arc::new(layers),
            archives: Arc::new(archives),
            folders,
            listing,
            has_game: !self.builder.games.is_empty() || !self.builder.missions.is_empty(),
            write_dir: self.write_dir,
            problems: self.problems.into(),
            listing_problems,
        }))
    }

    fn index(&mut self, layers: &Layers) -> Index {
        let rules = &self.builder.rules;
        let mut problems = Vec::new();
        let sizes = layers
            .0
            .iter()
            .zip(0..=u16::MAX)
            .rev()
            .map(|(layer, number)| (number, layer.archive().map_or(0, Archive::rows)));
        let index = Index::build(sizes, rules.case, rules.duplicates, layers, |id| {
            let Some(layer) = layers.0.get(usize::from(id.layer)) else { return false };
            let Some(archive) = layer.archive() else { return false };
            match entry_problem(layer, archive, id.file, rules) {
                None => true,
                Some((problem, reachable)) => {
                    problems.extend(problem.map(|problem| (id, problem)));
                    reachable
                }
            }
        });
        problems.sort_by_key(|(id, _)| *id);
        for (_, problem) in problems {
            if !self.misread.iter().any(|name| name == problem.place()) {
                self.tell(problem);
            }
        }
        index
    }
}

/// What is wrong with an entry, if it is worth a word, and whether a request reaches it all the same.
fn entry_problem(
    layer: &Layer,
    archive: &Archive,
    row: u32,
    rules: &Rules,
) -> Option<(Option<Problem>, bool)> {
    if archive.is_folder(row) {
        return Some((None, false));
    }
    let problem = |kind| {
        let name = EntryName::from_bytes(archive.name(row));
        Problem::new(layer.name(), &rules.name, kind).at_entry(row as usize, name)
    };
    if let Err(kind) = reach(archive.name(row), rules, |qpath| qpath.in_archives()) {
        return Some((Some(problem(ProblemKind::Unreachable(kind))), false));
    }
    let error = archive.entry(row as usize)?.check().err()?;
    Some((Some(problem(ProblemKind::Entry(error))), true))
}

fn not_a_folder(path: &Utf8Path) -> Error {
    let why = if path.exists() {
        std::io::Error::new(std::io::ErrorKind::NotADirectory, "it is not a folder")
    } else {
        std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such folder")
    };
    Error::io(path, "mount", why)
}

fn folder_layer(name: String, path: Utf8PathBuf, rules: &Rules) -> Layer {
    let folder = Folder::new(path.clone(), rules.loose.case);
    Layer { name, path: Some(path), directory: None, set: None, source: Source::Folder(folder) }
}

/// Whether an engine takes a file for a ZIP, as its extension has it.
fn is_zip_name(path: &Utf8Path) -> bool {
    path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("pk3") || extension.eq_ignore_ascii_case("pkz")
    })
}

/// Whether a file is an archive with no rows. One that cannot be read is not: what is wrong with it is told when
/// it is opened.
fn is_empty_archive(path: &Utf8Path) -> bool {
    header_of(path).is_ok_and(|header| u64::from(header.directory_size) < Layout::Quake.row_size() as u64)
}

/// The header of a file; what the system does not let be read has none.
fn header_of(path: &Utf8Path) -> Result<Header, pak_format::Error> {
    use std::io::Read;

    let mut start = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // what was read before an error is what there is
        let _ = file.take(Header::SIZE as u64).read_to_end(&mut start);
    }
    Header::parse(&start)
}
