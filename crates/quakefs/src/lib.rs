//! The virtual filesystem of the Quake family: which file an engine would load for a name, where the file comes from,
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

#![cfg_attr(not(feature = "fs"), allow(dead_code, reason = "a stack of archives in memory uses a part"))]

mod archive;
mod content;
mod data;
mod error;
mod extract;
mod finding;
#[cfg(feature = "glob")]
mod pattern;
mod precedence;
mod report;
pub mod rules;
mod stack;

pub use camino;
pub use pak_format;

pub use archive::{
    Access, Archive, ArchiveEntries, ArchiveEntry, ArchiveFormat, Files, Method, OpenOptions, Row,
};
pub use content::ContentType;
pub use data::{FileData, FileReader};
pub use error::{Error, ErrorKind, NotWritable, TooMuch, ZipFault};
#[cfg(feature = "fs")]
pub use extract::{Existing, ExtractOptions, ExtractSink, Extracted, NotWritten, Outcome};
pub use extract::{ExtractPlan, NotPlanned, NotPlannedBecause, PlannedFile};
pub use finding::{Finding, FindingKind, HiddenPair, Place, Unlikely, Unreachable};
pub use pak_format::{EntryName, Layout, Severity};
#[cfg(feature = "glob")]
pub use pattern::Pattern;
pub use precedence::{OrderBy, Precedence};
pub use report::{
    Because, Comparison, Difference, Explanation, MissingBecause, NotSeen, Registration, Shadow, compare,
};
pub use rules::{Case, Engine, Evidence, QPath, RequestError, Rules, UnknownEngine};
pub use stack::{
    Builder, Change, ChangeKind, Counts, DirEntry, Extent, File, GameDirectory, Hit, Hits, Layer, LayerKind,
    Layered, LeftOut, LeftOutBecause, LooseFiles, ReadDir, SearchPath, SharedSearchPath, Tree, TreeChildren,
    TreeNode,
};
