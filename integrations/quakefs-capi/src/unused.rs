//! The files that nothing needs. cbindgen does not see the attribute of the module, so that each item has its
//! own.

use std::ffi::{c_char, c_void};
use std::ptr::null;

use crate::border::{Failure, c_text, guard, quakefs_status, reference};
use crate::search_path::{listed_row, quakefs_listed, quakefs_search_path};

/// A file that no level, program or engine needs.
#[cfg(feature = "needs")]
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_unused_file {
    /// The file.
    pub file: quakefs_listed,
    /// A missing file with a similar name, which this file was probably meant to be; NULL if there is none.
    pub meant: *const c_char,
}

/// Called for each file; return false to stop. `unused` is valid during the call. It must return normally.
#[cfg(feature = "needs")]
pub type quakefs_each_unused =
    Option<unsafe extern "C" fn(context: *mut c_void, unused: *const quakefs_unused_file) -> bool>;

/// Lists the files of the game that nothing needs: models, sprites, sounds, texture images and files beside
/// levels. It runs the game's program, which can take seconds. QUAKEFS_STATUS_UNKNOWN if the program cannot
/// be read, or the game's code is native. Only a library with the feature "needs" has this function.
///
/// # Safety
/// `search_path` was mounted and not freed.
#[cfg(feature = "needs")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_unused(
    search_path: *const quakefs_search_path,
    each: quakefs_each_unused,
    context: *mut c_void,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let each = each.ok_or_else(|| Failure::argument("each is NULL"))?;
        let mut name = Vec::new();
        for row in search_path.game.unused()? {
            let meant = row.meant.as_deref().map(c_text);
            let unused = quakefs_unused_file {
                file: listed_row(search_path.mounted(), &row.file, &mut name),
                meant: meant.as_ref().map_or(null(), |meant| meant.as_ptr()),
            };
            // SAFETY: C passes a function of this type, and its context
            if !unsafe { each(context, &raw const unused) } {
                break;
            }
        }
        Ok(())
    })
}
