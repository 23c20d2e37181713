//! `quakefs check`: everything that is wrong, or that an author may not have intended.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use serde_json::json;
use testutils::Folder;
use testutils::program::small;

use crate::{Commands as _, archive, brief, check, game, zip};

/// A registered copy is beside the point here: FTE does not ask.
fn fte(folder: &Folder) -> String {
    folder.check("--basedir [DIR] --engine fte --game mod check")
}

#[test]
fn check_of_a_right_game_finds_nothing() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", "");
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1")]));
    folder.write("id1/config.cfg", "2");
    // id's engines need a file of the registered version
    assert_snapshot!(folder.check("--basedir [DIR] --engine fte check"), @"
    exit: 1
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    1 error, 0 warnings, 0 notes for fte
    fte starts, but not all is right
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine fte --json check"), @r#"
    exit: 1
    {"type":"finding","severity":"error","kind":"wrong-content","location":"id1/progs.dat","layer":"id1/","entry":null,"name":"progs.dat","reason":"[wrong-content] a program (version 6, or 7 of FTE), found an empty file","help":"[…]","stops":false,"advice":[{"step":"get","of":["id1/progs.dat"],"to":null,"content":null,"entry":null}]}
    {"type":"verdict-of-game","engine":"fte","verdict":"starts-but","good":false,"reason":"fte starts, but not all is right: id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file"}
    "#);
}

#[test]
fn a_name_with_a_slash_at_its_end_reaches_the_engine() {
    let folder = Folder::with([("id1/quake.rc", "1"), ("mod/quake.rc", "2")]);
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces --game mod/ check"), @"
    exit: 1
    error    mod/: [engine-stops odd-game] +help
    warning  id1/gfx/pop.lmp: [shareware] +help
    1 error, 1 warning, 0 notes for darkplaces
    darkplaces does not start: mod/: [engine-stops odd-game]
    ");
}

#[test]
#[cfg_attr(windows, ignore = "no engine stops there")]
fn check_of_a_game_in_a_folder_of_games_finds_what_stops_the_engine() {
    let folder = Folder::with([("id1/a.cfg", "1"), ("id1/progs.dat", "1"), ("mods/one/b.cfg", "2")]);
    folder.write("mods/one/maps/a.bsp", "");
    std::fs::create_dir(folder.join("mods/one/a.cfg")).unwrap();
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces --game mods/one check"), @r#"
    exit: 1
    error    mods/one/a.cfg: [engine-stops folder-as-file] +help
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "1" +help
    error    mods/one/maps/a.bsp: [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found an empty file
    warning  id1/gfx/pop.lmp: [shareware] +help
    3 errors, 1 warning, 0 notes for darkplaces
    darkplaces starts, but not all is right
    "#);
}

#[test]
fn check_of_a_base_game_without_a_program_fails() {
    let folder = Folder::with([("id1/quake.rc", "1")]);
    assert_snapshot!(folder.check("--basedir [DIR] --engine fte check"), @"
    exit: 1
    [no-program]
             help: name the game that has the program
    1 error, 0 warnings, 0 notes for fte
    fte starts, but not all is right
    ");
    // the code of Quake II is native, and clients of QuakeWorld need no program
    folder.write("baseq2/default.cfg", "1");
    assert_snapshot!(folder.check("--basedir [DIR] --engine q2pro check"), @"
    exit: 1
    error    baseq2/pics/colormap.pcx: [engine-stops missing-file]; the same is true of 1 other name in this folder +help
    1 error, 0 warnings, 0 notes for q2pro
    q2pro does not start: baseq2/pics/colormap.pcx: [engine-stops missing-file]
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine mvdsv check"), @"
    exit: 1
    [no-program]
             help: name the game that has the program
    1 error, 0 warnings, 0 notes for mvdsv
    mvdsv starts, but not all is right
    ");
}

#[test]
fn check_of_an_archive_or_a_mod_alone_misses_no_program() {
    let folder = Folder::with([("a.pak", archive(&[(b"a.cfg", b"1")]))]);
    assert_snapshot!(folder.check("--mount [DIR]/a.pak check"), @"
    0 errors, 0 warnings, 0 notes for quakespasm
    there is not enough here to say whether quakespasm starts: no base game
    ");
    folder.write("mod/a.cfg", "1");
    assert_snapshot!(folder.check("--basedir [DIR] --engine fte --game mod check"), @"
    exit: 1
    warning  id1/: [engine-stops|missing-directory] +help
    0 errors, 1 warning, 0 notes for fte
    there is not enough here to say whether fte starts: no base game
    ");
}

#[test]
fn check_of_a_base_game_in_the_user_directory_misses_its_program() {
    let folder = Folder::with([("home/id1/pak0.pak", archive(&[(b"a.cfg", b"1")]))]);
    folder.write("base/notes.txt", "");
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir [DIR]/home --engine fte check"), @"
    exit: 1
    [no-program]
             help: name the game that has the program
    1 error, 0 warnings, 0 notes for fte
    fte starts, but not all is right
    ");
}

#[test]
fn check_with_only_notes_succeeds() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", "");
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1")]));
    folder.write("mod/quake.rc", "1");
    assert_snapshot!(fte(&folder), @"
    exit: 1
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    note     mod/quake.rc: it has the same bytes as id1/pak0.pak: entry 0 (quake.rc), which it overrides
    1 error, 0 warnings, 1 note for fte
    fte starts, but not all is right
    ");
}

#[test]
fn check_lists_doubles_of_the_base_game_with_an_option() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", small());
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1"), (b"default.cfg", b"2")]));
    folder.write("id1/pak1.pak", archive(&[(b"quake.rc", b"1")]));
    folder.write("mod/default.cfg", "2");
    let check = |more: &str| folder.run(&format!("--basedir [DIR] --engine fte --game mod check {more}"));
    let count = |answer: &crate::Answer| answer.out().matches("note     ").count();
    assert_eq!(count(&check("")), 1, "{}", check("").out());
    assert!(check("").err().contains("1 note about a double in the base game not listed: --all lists all"));
    assert_eq!(count(&check("--all")), 2);
    assert_eq!(check("--json").json().len(), 3);
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn check_has_one_warning_for_each_folder_of_names_in_capitals() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1")]));
    for file in ["PROGS.DAT", "SOUND/A.WAV", "SOUND/B.WAV", "SOUND/C.WAV", "sound/D.WAV"] {
        folder.write(&format!("mod/{file}"), file);
    }
    folder.write("mod/pak0.pak", archive(&[(b"A.CFG", b"1"), (b"B.CFG", b"2")]));
    let check =
        |more: &str| folder.run(&format!("--basedir [DIR] --engine quakespasm --game mod check {more}"));
    let warnings = |answer: crate::Answer| answer.out().matches("warning  ").count();
    assert_eq!(warnings(check("")), 4, "{}", check("").out());
    assert_eq!(warnings(check("--all")), 7);
    let json = check("--json").json();
    assert_eq!(json.iter().filter(|line| line["kind"] == "unlikely-name").count(), 7);
}

#[test]
fn check_gives_the_same_advice_once() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", small());
    folder.write("mod/pak0.pak", archive(&[(b"a.cfg", b"1"), (b"b.cfg", b"2")]));
    folder.write("mod/a.cfg", "one");
    folder.write("mod/b.cfg", "two");
    let answer = folder.run("--basedir [DIR] --engine fte --game mod check");
    assert_eq!(answer.out().matches("overrides it").count(), 2, "{}", answer.out());
    assert_eq!(answer.out().matches("help: remove the copy").count(), 1, "{}", answer.out());
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn check_reports_the_findings_of_a_mod() {
    assert_snapshot!(game("--game gapmod check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    warning  gapmod/PAK2.PAK: [portability other-case] +help
    warning  gapmod/pak3.pak: [gap after-gap]
             help: rename PAK2.PAK to pak2.pak
    1 error, 2 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
    assert_snapshot!(game("--engine darkplaces --game mymod check"), @"
    exit: 1
    error    mymod/notes.pak: skipped: [wrong-magic] +help
    warning  id1/gfx/pop.lmp: [shareware] +help
    warning  mymod/pak0.pak: entry 0 (progs.dat): [equal-names|overridden-entry|overridden-loose] [loose above] +help
    note     mymod/pak0.pak: entry 2 (gfx/conback.lmp): it has the same bytes as id1/pak0.pak: entry 3 (gfx/conback.lmp), which it overrides
    1 error, 2 warnings, 1 note for darkplaces
    darkplaces starts, but not all is right
    ");
    assert_snapshot!(game("--json --game mymod check"), @r#"
    exit: 1
    {"type":"finding","severity":"error","kind":"engine-stops","location":"id1/gfx/pop.lmp","layer":"id1/","entry":null,"name":"gfx/pop.lmp","reason":"[engine-stops unregistered]","help":"[…]","stops":true,"advice":[{"step":"get","of":["id1/"],"to":"the registered version","content":null,"entry":null}]}
    {"type":"finding","severity":"warning","kind":"overridden-loose","location":"mymod/progs.dat","layer":"mymod/","entry":null,"name":"progs.dat","reason":"[equal-names|overridden-entry|overridden-loose] [loose below]","help":"[…]","stops":false,"advice":[{"step":"remove","of":["mymod/progs.dat","mymod/pak0.pak/progs.dat"],"to":null,"content":null,"entry":null}]}
    {"type":"finding","severity":"warning","kind":"wrong-archive","location":"mymod/notes.pak","layer":"mymod/notes.pak","entry":null,"name":null,"reason":"skipped: [unknown-magic]","help":"[…]","stops":false,"advice":[{"step":"rename","of":["mymod/notes.pak"],"to":"mymod/notes.txt","content":null,"entry":null}]}
    {"type":"finding","severity":"note","kind":"same-bytes","location":"mymod/pak0.pak: entry 2 (gfx/conback.lmp)","layer":"mymod/pak0.pak","entry":2,"name":"gfx/conback.lmp","reason":"it has the same bytes as id1/pak0.pak: entry 3 (gfx/conback.lmp), which it overrides","help":null,"stops":false,"advice":[]}
    {"type":"verdict-of-game","engine":"quakespasm","verdict":"does-not-start","good":false,"reason":"quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]"}
    "#);
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn check_reports_archives_that_are_not_loaded() {
    let folder = Folder::new();
    let pak = archive(&[(b"a", b"1")]);
    for name in ["pak0.pak", "pak2.pak", "PAK1.PAK", "maps.pak"] {
        folder.write(&format!("id1/{name}"), &pak);
    }
    folder.write("id1/more.pk3", zip(&[(b"a", b"2")]));
    std::fs::create_dir(folder.join("id1/pak3.pak")).unwrap();
    assert_snapshot!(folder.check("--basedir [DIR] check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    warning  id1/PAK1.PAK: [portability other-case] +help
    warning  id1/maps.pak: [archive-skipped not-numbered] +help
    warning  id1/more.pk3: [archive-skipped other-kind] +help
    warning  id1/pak2.pak: [gap after-gap]
             help: rename PAK1.PAK to pak1.pak
    warning  id1/pak3.pak: [not-a-file] +help
    1 error, 5 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
    folder.write("baseq2/pak10.pak", &pak);
    assert_snapshot!(folder.check("--basedir [DIR] --engine quake2 check"), @"
    exit: 1
    error    baseq2/pics/colormap.pcx: [engine-stops missing-file]; the same is true of 1 other name in this folder +help
    warning  baseq2/pak10.pak: [number-too-high beyond-last] +help
    1 error, 1 warning, 0 notes for quake2
    quake2 does not start: baseq2/pics/colormap.pcx: [engine-stops missing-file]
    ");
    folder.write("id1/pak1.pak", archive(&[]));
    assert_snapshot!(folder.check("--basedir [DIR] --engine ironwail check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    warning  id1/pak1.pak: [portability one-file]
             help: rename id1/PAK1.PAK to pak1_.pak
    warning  id1/PAK1.PAK: [archive-skipped not-numbered] +help
    warning  id1/maps.pak: [archive-skipped not-numbered]
    warning  id1/more.pk3: [archive-skipped other-kind] +help
    warning  id1/pak1.pak: [empty-archive empty-ends-run] +help
    warning  id1/pak2.pak: [empty-archive after-empty] +help
    warning  id1/pak3.pak: [not-a-file] +help
    1 error, 7 warnings, 0 notes for ironwail
    ironwail does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
}

#[test]
fn check_reports_damaged_archives() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", "");
    folder.write("id1/pak0.pak", "to do");
    folder.write("id1/pak1.pak", &archive(&[(b"a", b"1")])[..40]);
    let mut past_end = archive(&[(b"a", b"1"), (b"b", b"2")]);
    let end = past_end.len();
    past_end[end - 4] = 200;
    folder.write("id1/pak2.pak", past_end);
    let mut ragged = archive(&[(b"c", b"1")]);
    ragged[8] += 3;
    ragged.extend([0; 3]);
    folder.write("id1/pak3.pak", ragged);
    folder.write("id1/x.pk3", &zip(&[(b"z", b"1")])[..20]);
    assert_snapshot!(folder.check("--basedir [DIR] check"), @"
    exit: 1
    error    id1/pak0.pak: quakespasm stops with an error: [wrong-magic] +help
    error    id1/pak1.pak: quakespasm stops with an error: [directory-outside] +help
    error    id1/pak2.pak: entry 1 (b): [engine-stops cut-entry] +help
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    error    id1/pak2.pak: entry 1 (b): [entry-outside|outside]
    warning  id1/pak3.pak: [partial-row]
    warning  id1/x.pk3: skipped: [zip] it has no end record
    5 errors, 2 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/pak0.pak: [wrong-magic]
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces check"), @"
    exit: 1
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    error    id1/pak0.pak: skipped: [wrong-magic] +help
    error    id1/pak1.pak: skipped: [directory-outside] +help
    error    id1/pak2.pak: entry 1 (b): [entry-outside|outside] +help
    error    id1/pak3.pak: skipped: [partial-row]
    error    id1/x.pk3: skipped: [zip] it has no end record
    6 errors, 0 warnings, 0 notes for darkplaces
    darkplaces starts, but not all is right
    ");
}

#[test]
fn check_reports_overridden_copies() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", "");
    folder.write(
        "id1/pak0.pak",
        archive(&[(b"a.cfg", b"1"), (b"b.cfg", b"same"), (b"c.cfg", b"3"), (b"c.cfg", b"4")]),
    );
    folder.write("id1/a.cfg", "loose");
    folder.write("mod/b.cfg", "same");
    assert_snapshot!(folder.check("--basedir [DIR] --game mod check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    warning  id1/a.cfg: [equal-names|overridden-entry|overridden-loose] [loose below] +help
    warning  id1/pak0.pak: entry 3 (c.cfg): [equal-names|overridden-entry|overridden-loose] [equal-rows first]
    note     mod/b.cfg: it has the same bytes as id1/pak0.pak: entry 1 (b.cfg), which it overrides
    2 errors, 2 warnings, 1 note for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
    assert_snapshot!(fte(&folder), @"
    exit: 1
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    warning  id1/pak0.pak: entry 0 (a.cfg): [equal-names|overridden-entry|overridden-loose] [loose above] +help
    warning  id1/pak0.pak: entry 3 (c.cfg): [equal-names|overridden-entry|overridden-loose] [equal-rows first]
    note     mod/b.cfg: it has the same bytes as id1/pak0.pak: entry 1 (b.cfg), which it overrides
    1 error, 2 warnings, 1 note for fte
    fte starts, but not all is right
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn check_reports_unlikely_and_unreachable_names() {
    let folder = Folder::new();
    folder.write("id1/progs.dat", "");
    let long = b"maps/a_name_of_56_bytes_that_fills_its_field_to_the_end_".as_slice();
    let rows: [&[u8]; 7] = [b"Maps/A.bsp", b"maps\\b.bsp", b"./c", b"../d", b"e", b"E", long];
    folder.write("id1/pak0.pak", archive(&rows.map(|name| (name, name))));
    folder.write(&format!("id1/{}", "deep/".repeat(13) + "a"), "");
    folder.write("id1/CONFIG.CFG", "");
    folder.write("id1/README.TXT", "");
    assert_snapshot!(folder.check("--basedir [DIR] check"), @r#"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    error    id1/pak0.pak: entry 0 (Maps/A.bsp): [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "Maps/A.b"
    error    id1/pak0.pak: entry 1 (maps\b.bsp): [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "maps\\b.b"
    warning  id1/CONFIG.CFG: [unlikely-name capitals] +help
    warning  id1/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/a: [long-name] +help
    warning  id1/pak0.pak: entry 0 (Maps/A.bsp): [unlikely-name capitals] +help
    warning  id1/pak0.pak: entry 1 (maps\b.bsp): [unlikely-name backslash] +help
    warning  id1/pak0.pak: entry 2 (./c): [unlikely-name dot-component] +help
    warning  id1/pak0.pak: entry 3 (../d): [unreachable refused] [request] +help
    warning  id1/pak0.pak: entry 4 (e): [case] +help
    warning  id1/pak0.pak: entry 5 (E): [unlikely-name capitals]
             help: e is there already: keep the one that you want, under that name
    4 errors, 8 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] --engine fte check"), @r#"
    exit: 1
    error    id1/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found an empty file +help
    error    id1/pak0.pak: entry 0 (Maps/A.bsp): [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "Maps/A.b"
    error    id1/pak0.pak: entry 1 (maps\b.bsp): [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "maps\\b.b"
    warning  id1/CONFIG.CFG: [unlikely-name capitals] +help
    warning  id1/pak0.pak: entry 2 (./c): [unreachable refused] [request] +help
    warning  id1/pak0.pak: entry 5 (E): [equal-names|overridden-entry|overridden-loose] [equal-rows first] +help
    3 errors, 3 warnings, 0 notes for fte
    fte starts, but not all is right
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] --engine yquake2 --mount [DIR]/id1/pak0.pak check"), @r#"
    exit: 1
    error    id1/pak0.pak: entry 0 (Maps/A.bsp): [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "Maps/A.b" +help
    error    id1/pak0.pak: entry 1 (maps\b.bsp): [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "maps\\b.b"
    warning  baseq2/: [engine-stops|missing-directory] +help
    warning  id1/pak0.pak: entry 1 (maps\b.bsp): [unlikely-name backslash] +help
    warning  id1/pak0.pak: entry 2 (./c): [unreachable read-differently] +help
    warning  id1/pak0.pak: entry 3 (../d): [unreachable refused] [request] +help
    warning  id1/pak0.pak: entry 4 (e): [equal-names|overridden-entry|overridden-loose] [equal-rows searched] +help
    2 errors, 5 warnings, 0 notes for yquake2
    there is not enough here to say whether yquake2 starts: no base game
    "#);
}

#[test]
fn check_reports_more_entries_than_the_engine_accepts() {
    let folder = Folder::new();
    let names: Vec<_> = (0..2049).map(|entry| format!("{entry}.cfg")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), b"".as_slice())).collect();
    folder.write("id1/pak0.pak", archive(&rows));
    assert_snapshot!(folder.check("--basedir [DIR] check"), @"
    exit: 1
    error    id1/pak0.pak: quakespasm stops with an error: [too-many-entries] +help
    1 error, 0 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/pak0.pak: [too-many-entries]
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine qss check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    1 error, 0 warnings, 0 notes for qss
    qss does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
}

#[test]
fn check_reports_a_mod_on_the_shareware_game() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"a", b"1")]));
    folder.write("mod/b", "1");
    assert_snapshot!(folder.check("--basedir [DIR] --game mod check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    1 error, 0 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
    folder.write("id1/gfx/pop.lmp", "text");
    assert_snapshot!(folder.check("--basedir [DIR] --game mod check"), @"
    exit: 1
    error    id1/: [engine-stops wrong-registered] +help
    error    id1/gfx/pop.lmp: [wrong-content] off: a picture with its size would end at byte 9, and the file ends at 4 +help
    2 errors, 0 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/: [engine-stops wrong-registered]
    ");
}

#[test]
fn check_reports_games_and_flags_without_effect() {
    assert_snapshot!(game("--game nomod --game other --quoth --hipnotic check"), @"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    warning  hipnotic/: [engine-stops|missing-directory] +help
    warning  id1/maps/start.bsp: [equal-names|overridden-entry|overridden-loose] [loose below] +help
    warning  nomod/: [engine-stops|missing-directory] +help
    warning  other/: [game-ignored first] +help
    warning  quoth/: [engine-stops|missing-directory] +help
    1 error, 5 warnings, 0 notes for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
    assert_snapshot!(brief(check("--basedir nowhere check")), @"exit 2: error: nowhere: [no-base-directory] +help");
}

#[test]
fn check_counts_many_findings_of_one_kind() {
    let folder = Folder::new();
    let names: Vec<_> = (0..30).map(|entry| format!("A{entry}")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), b"".as_slice())).collect();
    folder.write("id1/pak0.pak", archive(&rows));
    let answer = folder.run("--basedir [DIR] check --all");
    let last: Vec<_> = answer.out().lines().rev().skip(1).take(2).collect();
    assert_eq!(
        last,
        ["1 error, 30 warnings, 0 notes for quakespasm", "and 10 more findings of the kind unlikely-name"]
    );
    let json = folder.run("--basedir [DIR] --json check");
    assert_eq!((json.exit, json.json().len()), (Exit::NotFound, 32), "JSON has all of them");
    assert_eq!(
        json.json()[1],
        json!({
            "type": "finding",
            "severity": "warning",
            "kind": "unlikely-name",
            "location": "id1/pak0.pak: entry 0 (A0)",
            "reason": "quakespasm finds it only by this exact spelling, and most games request names in \
                lower case",
            "help": "rename it to a0",
            "layer": "id1/pak0.pak",
            "entry": 0,
            "name": "A0",
            "stops": false,
            "advice": [{
                "step": "rename",
                "of": ["id1/pak0.pak/A0"],
                "to": "id1/pak0.pak/a0",
                "content": null,
                "entry": 0,
            }],
        })
    );
}

#[test]
fn check_escapes_control_bytes() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"\x1b[2J\\\xff", b"1")]));
    assert_snapshot!(folder.check("--basedir [DIR] check"), @r"
    exit: 1
    error    id1/gfx/pop.lmp: [engine-stops unregistered] +help
    warning  id1/pak0.pak: entry 0 (\x1B[2J\\xFF): [unlikely-name backslash] +help
    1 error, 1 warning, 0 notes for quakespasm
    quakespasm does not start: id1/gfx/pop.lmp: [engine-stops unregistered]
    ");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_named_with_its_target_wherever_it_lies() {
    use std::os::unix::fs::symlink;
    let folder = Folder::with([("id1/pak0.pak", archive(&[(b"progs.dat", b"1")]))]);
    for (link, target) in [("id1/pak7.pak", "/gone/7"), ("id1/mine.cfg", "../gone\x1b"), ("ad", "/gone/ad")] {
        symlink(target, folder.join(link)).unwrap();
    }
    let answer = folder.run("--basedir [DIR] --game ad check");
    for line in [
        "id1/pak7.pak: skipped: it is a link to /gone/7, which does not exist",
        r"id1/mine.cfg: skipped: it is a link to ../gone\x1B, which does not exist",
        "ad/: it is a link to /gone/ad, which does not exist",
    ] {
        assert_eq!(answer.out().matches(line).count(), 1, "{line}\n{}", answer.out());
    }
    let answer = folder.run("--basedir [DIR] which mine.cfg");
    assert!(
        answer.err().contains(r"not found: id1/mine.cfg is a link to ../gone\x1B, which"),
        "{}",
        answer.err()
    );
    symlink("/gone/quake", folder.join("quake")).unwrap();
    symlink("/gone/id1", folder.join("ad2")).unwrap();
    std::fs::create_dir(folder.join("other")).unwrap();
    symlink("/gone/id1", folder.join("other/id1")).unwrap();
    for (base, said) in [("quake", "a link to /gone/quake, which"), ("other", "a link to /gone/id1, which")] {
        let answer = folder.run(&format!("--basedir [DIR]/{base} path"));
        assert!(answer.err().contains(said), "{}", answer.err());
        assert_eq!(answer.exit, Exit::Failed);
    }
}
