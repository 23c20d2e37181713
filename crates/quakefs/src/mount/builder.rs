//! The builder of a search path.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::shared_rules::SharedRules;
use crate::archive::{Archive, OpenOptions};
use crate::data::FileData;
use crate::disk::{Access, Disk};
use crate::error::Error;
use crate::rules::{CommandLine, Engine, Host, Rules, RulesFault, Setting};
use crate::search_path::LooseFiles;

/// Collects the base directory, the engine, the games and further layers of a
/// [`SearchPath`](crate::SearchPath).
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
    /// `None` for the system's disk.
    pub(crate) disk: Option<Arc<dyn Disk>>,
    /// `None` for this system, with the disk as it is.
    pub(super) host: Option<Host>,
    /// The folder that relative paths start at, kept because a program may change its current folder between
    /// two mounts. `None` if all paths are absolute.
    pub(crate) from: Option<Utf8PathBuf>,
    /// Layers in the first one are named relative to it.
    pub(crate) bases: Vec<PathBuf>,
    pub(crate) home: Option<PathBuf>,
    pub(crate) user: Option<PathBuf>,
    pub(crate) program: Option<PathBuf>,
    pub(crate) rules: SharedRules,
    /// Why `mount` rejects the rules.
    pub(crate) refused: Option<RulesFault>,
    /// The games, missions and settings. Its base directories are in `bases`.
    pub(crate) line: CommandLine,
    pub(crate) refuses_missing_games: bool,
    pub(crate) pushed: Vec<Pushed>,
    /// Archives below the game, the highest first.
    pub(crate) below: Vec<Pushed>,
    /// The caller's own kinds of archives.
    pub(crate) readers: Vec<Reader>,
    pub(crate) loose: LooseFiles,
    pub(crate) access: Access,
    /// Whether the caller mounts every game in turn, so that stops of other games are reported there.
    pub(crate) is_one_of_many: bool,
}

/// A kind of archive that the caller reads.
#[derive(Clone)]
pub(crate) struct Reader {
    extension: String,
    pub(crate) read: Arc<dyn Fn(FileData) -> Result<Archive, Error> + Send + Sync>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(&self.extension).finish()
    }
}

/// A layer that the caller adds on top or at the bottom.
#[derive(Debug, Clone)]
pub(crate) enum Pushed {
    Folder(PathBuf),
    /// A folder with archives, which the rules choose and order.
    GameDirectory(PathBuf),
    /// An archive, with its own options if it has any.
    Archive(PathBuf, Option<OpenOptions>),
    /// The name of an archive in memory and the opened archive. `mount` returns its error.
    Memory(String, Result<Archive, Error>),
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// An empty builder with QuakeSpasm's rules and the default options. Without a base directory it mounts
    /// only the layers that the caller adds.
    pub fn new() -> Self {
        Builder {
            disk: None,
            host: None,
            from: None,
            bases: Vec::new(),
            home: None,
            user: None,
            program: None,
            rules: SharedRules::Row(Engine::default().rules()),
            refused: None,
            line: CommandLine::default(),
            refuses_missing_games: false,
            pushed: Vec::new(),
            below: Vec::new(),
            readers: Vec::new(),
            loose: LooseFiles::default(),
            access: Access::default(),
            is_one_of_many: false,
        }
    }

    /// Sets the disk that all paths belong to. The default is the system's disk, or an empty one without the
    /// feature `fs`.
    pub fn disk(mut self, disk: impl Disk + 'static) -> Self {
        self.disk = Some(Arc::new(disk));
        self
    }

    /// Puts a disk around the builder's own, below the comparison of names of another [`host`](Self::host).
    pub fn wrap_disk<D: Disk + 'static>(self, wrap: impl FnOnce(Arc<dyn Disk>) -> D) -> Self {
        let own = self.disk_or_default();
        self.disk(wrap(own))
    }

    /// Sets the system that the engine runs on. Names then compare as on most players' disks there: on
    /// Windows and macOS without regard to case. The default is this system and the disk as it is.
    ///
    /// ```
    /// # use quakefs::SearchPath;
    /// # use quakefs::disk::MemoryDisk;
    /// # use quakefs::rules::Host;
    /// let disk = MemoryDisk::new();
    /// disk.insert("quake/Id1/AutoExec.cfg", "echo")?;
    /// let quake = SearchPath::builder("quake").disk(disk).host(Host::Windows).mount()?;
    /// let file = quake.find("autoexec.cfg").expect("Windows ignores case");
    /// assert_eq!(file.stored(), "AutoExec.cfg");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host(mut self, host: Host) -> Self {
        self.host = Some(host);
        self
    }

    /// Sets the engine. The default is [`Engine::QuakeSpasm`].
    #[inline]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.rules = SharedRules::Row(engine.rules());
        self.refused = None;
        self
    }

    /// Sets the rules directly, instead of an engine.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.refused = rules.validate().into_iter().find(RulesFault::leaves_root);
        self.rules = SharedRules::Own(Arc::new(rules));
        self
    }

    /// Adds a mission flag without its dash, such as `hipnotic`, `rogue` or `quoth`. A flag that the engine
    /// does not know becomes a [`Finding`](crate::Finding).
    /// [`GameCommand::read`](crate::rules::GameCommand::read) reads flags and games from a console line.
    pub fn mission(mut self, flag: impl Into<String>) -> Self {
        self.line.missions.push(flag.into());
        self
    }

    /// Adds a game, like `-game NAME`. If several are added, low to high, the engine's rules decide which of
    /// them it uses. A game that is not used becomes a [`Finding`](crate::Finding), and so does one that does
    /// not exist, unless [`refuse_missing_games`](Self::refuse_missing_games) is called.
    pub fn game(mut self, name: impl Into<String>) -> Self {
        self.line.games.push(name.into());
        self
    }

    /// Sets the game that a server names, in place of the games of the command line. For `QuakeWorld` and
    /// other engines whose protocol names a game.
    ///
    /// ```
    /// # use quakefs::Engine;
    /// # let builder = testutils::search_path::game_in_memory("id1/: a.cfg; qw/: b.cfg; ctf/: c.cfg");
    /// # let builder = builder.engine(Engine::QuakeWorld);
    /// let quake = builder.server_game("ctf").mount()?;
    /// assert_eq!(quake.find("c.cfg").unwrap().layer().name(), "ctf/");
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn server_game(mut self, name: impl Into<String>) -> Self {
        self.line.server_game = Some(name.into());
        self
    }

    /// Removes all games and missions: those of the command line, of settings such as `fs_game`, and the
    /// server's. For another game in [`SearchPath::remount_with`](crate::SearchPath::remount_with).
    ///
    /// ```
    /// # let builder = testutils::search_path::game_in_memory("id1/: a.cfg; a/: b.cfg; b/: b.cfg");
    /// let quake = builder.game("a").mount()?;
    /// let quake = quake.remount_with(|builder| builder.without_games().game("b"))?;
    /// assert_eq!(quake.copies("b.cfg").len(), 1);
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn without_games(mut self) -> Self {
        let settings = &self.rules.directories.settings;
        let is_game = |name: &str| {
            settings.iter().any(|setting| matches!(setting, Setting::Game(_)) && setting.is_called(name))
        };
        self.line.settings.retain(|(name, _)| !is_game(name));
        self.line.games.clear();
        self.line.missions.clear();
        self.line.server_game = None;
        self
    }

    /// Makes each mount fail if a game would not be used: with
    /// [`ErrorKind::MissingGame`](crate::ErrorKind::MissingGame) if its folder does not exist, and with
    /// [`ErrorKind::UnusedGame`](crate::ErrorKind::UnusedGame) if the engine ignores it. For a console, where
    /// the name may be mistyped, and for a console command that [refuses such a
    /// game](crate::rules::GameCommand::must_exist). Without this call, a missing game has no files yet,
    /// because an engine creates the folder when it writes.
    ///
    /// ```
    /// # let game = "id1/: a.cfg; mymod/: b.cfg";
    /// # let builder = testutils::search_path::game_in_memory(game).refuse_missing_games();
    /// let error = builder.game("mymood").mount().unwrap_err();
    /// let quakefs::ErrorKind::MissingGame { nearest, .. } = error.kind() else { panic!("{error}") };
    /// assert_eq!(nearest.as_deref(), Some("mymod"));
    /// ```
    pub fn refuse_missing_games(mut self) -> Self {
        self.refuses_missing_games = true;
        self
    }

    /// Sets a named setting of the engine, like `+set NAME VALUE`: see
    /// [`Directories::settings`](crate::rules::Directories::settings). If the engine has no such setting,
    /// each mount fails with [`ErrorKind::UnknownSetting`](crate::ErrorKind::UnknownSetting).
    ///
    /// ```
    /// # let builder = testutils::search_path::game_in_memory("baseq3/: a.cfg; ta/: b.cfg");
    /// let quake = builder.engine(quakefs::Engine::IoQuake3).set("fs_basegame", "ta").mount()?;
    /// assert_eq!(quake.find("b.cfg").unwrap().layer().name(), "ta/");
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn set(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.line.settings.push((name.into(), value.into()));
        self
    }

    /// Adds the base directories, missions, games and settings of a command line.
    ///
    /// ```no_run
    /// use quakefs::rules::CommandLine;
    /// use quakefs::{Builder, Engine};
    /// let line = CommandLine::read(Engine::QuakeSpasm.rules(), std::env::args().skip(1));
    /// let quake = Builder::new().engine(Engine::QuakeSpasm).command_line(&line).mount()?;
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn command_line(mut self, line: &CommandLine) -> Self {
        self.bases.extend(line.bases.iter().map(PathBuf::from));
        self.line.base_games.extend_from_slice(&line.base_games);
        self.line.missions.extend_from_slice(&line.missions);
        self.line.games.extend_from_slice(&line.games);
        self.line.server_game = line.server_game.clone().or(self.line.server_game);
        self.line.settings.extend_from_slice(&line.settings);
        self
    }

    /// Replaces the engine's base game directories, like `-basegame NAME`. Further calls add more. If the
    /// engine has no such flag, this becomes a [`Finding`](crate::Finding).
    pub fn base_game(mut self, name: impl Into<String>) -> Self {
        self.line.base_games.push(name.into());
        self
    }

    /// Adds another base directory. [`MoreBases`](crate::rules::MoreBases) tells whether the engine uses it
    /// and how its copies of the game directories rank. If it is unused or missing, this becomes a
    /// [`Finding`](crate::Finding).
    pub fn base_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.bases.push(path.as_ref().to_owned());
        self
    }

    /// Sets the home folder, in which the engine's [`UserDirectory`](crate::rules::UserDirectory) is found. A
    /// call of [`user_directory`](Self::user_directory) takes precedence.
    pub fn home(mut self, path: impl AsRef<Path>) -> Self {
        self.home = Some(path.as_ref().to_owned());
        self
    }

    /// Sets the user directory. Its copy of a game directory overrides the same directory in the base
    /// directories. [`SearchPath::write`](crate::SearchPath::write) writes there. The directory need not
    /// exist. The default is the engine's directory in [`home`](Self::home), if that is set.
    pub fn user_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.user = Some(path.as_ref().to_owned());
        self
    }

    /// Sets the folder of the engine's program. Some engines look there for their own archives or for the
    /// game: see [`ProgramFolder`](crate::rules::ProgramFolder). By default there is no such folder.
    pub fn program_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.program = Some(path.as_ref().to_owned());
        self
    }

    /// Adds a folder on top with its archives and loose files, by the rules for a game directory, as an
    /// engine's own `COM_AddGameDirectory` does: for the downloads of a server, or a second folder of the
    /// user. The engine does not write there.
    ///
    /// ```
    /// # let files = "quake/id1/: a.cfg; downloads/pak0.pak: b.cfg; downloads/pak2.pak: c.cfg";
    /// # let game = testutils::game(files);
    /// # let (base, downloads) = (game.join("quake"), game.join("downloads"));
    /// let quake = quakefs::SearchPath::builder(base).game_directory(downloads).mount()?;
    /// assert!(quake.find("b.cfg").is_some());
    /// assert!(quake.find("c.cfg").is_none(), "pak1.pak is missing");
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn game_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.pushed.push(Pushed::GameDirectory(path.as_ref().to_owned()));
        self
    }

    /// Adds the loose files of a folder on top. Archives in the folder are not loaded.
    pub fn folder(mut self, path: impl AsRef<Path>) -> Self {
        self.pushed.push(Pushed::Folder(path.as_ref().to_owned()));
        self
    }

    /// Adds an archive on top. Its layout is detected, and it is mapped or read like the other archives.
    pub fn archive(mut self, path: impl AsRef<Path>) -> Self {
        self.pushed.push(Pushed::Archive(path.as_ref().to_owned(), None));
        self
    }

    /// Adds an archive on top, opened with these options.
    pub fn archive_with(mut self, path: impl AsRef<Path>, options: OpenOptions) -> Self {
        self.pushed.push(Pushed::Archive(path.as_ref().to_owned(), Some(options)));
        self
    }

    /// Adds an archive in memory on top. The name is for messages. If it cannot be opened, `mount` returns
    /// the error.
    pub fn memory(mut self, name: impl Into<String>, archive: impl AsRef<[u8]> + Send + 'static) -> Self {
        let name = name.into();
        let opened = Archive::from_data(FileData::new(archive));
        let opened = opened.map_err(|error| error.in_archive(&*name));
        self.pushed.push(Pushed::Memory(name, opened));
        self
    }

    /// Adds an open archive or the caller's own [`Files`](crate::archive::Files) on top. The name is for
    /// messages.
    ///
    /// ```
    /// # use quakefs::archive::Row;
    /// # use quakefs::{Builder, Error, FileData};
    /// # struct OneFile;
    /// # impl quakefs::archive::Files for OneFile {
    /// #     fn len(&self) -> u32 { 1 }
    /// #     fn name(&self, _: u32) -> &[u8] { b"autoexec.cfg" }
    /// #     fn row(&self, _: u32) -> Row { Row::stored(4) }
    /// #     fn read(&self, _: u32) -> Result<FileData, Error> { Ok(FileData::from(b"echo".to_vec())) }
    /// # }
    /// let quake = Builder::new().files("builtin", OneFile).mount()?;
    /// assert_eq!(quake.read("autoexec.cfg")?, "echo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn files(mut self, name: impl Into<String>, archive: impl Into<Archive>) -> Self {
        self.pushed.push(Pushed::Memory(name.into(), Ok(archive.into())));
        self
    }

    /// Reads archives of game directories with this extension by the caller's function, for example into a
    /// [`Files`](crate::archive::Files). They are loaded in order with the others if
    /// [`Archives::sets`](crate::rules::Archives::sets) name the extension. The function gets the bytes of
    /// the archive.
    ///
    /// ```
    /// # use quakefs::disk::MemoryDisk;
    /// use quakefs::rules::ArchiveSet;
    /// use quakefs::{Archive, Engine, SearchPath};
    /// # let pak = |text: &str| testutils::pack(quakefs::Layout::Quake, [("autoexec.cfg", text)]);
    /// # let disk = MemoryDisk::new();
    /// # disk.insert("quake/id1/pak0.pak", pak("pak"))?;
    /// # disk.insert("quake/id1/pak0.grp", pak("grp"))?;
    /// let mut rules = Engine::WinQuake.rules().clone();
    /// if let ArchiveSet::Numbered { extensions, .. } = &mut rules.archives.sets.to_mut()[0] {
    ///     extensions.to_mut().push("grp".into());
    /// }
    /// let builder = SearchPath::builder("quake").disk(disk).rules(rules);
    /// let quake = builder.reader("grp", Archive::from_data).mount()?;
    /// assert_eq!(quake.read("autoexec.cfg")?, "grp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reader(
        mut self,
        extension: impl Into<String>,
        read: impl Fn(FileData) -> Result<Archive, Error> + Send + Sync + 'static,
    ) -> Self {
        self.readers.push(Reader { extension: extension.into(), read: Arc::new(read) });
        self
    }

    /// The caller's reader of an archive.
    pub(super) fn reader_of(&self, path: &Utf8Path) -> Option<&Reader> {
        let extension = path.extension()?;
        self.readers.iter().find(|reader| reader.extension.eq_ignore_ascii_case(extension))
    }

    /// Adds an archive at the bottom, such as an engine's built-in files. The name is for messages. Each
    /// further call adds one below the last. A base directory without a game is still an error.
    ///
    /// ```
    /// # let game = testutils::game("id1/: autoexec.cfg=echo");
    /// # let base = game.path();
    /// # let files = [("autoexec.cfg", "built in"), ("default.cfg", "built in")];
    /// # let bytes: &'static [u8] = Vec::leak(testutils::pack(quakefs::Layout::Quake, files));
    /// use quakefs::{Archive, SearchPath};
    /// let built_in = Archive::from_data(bytes.into())?; // of `include_bytes!`
    /// let quake = SearchPath::builder(base).built_in("built in", built_in).mount()?;
    /// assert_eq!(quake.read("default.cfg")?, "built in");
    /// assert_eq!(quake.read("autoexec.cfg")?, "echo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn built_in(mut self, name: impl Into<String>, archive: impl Into<Archive>) -> Self {
        self.below.push(Pushed::Memory(name.into(), Ok(archive.into())));
        self
    }

    /// Sets whether loose files are looked up on disk or listed once. The default is [`LooseFiles::Live`].
    pub fn loose_files(mut self, loose: LooseFiles) -> Self {
        self.loose = loose;
        self
    }

    /// Sets whether archives are mapped or read. The default is [`Access::Map`].
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Whether both builders open archives of game directories in the same way.
    pub(super) fn opens_like(&self, other: &Builder) -> bool {
        self.access == other.access
            && self.host_or_here() == other.host_or_here()
            && *self.rules == *other.rules
    }

    /// Stores the folder that relative paths start at, on the first mount.
    pub(super) fn anchor(&mut self, disk: &dyn Disk) {
        let pushed = self.pushed.iter().filter_map(|pushed| match pushed {
            Pushed::Folder(path) | Pushed::GameDirectory(path) | Pushed::Archive(path, _) => Some(path),
            Pushed::Memory(..) => None,
        });
        let bases = self.all_bases();
        let mut paths = bases.iter().chain(&self.home).chain(&self.user).chain(&self.program).chain(pushed);
        if self.from.is_none() && paths.any(|path| path.is_relative()) {
            self.from = disk.absolute(".".into()).ok().filter(|from| from.is_absolute());
        }
    }

    /// The rules for the system that the engine runs on.
    pub(super) fn rules_on_host(&self) -> SharedRules {
        match self.host {
            Some(host) => self.rules.for_host(host),
            None if cfg!(windows) => self.rules.for_host(Host::Windows),
            None => self.rules.clone(),
        }
    }

    /// The system that the engine runs on.
    pub(super) fn host_or_here(&self) -> Host {
        self.host.unwrap_or_else(Host::here)
    }

    /// The chosen disk, or the default.
    pub(crate) fn disk_or_default(&self) -> Arc<dyn Disk> {
        #[cfg(feature = "fs")]
        let default = || {
            // the same for all mounts, so that a later mount recognises the disk
            static SYSTEM: std::sync::LazyLock<Arc<dyn Disk>> =
                std::sync::LazyLock::new(|| Arc::new(crate::disk::SystemDisk));
            Arc::clone(&SYSTEM)
        };
        #[cfg(not(feature = "fs"))]
        let default = || Arc::new(crate::disk::Moved::default()) as Arc<dyn Disk>;
        self.disk.clone().unwrap_or_else(default)
    }

    /// The base directories, then the folders of settings such as `fs_steampath`, which are further ones.
    pub(super) fn all_bases(&self) -> Vec<PathBuf> {
        let settings = &self.rules.directories.settings;
        let further = self.line.values(settings, |setting| matches!(setting, Setting::BaseDirectory(_)));
        let mut bases = self.bases.clone();
        bases.extend(further.map(PathBuf::from));
        bases
    }

    /// The game that a server names, or else the last one.
    pub(crate) fn asked_game(&self) -> Option<&str> {
        self.line.server_game.as_ref().or(self.line.games.last()).map(|game| &**game)
    }

    pub(crate) fn has_game(&self) -> bool {
        let mut games = self.line.values(&self.rules.directories.settings, |setting| {
            matches!(setting, Setting::Game(_) | Setting::AboveBase(_) | Setting::AboveGames(_))
        });
        let line = &self.line;
        !line.games.is_empty()
            || !line.missions.is_empty()
            || line.server_game.is_some()
            || games.next().is_some()
    }
}
