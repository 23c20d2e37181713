//! What holds for the source of every crate.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use quakefs::Engine;

/// The Rust files of the crates and integrations, except quake-rules and what only tests use.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates =
        ["crates", "integrations"].into_iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut folders: Vec<PathBuf> = crates
        .map(|folder| folder.unwrap().path())
        .filter(|folder| !folder.ends_with("quake-rules") && !folder.ends_with("testutils"))
        .map(|folder| folder.join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                files.push(path);
            }
        }
    }
    files
}

/// The lines of a file before its test module, without comments, each with its number.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines =
        text.lines().enumerate().take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"));
    lines.map(|(number, line)| (number + 1, line.split("//").next().unwrap()))
}

/// The row of an engine has everything that differs between engines, so that a copy of it answers alike. `Engine::ALL` may
/// be printed, and `Engine::with` asks the rows.
#[test]
fn only_quake_rules_asks_which_engine_it_is() {
    let mut variants: Vec<String> = Engine::ALL.iter().map(|engine| format!("Engine::{engine:?}")).collect();
    variants.sort_by_key(|name| std::cmp::Reverse(name.len()));
    // layouts of archives have these names too
    let is_layout = |engine: &&Engine| engine.name().parse::<quakefs::Layout>().is_ok();
    let engines = Engine::ALL.iter().filter(|engine| !is_layout(engine));
    let names: Vec<String> = engines.map(|engine| format!("\"{engine}\"")).collect();
    let (mut wrong, mut read) = (Vec::new(), 0);
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in code(&text) {
            read += 1;
            let names_one = variants.iter().any(|name| line.contains(name.as_str()));
            if names_one || names.iter().any(|name| line.contains(name.as_str())) {
                wrong.push(format!("{}:{number}: {}", file.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "these lines name an engine:\n{}", wrong.join("\n"));
    assert!(read > 30_000, "{read}");
}
