//! Inputs for the suites of several crates: folders, archives and errors, as text.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "part of tests: a failure here is a failed test"
)]

mod archives;
mod command;
pub mod content;
mod corpus;
mod folder;
mod hostile;
#[cfg(all(feature = "disk", target_os = "linux"))]
mod ignoring_case;
mod pages;
pub mod program;
pub mod raw_zip;
pub mod sample;
#[cfg(feature = "search_path")]
pub mod search_path;
mod stores;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Read as _;

use camino::{Utf8Path, Utf8PathBuf};

pub use archives::{Pack, anachronox, pack, zip, zip_deflated, zip_mixed};
pub use command::{command, interruptible};
pub use corpus::check_corpus;
pub use folder::{Folder, game, portable, redacted, system_errors};
pub use hostile::{Hostile, hostile};
#[cfg(all(feature = "disk", target_os = "linux"))]
pub use ignoring_case::IgnoringCase;
pub use pages::{check_pages, pages};
pub use stores::stores;

/// An error and its causes, one per line.
#[must_use]
pub fn report(error: &dyn Error) -> String {
    let mut text = format!("error: {error}\n");
    let mut source = error.source();
    while let Some(cause) = source {
        writeln!(text, "cause: {cause}").unwrap();
        source = cause.source();
    }
    text
}

/// The root of the repository.
fn root() -> &'static Utf8Path {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A path in `testdata`.
#[must_use]
pub fn testdata(path: &str) -> Utf8PathBuf {
    root().join("testdata").join(path)
}

/// A path in the folder that `QUAKEFS_DATA` names: files that cannot be part of the repository.
/// `testdata/fetch` tells where they come from. `#[testneeds::data("…")]` ignores a test without them.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "how a person tells where larger data is")]
pub fn data(path: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(std::env::var("QUAKEFS_DATA").unwrap_or_default()).join(path)
}

/// The same, or the reason to ignore a test that asks while it runs.
///
/// # Errors
///
/// The sentence of `testneeds::data`.
pub fn data_or_reason(path: &str) -> Result<Utf8PathBuf, String> {
    let found = data(path);
    if found.exists() { Ok(found) } else { Err(format!("needs {path} of QUAKEFS_DATA, see testdata/fetch")) }
}

/// Whether `UPDATE=1` requests that suites rewrite the files that they compare with.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "how a person asks for it")]
pub fn update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// The content of a file that gzip compressed.
#[must_use]
pub fn gunzip(path: &Utf8Path) -> Vec<u8> {
    let mut content = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut content).unwrap();
    content
}

/// The size of a test. With `QUAKEFS_TESTS=large` it is `all`, as large as users' games; otherwise it is
/// `few`, which is enough to show a bug.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "how CI asks for it")]
pub fn scaled<T>(few: T, all: T) -> T {
    if std::env::var_os("QUAKEFS_TESTS").is_some_and(|value| value == "large") { all } else { few }
}

/// A folder for thousands of small files, in memory if the system supports it and `TMPDIR` is unset. The
/// recorded layouts need a fifth of the time there.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "how a person asks for another place")]
pub fn folder_in_memory() -> tempfile::TempDir {
    let memory = std::env::var_os("TMPDIR").is_none().then(|| tempfile::tempdir_in("/dev/shm"));
    memory.and_then(Result::ok).unwrap_or_else(|| tempfile::tempdir().unwrap())
}
