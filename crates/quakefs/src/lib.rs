//! The virtual filesystem of the Quake family: which file an engine would load for a name, where it comes from,
//! and what it hides.
//!
//! ```text
//!        request: maps/start.bsp
//!                     |
//!   mymod/pak1.pak    |             layers, highest first:
//!   mymod/pak0.pak    v             the first that has the name wins
//!   mymod/            hit  -------> these bytes
//!   id1/pak1.pak      (shadowed)
//!   id1/pak0.pak      (shadowed)
//!   id1/
//! ```
//!
//! - [`SearchPath`]: the stack. [`SearchPath::builder`] makes one from a base directory as an [`Engine`] would,
//!   or from [`Rules`] of your own; [`Builder::folder`] and its kin put further layers on top.
//! - [`Hit`]: a file in it, with its [`Layer`]. [`FileData`] and [`FileReader`]: its bytes.
//! - [`QPath`]: a request as an engine reads it. [`Problem`]: what was left out, and why.
//! - [`SharedSearchPath`]: to swap a new stack in at run time.
//!
//! ```
//! use quakefs::{Engine, SearchPath};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = camino::Utf8Path::from_path(folder.path()).unwrap();
//! # std::fs::create_dir_all(base.join("id1/maps")).unwrap();
//! # std::fs::write(base.join("id1/maps/start.bsp"), "loose").unwrap();
//! # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
//! # pak.add("maps/start.bsp", "from the pak").unwrap();
//! # std::fs::write(base.join("id1/pak0.pak"), pak.finish().unwrap()).unwrap();
//! let quake = SearchPath::builder(base).engine(Engine::WinQuake).mount()?;
//! let hit = quake.find("maps/start.bsp").expect("it is in the pak and beside it");
//! assert_eq!(hit.layer().name(), "id1/pak0.pak");
//! assert_eq!(*hit.read()?, *b"from the pak");
//! assert_eq!(quake.copies("maps/start.bsp").len(), 2);
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Costs
//! A lookup in the archives is one hash and one probe however many there are; it allocates nothing, takes no
//! lock and makes no system call. A game directory's loose files are asked on disk while they rank above the
//! best archive, one system call each, unless [`LooseFiles::Listed`] is chosen.
//!
//! # Limits
//! A request has at most [`QPath::MAX_LEN`] bytes. `..` is refused for every engine. Links in a game directory
//! are followed, as the engines do. Paths on disk are UTF-8; names in archives are bytes.

mod check;
mod data;
mod discover;
mod engine;
mod error;
mod index;
mod layer;
mod listing;
mod mount;
#[cfg(feature = "glob")]
mod pattern;
mod precedence;
mod problem;
mod qpath;
mod registration;
mod rules;
mod search_path;
mod shared;
mod source;
mod write;

pub use check::Finding;
pub use data::{FileData, FileReader};
pub use engine::{Engine, Evidence, UnknownEngine};
pub use error::{Error, ErrorKind};
pub use layer::{Hit, Layer, LayerKind};
pub use listing::LooseFiles;
pub use mount::Builder;
pub use pak_format::{ContentType, EntryName, Layout, Severity};
#[cfg(feature = "glob")]
pub use pattern::Pattern;
pub use precedence::Precedence;
pub use problem::{Problem, ProblemKind, Unreachable};
pub use qpath::{QPath, RequestError};
pub use registration::Registration;
pub use rules::{
    Alike, ArchiveSet, Backslash, Case, Directories, Duplicates, EmptyArchive, Games, Gaps, Limits, List,
    Loose, LooseCase, LoosePosition, Mission, NamedAgain, Order, PakReading, PartialRow, Reading, Requests,
    Rules, Text, WrongArchive, ZipNames,
};
pub use search_path::{Files, SearchPath, Shadow};
pub use shared::SharedSearchPath;
pub use source::archive::{Archive, ArchiveEntry, ArchiveFormat, Method};
pub use source::image::Access;
pub use source::zip::ZipFault;
