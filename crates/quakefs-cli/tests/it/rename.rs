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
fn rename_refuses_missing_taken_and_bad_names() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak maps/start.bsp a")), @"exit 1: error: [DIR]/a.pak: [no-entry] +help");
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
    assert_snapshot!(folder.check("pak rename [DIR]/a.pak quake.rc autoexec.cfg --dry-run"), @"[DIR]/a.pak: would have 3 entries; nothing was written");
    assert_snapshot!(brief(folder.check("pak rename [DIR]/a.pak none autoexec.cfg --dry-run")), @"exit 1: error: [DIR]/a.pak: [no-entry] +help");
    assert_eq!(image(&folder), before);
}
