//! Where `extract` and `pak extract` write, and what they leave alone.

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
    assert_snapshot!(folder.check("pak extract --json [DIR]/a.pak -o [DIR]/out --skip-existing"), @r#"
    {"type":"extracted","name":"maps/start.bsp","from":"[DIR]/a.pak: entry 0 (maps/start.bsp)","written":false,"size":null,"error":null}
    {"type":"extracted","name":"quake.rc","from":"[DIR]/a.pak: entry 1 (quake.rc)","written":false,"size":null,"error":null}
    {"type":"extracted","name":"sound/a/b.wav","from":"[DIR]/a.pak: entry 2 (sound/a/b.wav)","written":false,"size":null,"error":null}
    "#);
}

#[test]
fn extract_refuses_to_replace_a_file() {
    let folder = folder();
    folder.write("out/quake.rc", "mine");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"
    exit: 2
    wrote 2 files (6 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/out/quake.rc: [already-there]
    !   help: replace such files with --overwrite, or keep them with --skip-existing
    ");
    assert_snapshot!(folder.tree("out"), @"
    maps/start.bsp: new
    quake.rc: mine
    sound/a/b.wav: new
    ");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"
    exit: 2
    wrote 0 files (0 bytes) to [DIR]/out; 3 files could not be written
    ! error: [DIR]/out/maps/start.bsp: [already-there]
    !   help: replace such files with --overwrite, or keep them with --skip-existing
    ! error: [DIR]/out/quake.rc: [already-there]
    ! error: [DIR]/out/sound/a/b.wav: [already-there]
    ");
}

#[test]
fn extract_with_skip_existing_leaves_a_file() {
    let folder = folder();
    folder.write("out/quake.rc", "mine");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --skip-existing"), @"wrote 2 files (6 bytes) to [DIR]/out; 1 file was there already");
    assert_snapshot!(folder.tree("out"), @"
    maps/start.bsp: new
    quake.rc: mine
    sound/a/b.wav: new
    ");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --skip-existing"), @"wrote 0 files (0 bytes) to [DIR]/out; 3 files were there already");
}

#[test]
fn extract_with_overwrite_replaces_a_file() {
    let folder = folder();
    folder.write("out/quake.rc", "mine");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --overwrite"), @"wrote 3 files (9 bytes) to [DIR]/out");
    assert_snapshot!(folder.tree("out"), @"
    maps/start.bsp: new
    quake.rc: new
    sound/a/b.wav: new
    ");
}

#[test]
#[cfg_attr(windows, ignore = "Windows gives another reason")]
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

#[test]
fn extract_writes_thousands_of_files() {
    let names: Vec<_> = (0..500).map(|number| format!("{:02}/{number}", number % 20)).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), name.as_bytes())).collect();
    let folder = Folder::with_archive(&rows);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"wrote 500 files (2 890 bytes) to [DIR]/out");
    assert!(names.iter().all(|name| fs::read(folder.join("out").join(name)).unwrap() == name.as_bytes()));
    assert_eq!(folder.tree("out").lines().count(), 500);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn extract_never_writes_through_a_link() {
        let folder = folder();
        folder.write("precious", "mine");
        folder.write("out/keep", "");
        symlink(folder.join("precious"), folder.join("out/quake.rc")).unwrap();
        assert_snapshot!(folder.check("pak extract [DIR]/a.pak quake.rc -o [DIR]/out"), @"
        exit: 2
        wrote 0 files (0 bytes) to [DIR]/out; 1 file could not be written
        ! error: [DIR]/out/quake.rc: [already-there]
        !   help: replace such files with --overwrite, or keep them with --skip-existing
        ");
        assert_eq!(folder.tree("out"), "keep: \nquake.rc -> [DIR]/precious\n");
        assert_snapshot!(folder.check("pak extract [DIR]/a.pak quake.rc -o [DIR]/out --skip-existing"), @"wrote 0 files (0 bytes) to [DIR]/out; 1 file was there already");
        assert_eq!(folder.tree("out"), "keep: \nquake.rc -> [DIR]/precious\n");
        assert_snapshot!(folder.check("pak extract [DIR]/a.pak quake.rc -o [DIR]/out --overwrite"), @"wrote 1 file (3 bytes) to [DIR]/out");
        assert_eq!(folder.tree("out"), "keep: \nquake.rc: new\n");
        assert_eq!(fs::read(folder.join("precious")).unwrap(), b"mine");
    }

    #[test]
    fn extract_never_writes_through_a_broken_link() {
        let folder = folder();
        folder.write("out/keep", "");
        symlink(folder.join("nowhere"), folder.join("out/quake.rc")).unwrap();
        for option in ["", "--skip-existing"] {
            folder.run(&format!("pak extract [DIR]/a.pak quake.rc -o [DIR]/out {option}"));
            assert_eq!(folder.tree("out"), "keep: \nquake.rc -> [DIR]/nowhere\n");
        }
        folder.run("pak extract [DIR]/a.pak quake.rc -o [DIR]/out --overwrite");
        assert_eq!(folder.tree("out"), "keep: \nquake.rc: new\n");
        assert!(!folder.join("nowhere").exists());
    }

    #[test]
    fn extract_follows_no_link_below_its_folder() {
        let folder = folder();
        folder.write("elsewhere/mine", "mine");
        folder.write("out/sound/mine", "mine");
        symlink(folder.join("elsewhere"), folder.join("out/maps")).unwrap();
        symlink(folder.join("elsewhere"), folder.join("out/sound/a")).unwrap();
        for option in ["", "--skip-existing", "--overwrite"] {
            folder.run(&format!("pak extract [DIR]/a.pak -o [DIR]/out {option}"));
            assert_eq!(folder.tree("elsewhere"), "mine: mine\n", "{option}");
        }
        assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out --overwrite"), @"
        exit: 2
        wrote 1 file (3 bytes) to [DIR]/out; 2 files could not be written
        ! error: [DIR]/out/maps/start.bsp: [link-in-the-way]
        ! error: [DIR]/out/sound/a/b.wav: [link-in-the-way]
        ");
        assert_snapshot!(folder.tree("out"), @"
        maps -> [DIR]/elsewhere
        quake.rc: new
        sound/a -> [DIR]/elsewhere
        sound/mine: mine
        ");
    }

    #[test]
    fn extract_may_write_to_a_linked_folder() {
        let folder = folder();
        fs::create_dir(folder.join("real")).unwrap();
        symlink("real", folder.join("out")).unwrap();
        assert_snapshot!(folder.check("pak extract [DIR]/a.pak quake.rc -o [DIR]/out"), @"wrote 1 file (3 bytes) to [DIR]/out");
        assert_snapshot!(folder.tree("real"), @"quake.rc: new");
    }

    #[test]
    fn extracted_files_have_the_mode_of_any_new_file() {
        let folder = folder();
        folder.run("pak extract [DIR]/a.pak -o [DIR]/out");
        // the umask is the process's own: a file made beside has it too
        folder.write("beside", "");
        let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode();
        assert_eq!(mode("out/quake.rc"), mode("beside"));
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
