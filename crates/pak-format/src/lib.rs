//! The PACK family of archives, as bytes: Quake and its kin, SiN, HROT, Daikatana.
//!
//! ```text
//! | header | payload | payload | …        | row | row | row | … |
//!   12 bytes: magic, and where the rows are  '-- the directory --'
//!                                           each: name, where its payload is, how long
//! ```
//!
//! The directory may stand anywhere, payloads may overlap or share bytes, names are bytes. What is here:
//!
//! - [`Layout`]: which of the four, as one table; [`layout::Header`] and [`layout::Row`] for both directions.
//! - [`Archive`]: a whole archive in memory, lending names and payloads; [`Entry`]: one file in it.
//! - [`Directory`]: its rows alone, for readers that leave the payloads on disk.
//! - [`EntryName`]: a stored name, of which nothing is known, and what it takes to make a path of it.
//! - [`daikatana`]: the codec. [`ContentType`]: what a file holds, by its extension.
//! - [`Builder`]: makes an archive, in memory or on any output, of [`Source`]s.
//! - [`Editor`]: adds, replaces, removes and renames in a file; [`repack`] reclaims what that leaves and
//!   converts between layouts. Either is done whole or not at all.
//! - [`verify`](verify()): what is odd or wrong about an archive, as [`Finding`]s.
//!
//! ```
//! use pak_format::{Archive, Builder, Layout};
//!
//! let mut builder = Builder::new(Layout::Quake);
//! builder.add("autoexec.cfg", "sensitivity 3\n")?;
//! builder.add("maps/start.bsp", [0u8; 64])?;
//! let bytes = builder.finish()?;
//!
//! let archive = Archive::parse(&bytes)?;
//! for entry in archive.entries() {
//!     let content = archive.read(&entry)?;
//!     println!("{:>8} {}", content.len(), entry.name());
//! }
//! # Ok::<(), pak_format::Error>(())
//! ```
//!
//! # Limits
//! Offsets and sizes have 32 bits: an archive is at most 4 GiB. Names have at most 56 bytes (120 in SiN and
//! HROT). Bytes are untrusted: whatever they are, nothing here panics, and no memory is taken that the input
//! did not pay for (a compressed payload gives at most [`daikatana::MAX_EXPANSION`] times its size).
//!
//! # Out of scope
//! Other archives (ZIP, WAD), and any rule of an engine: those are the crate `quakefs`. Files are opened by
//! [`Editor`] and [`repack`] alone.

mod archive;
mod builder;
mod content;
pub mod daikatana;
pub mod detect;
mod editor;
mod error;
pub mod layout;
pub mod name;
mod verify;

pub use archive::{Archive, Directory, Entry, ParseOptions};
pub use builder::{Builder, Compression, Source};
pub use content::ContentType;
pub use editor::{Editor, RepackOptions, Report, repack};
pub use error::{Error, ErrorKind};
pub use layout::Layout;
pub use name::{EntryName, NameFault};
pub use verify::{Finding, FindingKind, Severity, verify};
