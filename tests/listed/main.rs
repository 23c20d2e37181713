//! Compares the public items of every crate with `.ci/surface.txt`, so that growth shows in a diff.
//!
//! It uses the JSON of rustdoc, which a stable toolchain prints if `RUSTC_BOOTSTRAP` is set for rustdoc. The
//! test compiles the crates again, so `cargo test` skips it: run `cargo test --test listed -- --ignored`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a suite: what panics fails a test, and a variable has it write what it expects"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

const LIST: &str = ".ci/surface.txt";

/// The limits of the kernel: names at its root, and types.
const AT_ROOT: usize = 35;
const TYPES: usize = 77;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
#[ignore = "compiles every crate with rustdoc: run by `.ci/run lint`"]
fn the_list_of_public_items_is_true() {
    let names = crates();
    let folder = rustdoc_json(&names);
    let mut list = String::new();
    for name in names {
        let file = folder.join(format!("{}.json", name.replace('-', "_")));
        let surface = Surface::of(&name, &serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap());
        if name == "quakefs" {
            assert!(surface.at_root <= AT_ROOT, "{} names at the root of quakefs", surface.at_root);
            assert!(surface.types <= TYPES, "{} types in quakefs", surface.types);
        }
        writeln!(list, "# {name}: {} names at the root, {} types", surface.at_root, surface.types).unwrap();
        surface.lines.iter().for_each(|line| writeln!(list, "{line}").unwrap());
        list.push('\n');
    }
    let path = root().join(LIST);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &list).unwrap();
    }
    let listed = fs::read_to_string(&path).unwrap_or_default();
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (listed.lines().collect(), list.lines().collect());
    let gone = old.difference(&new).map(|line| format!("- {line}"));
    let come = new.difference(&old).map(|line| format!("+ {line}"));
    let changes: Vec<_> = gone.chain(come).collect();
    assert!(
        listed == list,
        "{LIST} is another surface; `UPDATE=1` writes the new one:\n{}",
        changes.join("\n")
    );
}

/// The published crates with a library, in the order of their names.
fn crates() -> Vec<String> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = folders
        .filter(|folder| folder.join("src/lib.rs").is_file())
        .map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "testutils")
        .collect();
    names.sort();
    names
}

/// The public items of a crate.
struct Surface {
    at_root: usize,
    types: usize,
    lines: BTreeSet<String>,
}

impl Surface {
    fn of(name: &str, doc: &Value) -> Surface {
        let mut walk = Walk { doc, lines: BTreeSet::new(), types: BTreeSet::new(), seen: BTreeSet::new() };
        let root = doc["root"].to_string();
        walk.module(&root, &name.replace('-', "_"));
        let at_root = walk.names_in(&root).len();
        Surface { at_root, types: walk.types.len(), lines: walk.lines }
    }
}

/// Runs rustdoc to write JSON about the crates, and returns the folder.
fn rustdoc_json(names: &[String]) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let status = Command::new(env!("CARGO"))
        .args(["doc", "--quiet", "--lib", "--no-deps", "--all-features", "--locked"])
        .args(names.iter().flat_map(|name| ["-p", name]))
        // only for rustdoc: build scripts check RUSTC_BOOTSTRAP, and would run again
        .env("RUSTDOC", root().join(".ci/rustdoc-with-json"))
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json --cap-lints=allow")
        .current_dir(root())
        .status()
        .unwrap();
    assert!(status.success(), "rustdoc fails");
    target.join("doc")
}

/// A walk through all public paths.
struct Walk<'d> {
    doc: &'d Value,
    lines: BTreeSet<String>,
    /// The types, by their ids: a type with two paths counts once.
    types: BTreeSet<String>,
    /// The visited modules: a re-export may lead back.
    seen: BTreeSet<(String, String)>,
}

impl<'d> Walk<'d> {
    fn item(&self, id: &str) -> Option<&'d Value> {
        self.doc["index"].get(id.trim_matches('"'))
    }

    /// The names in a module: its own items and re-exports, each with the id of its target.
    fn names_in(&self, module: &str) -> Vec<(String, String)> {
        let mut names = Vec::new();
        let Some(item) = self.item(module) else { return names };
        for id in item["inner"]["module"]["items"].as_array().into_iter().flatten() {
            let id = id.to_string();
            let Some(item) = self.item(&id).filter(|item| item["visibility"] == "public") else { continue };
            let kind = &item["inner"];
            if let Some(import) = kind.get("use").or_else(|| kind.get("import")) {
                let target = import["id"].to_string();
                if import["is_glob"] == true {
                    names.extend(self.names_in(&target));
                } else {
                    names.push((import["name"].as_str().unwrap().to_owned(), target));
                }
            } else if let Some(name) = item["name"].as_str() {
                names.push((name.to_owned(), id));
            }
        }
        names
    }

    fn module(&mut self, id: &str, path: &str) {
        if !self.seen.insert((id.to_owned(), path.to_owned())) || path.matches("::").count() > 4 {
            return;
        }
        for (name, id) in self.names_in(id) {
            let path = format!("{path}::{name}");
            match self.item(&id) {
                Some(item) => self.public(&id, item, &path),
                // of another crate
                None => {
                    self.lines.insert(format!("use {path}"));
                }
            }
        }
    }

    fn public(&mut self, id: &str, item: &'d Value, path: &str) {
        let Some((kind, inner)) = item["inner"].as_object().and_then(|inner| inner.iter().next()) else {
            return;
        };
        match kind.as_str() {
            "module" => {
                self.lines.insert(format!("mod {path}"));
                self.module(id, path);
                return;
            }
            "struct" | "enum" | "union" | "trait" | "type_alias" => {
                self.types.insert(id.to_owned());
            }
            _ => {}
        }
        let word = match kind.as_str() {
            "function" => "fn",
            "type_alias" => "type",
            "constant" => "const",
            "proc_macro" => "macro",
            other => other,
        };
        self.lines.insert(format!("{word} {path}"));
        match kind.as_str() {
            "struct" => self.members(&inner["kind"]["plain"]["fields"], path, "field"),
            "enum" => self.members(&inner["variants"], path, "variant"),
            "trait" => self.members(&inner["items"], path, "fn"),
            _ => {}
        }
        for implementation in inner["impls"].as_array().into_iter().flatten() {
            let Some(found) = self.item(&implementation.to_string()) else { continue };
            let found = &found["inner"]["impl"];
            if found["trait"].is_null() {
                self.members(&found["items"], path, "fn");
            }
        }
    }

    /// Fields, variants and methods.
    fn members(&mut self, ids: &Value, path: &str, word: &str) {
        for id in ids.as_array().into_iter().flatten() {
            let Some(item) = self.item(&id.to_string()) else { continue };
            // items of a trait or an enum are as public as the trait or the enum
            let is_public = matches!(item["visibility"].as_str(), Some("public" | "default"));
            let is_own = word != "field" || item["visibility"] == "public";
            if let Some(name) = item["name"].as_str().filter(|_| is_public && is_own) {
                let is_const = item["inner"].get("assoc_const").is_some();
                let word = if is_const { "const" } else { word };
                self.lines.insert(format!("{word} {path}::{name}"));
            }
        }
    }
}
