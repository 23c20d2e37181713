//! Writes many files of a [`SearchPath`](quakefs::SearchPath) or an [`Archive`](quakefs::Archive) to a
//! folder, each completely or not at all; keeps journals by which a placed mod can be removed; renames files
//! so that a game works on every system.
//!
//! - Extract: [`ExtractPlan`] decides which file goes where, and [`ExtractPlan::write`] writes them.
//!   [`ExtractOptions`] limit it, and an [`ExtractSink`] receives each [`Outcome`].
//! - Install and remove a mod: [`journal`].
//! - Rename: [`fix`] lists the renames that [`why::check`](quakefs::why::check) advises, and [`Fix::write`]
//!   does them, with a journal.
//!
//! ```
//! use quakefs::{Archive, Layout};
//! use quakefs_extract::{ExtractOptions, ExtractPlan};
//! # let folder = testutils::Folder::new();
//! # let folder = folder.path();
//! # let archive = Archive::from_data(testutils::pack(Layout::Quake, [("maps/start.bsp", "level")]).into())?;
//! let plan = ExtractPlan::for_folder(folder.join("out"), archive.files("pak0.pak"));
//! let extracted = plan.write(folder.join("out"), &ExtractOptions::default(), &())?;
//! assert_eq!((extracted.written, extracted.failed), (1, 0));
//! assert_eq!(std::fs::read(folder.join("out/maps/start.bsp"))?, b"level");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every step goes from an open folder to a name in it, so no link leads it out of the folder. To write one
//! file of a running game, use [`SearchPath::write`](quakefs::SearchPath::write).

mod fix;
#[cfg(unix)]
mod handles;
pub mod journal;
mod options;
#[cfg(not(unix))]
mod paths;
mod plan;
mod rename;
mod step;
mod write;

pub use fix::{Fix, Refusal, Rename, fix};
pub use options::{Existing, ExtractOptions};
pub use plan::{ExtractPlan, PlannedFile};
pub use write::{ExtractSink, Extracted, NotWritten, Outcome};

#[cfg(unix)]
use handles::{Folder, Folders, Root};
#[cfg(not(unix))]
use paths::{Folder, Folders, Root};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
