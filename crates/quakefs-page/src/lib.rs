//! One page about a game of the Quake family, as data and as HTML.
//!
//! - [`Page`]: what the page shows, made of a stack; [`json`] is its form for the script.
//! - [`preview`]: what one file shows.
//! - [`render`]: the page with its data inside. [`render_with_module`]: the page that makes its data by a WebAssembly module,
//!   of a folder that is dropped on it.
//!
//! ```
//! use quakefs::SearchPath;
//! use quakefs::disk::MemoryDisk;
//! use quakefs_page::{Page, json};
//!
//! let disk = MemoryDisk::new();
//! disk.insert("quake/id1/autoexec.cfg", "sensitivity 3\n")?;
//! let quake = SearchPath::builder("quake").disk(disk).mount()?;
//! let page = Page::new(&quake, None);
//! assert!(json(&page).contains(r#""autoexec.cfg""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod html;
mod json;
mod page;
mod previews;

pub use self::html::{START, render, render_with_module};
pub use self::json::json;
pub use self::page::{Counts, Page};
pub use self::previews::preview;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
