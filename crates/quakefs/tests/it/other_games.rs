//! Games that are not mounted.

use quakefs::sentences::Help as _;
use quakefs::why::{Explanation, explain};
use quakefs::{Builder, Engine, SearchPath};
use testutils::game;

use crate::Mount as _;

const TREE: &str = "id1/pak0.pak: maps/start.bsp; ad/pak0.pak: maps/swamp.bsp; vektar/: maps/v.bsp; \
    hipnotic/pak0.pak: maps/hip1m1.bsp; .git/: config.cfg; docs/: readme.txt";

/// How to start the engine to find a file that is missing; empty for a file that is found, or is in no game.
fn start(quake: &SearchPath, name: &str) -> String {
    let Explanation::Missing(missing) = explain(quake, name) else { return String::new() };
    let help = missing.help(None).unwrap();
    help.strip_prefix("start the engine with ").unwrap_or_default().to_owned()
}

/// The same for a file of each game.
fn starts(builder: Builder) -> Vec<String> {
    let quake = builder.mount().unwrap();
    let files = ["maps/swamp.bsp", "maps/v.bsp", "maps/hip1m1.bsp", "config.cfg", "readme.txt"];
    files.iter().map(|name| start(&quake, name)).collect()
}

#[test]
fn the_games_that_the_engine_would_search_are_named_and_no_other_folder() {
    let quake = game(TREE);
    let found = |engine, game: &str| {
        let builder = quake.builder().engine(engine);
        starts(if game.is_empty() { builder } else { builder.game(game) })
    };
    let others = ["the game vektar", "-hipnotic", "", "the game docs"];
    assert_eq!(found(Engine::QuakeSpasm, "ad"), [&[""], &others[..]].concat());
    assert_eq!(found(Engine::WinQuake, ""), [&["the game ad"], &others[..]].concat());
    // it takes no game from its command line
    assert_eq!(found(Engine::QuakeWorld, ""), [""; 5]);
}

#[test]
fn a_stack_without_a_base_directory_has_no_other_games() {
    let folder = game(TREE);
    assert_eq!(starts(Builder::new().folder(folder.join("ad"))), [""; 5]);
}

#[test]
fn a_new_game_is_found_by_a_remount() {
    let folder = game(TREE);
    let quake = folder.builder().mount().unwrap();
    assert_eq!(start(&quake, "maps/x.bsp"), "");
    folder.write("new/maps/x.bsp", "a level");
    assert_eq!(start(&quake, "maps/x.bsp"), "");
    assert_eq!(start(&quake.remount().unwrap(), "maps/x.bsp"), "the game new");
}
