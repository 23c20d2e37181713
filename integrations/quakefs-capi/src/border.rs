//! The border to C: statuses, messages, pointers from C, and catching panics.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pak_format::EntryName;
use pak_format::name::steers;
use quakefs::sentences::with_causes;
use quakefs::{Error, ErrorKind};

/// The result of a call. 0 is success.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum quakefs_status {
    /// Done.
    Ok = 0,
    /// No layer has the name, the engine refuses the name, or no layer has that number.
    NotFound = 1,
    /// A required pointer is NULL, or a text is not UTF-8, not an engine, or not a pattern.
    BadArgument = 2,
    /// The game cannot be mounted.
    NotMounted = 3,
    /// The buffer is too small.
    TooSmall = 4,
    /// The allocator of the caller returned NULL.
    NoMemory = 5,
    /// A read failed or returned too few bytes, for example from a damaged disk or a truncated file.
    Io = 6,
    /// The archive, or the entry, is damaged.
    Damaged = 7,
    /// A bug of quakefs. The call has done nothing; the search path can still be used and freed.
    Panic = 8,
    /// The file exists but cannot be opened: no permission, too many open files, or somebody removed it.
    NotOpened = 9,
    /// The answer is not known, for example because the code of the game is native.
    Unknown = 10,
}

/// Why a call fails.
pub(crate) struct Failure {
    pub(crate) status: quakefs_status,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(status: quakefs_status, text: impl Into<String>) -> Self {
        Failure { status, text: text.into() }
    }

    /// A miss. It has no message, because engines miss all the time.
    pub(crate) fn miss() -> Self {
        Failure::new(quakefs_status::NotFound, "")
    }

    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Failure::new(quakefs_status::BadArgument, text)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::NotFound { .. } | ErrorKind::Request { .. } => quakefs_status::NotFound,
            ErrorKind::Pattern { .. } => quakefs_status::BadArgument,
            ErrorKind::Pak(_) | ErrorKind::Zip(_) | ErrorKind::Directory(_) => quakefs_status::Damaged,
            ErrorKind::Io { doing: "open", .. } => quakefs_status::NotOpened,
            ErrorKind::Io { .. } => quakefs_status::Io,
            _ => quakefs_status::NotMounted,
        };
        Failure::new(status, with_causes(&error))
    }
}

impl From<quakefs_game::Error> for Failure {
    fn from(error: quakefs_game::Error) -> Self {
        use quakefs_game::Error as Game;
        let status = match error {
            Game::Quake(error) | Game::NoGameHere { error, .. } => return error.into(),
            Game::OverWithoutBase | Game::OtherGames { .. } => quakefs_status::BadArgument,
            Game::NotUsed { .. } | Game::NoSubstitutes { .. } => quakefs_status::Unknown,
            _ => quakefs_status::NotMounted,
        };
        Failure::new(status, error.to_string())
    }
}

thread_local! {
    static LAST_ERROR: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// The error of the last call on this thread: a sentence in UTF-8 without terminal control characters. It may
/// contain a `%`: print it with "%s". Never NULL. Empty if the call succeeded, and after a miss
/// (QUAKEFS_STATUS_NOT_FOUND). Valid until the next call on this thread. Functions that cannot fail leave it
/// unchanged: the ones that free and close, quakefs_version, quakefs_retain, quakefs_layer_count,
/// quakefs_write_directory and quakefs_size.
#[unsafe(no_mangle)]
pub extern "C" fn quakefs_last_error() -> *const c_char {
    let text = LAST_ERROR.try_with(|last| last.borrow().as_ref().map(|text| text.as_ptr()));
    text.ok().flatten().unwrap_or(c"".as_ptr())
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn quakefs_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }.as_ptr().cast()
}

/// Runs a call and stores its failure. A panic stops here.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), Failure>) -> quakefs_status {
    let status = guard_free(work);
    if matches!(status, quakefs_status::Ok | quakefs_status::NotFound) {
        let _ = LAST_ERROR.try_with(|last| last.borrow_mut().take());
    }
    status
}

/// Like `guard`, for a function that frees. The stored failure stays.
pub(crate) fn guard_free(work: impl FnOnce() -> Result<(), Failure>) -> quakefs_status {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return quakefs_status::Ok,
        Ok(Err(failure)) if failure.status == quakefs_status::NotFound => return failure.status,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            // dropping it might panic again
            std::mem::forget(payload);
            Failure::new(quakefs_status::Panic, "a bug of quakefs: the standard error stream says more")
        }
    };
    let text = c_text(&failure.text);
    // a thread that is ending has no storage: only the status remains
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = Some(text));
    failure.status
}

/// Text for C, with terminal control characters and NUL escaped.
pub(crate) fn c_text(text: &str) -> CString {
    let mut bytes = [0; 4];
    let mut printable = String::with_capacity(text.len());
    for letter in text.chars() {
        if steers(letter) || letter.is_control() {
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                let _ = write!(printable, "\\x{byte:02X}");
            }
        } else {
            printable.push(letter);
        }
    }
    CString::new(printable).unwrap_or_default()
}

/// The value that C points to.
///
/// # Safety
/// The pointer is NULL, or this library returned it and nobody freed it, or C filled the value.
pub(crate) unsafe fn reference<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller promises it
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::argument(format!("{what} is NULL")))
}

/// The bytes of a name or a text.
///
/// # Safety
/// The pointer is NULL, or points to bytes that end with NUL and do not change during the call.
pub(crate) unsafe fn bytes<'a>(pointer: *const c_char, what: &str) -> Result<&'a [u8], Failure> {
    if pointer.is_null() {
        return Err(Failure::argument(format!("{what} is NULL")));
    }
    // SAFETY: the pointer is not NULL, and the caller promises the rest
    Ok(unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// The text at a pointer; `None` for NULL.
///
/// # Safety
/// As [`bytes`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises it
    let bytes = unsafe { bytes(pointer, what) }?;
    utf8(bytes, what).map(Some)
}

/// Bytes as a text.
pub(crate) fn utf8<'a>(bytes: &'a [u8], what: &str) -> Result<&'a str, Failure> {
    let not_utf8 = |_| Failure::argument(format!("{what} is not UTF-8: {}", EntryName::from_bytes(bytes)));
    std::str::from_utf8(bytes).map_err(not_utf8)
}

/// Writes a result to the caller's memory.
///
/// # Safety
/// The pointer is NULL, or points to memory for the value.
pub(crate) unsafe fn give<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the pointer is not NULL, and the caller promises the rest
        unsafe { place.write(value) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_error() -> String {
        // SAFETY: the text is valid until the next call on this thread fails
        unsafe { CStr::from_ptr(quakefs_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_stops_at_the_border() {
        assert_eq!(guard(|| panic!("for the test")), quakefs_status::Panic);
        assert!(last_error().starts_with("a bug of quakefs"));
        assert_eq!(guard_free(|| Ok(())), quakefs_status::Ok);
        assert!(last_error().starts_with("a bug of quakefs"));
        assert_eq!(guard(|| Ok(())), quakefs_status::Ok);
        assert_eq!(last_error(), "");
    }

    #[test]
    fn a_message_has_no_character_that_steers_a_terminal() {
        let failure = || Err(Failure::argument("caf\u{e9} \u{1b}[2J \u{202e} \0 end"));
        assert_eq!(guard(failure), quakefs_status::BadArgument);
        assert_eq!(last_error(), "caf\u{e9} \\x1B[2J \\xE2\\x80\\xAE \\x00 end");
    }
}
