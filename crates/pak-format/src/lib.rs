//! The PACK family of archives, as bytes: Quake, Quake II, Hexen II, Half-Life, SiN, HROT and Daikatana.
//!
//! ```text
//! | header | payload | payload | …        | row | row | row | … |
//!   12 bytes: magic, and where the rows are  '-- the directory --'
//!                                           each: name, where its payload is, how long
//! ```
//!
//! The directory may be before or after the payloads, payloads may overlap, and names are any bytes.
//!
//! - [`Archive`]: a whole archive in memory, from which names and payloads are borrowed; [`Entry`]: one file
//!   in it;
//!   [`Directory`]: only its rows, for readers that leave the payloads on disk.
//! - [`EntryName`]: a stored name, and its conversion to a path.
//! - [`Builder`]: makes an archive of [`Source`]s, in memory, on any output, or as a file; also a WAD or,
//!   with the feature `zip`, a ZIP.
#![cfg_attr(feature = "edit", doc = include_str!("editor.md"))]
//! - [`verify()`]: finds problems of an archive, as [`Finding`]s.
//! - [`daikatana`]: the codec of Daikatana's payloads.
//! - [`Layout`]: the four layouts, as one table; [`record`]: header and row in both directions; [`detect`]:
//!   finds out which layout an archive has.
//! - [`Error`]: a problem and its place.
//!
//! # An archive in memory
//! ```
//! use pak_format::{Archive, Builder, Layout};
//!
//! # let mut builder = Builder::new(Layout::Quake);
//! # builder.add("maps/start.bsp", [0u8; 64])?;
//! # let bytes = builder.finish()?;
//! let archive = Archive::parse(&bytes)?;
//! for entry in archive.entries() {
//!     println!("{:>8} {}", entry.size(), entry.name());
//! }
//! let entry = archive.find("maps/start.bsp").expect("the archive has it");
//! assert_eq!(*archive.read(&entry)?, [0; 64]);
//! # Ok::<(), pak_format::Error>(())
//! ```
//! The bytes may be a vector, a slice or a mapped file. Content that is not compressed is borrowed, not
//! copied.
//!
//! # Making one
//! ```
//! use pak_format::{Builder, Layout};
//!
//! let mut builder = Builder::new(Layout::Quake);
//! builder.add("autoexec.cfg", "sensitivity 3\n")?;
//! builder.add("maps/start.bsp", [0u8; 64])?;
//! let bytes = builder.finish()?;
//! # assert_eq!(bytes.len(), 12 + 14 + 64 + 2 * 64);
//! # Ok::<(), pak_format::Error>(())
//! ```
#![cfg_attr(feature = "edit", doc = include_str!("changing.md"))]
//!
//! # Verifying one
//! ```
//! use pak_format::{Archive, Builder, Layout, verify};
//!
//! let mut builder = Builder::new(Layout::Quake);
//! builder.add("readme.txt", "1")?;
//! builder.add("README.TXT", "2")?;
//! for finding in verify(&Archive::parse(builder.finish()?)?) {
//!     println!("{}: {finding}", finding.severity());
//! }
//! # Ok::<(), pak_format::Error>(())
//! ```
//!
//! # Daikatana's codec
//! ```
//! use pak_format::daikatana::{EncodeOptions, decode, encode};
//!
//! let stream = encode(b"abababababab", &EncodeOptions::new());
//! assert_eq!(decode(&stream, 12)?, b"abababababab");
//! # Ok::<(), pak_format::daikatana::DecodeError>(())
//! ```
//!
//! # Limits
//! - Offsets and sizes have 32 bits, so an archive has at most 4 GiB (the format).
//! - Names have at most 56 bytes, and 120 in SiN and HROT (the format). A writer allows one byte less,
//!   because engines expect a NUL.
//! - A compressed payload decodes to at most [`daikatana::MAX_EXPANSION`] times its size (the codec). A row
//!   that claims more is an error, before any memory is allocated.
//! - Bytes are untrusted: no input makes this crate panic.
//!
//! # Features
//! Without features the crate is `no_std` and needs only `alloc`: it reads and verifies archives, and has the
//! codec.
//! - `std`: [`Builder`] and [`Source`], and errors of the system.
//! - `zip`, on by default: [`Builder::zip`].
//! - `edit`, on by default: [`Editor`], [`repack`](repack()), [`Builder::write_file`] and [`Source::file`].
//!   Without it the crate opens no file.
//!
//! # Out of scope
//! Reading ZIP and WAD, and the rules of engines. The crate `quakefs` has them.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod archive;
pub mod daikatana;
pub mod detect;
#[cfg(feature = "edit")]
mod edit;
mod entry_name;
mod error;
mod findings;
mod kinds;
mod layout;
pub mod record;
mod wide;
#[cfg(feature = "std")]
mod write;

pub use archive::{Archive, Directory, Entry, ParseOptions};
#[cfg(feature = "edit")]
pub use edit::{Editor, RepackOptions, Report, repack};
pub use entry_name::{EntryName, EntryNameBuf, NameFault};
pub use error::{Error, ErrorKind};
pub use findings::{Finding, FindingKind, Severity, verify};
pub use layout::Layout;
#[cfg(feature = "std")]
pub use write::{Builder, Progress, Source};
#[cfg(feature = "edit")]
pub use write::{Held, WriteOptions, folder};

/// Functions for names: printing bytes as text, and the rules of disks and writers.
pub mod name {
    pub use crate::entry_name::{
        escape, field_holds, is_dropped_by_windows, is_refused_by_windows, is_windows_device, steers,
        unescape, with_slashes, writable,
    };

    #[cfg(feature = "std")]
    pub use crate::entry_name::escape_path;
}

/// Checks of only names, or of an archive that is not in memory.
pub mod verify {
    pub use crate::findings::{DecodeBudget, names, verify_by_position, verify_within};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
