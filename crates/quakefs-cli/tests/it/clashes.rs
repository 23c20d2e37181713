//! Entries that land on one path, or need a file and a folder of one name.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, archive};

#[test]
fn extract_writes_the_first_of_two_equal_names() {
    let folder = Folder::with_archive(&[(b"a", b"served"), (b"a", b"not")]);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"
    wrote 1 file (6 bytes) to [DIR]/out
    ! warning: [DIR]/a.pak: entry 1 (a): [not-writable]
    ");
    assert_snapshot!(folder.tree("out"), @"a: served");
}

#[test]
fn extract_prefers_the_exact_name_for_a_path() {
    for rows in [[(&b"./a"[..], &b"not"[..]), (b"a", b"served")], [(b"a", b"served"), (b"./a", b"not")]] {
        let folder = Folder::new();
        folder.write("id1/pak0.pak", archive(&rows));
        folder.run("pak extract [DIR]/id1/pak0.pak -o [DIR]/pak");
        folder.run("--basedir [DIR] extract -o [DIR]/game");
        assert_eq!(folder.tree("pak"), "a: served\n");
        assert_eq!(folder.tree("game"), "a: served\n");
        assert_eq!(folder.run("--basedir [DIR] cat a").out(), "served");
    }
    let folder = Folder::with_archive(&[(b"./a", b"not"), (b"a", b"served")]);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"
    wrote 1 file (6 bytes) to [DIR]/out
    ! warning: [DIR]/a.pak: entry 0 (./a): [not-writable]
    ");
}

#[test]
fn extract_reports_a_file_and_a_folder_of_one_name() {
    let folder = Folder::with_archive(&[(b"a", b"1"), (b"a/b", b"2"), (b"c", b"3")]);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"
    exit: 2
    wrote 2 files (2 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/a.pak: entry 1 (a/b): [not-writable]
    ");
    assert_snapshot!(folder.tree("out"), @"
    a: 1
    c: 3
    ");
    folder.write("a.pak", archive(&[(b"a/b", b"1"), (b"a", b"2"), (b"c", b"3")]));
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/other"), @"
    exit: 2
    wrote 2 files (2 bytes) to [DIR]/other; 1 file could not be written
    ! error: [DIR]/a.pak: entry 1 (a): [not-writable]
    ");
    assert_snapshot!(folder.tree("other"), @"
    a/b: 1
    c: 3
    ");
}

#[test]
fn extract_skips_no_entry_for_one_that_is_itself_skipped() {
    let folder = Folder::with_archive(&[(b"a/b/d", b"1"), (b"a/b", b"2"), (b"a/b/c", b"3"), (b"a", b"4")]);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"
    exit: 2
    wrote 2 files (2 bytes) to [DIR]/out; 2 files could not be written
    ! error: [DIR]/a.pak: entry 1 (a/b): [not-writable]
    ! error: [DIR]/a.pak: entry 3 (a): [not-writable]
    ");
    assert_snapshot!(folder.tree("out"), @"
    a/b/c: 3
    a/b/d: 1
    ");
}

#[test]
fn extract_reports_a_folder_with_the_name_of_a_file() {
    let folder = Folder::with_archive(&[(b"a", b"1"), (b"b", b"2")]);
    folder.write("out/a/mine", "mine");
    for option in ["", "--overwrite", "--skip-existing"] {
        folder.run(&format!("pak extract [DIR]/a.pak -o [DIR]/out {option}"));
        assert_eq!(folder.tree("out"), "a/mine: mine\nb: 2\n", "{option}");
    }
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak a -o [DIR]/out"), @"
    exit: 2
    wrote 0 files (0 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/out/a: [folder-there]
    ");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak a -o [DIR]/out --overwrite"), @"
    exit: 2
    wrote 0 files (0 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/out/a: [folder-there]
    ");
}

#[test]
fn extract_reports_a_file_with_the_name_of_a_folder() {
    let folder = Folder::with_archive(&[(b"a/b/c", b"1"), (b"d", b"2")]);
    folder.write("out/a", "mine");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --overwrite"), @"
    exit: 2
    wrote 1 file (1 byte) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/out/a/b/c: [not-a-folder]
    ");
    assert_snapshot!(folder.tree("out"), @"
    a: mine
    d: 2
    ");
}
