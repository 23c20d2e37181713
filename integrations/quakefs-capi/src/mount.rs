//! Mounting a game, and the owners of what was mounted.

use std::sync::Arc;

use crate::border::{Failure, c_text, give, guard, guard_free, quakefs_status, reference};
use crate::options::{self, quakefs_options};
use crate::search_path::quakefs_search_path;

/// Mounts a game. On success, `*search_path` is to be freed by quakefs_free; else it is NULL.
///
/// What the engine leaves out is no failure: quakefs_findings says it.
///
/// # Safety
/// `options` is NULL, or leads to `size` bytes whose texts end with NUL; `search_path` leads to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_mount(
    options: *const quakefs_options,
    search_path: *mut *mut quakefs_search_path,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a place for the pointer
        unsafe { give(search_path, std::ptr::null_mut()) };
        if search_path.is_null() {
            return Err(Failure::argument("search_path is NULL"));
        }
        // SAFETY: C filled `size` bytes
        let options = unsafe { options::filled(options) }?;
        // SAFETY: C gives texts that end with NUL, and lists of them that end with NULL
        let builder = unsafe { options::builder(&options) }?;
        // SAFETY: NULL, or a search path that was not freed
        let before = unsafe { options.before.as_ref() }.map(|before| &before.mounted);
        let mounted = builder.mount_after(before, &mut |opening| {
            if let Some(progress) = options.progress {
                let name = c_text(opening.archive);
                // SAFETY: C gives a function of this type, and the context that it wants
                unsafe { progress(options.context, name.as_ptr(), opening.done, opening.total) };
            }
        });
        let mounted = quakefs_search_path::of(mounted?);
        // SAFETY: not NULL
        unsafe { give(search_path, Arc::into_raw(Arc::new(mounted)).cast_mut()) };
        Ok(())
    })
}

/// Mounts the same game as it is now: new archives, new game directories, new loose files. `search_path` stays as it is and is
/// still to be freed; archives that did not change are shared. On success, `*fresh` is to be freed; else it is NULL.
///
/// # Safety
/// `search_path` is one that was mounted and not freed; `fresh` leads to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_remount(
    search_path: *const quakefs_search_path,
    fresh: *mut *mut quakefs_search_path,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C gives a place for the pointer
        unsafe { give(fresh, std::ptr::null_mut()) };
        if fresh.is_null() {
            return Err(Failure::argument("fresh is NULL"));
        }
        // SAFETY: C gives a search path that was not freed
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let mounted = quakefs_search_path::of(search_path.mounted.remount()?);
        // SAFETY: not NULL
        unsafe { give(fresh, Arc::into_raw(Arc::new(mounted)).cast_mut()) };
        Ok(())
    })
}

/// Keeps a search path for one more owner, such as another thread that loads from it while the game goes on with a fresh one, and gives
/// it. Each owner calls quakefs_free, from any thread. NULL for NULL.
///
/// # Safety
/// `search_path` is NULL, or one that the caller owns: a thread that finds it in a variable which another thread may free and replace
/// takes the engine's lock around both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_retain(search_path: *const quakefs_search_path) -> *mut quakefs_search_path {
    if !search_path.is_null() {
        // SAFETY: the pointer came from `Arc::into_raw`, and an owner is left
        unsafe { Arc::increment_strong_count(search_path) };
    }
    search_path.cast_mut()
}

/// Frees a search path, or what one owner has of it: the last one frees the whole. NULL is nothing to free. Handles of quakefs_open stay
/// open; the texts of its layers are gone with the last owner.
///
/// # Safety
/// `search_path` is NULL, or one that was mounted or retained for this call and that its owner does not ask any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free(search_path: *mut quakefs_search_path) {
    guard_free(|| {
        if !search_path.is_null() {
            // SAFETY: the pointer came from `Arc::into_raw`, and is given back once for each owner
            drop(unsafe { Arc::from_raw(search_path) });
        }
        Ok(())
    });
}
