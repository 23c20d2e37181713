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
use regex::Regex;

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

/// The row of an engine has everything that differs between engines, so that a copy of it answers alike.
/// `Engine::ALL` may be printed, and `Engine::with` asks the rows.
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

/// The Rust files of all workspaces.
fn all_sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = ["crates", "integrations", "tests", "fuzz", "benches", "examples"]
        .map(|name| root.join(name))
        .to_vec();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// rustfmt leaves comments, strings and macros as they are. A line may be wider if it has a part of a raw
/// string, of a snapshot, or of a string with line ends or escapes, which are often texts of files.
#[test]
fn lines_are_no_wider_than_rustfmts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = fs::read_to_string(root.join("rustfmt.toml")).unwrap();
    let width: usize =
        config.lines().find_map(|line| line.strip_prefix("max_width = ")).unwrap().parse().unwrap();
    let token = Regex::new(
        r##"(?s)//[^\n]*|'(?:\\[^']+|\\'|[^\\'])'|\b[bc]?r#+".*?"#+|\b[bc]?r".*?"|@?"(?:\\.|[^"\\])*""##,
    )
    .unwrap();
    let is_text = Regex::new(r#"^[bc]?r[#"]|^@|[^\\]\n|\\[^\n]"#).unwrap();
    let (mut wide, mut read) = (Vec::new(), 0);
    for file in all_sources() {
        let text = fs::read_to_string(&file).unwrap();
        read += text.lines().count();
        let is_wide = |line: &str| line.len() > width && line.chars().count() > width;
        // few files have one, and the pattern takes long
        if !text.lines().any(is_wide) {
            continue;
        }
        let lines_before = |end: usize| text[..end].matches('\n').count();
        let strings = token.find_iter(&text).filter(|found| !found.as_str().starts_with(['/', '\'']));
        let texts: Vec<_> = strings
            .filter(|found| is_text.is_match(found.as_str()))
            .map(|found| lines_before(found.start())..=lines_before(found.end()))
            .collect();
        for (number, line) in text.lines().enumerate() {
            if is_wide(line) && !texts.iter().any(|lines| lines.contains(&number)) {
                wide.push(format!("{}:{}", file.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "these lines have more than {width} characters:\n{}", wide.join("\n"));
    assert!(read > 100_000, "{read}");
}

/// What the rows of a table in `docs/internals` name, each by the first group of the pattern.
fn named_in_rows(page: &str, pattern: &str) -> Vec<(String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/internals").join(page)).unwrap();
    let pattern = Regex::new(pattern).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ")).skip(1);
    let named = |row: &str| pattern.captures_iter(row).map(|found| found[1].to_owned()).collect();
    rows.map(|row| (row.to_owned(), named(row))).collect()
}

/// `docs/internals/invariants.md` names the tests that hold each invariant.
#[test]
fn each_test_of_an_invariant_exists() {
    let code: String = all_sources().iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut read = 0;
    for (row, tests) in named_in_rows("invariants.md", "`([a-z0-9_]+)`") {
        assert!(!tests.is_empty(), "no test: {row}");
        for test in tests {
            read += 1;
            assert!(code.contains(&format!("fn {test}(")), "no test has this name: {test}");
        }
    }
    assert!(read > 30, "{read}");
}

/// `docs/internals/first-steps.md` names the places in the code.
#[test]
fn each_place_of_a_first_step_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rows = named_in_rows("first-steps.md", "`((?:crates|docs)/[^` ]+)`");
    let places: Vec<_> = rows.into_iter().flat_map(|(_, places)| places).collect();
    assert!(places.len() > 10, "{places:?}");
    for place in places {
        assert!(root.join(&place).exists(), "{place}");
    }
}
