//! One HTML page about a game of the Quake family.
//!
//! - [`Page`]: the data of the page, from a game. [`json`] writes it for the script.
//! - [`preview`]: the preview of one file in a [`View`]. [`preview_alone`]: of a file without a game.
//! - [`walk`]: a level to walk through. [`users`]: the levels with a texture.
//! - [`render`]: the page with its data. [`render_with_module`]: the page with a WebAssembly module, which
//!   makes the data from dropped files.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::Arc;
//!
//! use quakefs::disk::MemoryDisk;
//! use quakefs_game::{CheckOptions, Game, Options, Surroundings};
//! use quakefs_page::{Page, render};
//!
//! let disk = MemoryDisk::new();
//! disk.insert("quake/id1/autoexec.cfg", "sensitivity 3\n")?;
//! let options = Options { bases: vec!["quake".into()], ..Options::default() };
//! let game = Game::open(&options, &Surroundings::of(Arc::new(disk)))?;
//! let checked = game.check(&CheckOptions::default());
//! let mut page = Page::new(&game, &checked, None);
//! let _ = page.add_previews(&game.search_path, 1 << 20, &mut |_, _| ControlFlow::Continue(()));
//! assert_eq!((page.counts().files, page.counts().previews), (1, 1));
//! assert!(render(&page).starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod html;
mod json;
mod page;
mod previews;
mod walk;

pub use self::html::{START, render, render_with_module};
pub use self::json::json;
pub use self::page::{Counts, Page};
pub use self::previews::{View, preview, preview_alone};
pub use self::walk::{users, walk};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
