//! quakefs in a browser. A person drops a game folder, archives or a mod as downloaded on a page; the page hands the files to this
//! module, which reads them by position and answers what an engine would load of them.
//!
//! - [`Dropped`]: the files as a disk, and what among them is the base directory, a mod, an archive.
//! - [`Session`]: questions as forms, and their answers as JSON.
//! - `module`: what the WebAssembly module exports.
//!
//! The page is that of `quakefs report`, of the crate [`quakefs_page`].

mod answers;
mod dropped;
#[cfg(target_arch = "wasm32")]
mod module;

pub use self::answers::{Answer, Session};
pub use self::dropped::{Choice, Dropped};
