//! The place of a download, as data that C reads.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::sync::Arc;

use quakefs::camino::Utf8Path;
use quakefs::disk::{Disk, SystemDisk, folders_in};
use quakefs::errors::utf8;
use quakefs::sentences::Help as _;
use quakefs::{Engine, Error, ErrorKind};
use quakefs_installed::{Download, Nothing, Part, PlaceOptions, Placement, Start, place};

use crate::border::{Failure, c_text, give, guard, guard_free, quakefs_status, text};
use crate::options::{folder, parsed};
use crate::paths::Places;

/// Files of a download that go to one folder for one reason. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_part {
    /// The folder in the download, such as "progs_dump/pd/"; empty for the download itself.
    pub from: *const c_char,
    /// The folder below the base directory, such as "pd/", or "id1/maps/" for levels.
    pub to: *const c_char,
    /// The reason, as a stable word: "as" for the name that was given, "folder" for the download's own folder,
    /// "text" for the author's text, "base" and "levels" for the base game, "name" for a guess from the file name.
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

/// Where the files of a download go, and how it is started. It never changes. Texts are UTF-8 without terminal
/// control characters. Lists end with NULL. Later versions may add fields to the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_placement {
    /// The family of games that the download is for: "Quake", "Quake II", "Quake III" or "Half-Life".
    pub family: *const c_char,
    /// The parts of the download that go somewhere.
    pub parts: *const quakefs_part,
    /// The number of parts. If it is 0, `reason` is set.
    pub part_count: usize,
    /// How to start each game directory of the download.
    pub starts: *const quakefs_start,
    /// The number of starts.
    pub start_count: usize,
    /// The files that stay in the download, such as a text beside the folder of a mod.
    pub left: *const *const c_char,
    /// What is unclear or could not be read, one sentence each.
    pub notes: *const *const c_char,
    /// Why no file goes anywhere, as a stable word: "empty", "texts", "loose", "textures", "source", "unknown".
    /// NULL if there are parts.
    pub nothing: *const c_char,
    /// The same as a sentence, or NULL.
    pub reason: *const c_char,
    /// Advice for a download that goes nowhere, or NULL.
    pub help: *const c_char,
}

/// A placement with the memory that its pointers lead to.
#[repr(C)]
struct Owned {
    /// C has a pointer to this field, which is also the address of the whole.
    placement: quakefs_placement,
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
    fn new(placed: &Placement) -> Owned {
        let mut memory = Memory::default();
        let part = |part: &Part| quakefs_part {
            from: memory.text(&part.from),
            to: memory.text(&part.to),
            by: memory.text(part.by.name()),
            text: memory.optional(part.by.line()),
            game: memory.optional(part.game.as_deref()),
            files: part.files,
        };
        let parts: Vec<_> = placed.parts.iter().map(part).collect();
        let start = |start: &Start| quakefs_start {
            words: memory.list(&start.words(&placed.family)),
            missions: memory.list(&start.missions),
            games: memory.list(&start.games),
            level: memory.optional(start.level.as_deref()),
        };
        let starts: Vec<_> = placed.starts.iter().map(start).collect();
        let notes: Vec<_> = placed.notes.iter().map(ToString::to_string).collect();
        let nothing = placed.nothing;
        let placement = quakefs_placement {
            family: memory.text(&placed.family.name),
            parts: parts.as_ptr(),
            part_count: parts.len(),
            starts: starts.as_ptr(),
            start_count: starts.len(),
            left: memory.list(&placed.left),
            notes: memory.list(&notes),
            nothing: memory.optional(nothing.map(Nothing::name)),
            reason: memory.optional(nothing.map(|nothing| nothing.to_string()).as_deref()),
            help: memory.optional(nothing.and_then(|nothing| nothing.help(None)).as_deref()),
        };
        Owned { placement, _parts: parts, _starts: starts, _memory: memory }
    }
}

/// Finds where the files of a download go, and how it is started. Nothing is written. On success, free
/// `*placement` with quakefs_free_placement; on failure it is NULL. A download that goes nowhere is not a
/// failure: it has no parts.
///
/// - download: the path of an archive, a level, a demo, or a folder that was unpacked somewhere.
/// - base: the folder that contains id1, or NULL. A folder of the download belongs to a game directory there
///   with the same name.
/// - engine: the engine that will load the download, such as "ironwail", or NULL. Its base game is used if the
///   download does not show the family of its game.
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
        let engine = engine.map(parsed::<Engine>).transpose()?;
        let disk: Arc<dyn Disk> = match aliases.disk() {
            Some(disk) => Arc::new(disk),
            None => Arc::new(SystemDisk),
        };
        let base = base.as_deref().map(utf8).transpose()?;
        let directories = base.map(|base| folders(&*disk, base)).transpose()?.unwrap_or_default();
        let options = PlaceOptions {
            engine: engine.map(Engine::rules),
            name,
            directories: &directories,
            ..PlaceOptions::default()
        };
        let placed = place(&Download::open(&disk, utf8(&download)?)?, &options);
        if let (Some(Nothing::BadName), Some(game)) = (placed.nothing, name) {
            let error = Error::from(ErrorKind::BadGame { game: game.to_owned() });
            return Err(Failure::argument(error.to_string()));
        }
        let owned = Box::into_raw(Box::new(Owned::new(&placed)));
        // SAFETY: not NULL
        unsafe { give(placement, owned.cast_const().cast()) };
        Ok(())
    })
}

/// The folders in a base directory.
fn folders(disk: &dyn Disk, base: &Utf8Path) -> Result<Vec<String>, Error> {
    folders_in(disk, base).map_err(|error| Error::io(base, "open", error))
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
