//! `quakefs which`

use insta::assert_snapshot;
use serde_json::json;
use testutils::Folder;

use crate::{Commands as _, brief, game, run, words};

#[test]
fn which_shows_the_winner() {
    assert_snapshot!(game("which maps/start.bsp"), @"maps/start.bsp: id1/pak0.pak (entry 4, 201 bytes)");
    assert_snapshot!(game("--game mymod which maps/start.bsp progs/ogre.mdl quake.rc"), @"
    maps/start.bsp: mymod/pak1.pak (entry 0, 203 bytes)
    progs/ogre.mdl: mymod/ (534 bytes)
    quake.rc: id1/pak0.pak (entry 0, 51 bytes)
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn which_all_shows_every_copy() {
    assert_snapshot!(game("--game mymod which -a maps/start.bsp gfx/conback.lmp quake.rc"), @"
    maps/start.bsp: mymod/pak1.pak (entry 0, 203 bytes)
      overrides mymod/pak0.pak (entry 1, 203 bytes): [archive-order number]
      overrides id1/pak0.pak (entry 4, 201 bytes): [game-directory]
      overrides id1/ (219 bytes): [game-directory]
      skips gapmod/pak0.pak: entry 0 (maps/start.bsp): it is in another game, gapmod +help
    gfx/conback.lmp: mymod/pak0.pak (entry 2, 102 bytes)
      overrides id1/pak0.pak (entry 3, 102 bytes): [game-directory]
    quake.rc: id1/pak0.pak (entry 0, 51 bytes)
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn which_points_to_the_problems_of_the_game() {
    assert_snapshot!(game("--game gapmod which maps/gap3.bsp"), @"
    exit: 1
    ! error: maps/gap3.bsp: [skipped] [gap after-gap]
    !   help: rename gapmod/PAK2.PAK to pak2.pak
    ");
    assert_snapshot!(game("--game gapmod which -a maps/start.bsp"), @"
    maps/start.bsp: gapmod/pak0.pak (entry 0, 204 bytes)
      overrides id1/pak0.pak (entry 4, 201 bytes): [game-directory]
      overrides id1/ (219 bytes): [game-directory]
      skips gapmod/pak3.pak: entry 1 (maps/start.bsp): [gap after-gap]
        help: rename PAK2.PAK to pak2.pak
      skips mymod/pak1.pak: entry 0 (maps/start.bsp): it is in another game, mymod +help
    ");
}

#[test]
fn which_fails_if_a_name_is_missing() {
    assert_snapshot!(game("which maps/nope.bsp maps/start.bsp"), @"
    exit: 1
    maps/start.bsp: id1/pak0.pak (entry 4, 201 bytes)
    ! error: maps/nope.bsp: not found +help
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn which_suggests_the_right_spelling() {
    assert_snapshot!(brief(game("which MAPS/Start.BSP")), @"exit 1: error: MAPS/Start.BSP: [other-spelling]; help: request maps/start.bsp");
    assert_snapshot!(brief(game(r"which maps\start.bsp")), @r"exit 1: error: maps\start.bsp: [other-spelling]; help: request maps/start.bsp");
    assert_snapshot!(game("which ./maps/mine.bsp"), @"./maps/mine.bsp: id1/ (as maps/mine.bsp, 191 bytes)");
    assert_snapshot!(game("which maps//mine.bsp"), @"maps//mine.bsp: id1/ (as maps/mine.bsp, 191 bytes)");
}

#[test]
fn which_reports_names_that_are_not_requests() {
    assert_snapshot!(game("which ../id1/config.cfg maps/../config.cfg"), @"
    exit: 1
    ! error: ../id1/config.cfg: not found: [request] +help
    ! error: maps/../config.cfg: not found: [request]
    ");
    assert_snapshot!(brief(game("--on windows which c:/config.cfg")), @"exit 1: error: c:/config.cfg: not found: [request] +help");
    assert_snapshot!(brief(game("which maps/")), @"exit 1: error: maps/: [folder]; help: `quakefs --basedir [GAME] ls 'maps/**'` lists its files");
    assert_snapshot!(brief(run(&["--basedir", "[GAME]", "which", ""]).text()), @"exit 1: error: [refused] +help");
    assert_snapshot!(brief(game(&format!("which {}", "x".repeat(300))).replace(&"x".repeat(300), "[300 x]")), @"exit 1: error: [300 x]: not found: [request] +help");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn which_prints_json() {
    assert_snapshot!(game("--json which maps/start.bsp maps/mine.bsp maps/nope.bsp"), @r#"
    exit: 1
    {"type":"which","name":"maps/start.bsp","found":true,"layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"maps/start.bsp","entry":4,"size":201,"content_type":"level","overridden":[{"name":"maps/start.bsp","layer":"id1/","index":2,"kind":"dir","stored":"maps/start.bsp","entry":null,"size":219,"content_type":"level","because":"loose","rule":"[loose below]"}],"problem":null,"disk_decides":false,"skipped":[{"name":"maps/start.bsp","location":"gapmod/pak0.pak: entry 0 (maps/start.bsp)","layer":"gapmod/pak0.pak","because":"other-game","reason":"it is in another game, gapmod","help":"[…]","advice":[{"step":"ask","of":["maps/start.bsp"],"to":"--game gapmod","content":null,"entry":null}]},{"name":"maps/start.bsp","location":"mymod/pak1.pak: entry 0 (maps/start.bsp)","layer":"mymod/pak1.pak","because":"other-game","reason":"it is in another game, mymod","help":"[…]","advice":[{"step":"ask","of":["maps/start.bsp"],"to":"--game mymod","content":null,"entry":null}]}],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    {"type":"which","name":"maps/mine.bsp","found":true,"layer":"id1/","index":2,"kind":"dir","stored":"maps/mine.bsp","entry":null,"size":191,"content_type":"level","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    {"type":"which","name":"maps/nope.bsp","found":false,"overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":"not-there","reason":"maps/nope.bsp: not found","help":"[…]","advice":[{"step":"run","of":["ls"],"to":null,"content":null,"entry":null}]}
    "#);
    assert_snapshot!(game("--json which -a maps/start.bsp quake.rc"), @r#"
    {"type":"which","name":"maps/start.bsp","found":true,"layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"maps/start.bsp","entry":4,"size":201,"content_type":"level","overridden":[{"name":"maps/start.bsp","layer":"id1/","index":2,"kind":"dir","stored":"maps/start.bsp","entry":null,"size":219,"content_type":"level","because":"loose","rule":"[loose below]"}],"problem":null,"disk_decides":false,"skipped":[{"name":"maps/start.bsp","location":"gapmod/pak0.pak: entry 0 (maps/start.bsp)","layer":"gapmod/pak0.pak","because":"other-game","reason":"it is in another game, gapmod","help":"[…]","advice":[{"step":"ask","of":["maps/start.bsp"],"to":"--game gapmod","content":null,"entry":null}]},{"name":"maps/start.bsp","location":"mymod/pak1.pak: entry 0 (maps/start.bsp)","layer":"mymod/pak1.pak","because":"other-game","reason":"it is in another game, mymod","help":"[…]","advice":[{"step":"ask","of":["maps/start.bsp"],"to":"--game mymod","content":null,"entry":null}]}],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    {"type":"which","name":"quake.rc","found":true,"layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"quake.rc","entry":0,"size":51,"content_type":"config","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    "#);
    assert_snapshot!(game("--json --game mymod which -a progs.dat"), @r#"{"type":"which","name":"progs.dat","found":true,"layer":"mymod/pak0.pak","index":1,"kind":"pak","stored":"progs.dat","entry":0,"size":2127,"content_type":"program","overridden":[{"name":"progs.dat","layer":"mymod/","index":2,"kind":"dir","stored":"progs.dat","entry":null,"size":2145,"content_type":"program","because":"loose","rule":"[loose below]"},{"name":"progs.dat","layer":"id1/pak0.pak","index":4,"kind":"pak","stored":"progs.dat","entry":2,"size":2125,"content_type":"program","because":"game-directory","rule":"[game-directory]"}],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}"#);
}

#[test]
fn which_prints_json_for_each_name_in_order() {
    for system in ["linux", "windows"] {
        let line = format!("which --json --on {system} --basedir [GAME] ../x quake.rc nope maps/");
        let answer = run(&words(&line));
        let found: Vec<_> = answer.json().iter().map(|line| line["found"].clone()).collect();
        assert_eq!(found, [false, true, false, false], "{system}");
        let because: Vec<_> = answer.json().iter().map(|line| line["because"].clone()).collect();
        let expected = [json!("refused"), json!(null), json!("not-there"), json!("folder")];
        assert_eq!(because, expected, "{system}");
        assert!(answer.err.is_empty());
    }
}

#[test]
fn a_name_with_any_bytes_is_printed_and_accepted_in_one_spelling() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", crate::archive(&[(b"caf\xe9.wav", b"x"), (b"a\x1b[31m", b"yy")]));
    assert_snapshot!(folder.check(r"--basedir [DIR] which caf\xE9.wav a\x1B[31m caf\xE8.wav"), @r"
    exit: 1
    caf\xE9.wav: id1/pak0.pak (entry 0, 1 byte)
    a\x1B[31m: id1/pak0.pak (entry 1, 2 bytes)
    ! error: caf\xE8.wav: not found +help
    ");
    assert_snapshot!(folder.check(r"--basedir [DIR] --json which caf\xE9.wav a\x1B[31m caf\xE8.wav"), @r#"
    exit: 1
    {"type":"which","name":"caf\\xE9.wav","found":true,"layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"caf\\xE9.wav","entry":0,"size":1,"content_type":"sound","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    {"type":"which","name":"a\u001b[31m","found":true,"layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"a\u001b[31m","entry":1,"size":2,"content_type":"other","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    {"type":"which","name":"caf\\xE8.wav","found":false,"overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":"nearest","reason":"caf\\xE8.wav: not found","help":"[…]","advice":[{"step":"ask","of":["caf\\xE9.wav"],"to":null,"content":null,"entry":null}]}
    "#);
}

#[cfg(unix)]
#[test]
fn which_accepts_a_name_as_bytes() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let folder = Folder::new();
    folder.write("id1/pak0.pak", crate::archive(&[(b"caf\xe9.wav", b"x")]));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["quakefs", "--basedir", folder.path().as_str(), "cat"].map(OsString::from);
    let args = args.into_iter().chain([OsString::from_vec(b"caf\xe9.wav".to_vec())]);
    let exit = quakefs_cli::run(args, &mut quakefs_cli::Console::plain(&mut out, &mut err));
    assert_eq!((exit, &out[..]), (quakefs_cli::Exit::Done, &b"x"[..]));
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn which_marks_a_winner_that_depends_on_the_disk() {
    let quake =
        testutils::game("id1/pak0.pak: a; id1/aa.pak: a b; id1/bb.pak: a c; id1/x.pak: d; id1/x.PAK: e");
    assert_snapshot!(quake.check("--basedir [DIR] --engine qss which a b c d"), @"
    exit: 1
    a: id1/bb.pak (entry 0, 12 bytes), by the order in which the disk lists files
    b: id1/aa.pak (entry 1, 12 bytes)
    c: id1/bb.pak (entry 1, 12 bytes)
    ! error: d: [skipped] [disk-order]
    !   help: rename the archive to x-2.pak
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --engine qss --json which a b"), @r#"
    {"type":"which","name":"a","found":true,"layer":"id1/bb.pak","index":2,"kind":"pak","stored":"a","entry":0,"size":12,"content_type":"other","overridden":[{"name":"a","layer":"id1/aa.pak","index":3,"kind":"pak","stored":"a","entry":0,"size":12,"content_type":"other","because":"archive-order","rule":"[archive-order listed]"},{"name":"a","layer":"id1/pak0.pak","index":4,"kind":"pak","stored":"a","entry":0,"size":14,"content_type":"other","because":"archive-order","rule":"[archive-order numbered-first]"}],"problem":null,"disk_decides":true,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    {"type":"which","name":"b","found":true,"layer":"id1/aa.pak","index":3,"kind":"pak","stored":"b","entry":1,"size":12,"content_type":"other","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}
    "#);
    assert_snapshot!(quake.check("--basedir [DIR] --engine winquake which a"), @"
    a: id1/pak0.pak (entry 0, 14 bytes)
      skips id1/aa.pak: entry 0 (a): [archive-skipped not-numbered]
      skips id1/bb.pak: entry 0 (a): [archive-skipped not-numbered]
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn which_reports_a_file_ignored_for_its_case() {
    let folder = Folder::with([("id1/progs.dat", "1"), ("mod/PROGS.DAT", "2"), ("id1/maps/a.bsp", "3")]);
    let line = |line: &str| folder.run(&format!("--basedir [DIR] --game mod {line}"));
    let lines = line("--json which progs.dat maps/a.bsp").json();
    assert_eq!(
        (lines[0]["layer"].as_str(), lines[0]["skipped"][0]["location"].as_str()),
        (Some("id1/"), Some("mod/PROGS.DAT"))
    );
    assert_eq!(lines[1]["skipped"], serde_json::json!([]));
    assert!(line("which progs.dat").out().contains("\n  skips mod/PROGS.DAT: "));
}

#[test]
#[cfg_attr(windows, ignore = "its command line has slashes before")]
fn a_name_that_the_engine_reads_stands_for_its_file() {
    let folder = testutils::game("id1/: maps/start.bsp=x");
    for line in ["ls", "extract --dry-run -o [DIR]/out", "shadows", "grep x"] {
        let of = |name: &str| folder.check(&format!("--basedir [DIR] --on windows {line} {name}"));
        assert_eq!(of(r"maps\start.bsp"), of("maps/start.bsp"), "{line}");
    }
    let pattern = folder.run(r"--basedir [DIR] --on windows ls maps\*.bsp");
    assert!(pattern.err().contains("\"maps/*.bsp\" matches"), "{}", pattern.err());
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_name_in_another_case_is_nearer_than_a_folder_that_is_not_searched() {
    let folder = testutils::game("id1/: a; mymod/: progs.dat; mymod/mymod/: progs.dat");
    let answer = folder.run("--basedir [DIR] --game mymod which PROGS.DAT");
    assert!(answer.err().contains("request progs.dat"), "{}", answer.err());
}
