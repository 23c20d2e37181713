//! What a stack is made of: collected, then mounted.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::Utf8PathBuf;

use crate::archive::{Archive, Files, OpenOptions};
use crate::data::FileData;
use crate::disk::{Access, Disk};
use crate::error::Error;
use crate::rules::{Engine, Host, Rules, RulesFault};
use crate::search_path::LooseFiles;

/// Collects what a [`SearchPath`](crate::SearchPath) is made of.
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
    /// The disk of the system where none is given.
    pub(crate) disk: Option<Arc<dyn Disk>>,
    /// The system at hand, and the disk as it is, where none is given.
    pub(crate) host: Option<Host>,
    /// The folder that relative paths begin at, which a program may leave between two mounts; `None` where there are none.
    pub(crate) from: Option<Utf8PathBuf>,
    /// The layers of the first one are named by their place in it.
    pub(crate) bases: Vec<PathBuf>,
    pub(crate) home: Option<PathBuf>,
    pub(crate) user: Option<PathBuf>,
    pub(crate) program: Option<PathBuf>,
    pub(crate) rules: Cow<'static, Rules>,
    /// Why a mount refuses the rules.
    pub(crate) refused: Option<RulesFault>,
    pub(crate) base_games: Vec<String>,
    pub(crate) missions: Vec<String>,
    pub(crate) games: Vec<String>,
    pub(crate) pushed: Vec<Pushed>,
    /// Archives below the game, the highest first.
    pub(crate) below: Vec<Pushed>,
    pub(crate) loose: LooseFiles,
    pub(crate) access: Access,
    /// Whether the caller mounts each game in turn, so that what stops the engine in another one is said there.
    pub(crate) is_one_of_many: bool,
}

/// A layer that the caller puts on top, or below all else.
#[derive(Debug, Clone)]
pub(crate) enum Pushed {
    Folder(PathBuf),
    /// An archive and how it is opened, if not as the others.
    Archive(PathBuf, Option<OpenOptions>),
    /// An archive in memory and its name, opened already; an error is that of the mount.
    Memory(String, Result<Archive, Error>),
}

impl Builder {
    /// Nothing yet: WinQuake's rules and the defaults.
    pub(crate) fn new() -> Self {
        Builder {
            disk: None,
            host: None,
            from: None,
            bases: Vec::new(),
            home: None,
            user: None,
            program: None,
            rules: Cow::Borrowed(Engine::WinQuake.rules()),
            refused: None,
            base_games: Vec::new(),
            missions: Vec::new(),
            games: Vec::new(),
            pushed: Vec::new(),
            below: Vec::new(),
            loose: LooseFiles::default(),
            access: Access::default(),
            is_one_of_many: false,
        }
    }

    /// The disk that all paths are asked on. The default is the system's; without the feature `fs` it is one that holds
    /// nothing.
    ///
    /// ```
    /// # use quakefs::SearchPath;
    /// # use quakefs::disk::MemoryDisk;
    /// let disk = MemoryDisk::new();
    /// disk.insert("quake/id1/autoexec.cfg", "echo")?;
    /// let quake = SearchPath::builder("quake").disk(disk).mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn disk(mut self, disk: impl Disk + 'static) -> Self {
        self.disk = Some(Arc::new(disk));
        self
    }

    /// Asks what the engine does with the same folders on a system of this kind, whose disks compare names as most players'
    /// do there: on Windows and macOS without case. The default is the system at hand, and the disk as it is.
    ///
    /// ```
    /// # use quakefs::SearchPath;
    /// # use quakefs::disk::MemoryDisk;
    /// # use quakefs::rules::Host;
    /// let disk = MemoryDisk::new();
    /// disk.insert("quake/Id1/AutoExec.cfg", "echo")?;
    /// let quake = SearchPath::builder("quake").disk(disk).host(Host::Windows).mount()?;
    /// let hit = quake.find("autoexec.cfg").expect("Windows ignores case");
    /// assert_eq!(hit.stored(), "AutoExec.cfg");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host(mut self, host: Host) -> Self {
        self.host = Some(host);
        self
    }

    /// Looks names up as this engine does. The default is [`Engine::WinQuake`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder(base).engine(Engine::QuakeSpasm).mount()?;
    /// assert_eq!(quake.rules().name, "quakespasm");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn engine(mut self, engine: Engine) -> Self {
        self.rules = Cow::Borrowed(engine.rules());
        self.refused = None;
        self
    }

    /// Looks names up as these rules say.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{Engine, SearchPath};
    /// let mut rules = Engine::QuakeSpasm.rules().clone();
    /// rules.name = "myengine".into();
    /// let quake = SearchPath::builder(base).rules(rules).mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules(mut self, rules: Rules) -> Self {
        // here, so that a program of engines alone holds no code that looks at rules
        self.refused = rules.validate().into_iter().find(RulesFault::leaves_root);
        self.rules = Cow::Owned(rules);
        self
    }

    /// Starts the engine with a mission flag, without its dash: `hipnotic`, `rogue`, `quoth`. A flag that the engine
    /// does not have is a [`Finding`](crate::Finding).
    ///
    /// ```no_run
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder("/games/quake").mission("hipnotic").mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mission(mut self, flag: impl Into<String>) -> Self {
        self.missions.push(flag.into());
        self
    }

    /// The same with several mission flags, as a line of the console has them: see
    /// [`GameCommand::read`](crate::rules::GameCommand::read).
    ///
    /// ```no_run
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder("/games/quake").missions(["hipnotic", "rogue"]).mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn missions(mut self, flags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.missions.extend(flags.into_iter().map(Into::into));
        self
    }

    /// Starts the engine with a game, `-game NAME`. May be called again: which of several count is the engine's rule.
    /// A game that does not exist or does not count is a [`Finding`](crate::Finding).
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{Engine, SearchPath};
    /// std::fs::create_dir(base.join("ad"))?;
    /// let quake = SearchPath::builder(base).game("ad").mount()?;
    /// assert_eq!(quake.layers().next().unwrap().name(), "ad/");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(mut self, name: impl Into<String>) -> Self {
        self.games.push(name.into());
        self
    }

    /// The same with several games, low to high.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # use quakefs::{Engine, SearchPath};
    /// for directory in ["id1", "ad", "mymod"] {
    ///     std::fs::create_dir(base.join(directory))?;
    /// }
    /// let quake = SearchPath::builder(base).engine(Engine::Ironwail).games(["ad", "mymod"]).mount()?;
    /// assert_eq!(quake.layers().next().unwrap().name(), "mymod/");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn games(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.games.extend(names.into_iter().map(Into::into));
        self
    }

    /// Starts the engine with another game directory in the place of its own base, `-basegame NAME`. May be called
    /// again. An engine that has no such flag makes this a [`Finding`](crate::Finding).
    ///
    /// ```no_run
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder("/games/quake").engine(Engine::Ironwail).base_game("rerelease").mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn base_game(mut self, name: impl Into<String>) -> Self {
        self.base_games.push(name.into());
        self
    }

    /// Another base directory beside the first one. May be called again. Whether another one counts, and where its
    /// copies of the game directories stand, is the engine's rule: [`MoreBases`](crate::rules::MoreBases). One that does
    /// not count or does not exist is a [`Finding`](crate::Finding).
    ///
    /// ```no_run
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder("/games/quake").base_directory("/home/me/quake").mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn base_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.bases.push(path.as_ref().to_owned());
        self
    }

    /// The user's home folder, below which the engine's rules have the
    /// [`UserDirectory`](crate::rules::UserDirectory). What [`user_directory`](Self::user_directory) names goes before.
    ///
    /// ```no_run
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder("/games/quake").engine(Engine::Ironwail).home("/home/me").mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn home(mut self, path: impl AsRef<Path>) -> Self {
        self.home = Some(path.as_ref().to_owned());
        self
    }

    /// The directory of the user's own: its copy of each game directory stands above those of the base directories.
    /// [`SearchPath::write`](crate::SearchPath::write) writes there. The directory need not exist. Without this call
    /// and without [`home`](Self::home) there is none.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder(base).user_directory(base.join("mine")).mount()?;
    /// assert_eq!(quake.user_directory().unwrap(), base.join("mine"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn user_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.user = Some(path.as_ref().to_owned());
        self
    }

    /// The folder of the engine's program, in which some engines look for archives of their own or for the game: see
    /// [`ProgramFolder`](crate::rules::ProgramFolder). Without this call there is none.
    ///
    /// ```no_run
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::builder("/games/quake2").engine(Engine::YQuake2).program_directory("/opt/yquake2").mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn program_directory(mut self, path: impl AsRef<Path>) -> Self {
        self.program = Some(path.as_ref().to_owned());
        self
    }

    /// Puts the loose files of a folder on top. Archives in the folder are not loaded.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::layers_only().folder(base.join("id1")).mount()?;
    /// assert_eq!(quake.read("autoexec.cfg")?, "echo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn folder(mut self, path: impl AsRef<Path>) -> Self {
        self.pushed.push(Pushed::Folder(path.as_ref().to_owned()));
        self
    }

    /// Puts an archive file on top, in the layout that its bytes show, mapped or read as the other archives are.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # use quakefs::{Engine, SearchPath};
    /// std::fs::write(base.join("try-this.pak"), pak.finish()?)?;
    /// let quake = SearchPath::builder(base).archive(base.join("try-this.pak")).mount()?;
    /// assert!(quake.find("maps/start.bsp").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn archive(mut self, path: impl AsRef<Path>) -> Self {
        self.pushed.push(Pushed::Archive(path.as_ref().to_owned(), None));
        self
    }

    /// Puts an archive file on top, opened as the options say.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # use quakefs::archive::OpenOptions;
    /// # use quakefs::{Layout, SearchPath};
    /// std::fs::write(base.join("try-this.pak"), pak.finish()?)?;
    /// let options = OpenOptions::new().layout(Layout::Quake);
    /// let quake = SearchPath::layers_only().archive_with(base.join("try-this.pak"), options).mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn archive_with(mut self, path: impl AsRef<Path>, options: OpenOptions) -> Self {
        self.pushed.push(Pushed::Archive(path.as_ref().to_owned(), Some(options)));
        self
    }

    /// Puts an archive in memory on top, under a name for messages.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # use quakefs::{Engine, SearchPath};
    /// let quake = SearchPath::layers_only().memory("unsaved.pak", pak.finish()?).mount()?;
    /// assert_eq!(quake.read("maps/start.bsp")?, "a level");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn memory(self, name: impl Into<String>, archive: impl AsRef<[u8]> + Send + 'static) -> Self {
        self.memory_with(name, archive, &OpenOptions::new())
    }

    /// Puts an archive in memory on top, opened as the options say.
    ///
    /// ```
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("maps/start.bsp", "a level")?;
    /// # use quakefs::archive::OpenOptions;
    /// # use quakefs::{Layout, SearchPath};
    /// let options = OpenOptions::new().layout(Layout::Quake);
    /// let quake = SearchPath::layers_only().memory_with("a.pak", pak.finish()?, &options).mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn memory_with(
        mut self,
        name: impl Into<String>,
        archive: impl AsRef<[u8]> + Send + 'static,
        options: &OpenOptions,
    ) -> Self {
        let name = name.into();
        let opened = Archive::from_data_with(FileData::new(archive), options);
        let opened = opened.map_err(|error| error.in_archive(&*name));
        self.pushed.push(Pushed::Memory(name, opened));
        self
    }

    /// Puts files of the caller's own on top, under a name for messages.
    ///
    /// ```
    /// # use quakefs::archive::Row;
    /// # use quakefs::{Error, FileData, SearchPath};
    /// # struct OneFile;
    /// # impl quakefs::archive::Files for OneFile {
    /// #     fn len(&self) -> u32 { 1 }
    /// #     fn name(&self, _: u32) -> &[u8] { b"autoexec.cfg" }
    /// #     fn row(&self, _: u32) -> Row { Row::stored(4) }
    /// #     fn read(&self, _: u32) -> Result<FileData, Error> { Ok(FileData::from(b"echo".to_vec())) }
    /// # }
    /// let quake = SearchPath::layers_only().files("builtin", OneFile).mount()?;
    /// assert_eq!(quake.read("autoexec.cfg")?, "echo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn files(mut self, name: impl Into<String>, files: impl Files + 'static) -> Self {
        self.pushed.push(Pushed::Memory(name.into(), Ok(Archive::from_files(files))));
        self
    }

    /// Puts an archive below all else, under a name for messages: what an engine has built in. Of several, the one that is put
    /// below last is the lowest. A base directory without a game is an error all the same.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    /// # pak.add("autoexec.cfg", "built in")?;
    /// # pak.add("default.cfg", "built in")?;
    /// # let bytes: &'static [u8] = Vec::leak(pak.finish()?);
    /// use quakefs::{Archive, SearchPath};
    /// let built_in = Archive::from_data(bytes.into())?; // of `include_bytes!`
    /// let quake = SearchPath::builder(base).below("built in", built_in).mount()?;
    /// assert_eq!(quake.read("default.cfg")?, "built in");
    /// assert_eq!(quake.read("autoexec.cfg")?, "echo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn below(mut self, name: impl Into<String>, archive: Archive) -> Self {
        self.below.push(Pushed::Memory(name.into(), Ok(archive)));
        self
    }

    /// Whether loose files are asked for on disk or listed. The default is [`LooseFiles::Live`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{LooseFiles, SearchPath};
    /// let quake = SearchPath::builder(base).loose_files(LooseFiles::Listed).mount()?;
    /// assert!(quake.find("autoexec.cfg").is_some()); // without asking the disk
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn loose_files(mut self, loose: LooseFiles) -> Self {
        self.loose = loose;
        self
    }

    /// Whether archives are mapped or read. The default is [`Access::Map`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let base = folder.path();
    /// # std::fs::create_dir(base.join("id1"))?;
    /// # std::fs::write(base.join("id1/autoexec.cfg"), "echo")?;
    /// # use quakefs::{Access, SearchPath};
    /// let quake = SearchPath::builder(base).access(Access::Read).mount()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Whether archives of game directories are opened in the same way.
    pub(super) fn opens_like(&self, other: &Builder) -> bool {
        self.access == other.access
            && self.host_or_here() == other.host_or_here()
            && self.rules == other.rules
    }

    /// Keeps where relative paths begin, the first time that it is mounted.
    pub(super) fn anchor(&mut self, disk: &dyn Disk) {
        let pushed = self.pushed.iter().filter_map(|pushed| match pushed {
            Pushed::Folder(path) | Pushed::Archive(path, _) => Some(path),
            Pushed::Memory(..) => None,
        });
        let mut paths =
            self.bases.iter().chain(&self.home).chain(&self.user).chain(&self.program).chain(pushed);
        if self.from.is_none() && paths.any(|path| path.is_relative()) {
            self.from = disk.absolute(".".into()).ok().filter(|from| from.is_absolute());
        }
    }

    /// The system that the engine is asked to run on.
    pub(super) fn host_or_here(&self) -> Host {
        self.host.unwrap_or(Host::here())
    }

    /// The disk that was given, or the default.
    pub(crate) fn disk_or_default(&self) -> Arc<dyn Disk> {
        #[cfg(feature = "fs")]
        let default = || {
            // one for all mounts, so that a later mount knows the disk again
            static SYSTEM: std::sync::LazyLock<Arc<dyn Disk>> =
                std::sync::LazyLock::new(|| Arc::new(crate::disk::SystemDisk));
            Arc::clone(&SYSTEM)
        };
        #[cfg(not(feature = "fs"))]
        let default = || Arc::new(crate::disk::MemoryDisk::new()) as Arc<dyn Disk>;
        self.disk.clone().unwrap_or_else(default)
    }

    pub(crate) fn has_game(&self) -> bool {
        !self.games.is_empty() || !self.missions.is_empty()
    }
}
