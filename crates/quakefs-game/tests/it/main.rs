//! What a game's options mean, and the answers about it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

mod choices;
#[cfg(feature = "fs")]
mod sentences;
