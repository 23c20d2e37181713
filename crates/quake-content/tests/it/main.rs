//! Readers of whole, odd and damaged files, and programs that run.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

mod damaged;
mod demos;
mod examined;
mod levels;
mod models;
mod texts;
mod textures;
