//! The place of a download, as data that C reads.

use std::ffi::{CString, c_char};
use std::ptr::null;

use quakefs_game::{ChangeRow, EffectsRow, Options, Over, PartRow, Placed, StartRow, Surroundings};

use crate::border::{Failure, c_text, give, guard, guard_free, quakefs_status, reference, text};
use crate::options::{folder, parsed};
use crate::paths::Places;
use crate::search_path::{FindingText, quakefs_finding};

/// Files of a download that go to one folder for one reason. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_part {
    /// The folder in the download, such as "progs_dump/pd/"; empty for the download itself.
    pub from: *const c_char,
    /// The folder below the base directory, such as "pd/", or "id1/maps/" for levels.
    pub to: *const c_char,
    /// The reason, as a stable word: "as" for the name that was given, "folder" for the download's own
    /// folder, "text" for the author's text, "base" and "levels" for the base game, "name" for a guess from
    /// the file name.
    pub by: *const c_char,
    /// The line of the author's text that names the place; NULL for another reason.
    pub text: *const c_char,
    /// The game directory, if an option of the engine selects it; NULL if not.
    pub game: *const c_char,
    /// The number of files.
    pub files: usize,
}

/// How a game directory of a download is started. Lists end with NULL. The struct has the same fields in all
/// versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_start {
    /// The words for the engine's command line, such as "-game", "pd", "+map", "start".
    pub words: *const *const c_char,
    /// The mission flags without the dash, for `missions` of the options.
    pub missions: *const *const c_char,
    /// The game directories, for `games` of the options.
    pub games: *const *const c_char,
    /// The level that the words start; NULL if none is known.
    pub level: *const c_char,
}

/// Where the files of a download go, and how it is started. It never changes. Texts are UTF-8 without
/// terminal control characters. Lists end with NULL. Later versions may add fields to the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_placement {
    /// The family of games that the download is for: "Quake", "Quake II", "Quake III" or "Half-Life".
    pub family: *const c_char,
    /// The parts of the download that go somewhere.
    pub parts: *const quakefs_part,
    /// The number of parts. If it is 0 and there are no `downloads`, `reason` is set.
    pub part_count: usize,
    /// How to start each game directory of the download.
    pub starts: *const quakefs_start,
    /// The number of starts.
    pub start_count: usize,
    /// The files that stay in the download, such as a text beside the folder of a mod.
    pub left: *const *const c_char,
    /// What is unclear or could not be read, one sentence each.
    pub notes: *const *const c_char,
    /// Why no file goes anywhere, as a stable word: "empty", "texts", "loose", "textures", "source",
    /// "bad-name", "unknown". NULL if there are parts.
    pub nothing: *const c_char,
    /// The same as a sentence, or NULL.
    pub reason: *const c_char,
    /// Advice for a download that goes nowhere, or NULL.
    pub help: *const c_char,
    /// The engine that would load the download.
    pub engine: *const c_char,
    /// How many of the files are below the base directory already, with the same bytes.
    pub same: usize,
    /// The paths below the base directory of the files that are there with other bytes. quakefs does not
    /// replace them.
    pub different: *const *const c_char,
    /// The paths of a folder's ZIPs, each a download of its own.
    pub downloads: *const *const c_char,
}

/// A name that a file of a download would win.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_effect {
    /// The name, as text: a byte that is not UTF-8 is "\xNN".
    pub name: *const c_char,
    /// The layer that would have it.
    pub layer: *const c_char,
    /// The layer whose file it would override; NULL if the name is new.
    pub overrides: *const c_char,
}

/// What a download would change. Later versions may add fields to the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_effects {
    /// The names that it would win.
    pub changes: *const quakefs_effect,
    /// The number of names.
    pub change_count: usize,
    /// The warnings and errors that the game has only with the download.
    pub problems: *const quakefs_finding,
    /// The number of problems.
    pub problem_count: usize,
}

/// Effects with the memory that their pointers lead to.
#[repr(C)]
struct OwnedEffects {
    /// C has a pointer to this field, which is also the address of the whole.
    effects: quakefs_effects,
    _changes: Vec<quakefs_effect>,
    _problems: Vec<quakefs_finding>,
    _texts: Vec<FindingText>,
    _memory: Memory,
}

impl OwnedEffects {
    fn new(row: &EffectsRow) -> OwnedEffects {
        let mut memory = Memory::default();
        let change = |change: &ChangeRow| quakefs_effect {
            name: memory.text(&change.name),
            layer: memory.text(&change.layer),
            overrides: memory.optional(change.overrides.as_deref()),
        };
        let changes: Vec<_> = row.changes.iter().map(change).collect();
        let texts: Vec<_> = row.problems.iter().map(FindingText::new).collect();
        let problems: Vec<_> = texts.iter().map(FindingText::finding).collect();
        let effects = quakefs_effects {
            changes: changes.as_ptr(),
            change_count: changes.len(),
            problems: problems.as_ptr(),
            problem_count: problems.len(),
        };
        OwnedEffects { effects, _changes: changes, _problems: problems, _texts: texts, _memory: memory }
    }
}

/// A placement with the memory that its pointers lead to.
#[repr(C)]
struct Owned {
    /// C has a pointer to this field, which is also the address of the whole.
    placement: quakefs_placement,
    placed: Placed,
    _parts: Vec<quakefs_part>,
    _starts: Vec<quakefs_start>,
    _memory: Memory,
}

/// Texts and lists of texts for C.
#[derive(Default)]
struct Memory {
    texts: Vec<CString>,
    lists: Vec<Vec<*const c_char>>,
}

impl Memory {
    fn text(&mut self, text: &str) -> *const c_char {
        self.texts.push(c_text(text));
        self.texts.last().map_or(null(), |text| text.as_ptr())
    }

    /// NULL for `None`.
    fn optional(&mut self, text: Option<&str>) -> *const c_char {
        text.map_or(null(), |text| self.text(text))
    }

    fn list(&mut self, texts: &[String]) -> *const *const c_char {
        let list = texts.iter().map(|text| self.text(text)).chain([null()]).collect();
        self.lists.push(list);
        self.lists.last().map_or(null(), Vec::as_ptr)
    }
}

impl Owned {
    fn new(placed: Placed) -> Owned {
        let mut memory = Memory::default();
        let answer = &placed.answer;
        let part = |part: &PartRow| quakefs_part {
            from: memory.text(&part.from),
            to: memory.text(&part.to),
            by: memory.text(part.by),
            text: memory.optional(part.text.as_deref()),
            game: memory.optional(part.game.as_deref()),
            files: part.files.len(),
        };
        let parts: Vec<_> = answer.parts.iter().map(part).collect();
        let start = |start: &StartRow| quakefs_start {
            words: memory.list(&start.words),
            missions: memory.list(&start.missions),
            games: memory.list(&start.games),
            level: memory.optional(start.level.as_deref()),
        };
        let starts: Vec<_> = answer.starts.iter().map(start).collect();
        let existing = answer.existing.as_ref();
        let placement = quakefs_placement {
            family: memory.text(&answer.family),
            parts: parts.as_ptr(),
            part_count: parts.len(),
            starts: starts.as_ptr(),
            start_count: starts.len(),
            left: memory.list(&answer.left),
            notes: memory.list(&answer.notes),
            nothing: memory.optional(answer.nothing),
            reason: memory.optional(answer.reason.as_deref()),
            help: memory.optional(answer.help.as_deref()),
            engine: memory.text(&answer.engine),
            same: existing.map_or(0, |existing| existing.same),
            different: memory.list(existing.map_or(&[][..], |existing| &existing.different)),
            downloads: memory.list(&answer.downloads),
        };
        Owned { placement, placed, _parts: parts, _starts: starts, _memory: memory }
    }
}

/// Finds where the files of a download go, and how it is started. Nothing is written. On success, free
/// `*placement` with quakefs_free_placement; on failure it is NULL. A download that goes nowhere is not a
/// failure: it has no parts, and `reason` tells why.
///
/// - download: the path of an archive, a level, a demo, or a folder that was unpacked somewhere.
/// - base: the folder that contains id1, or NULL. A folder of the download belongs to a game directory there
///   with the same name. It is a failure if the folder lacks the game of the download.
/// - engine: the engine that will load the download, such as "ironwail". Its base game is used if the
///   download does not show the family of its game. NULL: the engine that the base directory shows, or one of
///   the family.
/// - name: the name of the game directory, or NULL to find it.
///
/// # Safety
/// The texts are NULL or end with NUL. `placement` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_place(
    download: *const c_char,
    base: *const c_char,
    engine: *const c_char,
    name: *const c_char,
    placement: *mut *const quakefs_placement,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a place for the pointer
        unsafe { give(placement, null()) };
        if placement.is_null() {
            return Err(Failure::argument("placement is NULL"));
        }
        let mut aliases = Places::default();
        // SAFETY: C passes texts that end with NUL
        let (download, base, engine, name) = unsafe {
            (
                folder(download, "download", &mut aliases)?,
                folder(base, "base", &mut aliases)?,
                text(engine, "engine")?,
                text(name, "name")?,
            )
        };
        let download = download.ok_or_else(|| Failure::argument("download is NULL"))?;
        let options = Options {
            bases: base.into_iter().collect(),
            engine: engine.map(parsed).transpose()?,
            ..Options::default()
        };
        let over = Over { name: name.map(str::to_owned), file: download };
        let placed = Placed::of(&options, &Surroundings::of(aliases.disk()), &over)?;
        let owned = Box::into_raw(Box::new(Owned::new(placed)));
        // SAFETY: not NULL
        unsafe { give(placement, owned.cast_const().cast()) };
        Ok(())
    })
}

/// What the engine would load differently with a download, and what would be wrong. It mounts the game
/// without and with the download; nothing is written. On success, free `*effects` with quakefs_free_effects;
/// on failure it is NULL. QUAKEFS_STATUS_NOT_FOUND if nothing is placed, or the base directory of
/// quakefs_place has no game.
///
/// # Safety
/// quakefs_place returned `placement`, and nobody freed it. `effects` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_effects_of(
    placement: *const quakefs_placement,
    effects: *mut *const quakefs_effects,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a place for the pointer
        unsafe { give(effects, null()) };
        if effects.is_null() {
            return Err(Failure::argument("effects is NULL"));
        }
        // SAFETY: the placement is the first field of an `Owned`
        let owned = unsafe { reference(placement.cast::<Owned>(), "placement") }?;
        let row = owned.placed.effects()?.ok_or_else(Failure::miss)?;
        let owned = Box::into_raw(Box::new(OwnedEffects::new(&row)));
        // SAFETY: not NULL
        unsafe { give(effects, owned.cast_const().cast()) };
        Ok(())
    })
}

/// Frees effects and their texts. Ignores NULL.
///
/// # Safety
/// `effects` is NULL, or quakefs_effects_of returned it and nobody freed it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free_effects(effects: *const quakefs_effects) {
    guard_free(|| {
        if !effects.is_null() {
            // SAFETY: the pointer came from `Box::into_raw`, and returns once
            drop(unsafe { Box::from_raw(effects.cast_mut().cast::<OwnedEffects>()) });
        }
        Ok(())
    });
}

/// Frees a placement and its texts. Ignores NULL.
///
/// # Safety
/// `placement` is NULL, or quakefs_place returned it and nobody freed it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free_placement(placement: *const quakefs_placement) {
    guard_free(|| {
        if !placement.is_null() {
            // SAFETY: the pointer came from `Box::into_raw`, and returns once
            drop(unsafe { Box::from_raw(placement.cast_mut().cast::<Owned>()) });
        }
        Ok(())
    });
}
