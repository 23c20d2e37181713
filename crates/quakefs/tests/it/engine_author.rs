//! What the file layer of an engine needs beside lookups.

use std::collections::HashMap;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};

use quakefs::errors::NotWritable;
use quakefs::rules::{ArchiveSet, CommandLine, ConsoleRefusal, Games, Host, LoosePosition, NotUsed};
use quakefs::{Engine, ErrorKind, LooseFiles, Rules, SearchPath};
use testutils::game;
use testutils::search_path::{game_in_memory, layers, named};

use crate::Mount as _;

#[test]
fn a_game_directory_of_the_caller_is_loaded_by_the_rules_above_all_others() {
    let game = game(
        "quake/id1/pak0.pak: a; quake/mod/pak0.pak: a; got/: a; got/pak0.pak: a b; got/pak2.pak: c; \
            got/x.pak: d",
    );
    let base = game.join("quake");
    let quake = |engine| {
        let builder = SearchPath::builder(&base).engine(engine).game("mod");
        builder.game_directory(game.join("got")).mount().unwrap()
    };
    let got = game.join("got").as_str().replace('\\', "/");
    let winquake = quake(Engine::WinQuake);
    let expected = format!("{got}/pak0.pak > {got}/ > mod/pak0.pak > mod/ > id1/pak0.pak > id1/");
    assert_eq!(layers(&winquake), expected);
    let findings: Vec<_> = winquake.findings().map(named).collect();
    assert_eq!(findings, [format!("{got}/pak2.pak: gap"), format!("{got}/x.pak: archive-skipped")]);
    assert_eq!(winquake.write_dir(), Some(&*base.join("mod")));
    let directory = winquake.find("b").unwrap().layer().game_directory().unwrap().clone();
    assert_eq!((directory.rank, &*directory.name), (3, &*got));

    let darkplaces = quake(Engine::DarkPlaces);
    assert!(
        layers(&darkplaces).starts_with(&format!("{got}/ > {got}/x.pak > {got}/pak2.pak > {got}/pak0.pak"))
    );
    assert_eq!(layers(&darkplaces.remount().unwrap()), layers(&darkplaces));
    let missing = SearchPath::builder(&base).game_directory(game.join("none")).mount().unwrap_err();
    assert!(missing.is_not_found(), "{missing}");
}

#[test]
fn a_game_directory_of_the_caller_is_found_as_on_windows() {
    let game = game("quake/id1/: a; Got/PAK0.PAK: B");
    let builder = SearchPath::builder(game.join("quake")).game_directory(game.join("Got"));
    let quake = builder.engine(Engine::WinQuake).host(Host::Windows).mount().unwrap();
    assert!(quake.find("B").is_some());
}

#[test]
fn a_server_names_the_game_of_quakeworld() {
    let game = game("id1/: a; qw/: a; ctf/pak0.pak: a");
    let builder = game.builder().engine(Engine::QuakeWorld);
    let on = |name: &str| builder.clone().server_game(name).mount().unwrap();
    assert_eq!(layers(&on("ctf")), "ctf/pak0.pak > ctf/ > qw/ > id1/");
    assert_eq!(on("ctf").write_dir(), Some(&*game.join("ctf")));
    for base in ["qw", "id1"] {
        assert_eq!(layers(&on(base)), "qw/ > id1/", "COM_Gamedir does nothing for {base}");
    }
    assert_eq!(
        layers(&game.builder().game("none").server_game("ctf").mount().unwrap()),
        "ctf/pak0.pak > ctf/ > id1/"
    );
    assert_eq!(layers(&on("../ctf")), "qw/ > id1/", "COM_Gamedir refuses a path");
    let refused = builder.clone().refuse_missing_games().server_game("../ctf").mount().unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::UnusedGame { .. }));
}

#[test]
fn a_game_that_the_engine_does_not_use_is_refused_if_the_caller_asks() {
    let refused = |engine, games: &[&str]| {
        let builder = game_in_memory("id1/: a; one/: a; two/: a").engine(engine).refuse_missing_games();
        let builder = games.iter().fold(builder, |builder, game| builder.game(*game));
        builder.mount().map(|_| ()).unwrap_err()
    };
    let error = refused(Engine::QuakeWorld, &["one"]);
    let why = NotUsed::Game { taken: Games::Ignored };
    assert!(
        matches!(error.kind(), ErrorKind::UnusedGame { game, why: found } if game == "one" && *found == why)
    );
    insta::assert_snapshot!(error, @"the engine does not use the game one");
    assert!(error.help(None).is_some());
    assert!(matches!(refused(Engine::WinQuake, &["one", "two"]).kind(), ErrorKind::UnusedGame { .. }));
    assert!(matches!(refused(Engine::WinQuake, &["none"]).kind(), ErrorKind::MissingGame { .. }));
}

#[test]
fn quakeworld_writes_to_qw_whether_it_exists_or_not() {
    for engine in [Engine::QuakeWorld, Engine::EzQuake] {
        for text in ["id1/: a", "id1/: a; qw/: b"] {
            let game = game(text);
            let quake = game.builder().engine(engine).mount().unwrap();
            assert_eq!(quake.write_dir(), Some(&*game.join("qw")), "{engine}: {text}");
            quake.write("config.cfg", "x").unwrap();
            assert_eq!(quake.find("config.cfg").unwrap().layer().name(), "qw/");
        }
    }
    let nothing = game("baseq2/: a");
    let error = nothing.builder().engine(Engine::QuakeWorld).mount().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoGameDirectory { .. }));
}

#[test]
fn a_console_line_replaces_the_game() {
    let game = game("id1/: a; hipnotic/: a; one/pak0.pak: a; two/: a");
    let quake = game.builder().engine(Engine::QuakeSpasm).mission("hipnotic").game("one").mount().unwrap();
    let two = quake.at_console("game two").unwrap();
    assert_eq!(layers(&two), "two/ > id1/");
    assert_eq!(
        layers(&two.at_console("game one -hipnotic").unwrap()),
        "one/pak0.pak > one/ > hipnotic/ > id1/"
    );
    let kept = game.builder().engine(Engine::Fte).mission("hipnotic").game("one").mount().unwrap();
    assert!(layers(&kept.at_console("gamedir two").unwrap()).contains("two/ > hipnotic/"));
    assert!(matches!(quake.at_console("game none").unwrap_err().kind(), ErrorKind::MissingGame { .. }));
    let refusal = |engine, line: &str| {
        let quake = game_in_memory("id1/: a").engine(engine).mount().unwrap();
        quake.at_console(line).unwrap_err().kind().clone()
    };
    assert_eq!(refusal(Engine::QuakeSpasm, "game"), ErrorKind::Console(ConsoleRefusal::NoGame));
    assert_eq!(refusal(Engine::WinQuake, "game a"), ErrorKind::Console(ConsoleRefusal::UnknownCommand));
}

#[test]
fn a_remount_shares_the_archives_of_the_base_game() {
    let game = game("id1/pak0.pak: a; one/pak0.pak: a; two/pak0.pak: a");
    let quake = game.builder().game("one").mount().unwrap();
    let two = quake.remount_with(|builder| builder.without_games().game("two")).unwrap();
    let bytes = |quake: &SearchPath| quake.copies("a").last().unwrap().read().unwrap().as_ptr();
    assert_eq!(bytes(&quake), bytes(&two));
    assert_eq!(layers(&two), "two/pak0.pak > two/ > id1/pak0.pak > id1/");
}

#[test]
fn without_games_drops_the_setting_of_the_game() {
    let quake3 =
        game_in_memory("baseq3/: a; one/: a; two/: a").engine(Engine::IoQuake3).set("fs_game", "one");
    let quake = quake3.mount().unwrap();
    assert_eq!(layers(&quake), "one/ > baseq3/");
    let base = quake.remount_with(quakefs::Builder::without_games).unwrap();
    assert_eq!(layers(&base), "baseq3/");
}

#[test]
fn a_change_reaches_what_was_asked_in_another_spelling() {
    let game = game("id1/: maps/e1m1.bsp=old b.cfg=old");
    let builder = game.builder().loose_files(LooseFiles::Listed);
    let mount = |engine, host| builder.clone().engine(engine).host(host).mount().unwrap();
    for (engine, host) in [(Engine::DarkPlaces, Host::Linux), (Engine::WinQuake, Host::Windows)] {
        fs::write(game.join("id1/maps/e1m1.bsp"), "old").unwrap();
        let quake = mount(engine, host);
        let mut cache: HashMap<Vec<u8>, &str> = HashMap::new();
        cache.insert(quake.key("maps/e1m1.BSP"), "level");
        cache.insert(quake.key("b.cfg"), "config");
        fs::rename(game.join("id1/maps"), game.join("id1/Maps")).unwrap();
        fs::rename(game.join("id1/Maps/e1m1.bsp"), game.join("id1/Maps/E1M1.bsp")).unwrap();
        fs::write(game.join("id1/Maps/E1M1.bsp"), "new bytes").unwrap();
        let changes = quake.remount().unwrap().changes_since(&quake);
        assert!(!changes.is_empty());
        cache.retain(|key, _| changes.iter().all(|change| change.key() != key));
        assert_eq!(cache.into_values().collect::<Vec<_>>(), ["config"], "{engine}");
        fs::rename(game.join("id1/Maps/E1M1.bsp"), game.join("id1/Maps/e1m1.bsp")).unwrap();
        fs::rename(game.join("id1/Maps"), game.join("id1/maps")).unwrap();
    }
    let exact = mount(Engine::WinQuake, Host::Linux);
    assert_ne!(exact.key("Maps/E1M1.bsp"), exact.key("maps/e1m1.bsp"));
    assert_eq!(exact.key("maps//e1m1.bsp"), exact.key("maps/e1m1.bsp"));
    assert_eq!(exact.key("../a"), b"../a");
}

#[test]
fn a_stream_is_put_in_its_place_by_its_commit() {
    let game = game("id1/: demos/run.dem=old");
    let quake = game.builder().mount().unwrap();
    let mut demo = quake.create("demos/run.dem").unwrap();
    demo.write_all(&vec![b'x'; 100_000]).unwrap();
    demo.seek(SeekFrom::Start(1)).unwrap();
    demo.write_all(b"y").unwrap();
    assert_eq!(quake.read("demos/run.dem").unwrap(), "old");
    assert_eq!(demo.commit().unwrap(), game.join("id1/demos/run.dem"));
    let read = quake.read("demos/run.dem").unwrap();
    assert!(read.starts_with(b"xyx") && read.len() == 100_000);

    let mut dropped = quake.create("demos/new.dem").unwrap();
    dropped.write_all(b"x").unwrap();
    drop(dropped);
    let names: Vec<_> =
        fs::read_dir(game.join("id1/demos")).unwrap().map(|item| item.unwrap().file_name()).collect();
    assert_eq!(names, ["run.dem"]);
    for name in ["../x", "saves/", ""] {
        assert!(quake.create(name).is_err(), "{name}");
    }
    quake.create("shots/a.tga").unwrap().unflushed().commit_with("pixels").unwrap();
    assert_eq!(quake.read("shots/a.tga").unwrap(), "pixels");
}

#[test]
fn a_download_is_refused_if_an_engine_would_run_it_or_its_name_leads_out() {
    let quake = game_in_memory("id1/: a").engine(Engine::EzQuake).mount().unwrap();
    let run = ["pak9.pak", "a/B.PK3", "a.pk3dir/b.tga", "qwprogs.dat", "Autoexec.CFG", "game.dll", "pak.lst"];
    for name in run {
        let error = quake.download(name).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::NotWritable { why: NotWritable::Download, .. }),
            "{name}: {error}"
        );
    }
    for name in ["/a.wav", "../a.wav", "a/../../b.wav", "c:a.wav", r"a\..\b.wav", "autoexec.cfg ", "nul", ""]
    {
        let error = quake.download(name).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::NotWritable { why: NotWritable::Name(_), .. }),
            "{name}: {error}"
        );
    }
    let mut file = quake.download("skins/red.pcx").unwrap();
    file.write_all(b"pcx").unwrap();
    file.commit().unwrap();
    assert_eq!(quake.read("skins/red.pcx").unwrap(), "pcx");
}

#[test]
fn a_download_tells_which_copy_would_override_it() {
    let quake = game_in_memory("id1/pak0.pak: a.wav; id1/: b.wav").engine(Engine::WinQuake).mount().unwrap();
    let overriding = |name: &str| {
        let file = quake.download(name).unwrap();
        file.overridden_by().map(|file| file.layer().name().to_owned())
    };
    assert_eq!(overriding("a.wav").as_deref(), Some("id1/pak0.pak"), "archives rank above loose files");
    assert_eq!((overriding("b.wav"), overriding("c.wav")), (None, None));
}

#[test]
fn the_default_search_path_finds_nothing() {
    let quake = SearchPath::default();
    assert!(quake.find("a").is_none() && quake.read("a").unwrap_err().is_not_found());
    assert_eq!((quake.files().count(), quake.layers().len(), quake.write_dir()), (0, 0, None));
    assert!(quake.read_dir("").unwrap().is_empty() && quake.listed().copies("a").is_empty());
}

#[test]
fn plain_rules_are_for_a_game_of_ones_own() {
    let game = game("mygame/a.pak: x; mygame/B.PK3: X y; mygame/: y; mymod/: z");
    let mut rules = Rules::plain("mygame");
    let line = CommandLine::read(&rules, ["-game", "mymod"]);
    let quake =
        |rules: &Rules| SearchPath::builder(game.path()).rules(rules.clone()).command_line(&line).mount();
    let found = quake(&rules).unwrap();
    assert_eq!(layers(&found), "mymod/ > mygame/ > mygame/B.PK3 > mygame/a.pak");
    assert_eq!(found.find(r"X").unwrap().layer().name(), "mygame/B.PK3");
    assert_eq!(found.findings().count(), 0);
    rules.loose.position = LoosePosition::Below;
    rules.archives.sets = vec![ArchiveSet::others(["pk3"])].into();
    assert_eq!(rules.validate(), []);
    let found = quake(&rules).unwrap();
    assert_eq!(layers(&found), "mymod/ > mygame/B.PK3 > mygame/");
}

#[test]
fn a_finding_begins_with_its_location_like_an_error() {
    let quake = game_in_memory("id1/pak0.pak: a; id1/pak2.pak: b").mount().unwrap();
    let finding = quake.findings().next().unwrap();
    insta::assert_snapshot!(finding, @"id1/pak2.pak: skipped: pak1.pak is missing");
    insta::assert_snapshot!(finding.sentence(), @"skipped: pak1.pak is missing");
}
