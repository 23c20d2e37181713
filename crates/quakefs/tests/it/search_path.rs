//! Which layers there are and in what order.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use testutils::search_path::named;

use quakefs::archive::{ArchiveKind, OpenOptions};
use quakefs::errors::WrongBase;
use quakefs::rules::{Games, LoosePosition};
use quakefs::{Archive, Builder, Engine, ErrorKind, Layout, LooseFiles, SearchPath, SharedSearchPath};
use testutils::{Folder, data, game, pack, zip_deflated};

use crate::{Mount as _, layers, place, places, report};

fn image(name: &str, content: &str) -> Vec<u8> {
    pack(Layout::Quake, [(name, content)])
}

#[test]
fn layers_are_named_by_their_place_below_the_base_directory_highest_first() {
    let game = game("id1/pak0.pak: a; id1/pak1.pak: a b; hipnotic/pak0.pak: a; mod/: a");
    let quake = game.builder().mission("hipnotic").game("mod").mount().unwrap();
    assert_eq!(layers(&quake), "mod/ > hipnotic/pak0.pak > hipnotic/ > id1/pak1.pak > id1/pak0.pak > id1/");
    let shape = |archive: &Archive| (archive.entries().len(), archive.layout());
    let layers: Vec<_> = quake.layers().map(|layer| (layer.kind(), layer.archive().map(shape))).collect();
    let folder = (ArchiveKind::Folder, None);
    let pak = |entries| (ArchiveKind::Pak, Some((entries, Some(Layout::Quake))));
    assert_eq!(layers, [folder, pak(1), folder, pak(2), pak(1), folder]);
    let words: Vec<_> = quake.layers().take(2).map(|layer| layer.kind().to_string()).collect();
    assert_eq!(words, ["dir", "pak"]);
    for layer in quake.layers() {
        assert_eq!(layer.system_path(), Some(game.join(layer.name())), "{layer:?}");
    }
}

#[test]
fn missions_are_in_the_order_of_the_engine_not_of_the_flags() {
    let game = game("id1/: a; rogue/: a; hipnotic/: a; quoth/: a");
    let quake = game.builder().engine(Engine::QuakeSpasm);
    let quake = quake.mission("quoth").mission("hipnotic").mission("rogue").mount().unwrap();
    assert_eq!(layers(&quake), "quoth/ > hipnotic/ > rogue/ > id1/");
}

#[test]
fn a_game_that_is_the_base_game_is_one_layer() {
    let game = game("id1/pak0.pak: a");
    assert_eq!(layers(&game.mount("id1")), "id1/pak0.pak > id1/");
    assert_eq!(layers(&game.mount("id1/")), "id1/pak0.pak > id1/");
}

#[test]
fn a_game_may_be_a_folder_in_a_folder() {
    let game = game("id1/: a; mods/mine/: a");
    let quake = game.builder().engine(Engine::WinQuake).game("mods/mine").mount().unwrap();
    assert_eq!(layers(&quake), "mods/mine/ > id1/");
}

#[test]
fn pushed_layers_are_on_top_in_the_order_of_the_calls() {
    let game = game("id1/pak0.pak: a; mod/: a; extra/: a; extra.pak: a");
    let quake = game
        .builder()
        .archive(game.join("extra.pak"))
        .game("mod")
        .folder(game.join("extra"))
        .memory("built.pak", image("a", "built.pak:0"))
        .mount()
        .unwrap();
    assert_eq!(layers(&quake), "built.pak > extra/ > extra.pak > mod/ > id1/pak0.pak > id1/");
    let copies = quake.copies("a");
    assert_eq!(
        places(copies.iter().cloned()),
        "built.pak:0 > extra/a > extra.pak:0 > mod/a > id1/pak0.pak:0"
    );
    for copy in copies {
        assert_eq!(*copy.read().unwrap(), *place(&copy).as_bytes());
    }
    assert_eq!(quake.layers().next().unwrap().system_path(), None, "it is in memory");
}

#[test]
fn pushed_layers_need_no_base_directory() {
    let elsewhere = game("extra/: a b; extra.pak: a c");
    let quake = Builder::new()
        .folder(elsewhere.join("extra"))
        .archive(elsewhere.join("extra.pak"))
        .memory("built.pak", image("c", "built.pak:0"))
        .mount()
        .unwrap();
    let place = |name: &str| elsewhere.redact(&places(quake.find(name)));
    assert_eq!(elsewhere.redact(&layers(&quake)), "built.pak > [DIR]/extra.pak > [DIR]/extra/");
    assert_eq!(place("a"), "[DIR]/extra.pak:0");
    assert_eq!(place("b"), "[DIR]/extra/b");
    assert_eq!(place("c"), "built.pak:0");
    assert_eq!(quake.findings().count(), 0);
}

#[test]
fn a_pushed_archive_may_be_of_any_layout() {
    for layout in Layout::ALL {
        let archive = pack(layout, [("maps/start.bsp", "a level")]);
        let quake = Builder::new().memory("any.pak", archive).mount().unwrap();
        assert_eq!(*quake.read("maps/start.bsp").unwrap(), *b"a level", "{layout}");
        assert_eq!(quake.layers().next().unwrap().archive().unwrap().layout(), Some(layout));
    }
}

#[test]
fn a_pushed_archive_is_read_in_the_named_layout() {
    let game = game("");
    let path = game.join("try.pak");
    fs::write(&path, pack(Layout::Daikatana, [("a.cfg", "text")])).unwrap();
    let quake =
        Builder::new().archive_with(&path, OpenOptions::new().layout(Layout::Daikatana)).mount().unwrap();
    assert_eq!(*quake.read("a.cfg").unwrap(), *b"text");
    let wrong =
        Builder::new().archive_with(&path, OpenOptions::new().layout(Layout::Sin)).mount().unwrap_err();
    assert!(matches!(wrong.kind(), ErrorKind::Pak(_)), "{wrong}");
}

#[test]
fn a_base_directory_without_a_game_needs_pushed_layers() {
    let game = game("readme/: a; extra.pak: a");
    let quake = game.builder().archive(game.join("extra.pak")).mount().unwrap();
    assert_eq!(layers(&quake), "extra.pak");
    let problems: Vec<_> = quake.findings().map(named).collect();
    assert_eq!(problems, ["id1/: missing-directory"]);
}

#[test]
fn built_in_files_win_only_if_nothing_else_has_the_name() {
    let game = game("id1/pak0.pak: b; id1/: c; mod/: d");
    let builtin = |names: &[&str]| {
        let files = names.iter().map(|name| (*name, format!("{name} built in")));
        Archive::from_data(pack(Layout::Quake, files).into()).unwrap()
    };
    let builder = game.builder().game("mod").memory("top.pak", pack(Layout::Quake, [("e", "top")]));
    let builder =
        builder.built_in("high", builtin(&["a", "b", "c", "d", "e"])).built_in("low", builtin(&["a", "f"]));
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        for engine in [Engine::WinQuake, Engine::DarkPlaces, Engine::Quake2, Engine::Fte] {
            let mut rules = engine.rules().clone();
            rules.directories.base = vec!["id1".into()].into();
            let quake = builder.clone().rules(rules).loose_files(loose).mount().unwrap();
            let served = ["a", "b", "c", "d", "e", "f"].map(|name| places(quake.find(name)));
            let expected = ["high:0", "id1/pak0.pak:0", "id1/c", "mod/d", "top.pak:0", "low:1"];
            assert_eq!(served, expected, "{engine}");
            assert_eq!(places(quake.copies("a")), "high:0 > low:0");
            let rules = quakefs::why::overridden(&quake).into_iter();
            let rules: Vec<_> =
                rules.filter(|pair| pair.winner.name() == "b").map(|pair| pair.rule().name()).collect();
            assert_eq!(rules[0], "game-directory", "{rules:?}");
            assert_eq!(quake.remount().unwrap().layers().len(), quake.layers().len());
        }
    }
    // a wrong base directory is reported too
    let error = SearchPath::builder(game.join("mod")).built_in("low", builtin(&["a"])).mount().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoGameDirectory { .. }));
    let alone = Builder::new().built_in("low", builtin(&["a"])).mount().unwrap();
    assert_eq!(layers(&alone), "low");
}

fn error(game: &Folder, builder: quakefs::Builder) -> String {
    game.redact(&report(&builder.mount().unwrap_err()))
}

#[test]
fn an_error_tells_what_stops_a_mount() {
    let game = game("id1/pak0.pak: a; empty/: readme.txt; text.pak/: a");
    game.write("notes.pak", "not an archive");
    game.write("cut.pak", &fs::read(game.join("id1/pak0.pak")).unwrap()[..40]);
    let base = |path| SearchPath::builder(game.join(path));
    insta::assert_snapshot!(error(&game, base("nowhere")), @"error: [DIR]/nowhere: the base directory does not exist");
    insta::assert_snapshot!(error(&game, base("notes.pak")), @"error: [DIR]/notes.pak: the base directory is a file: expected a folder");
    insta::assert_snapshot!(error(&game, SearchPath::builder("")), @"error: the path is empty: expected a folder or a file");
    for builder in [game.builder().folder(""), game.builder().archive(""), game.builder().user_directory("")]
    {
        assert!(matches!(builder.mount().unwrap_err().kind(), ErrorKind::EmptyPath));
    }
    insta::assert_snapshot!(error(&game, base("empty")), @"error: [DIR]/empty: the base directory has no folder id1");
    insta::assert_snapshot!(error(&game, base("empty").game("mod")), @"error: [DIR]/empty: the base directory has no folder id1 or mod");
    insta::assert_snapshot!(error(&game, Builder::new()), @"error: nothing to mount: expected a base directory or a layer");
    let nowhere = error(&game, game.builder().archive(game.join("nowhere.pak")));
    let (what, why) = nowhere.split_once('\n').unwrap();
    assert_eq!(what, "error: [DIR]/nowhere.pak: open failed");
    assert!(why.starts_with("cause: "), "the system's words: {why}");
    insta::assert_snapshot!(error(&game, game.builder().archive(game.join("text.pak"))), @r"
    error: [DIR]/text.pak: open failed
    cause: it is a folder
    ");
    insta::assert_snapshot!(error(&game, game.builder().folder(game.join("nowhere"))), @"
    error: [DIR]/nowhere: mount failed
    cause: the folder does not exist
    ");
    insta::assert_snapshot!(error(&game, game.builder().folder(game.join("notes.pak"))), @"
    error: [DIR]/notes.pak: mount failed
    cause: it is not a folder
    ");
    insta::assert_snapshot!(error(&game, game.builder().archive(game.join("notes.pak"))), @r#"error: notes.pak: the file is not an archive: expected the magic PACK, SPAK or HROT, found "not ""#);
    insta::assert_snapshot!(error(&game, game.builder().archive(game.join("cut.pak"))), @"error: cut.pak: the directory ends past the end of the archive: expected at most 40, found offset 26 + size 64");
    insta::assert_snapshot!(error(&game, game.builder().memory("built.pak", *b"PACK")), @"error: built.pak: the header is cut short: expected 12 bytes, found 4");
    insta::assert_snapshot!(error(&game, game.builder().engine(Engine::WinQuake).game("../id1")), @r#"error: "../id1" cannot be a game directory: expected the name of a folder in the base directory"#);
}

#[test]
fn a_game_is_a_folder_below_the_base_directory() {
    let game = game("id1/: a");
    for name in ["", "/", "..", "../x", "a/../..", "/etc", "C:\\quake", "a\\b", "a/./b"] {
        let error = game.builder().engine(Engine::WinQuake).game(name).mount().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BadGame { game } if game == name), "{name:?}: {error}");
    }
}

#[test]
fn a_shared_search_path_is_swapped_while_others_read() {
    let game = game("id1/pak0.pak: a; one/pak0.pak: a; two/: a");
    let shared = SharedSearchPath::new(game.mount("one"));
    let done = AtomicBool::new(false);
    let read = |one: &mut bool, two: &mut bool| {
        let quake = shared.load();
        let bytes = quake.read("a").unwrap();
        assert_eq!(*bytes, *place(&quake.find("a").unwrap()).as_bytes(), "one search path, one answer");
        match &*bytes {
            b"one/pak0.pak:0" => *one = true,
            b"two/a" => *two = true,
            other => panic!("{}", other.escape_ascii()),
        }
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let (mut one, mut two) = (false, false);
                    while !done.load(Ordering::Relaxed) || !one || !two {
                        read(&mut one, &mut two);
                    }
                })
            })
            .collect();
        while !readers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let before = shared.store(game.mount("two"));
            assert_eq!(layers(&before), "one/pak0.pak > one/ > id1/pak0.pak > id1/");
            std::thread::yield_now();
            shared.store(game.mount("one"));
            done.store(true, Ordering::Relaxed);
        }
    });
}

#[testneeds::data("paks/librequake/id1/pak1.pak", "paks/librequake/vektar")]
#[test]
fn librequake_ranks_below_a_mod_of_loose_files() {
    let path = data("paks/librequake");
    let takes_it = |engine: &&Engine| {
        let directories = &engine.rules().directories;
        let is_quake = directories.base.iter().any(|base| base == "id1");
        is_quake && directories.games != Games::Ignored && !engine.rules().archives.sets.is_empty()
    };
    for engine in Engine::ALL.iter().filter(takes_it) {
        let quake = SearchPath::builder(&path).engine(*engine).game("vektar").mount().unwrap();
        let expected = match engine.rules().loose.position {
            LoosePosition::Below => "vektar/ > id1/pak1.pak > id1/pak0.pak > id1/",
            LoosePosition::Above | LoosePosition::Highest => "vektar/ > id1/ > id1/pak1.pak > id1/pak0.pak",
            LoosePosition::Lowest => "id1/pak1.pak > id1/pak0.pak > vektar/ > id1/",
        };
        assert_eq!(layers(&quake), expected, "{engine}");
        let archives = quake.layers().filter_map(quakefs::Layer::archive);
        let entries: Vec<_> = archives.map(|archive| archive.entries().len()).collect();
        assert_eq!(entries, [57, 321], "{engine}");
        let from = |name| places(quake.copies(name));
        assert_eq!(from("maps/start.bsp"), "vektar/maps/start.bsp", "{engine}");
        assert_eq!(from("demo1.dem"), "vektar/demo1.dem > id1/pak0.pak:4", "{engine}");
        assert_eq!(quake.findings().count(), 0, "{engine}");
        for file in quake.files() {
            assert_eq!(file.read().unwrap().len() as u64, file.size(), "{file:?}");
        }
    }
}

/// The layers low to high, as the engine mounts the game.
fn low_to_high(game: &Folder, engine: Engine) -> String {
    let quake = game.builder().engine(engine).mount().unwrap();
    let names: Vec<_> = quake.layers().map(|layer| layer.name().to_owned()).rev().collect();
    names.join(" ")
}

#[test]
fn an_engines_own_archive_ranks_above_the_first_of_the_game() {
    let tree = "quakespasm.pak: a; id1/pak0.pak: a; id1/pak1.pak: a";
    let game = game(tree);
    assert_eq!(low_to_high(&game, Engine::QuakeSpasm), "id1/ id1/pak0.pak quakespasm.pak id1/pak1.pak");
    assert_eq!(low_to_high(&game, Engine::WinQuake), "id1/ id1/pak0.pak id1/pak1.pak");
}

#[test]
fn the_archive_of_the_remaster_has_its_texts_below_everything_in_three_engines() {
    let texts = "localization/loc_english.txt";
    let game = game(&format!("id1/pak0.pak: a; mod/: {texts}"));
    game.write("QuakeEX.kpf", zip_deflated([(texts, "QuakeEX.kpf:0"), ("b", "QuakeEX.kpf:1")]));
    for engine in [Engine::QuakeSpasm, Engine::Ironwail, Engine::VkQuake] {
        for loose in [LooseFiles::Live, LooseFiles::Listed] {
            let mount = |builder: Builder| builder.engine(engine).loose_files(loose).mount().unwrap();
            let quake = mount(game.builder());
            assert_eq!(places(quake.copies(texts)), "QuakeEX.kpf:0", "{engine}");
            assert!(quake.find("b").is_none(), "{engine}");
            assert_eq!(quake.files().filter(|file| file.layer().name() == "QuakeEX.kpf").count(), 1);
            assert_eq!(quake.findings().count(), 0, "{engine}");
            let of_mod = places(mount(game.builder().game("mod")).copies(texts));
            assert_eq!(of_mod, format!("mod/{texts} > QuakeEX.kpf:0"), "{engine}");
        }
    }
    let quake = game.builder().engine(Engine::WinQuake).mount().unwrap();
    assert!(quake.find(texts).is_none());
}

#[test]
fn an_engines_own_archive_stays_at_the_first_mention_of_its_directory() {
    let game = game("quakespasm.pak: a; id1/pak0.pak: a; rogue/pak0.pak: a");
    let low_to_high = |engine| {
        let quake = game.builder().engine(engine).mission("rogue").game("id1").mount().unwrap();
        assert!(quakefs::why::starts(&quake).is_ok(), "{engine}");
        quake.layers().map(|layer| layer.name().to_owned()).rev().collect::<Vec<_>>().join(" ")
    };
    let expected = "quakespasm.pak rogue/ rogue/pak0.pak id1/ id1/pak0.pak";
    assert_eq!(low_to_high(Engine::QuakeSpasm), expected);
    // the archive that this engine does not start without is in the directory that has moved up
    assert_eq!(low_to_high(Engine::Ironwail), "rogue/ rogue/pak0.pak id1/ id1/pak0.pak");
}

#[test]
fn a_folder_may_be_mounted_as_an_archive() {
    let game = game("id1/b.pk3dir/: a; id1/: a");
    assert_eq!(low_to_high(&game, Engine::DarkPlaces), "id1/b.pk3dir/ id1/");
    assert_eq!(low_to_high(&game, Engine::WinQuake), "id1/");
}

#[test]
fn a_folder_mounted_as_an_archive_moves_up_with_the_loose_files_of_a_directory_named_again() {
    let game = game("id1/: x; rogue/mid.pk3dir/: a; rogue/pak1.pk3: a; rogue/: b; mod/pak0.pak: a");
    let builder = game.builder().engine(Engine::DarkPlaces).mission("rogue");
    let quake = builder.game("mod").game("rogue").mount().unwrap();
    let names: Vec<_> = quake.layers().map(quakefs::Layer::name).rev().collect();
    assert_eq!(names.join(" "), "id1/ rogue/pak1.pk3 mod/pak0.pak mod/ rogue/mid.pk3dir/ rogue/");
}

#[test]
fn a_pak_in_a_pak_is_mounted_beside_it() {
    let inner = pack(Layout::Quake, [("a", "inner")]);
    let outer = pack(Layout::Quake, [("a", b"outer".to_vec()), ("inner.pak", inner)]);
    let game = Folder::with([("id1/pak0.pak", outer)]);
    assert_eq!(low_to_high(&game, Engine::Mvdsv), "id1/ id1/pak0.pak id1/pak0.pak/inner.pak");
    assert_eq!(low_to_high(&game, Engine::Fte), "id1/pak0.pak/inner.pak id1/pak0.pak id1/");
    assert_eq!(low_to_high(&game, Engine::DarkPlaces), "id1/pak0.pak id1/");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_stop_of_the_engine_is_a_finding_and_the_rest_works() {
    let stops = |engine: Engine, tree: &str, name: &str| {
        let game = game(tree);
        std::fs::create_dir_all(game.join("id1/pak1.pak")).unwrap();
        let quake = game.builder().engine(engine).game(name).mount().unwrap();
        assert!(quake.find("a").is_some());
        let stopping = quakefs::why::starts(&quake).err().unwrap_or_default();
        stopping.iter().map(|finding| finding.location.to_string()).collect::<Vec<_>>().join(" ")
    };
    let tree = "id1/pak0.pak: a; mod/pak0.pak: a";
    assert_eq!(stops(Engine::Ironwail, tree, "mod"), "id1/pak1.pak");
    assert_eq!(stops(Engine::Ironwail, tree, "none"), "id1/pak1.pak none/");
    assert_eq!(stops(Engine::WinQuake, tree, "none"), "");
    assert_eq!(stops(Engine::QuakeSpasm, tree, "mod/"), "mod/");
}

#[test]
fn a_directory_that_was_cut_off_keeps_its_whole_rows() {
    let mut pak = pack(Layout::Quake, [("a", "1"), ("b", "2")]);
    pak.truncate(pak.len() - 10);
    let game = Folder::with([("id1/pak0.pak", pak)]);
    let quake = |engine: Engine| game.builder().engine(engine).mount().unwrap();
    assert!(
        quake(Engine::QuakeSpasm095).find("a").is_some() && quake(Engine::QuakeSpasm095).find("b").is_none()
    );
    assert!(quakefs::why::starts(&quake(Engine::QuakeSpasm095)).is_ok());
    assert!(
        quake(Engine::Ironwail).find("a").is_none()
            && quakefs::why::starts(&quake(Engine::Ironwail)).is_err()
    );
    assert!(
        quake(Engine::DarkPlaces).find("a").is_none()
            && quakefs::why::starts(&quake(Engine::DarkPlaces)).is_ok()
    );
}

#[test]
fn a_folder_of_another_game_names_the_engines_that_load_its_archives() {
    let engines = |archive: &str| {
        let folder = Folder::with([(format!("base/{archive}"), "")]);
        let error = SearchPath::builder(folder.path()).mount().unwrap_err();
        match error.kind() {
            ErrorKind::NoGameDirectory { because: Some(WrongBase::OtherEngine { engines, .. }), .. } => {
                engines.iter().map(|engine| engine.name()).collect()
            }
            _ => Vec::new(),
        }
    };
    assert_eq!(engines("Htic2-0.pak"), ["heretic2r"]);
    assert_eq!(engines("assets0.pk3"), ["openjk", "openjk-sp", "openjo-sp"]);
    // Doom 3
    assert_eq!(engines("pak000.pk4"), [""; 0]);
}
