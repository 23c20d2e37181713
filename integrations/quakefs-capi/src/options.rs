//! The options from C, and the builder made from them.

use std::ffi::{c_char, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::path::Path;

use quakefs::archive::OpenOptions;
use quakefs::camino::Utf8PathBuf;
use quakefs::disk::FileKind;
use quakefs::errors::utf8;
use quakefs::rules::Rules;
use quakefs::{Access, Archive, Builder, Layout, LooseFiles};
use quakefs_game::{Choices, EngineOn, Options, Over, Prepared, Surroundings, layout_of};

use crate::border::{Failure, bytes, text};
use crate::paths::{Places, path};
use crate::search_path::quakefs_search_path;

/// Lists all folders at the mount, so that a lookup makes no system call. quakefs_remount lists them again.
pub const QUAKEFS_LISTED: u32 = 1;

/// Maps archives instead of reading them by position, which saves a copy of the bytes. If another program
/// truncates a mapped archive, SIGBUS ends the process; without this flag the load fails.
pub const QUAKEFS_MAPPED: u32 = 2;

/// Fails with QUAKEFS_STATUS_NOT_MOUNTED if the folder of a game does not exist, for a console where its name
/// may be mistyped. Without this flag, the game is mounted, because the engine may be about to create the
/// folder.
pub const QUAKEFS_GAMES_EXIST: u32 = 4;

/// All flags of this version.
const FLAGS: u32 = QUAKEFS_LISTED | QUAKEFS_MAPPED | QUAKEFS_GAMES_EXIST;

/// An archive or a folder above the game directories.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_source {
    /// The path of an archive, or of a folder with loose files. If `bytes` is set, a name for messages, in
    /// UTF-8.
    pub path: *const c_char,
    /// The bytes of an archive in memory, which the mount copies; NULL for an archive on disk.
    pub bytes: *const c_void,
    /// The number of bytes.
    pub size: usize,
    /// The layout of an archive, such as "quake", "sin", "hrot" or "daikatana"; NULL to detect it.
    pub layout: *const c_char,
}

/// A download over the base directory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_over {
    /// The name of its game directory; NULL to find it, as quakefs_place does.
    pub name: *const c_char,
    /// The path of the archive, level, demo or unpacked folder.
    pub path: *const c_char,
}

/// Called before an archive of a game directory is opened or shared, with its name in UTF-8, the number of
/// archives before it, and the total. It must return.
pub type quakefs_progress =
    Option<unsafe extern "C" fn(context: *mut c_void, archive: *const c_char, done: usize, total: usize)>;

/// The game to mount. Set everything to zero, then `size`, then the fields that you need. The call borrows
/// all texts. Paths are in the encoding of the system, all other texts in UTF-8. Lists end with NULL;
/// NULL is an empty list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_options {
    /// sizeof(quakefs_options). A later version of the library reads no more bytes than this.
    pub size: usize,
    /// The folder that contains id1. NULL to look for it from `folder`, or to mount only `mounts`, without
    /// games, missions or base games.
    pub base: *const c_char,
    /// The engine whose rules apply, such as "quakespasm". quakefs_engines lists the names. NULL: the engine
    /// whose program is in the base directory, or the one that plays the game there, or "quakespasm".
    pub engine: *const c_char,
    /// The games, in the order of the -game options.
    pub games: *const *const c_char,
    /// The mission flags without the dash, such as "hipnotic".
    pub missions: *const *const c_char,
    /// The user directory, which may be missing. NULL for the engine's own directory in `home`, if `home` is
    /// set.
    pub user_directory: *const c_char,
    /// QUAKEFS_LISTED, QUAKEFS_MAPPED and QUAKEFS_GAMES_EXIST, joined by `|`.
    pub flags: u32,
    /// A rule file in TOML, instead of an engine: `inherit = "quakespasm"` and the differences, or a complete
    /// one from quakefs_engine_rules.
    pub rules: *const c_char,
    /// The user's home folder, in which the engine may have a user directory; NULL to ignore it.
    pub home: *const c_char,
    /// Further base directories. The engine's rules decide whether and where they are searched.
    pub more_bases: *const *const c_char,
    /// Game directories that replace the engine's base game, like the -basegame option.
    pub base_games: *const *const c_char,
    /// The system that the engine runs on: "linux", "macos" or "windows"; NULL for this one.
    pub on: *const c_char,
    /// Archives and folders above the game directories, the lowest first.
    pub mounts: *const quakefs_source,
    /// The number of mounts.
    pub mount_count: usize,
    /// An older search path. The mount shares its unchanged archives if the rules and flags are the same, so
    /// that another game does not open id1 again. It stays valid. NULL for none.
    pub before: *const quakefs_search_path,
    /// Called during the mount; NULL for none.
    pub progress: quakefs_progress,
    /// The argument `context` of `progress`.
    pub context: *mut c_void,
    /// Settings of the engine, such as "fs_basegame=missionpack". The rules of the engine list the names.
    pub settings: *const *const c_char,
    /// Where the game is looked for if `base` is NULL: there, in the folders above, in the folders below.
    /// NULL looks nowhere.
    pub folder: *const c_char,
    /// Downloads that are laid over the base directory, the lowest first. Nothing is unpacked.
    pub over: *const quakefs_over,
    /// The number of downloads.
    pub over_count: usize,
    /// The folder of the engine's program, in which some engines look for files; NULL for none.
    pub program_directory: *const c_char,
    /// The game that a server names, in place of `games`, for engines whose protocol names one. NULL: none.
    pub server_game: *const c_char,
    /// Folders above the engine's game directories and below `mounts`, each with its archives and loose files
    /// by the rules for a game directory, such as the downloads of a server. The lowest first.
    pub game_directories: *const *const c_char,
}

/// Copies the options. A program built with an older header passes a shorter struct: the rest becomes zero.
///
/// # Safety
/// The pointer is NULL, or points to `size` bytes.
pub(crate) unsafe fn filled(options: *const quakefs_options) -> Result<quakefs_options, Failure> {
    if options.is_null() {
        return Err(Failure::argument("options is NULL"));
    }
    // SAFETY: `size` comes first in every version
    let size = unsafe { options.cast::<usize>().read() };
    let whole = size_of::<quakefs_options>();
    // every field, with its padding, has the size of a pointer; an older header ends after one of them
    let ends_with_field = size.is_multiple_of(align_of::<quakefs_options>());
    let is_older = ends_with_field && (offset_of!(quakefs_options, engine)..whole).contains(&size);
    if !is_older && !(whole..=4096).contains(&size) {
        return Err(Failure::argument("options.size is not sizeof(quakefs_options)"));
    }
    // SAFETY: C filled `size` bytes
    let later = unsafe { std::slice::from_raw_parts(options.cast::<u8>(), size) }.iter().skip(whole);
    if later.into_iter().any(|byte| *byte != 0) {
        return Err(Failure::argument("options has fields that this version of the library does not know"));
    }
    let mut filled = MaybeUninit::<quakefs_options>::zeroed();
    // SAFETY: both have that many bytes
    unsafe { filled.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(options.cast(), size.min(whole)) };
    // SAFETY: any bytes are pointers and numbers
    Ok(unsafe { filled.assume_init() })
}

/// The options in Rust.
pub(crate) struct Asked {
    options: Options,
    surroundings: Surroundings,
    server_game: Option<String>,
    game_directories: Vec<Utf8PathBuf>,
    sources: Vec<Source>,
    access: Access,
    loose_files: LooseFiles,
}

/// An archive or a folder above the game directories.
enum Source {
    Memory(String, Archive),
    Path(Utf8PathBuf, Option<Layout>),
}

impl Asked {
    /// The game before its mount, under the engine of the options or under another one.
    pub(crate) fn prepare(&self, engine: Option<&EngineOn>) -> Result<Prepared, quakefs_game::Error> {
        let options = engine.map_or_else(|| self.options.clone(), |engine| engine.options(&self.options));
        // one that is no archive, or of a layout that is named, tells no layout by itself
        let layout = |source: &Source| match source {
            Source::Memory(_, archive) => archive.layout(),
            Source::Path(path, layout) => layout.or_else(|| layout_of(&self.surroundings.disk, path)),
        };
        let own: Vec<_> = self.sources.iter().map(layout).collect();
        let choices = Choices::with_archives(&options, &self.surroundings, &own)?;
        let mut prepared = Prepared::new(&options, &self.surroundings, choices)?;
        let disk = &self.surroundings.disk;
        let is_folder = |path: &Utf8PathBuf| {
            disk.stat(path.as_std_path()).is_ok_and(|stat| stat.kind == FileKind::Folder)
        };
        let put = |builder: Builder, source: &Source| match source {
            Source::Memory(name, archive) => builder.files(name, archive.clone()),
            Source::Path(path, _) if is_folder(path) => builder.folder(path),
            Source::Path(path, layout) => {
                builder.archive_with(path, OpenOptions::new().access(self.access).layout(*layout))
            }
        };
        prepared.builder = self.server_game.iter().fold(prepared.builder, Builder::server_game);
        prepared.builder = self.game_directories.iter().fold(prepared.builder, Builder::game_directory);
        prepared.builder = self.sources.iter().fold(prepared.builder, put);
        prepared.builder = prepared.builder.loose_files(self.loose_files).access(self.access);
        Ok(prepared)
    }
}

/// Reads the options.
///
/// # Safety
/// The texts end with NUL, the lists with NULL, and `mounts` and `over` lead to as many as their counts
/// tell.
pub(crate) unsafe fn asked(given: &quakefs_options) -> Result<Asked, Failure> {
    let mut places = Places::default();
    let is_set = |flag| given.flags & flag != 0;
    if is_set(!FLAGS) {
        return Err(Failure::argument("flags has bits that this version of the library does not know"));
    }
    // SAFETY: the caller promises it
    let (given_sources, overs) = unsafe {
        (
            slice(given.mounts, given.mount_count, "mounts is NULL, or mount_count is too large")?,
            slice(given.over, given.over_count, "over is NULL, or over_count is too large")?,
        )
    };
    let has_directories = !given.game_directories.is_null();
    if given.base.is_null() && given.folder.is_null() && given_sources.is_empty() && !has_directories {
        return Err(Failure::argument("base is NULL, and there are no mounts"));
    }
    // SAFETY: as above
    let (engine, rules) = unsafe { (text(given.engine, "engine")?, text(given.rules, "rules")?) };
    if engine.is_some() && rules.is_some() {
        return Err(Failure::argument("engine and rules are both set: rules name the engine, as inherit"));
    }
    let mut path = |path: *const c_char, what: &str| {
        // SAFETY: as above
        unsafe { folder(path, what, &mut places) }
    };
    let mut bases: Vec<_> = path(given.base, "base")?.into_iter().collect();
    // SAFETY: as above
    for base in unsafe { list(given.more_bases) } {
        bases.extend(path(base, "a base directory")?);
    }
    let name = |name: *const c_char, what: &str| {
        // SAFETY: as above
        unsafe { text(name, what) }.map(|name| name.unwrap_or_default().to_owned())
    };
    let folder_name = |folder: *const c_char, what: &str| {
        let renamed = |failure: Failure| Failure::argument(format!("{}: rename its folder", failure.text));
        name(folder, what).map_err(renamed)
    };
    // SAFETY: as above
    let directories = unsafe { list(given.game_directories) };
    let directories = directories.into_iter().map(|directory| path(directory, "a game directory"));
    let game_directories = directories.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let server_game = folder_name(given.server_game, "the server's game")?;
    let server_game = Some(server_game).filter(|game| !game.is_empty());
    let names = |of: *const *const c_char, one: &dyn Fn(*const c_char) -> Result<String, Failure>| {
        // SAFETY: as above
        unsafe { list(of) }.into_iter().map(one).collect::<Result<Vec<_>, _>>()
    };
    let mut options = Options {
        engine: engine.map(parsed).transpose()?,
        rules: rules.map(rules_of).transpose()?,
        games: names(given.games, &|game| folder_name(game, "a game"))?,
        missions: names(given.missions, &|mission| name(mission, "a mission"))?,
        base_games: names(given.base_games, &|game| folder_name(game, "a base game"))?,
        user_directory: path(given.user_directory, "user_directory")?,
        program_directory: path(given.program_directory, "program_directory")?,
        games_exist: is_set(QUAKEFS_GAMES_EXIST),
        ..Options::default()
    };
    let in_base = options.games.len()
        + options.missions.len()
        + options.base_games.len()
        + usize::from(server_game.is_some());
    if bases.is_empty() && given.folder.is_null() && in_base > 0 {
        return Err(Failure::argument(
            "base is NULL: games, missions and base games are folders of a base directory",
        ));
    }
    options.bases = bases;
    for setting in names(given.settings, &|setting| name(setting, "a setting"))? {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(Failure::argument(format!(
                "the setting \"{setting}\" has no value: expected NAME=VALUE"
            )));
        };
        options.settings.insert(key.to_owned(), value.to_owned());
    }
    // SAFETY: as above
    if let Some(host) = unsafe { text(given.on, "on") }? {
        let unknown = |error| Failure::argument(format!("on is \"{host}\": {error}"));
        options.on = Some(host.parse().map_err(unknown)?);
    }
    for over in overs {
        // SAFETY: as above
        let name = unsafe { text(over.name, "the name of a download") }?.map(str::to_owned);
        let file = path(over.path, "the path of a download")?;
        let file = file.ok_or_else(|| Failure::argument("the path of a download is NULL"))?;
        options.over.push(Over { name, file });
    }
    let (home, folder) = (path(given.home, "home")?, path(given.folder, "folder")?);
    let access = if is_set(QUAKEFS_MAPPED) { Access::Map } else { Access::Read };
    let loose_files = if is_set(QUAKEFS_LISTED) { LooseFiles::Listed } else { LooseFiles::Live };
    // SAFETY: as above
    let sources = given_sources.iter().map(|given| unsafe { source(given, access, &mut places) });
    let sources = sources.collect::<Result<_, _>>()?;
    let surroundings = Surroundings { home, folder, ..Surroundings::of(places.disk()) };
    Ok(Asked { options, surroundings, server_game, game_directories, sources, access, loose_files })
}

#[cfg(feature = "rules")]
fn rules_of(text: &str) -> Result<Rules, Failure> {
    Rules::from_toml(text).map_err(|error| Failure::argument(format!("rules: {error}")))
}

#[cfg(not(feature = "rules"))]
fn rules_of(_: &str) -> Result<Rules, Failure> {
    Err(without_rules())
}

#[cfg(not(feature = "rules"))]
pub(crate) fn without_rules() -> Failure {
    Failure::argument("this library was built without the feature \"rules\": set options.engine")
}

pub(crate) fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(|error: T::Err| Failure::argument(error.to_string()))
}

/// Reads an archive or a folder above the game directories.
///
/// # Safety
/// The texts end with NUL, and `bytes` is NULL or points to `size` bytes.
unsafe fn source(given: &quakefs_source, access: Access, places: &mut Places) -> Result<Source, Failure> {
    // SAFETY: the caller promises it
    let layout = unsafe { text(given.layout, "the layout of a source") }?;
    let layout = layout.map(parsed::<Layout>).transpose()?;
    if given.bytes.is_null() {
        // SAFETY: as above
        let path = unsafe { folder(given.path, "the path of a source", places) }?;
        let path = path.ok_or_else(|| Failure::argument("the path of a source is NULL"))?;
        return Ok(Source::Path(path, layout));
    }
    // SAFETY: as above
    let name = unsafe { text(given.path, "the name of a source") }?.unwrap_or("memory");
    if isize::try_from(given.size).is_err() {
        return Err(Failure::argument("the size of a source is no size"));
    }
    // SAFETY: as above
    let bytes = unsafe { std::slice::from_raw_parts(given.bytes.cast::<u8>(), given.size) };
    let archive = OpenOptions::new().access(access).layout(layout).open_data(bytes.to_vec().into());
    Ok(Source::Memory(name.to_owned(), archive.map_err(|error| error.in_archive(name))?))
}

/// Converts a path from C to a path on the search path's disk. `None` for NULL.
///
/// # Safety
/// The pointer is NULL, or points to a text that ends with NUL.
pub(crate) unsafe fn folder(
    given: *const c_char,
    what: &str,
    places: &mut Places,
) -> Result<Option<Utf8PathBuf>, Failure> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises it
    let given: &Path = path(unsafe { bytes(given, what) }?, what)?;
    if given.as_os_str().is_empty() {
        return Err(Failure::argument(format!("{what} is empty: \".\" is the current folder")));
    }
    Ok(Some(utf8(&places.named(given)?)?.to_owned()))
}

/// The values at a pointer.
///
/// # Safety
/// The pointer is NULL, or points to as many values.
unsafe fn slice<'c, T>(values: *const T, count: usize, fault: &str) -> Result<&'c [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if values.is_null() || count > 65_535 {
        return Err(Failure::argument(fault));
    }
    // SAFETY: the caller promises it
    Ok(unsafe { std::slice::from_raw_parts(values, count) })
}

/// The pointers of a list that ends with NULL.
///
/// # Safety
/// The pointer is NULL, or points to such a list.
pub(crate) unsafe fn list(list: *const *const c_char) -> Vec<*const c_char> {
    let mut found = Vec::new();
    let mut at = list;
    while !at.is_null() {
        // SAFETY: the list goes on up to its NULL
        let text = unsafe { at.read() };
        if text.is_null() {
            break;
        }
        found.push(text);
        // SAFETY: `at` is not the last one
        at = unsafe { at.add(1) };
    }
    found
}
