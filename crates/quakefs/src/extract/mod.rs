//! Extraction: a plan lists which file goes where; a second step writes it below a folder.

#[cfg(all(feature = "fs", unix))]
mod handles;
#[cfg(feature = "fs")]
pub mod journal;
mod options;
#[cfg(all(feature = "fs", not(unix)))]
mod paths;
mod plan;
#[cfg(feature = "fs")]
pub(crate) mod rename;
#[cfg(feature = "fs")]
mod step;
#[cfg(feature = "fs")]
mod write;

pub use self::options::{Existing, ExtractOptions};
pub use self::plan::{ExtractPlan, PlannedFile};
#[cfg(feature = "fs")]
pub use self::write::{ExtractSink, Extracted, NotWritten, Outcome};

#[cfg(all(feature = "fs", unix))]
pub(crate) use self::handles::{Folders, Root};
#[cfg(all(feature = "fs", not(unix)))]
pub(crate) use self::paths::{Folders, Root};
