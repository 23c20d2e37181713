//! Games that are not mounted.

use quakefs::search_path::OtherGame;
use quakefs::{Builder, Engine};
use testutils::game;

use crate::{Mount as _, places};

const TREE: &str = "id1/pak0.pak: maps/start.bsp; ad/pak0.pak: maps/swamp.bsp; vektar/: maps/v.bsp; \
    hipnotic/pak0.pak: maps/hip1m1.bsp; .git/: config.cfg; docs/: readme.txt";

/// Each game with its mission, and its layers.
fn games(builder: Builder) -> Vec<String> {
    let quake = builder.mount().unwrap();
    let line = |game: &OtherGame| {
        let layers: Vec<_> = game.search_path.layers().map(quakefs::Layer::name).collect();
        let mission = game.mission.as_ref().map_or_else(String::new, |flag| format!("-{flag} "));
        format!("{}: {mission}{}", game.directory, layers.join(" "))
    };
    quake.other_games().iter().map(line).collect()
}

#[test]
fn other_games_do_not_include_the_searched_directories() {
    let quake = game(TREE);
    let found = |engine, game: &str| {
        let builder = quake.builder().engine(engine);
        games(if game.is_empty() { builder } else { builder.game(game) })
    };
    assert_eq!(
        found(Engine::QuakeSpasm, "ad"),
        ["docs: docs/", "hipnotic: -hipnotic hipnotic/pak0.pak hipnotic/", "vektar: vektar/"]
    );
    assert_eq!(
        found(Engine::WinQuake, ""),
        [
            "ad: ad/pak0.pak ad/",
            "docs: docs/",
            "hipnotic: -hipnotic hipnotic/pak0.pak hipnotic/",
            "vektar: vektar/"
        ]
    );
    // it ignores games on its command line
    assert_eq!(found(Engine::QuakeWorld, ""), Vec::<String>::new());
}

#[test]
fn a_file_of_another_game_is_found_there() {
    let folder = game(TREE);
    let quake = folder.mount("ad");
    let found = |name| {
        let games = quake.other_games().iter().filter(|game| game.search_path.find(name).is_some());
        games.map(|game| &*game.directory).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found("maps/v.bsp"), "vektar");
    assert_eq!(found("maps/start.bsp"), "");
    assert_eq!(places(quake.find("maps/v.bsp")), "");
}

#[test]
fn a_stack_without_a_base_directory_has_no_other_games() {
    let folder = game(TREE);
    assert_eq!(games(Builder::new().folder(folder.join("ad"))), Vec::<String>::new());
}

#[test]
fn a_new_game_is_found_by_a_remount() {
    let folder = game(TREE);
    let quake = folder.builder().mount().unwrap();
    assert_eq!(quake.other_games().len(), 4);
    folder.write("new/maps/x.bsp", "a level");
    assert_eq!(quake.other_games().len(), 4);
    assert_eq!(quake.remount().unwrap().other_games().len(), 5);
}
