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

/// The text of `CONTRIBUTING.md` and of each page of `docs/internals`, by its path.
fn internals() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs/internals")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.chain([root.join("CONTRIBUTING.md")]);
    pages.map(|page| (page.clone(), fs::read_to_string(page).unwrap())).collect()
}

/// A path begins with a folder of the repository. In the drawing of the house it begins a line.
#[test]
fn each_path_in_the_pages_for_makers_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = "crates|docs|tests|testdata|fuzz|benches|examples|integrations|[.]ci|[.]github";
    let path = Regex::new(&format!(r"(?:`|^  | )((?:{folders})/[a-z0-9_./-]*[a-z0-9_/-])")).unwrap();
    let (mut wrong, mut read) = (Vec::new(), 0);
    for (page, text) in internals() {
        for found in text.lines().flat_map(|line| path.captures_iter(line)) {
            read += 1;
            if !root.join(&found[1]).exists() {
                wrong.push(format!("{}: {}", page.display(), &found[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 60, "{read}");
}

/// `docs/internals/house.md` draws each crate, with no module that is gone.
#[test]
fn the_drawing_of_the_house_has_each_crate_and_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/internals/house.md")).unwrap();
    for found in fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().file_name()) {
        let name = found.into_string().unwrap();
        assert!(text.contains(&format!("\n  crates/{name}/ ")), "{name} is not drawn");
    }
    let (mut of, mut read) = (PathBuf::new(), 0);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("  crates/") {
            of = root.join("crates").join(name.split('/').next().unwrap()).join("src");
        } else if let Some(modules) = line.strip_prefix("    ").filter(|line| !line.starts_with([' ', '-'])) {
            let modules = modules.split("  ").next().unwrap();
            for module in modules.split([',', ' ']).filter(|module| !module.is_empty()) {
                read += 1;
                let file = of.join(module.trim_end_matches('/'));
                assert!(file.is_dir() || file.with_extension("rs").is_file(), "{}", file.display());
            }
        }
    }
    assert!(read > 15, "{read}");
}

/// A name of more than two words is a test's.
#[test]
fn each_test_in_the_pages_for_makers_exists() {
    let code: String = all_sources().iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let test = Regex::new("`([a-z0-9]+(?:_[a-z0-9]+){2,})`").unwrap();
    let mut read = 0;
    for (page, text) in internals() {
        for found in test.captures_iter(&text) {
            read += 1;
            assert!(code.contains(&format!("fn {}(", &found[1])), "{}: {}", page.display(), &found[1]);
        }
    }
    assert!(read > 30, "{read}");
}

/// Each crate's README: what it is, lines of code, limits, and what it is not.
#[test]
fn each_readme_has_one_form() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(text) = fs::read_to_string(folder.join("README.md")) else {
            assert!(folder.ends_with("testutils"), "{} has no README.md", folder.display());
            continue;
        };
        let name = folder.file_name().unwrap().to_str().unwrap();
        let parts =
            [&format!("# {name}\n"), "\n```", "\n## Limits\n", "\n## What it is not\n", "\nMinimum Rust: "];
        let places: Vec<_> = parts.iter().map(|part| text.find(*part)).collect();
        assert!(places.is_sorted() && places[0] == Some(0), "{name}: {places:?} of {parts:?}");
    }
}
