//! Extraction: the plan says as data which file goes where, and is then written below a folder.

#[cfg(all(feature = "fs", unix))]
mod handles;
mod options;
#[cfg(all(feature = "fs", not(unix)))]
mod paths;
mod plan;
#[cfg(feature = "fs")]
mod step;
#[cfg(feature = "fs")]
mod write;

pub use self::options::{Existing, ExtractOptions};
pub use self::plan::{ExtractPlan, PlannedFile};
#[cfg(feature = "fs")]
pub use self::write::{ExtractSink, Extracted, NotWritten, Outcome};
