//! What is installed on a machine: games that stores have put there, and the game directories of a base directory.

mod mods;
mod places;
mod stores;
mod titles;

pub use mods::{Mod, Taken, mods};
pub use places::{Places, Store};
pub use stores::{Install, Installs, games_in};
pub use titles::{Edition, Expansion, Title};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
