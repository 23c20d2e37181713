//! The user directory beside the base directory.

use quakefs::rules::UserLookedAt;
use quakefs::{Engine, ErrorKind, SearchPath};
use testutils::search_path::named;
use testutils::{Folder, game};

use crate::{Mount as _, base_games, layers, places, with_games};

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
        "[DIR]/home/mod/ > mod/pak0.pak > mod/ > [DIR]/home/id1/pak0.pak > [DIR]/home/id1/ > id1/pak0.pak > \
            id1/"
    );
    assert_eq!(
        game.redact(&places(quake.copies("a"))),
        "[DIR]/home/mod/a > mod/pak0.pak:0 > [DIR]/home/id1/pak0.pak:0 > [DIR]/home/id1/a > id1/pak0.pak:0 > \
            id1/a"
    );
    assert_eq!(quake.findings().count(), 0);
}

#[test]
fn archive_numbers_start_again_in_the_user_directory() {
    let game = game("base/id1/pak0.pak: a; home/id1/pak1.pak: a; home/id1/pak0.pak: b");
    let quake = mount(&game, "");
    let expected =
        "[DIR]/home/id1/pak1.pak > [DIR]/home/id1/pak0.pak > [DIR]/home/id1/ > id1/pak0.pak > id1/";
    assert_eq!(game.redact(&layers(&quake)), expected);
}

#[test]
fn a_game_may_be_only_in_the_user_or_the_base_directory() {
    let game = game("base/id1/: a; home/mine/: a; base/theirs/: a");
    assert_eq!(game.redact(&layers(&mount(&game, "mine"))), "[DIR]/home/mine/ > id1/");
    assert_eq!(mount(&game, "mine").findings().count(), 0);
    // what the engine writes will be there, and seen
    assert_eq!(game.redact(&layers(&mount(&game, "theirs"))), "[DIR]/home/theirs/ > theirs/ > id1/");
    let nowhere = mount(&game, "nowhere");
    let problems: Vec<_> = nowhere.findings().map(named).collect();
    assert_eq!(problems, ["nowhere/: missing-directory"]);
}

#[test]
fn the_base_game_may_be_only_in_the_user_directory() {
    let game = game("base/notes/: a; home/id1/pak0.pak: a");
    assert_eq!(game.redact(&layers(&mount(&game, ""))), "[DIR]/home/id1/pak0.pak > [DIR]/home/id1/");
}

#[test]
fn what_an_engine_leaves_in_the_user_directory_is_no_game() {
    let game = game("base/notes/: a; home/id1/: config.cfg");
    let builder = SearchPath::builder(game.join("base")).user_directory(game.join("home"));
    let error = builder.mount().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoGameDirectory { .. }), "{error}");
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
        "[DIR]/home/mod/custom/ > [DIR]/home/mod/ > mod/ > [DIR]/home/mod_downloads/ > [DIR]/home/valve/ > \
            valve/ > ./"
    );
}

#[test]
fn a_user_directory_in_the_base_directory_has_relative_names() {
    let game = game("id1/: a; home/id1/: a");
    let quake = game.builder().user_directory(game.join("home")).mount().unwrap();
    assert_eq!(layers(&quake), "home/id1/ > id1/");
}

fn below_home(game: &Folder, engine: Engine) -> SearchPath {
    SearchPath::builder(game.join("base")).engine(engine).home(game.join("home")).mount().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn each_engine_looks_at_its_own_place_below_the_home_folder() {
    let game = game(&base_games("base/"));
    let line = |engine: &Engine| {
        let user = below_home(&game, *engine).user_directory().map(|user| game.redact(user.as_str()));
        format!("{engine} {}", user.unwrap_or("-".to_owned()))
    };
    let lines: Vec<_> = Engine::ALL.iter().map(line).filter(|line| !line.ends_with(" -")).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    quakespasm [DIR]/home/.quakespasm
    quakespasm-0.95 [DIR]/home/.quakespasm
    ironwail [DIR]/home/.ironwail
    qss [DIR]/home/.quakespasm
    qss-m [DIR]/home/.quakespasm
    darkplaces [DIR]/home/.darkplaces
    darkplaces-2024 [DIR]/home/.darkplaces
    xonotic [DIR]/home/.xonotic
    nexuiz [DIR]/home/.nexuiz
    ezquake [DIR]/home/.ezquake
    yquake2 [DIR]/home/.yq2
    q2pro [DIR]/home/.q2pro
    q2rtx [DIR]/home/.local/share/quake2rtx
    vkquake [DIR]/home/.vkquake
    vkquake-1.35 [DIR]/home/.vkquake
    vkquake-1.34 [DIR]/home/.vkquake
    vkquake-1.32 [DIR]/home/.vkquake
    hexen2 [DIR]/home/.hexen2
    ioquake3 [DIR]/home/.local/share/Quake3
    quake3e [DIR]/home/.q3a
    openarena [DIR]/home/.openarena
    etlegacy [DIR]/home/.etlegacy
    openjk [DIR]/home/.local/share/openjk
    openjk-sp [DIR]/home/.local/share/openjk
    openjo-sp [DIR]/home/.local/share/openjo
    iortcw [DIR]/home/.wolf
    iortcw-sp [DIR]/home/.wolf
    urban-terror [DIR]/home/.ioUrbanTerror
    padman [DIR]/home/.local/share/worldofpadman
    smokin-guns [DIR]/home/.smokinguns
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn the_user_directory_of_ezquake_is_a_directory_of_its_own() {
    let game = game(
        "base/id1/: a; base/mod/: a; home/.ezquake/: a; home/.ezquake/pak0.pak: a; home/.ezquake/id1/: a",
    );
    let below = SearchPath::builder(game.join("base")).engine(Engine::EzQuake).home(game.join("home"));
    let quake = below.game("mod").mount().unwrap();
    let expected = "mod/ > [DIR]/home/.ezquake/pak0.pak > [DIR]/home/.ezquake/ > id1/";
    assert_eq!(game.redact(&layers(&quake)), expected);
    // otherwise a file of the game directory is found
    let found = |name| quake.find(name).map(|file| game.redact(file.layer().name()));
    assert_eq!(
        (found("./a"), found("/a"), found("id1/a")),
        (Some("mod/".to_owned()), Some("mod/".to_owned()), Some("[DIR]/home/.ezquake/".to_owned()),)
    );
    assert_eq!(places(quake.copies(".//a")), "mod/a");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_directory_stands_in_for_one_that_is_missing() {
    let game = game("ID1/: a; Id1/: a; ezquake/: a");
    let quake = game.builder().engine(Engine::EzQuake).mount().unwrap();
    assert_eq!(layers(&quake), "qw/ > ezquake/ > ID1/");
    game.write("id1/a", "a");
    assert_eq!(layers(&quake.remount().unwrap()), "qw/ > ezquake/ > id1/");
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_existing_place_below_the_home_folder_counts() {
    let game = game("base/baseq3/: a; home/.q3a/baseq3/: a");
    let quake = below_home(&game, Engine::IoQuake3);
    assert_eq!(game.redact(&layers(&quake)), "[DIR]/home/.q3a/baseq3/ > baseq3/");
    game.write("home/.local/share/Quake3/baseq3/a", "newer");
    let quake = quake.remount().unwrap();
    assert_eq!(game.redact(&layers(&quake)), "[DIR]/home/.local/share/Quake3/baseq3/ > baseq3/");
}

#[cfg(target_os = "linux")]
#[test]
fn fte_has_a_user_directory_only_if_it_exists() {
    let game = game("base/id1/: a; home/other/: a");
    assert_eq!(Engine::Fte.rules().user.as_ref().unwrap().looked_at, UserLookedAt::WhereThere);
    let quake = below_home(&game, Engine::Fte);
    assert_eq!((quake.user_directory(), quake.write_dir()), (None, Some(&*game.join("base/id1"))));
    game.write("home/.fte/fte/a", "mine");
    let quake = quake.remount().unwrap();
    assert_eq!(quake.user_directory(), Some(&*game.join("home/.fte")));
    assert_eq!(game.redact(&layers(&quake)), "[DIR]/home/.fte/fte/ > id1/");
}

#[test]
fn a_named_user_directory_goes_before_the_home_folder() {
    let game = game("base/id1/: a; home/.darkplaces/id1/: a; mine/id1/: a");
    let builder = SearchPath::builder(game.join("base")).engine(Engine::DarkPlaces).home(game.join("home"));
    let quake = builder.user_directory(game.join("mine")).mount().unwrap();
    assert_eq!(game.redact(&layers(&quake)), "[DIR]/mine/id1/ > id1/");
}

#[test]
fn an_engine_without_a_user_directory_looks_at_nothing_below_the_home_folder() {
    let game = game("base/id1/: a; home/.quakespasm/id1/: a; home/id1/: a");
    for engine in [Engine::WinQuake, Engine::Mvdsv] {
        let quake = below_home(&game, engine);
        assert_eq!((quake.user_directory(), &*layers(&quake)), (None, "id1/"));
    }
}

#[test]
fn copies_of_a_game_directory_share_a_rank() {
    let game = game("base/id1/: a; home/id1/: a; base/mod/: a; home/mod/: a");
    let quake = mount(&game, "ghost mod");
    let rank = |layer: &quakefs::Layer| layer.game_directory().unwrap().rank;
    // the missing folder of a game is created in the user directory
    assert_eq!(quake.layers().map(rank).collect::<Vec<_>>(), [2, 1, 1]);
    let quake = mount(&game, "mod");
    assert_eq!(quake.layers().map(rank).collect::<Vec<_>>(), [2, 2, 1, 1]);
}

#[test]
fn files_written_to_the_folder_of_a_new_game_are_found() {
    let game = game("id1/: config.cfg=old");
    let builder = SearchPath::builder(game.path()).game("fresh");
    let quake = builder.clone().engine(Engine::WinQuake).mount().unwrap();
    assert_eq!(quake.write_dir().unwrap(), game.join("fresh"));
    assert_eq!(quake.findings().count(), 1);
    quake.write("config.cfg", "new").unwrap();
    let file = quake.find("config.cfg").unwrap();
    assert_eq!((file.layer().name(), file.read().unwrap().as_ref()), ("fresh/", &b"new"[..]));
    assert_eq!(file.layer().game_directory().unwrap().rank, 2);
    std::fs::remove_dir_all(game.join("fresh")).unwrap();
    // an engine that stops makes no folder
    let stopped = builder.engine(Engine::Ironwail).mount().unwrap();
    assert_eq!(stopped.write_dir().unwrap(), game.join("id1"));
}

#[test]
fn the_archive_of_quakespasm_in_the_user_directory_ranks_above_its_number_0() {
    // seen in Debian's QuakeSpasm 0.95.1
    let game = game(
        "base/quakespasm.pak: a; base/id1/pak0.pak: a; base/id1/pak1.pak: a;
        home/quakespasm.pak: a; home/id1/pak0.pak: a; home/id1/pak1.pak: a",
    );
    let user = |engine| {
        let builder = SearchPath::builder(game.join("base")).user_directory(game.join("home"));
        game.redact(&places(builder.engine(engine).mount().unwrap().copies("a")))
    };
    let in_user = "[DIR]/home/id1/pak1.pak:0 > [DIR]/home/quakespasm.pak:0 > [DIR]/home/id1/pak0.pak:0";
    let in_base = "id1/pak1.pak:0 > quakespasm.pak:0 > id1/pak0.pak:0";
    assert_eq!(user(Engine::QuakeSpasm), format!("{in_user} > {in_base}"));
    assert_eq!(user(Engine::Qss), format!("{in_user} > {in_base}"));
    std::fs::remove_dir_all(game.join("home/id1")).unwrap();
    assert_eq!(user(Engine::QuakeSpasm), format!("[DIR]/home/quakespasm.pak:0 > {in_base}"));
}

#[test]
fn the_first_archive_of_vkquake_is_that_of_the_base_directory() {
    // an empty one ends the run anywhere else
    let game = game("base/id1/pak0.pak: ; base/id1/pak1.pak: a; home/id1/pak0.pak: ; home/id1/pak1.pak: a");
    let builder = SearchPath::builder(game.join("base")).user_directory(game.join("home"));
    let quake = builder.engine(Engine::VkQuake).mount().unwrap();
    assert_eq!(places(quake.copies("a")), "id1/pak1.pak:0");
}
