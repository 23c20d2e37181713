//! Warnings if the engine would not start, an archive cannot be opened, or a game is missing.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::{Folder, game};

use crate::{Commands as _, archive, brief};

/// A Quake archive of this many empty files.
fn archive_of(files: usize) -> Vec<u8> {
    let names: Vec<_> = (0..files).map(|number| format!("f{number}")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), &b""[..])).collect();
    archive(&rows)
}

#[test]
fn a_wrong_archive_stops_the_engine_but_not_the_answer() {
    let quake = game("id1/pak0.pak: a; mod/pak0.pak: b");
    quake.write("mod/pak1.pak", "no archive at all");
    assert_snapshot!(quake.check("--basedir [DIR] --game mod which a nope"), @"
    exit: 1
    a: id1/pak0.pak (entry 0, 14 bytes)
    ! warning: quakespasm does not start: mod/pak1.pak: [wrong-magic] +help
    ! error: nope: not found +help
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --game mod --json which b"), @r#"
    exit: 1
    {"type":"which","name":"b","found":true,"layer":"mod/pak0.pak","index":0,"kind":"pak","stored":"b","entry":0,"size":14,"content_type":"other","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[],"engine_stops":"mod/pak1.pak: [wrong-magic]"}
    ! warning: quakespasm does not start: mod/pak1.pak: [wrong-magic] +help
    "#);
    let warning = "! warning: quakespasm does not start: mod/pak1.pak: [wrong-magic] +help\n";
    for (line, first) in [
        ("cat b", "mod/pak0.pak:0[no line end]"),
        ("extract -o [DIR]/out", "wrote 3 files (45 bytes) to [DIR]/out"),
        ("path", "quakespasm ("),
    ] {
        let text = quake.check(&format!("--basedir [DIR] --game mod {line}"));
        assert!(text.starts_with(&format!("exit: 1\n{first}")) && text.ends_with(warning), "{text}");
    }
    let check = quake.check("--basedir [DIR] --game mod check");
    assert!(
        check.contains("error    mod/pak1.pak: quakespasm stops with an error: [wrong-magic] +help\n"),
        "{check}"
    );
    for (command, objects) in [("ls", 3), ("path", 7)] {
        let answer = quake.run(&format!("--basedir [DIR] --game mod --json {command}"));
        let lines = answer.json();
        assert_eq!((answer.exit, lines.len()), (Exit::NotFound, objects));
        let stops =
            |line: &serde_json::Value| line["engine_stops"].as_str().unwrap().starts_with("mod/pak1.pak: ");
        assert!(lines.iter().all(stops), "{lines:?}");
    }
}

#[test]
fn what_stops_one_engine_and_not_another_is_a_warning_after_the_answer() {
    let shareware = Folder::with([("id1/pak0.pak", archive_of(339)), ("mod/f3", Vec::new())]);
    let many = Folder::with([("id1/pak0.pak", archive_of(2049))]);
    let empty = game("baseq2/pak0.pak: f3; baseq2/pak1.pak:");
    for (quake, stopping, warning, other) in [
        (many, "", "quakespasm does not start: id1/pak0.pak: [too-many-entries]", "--engine fte"),
        (
            empty,
            "--engine yquake2",
            "yquake2 does not start: baseq2/pak1.pak: [engine-stops empty-archive]",
            "--engine quake2",
        ),
        (
            game("id1/: f3"),
            "--engine ironwail",
            "ironwail does not start: id1/: [engine-stops missing-first-archive]",
            "--engine quakespasm",
        ),
        (
            shareware,
            "--game mod",
            "quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]",
            "--game mod --engine darkplaces",
        ),
    ] {
        let served = quake.check(&format!("--basedir [DIR] {other} which f3"));
        assert!(served.starts_with("f3: ") && served.lines().count() == 1, "{served}");
        let answer = quake.check(&format!("--basedir [DIR] {stopping} which f3"));
        assert_eq!(answer, format!("exit: 1\n{served}! warning: {warning} +help\n"));
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot open a folder as a file")]
fn a_folder_named_as_an_archive_stops_ironwail() {
    let quake = game("id1/pak0.pak: a; id1/pak1.pak/:");
    assert_snapshot!(quake.check("--basedir [DIR] --engine ironwail which a"), @"
    exit: 1
    a: id1/pak0.pak (entry 0, 14 bytes)
    ! warning: ironwail does not start: id1/pak1.pak: [engine-stops|not-a-file] +help
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_misspelt_game_is_reported_before_the_answer() {
    let quake = game("id1/pak0.pak: a; ad/pak0.pak: b; mymod/: c");
    assert_snapshot!(quake.check("--basedir [DIR] --game adx which a b"), @"
    exit: 1
    a: id1/pak0.pak (entry 0, 14 bytes)
    ! warning: adx/: [engine-stops|missing-directory] +help
    ! error: b: [other-game] +help
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --game MyMod --json which a"), @r#"
    exit: 1
    {"type":"which","name":"a","found":true,"layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"a","entry":0,"size":14,"content_type":"other","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[],"game_missing":"MyMod/: [engine-stops|missing-directory]"}
    ! warning: MyMod/: [engine-stops|missing-directory] +help
    "#);
    assert_snapshot!(quake.check("--basedir [DIR] --game nothing_like_it ls"), @"
    exit: 1
    id1/pak0.pak  a
    ! warning: nothing_like_it/: [engine-stops|missing-directory] +help
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --engine ironwail --game mymud which a"), @"
    exit: 1
    a: id1/pak0.pak (entry 0, 14 bytes)
    ! warning: ironwail does not start: mymud/: [engine-stops|missing-directory] +help
    ");
}

#[test]
fn a_file_at_which_the_engine_stops_when_it_is_read_is_named() {
    let quake = game("data1/pak0.pak: a b=");
    assert_snapshot!(quake.check("--basedir [DIR] --engine hexen2 which a b"), @"
    exit: 1
    a: data1/pak0.pak (entry 0, 16 bytes)
    b: data1/pak0.pak (entry 1, 0 bytes)
    ! warning: hexen2 does not start: data1/: [engine-stops wrong-edition] pak0.pak and pak1.pak of data1 are not those of a known edition
    !   help: add the archives of Hexen II 1.11 to data1/
    ! warning: data1/pak0.pak: entry 1 (b): [engine-stops empty-file]
    !   help: remove it
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --engine hexen2 --json which b"), @r#"
    exit: 1
    {"type":"which","name":"b","found":true,"layer":"data1/pak0.pak","index":1,"kind":"pak","stored":"b","entry":1,"size":0,"content_type":"other","overridden":[],"problem":{"severity":"error","kind":"engine-stops","location":"data1/pak0.pak: entry 1 (b)","layer":"data1/pak0.pak","entry":1,"name":"b","reason":"[engine-stops empty-file]","help":"remove it","stops":true,"advice":[{"step":"remove","of":["data1/pak0.pak/b"],"to":null,"content":null,"entry":1}]},"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[],"engine_stops":"data1/: [engine-stops wrong-edition] pak0.pak and pak1.pak of data1 are not those of a known edition"}
    ! warning: hexen2 does not start: data1/: [engine-stops wrong-edition] pak0.pak and pak1.pak of data1 are not those of a known edition
    !   help: add the archives of Hexen II 1.11 to data1/
    "#);
    assert_snapshot!(brief(quake.check("--basedir [DIR] --engine hexen2 cat b")), @"exit 1: warning: hexen2 does not start: data1/: [engine-stops wrong-edition] pak0.pak and pak1.pak of data1 are not those of a known edition; help: add the archives of Hexen II 1.11 to data1/");
}

#[test]
fn a_copy_that_cannot_be_read_is_named() {
    let quake = Folder::new();
    let mut pak = archive(&[(b"a", b"first"), (b"b", b"second")]);
    let row = pak.len() - 64;
    pak[row + 56..row + 60].copy_from_slice(&9999_u32.to_le_bytes());
    quake.write("id1/pak0.pak", pak);
    assert_snapshot!(quake.check("--basedir [DIR] which a b"), @"
    exit: 1
    a: id1/pak0.pak (entry 0, 5 bytes)
    b: id1/pak0.pak (entry 1, 6 bytes)
    ! warning: id1/pak0.pak: entry 1 (b): [engine-stops entry-outside] +help
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --json which b"), @r#"
    exit: 1
    {"type":"which","name":"b","found":true,"layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"b","entry":1,"size":6,"content_type":"other","overridden":[],"problem":{"severity":"error","kind":"engine-stops","location":"id1/pak0.pak: entry 1 (b)","layer":"id1/pak0.pak","entry":1,"name":"b","reason":"[engine-stops entry-outside]","help":"[…]","stops":true,"advice":[{"step":"get","of":["id1/pak0.pak"],"to":null,"content":null,"entry":null}]},"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    "#);
}

/// Sets the mode of a file or a folder in a folder that everybody can enter.
#[cfg(unix)]
fn permit(folder: &Folder, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;

    let set = |path: &camino::Utf8Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(folder.path(), 0o755);
    set(&folder.join(name), mode);
}

/// `unused`, `compare`, `fix`, `shadows` and `mods` said that all was well.
#[cfg(unix)]
#[test]
fn a_folder_without_read_permission_is_reported_with_each_answer_about_all_files() {
    let quake = game("id1/maps/: a.bsp; id1/secret/: b.wav; id1/: progs.dat");
    permit(&quake, "id1/secret", 0o0);
    for line in [
        "compare quakespasm darkplaces",
        "fix",
        "shadows",
        "mods",
        "ls",
        "ls maps/*",
        "grep b",
        "extract -o out",
    ] {
        let mut command = crate::unprivileged(quake.path().as_std_path());
        command.args(["--basedir", quake.path().as_str()]).args(line.split(' '));
        let output = command.current_dir(quake.path()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("id1/secret: it cannot be read: Permission denied"), "{line}: {err}");
        assert_ne!(output.status.code(), Some(0), "{line}: {err}");
    }
    permit(&quake, "id1/secret", 0o755);
}

#[cfg(unix)]
#[test]
fn an_archive_without_read_permission_is_reported_with_the_answer() {
    let quake = game("id1/pak0.pak: a; id1/pak1.pak: a");
    permit(&quake, "id1/pak1.pak", 0o0);
    let mut command = crate::unprivileged(quake.path().as_std_path());
    let output = command.args(["--basedir", quake.path().as_str(), "--json", "which", "a"]).output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_snapshot!(quake.redact(&text.concat()), @r#"
    {"type":"which","name":"a","found":true,"layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"a","entry":0,"size":14,"content_type":"other","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[],"not_opened":"id1/pak1.pak: Permission denied (os error 13)"}
    warning: id1/pak1.pak: skipped: Permission denied (os error 13)
      help: check its permissions
    "#);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_base_directory_from_a_system_that_ignores_case_gets_advice_to_rename() {
    let quake = game("steam/Id1/PAK0.PAK: a; steam/Id1/PAK1.PAK: b; steam/Id1/: config.cfg");
    assert_snapshot!(brief(quake.check("--basedir [DIR]/steam ls")), @"exit 2: error: [DIR]/steam: [no-game-directory]; help: rename Id1 to id1, PAK0.PAK to pak0.pak and PAK1.PAK to pak1.pak");
    assert_snapshot!(brief(quake.check("--basedir [DIR]/steam/Id1 ls")), @"exit 2: error: [DIR]/steam/Id1: [no-game-directory]; help: rename Id1 to id1, PAK0.PAK to pak0.pak and PAK1.PAK to pak1.pak");
    let quake = game("Id1/pak0.pak: a; mod/pak0.pak: b");
    assert_snapshot!(quake.check("--basedir [DIR] --game mod which b"), @"
    exit: 1
    b: mod/pak0.pak (entry 0, 14 bytes)
    ! warning: id1/: [engine-stops|missing-directory] +help
    ");
}

/// What `ls` answers for a base directory that is refused, without the exit code 2.
fn refused(quake: &Folder, folders_and_options: &[&str]) -> String {
    let answer = |line: &&str| {
        let answer = quake.check(&format!("--basedir [DIR]{line} ls"));
        answer.strip_prefix("exit: 2\n! error: ").unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    folders_and_options.iter().map(answer).collect()
}

#[test]
fn a_folder_above_or_below_the_base_directory_gets_advice() {
    let quake = game("games/quake/id1/pak0.pak: a; games/quake/ad/pak0.pak: b; games/quake/ad/maps/: c");
    let folders = ["/games/quake/id1", "/games/quake/ad", "/games/quake/ad/maps", "/games"];
    assert_snapshot!(refused(&quake, &folders), @"
    [DIR]/games/quake/id1: [no-game-directory] +help
    [DIR]/games/quake/ad: [no-game-directory] +help
    [DIR]/games/quake/ad/maps: [no-game-directory] +help
    [DIR]/games: [no-game-directory] +help
    ");
}

#[test]
fn a_base_directory_of_another_game_names_its_engine() {
    let refused = |tree: &str, option: &str| refused(&game(tree), &[option]);
    assert_snapshot!(refused("baseq2/pak0.pak: a", " --engine quakespasm"), @"[DIR]: [no-game-directory] +help");
    assert_snapshot!(refused("data1/pak0.pak: a", " --engine quakespasm"), @"[DIR]: [no-game-directory] +help");
    assert_snapshot!(refused("nothing/: a", ""), @"[DIR]: [no-game-directory] +help");
    // a misspelt base game does not suggest another engine
    assert_snapshot!(refused("id1/pak0.pak: a", " --engine ironwail --basegame nothere"), @"[DIR]: [no-game-directory] +help");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn an_archive_that_is_left_out_is_named_before_the_files_in_it() {
    let needed = "gfx.wad gfx/palette.lmp gfx/colormap.lmp gfx/pop.lmp";
    for (tree, first, help) in [
        ("id1/PAK0.PAK: {}", "id1/PAK0.PAK: quakespasm looks for pak0.pak", "rename it to pak0.pak"),
        (
            "id1/pak0 (1).pak: {}",
            "id1/pak0 (1).pak: quakespasm loads only numbered archives",
            "rename it to pak0.pak",
        ),
        (
            "id1/pak1.pak: gfx/pop.lmp",
            "id1/gfx.wad: the file is missing",
            "add the archives of the game to id1/",
        ),
        (
            "id1/pak0.pak: gfx.wad gfx/palette.lmp gfx/colormap.lmp; id1/pak1 - Copy.pak: gfx/pop.lmp",
            "id1/pak1 - Copy.pak: quakespasm loads only numbered archives",
            "rename it to pak1.pak",
        ),
    ] {
        let quake = game(&tree.replace("{}", needed));
        for command in ["path", "check", "ls"] {
            let answer = quake.run(&format!("--basedir [DIR] --engine quakespasm {command}"));
            let text = [answer.out(), answer.err()].concat();
            assert_eq!(answer.exit, Exit::NotFound, "{command}: {text}");
            assert!(text.contains(&format!("quakespasm does not start: {first}")), "{command}: {text}");
            assert!(text.contains(&format!("help: {help}")), "{command}: {text}");
            assert!(!text.contains("shareware"), "{command}: {text}");
        }
    }
    // a copy beside its original is one
    let quake = game(&format!("id1/pak0.pak: {needed}; id1/pak0 (1).pak: {needed}"));
    let check = quake.check("--basedir [DIR] --engine quakespasm check");
    assert!(check.contains("note     id1/pak0 (1).pak: it is a second copy"), "{check}");
}
