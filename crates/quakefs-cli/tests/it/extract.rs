//! The files that `extract` and `pak extract` write, and the ones that they do not touch.

use std::fs;

use insta::assert_snapshot;
use testutils::Folder;

#[cfg(unix)]
use crate::unprivileged;
use crate::{Commands as _, brief};

fn folder() -> Folder {
    Folder::with_archive(&[(b"maps/start.bsp", b"new"), (b"quake.rc", b"new"), (b"sound/a/b.wav", b"new")])
}

#[test]
fn extract_makes_folders() {
    let folder = folder();
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/deep/er/out"), @"wrote 3 files (9 bytes) to [DIR]/deep/er/out");
    assert_snapshot!(folder.tree("deep"), @"
    er/out/maps/start.bsp: new
    er/out/quake.rc: new
    er/out/sound/a/b.wav: new
    ");
}

#[test]
fn extract_of_a_pattern_writes_the_entries_that_match() {
    let folder = folder();
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak **/*.wav -o [DIR]/out"), @"wrote 1 file (3 bytes) to [DIR]/out");
    assert_snapshot!(folder.tree("out"), @"sound/a/b.wav: new");
    assert_snapshot!(brief(folder.check("pak extract [DIR]/a.pak *.wav -o [DIR]/nothing")), @r#"exit 1: error: [DIR]/a.pak: nothing matches "*.wav"; help: * stops at /: "**/*.wav" matches in every folder"#);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak maps -o [DIR]/maps"), @"wrote 1 file (3 bytes) to [DIR]/maps");
    assert!(!folder.join("nothing").exists());
}

#[test]
fn extract_writes_files_without_their_folders() {
    let folder =
        Folder::with_archive(&[(b"maps/a.txt", b"first"), (b"a.txt", b"second"), (b"sound/b.wav", b"w")]);
    assert_snapshot!(folder.check("pak extract -j [DIR]/a.pak -o [DIR]/out"), @"
    wrote 2 files (7 bytes) to [DIR]/out
    ! warning: [DIR]/a.pak: entry 0 (maps/a.txt): [not-writable]
    ");
    assert_snapshot!(folder.tree("out"), @"
    a.txt: second
    b.wav: w
    ");
}

#[test]
fn extract_prints_json() {
    let folder = folder();
    folder.write("out/quake.rc", "mine");
    assert_snapshot!(folder.check("pak extract --json [DIR]/a.pak -o [DIR]/out"), @r#"
    exit: 2
    {"type":"extracted","name":"maps/start.bsp","from":"[DIR]/a.pak: entry 0 (maps/start.bsp)","written":true,"size":3,"error":null}
    {"type":"extracted","name":"quake.rc","from":"[DIR]/a.pak: entry 1 (quake.rc)","written":false,"size":null,"error":"[DIR]/out/quake.rc: [already-there]"}
    {"type":"extracted","name":"sound/a/b.wav","from":"[DIR]/a.pak: entry 2 (sound/a/b.wav)","written":true,"size":3,"error":null}
    ! error: [DIR]/out/quake.rc: [already-there]
    !   help: replace such files with --overwrite, or keep them with --skip-existing
    "#);
    let kept = folder.run("pak extract --json [DIR]/a.pak -o [DIR]/out --skip-existing").json();
    assert!(kept.iter().all(|line| line["written"] == false && line["error"].is_null()), "{kept:?}");
    assert_eq!(kept.len(), 3);
}

#[test]
fn extract_refuses_keeps_or_replaces_a_file_that_is_there() {
    let extract = |option: &str| {
        let folder = folder();
        folder.write("out/quake.rc", "mine");
        let answer = folder.check(&format!("pak extract [DIR]/a.pak -o [DIR]/out {option}"));
        let content = fs::read_to_string(folder.join("out/quake.rc")).unwrap();
        format!("{answer}{content}, of {} files", folder.tree("out").lines().count())
    };
    assert_snapshot!(extract(""), @"
    exit: 2
    wrote 2 files (6 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/out/quake.rc: [already-there]
    !   help: replace such files with --overwrite, or keep them with --skip-existing
    mine, of 3 files
    ");
    assert_snapshot!(extract("--skip-existing"), @"
    wrote 2 files (6 bytes) to [DIR]/out; 1 file was there already
    mine, of 3 files
    ");
    assert_snapshot!(extract("--overwrite"), @"
    replaced  quake.rc
    wrote 3 files (9 bytes) to [DIR]/out; replaced 1 file
    new, of 3 files
    ");
}

#[test]
#[cfg_attr(windows, ignore = "Windows reports another reason")]
fn extract_to_a_file_is_refused() {
    let folder = folder();
    folder.write("out", "mine");
    assert_snapshot!(brief(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --overwrite")), @"exit 2: error: [DIR]/out: cannot create the folder: File exists (os error 17); help: name another folder with -o");
    assert_snapshot!(brief(folder.check("pak extract [DIR]/a.pak -o [DIR]/out/in")), @"exit 2: error: [DIR]/out/in: cannot create the folder: Not a directory (os error 20); help: name another folder with -o");
    assert_eq!(folder.tree("").lines().last(), Some("out: mine"));
}

#[test]
fn extract_of_an_empty_archive_makes_the_folder() {
    let folder = Folder::with_archive(&[]);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"wrote 0 files (0 bytes) to [DIR]/out");
    assert_snapshot!(folder.tree("out"), @"./ is empty");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn extract_never_writes_through_a_link() {
        let folder = folder();
        folder.write("precious", "mine");
        folder.write("elsewhere/mine", "mine");
        folder.write("out/keep", "");
        symlink(folder.join("precious"), folder.join("out/quake.rc")).unwrap();
        symlink(folder.join("elsewhere"), folder.join("out/maps")).unwrap();
        for option in ["", "--skip-existing"] {
            folder.run(&format!("pak extract [DIR]/a.pak quake.rc maps -o [DIR]/out {option}"));
            assert_eq!(folder.tree("out"), "keep: \nmaps -> [DIR]/elsewhere\nquake.rc -> [DIR]/precious\n");
        }
        assert_snapshot!(folder.check("pak extract [DIR]/a.pak quake.rc maps -o [DIR]/out --overwrite"), @"
        exit: 2
        replaced  quake.rc
        wrote 1 file (3 bytes) to [DIR]/out; replaced 1 file; 1 file could not be written
        ! error: [DIR]/out/maps/start.bsp: [link-in-the-way]
        ");
        assert_eq!(folder.tree("out"), "keep: \nmaps -> [DIR]/elsewhere\nquake.rc: new\n");
        assert_eq!(folder.tree("elsewhere"), "mine: mine\n");
        assert_eq!(fs::read(folder.join("precious")).unwrap(), b"mine");
    }

    #[test]
    fn extract_reports_a_folder_that_cannot_be_written_to() {
        let folder = folder();
        folder.write("out/maps/mine", "mine");
        let mode = |name: &str, mode| {
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).unwrap();
        };
        mode("", 0o755);
        mode("out", 0o777);
        mode("out/maps", 0o555);
        let mut command = unprivileged(folder.path().as_std_path());
        command.args(["pak", "extract", "a.pak", "-o", "out"]).current_dir(folder.path());
        let answer = command.output().unwrap();
        assert_eq!(answer.status.code(), Some(2));
        assert_snapshot!(String::from_utf8(answer.stdout).unwrap(), @"wrote 2 files (6 bytes) to out; 1 file could not be written");
        assert_snapshot!(String::from_utf8(answer.stderr).unwrap(), @"error: out/maps/start.bsp: not written: Permission denied (os error 13)");
        mode("out/maps", 0o755);
    }
}

#[test]
fn an_archive_that_is_being_extracted_is_not_replaced() {
    let folder = Folder::with_archive(&[(b"a.pak", b"another file"), (b"b", b"1")]);
    let before = fs::read(folder.join("a.pak")).unwrap();
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR] --overwrite"), @"
    exit: 2
    wrote 1 file (1 byte) to [DIR]; 1 file could not be written
    ! error: [DIR]/a.pak: [source-archive]
    ");
    assert_eq!(fs::read(folder.join("a.pak")).unwrap(), before);
}
