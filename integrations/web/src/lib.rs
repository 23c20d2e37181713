//! The WebAssembly modules of the npm package `quakefs`: a [`Session`] answers questions about one mounted game in JSON.
//!
//! - [`Question`]: a list of fields and values.
//! - [`Answer`]: a row in JSON, and bytes.
//! - [`Sources`]: the files of JavaScript as a disk.
//! - [`asked`]: what a level needs.
//! - `module`: the imports and exports. `answer` needs only the first module; `explain` answers what is in the second one.
//!
//! [`typescript`] declares the rows for TypeScript.

mod answers;
#[cfg(target_arch = "wasm32")]
pub mod module;
mod more;
mod rows;
mod sources;

pub use self::answers::{Answer, Question, Session};
pub use self::more::asked;
pub use self::sources::Sources;

/// The types of all rows, as in `types.d.ts` of the package.
#[must_use]
pub fn typescript() -> String {
    let parts = [answers::TYPES, more::TYPES].concat();
    let names = |names: Vec<&str>| format!("\"{}\"", names.join("\" | \""));
    let engines = names(quakefs::Engine::ALL.iter().map(|engine| engine.name()).collect());
    let hosts = names(quakefs::rules::Host::ALL.iter().map(|host| host.name()).collect());
    let mut text = format!(
        "// Made from the Rust types: `UPDATE=1 cargo test -p quakefs-web` writes this file.\n\n\
         /** An engine's name. */\nexport type Engine = {engines};\n\n\
         /** The system that the engine runs on. */\nexport type Host = {hosts};\n"
    );
    for part in parts {
        text.push('\n');
        text.push_str(&part());
    }
    text
}
