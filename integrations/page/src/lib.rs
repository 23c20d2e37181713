//! quakefs in a browser. A person drops a game folder and downloads on a page. This module reads the files by position, and
//! finds out which of them an engine would load.
//!
//! - [`Dropped`]: the files as a disk, sorted into base directory, mods and archives.
//! - [`Session`]: answers questions in JSON.
//! - `module`: the exports of the WebAssembly module.
//!
//! The crate [`quakefs_page`] renders the page, as for `quakefs report`.

mod answers;
mod dropped;
#[cfg(target_arch = "wasm32")]
mod module {
    quakefs_web::exports!(crate::Session<quakefs_web::module::Source>, answer);
}
#[cfg(test)]
mod tests;

pub use self::answers::Session;
pub use self::dropped::{Choice, Dropped};
pub use quakefs_web::Answer;
