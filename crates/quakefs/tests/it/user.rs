//! A directory of the user's own beside the base directory.

use quakefs::{Engine, SearchPath};
use testutils::{Folder, game};

use crate::{Mount as _, layers, places, with_games};

fn mount(game: &Folder, games: &str) -> SearchPath {
    let builder = SearchPath::builder(game.join("base")).user_directory(game.join("home"));
    with_games(builder, games).mount().unwrap()
}

#[test]
fn game_directories_of_the_user_are_above_those_of_the_base_directory() {
    let game = game(
        "base/id1/pak0.pak: a; base/id1/: a; home/id1/pak0.pak: a; home/id1/: a;
        base/mod/pak0.pak: a; home/mod/: a b; home/other/: a",
    );
    let quake = mount(&game, "mod");
    assert_eq!(
        game.redact(&layers(&quake)),
        "[DIR]/home/mod/ > mod/pak0.pak > mod/ > [DIR]/home/id1/pak0.pak > [DIR]/home/id1/ > id1/pak0.pak > id1/"
    );
    assert_eq!(
        game.redact(&places(quake.copies("a"))),
        "[DIR]/home/mod/a > mod/pak0.pak:0 > [DIR]/home/id1/pak0.pak:0 > [DIR]/home/id1/a > id1/pak0.pak:0 > id1/a"
    );
    assert_eq!(quake.findings().count(), 0);
}

#[test]
fn archive_numbers_start_anew_in_the_user_directory() {
    let game = game("base/id1/pak0.pak: a; home/id1/pak1.pak: a; home/id1/pak0.pak: b");
    let quake = mount(&game, "");
    let expected =
        "[DIR]/home/id1/pak1.pak > [DIR]/home/id1/pak0.pak > [DIR]/home/id1/ > id1/pak0.pak > id1/";
    assert_eq!(game.redact(&layers(&quake)), expected);
}

#[test]
fn a_game_may_be_in_the_user_or_the_base_directory_alone() {
    let game = game("base/id1/: a; home/mine/: a; base/theirs/: a");
    assert_eq!(game.redact(&layers(&mount(&game, "mine"))), "[DIR]/home/mine/ > id1/");
    assert_eq!(mount(&game, "mine").findings().count(), 0);
    // what the engine writes will be there, and seen
    assert_eq!(game.redact(&layers(&mount(&game, "theirs"))), "[DIR]/home/theirs/ > theirs/ > id1/");
    let nowhere = mount(&game, "nowhere");
    let problems: Vec<_> = nowhere.findings().map(ToString::to_string).collect();
    assert_eq!(problems, ["nowhere/: there is no such folder"]);
}

#[test]
fn the_base_game_may_be_in_the_user_directory_alone() {
    let game = game("base/notes/: a; home/id1/: a");
    assert_eq!(game.redact(&layers(&mount(&game, ""))), "[DIR]/home/id1/");
}

#[test]
fn the_user_directory_may_be_missing_or_the_base_directory() {
    let game = game("base/id1/: a");
    assert_eq!(game.redact(&layers(&mount(&game, ""))), "[DIR]/home/id1/ > id1/");
    game.write("home", "not a folder");
    assert_eq!(layers(&mount(&game, "")), "id1/");
    let same = SearchPath::builder(game.join("base")).user_directory(game.join("base")).mount().unwrap();
    assert_eq!(layers(&same), "id1/");
}

#[test]
fn every_game_folder_may_be_in_the_user_directory() {
    let game =
        game("base/valve/: a; home/valve/: a; base/mod/: a; home/mod_downloads/: a; home/mod/custom/: a");
    let builder = SearchPath::builder(game.join("base")).user_directory(game.join("home"));
    let quake = builder.engine(Engine::GoldSrc).game("mod").mount().unwrap();
    assert_eq!(
        game.redact(&layers(&quake)),
        "[DIR]/home/mod/custom/ > [DIR]/home/mod/ > mod/ > [DIR]/home/mod_downloads/ > [DIR]/home/valve/ > valve/ > ./"
    );
}

#[test]
fn a_user_directory_in_the_base_directory_has_relative_names() {
    let game = game("id1/: a; home/id1/: a");
    let quake = game.builder().user_directory(game.join("home")).mount().unwrap();
    assert_eq!(layers(&quake), "home/id1/ > id1/");
}
