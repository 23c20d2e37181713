//! What is installed on a machine: games that stores have put there, and the game directories of a base directory.

mod mods;
#[cfg(feature = "stores")]
mod places;
#[cfg(feature = "stores")]
mod stores;
#[cfg(feature = "stores")]
mod titles;

pub use mods::{Mod, Taken};
#[cfg(feature = "stores")]
pub use places::{Places, Store};
#[cfg(feature = "stores")]
pub use stores::{Install, Installs, games_in};
#[cfg(feature = "stores")]
pub use titles::{Edition, Expansion, Title};
