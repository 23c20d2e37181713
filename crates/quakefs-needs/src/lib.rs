//! Finds the files that a level of a Quake game needs, and which of them are missing.
//!
//! - [`Levels`]: the levels of a search path. [`Levels::of`] returns the [`Needs`] of some of them.
//! - [`Need`]: a file, its [`Kind`], what needs it ([`By`]), and whether the engine requires it
//!   ([`Presence`]).
//! - [`Levels::unused`]: files that nothing needs. [`Levels::closure`]: all files that levels need, for a
//!   release.
//! - [`palette`], [`skin`] and [`worn`]: the files with which pictures and models are shown.
//!
//! quakefs runs the game's QuakeC program as far as the engine runs it while a level loads. All other names
//! come from the level itself and from a table for each family of engines. A file counts as missing only if
//! the engine would load it.
//!
//! ```
//! use quakefs::Builder;
//! use quakefs_needs::{Levels, Trouble};
//!
//! # let entities = "{ classname worldspawn } { classname trigger_changelevel map e1m2 }";
//! # let level = testutils::content::level([29, 0, 0, 0], entities, &[]);
//! # let pak = testutils::pack(quakefs::Layout::Quake, [("maps/e1m1.bsp", level)]);
//! let quake = Builder::new().memory("a.pak", pak).mount()?;
//! let needs = Levels::new(&quake).of(&["maps/e1m1.bsp"]).remove(0);
//! let missing: Vec<_> = needs.missing().map(|need| need.name.to_string()).collect();
//! assert_eq!(missing, ["maps/e1m2.bsp"]);
//! assert!(matches!(needs.troubles[..], [Trouble::NoProgram { .. }]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Out of scope
//! Files that a game loads only while it is played, and the programs of clients and menus.

mod budget;
mod closure;
mod configs;
mod contents;
mod gathered;
mod keys;
mod level;
mod levels;
mod listed;
mod models;
mod need;
mod program;
mod shaders;
mod shown;
mod spawned;
mod substitutes;
mod textures;
mod unused;

pub use closure::Closure;
pub use levels::Levels;
pub use need::{By, Kind, Need, Needs, Presence, Trouble};
pub use program::{Incident, IncidentKind, Mode};
pub use shown::{palette, skin, wads, worn};
pub use unused::Unused;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
