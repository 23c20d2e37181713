//! Texts that the caller frees: explanations, and the rules of an engine.

use std::ffi::{CString, c_char};

use quakefs::Engine;

use crate::border::{Failure, c_text, guard, guard_free, text};
use crate::options::parsed;
use crate::search_path::{quakefs_search_path, question};

/// Explains in lines of text which copy of a name wins and which copies it overrides, or why no copy is
/// loaded and what to do about it. Each line ends with a newline. The text is UTF-8, has no control
/// characters except the newlines, and may contain a `%`. Free it with quakefs_free_text; NULL is a failure.
///
/// # Safety
/// `search_path` was mounted and not freed; `name` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_explain(
    search_path: *const quakefs_search_path,
    name: *const c_char,
) -> *mut c_char {
    give_text(|| {
        // SAFETY: C passes a live search path and a name
        let (search_path, name) = unsafe { question(search_path, name) }?;
        let row = search_path.game.which(name);
        let help = row.help.as_ref().map(|help| format!("\n  help: {help}"));
        Ok(format!("{row}{}", help.unwrap_or_default()))
    })
}

/// Returns the rules of an engine as the text of a rule file, in TOML, for `rules` of the options. Free it
/// with quakefs_free_text; NULL is a failure.
///
/// # Safety
/// `engine` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_engine_rules(engine: *const c_char) -> *mut c_char {
    give_text(|| {
        // SAFETY: C passes a name
        let engine = unsafe { text(engine, "engine") }?;
        let engine = engine.ok_or_else(|| Failure::argument("engine is NULL"))?;
        rules_text(parsed::<Engine>(engine)?)
    })
}

#[cfg(feature = "rules")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is no text")]
fn rules_text(engine: Engine) -> Result<String, Failure> {
    Ok(engine.rules().to_toml())
}

#[cfg(not(feature = "rules"))]
fn rules_text(_: Engine) -> Result<String, Failure> {
    Err(crate::options::without_rules())
}

/// Returns lines to C, each with a newline; NULL on failure.
fn give_text(lines: impl FnOnce() -> Result<String, Failure>) -> *mut c_char {
    let mut text = std::ptr::null_mut();
    guard(|| {
        let lines = lines()?;
        let lines: Vec<u8> =
            lines.lines().flat_map(|line| [c_text(line).as_bytes(), b"\n"].concat()).collect();
        text = CString::new(lines).unwrap_or_default().into_raw();
        Ok(())
    });
    text
}

/// Frees a text of quakefs_explain or quakefs_engine_rules. Ignores NULL.
///
/// # Safety
/// `text` is NULL, or one of these functions returned it and nobody freed it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free_text(text: *mut c_char) {
    guard_free(|| {
        if !text.is_null() {
            // SAFETY: the pointer came from `CString::into_raw`, and returns once
            drop(unsafe { CString::from_raw(text) });
        }
        Ok(())
    });
}
