//! Why a name is not found.

use quakefs::why::Explanation;
use quakefs::{Engine, LooseFiles, SearchPath};
use testutils::{Folder, game};

use testutils::search_path::Mount as _;

/// Every cause in the order of the explanation, as text.
fn causes(quake: &SearchPath, name: &str) -> String {
    let Explanation::Missing(missing) = quakefs::why::explain(quake, name) else {
        return "found".to_owned();
    };
    let text = format!("{missing:?}");
    let causes = text.strip_prefix("Missing(").and_then(|text| text.strip_suffix(")")).unwrap();
    causes.split_once("; ").map_or("", |(_, causes)| causes).to_owned()
}

/// The causes with live loose files, which must equal the causes with listed ones.
fn check(game: &Folder, engine: Engine, name: &str) -> String {
    let quake = |loose| game.builder().engine(engine).loose_files(loose).mount().unwrap();
    let live = causes(&quake(LooseFiles::Live), name);
    assert_eq!(live, causes(&quake(LooseFiles::Listed), name));
    live
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn the_most_likely_cause_of_a_miss_comes_first() {
    let game = game(
        "id1/pak0.pak: maps/start.bsp maps/e1m1.bsp sound/door.wav; \
         id1/pak5.pak: maps/startt.bsp gfx/left.lmp; \
         id1/: Maps/Loose.bsp textures/wall.tga textures/wall2.tga id1/gfx/deep.lmp",
    );
    let quake = |name| check(&game, Engine::QuakeSpasm, name);
    assert_eq!(quake("maps/start.bsp"), "found");
    assert_eq!(quake("../x"), "refused");
    assert_eq!(quake("gfx/left.lmp"), "skipped id1/pak5.pak gfx/left.lmp");
    assert_eq!(quake("maps/startt.bsp"), "skipped id1/pak5.pak maps/startt.bsp; nearest maps/start.bsp");
    assert_eq!(quake("MAPS/START.BSP"), "spelling maps/start.bsp");
    assert_eq!(quake("maps/loose.bsp"), "spelling Maps/Loose.bsp");
    assert_eq!(quake(r"textures\wall.tga"), "spelling textures/wall.tga; nearest textures/wall2.tga");
    assert_eq!(quake("gfx/deep.lmp"), "deeper id1/gfx/deep.lmp");
    assert_eq!(quake("door.wav"), "deeper sound/door.wav");
    assert_eq!(quake("id1/sound/door.wav"), "shallower sound/door.wav");
    assert_eq!(quake("maps/e1m1.lit"), "extension maps/e1m1.bsp");
    assert_eq!(quake("textures/wall"), "extension textures/wall.tga");
    assert_eq!(quake("maps"), "folder");
    assert_eq!(quake("textures"), "folder");
    assert_eq!(quake("texturs/wall.tga"), "nearest textures/wall.tga textures/wall2.tga");
    assert_eq!(quake("maps/strat.bsp"), "nearest maps/start.bsp");
    assert_eq!(quake("no/such/thing.at.all"), "");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn causes_that_come_together_are_one_cause() {
    let game = game(
        "id1/pak0.pak: a sound/ambience/MyWind.wav; ad/pak0.pak: b; \
         ad/pak5.pak: ad/maps/deep.bsp ad/sound/Deep.wav sound/Left.wav; \
         ad/: sound/ambience/MyLoose.wav ad/gfx/Over.lmp; vektar/pak0.pak: maps/v.bsp; vektar/: gfx/v.lmp",
    );
    let quake = |name: &str| {
        let builder = || game.builder().engine(Engine::QuakeSpasm).game("ad");
        let live = causes(&builder().loose_files(LooseFiles::Live).mount().unwrap(), name);
        assert_eq!(live, causes(&builder().loose_files(LooseFiles::Listed).mount().unwrap(), name));
        live
    };
    // an archive that is not loaded, and that is packed too deep
    assert_eq!(quake("maps/deep.bsp"), "skipped ad/pak5.pak deeper ad/maps/deep.bsp");
    assert_eq!(quake("sound/deep.wav"), "skipped ad/pak5.pak deeper spelling ad/sound/Deep.wav");
    assert_eq!(quake("sound/left.wav"), "skipped ad/pak5.pak spelling sound/Left.wav");
    // a folder, and a case
    assert_eq!(quake("ambience/mywind.wav"), "deeper spelling sound/ambience/MyWind.wav");
    assert_eq!(quake("ambience/myloose.wav"), "deeper spelling sound/ambience/MyLoose.wav");
    assert_eq!(quake("gfx/over.lmp"), "deeper spelling ad/gfx/Over.lmp");
    assert_eq!(quake("ad/sound/ambience/myloose.wav"), "shallower spelling sound/ambience/MyLoose.wav");
    // another game
    assert_eq!(quake("maps/v.bsp"), "in vektar maps/v.bsp");
    assert_eq!(quake("vektar/gfx/v.lmp"), "in vektar shallower gfx/v.lmp");
    assert_eq!(quake("gfx/v.lmp"), "in vektar gfx/v.lmp");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_loose_file_in_other_case_hides_the_name_in_mvdsv() {
    let game = game("id1/pak0.pak: cfg/a.cfg; qw/: cfg/A.cfg");
    assert_eq!(check(&game, Engine::Mvdsv, "cfg/a.cfg"), "other spelling qw/cfg/A.cfg");
}

#[cfg(unix)]
#[test]
fn links_that_multiply_folders_do_not_hold_up_an_explanation() {
    let game = game("id1/pak0.pak: a");
    for link in ["x", "X"] {
        std::os::unix::fs::symlink(".", game.join("id1").join(link)).unwrap();
    }
    let quake = game.builder().mount().unwrap();
    assert_eq!(causes(&quake, &format!("{}b", "x/".repeat(100))), "");
}
