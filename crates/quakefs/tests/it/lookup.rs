//! Which file a name gives.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use testutils::search_path::named;

use quakefs::rules::{Host, RequestError};
use quakefs::rules::{LooseCase, PathRule};
use quakefs::{Access, Builder, Engine, ErrorKind, Layout, LooseFiles, QPath, SearchPath};
use testutils::{Folder, game, pack};

use crate::{Mount as _, check, check_rules, place, places};

#[test]
fn the_highest_layer_wins_and_copies_lists_the_others() {
    check("id1/pak0.pak: a; id1/pak1.pak: b a; id1/: a", "", "a", "id1/pak1.pak:1 > id1/pak0.pak:0 > id1/a");
    check("id1/pak0.pak: a; mod/: a; mod/pak0.pak: b", "mod", "a", "mod/a > id1/pak0.pak:0");
    check("id1/pak0.pak: a; mod/pak0.pak: b", "mod", "a", "id1/pak0.pak:0");
    check("id1/pak0.pak: a", "", "b", "");
}

#[test]
fn a_pak_hides_a_loose_file_of_its_own_directory() {
    check(
        "id1/pak0.pak: maps/start.bsp; id1/: maps/start.bsp",
        "",
        "maps/start.bsp",
        "id1/pak0.pak:0 > id1/maps/start.bsp",
    );
}

#[test]
fn the_first_of_two_equal_rows_wins_and_copies_lists_the_second() {
    check("id1/pak0.pak: a b a", "", "a", "id1/pak0.pak:0 > id1/pak0.pak:2");
    check(
        "id1/pak0.pak: a a; id1/pak1.pak: a a",
        "",
        "a",
        "id1/pak1.pak:0 > id1/pak1.pak:1 > id1/pak0.pak:0 > id1/pak0.pak:1",
    );
}

#[test]
fn a_file_and_a_folder_of_one_name_are_both_in_an_archive() {
    check("id1/pak0.pak: a a/b", "", "a", "id1/pak0.pak:0");
    check("id1/pak0.pak: a a/b", "", "a/b", "id1/pak0.pak:1");
    check("id1/pak0.pak: a; id1/: a/b", "", "a/b", "id1/a/b");
}

#[test]
fn a_part_of_a_name_is_not_found() {
    let long = "x".repeat(55);
    let tree = format!("id1/pak0.pak: {long} maps/start.bsp");
    check(&tree, "", &long, "id1/pak0.pak:0");
    for other in [&long[..54], &"x".repeat(56), "maps/start.bs", "maps/start.bspx", "maps", "MAPS/start.bsp"]
    {
        check(&tree, "", other, "");
    }
}

#[test]
fn a_name_that_fills_its_field_is_read_like_the_engine_reads_it() {
    let long = "x".repeat(56);
    let served = |engine: Engine, directory: &str| {
        let game = game(&format!("{directory}/pak0.pak: {long}"));
        let quake = game.builder().engine(engine).mount().unwrap();
        // the payload starts after the header, at 12
        let names = [long[..55].to_owned(), long.clone(), format!("{long}\u{c}")];
        let found = names.iter().map(|name| quake.find(name).is_some());
        found.collect::<Vec<_>>()
    };
    assert_eq!(served(Engine::WinQuake, "id1"), [false, false, true]);
    assert_eq!(served(Engine::Fte, "id1"), [false, true, false]);
    assert_eq!(served(Engine::DarkPlaces, "id1"), [true, false, false]);
}

#[test]
fn a_file_is_a_stream_too() {
    let game = game("id1/pak0.pak: packed=0123456789; id1/: loose=0123456789");
    for access in [Access::Map, Access::Read] {
        let quake = game.builder().access(access).mount().unwrap();
        for name in ["packed", "loose"] {
            let mut file = quake.open(name).unwrap();
            let mut text = String::new();
            assert_eq!(file.seek(SeekFrom::End(-3)).unwrap(), 7);
            file.read_to_string(&mut text).unwrap();
            assert_eq!(text, "789", "{name} {access:?}");
            file.seek(SeekFrom::Start(2)).unwrap();
            file.seek(SeekFrom::Current(2)).unwrap();
            let mut two = [0; 2];
            file.read_exact(&mut two).unwrap();
            assert_eq!(two, *b"45", "{name} {access:?}");
        }
    }
}

#[test]
fn a_missing_name_and_a_bad_request_are_different_errors() {
    let game = game("id1/pak0.pak: a");
    let quake = game.mount("");
    let missing = quake.read("maps/none.bsp").unwrap_err();
    assert!(matches!(missing.kind(), ErrorKind::NotFound { name } if name == "maps/none.bsp"));
    insta::assert_snapshot!(crate::report(&missing), @"error: maps/none.bsp: no layer has this file");
    let refused = quake.open("../a").unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Request { reason: RequestError::Parent, .. }));
    insta::assert_snapshot!(crate::report(&refused), @r#"error: ../a: the name has a ".." component"#);
}

/// Names that would be outside, if they were followed.
const OUTSIDE: [&str; 8] =
    ["../secret", "maps/../../secret", "maps/..", "..", "..\\secret", "maps\\..\\..\\secret", "a\0b", ""];

#[test]
fn no_request_leaves_the_game_directory() {
    let game = game("id1/pak0.pak: a; id1/maps/: a; secret/: a");
    game.write("secret/b", "secret");
    game.write("b", "secret");
    let absolute = game.join("b");
    let inside = ["../b", "../secret/b", "maps/../../b", "..\\b", absolute.as_str()];
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = game.builder().loose_files(loose).mount().unwrap();
        for name in OUTSIDE.into_iter().chain(inside) {
            assert!(quake.find(name).is_none(), "{name:?}");
            assert!(quake.copies(name).is_empty(), "{name:?}");
            assert!(quake.read(name).is_err(), "{name:?}");
        }
    }
}

#[test]
fn no_request_reaches_a_stored_name_that_leaves_the_game_directory() {
    let stored = ["../secret", "maps/../../secret", "maps/..", "..", "..\\secret", "", "/etc/passwd"];
    let pak = pack(Layout::Quake, stored.iter().map(|name| (name, "stored")));
    for engine in Engine::ALL {
        let builder = Builder::new().engine(*engine);
        let quake = builder.memory("bad.pak", pak.clone()).mount().unwrap();
        for name in OUTSIDE {
            assert!(quake.find(name).is_none(), "{name:?}");
        }
        let files: Vec<_> = quake.files().map(|file| file.stored().to_string()).collect();
        // a name like any other in an archive, where a slash in front is
        let literal = engine.rules().requests.leading_slash == PathRule::Literal;
        let reached: &[&str] = if literal { &["/etc/passwd"] } else { &[] };
        assert_eq!(files, reached, "{engine}");
    }
}

#[test]
fn a_drive_letter_counts_only_on_windows() {
    let names = ["C:\\secret", "c:secret", "/c:secret"];
    let pak = pack(Layout::Quake, names.iter().map(|name| (name, "stored")));
    for engine in Engine::ALL {
        let builder = Builder::new().engine(*engine).memory("a.pak", pak.clone());
        let windows = builder.clone().host(Host::Windows).mount().unwrap();
        assert!(names.iter().all(|name| windows.find(name).is_none()), "{engine}");
        let refuses = engine.rules().requests.refused.iter().any(|text| text == ":");
        let elsewhere = builder.host(Host::Linux).mount().unwrap();
        // on Windows this program asks the system for no such name
        let is_found = !refuses && !cfg!(windows);
        assert_eq!(elsewhere.find("c:secret").is_some(), is_found, "{engine}");
    }
}

#[test]
fn a_request_that_ends_in_a_slash_finds_an_entry_and_no_file() {
    for engine in [
        Engine::WinQuake,
        Engine::QuakeSpasm,
        Engine::DarkPlaces,
        Engine::Mvdsv,
        Engine::Quake2,
        Engine::YQuake2,
        Engine::Q2Pro,
    ] {
        let base = &engine.rules().directories.base[0];
        let game = game(&format!("{base}/maps/: a; {base}/pak0.pak: maps/; {base}/: file"));
        let quake = game.builder().engine(engine).mount().unwrap();
        assert_eq!(places(quake.find("maps/")), format!("{base}/pak0.pak:0"), "{engine}");
        // Q2PRO drops the slash
        assert_eq!(quake.find("file/").is_some(), engine == Engine::Q2Pro, "{engine}");
    }
}

#[test]
fn an_absolute_request_is_below_the_game_directory() {
    check("id1/: etc/passwd", "", "/etc/passwd", "id1/etc/passwd");
}

#[test]
fn only_a_regular_file_answers() {
    let tree = "id1/pak0.pak: maps/start.bsp; mod/maps/start.bsp/: a";
    check(tree, "mod", "maps/start.bsp", "id1/pak0.pak:0");
    check(tree, "mod", "maps/start.bsp/a", "mod/maps/start.bsp/a");
    check(tree, "mod", "maps", "");
}

#[test]
fn a_name_below_a_file_is_not_found() {
    check("id1/: a; mod/: b", "mod", "a/b", "");
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    fn both(game: &Folder) -> [SearchPath; 2] {
        [LooseFiles::Live, LooseFiles::Listed].map(|loose| game.builder().loose_files(loose).mount().unwrap())
    }

    #[test]
    fn a_link_to_a_file_or_a_folder_is_followed() {
        let game = game("id1/: a; elsewhere/: b=linked c/d=linked");
        symlink(game.join("elsewhere/b"), game.join("id1/link")).unwrap();
        symlink(game.join("elsewhere/c"), game.join("id1/folder")).unwrap();
        for quake in both(&game) {
            assert_eq!(*quake.read("link").unwrap(), *b"linked");
            assert_eq!(*quake.read("folder/d").unwrap(), *b"linked");
            assert!(quake.find("folder").is_none());
            let files: Vec<_> = quake.files().map(|file| place(&file)).collect();
            assert_eq!(files, ["id1/a", "id1/folder/d", "id1/link"]);
        }
    }

    #[test]
    fn an_archive_may_be_a_link() {
        let game = game("id1/: a; elsewhere/any.pak: b=linked");
        symlink(game.join("elsewhere/any.pak"), game.join("id1/pak0.pak")).unwrap();
        assert_eq!(places(game.mount("").find("b")), "id1/pak0.pak:0");
    }

    #[test]
    fn a_dangling_link_does_not_exist() {
        let game = game("id1/: b; id1/pak0.pak: a");
        symlink(game.join("nowhere"), game.join("id1/a")).unwrap();
        symlink(game.join("nowhere.pak"), game.join("id1/pak1.pak")).unwrap();
        for (quake, found) in both(&game).into_iter().zip([Vec::new(), vec!["id1/a: broken-link"]]) {
            assert_eq!(places(quake.copies("a")), "id1/pak0.pak:0");
            assert_eq!(quake.files().count(), 2);
            let findings: Vec<_> = quake.findings().map(named).collect();
            assert_eq!(findings, [vec!["id1/pak1.pak: broken-link"], found].concat());
        }
    }

    #[test]
    fn a_link_to_itself_and_a_file_in_the_place_of_a_folder_hide_lower_copies_in_some_engines() {
        for (engine, base, file, below_link, below_file) in [
            (Engine::Mvdsv, "id1", "", "id1/pak0.pak:1", "id1/pak0.pak:2"),
            (Engine::QuakeSpasm, "id1", "id1/pak0.pak:0", "id1/pak0.pak:1", "id1/pak0.pak:2"),
            (Engine::YQuake2, "baseq2", "baseq2/pak0.pak:0", "baseq2/pak0.pak:1", "baseq2/pak0.pak:2"),
            (Engine::Q2Pro, "baseq2", "", "", ""),
        ] {
            let game = game(&format!("{base}/pak0.pak: a link/b file/c; mod/: file"));
            symlink("a", game.join("mod/a")).unwrap();
            symlink("link", game.join("mod/link")).unwrap();
            for loose in [LooseFiles::Live, LooseFiles::Listed] {
                let quake = game.builder().engine(engine).game("mod").loose_files(loose).mount().unwrap();
                let found = ["a", "link/b", "file/c"].map(|name| places(quake.find(name)));
                assert_eq!(found, [file, below_link, below_file], "{engine} {loose:?}");
            }
        }
    }

    #[test]
    fn links_in_a_circle_do_not_hang() {
        let game = game("id1/maps/: a");
        symlink(game.join("id1"), game.join("id1/maps/up")).unwrap();
        symlink("self", game.join("id1/self")).unwrap();
        for quake in both(&game) {
            assert_eq!(places(quake.find("maps/a")), "id1/maps/a");
            assert!(quake.find("self").is_none());
            let files: Vec<_> = quake.files().map(|file| place(&file)).collect();
            assert_eq!(files, ["id1/maps/a"]);
        }
        let [_, listed] = both(&game);
        let problems: Vec<_> = listed.findings().map(|finding| finding.location.to_string()).collect();
        assert_eq!(problems, ["id1/maps/up", "id1/self"]);
    }

    #[testneeds::program("mkfifo")]
    #[test]
    fn a_named_pipe_does_not_block() {
        let game = game("id1/pak0.pak: a; mod/: b");
        for pipe in ["mod/pak0.pak", "mod/a"] {
            assert!(Command::new("mkfifo").arg(game.join(pipe)).status().unwrap().success());
        }
        for access in [Access::Map, Access::Read] {
            let quake = game.builder().game("mod").access(access).mount().unwrap();
            assert_eq!(crate::layers(&quake), "mod/ > id1/pak0.pak > id1/");
            assert_eq!(places(quake.copies("a")), "id1/pak0.pak:0");
            assert_eq!(quake.files().count(), 2);
            let pushed = Builder::new().archive(game.join("mod/pak0.pak")).access(access);
            assert!(matches!(pushed.mount().unwrap_err().kind(), ErrorKind::Io { .. }));
        }
    }

    // other systems have disks that refuse such a name
    #[cfg(target_os = "linux")]
    #[test]
    fn names_need_not_be_utf8() {
        use std::os::unix::ffi::OsStrExt;

        let game = game("id1/: a");
        let name = b"caf\xe9.cfg";
        let path = game.join("id1").into_std_path_buf().join(std::ffi::OsStr::from_bytes(name));
        fs::write(path, "latin-1").unwrap();
        for quake in both(&game) {
            let found = quake.find(name).unwrap();
            assert_eq!(*found.read().unwrap(), *b"latin-1");
            assert_eq!(found.stored().as_bytes(), name);
            assert_eq!(found.stored().to_string(), r"caf\xE9.cfg");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "a backslash separates folders on Windows")]
fn an_unusual_request_is_literal_in_archives_and_resolved_by_the_system_in_folders() {
    let tree = "id1/pak0.pak: cfg/a ./cfg/b; id1/: cfg/c";
    for (request, expected) in [
        ("./cfg/a", ""),
        ("cfg//a", ""),
        ("/cfg/a", ""),
        ("./cfg/b", "id1/pak0.pak:1"),
        ("cfg/b", ""),
        ("./cfg//c", "id1/cfg/c"),
        ("/cfg/./c", "id1/cfg/c"),
        ("cfg\\c", ""),
    ] {
        check(tree, "", request, expected);
    }
}

#[test]
fn a_request_of_any_length_is_answered() {
    let game = game("id1/pak0.pak: a");
    let quake = game.mount("");
    for length in [1, 55, 56, 57, QPath::MAX_LEN, QPath::MAX_LEN + 1, 10_000] {
        let found = quake.find("a".repeat(length)).is_some();
        assert_eq!(found, length == 1, "{length}");
    }
    let deep = format!("{}a", "d/".repeat(120));
    assert!(quake.find(&deep).is_none());
}

#[test]
fn a_base_directory_may_be_relative_or_unusual() {
    let game = game("id1/pak0.pak: a; id1/: b");
    for base in [game.join("."), game.join("id1/.."), game.join("./"), game.join("").join("id1/../.")] {
        let quake = SearchPath::builder(&base).mount().unwrap();
        assert_eq!(crate::layers(&quake), "id1/pak0.pak > id1/", "{base}");
        let files: Vec<_> = quake.files().map(|file| place(&file)).collect();
        assert_eq!(files, ["id1/pak0.pak:0", "id1/b"], "{base}");
    }
    // relative to the current folder, which is the crate's
    assert!(SearchPath::builder("../../testdata/game").mount().is_ok());
}

// elsewhere the system has no room for such a path
#[cfg(unix)]
#[test]
fn a_game_directory_that_is_deep_on_disk_is_found() {
    let game = game("id1/: a");
    let deep = game.join(&"deep/".repeat(80)).join("id1");
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("a"), "deep").unwrap();
    let quake = SearchPath::builder(deep.parent().unwrap()).mount().unwrap();
    assert!(deep.as_str().len() > 384);
    assert_eq!(*quake.read("a").unwrap(), *b"deep");
}

#[test]
fn a_loose_file_may_replace_another_name() {
    let game = game("id1/: config.cfg ironwail.cfg; mod/: config.cfg");
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = |game_name: &str| {
            let builder = game.builder().engine(Engine::Ironwail).loose_files(loose);
            if game_name.is_empty() { builder } else { builder.game(game_name) }.mount().unwrap()
        };
        let served = |quake: &SearchPath| quake.find("config.cfg").map(|file| file.location().to_string());
        assert_eq!(served(&quake("")).as_deref(), Some("id1/ironwail.cfg"));
        assert_eq!(served(&quake("mod")).as_deref(), Some("mod/config.cfg"));
    }
}

// not every disk allows names that differ only in case
#[cfg(target_os = "linux")]
#[test]
fn a_folder_of_the_requested_spelling_hides_a_file_of_another() {
    let mut rules = Engine::WinQuake.rules().clone();
    rules.loose.hides.folder = true;
    for case in [LooseCase::ExactThenLower, LooseCase::Ignored, LooseCase::ExactHidesOthers] {
        rules.loose.case = case;
        check_rules(&rules, "id1/: d D/x", "", "D", "");
    }
    rules.loose.case = LooseCase::ExactThenLower;
    check_rules(&rules, "id1/pak0.pak: D; mod/: d/x", "mod", "D", "");
}
