//! Registered or shareware.

use std::fs;

use quakefs::why::Registration;
use quakefs::{Builder, Engine};
use testutils::{data, game};

use testutils::search_path::Mount as _;

use crate::base_games;

#[testneeds::data("conformance/pop.lmp")]
#[test]
fn pop_lmp_marks_a_registered_game() {
    let pop = fs::read(data("conformance/pop.lmp")).unwrap();
    let game = game("id1/pak0.pak: a; mod/: a");
    game.write("id1/gfx/pop.lmp", &pop);
    assert_eq!(quakefs::why::registration(&game.mount("")), Some(Registration::Registered));
    assert_eq!(quakefs::why::registration(&game.mount("mod")), Some(Registration::Registered));
    // WinQuake looks in the whole search path
    game.write("mod/gfx/pop.lmp", "of the mod");
    assert_eq!(quakefs::why::registration(&game.mount("mod")), Some(Registration::Corrupt));
    // it reads 256 bytes, and ignores the rest of a longer file
    game.write("mod/gfx/pop.lmp", [&*pop, b"longer"].concat());
    assert_eq!(quakefs::why::registration(&game.mount("mod")), Some(Registration::Registered));
    let mut other = pop;
    other[255] ^= 1;
    game.write("id1/gfx/pop.lmp", &other);
    assert_eq!(quakefs::why::registration(&game.mount("")), Some(Registration::Corrupt));
}

#[test]
fn a_game_without_pop_lmp_is_the_shareware() {
    let game = game("id1/pak0.pak: a");
    assert_eq!(quakefs::why::registration(&game.mount("")), Some(Registration::Shareware));
}

#[test]
fn a_pop_lmp_with_other_bytes_is_corrupt() {
    let game = game("id1/pak0.pak: gfx/pop.lmp");
    assert_eq!(quakefs::why::registration(&game.mount("")), Some(Registration::Corrupt));
    let words = [Registration::Registered, Registration::Shareware, Registration::Corrupt];
    assert_eq!(words.map(Registration::name), ["registered", "shareware", "corrupt"]);
}

#[test]
fn an_engine_without_a_registered_file_has_no_registration() {
    let game = game(&base_games(""));
    for engine in Engine::ALL {
        let asked = quakefs::why::registration(&game.builder().engine(*engine).mount().unwrap());
        assert_eq!(asked.is_some(), engine.rules().registered.is_some(), "{engine}");
    }
    let quake2 = game.builder().engine(Engine::Quake2).mount().unwrap();
    assert_eq!(quakefs::why::registration(&quake2), None);
}

#[test]
fn pushed_layers_without_a_game_have_no_registration() {
    let game = game("any/: a");
    let quake = Builder::new().folder(game.join("any")).mount().unwrap();
    assert_eq!(quakefs::why::registration(&quake), None);
}
