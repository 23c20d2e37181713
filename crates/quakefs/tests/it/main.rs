//! The search path through its public surface.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a suite: what panics fails a test, and measurements are printed"
)]

mod anachronox;
mod archive;
mod bases;
mod by_position;
mod companions;
mod data;
mod disk;
mod engine_author;
mod engines;
mod game;
mod listing;
mod lookup;
mod mod_list;
mod music;
mod other_games;
mod own_rules;
mod problems;
// not every disk allows names that differ only in case or are not UTF-8
#[cfg(target_os = "linux")]
mod property;
mod search_path;
mod spelling;
mod texts;
mod user;
mod wad;
// links, and the kernel's information about threads
#[cfg(target_os = "linux")]
mod watch;
mod why;
mod write;
mod zip;

use std::io::Read as _;

use quakefs::{Access, Engine, LooseFiles, Rules};
use testutils::search_path::{Mount, game_in_memory, layers, place, places, with_games};
use testutils::{game, report};

/// The content of every copy of a name, the winner first. All kinds of mounts must agree: live and listed,
/// mapped and read, on the system's disk and in memory.
fn check_rules(rules: &Rules, tree: &str, games: &str, request: &str, expected: &str) {
    let game = game(tree);
    let on_system = |loose, access| game.builder().loose_files(loose).access(access);
    let ways = [
        ("live, mapped", on_system(LooseFiles::Live, Access::Map)),
        ("listed, read", on_system(LooseFiles::Listed, Access::Read)),
        ("live, in memory", game_in_memory(tree)),
        ("listed, in memory", game_in_memory(tree).loose_files(LooseFiles::Listed)),
    ];
    for (way, builder) in ways {
        let quake = with_games(builder.rules(rules.clone()), games).mount().unwrap();
        let copies = quake.copies(request);
        assert_eq!(places(copies.iter().cloned()), expected, "{request:?} {way}");
        for copy in &copies {
            let mut streamed = String::new();
            copy.open().unwrap().read_to_string(&mut streamed).unwrap();
            assert_eq!(streamed, place(copy), "{way}");
            assert_eq!(*copy.read().unwrap(), *streamed.as_bytes(), "{way}");
            assert_eq!(copy.size(), streamed.len() as u64, "{way}");
        }
        match (quake.find(request), copies.first()) {
            (Some(found), Some(first)) => assert_eq!(found.location(), first.location()),
            (found, first) => assert!(found.is_none() && first.is_none(), "{found:?} {first:?}"),
        }
    }
}

/// The base games of all engines below a folder, as text for [`game`].
fn base_games(below: &str) -> String {
    let bases = Engine::ALL
        .iter()
        .filter_map(|engine| engine.rules().directories.base.iter().find(|base| *base != "."));
    bases.map(|base| format!("{below}{base}/: a")).collect::<Vec<_>>().join("; ")
}

/// [`check_rules`] as WinQuake does.
fn check(tree: &str, games: &str, request: &str, expected: &str) {
    check_rules(Engine::WinQuake.rules(), tree, games, request, expected);
}
