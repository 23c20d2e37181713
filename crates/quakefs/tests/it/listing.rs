//! All files: listed, overridden, matched by patterns, and folders that change.

use std::fs;

use pak_format::Layout;
use quakefs::{Engine, ErrorKind, LooseFiles, SearchPath};
use testutils::{Folder, game, pack};

use crate::{Mount as _, layers, place, places, with_games};

const TREE: &str = "id1/pak0.pak: maps/start.bsp maps/e1m1.bsp sound/misc/secret.wav default.cfg;
    id1/: config.cfg maps/start.bsp; mod/pak0.pak: maps/start.bsp; mod/: sound/misc/secret.wav config.cfg";

fn both(check: impl Fn(&SearchPath)) {
    let game = game(TREE);
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        check(&game.builder().game("mod").loose_files(loose).mount().unwrap());
    }
}

#[test]
fn each_name_is_listed_once_sorted_with_its_winner() {
    both(|quake| {
        let files: Vec<_> = quake.files().map(|file| place(&file)).collect();
        assert_eq!(
            files,
            [
                "mod/config.cfg",
                "id1/pak0.pak:3",
                "id1/pak0.pak:1",
                "mod/pak0.pak:0",
                "mod/sound/misc/secret.wav"
            ]
        );
        assert_eq!(quake.files().len(), 5);
        assert!(quake.files().findings().is_empty());
        assert_eq!(places(quake.files().next_back()), "mod/sound/misc/secret.wav");
    });
}

#[test]
fn every_overridden_copy_is_listed_with_its_winner() {
    both(|quake| {
        let overridden: Vec<_> = quakefs::why::overridden(quake)
            .iter()
            .map(|pair| format!("{} > {}", place(&pair.winner), place(&pair.copy)))
            .collect();
        assert_eq!(
            overridden,
            [
                "mod/config.cfg > id1/config.cfg",
                "mod/pak0.pak:0 > id1/pak0.pak:0",
                "mod/pak0.pak:0 > id1/maps/start.bsp",
                "mod/sound/misc/secret.wav > id1/pak0.pak:2",
            ]
        );
    });
}

#[test]
fn a_hidden_copy_may_hold_the_same_bytes() {
    let game = game("id1/pak0.pak: a=same b=same c=same; mod/pak0.pak: a=same b=SAME c=longer");
    let same: Vec<_> = quakefs::why::overridden(&game.mount("mod"))
        .iter()
        .map(|pair| pair.winner.is_same_content(&pair.copy).unwrap())
        .collect();
    assert_eq!(same, [true, false, false]);
}

#[test]
fn archives_that_are_layers_are_not_listed_but_answer() {
    let game = game("id1/pak0.pak: a; id1/pak2.pak: b");
    let quake = game.mount("");
    let files: Vec<_> = quake.files().map(|file| place(&file)).collect();
    assert_eq!(files, ["id1/pak0.pak:0", "id1/pak2.pak"], "pak2 is behind a gap: a file like any other");
    assert!(quake.find("pak0.pak").is_some());
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn patterns_choose_by_name() {
    both(|quake| {
        let chosen = |pattern: &str| places(quake.glob(pattern).unwrap());
        assert_eq!(chosen("maps/*.bsp"), "id1/pak0.pak:1 > mod/pak0.pak:0");
        assert_eq!(chosen("*.cfg"), "mod/config.cfg > id1/pak0.pak:3");
        assert_eq!(chosen("**/*.wav"), "mod/sound/misc/secret.wav");
        assert_eq!(chosen("{maps,sound}/**"), "id1/pak0.pak:1 > mod/pak0.pak:0 > mod/sound/misc/secret.wav");
        assert_eq!(chosen("maps/e?m[0-9].bsp"), "id1/pak0.pak:1");
        assert_eq!(chosen("*.bsp"), "", "a star stops at a slash");
        assert_eq!(chosen("MAPS/*"), "");
        assert_eq!(chosen("maps"), chosen("maps/**"), "a folder stands for all below it");
    });
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_pattern_ignores_case_like_the_engine_and_keeps_a_backslash() {
    let game = game(r"id1/pak0.pak: Maps/A.bsp maps\b.bsp");
    let mut rules = quakefs::Engine::WinQuake.rules().clone();
    let quake = game.mount("");
    assert_eq!(places(quake.glob("maps/*").unwrap()), "");
    assert_eq!(places(quake.glob(r"maps\*").unwrap()), "id1/pak0.pak:1");
    rules.archives.case = quakefs::rules::Case::Ignored;
    let quake = game.builder().rules(rules).mount().unwrap();
    assert_eq!(places(quake.glob("maps/*").unwrap()), "id1/pak0.pak:0");
}

#[test]
fn a_bad_pattern_is_an_error() {
    let game = game("id1/: a");
    let quake = game.mount("");
    let error = quake.glob("maps/[a").map(Iterator::count).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Pattern { .. }));
    insta::assert_snapshot!(crate::report(&error), @r#"error: "maps/[a" is not a pattern: unclosed character class; missing ']'"#);
    let error = quake.glob("{a").map(Iterator::count).unwrap_err();
    insta::assert_snapshot!(crate::report(&error), @r#"error: "{a" is not a pattern: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"#);
}

#[test]
fn a_file_that_is_dropped_in_is_seen_at_once() {
    let game = game("id1/pak0.pak: a; mod/: b");
    let quake = game.mount("mod");
    assert_eq!(places(quake.find("a")), "id1/pak0.pak:0");
    game.write("mod/a", "new");
    assert_eq!(places(quake.find("a")), "mod/a");
    assert_eq!(quake.files().count(), 2);
    assert_eq!(quakefs::why::overridden(&quake).len(), 1);
    fs::remove_file(game.join("mod/a")).unwrap();
    assert_eq!(places(quake.find("a")), "id1/pak0.pak:0");
}

#[test]
fn the_size_of_a_listed_name_is_current() {
    let game = game("id1/: a.cfg b.cfg");
    let sizes = |quake: &SearchPath| {
        let files = quake.files();
        game.write("id1/a.cfg", "longer than before");
        fs::remove_file(game.join("id1/b.cfg")).unwrap();
        let sizes: Vec<_> = files.map(|file| file.size()).collect();
        game.write("id1/a.cfg", "a.cfg");
        game.write("id1/b.cfg", "b.cfg");
        sizes
    };
    let mount = |loose| game.builder().loose_files(loose).mount().unwrap();
    let listed = mount(LooseFiles::Listed);
    let before: Vec<_> = listed.files().map(|file| file.size()).collect();
    assert_eq!(sizes(&mount(LooseFiles::Live)), [18, 0]);
    assert_eq!(sizes(&listed), *before);
}

#[test]
fn a_listed_folder_is_what_it_was_until_a_remount() {
    let game = game("id1/pak0.pak: a; mod/: b");
    let before = game.builder().game("mod").loose_files(LooseFiles::Listed).mount().unwrap();
    game.write("mod/a", "new");
    assert_eq!(places(before.find("a")), "id1/pak0.pak:0");
    let after = before.remount().unwrap();
    assert_eq!(places(after.copies("a")), "mod/a > id1/pak0.pak:0");
    assert_eq!(places(before.copies("a")), "id1/pak0.pak:0", "the one before has not changed");

    fs::remove_file(game.join("mod/b")).unwrap();
    assert!(after.find("b").is_some());
    assert!(matches!(after.read("b").unwrap_err().kind(), ErrorKind::Io { .. }));
    assert!(after.remount().unwrap().find("b").is_none());
}

#[test]
fn a_remount_shares_the_archives() {
    let game = game("id1/pak0.pak: a");
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let before = game.builder().loose_files(loose).mount().unwrap();
        let after = before.remount().unwrap();
        let (one, other) = (before.read("a").unwrap(), after.read("a").unwrap());
        assert!(std::ptr::eq(&raw const *one, &raw const *other), "the same bytes of the same map");
    }
}

#[test]
fn a_listed_folder_hides_only_names_that_the_engine_looks_for_on_disk() {
    // Q2RTX looks for no name with other bytes on disk, and so no file is in its way
    let entries = [(&b"b.cfg/caf\xe9"[..], "found"), (b"b.cfg/plain", "overridden")];
    let game = Folder::new();
    game.write("baseq2/b.cfg", "in the way");
    game.write("baseq2/pak0.pak", pack(Layout::Quake, entries));
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = game.builder().engine(Engine::Q2Rtx).loose_files(loose).mount().unwrap();
        assert_eq!(entries.map(|(name, _)| quake.find(name).is_some()), [true, cfg!(windows)], "{loose:?}");
    }
}

// elsewhere the system has no room for such a path
#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_a_problem_of_the_listing() {
    let game = game("id1/: a");
    let deep = "d".repeat(200);
    game.write(&format!("id1/{deep}/{deep}"), "too long for any request");
    let listed = game.builder().loose_files(LooseFiles::Listed).mount().unwrap();
    let findings: Vec<_> = listed.findings().map(|finding| finding.kind.name()).collect();
    assert_eq!(findings, ["unreachable"]);

    let live = game.mount("");
    assert_eq!(live.findings().count(), 0, "nothing was listed yet");
    let files = live.files();
    assert_eq!(files.findings().len(), 1);
    assert_eq!(files.len(), 1);
}

/// Every path below a folder of the merged tree.
fn paths_below(quake: &SearchPath, folder: &[u8], paths: &mut Vec<(Vec<u8>, bool)>) {
    for entry in quake.read_dir(folder).unwrap() {
        let name = entry.name.as_bytes();
        let path = if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() };
        paths.push((path.clone(), entry.is_dir()));
        if entry.is_dir() {
            paths_below(quake, &path, paths);
        }
    }
}

#[test]
fn a_path_has_the_entry_that_its_folder_lists() {
    let game = game(
        "id1/pak0.pak: maps/a.bsp maps/A.bsp a/b a gfx/x//y cfg cfg/../x; id1/pak1.pak: maps/a.bsp; id1/: maps/c.bsp empty/x/y;
         mod/pak0.pak: maps/c.bsp; mod/b.pk3: sound/b.wav; mod/: a.cfg",
    );
    for engine in [Engine::QuakeSpasm, Engine::DarkPlaces, Engine::Fte, Engine::Qss] {
        let quake = with_games(game.builder().engine(engine), "mod").mount().unwrap();
        let mut paths = Vec::new();
        paths_below(&quake, b"", &mut paths);
        assert!(paths.len() > 8, "{engine}");
        for (path, is_dir) in paths {
            let entry = quake.dir_entry(&path).unwrap();
            assert_eq!(entry.is_dir(), is_dir, "{engine}: {}", path.escape_ascii());
            assert!(path.ends_with(entry.name.as_bytes()));
        }
        for path in ["nope", "maps/nope", "pak0.pak", "a.cfg/x", "..", "maps/../a.cfg", "gfx/x", "cfg/.."] {
            assert!(quake.dir_entry(path).is_none(), "{engine}: {path}");
        }
        assert!(quake.dir_entry("").unwrap().is_dir());
    }
}

#[test]
fn a_tree_and_its_folders_show_the_same_one_of_files_whose_folders_differ_in_case() {
    // in both orders, because disks list a folder in different orders
    let game = game(
        "baseq2/: a/X/file A/x/file B/x/file b/X/file c/X/file C/x/file D/x/file d/X/file e/X/file E/x/file
         F/x/file f/X/file g/X/file G/x/file H/x/file h/X/file i/X/file I/x/file J/x/file j/X/file",
    );
    // archives ignore case, loose files do not
    for engine in [Engine::Q2Pro, Engine::Quake2] {
        let quake = game.builder().engine(engine).mount().unwrap();
        let tree = quake.tree();
        let mut paths = Vec::new();
        paths_below(&quake, b"", &mut paths);
        let mut files = 0;
        for (path, _) in paths.iter().filter(|(_, is_dir)| !is_dir) {
            let folder = path.strip_suffix(b"/file").unwrap();
            let shown = quake.read_dir(folder).unwrap();
            let in_tree = tree.get(path).unwrap().file.unwrap();
            assert_eq!(shown[0].file.as_ref().unwrap().name(), in_tree.name(), "{engine}");
            files += 1;
        }
        assert_eq!(files, 10, "{engine}");
    }
}

#[test]
fn one_layer_can_be_used_by_itself() {
    let game = game("id1/pak0.pak: a b; id1/: a c; mod/pak0.pak: a");
    let quake = game.mount("mod");
    let names = |layer: &str| {
        let only = quake.keep_layers(|kept| kept.name() == layer).unwrap();
        assert_eq!(layers(&only), layer);
        only.files().map(|file| place(&file)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("id1/pak0.pak"), "id1/pak0.pak:0 id1/pak0.pak:1");
    assert_eq!(names("mod/pak0.pak"), "mod/pak0.pak:0");
    assert_eq!(names("id1/"), "id1/a id1/c id1/pak0.pak", "an archive is a file where it is no layer");
    assert!(quake.keep_layers(|_| false).is_err());
    let only = quake.keep_layers(|layer| layer.name() == "id1/").unwrap();
    assert_eq!(only.remount().unwrap().layers().len(), quake.layers().len());
}

#[cfg(unix)]
#[test]
fn no_list_panics_while_a_mapped_archive_is_written_over() {
    use std::os::unix::fs::FileExt as _;
    use std::sync::atomic::{AtomicBool, Ordering};

    let game = game("");
    let names: Vec<String> = (0..4_000).map(|number| format!("maps/{:05}.bsp", number * 7 % 4_000)).collect();
    let image = |names: &[String]| pack(Layout::Quake, names.iter().map(|name| (name, "")));
    game.write("id1/pak0.pak", image(&names));
    let other = image(&names.iter().rev().map(|name| name.replace('0', "z")).collect::<Vec<_>>());
    let quake = game.builder().mount().unwrap();
    let file = std::fs::File::options().write(true).open(game.join("id1/pak0.pak")).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let images = [image(&names), other];
            for image in images.iter().cycle().take_while(|_| !done.load(Ordering::Relaxed)) {
                file.write_all_at(image, 0).unwrap();
            }
        });
        for _ in 0..30 {
            assert!(quake.files().count() <= names.len());
            let _ = (quakefs::why::overridden(&quake), quake.tree().root().counts);
        }
        done.store(true, Ordering::Relaxed);
    });
}
