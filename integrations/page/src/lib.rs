//! quakefs in a browser. A person drops a game folder and downloads on a page. This module reads the files by
//! position, and finds out which of them an engine would load.
//!
//! - [`Dropped`]: the files as a disk, sorted into base directory, mods and archives.
//! - [`Session`]: answers questions in JSON.
//! - [`Page`]: the session as a class of JavaScript.
//!
//! The crate [`quakefs_page`] renders the page, as for `quakefs report`.

mod answers;
mod changes;
mod dropped;
mod module;
#[cfg(test)]
mod tests;

pub use self::answers::{Answer, Session};
pub use self::dropped::{Choice, Dropped};
pub use self::module::Page;
