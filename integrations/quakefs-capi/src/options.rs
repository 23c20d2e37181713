//! The options from C, and the builder made from them.

use std::ffi::{c_char, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::path::Path;

use quakefs::archive::OpenOptions;
use quakefs::rules::{Host, Rules};
use quakefs::{Access, Builder, Engine, Layout, LooseFiles, SearchPath};

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
    /// The folder that contains id1. NULL to mount only `sources`, without games, missions or base games.
    pub base: *const c_char,
    /// The engine whose rules apply, such as "quakespasm"; NULL for "quakespasm". quakefs_engines lists the
    /// names.
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
    pub host: *const c_char,
    /// Archives and folders above the game directories, the lowest first.
    pub sources: *const quakefs_source,
    /// The number of sources.
    pub source_count: usize,
    /// An older search path. The mount shares its unchanged archives if the rules and flags are the same, so
    /// that another game does not open id1 again. It stays valid. NULL for none.
    pub before: *const quakefs_search_path,
    /// Called during the mount; NULL for none.
    pub progress: quakefs_progress,
    /// The argument `context` of `progress`.
    pub context: *mut c_void,
    /// Settings of the engine, such as "fs_basegame=missionpack". The rules of the engine list the names.
    pub settings: *const *const c_char,
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

/// Makes a builder from the options.
///
/// # Safety
/// The texts end with NUL, the lists with NULL, and `sources` leads to `source_count` of them.
pub(crate) unsafe fn builder(options: &quakefs_options) -> Result<Builder, Failure> {
    let mut places = Places::default();
    if options.flags & !FLAGS != 0 {
        return Err(Failure::argument("flags has bits that this version of the library does not know"));
    }
    // SAFETY: the caller promises it
    let sources = unsafe { sources(options) }?;
    // SAFETY: as above
    let mut builder = match unsafe { folder(options.base, "base", &mut places) }? {
        Some(base) => SearchPath::builder(base),
        None if sources.is_empty() => {
            return Err(Failure::argument("base is NULL, and there are no sources"));
        }
        None => Builder::new(),
    };
    // SAFETY: as above
    let (engine, rules) = unsafe { (text(options.engine, "engine")?, text(options.rules, "rules")?) };
    builder = match (engine, rules) {
        (None, None) => builder,
        (Some(engine), None) => builder.engine(parsed::<Engine>(engine)?),
        (None, Some(rules)) => builder.rules(rules_of(rules)?),
        (Some(_), Some(_)) => {
            return Err(Failure::argument(
                "engine and rules are both set: rules name the engine, as inherit",
            ));
        }
    };
    // SAFETY: as above
    if let Some(host) = unsafe { text(options.host, "host") }? {
        let unknown = |error| Failure::argument(format!("host is \"{host}\": {error}"));
        builder = builder.host(host.parse::<Host>().map_err(unknown)?);
    }
    // SAFETY: as above
    let more_bases = unsafe { list(options.more_bases) };
    let is_without_base = options.base.is_null() && more_bases.is_empty();
    for base in more_bases {
        // SAFETY: as above
        if let Some(base) = unsafe { folder(base, "a base directory", &mut places) }? {
            builder = builder.base_directory(base);
        }
    }
    let name = |name: *const c_char, what: &str| {
        // SAFETY: as above
        unsafe { text(name, what) }.map(Option::unwrap_or_default)
    };
    let folder_name = |folder: *const c_char, what: &str| {
        let renamed = |failure: Failure| Failure::argument(format!("{}: rename its folder", failure.text));
        name(folder, what).map_err(renamed)
    };
    // SAFETY: as above
    let (base_games, missions, games) =
        unsafe { (list(options.base_games), list(options.missions), list(options.games)) };
    let names = base_games.len() + missions.len() + games.len();
    if is_without_base && names > 0 {
        return Err(Failure::argument(
            "base is NULL: games, missions and base games are folders of a base directory",
        ));
    }
    for game in base_games {
        builder = builder.base_game(folder_name(game, "a base game")?);
    }
    for mission in missions {
        builder = builder.mission(name(mission, "a mission")?);
    }
    for game in games {
        builder = builder.game(folder_name(game, "a game")?);
    }
    // SAFETY: as above
    for setting in unsafe { list(options.settings) } {
        let setting = name(setting, "a setting")?;
        let Some((key, value)) = setting.split_once('=') else {
            return Err(Failure::argument(format!(
                "the setting \"{setting}\" has no value: expected NAME=VALUE"
            )));
        };
        builder = builder.set(key, value);
    }
    // SAFETY: as above
    if let Some(home) = unsafe { folder(options.home, "home", &mut places) }? {
        builder = builder.home(home);
    }
    // SAFETY: as above
    if let Some(user) = unsafe { folder(options.user_directory, "user_directory", &mut places) }? {
        builder = builder.user_directory(user);
    }
    let access = if options.flags & QUAKEFS_MAPPED != 0 { Access::Map } else { Access::Read };
    for source in sources {
        // SAFETY: as above
        builder = unsafe { put(builder, source, access, &mut places) }?;
    }
    if options.flags & QUAKEFS_GAMES_EXIST != 0 {
        builder = builder.refuse_missing_games();
    }
    if options.flags & QUAKEFS_LISTED != 0 {
        builder = builder.loose_files(LooseFiles::Listed);
    }
    builder = builder.access(access);
    Ok(match places.disk() {
        Some(disk) => builder.disk(disk),
        None => builder,
    })
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

/// Adds an archive or a folder on top.
///
/// # Safety
/// The texts end with NUL, and `bytes` is NULL or points to `size` bytes.
unsafe fn put(
    builder: Builder,
    source: &quakefs_source,
    access: Access,
    places: &mut Places,
) -> Result<Builder, Failure> {
    // SAFETY: the caller promises it
    let layout = unsafe { text(source.layout, "the layout of a source") }?;
    let layout = layout.map(parsed::<Layout>).transpose()?;
    let options = OpenOptions::new().access(access).layout(layout);
    if !source.bytes.is_null() {
        // SAFETY: as above
        let name = unsafe { text(source.path, "the name of a source") }?.unwrap_or("memory");
        if isize::try_from(source.size).is_err() {
            return Err(Failure::argument("the size of a source is no size"));
        }
        // SAFETY: as above
        let bytes = unsafe { std::slice::from_raw_parts(source.bytes.cast::<u8>(), source.size) };
        let archive = options.open_data(bytes.to_vec().into());
        return Ok(builder.files(name, archive.map_err(|error| error.in_archive(name))?));
    }
    // SAFETY: as above
    let path = unsafe { folder(source.path, "the path of a source", places) }?;
    let path = path.ok_or_else(|| Failure::argument("the path of a source is NULL"))?;
    let is_folder = places.real(&path).is_dir();
    Ok(if is_folder { builder.folder(path) } else { builder.archive_with(path, options) })
}

/// Converts a path from C to a path on the search path's disk. `None` for NULL.
///
/// # Safety
/// The pointer is NULL, or points to a text that ends with NUL.
pub(crate) unsafe fn folder(
    given: *const c_char,
    what: &str,
    places: &mut Places,
) -> Result<Option<std::path::PathBuf>, Failure> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises it
    let given: &Path = path(unsafe { bytes(given, what) }?, what)?;
    if given.as_os_str().is_empty() {
        return Err(Failure::argument(format!("{what} is empty: \".\" is the current folder")));
    }
    places.named(given).map(Some)
}

/// # Safety
/// `sources` points to `source_count` sources.
unsafe fn sources(options: &quakefs_options) -> Result<&[quakefs_source], Failure> {
    if options.source_count == 0 {
        return Ok(&[]);
    }
    if options.sources.is_null() || options.source_count > 65_535 {
        return Err(Failure::argument("sources is NULL, or source_count is too large"));
    }
    // SAFETY: the caller promises it
    Ok(unsafe { std::slice::from_raw_parts(options.sources, options.source_count) })
}

/// The pointers of a list that ends with NULL.
///
/// # Safety
/// The pointer is NULL, or points to such a list.
unsafe fn list(list: *const *const c_char) -> Vec<*const c_char> {
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
