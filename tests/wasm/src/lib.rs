//! quakefs as a WebAssembly module without the disk of a system: what `tests/it.rs` compiles for
//! `wasm32-unknown-unknown`, and what it compares with the same questions on disk.

mod answers;
#[cfg(target_arch = "wasm32")]
mod module;

pub use answers::{answers, mount};
