//! Games, mods and downloads of the Quake family: the installed ones, and the places for downloads.
//!
//! - [`games_in`]: the games that stores and packages have installed in some [`Places`]. Each [`Install`] has
//!   a [`Store`], [`Title`](quakefs::rules::Title) and [`Expansion`](quakefs::rules::Expansion)s, and creates
//!   a builder for its search path.
//! - [`mods`]: the folders of a mounted game that look like game directories. Each [`Mod`] lists the contents
//!   of its folder, and its [`Selection`] tells how an engine selects it.
//! - [`place`]: where the files of a [`Download`] go, why, and how to start it. A [`Placement`] can be
//!   mounted over the game, or written and undone.
//! - [`Known`]: archives of games by their size and MD5, each with its game and edition.
//! - [`misplaced`]: files of a mounted game that are where the engine does not look, and the move that mends
//!   each.
//!
//! # The games of a machine
//! ```
//! use quakefs_installed::{Places, games_in};
//!
//! # let folder = tempfile::tempdir()?;
//! # let home = folder.path();
//! let found = games_in(&Places { home: Some(home.into()), ..Places::default() });
//! for game in &found.games {
//!     println!("{game}: {}", game.path); // steam:quake, gog:quake2
//! }
//! for fault in &found.unread {
//!     println!("not read: {fault}");
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # The mods of a game
//! ```
//! use quakefs::SearchPath;
//! use quakefs_installed::mods;
//!
//! # let game = testutils::game("id1/: autoexec.cfg; mymod/: maps/mine.bsp");
//! # let base = game.path();
//! let quake = SearchPath::builder(base).mount()?;
//! let found = mods(&quake);
//! assert_eq!((&*found[1].name, found[1].levels), ("mymod", 1));
//! assert!(found[1].selection.is_selectable()); // `-game mymod` works
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//! The crate looks only in the places that the caller passes, and does not read the environment. The known
//! stores and titles are tables in the source.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod known;
mod mods;
mod place;
#[cfg(feature = "stores")]
mod places;
#[cfg(feature = "stores")]
mod stores;
mod titles;

pub use known::Known;
pub use mods::{Mod, Selection, mods};
pub use place::{
    By, Download, Misplaced, MisplacedKind, Note, Nothing, Options as PlaceOptions, Part, Placed, Placement,
    Start, misplaced, place,
};
#[cfg(feature = "stores")]
pub use places::{Places, Store};
#[cfg(feature = "stores")]
pub use stores::{Install, Installs, games_in};
pub use titles::engine_in;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
