//! Each answer as a sentence.

use quakefs::Engine;
use quakefs_game::{EngineOn, Game, Options, Surroundings};

fn game() -> (testutils::Folder, Game) {
    let folder = testutils::game(
        "id1/pak0.pak: default.cfg=bind maps/start.bsp=level; id1/pak1.pak: default.cfg=bind; \
         id1/pak3.pak: maps/gap.bsp; mymod/: default.cfg=other",
    );
    let options = Options {
        bases: vec![folder.path().to_owned()],
        games: vec!["mymod".to_owned()],
        ..Options::default()
    };
    let game = Game::open(&options, &Surroundings::default()).unwrap();
    (folder, game)
}

#[test]
fn an_answer_about_a_name_is_a_sentence() {
    let (_folder, game) = game();
    insta::assert_snapshot!(game.which("default.cfg"), @"
    default.cfg: mymod/ (5 bytes)
      overrides id1/pak1.pak (entry 0, 4 bytes): mymod/ ranks above id1/
      overrides id1/pak0.pak (entry 0, 4 bytes): mymod/ ranks above id1/
    ");
    insta::assert_snapshot!(game.which("maps/gap.bsp"), @"maps/gap.bsp: not found: id1/pak3.pak has it, but quakespasm skips that archive: pak2.pak is missing");
    insta::assert_snapshot!(game.find("maps/start.bsp").unwrap(), @"maps/start.bsp: id1/pak0.pak (entry 1, 5 bytes)");
    let overridden: Vec<_> = game.overridden().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(overridden.join("\n"), @"
    mymod/ overrides id1/pak1.pak: default.cfg
    mymod/ overrides id1/pak0.pak: default.cfg
    ");
}

#[test]
fn an_answer_about_a_game_is_a_sentence() {
    let (_folder, game) = game();
    insta::assert_snapshot!(game.path(), @"
    quakespasm: the default, because nothing shows another engine
      mymod/
      id1/pak1.pak
      id1/pak0.pak
      id1/
    ");
    insta::assert_snapshot!(game.caveats(), @"");
    let engines = [Engine::WinQuake, Engine::DarkPlaces].map(|engine| EngineOn { engine, on: None });
    let compared = game.compare(&engines, false).unwrap();
    let differences: Vec<_> = compared.differences().map(|row| row.to_string()).collect();
    insta::assert_snapshot!(differences.join("\n"), @"maps/gap.bsp: winquake nothing, darkplaces id1/pak3.pak: winquake skips id1/pak3.pak: pak2.pak is missing");
}
