//! `pak remove`.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, brief, image};

fn folder() -> Folder {
    Folder::with_archive(&[
        (b"quake.rc", b"rc"),
        (b"maps/a.bsp", b"aa"),
        (b"maps/b.bsp", b"bb"),
        (b"quake.rc", b"twice"),
    ])
}

#[test]
fn remove_drops_the_entries_that_match() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(brief(folder.check("pak remove [DIR]/a.pak maps/* *.bsp")), @r#"exit 1: error: [DIR]/a.pak: nothing matches "*.bsp"; help: * stops at /: "**/*.bsp" matches in every folder"#);
    assert_eq!(image(&folder), before);
    assert_snapshot!(folder.check("pak remove [DIR]/a.pak maps/*"), @"
    removed   maps/a.bsp
    removed   maps/b.bsp
    [DIR]/a.pak: 2 entries, 407 bytes
    260 bytes are unused; `quakefs pak repack [DIR]/a.pak` reclaims them
    ");
    assert_snapshot!(folder.check("pak list [DIR]/a.pak"), @"
    quake.rc
    quake.rc
    ");
    assert_snapshot!(folder.check("pak remove --json [DIR]/a.pak quake.rc"), @r#"{"type":"written","file":"[DIR]/a.pak","written":true,"entries":0,"before":407,"after":407,"dropped":0,"added":[],"replaced":[],"removed":["quake.rc"],"renamed":[]}"#);
    assert_snapshot!(folder.check("pak list [DIR]/a.pak"), @"exit: 0");
}

#[test]
fn remove_of_a_pattern_without_a_match_changes_nothing() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak remove [DIR]/a.pak QUAKE.RC *.wav"), @r#"
    exit: 1
    ! error: [DIR]/a.pak: nothing matches "QUAKE.RC" +help
    ! error: [DIR]/a.pak: nothing matches "*.wav"
    !   help: `quakefs pak list [DIR]/a.pak` lists the names
    "#);
    assert_snapshot!(brief(folder.check("pak remove [DIR]/a.pak [ ")), @"exit 2: error: [pattern] unclosed character class; missing ']' +help");
    assert_eq!(image(&folder), before);
}

#[test]
fn remove_in_a_dry_run_writes_nothing() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak remove [DIR]/a.pak ** --dry-run"), @"
    remove    maps/a.bsp
    remove    maps/b.bsp
    remove    quake.rc
    [DIR]/a.pak: would have 0 entries; nothing was written
    ");
    assert_snapshot!(folder.check("pak remove --json [DIR]/a.pak maps/a.bsp --dry-run"), @r#"{"type":"written","file":"[DIR]/a.pak","written":false,"entries":3,"before":null,"after":null,"dropped":0,"added":[],"replaced":[],"removed":["maps/a.bsp"],"renamed":[]}"#);
    assert_eq!(image(&folder), before);
}

#[test]
fn remove_refuses_a_file_that_is_not_an_archive() {
    let folder = folder();
    folder.write("text.pak", "just some text");
    assert_snapshot!(brief(folder.check("pak remove [DIR]/text.pak *")), @"exit 2: error: [DIR]/text.pak: [unknown-magic] +help");
    assert_snapshot!(brief(folder.check("pak remove [DIR]/none.pak *")), @"exit 2: error: [DIR]/none.pak: cannot open the archive: No such file or directory (os error 2) +help");
}

/// New rows are written after the end, so a payload that ends past the end would read them.
#[test]
fn remove_refuses_an_archive_with_a_payload_past_its_end() {
    let folder = folder();
    let mut cut = image(&folder);
    let size = 64 * 4;
    // the second row claims a payload that is longer than the file
    let row = cut.len() - size + 64;
    cut[row + 60..row + 64].copy_from_slice(&9999_u32.to_le_bytes());
    folder.write("a.pak", &cut);
    assert_snapshot!(brief(folder.check("pak remove [DIR]/a.pak quake.rc")), @"exit 2: error: [DIR]/a.pak: entry 1 (maps/a.bsp): [entry-outside|outside] +help");
    assert_eq!(image(&folder), cut);
    // without it, no entry would be damaged
    assert_snapshot!(folder.check("pak remove [DIR]/a.pak maps/a.bsp"), @"
    removed   maps/a.bsp
    [DIR]/a.pak: 3 entries, 471 bytes
    258 bytes are unused; `quakefs pak repack [DIR]/a.pak` reclaims them
    ");
}

#[test]
fn remove_prints_how_much_a_repack_reclaims() {
    let folder = folder();
    let answer = folder.run("pak rm [DIR]/a.pak maps/*");
    let said = answer.out().lines().last().unwrap().to_owned();
    let before = image(&folder).len();
    folder.run("pak repack [DIR]/a.pak");
    let back = before - image(&folder).len();
    assert!(back > 0 && said.starts_with(&format!("{back} bytes are unused; ")), "{said} {back}");
    assert!(said.contains("quakefs pak repack "), "{said}");
    assert!(!folder.run("pak rm [DIR]/a.pak quake.rc --dry-run").out().contains("unused"));
}
