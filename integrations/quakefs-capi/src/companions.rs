//! The files that an engine loads beside a level.

use std::ffi::{c_char, c_void};

use quakefs::search_path::CompanionBecause;

use crate::border::{Failure, c_text, guard, quakefs_status};
use crate::search_path::{listed, quakefs_listed, quakefs_search_path, question};

/// The winner under the name of a level's companion, such as `maps/e1m1.lit`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_companion {
    /// The file, under the name that the engine looks up.
    pub file: quakefs_listed,
    /// Whether the engine loads this copy for the level.
    pub loaded: bool,
    /// The reason, as a stable word: "loaded", "below-level", "other-name", "other-size", "no-level",
    /// "unread-level".
    pub because: *const c_char,
    /// The setting that makes the engine load the file; NULL if it needs none.
    pub setting: *const c_char,
}

/// Called for each copy; return false to stop. `companion` is valid during the call. It must return: neither
/// longjmp nor an exception may leave it.
pub type quakefs_each_companion =
    Option<unsafe extern "C" fn(context: *mut c_void, companion: *const quakefs_companion) -> bool>;

/// Lists the companions of a level, such as "maps/e1m1.bsp", in the order in which the engine looks them up.
/// These are the files that it loads beside the level, and files with such names that it ignores. If the
/// level cannot be read, the call lists the companions and then fails.
///
/// # Safety
/// `search_path` was mounted and not freed; `level` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_companions(
    search_path: *const quakefs_search_path,
    level: *const c_char,
    each: quakefs_each_companion,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path and a name
        let (search_path, level) = unsafe { question(search_path, level) }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let found = search_path.mounted().companions(&*search_path.game.level_path(level));
        let mut name = Vec::new();
        for copy in &found.copies {
            let because = c_text(copy.because.name());
            let setting = copy.setting.as_deref().map(c_text);
            let companion = quakefs_companion {
                file: listed(&copy.file, copy.name.as_bytes(), &mut name),
                loaded: copy.because == CompanionBecause::Loaded,
                because: because.as_ptr(),
                setting: setting.as_ref().map_or(std::ptr::null(), |setting| setting.as_ptr()),
            };
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const companion) } {
                break;
            }
        }
        found.unread.map_or(Ok(()), |error| Err(error.into()))
    })
}
