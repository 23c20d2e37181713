//! Several base directories, and another base game.

use quakefs::findings::FindingKind;
use quakefs::{Engine, SearchPath};
use testutils::search_path::named;
use testutils::{Folder, game};

use crate::{layers, places};

fn mount(game: &Folder, engine: Engine, bases: &[&str]) -> SearchPath {
    let builder = SearchPath::builder(game.join("one")).engine(engine).game("mod");
    let builder = bases.iter().fold(builder, |builder, base| builder.base_directory(game.join(base)));
    builder.mount().unwrap()
}

fn findings(game: &Folder, quake: &SearchPath) -> Vec<String> {
    quake.findings().map(|finding| game.redact(&named(finding))).collect()
}

fn three() -> Folder {
    game(
        "one/id1/pak0.pak: gfx/pop.lmp a; two/id1/pak0.pak: a; three/id1/: a;
        one/mod/: a; two/mod/: a; three/other/: a",
    )
}

#[test]
fn a_later_base_directory_of_ironwail_ranks_above_the_earlier_ones() {
    let game = three();
    let quake = mount(&game, Engine::Ironwail, &["two", "three"]);
    assert_eq!(
        game.redact(&places(quake.copies("a"))),
        "[DIR]/two/mod/a > mod/a > [DIR]/three/id1/a > [DIR]/two/id1/pak0.pak:0 > id1/pak0.pak:1"
    );
    let ranks = quake.layers().map(|layer| layer.game_directory().unwrap().rank);
    assert_eq!(ranks.collect::<Vec<_>>(), [2, 2, 2, 1, 1, 1, 1, 1]);
    assert_eq!(quake.write_dir(), Some(&*game.join("three/mod")));
}

#[test]
fn other_base_directories_of_vkquake_rank_below_the_first_one() {
    let game = three();
    let quake = mount(&game, Engine::VkQuake, &["two", "three"]);
    assert_eq!(
        game.redact(&places(quake.copies("a"))),
        "mod/a > [DIR]/two/mod/a > id1/pak0.pak:1 > [DIR]/three/id1/a > [DIR]/two/id1/pak0.pak:0"
    );
    assert_eq!(quake.write_dir(), Some(&*game.join("one/mod")));
}

#[test]
fn other_engines_use_only_the_first_base_directory() {
    let game = three();
    for engine in [Engine::WinQuake, Engine::QuakeSpasm, Engine::DarkPlaces, Engine::Fte] {
        let quake = mount(&game, engine, &["two", "three"]);
        assert!(quake.layers().all(|layer| layer.system_path().unwrap().starts_with(game.join("one"))));
        let not_used: Vec<_> = findings(&game, &quake);
        let expected = ["two", "three"].map(|name| format!("[DIR]/{name}/: base-directory-ignored"));
        assert_eq!(not_used[..2], expected, "{engine}");
    }
}

#[test]
fn the_user_directory_ranks_above_all_base_directories() {
    let game = game("one/id1/pak0.pak: a; two/id1/: a; home/id1/: a");
    for (engine, expected) in [
        (Engine::Ironwail, "[DIR]/home/id1/a > [DIR]/two/id1/a > id1/pak0.pak:0"),
        (Engine::VkQuake, "[DIR]/home/id1/a > id1/pak0.pak:0 > [DIR]/two/id1/a"),
    ] {
        let builder = SearchPath::builder(game.join("one")).base_directory(game.join("two"));
        let quake = builder.user_directory(game.join("home")).engine(engine).mount().unwrap();
        assert_eq!(game.redact(&places(quake.copies("a"))), expected);
        assert_eq!(quake.write_dir(), Some(&*game.join("home/id1")));
    }
}

#[test]
fn a_base_directory_that_is_named_twice_counts_once() {
    let game = three();
    let quake = mount(&game, Engine::Ironwail, &["two", "one", "two"]);
    assert_eq!(
        game.redact(&layers(&quake)),
        "[DIR]/two/mod/ > mod/ > [DIR]/two/id1/pak0.pak > [DIR]/two/id1/ > id1/pak0.pak > id1/"
    );
}

#[test]
fn another_base_directory_that_does_not_exist_is_a_finding() {
    let game = three();
    let quake = mount(&game, Engine::Ironwail, &["nowhere"]);
    assert_eq!(findings(&game, &quake)[0], "[DIR]/nowhere/: missing-directory");
    assert!(quake.findings().any(|finding| matches!(finding.kind, FindingKind::MissingDirectory { .. })));
}

#[test]
fn ironwail_needs_archive_number_0_only_in_the_first_base_directory() {
    let game = game("one/id1/: a; two/id1/pak0.pak: gfx/pop.lmp; home/id1/pak0.pak: b");
    let builder = SearchPath::builder(game.join("one")).base_directory(game.join("two"));
    let quake = builder.user_directory(game.join("home")).engine(Engine::Ironwail).mount().unwrap();
    assert!(quake.findings().any(|finding| finding.stops_engine && finding.location.layer_name() == "id1/"));
}

#[test]
fn the_archive_of_ironwail_is_loaded_once_from_the_lowest_directory_that_has_it() {
    let game = game("one/id1/pak0.pak: a; two/ironwail.pak: a; home/ironwail.pak: a; home/id1/: b");
    let builder = SearchPath::builder(game.join("one")).base_directory(game.join("two"));
    let quake = builder.user_directory(game.join("home")).engine(Engine::Ironwail).mount().unwrap();
    assert_eq!(game.redact(&places(quake.copies("a"))), "[DIR]/two/ironwail.pak:0 > id1/pak0.pak:0");
}

#[test]
fn another_base_game_replaces_id1() {
    let game = game("id1/pak0.pak: a; lq1/pak0.pak: a; mod/: a");
    let builder = |engine| SearchPath::builder(game.path()).engine(engine).base_game("lq1").game("mod");
    let quake = builder(Engine::Ironwail).mount().unwrap();
    assert_eq!(layers(&quake), "mod/ > lq1/pak0.pak > lq1/");
    let quake = builder(Engine::WinQuake).mount().unwrap();
    assert_eq!(layers(&quake), "mod/ > id1/pak0.pak > id1/");
    assert_eq!(findings(&game, &quake)[0], "lq1/: game-ignored");
}
