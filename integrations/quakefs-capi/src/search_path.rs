//! A mounted search path: its layers, listings, findings and changes.

use std::ffi::{CStr, CString, c_char, c_void};

use quakefs::camino::Utf8Path;
use quakefs::pak_format::name::unescape;
use quakefs::watch::ChangeKind;
use quakefs::{Engine, File, SearchPath};
use quakefs_game::{CheckOptions, FileRow, FindingRow, Game, Problem};

use crate::border::{Failure, bytes, c_text, give, guard, quakefs_status, reference, text};
use crate::paths::bytes_of;

/// A mounted game: the layers that an engine searches. It never changes, and any number of threads may use it
/// at the same time. The mount makes one owner, and each quakefs_retain another; each owner calls
/// quakefs_free once.
pub struct quakefs_search_path {
    pub(crate) game: Game,
    layers: Vec<OwnedLayer>,
    write_directory: Option<CString>,
    chosen: Chosen,
}

/// The texts of a choice, which C borrows from the search path.
struct Chosen {
    engine: CString,
    because: CString,
    reason: CString,
    base: CString,
    base_because: CString,
}

/// The texts of a layer, which C borrows from the search path.
struct OwnedLayer {
    name: CString,
    path: CString,
    directory: CString,
    kind: CString,
}

impl std::fmt::Debug for quakefs_search_path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.game.fmt(f)
    }
}

impl quakefs_search_path {
    pub(crate) fn of(game: Game) -> quakefs_search_path {
        let mounted = &game.search_path;
        let layers = mounted.layers().map(|layer| OwnedLayer {
            name: c_text(layer.name()),
            path: system_path(mounted, layer.path()),
            directory: c_text(layer.game_directory().map_or("", |directory| &directory.game)),
            kind: c_text(layer.kind().name()),
        });
        let layers = layers.collect();
        let write_directory = mounted.write_dir().map(|path| system_path(mounted, Some(path)));
        let row = game.chosen();
        let base = game.choices.base.as_deref();
        let base = base.and_then(|base| mounted.disk().absolute(base).ok());
        let chosen = Chosen {
            engine: c_text(&row.engine),
            because: c_text(row.because),
            reason: c_text(&row.reason),
            base: system_path(mounted, base.as_deref()),
            base_because: c_text(row.base_because),
        };
        quakefs_search_path { game, layers, write_directory, chosen }
    }

    pub(crate) fn mounted(&self) -> &SearchPath {
        &self.game.search_path
    }

    /// The path of a layer on this computer.
    pub(crate) fn path_of(&self, layer: u32) -> &[u8] {
        self.layers.get(layer as usize).map_or(&[], |layer| layer.path.as_bytes())
    }
}

/// A path on the search path's disk as a path on this computer; empty if other programs cannot open it.
fn system_path(search_path: &SearchPath, path: Option<&Utf8Path>) -> CString {
    let path = path.and_then(|path| search_path.disk().system_path(path.as_std_path())?.file());
    CString::new(path.as_deref().map_or(&[][..], bytes_of)).unwrap_or_default()
}

/// The number of the layer, and its path id.
pub(crate) fn layer_of(file: &File<'_>) -> (u32, u32) {
    let path_id = file.layer().game_directory().map_or(0, |directory| u32::from(directory.rank));
    (u32::try_from(file.layer().index()).unwrap_or(u32::MAX), path_id)
}

/// Which engine and which base directory a mount chose, and why. Its texts live as long as the search path,
/// and are UTF-8 except `base`. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_choice {
    /// The engine, such as "quakespasm".
    pub engine: *const c_char,
    /// Why, as a stable word: "named", "program", "game", "layout" or "default".
    pub because: *const c_char,
    /// The same as a sentence.
    pub reason: *const c_char,
    /// The base directory, in bytes of the system; empty if only archives and folders are mounted.
    pub base: *const c_char,
    /// Why, as a stable word: "named", "here", "above", "below", "archives" or "nothing".
    pub base_because: *const c_char,
}

/// Which engine and which base directory a mount chose, and why.
///
/// # Safety
/// `search_path` was mounted and not freed; `choice` points to memory for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_chosen(
    search_path: *const quakefs_search_path,
    choice: *mut quakefs_choice,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        if choice.is_null() {
            return Err(Failure::argument("choice is NULL"));
        }
        let Chosen { engine, because, reason, base, base_because } = &search_path.chosen;
        let found = quakefs_choice {
            engine: engine.as_ptr(),
            because: because.as_ptr(),
            reason: reason.as_ptr(),
            base: base.as_ptr(),
            base_because: base_because.as_ptr(),
        };
        // SAFETY: C passes memory for it
        unsafe { give(choice, found) };
        Ok(())
    })
}

/// A layer: one archive, or the loose files of one game directory. Its texts live as long as the search path,
/// and are UTF-8 except `path`. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_layer_info {
    /// The name, relative to the base directory: "id1/pak0.pak", "id1/".
    pub name: *const c_char,
    /// The path on this computer, in bytes of the system; empty for an archive in memory or in another
    /// archive.
    pub path: *const c_char,
    /// "pak", "zip" or "dir".
    pub kind: *const c_char,
    /// The game directory of the layer, such as "id1", also of a copy in the user directory; empty if it has
    /// none.
    pub directory: *const c_char,
    /// The rank of the game directory, from 1 for the lowest; engines call it path id. 0 if it has none.
    pub path_id: u32,
    /// The number of entries of an archive; 0 for loose files.
    pub entries: u64,
}

/// The number of layers; 0 for NULL.
///
/// # Safety
/// `search_path` is NULL, or was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_layer_count(search_path: *const quakefs_search_path) -> u32 {
    // SAFETY: C passes a live search path
    let search_path = unsafe { reference(search_path, "search_path") };
    search_path.map_or(0, |search_path| u32::try_from(search_path.layers.len()).unwrap_or(u32::MAX))
}

/// A layer by its number, 0 for the highest. A loop over all layers ends with QUAKEFS_STATUS_NOT_FOUND.
///
/// # Safety
/// `search_path` was mounted and not freed; `info` points to memory for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_layer(
    search_path: *const quakefs_search_path,
    number: u32,
    info: *mut quakefs_layer_info,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        if info.is_null() {
            return Err(Failure::argument("info is NULL"));
        }
        let layer = search_path.mounted().layers().nth(number as usize);
        let (Some(layer), Some(owned)) = (layer, search_path.layers.get(number as usize)) else {
            return Err(Failure::miss());
        };
        let found = quakefs_layer_info {
            name: owned.name.as_ptr(),
            path: owned.path.as_ptr(),
            kind: owned.kind.as_ptr(),
            directory: owned.directory.as_ptr(),
            path_id: layer.game_directory().map_or(0, |directory| u32::from(directory.rank)),
            entries: layer.archive().map_or(0, |archive| archive.entries().len()) as u64,
        };
        // SAFETY: C passes memory for it
        unsafe { give(info, found) };
        Ok(())
    })
}

/// The folder that the engine writes to: the highest game directory, or the one in the user directory if the
/// engine has one. It may be missing. NULL if no base directory is mounted. The text lives as long as the
/// search path.
///
/// # Safety
/// `search_path` is NULL, or was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_write_directory(search_path: *const quakefs_search_path) -> *const c_char {
    // SAFETY: C passes a live search path
    let search_path = unsafe { reference(search_path, "search_path") };
    let directory = search_path.ok().and_then(|search_path| search_path.write_directory.as_deref());
    directory.map_or(std::ptr::null(), CStr::as_ptr)
}

/// An engine that the library knows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_engine {
    /// The name for the options, such as "quakespasm".
    pub name: *const c_char,
    /// The program and version that the rules describe: "QuakeSpasm 0.95.1".
    pub version: *const c_char,
    /// Whether the tests compare with recorded answers of that program; if not, the rules follow documents
    /// and source.
    pub recorded: bool,
}

/// Called for each engine; return false to stop. `engine` is valid during the call. It must return normally.
pub type quakefs_each_engine =
    Option<unsafe extern "C" fn(context: *mut c_void, engine: *const quakefs_engine) -> bool>;

/// Lists all engines.
///
/// # Safety
/// `each` accepts the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_engines(each: quakefs_each_engine, context: *mut c_void) -> quakefs_status {
    guard(|| {
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        for engine in Engine::ALL {
            let (name, version) = (c_text(engine.name()), c_text(engine.as_of().version));
            let recorded = !engine.as_of().run.is_empty();
            let engine = quakefs_engine { name: name.as_ptr(), version: version.as_ptr(), recorded };
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const engine) } {
                break;
            }
        }
        Ok(())
    })
}

/// A file of the merged tree. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_listed {
    /// The name of the file, with a NUL. It may contain any other bytes: do not print it on a terminal
    /// unescaped.
    pub name: *const c_char,
    /// Length of the name, without the NUL.
    pub name_length: usize,
    /// Length of the content.
    pub size: u64,
    /// The number of the entry in its archive; -1 for a loose file.
    pub entry: i64,
    /// The number of the layer.
    pub layer: u32,
    /// The path id of the layer; 0 if it has none.
    pub path_id: u32,
}

/// Called for each file; return false to stop. `file` is valid during the call. It must return: neither
/// longjmp nor an exception may leave it.
pub type quakefs_each_file =
    Option<unsafe extern "C" fn(context: *mut c_void, file: *const quakefs_listed) -> bool>;

/// Lists each name once, sorted by bytes, with the layer of its winner.
///
/// `pattern` is a glob such as "maps/*.bsp", in UTF-8. `*` stops at `/`, `**` does not; case compares as in
/// the engine. NULL lists everything.
///
/// # Safety
/// `search_path` was mounted and not freed; `pattern` is NULL or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_list(
    search_path: *const quakefs_search_path,
    pattern: *const c_char,
    each: quakefs_each_file,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        // SAFETY: C passes a text, and a function of its type
        unsafe { list(search_path.mounted(), None, pattern, each, context) }
    })
}

/// Lists all copies of a file, the highest layer first: the winner, and the copies that it overrides.
/// quakefs_load_layer loads the first copy of a layer. A miss returns QUAKEFS_STATUS_NOT_FOUND.
///
/// # Safety
/// `search_path` was mounted and not freed; `name` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_copies(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    each: quakefs_each_file,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path and a name
        let (search_path, name) = unsafe { question(search_path, name) }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let copies = search_path.mounted().copies(name);
        if copies.is_empty() {
            return Err(Failure::miss());
        }
        let mut name = Vec::new();
        for copy in copies {
            let file = listed(&copy, copy.name().as_bytes(), &mut name);
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const file) } {
                break;
            }
        }
        Ok(())
    })
}

/// Lists the files of one layer by its number, 0 for the highest, sorted by bytes. It includes files that a
/// higher layer overrides.
///
/// # Safety
/// As quakefs_list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_list_layer(
    search_path: *const quakefs_search_path,
    number: u32,
    pattern: *const c_char,
    each: quakefs_each_file,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let layer = search_path.mounted().layers().nth(number as usize).ok_or_else(Failure::miss)?;
        let alone = search_path.mounted().keep_layers(|kept| kept.name() == layer.name())?;
        // SAFETY: C passes a text, and a function of its type
        unsafe { list(&alone, Some(number), pattern, each, context) }
    })
}

/// A row of an archive. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_entry {
    /// The name of the row, with a NUL, as in quakefs_listed. The name of a folder ends with a slash.
    pub name: *const c_char,
    /// Length of the name, without the NUL.
    pub name_length: usize,
    /// Length of the content.
    pub size: u64,
    /// Length of the payload in the archive.
    pub stored_size: u64,
    /// The number of the row, from 0.
    pub entry: i64,
    /// The CRC-32 of the content as stated by a ZIP; 0 in other archives.
    pub crc: u32,
    /// Whether the row is a folder. Only ZIP archives have such rows.
    pub is_folder: bool,
}

/// Called for each row; return false to stop. `entry` is valid during the call. It must return normally.
pub type quakefs_each_entry =
    Option<unsafe extern "C" fn(context: *mut c_void, entry: *const quakefs_entry) -> bool>;

/// Lists every row of the archive of a layer, in the archive's order: also folders, repeated names and names
/// that no request reaches. For checksums of pure servers, and for lists of an archive. A layer of loose
/// files has no rows.
///
/// # Safety
/// `search_path` was mounted and not freed; `each` accepts the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_entries(
    search_path: *const quakefs_search_path,
    number: u32,
    each: quakefs_each_entry,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let layer = search_path.mounted().layers().nth(number as usize).ok_or_else(Failure::miss)?;
        let mut name = Vec::new();
        for entry in layer.archive().into_iter().flat_map(quakefs::Archive::entries) {
            let row = entry.row();
            let name_length = with_nul(&mut name, entry.name().as_bytes());
            let entry = quakefs_entry {
                name: name.as_ptr().cast(),
                name_length,
                size: row.size,
                stored_size: row.stored_size,
                entry: i64::try_from(entry.index()).unwrap_or(-1),
                crc: row.crc.unwrap_or(0),
                is_folder: row.is_folder,
            };
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const entry) } {
                break;
            }
        }
        Ok(())
    })
}

/// Lists files. With a number, all count as files of that layer.
///
/// # Safety
/// `pattern` is NULL or ends with NUL; `each` accepts the context.
unsafe fn list(
    search_path: &SearchPath,
    number: Option<u32>,
    pattern: *const c_char,
    each: quakefs_each_file,
    context: *mut c_void,
) -> Result<(), Failure> {
    // SAFETY: the caller promises it
    let pattern = unsafe { text(pattern, "pattern") }?;
    let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
    let files = match pattern {
        Some(pattern) => search_path.glob(pattern)?,
        None => search_path.files(),
    };
    let mut name = Vec::new();
    for found in files {
        let listed = listed(&found, found.name().as_bytes(), &mut name);
        let file = quakefs_listed { layer: number.unwrap_or(listed.layer), ..listed };
        // SAFETY: the caller promises it
        if !unsafe { each(context, &raw const file) } {
            break;
        }
    }
    Ok(())
}

/// Makes the C struct of a file. The buffer owns the name.
pub(crate) fn listed(file: &File<'_>, name: &[u8], buffer: &mut Vec<u8>) -> quakefs_listed {
    let name_length = with_nul(buffer, name);
    let (layer, path_id) = layer_of(file);
    let (name, size, entry) = (buffer.as_ptr().cast(), file.size(), entry_of(file));
    quakefs_listed { name, name_length, size, entry, layer, path_id }
}

/// Makes the C struct of a row. The buffer owns the name.
pub(crate) fn listed_row(search_path: &SearchPath, row: &FileRow, buffer: &mut Vec<u8>) -> quakefs_listed {
    let name_length = with_nul(buffer, &unescape(&row.name));
    let directory = search_path.layers().nth(row.index).and_then(|layer| layer.game_directory());
    quakefs_listed {
        name: buffer.as_ptr().cast(),
        name_length,
        size: row.size,
        entry: row.entry.and_then(|entry| i64::try_from(entry).ok()).unwrap_or(-1),
        layer: u32::try_from(row.index).unwrap_or(u32::MAX),
        path_id: directory.map_or(0, |directory| u32::from(directory.rank)),
    }
}

/// Writes a name and a NUL, and returns the length of the name.
pub(crate) fn with_nul(buffer: &mut Vec<u8>, name: &[u8]) -> usize {
    buffer.clear();
    buffer.extend(name.iter().filter(|byte| **byte != 0));
    let length = buffer.len();
    buffer.push(0);
    length
}

pub(crate) fn entry_of(file: &File<'_>) -> i64 {
    file.entry().and_then(|entry| i64::try_from(entry).ok()).unwrap_or(-1)
}

/// How severe a finding is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum quakefs_severity {
    /// Worth knowing.
    Note = 0,
    /// Probably a mistake.
    Warning = 1,
    /// Something is lost, or the engine stops.
    Error = 2,
}

/// A problem of the game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_finding {
    /// The stable name of its kind: "gap", "overridden-loose". docs/findings.md lists all.
    pub kind: *const c_char,
    /// A sentence that names the place and the problem, in UTF-8 without terminal control characters.
    pub text: *const c_char,
    /// Advice, in the same form; may be empty.
    pub help: *const c_char,
    /// How severe it is.
    pub severity: quakefs_severity,
    /// Whether the engine stops with an error because of it.
    pub stops_engine: bool,
}

/// Called for each finding; return false to stop. `finding` is valid during the call. It must return
/// normally.
pub type quakefs_each_finding =
    Option<unsafe extern "C" fn(context: *mut c_void, finding: *const quakefs_finding) -> bool>;

/// Lists the problems of the mount: skipped archives, and files that cannot be read or reached. The call
/// quakefs_check finds more.
///
/// # Safety
/// `search_path` was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_findings(
    search_path: *const quakefs_search_path,
    each: quakefs_each_finding,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let findings = search_path.mounted().findings().map(|found| Problem::from(found.clone()));
        // SAFETY: C passes a function of its type, and its context
        unsafe { give_findings(findings, each, context) }
    })
}

/// Lists everything that is wrong with the game or probably a mistake, as the command `quakefs check` does:
/// findings that are alike are one. It lists the folders and reads overridden copies, which can take seconds
/// in a large game. A library with the feature "needs" also runs the game's program, and reports what its
/// levels lack.
///
/// # Safety
/// `search_path` was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_check(
    search_path: *const quakefs_search_path,
    each: quakefs_each_finding,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let problems = search_path.game.check(&CheckOptions::default()).problems;
        // SAFETY: C passes a function of its type, and its context
        unsafe { give_findings(problems, each, context) }
    })
}

/// Whether the engine starts, and whether anything is wrong: "starts" if all files were read and none is
/// missing or damaged, "starts-but", "not-enough" or "does-not-start". It reads as much as quakefs_check.
///
/// # Safety
/// `search_path` was mounted and not freed; `verdict` points to memory for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_verdict(
    search_path: *const quakefs_search_path,
    verdict: *mut *const c_char,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        if verdict.is_null() {
            return Err(Failure::argument("verdict is NULL"));
        }
        let word = match search_path.game.verdict().verdict {
            "starts" => c"starts",
            "starts-but" => c"starts-but",
            "does-not-start" => c"does-not-start",
            _ => c"not-enough",
        };
        // SAFETY: C passes memory for it
        unsafe { give(verdict, word.as_ptr()) };
        Ok(())
    })
}

/// Passes findings to C.
///
/// # Safety
/// `each` accepts the context.
unsafe fn give_findings(
    findings: impl IntoIterator<Item = Problem>,
    each: quakefs_each_finding,
    context: *mut c_void,
) -> Result<(), Failure> {
    let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
    for found in findings {
        let text = FindingText::new(&found.row(None));
        let finding = text.finding();
        // SAFETY: the caller promises it
        if !unsafe { each(context, &raw const finding) } {
            break;
        }
    }
    Ok(())
}

/// The texts of a finding.
pub(crate) struct FindingText {
    kind: CString,
    text: CString,
    help: CString,
    severity: quakefs_severity,
    stops_engine: bool,
}

impl FindingText {
    pub(crate) fn new(row: &FindingRow) -> Self {
        FindingText {
            kind: c_text(row.kind),
            text: c_text(&row.to_string()),
            help: c_text(row.help.as_deref().unwrap_or_default()),
            severity: match row.severity {
                "error" => quakefs_severity::Error,
                "warning" => quakefs_severity::Warning,
                _ => quakefs_severity::Note,
            },
            stops_engine: row.stops,
        }
    }

    pub(crate) fn finding(&self) -> quakefs_finding {
        quakefs_finding {
            kind: self.kind.as_ptr(),
            text: self.text.as_ptr(),
            help: self.help.as_ptr(),
            severity: self.severity,
            stops_engine: self.stops_engine,
        }
    }
}

/// The kind of a change.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum quakefs_change_kind {
    /// The name is new.
    Added = 0,
    /// The name is gone.
    Removed = 1,
    /// Its bytes differ, or may differ.
    Changed = 2,
    /// The same bytes, from another layer.
    Moved = 3,
}

/// A name whose winner differs between two search paths.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_change {
    /// The name and a NUL, as in quakefs_listed.
    pub name: *const c_char,
    /// Bytes of the name, without the NUL.
    pub name_length: usize,
    /// The kind of the change.
    pub kind: quakefs_change_kind,
}

/// Called for each change; return false to stop. `change` is valid during the call. It must return normally.
pub type quakefs_each_change =
    Option<unsafe extern "C" fn(context: *mut c_void, change: *const quakefs_change) -> bool>;

/// Lists the names to load again after `fresh` replaced `old`, sorted by bytes. Changed loose files are only
/// noticed if `old` was mounted with QUAKEFS_LISTED.
///
/// # Safety
/// Both search paths were mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_changes(
    fresh: *const quakefs_search_path,
    old: *const quakefs_search_path,
    each: quakefs_each_change,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes live search paths
        let (fresh, old) = unsafe { (reference(fresh, "fresh")?, reference(old, "old")?) };
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let mut name = Vec::new();
        for found in fresh.mounted().changes_since(old.mounted()) {
            let kind = match found.kind {
                ChangeKind::Added => quakefs_change_kind::Added,
                ChangeKind::Removed => quakefs_change_kind::Removed,
                ChangeKind::Moved => quakefs_change_kind::Moved,
                _ => quakefs_change_kind::Changed,
            };
            let length = with_nul(&mut name, found.name().as_bytes());
            let change = quakefs_change { name: name.as_ptr().cast(), name_length: length, kind };
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const change) } {
                break;
            }
        }
        Ok(())
    })
}

/// The arguments of a lookup.
///
/// # Safety
/// The search path was mounted and not freed; the name ends with NUL.
pub(crate) unsafe fn question<'a>(
    search_path: *const quakefs_search_path,
    name: *const c_char,
) -> Result<(&'a quakefs_search_path, &'a [u8]), Failure> {
    // SAFETY: the caller promises it
    unsafe { Ok((reference(search_path, "search_path")?, bytes(name, "name")?)) }
}
