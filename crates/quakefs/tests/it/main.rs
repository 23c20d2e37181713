//! The search path through its public surface.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a suite: what panics fails a test, and measurements are printed"
)]

mod bases;
mod check;
mod collection;
mod compare;
mod data;
mod engines;
mod explain;
mod extract;
mod game;
mod installed;
mod listing;
mod lookup;
mod own_rules;
mod precedence;
mod problems;
// names that differ in case alone, or are not UTF-8, cannot be on every disk
#[cfg(target_os = "linux")]
mod property;
mod registration;
mod stack;
mod user;
// links, and what the kernel says of threads
#[cfg(target_os = "linux")]
mod watch;
mod write;
mod zip;

use std::io::Read as _;

use quakefs::{Access, Builder, Engine, Hit, LooseFiles, Rules, SearchPath};
use testutils::{Folder, game, report};

/// A folder as a base directory.
trait Mount {
    fn builder(&self) -> Builder;

    /// Mounted as WinQuake mounts it, with these games.
    fn mount(&self, games: &str) -> SearchPath;
}

impl Mount for Folder {
    fn builder(&self) -> Builder {
        SearchPath::builder(self.path())
    }

    fn mount(&self, games: &str) -> SearchPath {
        with_games(self.builder(), games).mount().unwrap()
    }
}

fn with_games(builder: Builder, games: &str) -> Builder {
    games.split_whitespace().fold(builder, Builder::game)
}

/// Where a file comes from, as [`game`] fills it.
fn place(hit: &Hit<'_>) -> String {
    match hit.entry() {
        Some(row) => format!("{}:{row}", hit.layer().name()),
        None => format!("{}{}", hit.layer().name(), hit.stored()),
    }
}

fn places<'a>(hits: impl IntoIterator<Item = Hit<'a>>) -> String {
    hits.into_iter().map(|hit| place(&hit)).collect::<Vec<_>>().join(" > ")
}

fn layers(quake: &SearchPath) -> String {
    quake.layers().map(quakefs::Layer::name).collect::<Vec<_>>().join(" > ")
}

/// Every copy of a name, the winner first, each as its bytes say: loose files asked and listed, archives mapped
/// and read.
fn check_rules(rules: &Rules, tree: &str, games: &str, request: &str, expected: &str) {
    let game = game(tree);
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        for access in [Access::Map, Access::Read] {
            let builder = game.builder().rules(rules.clone()).loose_files(loose).access(access);
            let quake = with_games(builder, games).mount().unwrap();
            let copies = quake.copies(request);
            assert_eq!(places(copies.iter().cloned()), expected, "{request:?} {loose:?} {access:?}");
            for copy in &copies {
                let mut streamed = String::new();
                copy.open().unwrap().read_to_string(&mut streamed).unwrap();
                assert_eq!(streamed, place(copy), "{loose:?} {access:?}");
                assert_eq!(*copy.read().unwrap(), *streamed.as_bytes(), "{loose:?} {access:?}");
                assert_eq!(copy.size(), streamed.len() as u64, "{loose:?} {access:?}");
            }
            match (quake.find(request), copies.first()) {
                (Some(found), Some(first)) => assert!(found.is_same_file(first), "{found:?} {first:?}"),
                (found, first) => assert!(found.is_none() && first.is_none(), "{found:?} {first:?}"),
            }
        }
    }
}

/// [`check_rules`] as WinQuake does.
fn check(tree: &str, games: &str, request: &str, expected: &str) {
    check_rules(Engine::WinQuake.rules(), tree, games, request, expected);
}
