//! `quakefs check`: everything that is wrong, or that an author may not have intended.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use serde_json::json;
use testutils::Folder;

use crate::{Commands as _, archive, check, game, zip};

/// A registered copy is beside the point here: FTE does not ask.
fn fte(folder: &Folder) -> String {
    folder.check("--basedir [DIR] --engine fte --game mod check")
}

#[test]
fn check_of_a_right_game_finds_nothing() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1")]));
    folder.write("id1/config.cfg", "2");
    assert_snapshot!(folder.check("--basedir [DIR] check"), @"
    exit: 0
    -- stdout
    0 errors, 0 warnings, 0 notes for winquake
    -- stderr
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --json check"), @"
    exit: 0
    -- stdout
    -- stderr
    ");
}

#[test]
fn check_with_notes_alone_succeeds() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1")]));
    folder.write("mod/quake.rc", "1");
    assert_snapshot!(fte(&folder), @"
    exit: 0
    -- stdout
    note     mod/quake.rc: it holds the same bytes as id1/pak0.pak: entry 0 (quake.rc), which it hides
             help: leave one of them out
    0 errors, 0 warnings, 1 note for fte
    -- stderr
    ");
}

#[test]
fn check_reports_the_findings_of_a_mod() {
    assert_snapshot!(game("--game gapmod check"), @"
    exit: 1
    -- stdout
    error    id1/gfx/pop.lmp: the file of the registered version is missing: winquake stops with an error here
             help: add the archives of the registered version
    warning  gapmod/PAK2.PAK: not loaded: winquake looks for pak2.pak
             help: rename it to pak2.pak
    warning  gapmod/pak3.pak: not loaded: pak2.pak is missing
             help: rename it to pak2.pak, or add one of that name
    1 error, 2 warnings, 0 notes for winquake
    -- stderr
    ");
    assert_snapshot!(game("--engine darkplaces --game mymod check"), @r#"
    exit: 1
    -- stdout
    error    mymod/notes.pak: not loaded: not of the quake layout: expected the magic PACK, found "To d"
             help: it is another kind of file, whatever its name says: look at it with `file`
    warning  id1/gfx/pop.lmp: this is the shareware, which has no gfx/pop.lmp
             help: add the archives of the registered version
    warning  mymod/pak0.pak: entry 0 (progs.dat): it is hidden by mymod/progs.dat: loose files above archives
             help: remove the one that is not meant, or change that one
    note     mymod/pak0.pak: entry 2 (gfx/conback.lmp): it holds the same bytes as id1/pak0.pak: entry 3 (gfx/conback.lmp), which it hides
             help: leave one of them out
    1 error, 2 warnings, 1 note for darkplaces
    -- stderr
    "#);
    assert_snapshot!(game("--json --game mymod check"), @r#"
    exit: 1
    -- stdout
    {"type":"finding","severity":"error","kind":"engine-stops","place":"id1/gfx/pop.lmp","reason":"the file of the registered version is missing: winquake stops with an error here","help":"add the archives of the registered version","layer":"id1/","entry":null,"name":"gfx/pop.lmp"}
    {"type":"finding","severity":"warning","kind":"hidden-loose","place":"mymod/progs.dat","reason":"it is hidden by mymod/pak0.pak: entry 0 (progs.dat): archives above loose files","help":"remove the one that is not meant, or change that one","layer":"mymod/","entry":null,"name":"progs.dat"}
    {"type":"finding","severity":"warning","kind":"wrong-archive","place":"mymod/notes.pak","reason":"not loaded: not an archive: expected the magic PACK, SPAK or HROT, found \"To d\"","help":"it is another kind of file, whatever its name says: look at it with `file`","layer":"mymod/notes.pak","entry":null,"name":null}
    {"type":"finding","severity":"note","kind":"same-bytes","place":"mymod/pak0.pak: entry 2 (gfx/conback.lmp)","reason":"it holds the same bytes as id1/pak0.pak: entry 3 (gfx/conback.lmp), which it hides","help":"leave one of them out","layer":"mymod/pak0.pak","entry":2,"name":"gfx/conback.lmp"}
    -- stderr
    "#);
}

#[test]
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
    -- stdout
    warning  id1/PAK1.PAK: not loaded: winquake looks for pak1.pak
             help: rename it to pak1.pak
    warning  id1/maps.pak: not loaded: winquake looks for numbered archives alone
             help: rename it to the next free pakN.pak
    warning  id1/more.pk3: not loaded: winquake does not read this kind of archive
             help: repack it, or use an engine that reads it
    warning  id1/pak2.pak: not loaded: pak1.pak is missing
             help: rename it to pak1.pak, or add one of that name
    warning  id1/pak3.pak: not loaded: not a regular file
             help: replace it with an archive, or rename it
    0 errors, 5 warnings, 0 notes for winquake
    -- stderr
    ");
    folder.write("baseq2/pak10.pak", &pak);
    assert_snapshot!(folder.check("--basedir [DIR] --engine quake2 check"), @"
    exit: 1
    -- stdout
    warning  baseq2/pak10.pak: not loaded: quake2 tries nothing above pak9.pak
             help: give it a lower number
    0 errors, 1 warning, 0 notes for quake2
    -- stderr
    ");
    folder.write("id1/pak1.pak", archive(&[]));
    assert_snapshot!(folder.check("--basedir [DIR] --engine ironwail check"), @"
    exit: 1
    -- stdout
    warning  id1/PAK1.PAK: not loaded: ironwail looks for numbered archives alone
             help: rename it to the next free pakN.pak
    warning  id1/maps.pak: not loaded: ironwail looks for numbered archives alone
             help: rename it to the next free pakN.pak
    warning  id1/more.pk3: not loaded: ironwail does not read this kind of archive
             help: repack it, or use an engine that reads it
    warning  id1/pak1.pak: not loaded: it has no entries, and ironwail stops there
             help: remove it, or put a file into it
    warning  id1/pak2.pak: not loaded: pak1.pak has no entries, and ironwail stops there
             help: put a file into pak1.pak, or remove it and renumber
    warning  id1/pak3.pak: not loaded: not a regular file
             help: replace it with an archive, or rename it
    0 errors, 6 warnings, 0 notes for ironwail
    -- stderr
    ");
}

#[test]
fn check_reports_damaged_archives() {
    let folder = Folder::new();
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
    assert_snapshot!(folder.check("--basedir [DIR] check"), @r#"
    exit: 1
    -- stdout
    error    id1/pak0.pak: not loaded: not of the quake layout: expected the magic PACK, found "to d"; winquake stops with an error here
             help: it is another kind of file, whatever its name says: look at it with `file`
    error    id1/pak1.pak: the directory ends past the end of the archive: expected at most 40, found offset 13 + size 64
             help: the file is probably a cut-off download: get it again
    error    id1/pak2.pak: entry 1 (b): the payload ends past the end of the archive: expected at most 142, found offset 13 + size 200
             help: the file is probably a cut-off download: get it again; the other entries can be read
    warning  id1/pak1.pak: the last 27 bytes of the directory are no whole row, and winquake ignores them
             help: the archive is damaged: get it again, or repack it
    warning  id1/pak3.pak: the last 3 bytes of the directory are no whole row, and winquake ignores them
             help: the archive is damaged: get it again, or repack it
    warning  id1/x.pk3: not loaded: winquake does not read this kind of archive
             help: repack it, or use an engine that reads it
    3 errors, 3 warnings, 0 notes for winquake
    -- stderr
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] --engine qss check"), @r#"
    exit: 1
    -- stdout
    error    id1/pak0.pak: not loaded: not of the quake layout: expected the magic PACK, found "to d"; qss stops with an error here
             help: it is another kind of file, whatever its name says: look at it with `file`
    error    id1/pak1.pak: the directory ends past the end of the archive: expected at most 40, found offset 13 + size 64
             help: the file is probably a cut-off download: get it again
    error    id1/pak2.pak: entry 1 (b): the payload ends past the end of the archive: expected at most 142, found offset 13 + size 200
             help: the file is probably a cut-off download: get it again; the other entries can be read
    error    id1/x.pk3: not loaded: not a ZIP archive: it has no end record
             help: the file is probably a cut-off download, or not a ZIP archive: get it again
    warning  id1/pak1.pak: the last 27 bytes of the directory are no whole row, and qss ignores them
             help: the archive is damaged: get it again, or repack it
    warning  id1/pak3.pak: the last 3 bytes of the directory are no whole row, and qss ignores them
             help: the archive is damaged: get it again, or repack it
    4 errors, 2 warnings, 0 notes for qss
    -- stderr
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces check"), @r#"
    exit: 1
    -- stdout
    error    id1/pak0.pak: not loaded: not of the quake layout: expected the magic PACK, found "to d"
             help: it is another kind of file, whatever its name says: look at it with `file`
    error    id1/pak1.pak: not loaded: the directory ends past the end of the archive: expected at most 40, found offset 13 + size 64
             help: the file is probably a cut-off download: get it again
    error    id1/pak2.pak: entry 1 (b): the payload ends past the end of the archive: expected at most 142, found offset 13 + size 200
             help: the file is probably a cut-off download: get it again; the other entries can be read
    error    id1/pak3.pak: not loaded: the directory ends inside a row: expected a multiple of 64, found 67 bytes
             help: the header is damaged: get the archive again
    error    id1/x.pk3: not loaded: not a ZIP archive: it has no end record
             help: the file is probably a cut-off download, or not a ZIP archive: get it again
    5 errors, 0 warnings, 0 notes for darkplaces
    -- stderr
    "#);
}

#[test]
fn check_reports_hidden_copies() {
    let folder = Folder::new();
    folder.write(
        "id1/pak0.pak",
        archive(&[(b"a.cfg", b"1"), (b"b.cfg", b"same"), (b"c.cfg", b"3"), (b"c.cfg", b"4")]),
    );
    folder.write("id1/a.cfg", "loose");
    folder.write("mod/b.cfg", "same");
    assert_snapshot!(folder.check("--basedir [DIR] --game mod check"), @"
    exit: 1
    -- stdout
    error    id1/gfx/pop.lmp: the file of the registered version is missing: winquake stops with an error here
             help: add the archives of the registered version
    warning  id1/a.cfg: it is hidden by id1/pak0.pak: entry 0 (a.cfg): archives above loose files
             help: remove the one that is not meant, or change that one
    warning  id1/pak0.pak: entry 3 (c.cfg): it is hidden by id1/pak0.pak: entry 2 (c.cfg): first of equal rows
             help: remove the one that is not meant, or change that one
    note     mod/b.cfg: it holds the same bytes as id1/pak0.pak: entry 1 (b.cfg), which it hides
             help: leave one of them out
    1 error, 2 warnings, 1 note for winquake
    -- stderr
    ");
    assert_snapshot!(fte(&folder), @"
    exit: 1
    -- stdout
    warning  id1/pak0.pak: entry 0 (a.cfg): it is hidden by id1/a.cfg: loose files above archives
             help: remove the one that is not meant, or change that one
    warning  id1/pak0.pak: entry 3 (c.cfg): it is hidden by id1/pak0.pak: entry 2 (c.cfg): first of equal rows
             help: remove the one that is not meant, or change that one
    note     mod/b.cfg: it holds the same bytes as id1/pak0.pak: entry 1 (b.cfg), which it hides
             help: leave one of them out
    0 errors, 2 warnings, 1 note for fte
    -- stderr
    ");
}

#[test]
fn check_reports_unlikely_and_unreachable_names() {
    let folder = Folder::new();
    let long = b"maps/a_name_of_56_bytes_that_fills_its_field_to_the_end_".as_slice();
    let rows: [&[u8]; 7] = [b"Maps/A.bsp", b"maps\\b.bsp", b"./c", b"../d", b"e", b"E", long];
    folder.write("id1/pak0.pak", archive(&rows.map(|name| (name, name))));
    folder.write(&format!("id1/{}", "deep/".repeat(13) + "a"), "");
    folder.write("id1/CONFIG.CFG", "");
    folder.write("id1/README.TXT", "");
    assert_snapshot!(folder.check("--basedir [DIR] check"), @r#"
    exit: 1
    -- stdout
    warning  id1/CONFIG.CFG: winquake serves it under this very name alone, and most games ask in lower case
             help: name it in lower case, with / between the parts
    warning  id1/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/a: the name has 66 bytes, winquake has room for 63
             help: give it a shorter name
    warning  id1/pak0.pak: entry 0 (Maps/A.bsp): winquake serves it under this very name alone, and most games ask in lower case
             help: name it in lower case, with / between the parts
    warning  id1/pak0.pak: entry 1 (maps\b.bsp): winquake serves it under this very name alone, and no game asks with a backslash
             help: name it in lower case, with / between the parts
    warning  id1/pak0.pak: entry 2 (./c): winquake serves it under this very name alone, and no game asks with an empty or "." component
             help: name it in lower case, with / between the parts
    warning  id1/pak0.pak: entry 3 (../d): no request reaches it: the name has a ".." component
             help: rename it
    warning  id1/pak0.pak: entry 4 (e): id1/pak0.pak: entry 5 (E) differs from it in case alone, and both are served
             help: give both one spelling, or two names
    warning  id1/pak0.pak: entry 5 (E): winquake serves it under this very name alone, and most games ask in lower case
             help: name it in lower case, with / between the parts
    0 errors, 8 warnings, 0 notes for winquake
    -- stderr
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] --engine fte check"), @"
    exit: 1
    -- stdout
    warning  id1/CONFIG.CFG: fte serves it under this very name alone, and most games ask in lower case
             help: name it in lower case, with / between the parts
    warning  id1/pak0.pak: entry 5 (E): it is hidden by id1/pak0.pak: entry 4 (e): first of equal rows
             help: remove the one that is not meant, or change that one
    0 errors, 2 warnings, 0 notes for fte
    -- stderr
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine yquake2 --mount [DIR]/id1/pak0.pak check"), @r#"
    exit: 1
    -- stdout
    warning  baseq2/: there is no such folder
             help: look at its spelling and case
    warning  id1/pak0.pak: entry 1 (maps\b.bsp): yquake2 serves it under this very name alone, and no game asks with a backslash
             help: name it in lower case, with / between the parts
    warning  id1/pak0.pak: entry 2 (./c): no request reaches it: yquake2 reads this name as another
             help: rename it
    warning  id1/pak0.pak: entry 3 (../d): no request reaches it: the name has a ".." component
             help: rename it
    warning  id1/pak0.pak: entry 5 (E): it is hidden by id1/pak0.pak: entry 4 (e): first of equal rows
             help: remove the one that is not meant, or change that one
    0 errors, 5 warnings, 0 notes for yquake2
    -- stderr
    "#);
}

#[test]
fn check_reports_more_entries_than_the_engine_takes() {
    let folder = Folder::new();
    let names: Vec<_> = (0..2049).map(|entry| format!("{entry}.cfg")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), b"".as_slice())).collect();
    folder.write("id1/pak0.pak", archive(&rows));
    assert_snapshot!(folder.check("--basedir [DIR] check"), @"
    exit: 1
    -- stdout
    error    id1/pak0.pak: the archive has 2049 entries, winquake takes 2048 and stops with an error
             help: split it into two archives
    1 error, 0 warnings, 0 notes for winquake
    -- stderr
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine qss check"), @"
    exit: 0
    -- stdout
    0 errors, 0 warnings, 0 notes for qss
    -- stderr
    ");
}

#[test]
fn check_reports_a_mod_on_the_shareware_game() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"a", b"1")]));
    folder.write("mod/b", "1");
    assert_snapshot!(folder.check("--basedir [DIR] --game mod check"), @"
    exit: 1
    -- stdout
    error    id1/gfx/pop.lmp: the file of the registered version is missing: winquake stops with an error here
             help: add the archives of the registered version
    1 error, 0 warnings, 0 notes for winquake
    -- stderr
    ");
    folder.write("id1/gfx/pop.lmp", "text");
    assert_snapshot!(folder.check("--basedir [DIR] --game mod check"), @"
    exit: 1
    -- stdout
    error    id1/gfx/pop.lmp: this is not the file of the registered version: winquake stops with an error here
             help: remove the file that stands in its place
    1 error, 0 warnings, 0 notes for winquake
    -- stderr
    ");
}

#[test]
fn check_reports_games_and_flags_without_effect() {
    assert_snapshot!(game("--game nomod --game other --quoth --hipnotic check"), @"
    exit: 1
    -- stdout
    error    id1/gfx/pop.lmp: the file of the registered version is missing: winquake stops with an error here
             help: add the archives of the registered version
    warning  -quoth: not used: winquake has no such flag
             help: leave it out, or name another engine
    warning  hipnotic/: there is no such folder
             help: look at its spelling and case
    warning  id1/maps/start.bsp: it is hidden by id1/pak0.pak: entry 4 (maps/start.bsp): archives above loose files
             help: remove the one that is not meant, or change that one
    warning  nomod/: there is no such folder
             help: look at its spelling and case
    warning  other/: not used: winquake takes the first game alone
             help: name one game, or another engine
    1 error, 5 warnings, 0 notes for winquake
    -- stderr
    ");
    assert_snapshot!(check("--basedir nowhere check"), @"
    exit: 2
    -- stdout
    -- stderr
    error: nowhere: no such base directory
      help: name the folder that holds the game directories, not one of them
    ");
}

#[test]
fn check_counts_many_findings_of_one_kind() {
    let folder = Folder::new();
    let names: Vec<_> = (0..30).map(|entry| format!("A{entry}")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), b"".as_slice())).collect();
    folder.write("id1/pak0.pak", archive(&rows));
    let answer = folder.run("--basedir [DIR] check");
    let last: Vec<_> = answer.out().lines().rev().take(2).collect();
    assert_eq!(
        last,
        ["0 errors, 30 warnings, 0 notes for winquake", "and 10 more findings of the kind unlikely-name"]
    );
    let json = folder.run("--basedir [DIR] --json check");
    assert_eq!((json.exit, json.json().len()), (Exit::NotFound, 30), "JSON has all of them");
    assert_eq!(
        json.json()[0],
        json!({
            "type": "finding",
            "severity": "warning",
            "kind": "unlikely-name",
            "place": "id1/pak0.pak: entry 0 (A0)",
            "reason": "winquake serves it under this very name alone, and most games ask in lower case",
            "help": "name it in lower case, with / between the parts",
            "layer": "id1/pak0.pak",
            "entry": 0,
            "name": "A0",
        })
    );
}

#[test]
fn check_escapes_control_bytes() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"\x1b[2J\\\xff", b"1")]));
    assert_snapshot!(folder.check("--basedir [DIR] check"), @r"
    exit: 1
    -- stdout
    warning  id1/pak0.pak: entry 0 (\x1B[2J\\xFF): winquake serves it under this very name alone, and no game asks with a backslash
             help: name it in lower case, with / between the parts
    0 errors, 1 warning, 0 notes for winquake
    -- stderr
    ");
}
