//! Extractions, journals and renames through the public surface.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

mod extract;
mod growth;
mod journal;
mod portability;
