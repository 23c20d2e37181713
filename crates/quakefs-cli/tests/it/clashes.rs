//! Entries that land on one path, or need a file and a folder of one name.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, archive};

#[test]
fn extract_writes_one_entry_for_each_path_and_reports_the_others() {
    for (names, exit, tree, not_written) in [
        (&["a", "a"][..], Exit::Done, "a: 0\n", &[1][..]),
        (&["./a", "a"], Exit::Done, "a: 1\n", &[0]),
        (&["a", "a/b", "c"], Exit::Failed, "a: 0\nc: 2\n", &[1]),
        (&["a/b", "a", "c"], Exit::Failed, "a/b: 0\nc: 2\n", &[1]),
        (&["a/b/d", "a/b", "a/b/c", "a"], Exit::Failed, "a/b/c: 2\na/b/d: 0\n", &[1, 3]),
    ] {
        let rows = names.iter().enumerate().map(|(row, name)| (name, row.to_string()));
        let folder = Folder::with([("a.pak", testutils::pack(pak_format::Layout::Quake, rows))]);
        let answer = folder.run("pak extract [DIR]/a.pak -o [DIR]/out");
        assert_eq!((answer.exit, &*folder.tree("out")), (exit, tree), "{names:?}");
        let word = if exit == Exit::Done { "warning" } else { "error" };
        let expected = not_written
            .iter()
            .map(|&row| format!("! {word}: [DIR]/a.pak: entry {row} ({}): [not-writable]", names[row]));
        assert!(folder.redact(&answer.text()).lines().skip_while(|line| !line.starts_with('!')).eq(expected));
    }
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
}

#[test]
fn extract_replaces_no_folder_by_a_file_and_no_file_by_a_folder() {
    let folder = Folder::with_archive(&[(b"a", b"1"), (b"b/c", b"2"), (b"d", b"3")]);
    folder.write("out/a/mine", "mine");
    folder.write("out/b", "mine");
    for option in ["", "--overwrite", "--skip-existing"] {
        folder.run(&format!("pak extract [DIR]/a.pak -o [DIR]/out {option}"));
        assert_eq!(folder.tree("out"), "a/mine: mine\nb: mine\nd: 3\n", "{option}");
    }
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --overwrite"), @"
    exit: 2
    replaced  d
    wrote 1 file (1 byte) to [DIR]/out; replaced 1 file; 2 files could not be written
    ! error: [DIR]/out/a: [folder-there]
    ! error: [DIR]/out/b/c: [not-a-folder]
    ");
}
