//! What changed between two stacks, and what changes on disk while one is in use.

#[cfg(feature = "watch")]
mod content;
#[cfg(feature = "watch")]
mod look;
#[cfg(feature = "watch")]
mod places;
#[cfg(feature = "watch")]
mod signal;
#[cfg(feature = "watch")]
mod watcher;

#[cfg(feature = "watch")]
pub use self::watcher::{Update, Watcher};
pub use crate::stack::changes::{Change, ChangeKind};
