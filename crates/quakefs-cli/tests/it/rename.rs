//! `pak rename`.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, brief, image};

fn folder() -> Folder {
    Folder::with_archive(&[(b"quake.rc", b"rc"), (b"maps/START.BSP", b"level"), (b"caf\xe9", b"bytes")])
}

#[test]
fn rename_changes_the_name_of_an_entry() {
    let folder = folder();
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak maps/START.BSP maps/start.bsp"), @"
    renamed   maps/start.bsp
    [DIR]/a.pak: 3 entries, 408 bytes
    ");
    assert_snapshot!(folder.check(r"pak rename --json [DIR]/a.pak caf\xE9 cafe"), @r#"{"type":"written","file":"[DIR]/a.pak","written":true,"entries":3,"before":408,"after":600,"dropped":0,"added":[],"replaced":[],"removed":[],"renamed":["cafe"]}"#);
    assert_snapshot!(folder.check("pak list [DIR]/a.pak"), @"
    quake.rc
    maps/start.bsp
    cafe
    ");
    assert_snapshot!(folder.check("pak cat [DIR]/a.pak cafe"), @"bytes[no line end]");
}

#[test]
fn rename_moves_a_folder_and_all_names_that_match_a_pattern() {
    let folder = Folder::with_archive(&[
        (b"maps/a.bsp", b"1"),
        (b"maps/b.BSP", b"2"),
        (b"mapsource/c.map", b"3"),
        (b"d.bsp", b"4"),
    ]);
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak maps/*.BSP maps/*.bsp"), @"
    renamed   maps/b.bsp
    [DIR]/a.pak: 4 entries, 528 bytes
    ");
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak maps/ levels"), @"
    renamed   levels/a.bsp
    renamed   levels/b.bsp
    [DIR]/a.pak: 4 entries, 784 bytes
    ");
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak *.bsp levels/"), @"
    renamed   levels/d.bsp
    [DIR]/a.pak: 4 entries, 1 040 bytes
    ");
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak **/*.bsp *.**"), @"
    renamed   levels.a
    renamed   levels.b
    renamed   levels.d
    [DIR]/a.pak: 4 entries, 1 296 bytes
    ");
    assert_snapshot!(folder.check("pak list [DIR]/a.pak"), @"
    levels.a
    levels.b
    mapsource/c.map
    levels.d
    ");
    let before = image(&folder);
    for line in ["levels/*.bsp one", "levels/* a/*/*", "none/*.bsp a/*.bsp", "levels/*.bsp levels/x"] {
        let answer = folder.run(&format!("pak rename [DIR]/a.pak {line}"));
        assert_ne!(answer.exit as i32, 0, "{line}: {}", answer.out());
    }
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak levels/* a/*/*"), @r#"
    exit: 2
    ! error: the new name has 2 *, and the old one 1
    !   help: write each * of the old name in the new one, or a folder: "maps/*.BSP" "maps/*.bsp"
    "#);
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak none/*.bsp a/*.bsp"), @r#"
    exit: 1
    ! error: [DIR]/a.pak: nothing matches "none/*.bsp"
    !   help: `quakefs pak list [DIR]/a.pak` lists the names
    "#);
    assert_eq!(image(&folder), before);
}

#[test]
fn rename_refuses_missing_taken_and_bad_names() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak maps/start.bsp a")), @r#"exit 1: error: [DIR]/a.pak: nothing matches "maps/start.bsp" +help"#);
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak quake.rc maps/START.BSP")), @"exit 2: error: [DIR]/a.pak: entry 0 (maps/START.BSP): [duplicate] +help");
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak quake.rc ../quake.rc")), @"exit 2: error: [DIR]/a.pak: entry 0 (../quake.rc): [name] +help");
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak quake.rc con.cfg")), @"exit 2: error: [DIR]/a.pak: entry 0 (con.cfg): [name] +help");
    assert_snapshot!(brief(folder.check(&format!("pak rename [DIR]/a.pak quake.rc {}", "n".repeat(56)))), @"exit 2: error: [DIR]/a.pak: entry 0 (nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn): [name] +help");
    assert_snapshot!(brief(folder.check("pak rename [DIR]/none.pak a b")), @"exit 2: error: [DIR]/none.pak: cannot open the archive: No such file or directory (os error 2) +help");
    assert_eq!(image(&folder), before);
}

#[test]
fn rename_in_a_dry_run_writes_nothing() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak quake.rc autoexec.cfg --dry-run"), @"
    rename    autoexec.cfg
    [DIR]/a.pak: would have 3 entries; nothing was written
    ");
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak none autoexec.cfg --dry-run")), @r#"exit 1: error: [DIR]/a.pak: nothing matches "none"; help: `quakefs pak list [DIR]/a.pak` lists the names"#);
    assert_eq!(image(&folder), before);
}
