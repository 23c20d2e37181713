//! The crate through its public surface.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a suite: what panics fails a test"
)]

mod catalog_folder;
mod catalog_rows;
mod collection;
mod editor;
mod nested;
mod observed;
mod sums;
mod wad;
