//! The WebAssembly module of the npm package `quakefs`: the class `Game` answers questions about one mounted
//! game.
//!
//! - `game`: the class.
//! - [`Sources`], [`Source`], [`Reader`]: the files of JavaScript as a disk.

#[cfg(feature = "module")]
mod content;
#[cfg(feature = "module")]
mod failure;
#[cfg(feature = "module")]
mod game;
mod sources;

#[cfg(feature = "module")]
pub use self::game::Game;
pub use self::sources::{Reader, Source, Sources};

/// Makes a panic an error of JavaScript with its sentence. A module that panicked cannot be used again.
pub fn throw_panics() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}
