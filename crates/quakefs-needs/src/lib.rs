//! Which files a level of a Quake game asks for, and which of them nothing serves.
mod asked;
mod closure;
mod dialect;
mod gathered;
mod keys;
mod level;
mod models;
mod need;
mod shaders;
mod spawned;
mod textures;
mod unused;

pub use asked::{Levels, Options};
pub use closure::Closure;
pub use need::{By, Kind, Need, Needs, Presence, Trouble};
pub use unused::Unused;
