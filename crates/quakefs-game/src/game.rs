//! A game, from what a person said about it.

use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::OpenOptions;
use quakefs::disk::{Disk, FileKind, Overlay, folders_in, on_host};
use quakefs::findings::Severity;
use quakefs::rules::{Host, Rules};
use quakefs::sentences::{Help, Shell, counted, with_causes};
use quakefs::{Access, Builder, Engine, ErrorKind, SearchPath};
use quakefs_installed::{Download, PlaceOptions, Placement, place};

use crate::choose::{BaseBecause, Choices};
use crate::error::Error;
use crate::options::{Options, Over, Surroundings};

/// A mounted game: its search path, what was chosen for it and why, and what is worth to note.
///
/// The methods are the questions; their answers are rows with public fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Game {
    /// What the person said.
    pub options: Options,
    /// What was chosen.
    pub choices: Choices,
    /// How the options were understood, and what of them has no effect.
    pub notes: Vec<Note>,
    /// The search path.
    pub search_path: SearchPath,
    pub(crate) surroundings: Surroundings,
}

/// How options were understood, or which of them has no effect. `Display` prints the sentence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Note {
    /// The base directory is not the folder that the search began with.
    OtherBase {
        /// It.
        base: Utf8PathBuf,
        /// The game, if the folder is inside its directory.
        game: Option<String>,
        /// Other folders with a game, if it was found among folders below.
        others: Vec<Utf8PathBuf>,
    },
    /// No game was found, and there are more folders below than are searched.
    ManyFolders {
        /// How many were searched.
        searched: usize,
    },
    /// The folder has no game, so only its archives are mounted.
    ArchivesAlone {
        /// How many.
        archives: usize,
    },
    /// One of these archives cannot be opened.
    NotOpened {
        /// The archive.
        archive: Utf8PathBuf,
        /// Why.
        error: quakefs::Error,
    },
    /// The engine has no use for the folder of its program.
    NoProgramFolder {
        /// The engine.
        engine: String,
    },
    /// Where a download over the base directory is placed, or why it is not.
    Over {
        /// The download.
        over: Over,
        /// Its place.
        placement: Box<Placement>,
    },
    /// What is unclear about a download.
    OfOver {
        /// The download.
        file: Utf8PathBuf,
        /// The note.
        note: quakefs_installed::Note,
    },
    /// The engine does not search the folder in which a download is placed.
    NotSearched {
        /// The download.
        file: Utf8PathBuf,
        /// The engine.
        engine: String,
        /// The folder.
        game: String,
    },
    /// A named folder does not exist.
    NoFolder {
        /// The folder.
        folder: Utf8PathBuf,
    },
}

impl Note {
    /// The sentence for a reader. In a shell it names the option.
    #[must_use]
    pub fn sentence(&self, shell: Option<&dyn Shell>) -> String {
        match (self, shell) {
            (Note::Over { over, placement }, Some(_)) => {
                format!("{}: {}", over.file, placement.sentence(Some("--over")))
            }
            (Note::OtherBase { others, .. }, Some(shell)) => {
                let names = |other: &Utf8PathBuf| shell.quoted(&["--basedir", other.as_str()]);
                let names = others.first().map(names).map(|option| format!(": {option} names it"));
                format!("{self}{}", names.unwrap_or_default())
            }
            _ => self.to_string(),
        }
    }

    /// A note, or a warning.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Note::OtherBase { .. } => Severity::Note,
            Note::Over { placement, .. } if placement.nothing.is_none() => Severity::Note,
            Note::OfOver { note, .. } if note.is_remark() => Severity::Note,
            _ => Severity::Warning,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::OtherBase { base, game, others } => {
                write!(f, "the base directory is {base}")?;
                game.iter().try_for_each(|game| write!(f, ", and the game {game}"))?;
                match &others[..] {
                    [] => Ok(()),
                    [other] => write!(f, "; {other} contains a game too"),
                    [other, more @ ..] => {
                        let more = counted(more.len() as u64, "other folder", "other folders");
                        write!(f, "; {other} and {more} contain a game too")
                    }
                }
            }
            Note::ManyFolders { searched } => {
                let searched = quakefs::sentences::grouped(*searched as u64);
                write!(f, "no game was found: of the folders below only {searched} were searched")
            }
            Note::ArchivesAlone { archives } => {
                let only = counted(*archives as u64, "archive is", "archives are");
                write!(f, "the folder has no game directory: only its {only} mounted, by name")
            }
            Note::NotOpened { archive, error } => {
                write!(f, "{archive}: not mounted: {}", with_causes(error))
            }
            Note::NoProgramFolder { engine } => {
                write!(f, "{engine} does not look for files in the folder of its program")
            }
            Note::Over { over, placement } => write!(f, "{}: {placement}", over.file),
            Note::OfOver { file, note } => write!(f, "{file}: {note}"),
            Note::NotSearched { file, engine, game } => {
                write!(f, "{file}: {engine} does not search {game}/")
            }
            Note::NoFolder { folder } => write!(f, "{folder}: the folder does not exist"),
        }
    }
}

impl Help for Note {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        match self {
            Note::Over { placement, .. } => placement.nothing?.help(shell),
            Note::NotSearched { game, .. } => Some(match shell {
                Some(shell) => format!("name it with {}", shell.quoted(&["--game", game])),
                None => format!("choose the game {game}"),
            }),
            Note::NoFolder { .. } => Some("check its spelling and case".to_owned()),
            Note::ArchivesAlone { .. } | Note::ManyFolders { .. } => Some(match shell {
                Some(_) => "name the folder of the game with --basedir".to_owned(),
                None => "add the folder of the game".to_owned(),
            }),
            Note::NotOpened { error, .. } => error.help(shell),
            Note::NoProgramFolder { .. } => Some(match shell {
                Some(_) => "leave out --exedir".to_owned(),
                None => "name no folder of the program".to_owned(),
            }),
            Note::OtherBase { .. } | Note::OfOver { .. } => None,
        }
    }
}

/// A game before its mount: a [`Builder`] with everything that the options say.
///
/// A caller that has wishes of its own about the mount, such as mapped archives, changes the builder.
#[derive(Clone, Debug)]
#[must_use = "nothing is mounted before `mount`"]
#[non_exhaustive]
pub struct Prepared {
    /// The builder.
    pub builder: Builder,
    /// What was chosen.
    pub choices: Choices,
    /// How the options were understood.
    pub notes: Vec<Note>,
    options: Options,
    surroundings: Surroundings,
    overs: Vec<(Utf8PathBuf, Placement)>,
}

impl Game {
    /// Decides base directory, engine and game as [`Choices::of`] does, and mounts them. Archives are read by
    /// position.
    ///
    /// ```
    /// use quakefs_game::{Game, Options, Surroundings};
    ///
    /// # let folder = testutils::game("id1/: maps/start.bsp; mymod/: maps/start.bsp");
    /// # let base = folder.path();
    /// let games = vec!["mymod".to_owned()];
    /// let options = Options { bases: vec![base.to_owned()], games, ..Options::default() };
    /// let game = Game::open(&options, &Surroundings::default())?;
    /// assert_eq!(game.which("maps/start.bsp").file.unwrap().layer, "mymod/");
    /// # Ok::<(), quakefs_game::Error>(())
    /// ```
    ///
    /// # Errors
    /// The base directory has no game, an option names nothing that exists, a download cannot be read.
    pub fn open(options: &Options, surroundings: &Surroundings) -> Result<Game, Error> {
        Game::prepare(options, surroundings)?.mount()
    }

    /// Decides everything without the mount.
    ///
    /// # Errors
    /// No such game is installed, or a download cannot be read.
    pub fn prepare(options: &Options, surroundings: &Surroundings) -> Result<Prepared, Error> {
        Prepared::new(options, surroundings, Choices::of(options, surroundings)?)
    }

    /// The same game after a line at the engine's console, such as `game mymod`.
    ///
    /// # Errors
    /// [`ErrorKind::Console`] if the engine refuses the line, and as [`open`](Self::open).
    pub fn at_console(&self, line: &str) -> Result<Game, Error> {
        Ok(Game { search_path: self.search_path.at_console(line)?, ..self.clone() })
    }

    /// The same game with the present state of the disk. Unchanged archives are not opened again.
    ///
    /// # Errors
    /// As [`SearchPath::remount`].
    pub fn remount(&self) -> Result<Game, Error> {
        Ok(Game { search_path: self.search_path.remount()?, ..self.clone() })
    }

    /// The engine's rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.search_path.rules()
    }

    /// The paths on this computer of all archives of the game, including skipped ones. No output may replace
    /// them.
    #[must_use]
    pub fn archives(&self) -> Vec<Utf8PathBuf> {
        let loaded = self.search_path.layers().filter_map(|layer| layer.archive()?.system_path());
        let skipped = self.search_path.skipped().iter().map(|(_, path)| path.clone());
        loaded.chain(skipped).chain(self.options.over.iter().map(|over| over.file.clone())).collect()
    }
}

impl Prepared {
    /// Prepares the game of these choices, for example of [`Choices::with_archives`].
    ///
    /// # Errors
    /// As [`Game::prepare`].
    pub fn new(options: &Options, surroundings: &Surroundings, choices: Choices) -> Result<Prepared, Error> {
        let mut notes = Vec::new();
        let mut missing = |folder: &Option<Utf8PathBuf>| {
            let is_folder = |folder: &&Utf8PathBuf| is_folder(&*surroundings.disk, folder);
            let missing = folder.as_ref().filter(|folder| !is_folder(folder));
            notes.extend(missing.map(|folder| Note::NoFolder { folder: folder.clone() }));
        };
        missing(&options.user_directory);
        missing(&options.program_directory);
        notes.extend(choices.searched.map(|searched| Note::ManyFolders { searched }));
        if let Some(base) = choices.base.as_ref().filter(|_| choices.base_because.is_elsewhere()) {
            let (game, others) = (choices.game.clone(), choices.other_bases.clone());
            notes.push(Note::OtherBase { base: base.clone(), game, others });
        }
        let mut builder = match Engine::of(&choices.rules) {
            Some(engine) => Builder::new().engine(engine),
            None => Builder::new().rules(choices.rules.clone()),
        };
        builder = choices.base.iter().chain(&choices.more_bases).fold(builder, Builder::base_directory);
        if options.program_directory.is_some() && choices.rules.directories.program_folder.is_none() {
            notes.push(Note::NoProgramFolder { engine: choices.rules.name.to_string() });
        }
        #[cfg(feature = "stores")]
        let install = of_store(options, surroundings, &choices);
        #[cfg(feature = "stores")]
        if let Some(downloads) = install.as_ref().and_then(|install| install.downloads_of(&choices.rules)) {
            builder = builder.base_directory(downloads);
        }
        let (disk, overs) = over(options, surroundings, &choices, &mut notes)?;
        builder = builder.disk(Arc::clone(&disk)).access(Access::Read);
        if let Some(host) = options.on {
            builder = builder.host(host);
        }
        if options.games_exist {
            builder = builder.refuse_missing_games();
        }
        if let Some(home) = surroundings.home.as_ref().filter(|_| !options.no_user_directory) {
            builder = builder.home(home);
            #[cfg(feature = "stores")]
            if let Some(place) = install.as_ref().and_then(|install| {
                install.user_directory(&choices.rules, options.on.unwrap_or(Host::here()))
            }) {
                builder = builder.user_directory(home.join(place));
            }
        }
        if let Some(program) = program_directory(options, surroundings, &choices.rules) {
            builder = builder.program_directory(program);
        }
        if let Some(user) = &options.user_directory {
            builder = builder.user_directory(user);
        }
        builder = options.base_games.iter().fold(builder, Builder::base_game);
        builder = options.missions.iter().fold(builder, Builder::mission);
        builder = options.settings.iter().fold(builder, |builder, (name, value)| builder.set(name, value));
        builder = choices.game.iter().chain(&options.games).fold(builder, Builder::game);
        // nobody named these, so one that is damaged does not cost the others
        let mut archives = choices.archives.clone();
        let opening = OpenOptions::new().access(Access::Read);
        let error_of = |path: &Utf8PathBuf| opening.open_on(&disk, path).err();
        let damaged: Vec<_> = archives.iter().map(error_of).collect();
        if damaged.iter().any(Option::is_none) {
            let mut damaged = damaged.into_iter();
            archives.retain(|archive| {
                let Some(error) = damaged.next().flatten() else { return true };
                notes.push(Note::NotOpened { archive: archive.clone(), error });
                false
            });
        }
        if choices.base_because == BaseBecause::Archives {
            notes.push(Note::ArchivesAlone { archives: archives.len() });
        }
        for path in archives.iter().chain(&options.mounts) {
            let at = disk.absolute(path).unwrap_or_else(|_| path.clone());
            builder = if is_folder(&*disk, &at) { builder.folder(path) } else { builder.archive(path) };
        }
        let (options, surroundings) = (options.clone(), surroundings.clone());
        Ok(Prepared { builder, choices, notes, options, surroundings, overs })
    }

    /// Mounts the game.
    ///
    /// # Errors
    /// As [`Game::open`].
    pub fn mount(self) -> Result<Game, Error> {
        self.mount_with(Builder::mount)
    }

    /// Mounts the game by the caller's own call, for example of [`Builder::mount_after`].
    ///
    /// # Errors
    /// As [`Game::open`].
    pub fn mount_with(
        self,
        mount: impl FnOnce(Builder) -> Result<SearchPath, quakefs::Error>,
    ) -> Result<Game, Error> {
        let Prepared { builder, choices, mut notes, options, surroundings, overs } = self;
        let search_path = mount(builder).map_err(|error| no_game_here(error, &options, &surroundings))?;
        let not_searched = overs.iter().filter_map(|(file, placement)| {
            let game = not_searched(placement, &search_path)?.to_owned();
            let engine = search_path.rules().name.to_string();
            Some(Note::NotSearched { file: file.clone(), engine, game })
        });
        notes.extend(not_searched);
        Ok(Game { options, choices, notes, search_path, surroundings })
    }
}

/// The error of a mount, with the installed games if the folder was not named, or if it is a part of their
/// names.
fn no_game_here(error: quakefs::Error, options: &Options, surroundings: &Surroundings) -> Error {
    #[cfg(feature = "stores")]
    if let Some(word) = match (error.kind(), &*options.bases) {
        (ErrorKind::NoGameDirectory { because: None, .. }, []) => Some(""),
        (ErrorKind::NoBaseDirectory, [base]) => Some(base.as_str()),
        _ => None,
    } {
        let games = quakefs_installed::games_in(&surroundings.stores).games;
        let names = games.iter().map(ToString::to_string);
        let installed: Vec<_> = names.filter(|name| name.contains(word)).collect();
        if !installed.is_empty() {
            return Error::NoGameHere { error, installed };
        }
    }
    #[cfg(not(feature = "stores"))]
    let _ = (options, surroundings);
    Error::Quake(error)
}

/// The disk with the downloads over the base directory, and their places.
type OnDisk = (Arc<dyn Disk>, Vec<(Utf8PathBuf, Placement)>);

fn over(
    options: &Options,
    surroundings: &Surroundings,
    choices: &Choices,
    notes: &mut Vec<Note>,
) -> Result<OnDisk, Error> {
    let mut disk = Arc::clone(&surroundings.disk);
    let mut placed = Vec::new();
    if options.over.is_empty() {
        return Ok((disk, placed));
    }
    let base = choices.base.as_ref().ok_or(Error::OverWithoutBase)?;
    // the mount reports a missing base directory
    if !is_folder(&*disk, base) {
        return Ok((disk, placed));
    }
    // the downloads are on a disk of that system
    if let Some(host) = options.on {
        let at = disk.absolute(base).unwrap_or_else(|_| base.clone());
        disk = on_host(disk, host, [at]);
    }
    for over in &options.over {
        let download = Download::open(&surroundings.disk, &over.file)?;
        let mut directories = folders_in(&*disk, base).unwrap_or_default();
        directories.extend(options.games.iter().cloned());
        let name = over.name.as_deref();
        let engine = Some(&choices.rules);
        let options = PlaceOptions { engine, name, directories: &directories, ..PlaceOptions::default() };
        let placement = place(&download, &options);
        let file = &over.file;
        notes.push(Note::Over { over: over.clone(), placement: Box::new(placement.clone()) });
        let of_placement = placement.notes.iter();
        notes.extend(of_placement.map(|note| Note::OfOver { file: file.clone(), note: note.clone() }));
        let overlay = Overlay::new(placement.disk(), disk, base);
        disk = Arc::new(overlay.map_err(|error| quakefs::Error::io(base, "open", error))?);
        placed.push((file.clone(), placement));
    }
    Ok((disk, placed))
}

/// The folder of a download that the engine does not search, if it searches none of the download's.
fn not_searched<'p>(placement: &'p Placement, search_path: &SearchPath) -> Option<&'p str> {
    let mut directories = search_path.layers().filter_map(|layer| Some(&*layer.game_directory()?.name));
    let mut games = placement.parts.iter().filter_map(|part| part.to.split('/').next());
    let game = games.next()?;
    let is_searched =
        directories.any(|directory| directory == game || games.clone().any(|game| game == directory));
    (!is_searched).then_some(game)
}

/// The folder of the engine's program, named or else found in `PATH`, for an engine that looks for files
/// there.
fn program_directory(options: &Options, surroundings: &Surroundings, rules: &Rules) -> Option<Utf8PathBuf> {
    rules.directories.program_folder?;
    options.program_directory.clone().or_else(|| {
        let extension = if Host::here() == Host::Windows { ".exe" } else { "" };
        let program = format!("{}{extension}", rules.name);
        let mut programs = surroundings.programs.iter().map(|folder| folder.join(&program));
        let disk = &surroundings.disk;
        let is_file =
            |path: &Utf8PathBuf| disk.stat(path.as_std_path()).is_ok_and(|stat| stat.kind == FileKind::File);
        // follow links to the real folder
        let real = disk.real(programs.find(is_file)?.as_std_path()).ok()?;
        Some(Utf8PathBuf::from_path_buf(real).ok()?.parent()?.to_owned())
    })
}

/// The installed game of the base directory. Without a named base directory it is looked for only for an
/// engine that uses several.
#[cfg(feature = "stores")]
fn of_store(
    options: &Options,
    surroundings: &Surroundings,
    choices: &Choices,
) -> Option<quakefs_installed::Install> {
    let looks = choices.rules.directories.more_bases != quakefs::rules::MoreBases::Ignored;
    let here = || {
        let base = choices.base.as_ref().filter(|_| looks && options.bases.is_empty())?;
        quakefs_installed::games_in(&surroundings.stores).at(base.as_std_path()).cloned()
    };
    choices.install.clone().or_else(here)
}

fn is_folder(disk: &dyn Disk, folder: &Utf8Path) -> bool {
    disk.stat(folder.as_std_path()).is_ok_and(|stat| stat.kind == FileKind::Folder)
}

impl Error {
    /// Whether no game was found: the base directory has none, or there is nothing to mount.
    #[must_use]
    pub fn is_no_game(&self) -> bool {
        let (Error::Quake(error) | Error::NoGameHere { error, .. }) = self else { return false };
        matches!(error.kind(), ErrorKind::NoGameDirectory { .. } | ErrorKind::NothingToMount)
    }
}
