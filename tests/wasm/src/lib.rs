//! quakefs as a WebAssembly module without a system disk. `tests/it.rs` compiles it for `wasm32-unknown-unknown` and compares its answers
//! with those on disk.

mod answers;
#[cfg(target_arch = "wasm32")]
mod module;

pub use answers::{answers, mount};
