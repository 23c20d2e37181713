//! The native half of the Python package `quakefs`. Its stubs and the Python half are in `python/quakefs`.
//!
//! Functions that access the disk, open an archive, or decode or copy a large entry release the interpreter's
//! lock.

#![allow(clippy::doc_markdown, clippy::doc_link_with_quotes, reason = "the documentation is Python's")]
#![allow(clippy::needless_pass_by_value, reason = "arguments come from Python, converted")]

mod archive;
mod catalog;
mod content;
mod contents;
mod errors;
mod file;
mod mount;
mod names;
mod place;
mod position;
mod rows;
mod search_path;
mod stream;

/// The native module.
#[pyo3::pymodule]
mod _quakefs {
    #[pymodule_export]
    use super::archive::{Archive, PakInfo, change_archive, check_new, kind_of, write_archive};
    #[pymodule_export]
    use super::catalog::{Catalog, catalog};
    #[pymodule_export]
    use super::content::{level_of, model_of, picture_of, sound_of};
    #[pymodule_export]
    use super::errors::BadPakFile;
    #[pymodule_export]
    use super::file::{Change, File};
    #[pymodule_export]
    use super::mount::{engines, installed, mount};
    #[pymodule_export]
    use super::place::{Placed, place, placements, undo};
    #[pymodule_export]
    use super::search_path::{_copy, Layer, SearchPath};

    #[pymodule_export]
    const __VERSION: &str = env!("CARGO_PKG_VERSION");
}
