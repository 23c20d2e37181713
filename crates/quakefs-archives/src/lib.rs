//! Works on many archives at once: finds them in folders, reads them on all cores, and compares their
//! contents.
//!
//! ```text
//!   paths -> Collection -> open       every archive, in order
//!                       -> each       what every archive holds, worked out on all cores
//!                       -> Catalog    a row for every entry, kept from one run to the next
//!                       -> Duplicates the same content in several places
//!   path  -> Contents   -> Diff       what was added, removed, changed and moved
//!                       -> merge      later over earlier
//!   path  -> Editor                   changes of a PACK archive, a ZIP or a WAD
//!   archive -> WadContents            entries of a WAD, or textures of a level, as PNG
//!   Lump                               a file as such an entry
//! ```
//!
//! Results are in the order of the paths, and below a folder in byte order, whatever the number of threads.
//! One unreadable archive does not stop the others: its [`Error`](quakefs::Error) is part of the answer.
//!
//! ```
//! use quakefs::archive::OpenOptions;
//! use quakefs_archives::Collection;
//! # let folder = testutils::game("a.pak: maps/start.bsp");
//! # let mods = folder.path();
//! # folder.write("b.pak", "no archive");
//!
//! let (mut holders, mut bad) = (Vec::new(), Vec::new());
//! for (path, archive) in Collection::search([mods]).open(&OpenOptions::new()) {
//!     match archive {
//!         Ok(archive) if archive.find("maps/start.bsp").is_some() => holders.push(path.to_owned()),
//!         Ok(_) => {}
//!         Err(error) => bad.push(error),
//!     }
//! }
//! assert_eq!(holders, [mods.join("a.pak")]);
//! assert_eq!(bad.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

mod allowance;
mod catalog;
#[cfg(feature = "parquet")]
mod columns;
mod contents;
mod diff;
mod differing;
mod digest;
mod digested;
mod duplicates;
mod earlier;
mod editor;
mod inside;
mod merge;
mod nested;
mod observer;
mod rewriter;
mod row;
mod search;
mod shards;
mod sums;
mod table;
mod threads;
mod wad;

pub use self::allowance::Budgeted;
pub use self::catalog::{Catalog, CatalogError, Catalogued, ExistingCatalog};
pub use self::contents::Contents;
pub use self::diff::Diff;
pub use self::differing::{Differing, DifferingName};
pub use self::digest::{Digest, DigestKind, NoDigest, Sums, UnknownWord};
pub use self::digested::{DigestOptions, Digested};
pub use self::duplicates::{Copy, Duplicate, Duplicates};
pub use self::editor::{Editor, rewrite};
pub use self::inside::nested_rows;
pub use self::merge::merge;
pub use self::row::CatalogFormat;
pub use self::search::{Collection, begins_as_archive, is_archive};
pub use self::sums::{BadLine, Sum};
pub use self::wad::{Lump, LumpError, MissingColours, WadContents, lumps, wad_builder};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
