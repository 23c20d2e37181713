//! Why a name is served from where it is, in words.

use std::ffi::{CString, c_char};

use crate::border::{c_text, guard, guard_free};
use crate::stack::{quakefs_stack, question};

/// Says in lines of text which copy of a name is served and what it hides, or why none is. Each line ends with a newline; the text
/// is UTF-8, without other characters that steer a terminal. To be freed by quakefs_free_text; NULL is a failure.
///
/// # Safety
/// `stack` is one that was mounted and not freed; `name` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_explain(stack: *const quakefs_stack, name: *const c_char) -> *mut c_char {
    let mut text = std::ptr::null_mut();
    guard(|| {
        // SAFETY: C gives a stack that was not freed, and a name
        let (stack, name) = unsafe { question(stack, name) }?;
        let lines = quakefs_report::explain(&stack.search_path, name).to_string();
        let lines: Vec<u8> =
            lines.lines().flat_map(|line| [c_text(line).as_bytes(), b"\n"].concat()).collect();
        text = CString::new(lines).unwrap_or_default().into_raw();
        Ok(())
    });
    text
}

/// Frees a text of quakefs_explain. NULL is nothing to free.
///
/// # Safety
/// `text` is NULL, or one that quakefs_explain gave and that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_free_text(text: *mut c_char) {
    guard_free(|| {
        if !text.is_null() {
            // SAFETY: the pointer came from `CString::into_raw`, and is given back once
            drop(unsafe { CString::from_raw(text) });
        }
        Ok(())
    });
}
