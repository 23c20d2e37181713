//! Mounting, and what a stack is made of.

use std::ffi::{CString, c_char, c_void};
use std::mem::offset_of;

use quakefs::findings::Severity;
use quakefs::watch::ChangeKind;
use quakefs::{Access, Engine, Hit, LooseFiles, SearchPath};
use quakefs_report::words::{self, Say as _};

use crate::border::{Failure, bytes, c_text, give, guard, guard_free, quakefs_status, reference, text};

/// A mounted game: the layers that an engine searches. It does not change, and any number of threads may ask one at the
/// same time; it is freed once, by quakefs_free, when no thread asks it any more.
pub struct quakefs_stack {
    pub(crate) search_path: SearchPath,
    layers: Vec<OwnedLayer>,
}

/// The texts of a layer, which C borrows from the stack.
struct OwnedLayer {
    name: CString,
    path: CString,
    directory: CString,
    kind: CString,
}

impl std::fmt::Debug for quakefs_stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.search_path.fmt(f)
    }
}

/// Lists the folders at the mount, so that a lookup asks the disk for nothing. quakefs_remount lists them again.
pub const QUAKEFS_LISTED: u32 = 1;

/// Maps archives in place of reading them by position: a file is then copied once, from the page cache. A mapped archive that
/// another program cuts short ends the process by SIGBUS, where without this flag the load fails.
pub const QUAKEFS_MAPPED: u32 = 2;

/// Every flag that this version knows.
const FLAGS: u32 = QUAKEFS_LISTED | QUAKEFS_MAPPED;

/// What is mounted. Set everything to zero, then `size`, then what is wanted. The texts are borrowed for the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_options {
    /// sizeof(quakefs_options): a later version of the library reads no more than that.
    pub size: usize,
    /// The folder that holds id1, UTF-8.
    pub base: *const c_char,
    /// The engine whose rules count, such as "quakespasm"; NULL for "winquake". `quakefs engines` lists the names.
    pub engine: *const c_char,
    /// The games, as -game names them, in order, and a NULL at the end; NULL for none.
    pub games: *const *const c_char,
    /// The mission flags without the dash, such as "hipnotic", and a NULL at the end; NULL for none.
    pub missions: *const *const c_char,
    /// The directory of the user's own, which need not exist; NULL for none.
    pub user_directory: *const c_char,
    /// QUAKEFS_LISTED, QUAKEFS_MAPPED, or both by `|`.
    pub flags: u32,
}

impl quakefs_stack {
    fn of(search_path: SearchPath) -> quakefs_stack {
        let layers = search_path.layers().map(|layer| OwnedLayer {
            name: c_text(layer.name()),
            path: CString::new(layer.path().unwrap_or_default().as_str()).unwrap_or_default(),
            directory: c_text(layer.game_directory().map_or("", |directory| &directory.name)),
            kind: c_text(layer.kind().name()),
        });
        let layers = layers.collect();
        quakefs_stack { search_path, layers }
    }

    /// The path of a layer as it is on disk.
    pub(crate) fn path_of(&self, layer: u32) -> &[u8] {
        self.layers.get(layer as usize).map_or(&[], |layer| layer.path.as_bytes())
    }
}

/// The number of a hit's layer, and its path id.
pub(crate) fn layer_of(hit: &Hit<'_>) -> (u32, u32) {
    let path_id = hit.layer().game_directory().map_or(0, |directory| u32::from(directory.rank));
    (u32::try_from(hit.layer().index()).unwrap_or(u32::MAX), path_id)
}

/// Mounts a game. On success, `*stack` is to be freed by quakefs_free; else it is NULL.
///
/// What the engine leaves out is no failure: quakefs_findings says it.
///
/// # Safety
/// `options` is NULL, or leads to `size` bytes whose texts end with NUL; `stack` leads to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_mount(
    options: *const quakefs_options,
    stack: *mut *mut quakefs_stack,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a place for the pointer
        unsafe { give(stack, std::ptr::null_mut()) };
        if stack.is_null() {
            return Err(Failure::argument("stack is NULL"));
        }
        // SAFETY: C filled `size` bytes
        let options = unsafe { options_of(options) }?;
        // SAFETY: C gives texts that end with NUL, and lists of them that end with NULL
        let (base, engine, user) = unsafe {
            (
                text(options.base, "base")?.ok_or_else(|| Failure::argument("base is NULL"))?,
                text(options.engine, "engine")?,
                text(options.user_directory, "user_directory")?,
            )
        };
        if base.is_empty() {
            return Err(Failure::argument("base is empty: \".\" is the current folder"));
        }
        if options.flags & !FLAGS != 0 {
            return Err(Failure::argument("flags has bits that this version of the library does not know"));
        }
        let mut builder = SearchPath::builder(base);
        if let Some(engine) = engine {
            let engine: Engine = engine
                .parse()
                .map_err(|error: quakefs::rules::UnknownEngine| Failure::argument(error.to_string()))?;
            builder = builder.engine(engine);
        }
        // SAFETY: as above
        for mission in unsafe { texts(options.missions, "a mission") }? {
            builder = builder.mission(mission);
        }
        // SAFETY: as above
        for game in unsafe { texts(options.games, "a game") }? {
            builder = builder.game(game);
        }
        if let Some(user) = user {
            builder = builder.user_directory(user);
        }
        if options.flags & QUAKEFS_LISTED != 0 {
            builder = builder.loose_files(LooseFiles::Listed);
        }
        let is_mapped = options.flags & QUAKEFS_MAPPED != 0;
        builder = builder.access(if is_mapped { Access::Map } else { Access::Read });
        let mounted = quakefs_stack::of(builder.mount()?);
        // SAFETY: not NULL
        unsafe { give(stack, Box::into_raw(Box::new(mounted))) };
        Ok(())
    })
}

/// The options, of which a program that was built with an older header has filled fewer bytes.
///
/// # Safety
/// The pointer is NULL, or leads to `size` bytes.
unsafe fn options_of(options: *const quakefs_options) -> Result<quakefs_options, Failure> {
    const NONE: quakefs_options = quakefs_options {
        size: 0,
        base: std::ptr::null(),
        engine: std::ptr::null(),
        games: std::ptr::null(),
        missions: std::ptr::null(),
        user_directory: std::ptr::null(),
        flags: 0,
    };
    /// The sizes that an older header may have had: each ends with a field.
    const ENDS: [usize; 5] = [
        offset_of!(quakefs_options, engine),
        offset_of!(quakefs_options, games),
        offset_of!(quakefs_options, missions),
        offset_of!(quakefs_options, user_directory),
        offset_of!(quakefs_options, flags),
    ];
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

/// The texts of a list that ends with NULL.
///
/// # Safety
/// The pointer is NULL, or leads to such a list, whose texts end with NUL.
unsafe fn texts<'a>(list: *const *const c_char, what: &str) -> Result<Vec<&'a str>, Failure> {
    let mut texts = Vec::new();
    let mut at = list;
    while !at.is_null() {
        // SAFETY: the list goes on up to its NULL
        let Some(text) = (unsafe { text(at.read(), what) })? else { break };
        texts.push(text);
        // SAFETY: `at` is not the last one
        at = unsafe { at.add(1) };
    }
    Ok(texts)
}

/// Mounts the same game as it is now: new archives, new game directories, new loose files. `stack` stays as it is and is
/// still to be freed; archives that did not change are shared. On success, `*fresh` is to be freed; else it is NULL.
///
/// # Safety
/// `stack` is one that was mounted and not freed; `fresh` leads to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_remount(
    stack: *const quakefs_stack,
    fresh: *mut *mut quakefs_stack,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a place for the pointer
        unsafe { give(fresh, std::ptr::null_mut()) };
        if fresh.is_null() {
            return Err(Failure::argument("fresh is NULL"));
        }
        // SAFETY: C gives a stack that was not freed
        let stack = unsafe { reference(stack, "stack") }?;
        let mounted = quakefs_stack::of(stack.search_path.remount()?);
        // SAFETY: not NULL
        unsafe { give(fresh, Box::into_raw(Box::new(mounted))) };
        Ok(())
    })
}

/// Frees a stack. NULL is nothing to free. Handles of quakefs_open stay open; the texts of its layers are gone.
///
/// # Safety
/// `stack` is NULL, or one that was mounted, was not freed, and is not asked by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free(stack: *mut quakefs_stack) {
    guard_free(|| {
        if !stack.is_null() {
            // SAFETY: the pointer came from `Box::into_raw`, and is given back once
            drop(unsafe { Box::from_raw(stack) });
        }
        Ok(())
    });
}

/// A layer: one archive, or the loose files of one game directory. The texts are UTF-8 and live as long as the stack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_layer_info {
    /// The name, relative to the base directory: "id1/pak0.pak", "id1/".
    pub name: *const c_char,
    /// Where the layer is on disk.
    pub path: *const c_char,
    /// "pak", "zip" or "dir".
    pub kind: *const c_char,
    /// The game directory that the layer belongs to, such as "id1"; empty where it belongs to none.
    pub directory: *const c_char,
    /// How high the game directory ranks, from 1 for the lowest: what engines call a path id. 0 where there is none.
    pub path_id: u32,
    /// How many entries an archive has; 0 for loose files.
    pub entries: u64,
}

/// How many layers the stack has; 0 for NULL.
///
/// # Safety
/// `stack` is NULL, or one that was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_layer_count(stack: *const quakefs_stack) -> u32 {
    // SAFETY: C gives a stack that was not freed
    let stack = unsafe { reference(stack, "stack") };
    stack.map_or(0, |stack| u32::try_from(stack.layers.len()).unwrap_or(u32::MAX))
}

/// A layer by its number, 0 for the highest.
///
/// # Safety
/// `stack` is one that was mounted and not freed; `info` leads to memory for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_layer(
    stack: *const quakefs_stack,
    number: u32,
    info: *mut quakefs_layer_info,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a stack that was not freed
        let stack = unsafe { reference(stack, "stack") }?;
        let layer = stack.search_path.layers().nth(number as usize);
        let (Some(layer), Some(owned)) = (layer, stack.layers.get(number as usize)) else {
            return Err(Failure::new(quakefs_status::NotFound, format!("there is no layer {number}")));
        };
        let found = quakefs_layer_info {
            name: owned.name.as_ptr(),
            path: owned.path.as_ptr(),
            kind: owned.kind.as_ptr(),
            directory: owned.directory.as_ptr(),
            path_id: layer.game_directory().map_or(0, |directory| u32::from(directory.rank)),
            entries: layer.entries().unwrap_or(0) as u64,
        };
        // SAFETY: C gives memory for it
        unsafe { give(info, found) };
        Ok(())
    })
}

/// A file of the merged tree.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_listed {
    /// The name that finds the file, and a NUL. Any bytes but NUL: print no name on a terminal as it is.
    pub name: *const c_char,
    /// Bytes of the name, without the NUL.
    pub name_length: usize,
    /// Bytes of content.
    pub size: u64,
    /// The number of the entry in its archive; -1 for a loose file.
    pub entry: i64,
    /// The number of the layer that serves the file.
    pub layer: u32,
    /// The rank of the game directory; 0 where there is none.
    pub path_id: u32,
}

/// Called for each file; false ends the listing. `file` is valid for the call. It must return: neither longjmp nor an
/// exception may leave it.
pub type quakefs_each_file =
    Option<unsafe extern "C" fn(context: *mut c_void, file: *const quakefs_listed) -> bool>;

/// Lists each name once, sorted by bytes, with the layer that serves it.
///
/// `pattern` is a glob such as "maps/*.bsp" (`*` stops at `/`, `**` does not); NULL lists everything.
///
/// # Safety
/// `stack` is one that was mounted and not freed; `pattern` is NULL or a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_list(
    stack: *const quakefs_stack,
    pattern: *const c_char,
    each: quakefs_each_file,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a stack that was not freed, and a text
        let (stack, pattern) = unsafe { (reference(stack, "stack")?, text(pattern, "pattern")?) };
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let files = match pattern {
            Some(pattern) => stack.search_path.glob(pattern)?,
            None => stack.search_path.files(),
        };
        let mut name = Vec::new();
        for hit in files {
            let length = with_nul(&mut name, hit.name().as_bytes());
            let (layer, path_id) = layer_of(&hit);
            let entry = entry_of(&hit);
            let file = quakefs_listed {
                name: name.as_ptr().cast(),
                name_length: length,
                size: hit.size(),
                entry,
                layer,
                path_id,
            };
            // SAFETY: C gives a function of this type, and the context that it wants
            if !unsafe { each(context, &raw const file) } {
                break;
            }
        }
        Ok(())
    })
}

/// Writes a name and a NUL, and gives the length of the name.
fn with_nul(buffer: &mut Vec<u8>, name: &[u8]) -> usize {
    buffer.clear();
    buffer.extend(name.iter().filter(|byte| **byte != 0));
    let length = buffer.len();
    buffer.push(0);
    length
}

pub(crate) fn entry_of(hit: &Hit<'_>) -> i64 {
    hit.entry().and_then(|entry| i64::try_from(entry).ok()).unwrap_or(-1)
}

/// How severe a finding is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum quakefs_severity {
    /// Worth to know.
    Note = 0,
    /// Probably not as its author meant it.
    Warning = 1,
    /// Something is lost, or the engine stops.
    Error = 2,
}

/// What is wrong or unexpected about the game.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_finding {
    /// The name of its kind, which stays the same in all versions: "gap", "hidden-loose".
    pub kind: *const c_char,
    /// A sentence: where it is, and what. UTF-8, without characters that steer a terminal.
    pub text: *const c_char,
    /// What to do about it, in the same form; empty where nothing is known.
    pub help: *const c_char,
    /// How severe it is.
    pub severity: quakefs_severity,
    /// Whether the engine stops with an error because of it.
    pub stops_engine: bool,
}

/// Called for each finding; false ends the list. `finding` is valid for the call, which must return.
pub type quakefs_each_finding =
    Option<unsafe extern "C" fn(context: *mut c_void, finding: *const quakefs_finding) -> bool>;

/// Says what was left out at the mount and why, and what cannot be read or reached.
///
/// # Safety
/// `stack` is one that was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_findings(
    stack: *const quakefs_stack,
    each: quakefs_each_finding,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a stack that was not freed
        let stack = unsafe { reference(stack, "stack") }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        for found in stack.search_path.findings() {
            let kind = c_text(found.kind.name());
            let text = c_text(&words::in_place(found));
            let help = c_text(found.say().help().unwrap_or_default());
            let severity = match found.severity {
                Severity::Error => quakefs_severity::Error,
                Severity::Warning => quakefs_severity::Warning,
                Severity::Note => quakefs_severity::Note,
            };
            let finding = quakefs_finding {
                kind: kind.as_ptr(),
                text: text.as_ptr(),
                help: help.as_ptr(),
                severity,
                stops_engine: found.stops_engine(),
            };
            // SAFETY: C gives a function of this type, and the context that it wants
            if !unsafe { each(context, &raw const finding) } {
                break;
            }
        }
        Ok(())
    })
}

/// What happened to a name.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum quakefs_change_kind {
    /// It was not served before.
    Added = 0,
    /// It is not served any more.
    Removed = 1,
    /// Its bytes differ, or may differ.
    Changed = 2,
    /// Another layer serves the same bytes.
    Moved = 3,
}

/// A name whose served copy differs between two stacks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_change {
    /// The name and a NUL, as in quakefs_listed.
    pub name: *const c_char,
    /// Bytes of the name, without the NUL.
    pub name_length: usize,
    /// What happened.
    pub kind: quakefs_change_kind,
}

/// Called for each change; false ends the list. `change` is valid for the call, which must return.
pub type quakefs_each_change =
    Option<unsafe extern "C" fn(context: *mut c_void, change: *const quakefs_change) -> bool>;

/// Says which names to load again after `old` gave way to `fresh`, sorted by bytes. A loose file that was edited between the two is
/// seen where `old` was mounted with QUAKEFS_LISTED.
///
/// # Safety
/// Both stacks were mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_changes(
    fresh: *const quakefs_stack,
    old: *const quakefs_stack,
    each: quakefs_each_change,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives stacks that were not freed
        let (fresh, old) = unsafe { (reference(fresh, "fresh")?, reference(old, "old")?) };
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let mut name = Vec::new();
        for found in fresh.search_path.changes_since(&old.search_path) {
            let kind = match found.kind {
                ChangeKind::Added => quakefs_change_kind::Added,
                ChangeKind::Removed => quakefs_change_kind::Removed,
                ChangeKind::Moved => quakefs_change_kind::Moved,
                _ => quakefs_change_kind::Changed,
            };
            let length = with_nul(&mut name, found.name().as_bytes());
            let change = quakefs_change { name: name.as_ptr().cast(), name_length: length, kind };
            // SAFETY: C gives a function of this type, and the context that it wants
            if !unsafe { each(context, &raw const change) } {
                break;
            }
        }
        Ok(())
    })
}

/// A name that is asked for, and the stack that is asked.
///
/// # Safety
/// The stack was mounted and not freed; the name ends with NUL.
pub(crate) unsafe fn question<'a>(
    stack: *const quakefs_stack,
    name: *const c_char,
) -> Result<(&'a quakefs_stack, &'a [u8]), Failure> {
    // SAFETY: the caller says so
    unsafe { Ok((reference(stack, "stack")?, bytes(name, "name")?)) }
}
