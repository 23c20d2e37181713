//! Turns errors of the library into the exceptions that Python programmers expect, with the library's
//! sentences. The advice is added as a note.

use std::io;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyException, PyKeyError, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use quakefs::errors::ZipFault;
use quakefs::sentences::{Help, with_causes};
use quakefs::{Error, ErrorKind};
use quakefs_extract::NotWritten;

pyo3::create_exception!(
    quakefs,
    BadPakFile,
    PyOSError,
    "An archive, or an entry of one, is damaged, or is of no known kind. A subclass of OSError."
);

// ENOENT, EIO, EBUSY, EEXIST, ENOTDIR and EISDIR, which have these numbers on every system that Python runs
// on.
const NOT_FOUND: i32 = 2;
pub(crate) const IO: i32 = 5;
const BUSY: i32 = 16;
const EXISTS: i32 = 17;
const NOT_A_DIRECTORY: i32 = 20;
const IS_A_DIRECTORY: i32 = 21;

/// An exception of a filesystem or a file object that ends the program: no error, after which the library
/// would go on without the file.
static INTERRUPT: Mutex<Option<PyErr>> = Mutex::new(None);

/// Keeps an exception that is no [`Exception`](PyException), for the end of the library's call.
pub(crate) fn keep_interrupt(py: Python<'_>, error: &PyErr) {
    if !error.is_instance_of::<PyException>(py) {
        let mut kept = INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert_with(|| error.clone_ref(py));
    }
}

/// Calls the library without the lock of the interpreter.
///
/// # Errors
/// The exception that ended the work of a filesystem or a file object.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(work);
    match INTERRUPT.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(interrupt) => Err(interrupt),
        None => Ok(done),
    }
}

/// The exception for an operation on files: [`FileNotFoundError`] if no layer has the name.
///
/// [`FileNotFoundError`]: pyo3::exceptions::PyFileNotFoundError
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    raised_in(py, error, None)
}

/// The same exception, with the archive's name if the error lacks it.
pub(crate) fn raised_in(py: Python<'_>, error: &Error, archive: Option<&str>) -> PyErr {
    let named = error.path().map(ToString::to_string).or_else(|| error.archive().map(str::to_owned));
    let place = named.or_else(|| archive.map(str::to_owned));
    if let Some(carried) = carried(error) {
        return raised_in(py, carried, place.as_deref());
    }
    if let Some(own) = of_python(error) {
        let own = own.clone_ref(py);
        noted(py, &own, &sentence(error));
        return own;
    }
    let raised = match error.kind() {
        ErrorKind::NotFound { name } | ErrorKind::NoSuchFolder { name } | ErrorKind::Request { name, .. } => {
            of_system(NOT_FOUND, sentence(error), Some(name.to_string()))
        }
        ErrorKind::NoBaseDirectory | ErrorKind::BrokenLink { .. } | ErrorKind::NoGameDirectory { .. } => {
            of_system(NOT_FOUND, sentence(error), place)
        }
        ErrorKind::BaseIsFile => of_system(NOT_A_DIRECTORY, sentence(error), place),
        ErrorKind::Io { kind, .. } => of_io(error, *kind, place),
        ErrorKind::Pak(kind) => of_pak(kind, error, place),
        ErrorKind::Zip(ZipFault::Memory { .. }) => PyMemoryError::new_err(sentence(error)),
        ErrorKind::Zip(_) | ErrorKind::Directory(_) => {
            BadPakFile::new_err(arguments(IO, &sentence(error), place))
        }
        ErrorKind::TooManyBytes { .. }
        | ErrorKind::TooManyFolders { .. }
        | ErrorKind::TooManyLayers { .. } => of_system(IO, sentence(error), place),
        _ => PyValueError::new_err(sentence(error)),
    };
    advised(py, raised, error)
}

/// The exception for a game that is not opened, or a question that is not answered.
pub(crate) fn of_game(py: Python<'_>, error: &quakefs_game::Error) -> PyErr {
    use quakefs_game::Error as Game;
    let numbered = |number, place: &str| of_system(number, sentence(error), Some(place.to_owned()));
    let raised = match error {
        Game::Quake(error) | Game::NoGameHere { error, .. } => return raised(py, error),
        Game::NotInstalled { name, .. } | Game::NotALevel { name, content: None, .. } => {
            numbered(NOT_FOUND, name)
        }
        Game::NotPlaced { file, because: "no-game", .. } => numbered(NOT_FOUND, file),
        Game::NotPlaced { file, because: "differs", .. } => numbered(EXISTS, file),
        _ => PyValueError::new_err(sentence(error)),
    };
    advised(py, raised, error)
}

/// The exception for a lookup by `[]`: [`KeyError`](PyKeyError) if no layer has the name.
pub(crate) fn of_key(py: Python<'_>, error: &Error) -> PyErr {
    match error.kind() {
        ErrorKind::NotFound { .. } | ErrorKind::Request { .. } => {
            advised(py, PyKeyError::new_err(sentence(error)), error)
        }
        _ => raised(py, error),
    }
}

/// The exception for a failed write of an archive.
pub(crate) fn of_writer(py: Python<'_>, error: &pak_format::Error) -> PyErr {
    let place = error.path().map(|path| path.display().to_string());
    if let Some(carried) = carried(error) {
        return raised_in(py, carried, place.as_deref());
    }
    let raised = of_pak(error.kind(), error, place);
    for problem in error.problems().iter().filter(|_| error.problems().len() > 1) {
        noted(py, &raised, &sentence(problem));
    }
    advised(py, raised, error)
}

fn of_pak(
    kind: &pak_format::ErrorKind,
    error: &(impl Help + std::error::Error + 'static),
    place: Option<String>,
) -> PyErr {
    use pak_format::ErrorKind as Pak;
    match kind {
        Pak::Io { kind, .. } | Pak::NotDurable { kind } => of_io(error, *kind, place),
        Pak::NoEntry { .. } => PyKeyError::new_err(sentence(error)),
        Pak::Locked | Pak::ArchiveChanged | Pak::ContentChanged { .. } => {
            of_system(BUSY, sentence(error), place)
        }
        Pak::Name(_)
        | Pak::Duplicate { .. }
        | Pak::TooLarge { .. }
        | Pak::TooManyEntries { .. }
        | Pak::Several { .. } => PyValueError::new_err(sentence(error)),
        _ => BadPakFile::new_err(arguments(IO, &sentence(error), place)),
    }
}

/// Uses the system's error number, from which Python derives the class. If the library itself refused, the
/// matching errno is used.
fn of_io(
    error: &(impl Help + std::error::Error + 'static),
    kind: io::ErrorKind,
    place: Option<String>,
) -> PyErr {
    if kind == io::ErrorKind::OutOfMemory {
        return PyMemoryError::new_err(sentence(error));
    }
    let number = of_the_system(error).find_map(io::Error::raw_os_error);
    let usual = match kind {
        io::ErrorKind::NotFound => NOT_FOUND,
        io::ErrorKind::PermissionDenied => 13,
        io::ErrorKind::AlreadyExists => EXISTS,
        io::ErrorKind::IsADirectory => IS_A_DIRECTORY,
        _ => IO,
    };
    let said = sentence(error);
    // the exception already contains the number
    let without = number.and_then(|number| said.strip_suffix(&format!(" (os error {number})")));
    let said = without.unwrap_or(&said).to_owned();
    match number {
        // Windows error numbers differ from errno, and follow the path
        Some(number) if cfg!(windows) => {
            let (usual, sentence, place) = arguments(usual, &said, place);
            PyOSError::new_err((usual, sentence, place, number))
        }
        number => of_system(number.unwrap_or(usual), said, place),
    }
}

/// The system's errors in the chain of causes.
fn of_the_system<'e>(error: &'e (dyn std::error::Error + 'static)) -> impl Iterator<Item = &'e io::Error> {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>())
}

/// The library's error inside a system error: an entry could not be read while its archive was rewritten.
fn carried<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e Error> {
    of_the_system(error).find_map(|cause| cause.get_ref()?.downcast_ref::<Error>())
}

/// The exception of a file object or a filesystem inside a system error.
fn of_python<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e PyErr> {
    of_the_system(error).find_map(|cause| cause.get_ref()?.downcast_ref())
}

pub(crate) fn of_system(number: i32, sentence: String, place: Option<String>) -> PyErr {
    PyOSError::new_err(arguments(number, &sentence, place))
}

/// The location becomes the exception's file name, which Python prints after the sentence.
fn arguments(number: i32, sentence: &str, place: Option<String>) -> (i32, String, Option<String>) {
    let without = place.as_ref().and_then(|place| sentence.strip_prefix(place.as_str())?.strip_prefix(": "));
    (number, without.unwrap_or(sentence).to_owned(), place)
}

fn sentence(error: &(impl std::error::Error + 'static)) -> String {
    with_causes(error)
}

fn advised(py: Python<'_>, raised: PyErr, error: &impl Help) -> PyErr {
    if let Some(help) = error.help(None) {
        noted(py, &raised, &help);
    }
    raised
}

/// Adds a note, which a traceback prints below the error.
pub(crate) fn noted(py: Python<'_>, raised: &PyErr, note: &str) {
    // the exception is still right without its note
    let _ = raised.value(py).call_method1("add_note", (note,));
}

/// The exception for an extraction that wrote nothing.
pub(crate) fn of_extraction(py: Python<'_>, error: &Error) -> PyErr {
    if !matches!(error.kind(), ErrorKind::TooManyBytes { .. } | ErrorKind::TooManyFolders { .. }) {
        return raised(py, error);
    }
    let refused = of_system(IO, sentence(error), None);
    noted(py, &refused, "to write them all the same, give the most bytes that they may have: limit=...");
    refused
}

/// The exception for an extraction that left out some files, with each path and reason; `None` if all were
/// written.
pub(crate) fn of_files(py: Python<'_>, refused: &[(String, NotWritten)]) -> Option<PyErr> {
    let (first, others) = refused.split_first()?;
    let numbered = |number| of_system(number, not_written(first), None);
    let raised = match &first.1 {
        NotWritten::Read(error) | NotWritten::Write(error) => raised(py, error),
        NotWritten::FolderThere => numbered(IS_A_DIRECTORY),
        NotWritten::NotAFolder { .. } | NotWritten::LinkInTheWay { .. } => numbered(NOT_A_DIRECTORY),
        _ => numbered(IO),
    };
    for other in others {
        noted(py, &raised, &not_written(other));
    }
    Some(raised)
}

fn not_written((place, why): &(String, NotWritten)) -> String {
    match why {
        NotWritten::Read(error) | NotWritten::Write(error) => sentence(error),
        _ => format!("{place}: not written: {why}"),
    }
}
