//! The WebAssembly module of the npm package `quakefs`: the class `Game` answers questions about one mounted game.
//!
//! - `game`: the class.
//! - `rows`: its answers.
//! - [`Sources`], [`Source`], [`Reader`]: the files of JavaScript as a disk.
//! - [`asked`]: what a level needs.

#[cfg(feature = "module")]
mod game;
#[cfg(feature = "module")]
mod preview;
#[cfg(feature = "module")]
pub mod rows;
mod sources;

use std::collections::HashSet;

use quakefs::SearchPath;
use quakefs_needs::{Levels, Need};

#[cfg(feature = "module")]
pub use self::game::Game;
pub use self::sources::{Reader, Source, Sources};

/// Makes a panic an error of JavaScript with its sentence. A module that panicked cannot be used again.
pub fn throw_panics() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// The files that a level needs, each once, missing files first; and the problems that make the answer incomplete.
#[must_use]
pub fn asked(quake: &SearchPath, level: &[u8]) -> (Vec<Need>, Vec<String>) {
    let (mut asked, mut troubles) = (Vec::new(), Vec::new());
    for needs in Levels::new(quake).of(&[level]) {
        asked.extend(needs.asked);
        troubles.extend(needs.troubles.iter().map(ToString::to_string));
    }
    let mut seen = HashSet::new();
    asked.retain(|need| seen.insert(need.name.as_bytes().to_vec()));
    asked.sort_by_key(|need| !need.is_missing());
    (asked, troubles)
}
