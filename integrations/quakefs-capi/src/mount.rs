//! Mounting a game, and the owners of a search path.

use std::sync::Arc;

use quakefs_game::Game;

use crate::border::{Failure, c_text, give, guard, guard_free, quakefs_status, reference};
use crate::options::{self, quakefs_options};
use crate::search_path::quakefs_search_path;

/// Mounts a game. On success, free `*search_path` with quakefs_free; on failure it is NULL.
///
/// An archive that the engine skips is not a failure: quakefs_findings reports it.
///
/// # Safety
/// `options` is NULL, or points to `size` bytes. Its texts end with NUL. `search_path` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_mount(
    options: *const quakefs_options,
    search_path: *mut *mut quakefs_search_path,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a place for the pointer
        unsafe { give(search_path, std::ptr::null_mut()) };
        if search_path.is_null() {
            return Err(Failure::argument("search_path is NULL"));
        }
        // SAFETY: C filled `size` bytes
        let options = unsafe { options::filled(options) }?;
        // SAFETY: C passes texts that end with NUL, and lists of them that end with NULL
        let prepared = unsafe { options::asked(&options) }?.prepare(None)?;
        // SAFETY: NULL, or a search path that was not freed
        let before = unsafe { options.before.as_ref() }.map(quakefs_search_path::mounted);
        let game = prepared.mount_with(|builder| {
            builder.mount_after(before, &mut |opening| {
                if let Some(progress) = options.progress {
                    let name = c_text(opening.archive);
                    // SAFETY: C passes a function of this type, and its context
                    unsafe { progress(options.context, name.as_ptr(), opening.done, opening.total) };
                }
            })
        })?;
        // SAFETY: not NULL
        unsafe { give(search_path, owned(game)) };
        Ok(())
    })
}

/// Mounts the same game again and picks up new archives, game directories and loose files. Unchanged archives
/// are shared. `search_path` stays valid, and its owner still frees it. On success, free `*fresh` with
/// quakefs_free; on failure it is NULL.
///
/// # Safety
/// `search_path` was mounted and not freed; `fresh` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_remount(
    search_path: *const quakefs_search_path,
    fresh: *mut *mut quakefs_search_path,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a place for the pointer
        unsafe { give(fresh, std::ptr::null_mut()) };
        if fresh.is_null() {
            return Err(Failure::argument("fresh is NULL"));
        }
        // SAFETY: C passes a live search path
        let search_path = unsafe { reference(search_path, "search_path") }?;
        let again = search_path.game.remount()?;
        // SAFETY: not NULL
        unsafe { give(fresh, owned(again)) };
        Ok(())
    })
}

/// A pointer that quakefs_free takes.
fn owned(game: Game) -> *mut quakefs_search_path {
    Arc::into_raw(Arc::new(quakefs_search_path::of(game))).cast_mut()
}

/// Adds an owner and returns `search_path`. Use it if another thread still loads from the search path while
/// the game continues with a fresh one. Each owner calls quakefs_free once, from any thread. NULL returns
/// NULL.
///
/// # Safety
/// `search_path` is NULL or owned by the caller. If another thread may free it in the meantime, hold a lock
/// of the engine while you read the variable with the pointer and call this function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_retain(search_path: *const quakefs_search_path) -> *mut quakefs_search_path {
    if !search_path.is_null() {
        // SAFETY: the pointer came from `Arc::into_raw`, and an owner is left
        unsafe { Arc::increment_strong_count(search_path) };
    }
    search_path.cast_mut()
}

/// Removes one owner; the last one frees the search path and the texts of its layers. Files of
/// quakefs_open stay open. Ignores NULL.
///
/// # Safety
/// `search_path` is NULL, or came from quakefs_mount, quakefs_remount or quakefs_retain. Call quakefs_free at
/// most once for each of their calls. Afterwards that owner must not use the search path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free(search_path: *mut quakefs_search_path) {
    guard_free(|| {
        if !search_path.is_null() {
            // SAFETY: the pointer came from `Arc::into_raw`, and each owner gives it back once
            drop(unsafe { Arc::from_raw(search_path) });
        }
        Ok(())
    });
}
