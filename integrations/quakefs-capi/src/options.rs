//! What is mounted: the options as C fills them, and the builder that they are.

use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::path::Path;

use quakefs::archive::OpenOptions;
use quakefs::rules::{Host, Rules};
use quakefs::{Access, Builder, Engine, Layout, LooseFiles, SearchPath};

use crate::border::{Failure, bytes, text};
use crate::paths::{Places, path};
use crate::search_path::quakefs_search_path;

/// Lists the folders at the mount, so that a lookup asks the disk for nothing. quakefs_remount lists them again.
pub const QUAKEFS_LISTED: u32 = 1;

/// Maps archives in place of reading them by position: a file is then copied once, from the page cache. A mapped archive that
/// another program cuts short ends the process by SIGBUS, where without this flag the load fails.
pub const QUAKEFS_MAPPED: u32 = 2;

/// Every flag that this version knows.
const FLAGS: u32 = QUAKEFS_LISTED | QUAKEFS_MAPPED;

/// An archive or a folder that stands above the game directories.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_source {
    /// The path of an archive, or of a folder whose loose files count. Where `bytes` is set, a name for messages, UTF-8.
    pub path: *const c_char,
    /// The bytes of an archive in memory, which are copied; NULL for one on disk.
    pub bytes: *const c_void,
    /// How many bytes there are.
    pub size: usize,
    /// The layout of an archive, such as "quake", "sin", "hrot" or "daikatana"; NULL for the one that its bytes show.
    pub layout: *const c_char,
}

/// Called before each archive of a game directory is opened, or shared with the search path before, with its name, UTF-8, how many came
/// before it and how many there are. It must return.
pub type quakefs_progress =
    Option<unsafe extern "C" fn(context: *mut c_void, archive: *const c_char, done: usize, total: usize)>;

/// What is mounted. Set everything to zero, then `size`, then what is wanted. The texts are borrowed for the call. Paths are the bytes
/// of the system, and all other texts UTF-8. Lists end with NULL, and NULL is an empty one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_options {
    /// sizeof(quakefs_options): a later version of the library reads no more than that.
    pub size: usize,
    /// The folder that holds id1; NULL where `sources` alone are mounted, and so no games, missions or base games.
    pub base: *const c_char,
    /// The engine whose rules count, such as "quakespasm"; NULL for "winquake". quakefs_engines lists the names.
    pub engine: *const c_char,
    /// The games, as -game names them, in order.
    pub games: *const *const c_char,
    /// The mission flags without the dash, such as "hipnotic".
    pub missions: *const *const c_char,
    /// The directory of the user's own, which need not exist; NULL for none, or for that of the engine below `home`.
    pub user_directory: *const c_char,
    /// QUAKEFS_LISTED, QUAKEFS_MAPPED, or both by `|`.
    pub flags: u32,
    /// The text of a rule file, TOML, in place of an engine: `inherit = "quakespasm"` and what differs, or a whole one as
    /// quakefs_engine_rules gives.
    pub rules: *const c_char,
    /// The user's home folder, below which the engine has a directory of the user's own; NULL where it is not looked at.
    pub home: *const c_char,
    /// Base directories beside the first. Whether they count, and where, is the engine's rule.
    pub more_bases: *const *const c_char,
    /// Game directories in place of the engine's own base, as -basegame names them.
    pub base_games: *const *const c_char,
    /// The system that the engine is asked to run on: "linux", "macos" or "windows"; NULL for the one at hand.
    pub host: *const c_char,
    /// What stands above the game directories, the lowest first.
    pub sources: *const quakefs_source,
    /// How many sources there are.
    pub source_count: usize,
    /// A search path whose archives are shared, where they did not change and are read under the same rules and flags: another game is
    /// mounted without opening id1 again. The search path stays as it is. NULL for none.
    pub before: *const quakefs_search_path,
    /// Called as the mount goes on; NULL for none.
    pub progress: quakefs_progress,
    /// What `progress` is called with.
    pub context: *mut c_void,
}

const NONE: quakefs_options = quakefs_options {
    size: 0,
    base: std::ptr::null(),
    engine: std::ptr::null(),
    games: std::ptr::null(),
    missions: std::ptr::null(),
    user_directory: std::ptr::null(),
    flags: 0,
    rules: std::ptr::null(),
    home: std::ptr::null(),
    more_bases: std::ptr::null(),
    base_games: std::ptr::null(),
    host: std::ptr::null(),
    sources: std::ptr::null(),
    source_count: 0,
    before: std::ptr::null(),
    progress: None,
    context: std::ptr::null_mut(),
};

/// The sizes that an older header may have: each ends with a field.
const ENDS: [usize; 15] = [
    offset_of!(quakefs_options, engine),
    offset_of!(quakefs_options, games),
    offset_of!(quakefs_options, missions),
    offset_of!(quakefs_options, user_directory),
    offset_of!(quakefs_options, flags),
    offset_of!(quakefs_options, rules),
    offset_of!(quakefs_options, home),
    offset_of!(quakefs_options, more_bases),
    offset_of!(quakefs_options, base_games),
    offset_of!(quakefs_options, host),
    offset_of!(quakefs_options, sources),
    offset_of!(quakefs_options, source_count),
    offset_of!(quakefs_options, before),
    offset_of!(quakefs_options, progress),
    offset_of!(quakefs_options, context),
];

/// The options, of which a program that was built with an older header has filled fewer bytes.
///
/// # Safety
/// The pointer is NULL, or leads to `size` bytes.
pub(crate) unsafe fn filled(options: *const quakefs_options) -> Result<quakefs_options, Failure> {
    if options.is_null() {
        return Err(Failure::argument("options is NULL"));
    }
    // SAFETY: `size` comes first in every version
    let size = unsafe { options.cast::<usize>().read() };
    let whole = size_of::<quakefs_options>();
    if !(ENDS.contains(&size) || (whole..=4096).contains(&size)) {
        return Err(Failure::argument("options.size is not sizeof(quakefs_options)"));
    }
    // SAFETY: C filled `size` bytes
    let later = unsafe { std::slice::from_raw_parts(options.cast::<u8>(), size) }.iter().skip(whole);
    if later.into_iter().any(|byte| *byte != 0) {
        return Err(Failure::argument("options has fields that this version of the library does not know"));
    }
    let mut filled = NONE;
    let length = size.min(whole);
    // SAFETY: both have that many bytes, and any bytes are pointers and numbers
    unsafe { std::ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut filled).cast::<u8>(), length) };
    Ok(filled)
}

/// The builder that the options are.
///
/// # Safety
/// The texts end with NUL, the lists with NULL, and `sources` leads to `source_count` of them.
pub(crate) unsafe fn builder(options: &quakefs_options) -> Result<Builder, Failure> {
    let mut places = Places::default();
    if options.flags & !FLAGS != 0 {
        return Err(Failure::argument("flags has bits that this version of the library does not know"));
    }
    // SAFETY: the caller says so
    let sources = unsafe { sources(options) }?;
    // SAFETY: as above
    let mut builder = match unsafe { folder(options.base, "base", &mut places) }? {
        Some(base) => SearchPath::builder(base),
        None if sources.is_empty() => {
            return Err(Failure::argument("base is NULL, and there are no sources"));
        }
        None => SearchPath::layers_only(),
    };
    // SAFETY: as above
    let (engine, rules) = unsafe { (text(options.engine, "engine")?, text(options.rules, "rules")?) };
    builder = match (engine, rules) {
        (None, None) => builder,
        (Some(engine), None) => builder.engine(parsed::<Engine>(engine)?),
        (None, Some(rules)) => {
            let rules = Rules::from_toml(rules);
            builder.rules(rules.map_err(|error| Failure::argument(format!("rules: {error}")))?)
        }
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
    if options.flags & QUAKEFS_LISTED != 0 {
        builder = builder.loose_files(LooseFiles::Listed);
    }
    builder = builder.access(access);
    Ok(match places.disk() {
        Some(disk) => builder.disk(disk),
        None => builder,
    })
}

pub(crate) fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(|error: T::Err| Failure::argument(error.to_string()))
}

/// Puts an archive or a folder on top.
///
/// # Safety
/// The texts end with NUL, and `bytes` is NULL or leads to `size` bytes.
unsafe fn put(
    builder: Builder,
    source: &quakefs_source,
    access: Access,
    places: &mut Places,
) -> Result<Builder, Failure> {
    // SAFETY: the caller says so
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
        return Ok(builder.memory_with(name, bytes.to_vec(), &options));
    }
    // SAFETY: as above
    let path = unsafe { folder(source.path, "the path of a source", places) }?;
    let path = path.ok_or_else(|| Failure::argument("the path of a source is NULL"))?;
    let is_folder = places.real(&path).is_dir();
    Ok(if is_folder { builder.folder(path) } else { builder.archive_with(path, options) })
}

/// A path that C gives, as the search path knows it; `None` for NULL.
///
/// # Safety
/// The pointer is NULL, or leads to a text that ends with NUL.
unsafe fn folder(
    given: *const c_char,
    what: &str,
    places: &mut Places,
) -> Result<Option<std::path::PathBuf>, Failure> {
    if given.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller says so
    let given: &Path = path(unsafe { bytes(given, what) }?, what)?;
    if given.as_os_str().is_empty() {
        return Err(Failure::argument(format!("{what} is empty: \".\" is the current folder")));
    }
    places.named(given).map(Some)
}

/// # Safety
/// `sources` leads to `source_count` of them.
unsafe fn sources(options: &quakefs_options) -> Result<&[quakefs_source], Failure> {
    if options.source_count == 0 {
        return Ok(&[]);
    }
    if options.sources.is_null() || options.source_count > 65_535 {
        return Err(Failure::argument("sources is NULL, or source_count is too large"));
    }
    // SAFETY: the caller says so
    Ok(unsafe { std::slice::from_raw_parts(options.sources, options.source_count) })
}

/// The pointers of a list that ends with NULL.
///
/// # Safety
/// The pointer is NULL, or leads to such a list.
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
