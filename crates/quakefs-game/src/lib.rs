//! Questions about a game of the Quake family, and their answers as plain data.
//!
//! - [`Options`]: all that a person can say about a game. [`Surroundings`]: the disk, the home folder, the
//!   stores.
//! - [`Game::open`]: decides which base directory, which engine and which game is meant, each with its
//!   reason, and mounts it.
//! - The questions are methods of [`Game`], and functions for what is not about one game: [`Compared::of`],
//!   [`Placed::of`], `InstalledAnswer::of`. Their answers are rows: public fields, `Serialize`, and `Display`
//!   for a sentence.
//!
//! The command, Python, the npm package, C and the page translate between their words and these types. An
//! engine depends on the crate [`quakefs`] alone.
//!
//! ```
//! use quakefs_game::{Game, Options, Surroundings};
//!
//! # let folder = testutils::game("id1/pak0.pak: progs.dat; mymod/: progs.dat");
//! # let base = folder.path();
//! let games = vec!["mymod".to_owned()];
//! let options = Options { bases: vec![base.to_owned()], games, ..Options::default() };
//! let game = Game::open(&options, &Surroundings::default())?;
//! let row = game.which("progs.dat");
//! assert_eq!(row.file.unwrap().layer, "mymod/");
//! assert_eq!(row.overridden[0].file.layer, "id1/pak0.pak");
//! # Ok::<(), quakefs_game::Error>(())
//! ```
//!
//! # Features
//! - `needs`: what levels and programs need, for `needs`, `unused`, the full `check`, and the game that fits
//!   a download.
//! - `fs`: the disk of this system. `stores`: the games that stores have installed.
//! - `schema`: JSON Schemas of the rows.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answers;
mod choose;
mod error;
mod game;
#[cfg(feature = "stores")]
mod installed;
mod options;
mod verdict;
#[doc(hidden)]
pub mod words;

pub use answers::*;
pub use choose::{BaseBecause, Choices, EngineBecause, layout_of};
pub use error::Error;
pub use game::{Game, Note, Prepared};
pub use options::{Options, Over, Surroundings};
pub use verdict::{Verdict, VerdictRow};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
