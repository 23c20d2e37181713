//! Changes between two search paths, and changes on disk while one is in use.

#[cfg(feature = "watch")]
mod follow;

#[cfg(feature = "watch")]
pub use self::follow::{Update, Watcher};
pub use crate::search_path::changes::{Change, ChangeKind};
