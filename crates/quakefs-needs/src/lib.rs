//! Which files a level of a Quake game asks for, and which of them nothing serves.
mod asked;
mod dialect;
mod level;
mod need;

pub use asked::{Levels, Options};
pub use need::{By, Kind, Need, Needs, Presence, Trouble};
