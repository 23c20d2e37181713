//! One file for each subject of rules: its types, its decisions, its validation and its tests.

pub(crate) mod archives;
pub(crate) mod command_line;
pub(crate) mod companions;
pub(crate) mod console;
pub(crate) mod content;
pub(crate) mod directories;
pub(crate) mod downloads;
pub(crate) mod family;
pub(crate) mod host;
#[cfg(feature = "unicode")]
pub(crate) mod letters;
pub(crate) mod limits;
pub(crate) mod loads;
pub(crate) mod loose;
pub(crate) mod names;
pub(crate) mod paks;
pub(crate) mod program;
pub(crate) mod registered;
pub(crate) mod requests;
pub(crate) mod settings;
pub(crate) mod stops;
pub(crate) mod substitutes;
pub(crate) mod suffix;
pub(crate) mod texts;
pub(crate) mod user;
pub(crate) mod zips;
