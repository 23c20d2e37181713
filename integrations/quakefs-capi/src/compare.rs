//! What engines load differently, and which copies are overridden.

use std::ffi::{CString, c_char, c_void};
use std::ptr::null;

use quakefs::pak_format::name::unescape;
use quakefs_game::{Compared, DifferenceRow, EngineOn};

use crate::border::{Failure, c_text, guard, quakefs_status, reference, text};
use crate::options::{self, list, parsed, quakefs_options};
use crate::search_path::{listed_row, quakefs_listed, quakefs_search_path, with_nul};

/// An overridden copy and its winner.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_overridden_copy {
    /// The copy that the engine loads.
    pub file: quakefs_listed,
    /// The overridden copy.
    pub overridden: quakefs_listed,
    /// The rule that ranks the winner above, as a stable word: "archive-order", "loose", "game-order".
    pub because: *const c_char,
    /// The same as a sentence.
    pub rule: *const c_char,
    /// 1 if both have the same bytes, 0 if not, -1 if one cannot be read, or reading would take too long.
    pub same: i32,
}

/// Called for each overridden copy; return false to stop. `overridden` is valid during the call. It must
/// return normally.
pub type quakefs_each_overridden =
    Option<unsafe extern "C" fn(context: *mut c_void, overridden: *const quakefs_overridden_copy) -> bool>;

/// Lists every overridden copy, sorted by name. It reads the copies, which can take seconds in a large game.
///
/// # Safety
/// `search_path` was mounted and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_overridden(
    search_path: *const quakefs_search_path,
    each: quakefs_each_overridden,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let (mut name, mut overridden_name) = (Vec::new(), Vec::new());
        for row in search_path.game.overridden() {
            let (because, rule) = (c_text(row.because), c_text(&row.rule));
            let overridden = quakefs_overridden_copy {
                file: listed_row(search_path.mounted(), &row.file, &mut name),
                overridden: listed_row(search_path.mounted(), &row.overridden, &mut overridden_name),
                because: because.as_ptr(),
                rule: rule.as_ptr(),
                same: row.same.map_or(-1, i32::from),
            };
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const overridden) } {
                break;
            }
        }
        Ok(())
    })
}

/// What one engine loads for a name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_winner {
    /// The engine, with its system if it was named with one.
    pub engine: *const c_char,
    /// The layer of the file in that engine's search path; NULL if the engine finds none.
    pub layer: *const c_char,
    /// Length of the content.
    pub size: u64,
    /// The number of the entry in its archive; -1 for a loose file.
    pub entry: i64,
}

/// A name that engines load differently.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_difference {
    /// The name and a NUL, as in quakefs_listed.
    pub name: *const c_char,
    /// Bytes of the name, without the NUL.
    pub name_length: usize,
    /// Why, as a stable word.
    pub because: *const c_char,
    /// The same as a sentence.
    pub rule: *const c_char,
    /// What each engine loads, in the order of the engines.
    pub winners: *const quakefs_winner,
    /// The number of engines.
    pub winner_count: usize,
}

/// Called for each difference; return false to stop. `difference` is valid during the call. It must return
/// normally.
pub type quakefs_each_difference =
    Option<unsafe extern "C" fn(context: *mut c_void, difference: *const quakefs_difference) -> bool>;

/// Lists the names for which engines load different files, by cause, the cause with the most names first. It
/// mounts the game of the options under each engine, whatever engine or rules the options name.
///
/// - engines: a list that ends with NULL. An engine may have a system: "fte@windows".
///
/// Engines of different games are QUAKEFS_STATUS_BAD_ARGUMENT.
///
/// # Safety
/// As quakefs_mount; `engines` is a list of texts that end with NUL, and ends with NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_compare(
    options: *const quakefs_options,
    engines: *const *const c_char,
    each: quakefs_each_difference,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C filled `size` bytes
        let options = unsafe { options::filled(options) }?;
        // SAFETY: C passes texts that end with NUL, and lists of them that end with NULL
        let asked = unsafe { options::asked(&options) }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        // SAFETY: as above
        let words = unsafe { list(engines) }.into_iter().map(|word| unsafe { text(word, "an engine") });
        let engine = |word: Result<Option<&str>, Failure>| parsed::<EngineOn>(word?.unwrap_or_default());
        let engines = words.map(engine).collect::<Result<Vec<_>, _>>()?;
        let open = |engine: &EngineOn| asked.prepare(Some(engine))?.mount();
        let games = Compared::opened(&engines, false, open)?;
        for row in Compared::with(engines, games, |_| true).differences() {
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { give_difference(&row, |row| each(context, row)) } {
                break;
            }
        }
        Ok(())
    })
}

/// Passes a difference to C.
fn give_difference(row: &DifferenceRow, each: impl FnOnce(*const quakefs_difference) -> bool) -> bool {
    let texts: Vec<(CString, Option<CString>)> = row
        .engines
        .iter()
        .map(|of| (c_text(&of.engine), of.file.as_ref().map(|file| c_text(&file.layer))))
        .collect();
    let winner = |(of, (engine, layer)): (&quakefs_game::WinnerRow, &(CString, Option<CString>))| {
        let file = of.file.as_ref();
        quakefs_winner {
            engine: engine.as_ptr(),
            layer: layer.as_ref().map_or(null(), |layer| layer.as_ptr()),
            size: file.map_or(0, |file| file.size),
            entry: file.and_then(|file| i64::try_from(file.entry?).ok()).unwrap_or(-1),
        }
    };
    let winners: Vec<_> = row.engines.iter().zip(&texts).map(winner).collect();
    let mut name = Vec::new();
    let name_length = with_nul(&mut name, &unescape(&row.name));
    let (because, rule) = (c_text(row.because), c_text(&row.rule));
    each(&quakefs_difference {
        name: name.as_ptr().cast(),
        name_length,
        because: because.as_ptr(),
        rule: rule.as_ptr(),
        winners: winners.as_ptr(),
        winner_count: winners.len(),
    })
}
