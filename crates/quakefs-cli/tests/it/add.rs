//! `pak add`: adding files, and errors.

use std::fs;

use insta::assert_snapshot;
use pak_format::Layout;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, brief, image};

fn folder() -> Folder {
    let folder = Folder::with_archive(&[(b"quake.rc", b"old"), (b"maps/start.bsp", b"level")]);
    folder.write("mod/quake.rc", "new");
    folder.write("mod/maps/e1m1.bsp", "another");
    folder
}

#[test]
fn add_accepts_files_and_folders() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR]/mod maps"), @"
    added     maps/e1m1.bsp
    [DIR]/a.pak: 3 entries, 347 bytes
    ");
    assert_snapshot!(folder.check("pak list [DIR]/a.pak"), @"
    quake.rc
    maps/start.bsp
    maps/e1m1.bsp
    ");
    // the old payloads do not move
    assert_eq!(image(&folder)[12..before.len()], before[12..]);
}

#[test]
fn add_replaces_an_entry_only_with_replace() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -C [DIR]/mod .")), @"exit 2: error: [DIR]/a.pak: entry 3 (quake.rc): [duplicate]; help: […], or replace the entry with --overwrite");
    assert_eq!(image(&folder), before);
    assert_snapshot!(folder.check("pak add --json [DIR]/a.pak -C [DIR]/mod . --overwrite"), @r#"{"type":"written","file":"[DIR]/a.pak","written":true,"entries":3,"before":148,"after":350,"dropped":0,"added":["maps/e1m1.bsp"],"replaced":["quake.rc"],"removed":[],"renamed":[]}"#);
    assert_snapshot!(folder.check("pak list [DIR]/a.pak"), @"
    quake.rc
    maps/start.bsp
    maps/e1m1.bsp
    ");
    assert_snapshot!(folder.check("pak cat [DIR]/a.pak quake.rc"), @"new[no line end]");
}

#[test]
fn add_warns_of_a_level_where_no_engine_looks() {
    let folder = folder();
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR]/mod/maps e1m1.bsp"), @"
    added     e1m1.bsp
    [DIR]/a.pak: 3 entries, 347 bytes
    ! warning: e1m1.bsp has no folder: engines look for levels in maps/
    !   help: `quakefs pak add` names it with --as maps/e1m1.bsp
    ");
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR]/mod/maps e1m1.bsp --as maps/e1m1.bsp"), @"
    added     maps/e1m1.bsp
    [DIR]/a.pak: 4 entries, 610 bytes
    ");
}

#[test]
fn add_as_names_the_entry() {
    let folder = folder();
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR]/mod quake.rc --as autoexec.cfg"), @"
    added     autoexec.cfg
    [DIR]/a.pak: 3 entries, 343 bytes
    ");
    assert_snapshot!(folder.check("pak cat [DIR]/a.pak autoexec.cfg"), @"new[no line end]");
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -C [DIR]/mod . --as two")), @"exit 2: error: --as names one file, but there are 2; help: leave out --as, or name one file");
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -C [DIR]/mod quake.rc --as ../out")), @"exit 2: error: [DIR]/a.pak: entry 3 (../out): [name] +help");
}

#[test]
fn add_of_a_missing_file_tells_what_to_check() {
    let folder = folder();
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -C [DIR]/mod nope.cfg")), @"exit 2: error: [DIR]/mod/nope.cfg: No such file or directory (os error 2) +help");
}

#[test]
fn add_to_a_missing_archive_names_the_command_that_makes_one() {
    let folder = folder();
    let answer = folder.run("pak add [DIR]/none.pak -C [DIR]/mod quake.rc");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("none.pak: no such archive to add to"), "{}", answer.err());
    assert!(answer.err().contains("quakefs pak create "), "{}", answer.err());
    assert!(!folder.join("none.pak").exists());
}

#[test]
fn add_of_standard_input_needs_a_name() {
    let folder = folder();
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -")), @"exit 2: error: - reads one file from standard input; help: name it with --as NAME");
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak - other --as x")), @"exit 2: error: - reads one file from standard input; help: name it with --as NAME");
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn add_reports_every_wrong_file_and_writes_nothing() {
    let folder = folder();
    let before = image(&folder);
    folder.write("mod/aux", "");
    folder.write(&format!("mod/{}", "n".repeat(56)), "");
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR]/mod . maps/e1m1.bsp"), @"
    exit: 2
    ! error: [DIR]/a.pak: entry 2 (aux): [name] +help
    ! error: [DIR]/a.pak: entry 3 (nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn): [name]
    ! error: [DIR]/a.pak: entry 3 (quake.rc): [duplicate]
    !   help: […], or replace the entry with --overwrite
    ! error: [DIR]/a.pak: entry 3 (maps/e1m1.bsp): [duplicate]
    ! error: nothing was written
    ");
    assert_eq!(image(&folder), before);
}

#[test]
fn add_refuses_the_archive_itself() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -C [DIR] a.pak")), @"exit 2: error: [DIR]/a.pak: it is the archive itself +help");
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR] . --dry-run"), @"
    exit: 0
                7  mod/maps/e1m1.bsp
                3  mod/quake.rc
    dry run: 2 files would be written
    ! warning: all files are inside an extra folder mod/: an [archive-case wrong-case] not for mod/maps/e1m1.bsp
    !   help: name it without that folder: -C [DIR]/mod .
    ");
    assert_eq!(image(&folder), before);
}

#[test]
fn add_in_a_dry_run_writes_nothing() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak add [DIR]/a.pak -C [DIR]/mod maps --dry-run"), @"
    exit: 0
                7  maps/e1m1.bsp
    dry run: 1 file would be written
    ");
    assert_snapshot!(brief(folder.check("pak add [DIR]/a.pak -C [DIR]/mod . --dry-run")), @"exit 2: error: [DIR]/a.pak: entry 3 (quake.rc): [duplicate]; help: […], or replace the entry with --overwrite");
    assert_eq!(image(&folder), before);
}

#[test]
fn add_refuses_a_file_that_is_not_an_archive() {
    let folder = folder();
    folder.write("text.pak", "just some text");
    folder.write("short.pak", "PACK");
    folder.write("cut.pak", &image(&folder)[..60]);
    for name in ["text", "short", "cut"] {
        let before = fs::read(folder.join(&format!("{name}.pak"))).unwrap();
        let text = folder.check(&format!("pak add [DIR]/{name}.pak -C [DIR]/mod maps"));
        assert!(text.starts_with("exit: 2\n"), "{text}");
        assert_eq!(fs::read(folder.join(&format!("{name}.pak"))).unwrap(), before);
    }
    assert_snapshot!(brief(folder.check("pak add [DIR]/text.pak -C [DIR]/mod maps")), @"exit 2: error: [DIR]/text.pak: [unknown-magic] +help");
    assert_snapshot!(brief(folder.check("pak add [DIR]/cut.pak -C [DIR]/mod maps")), @"exit 2: error: [DIR]/cut.pak: [directory-outside] +help");
    assert_snapshot!(brief(folder.check("pak add [DIR]/none.pak -C [DIR]/mod maps")), @"exit 2: error: [DIR]/none.pak: no such archive to add to; help: `quakefs pak create [DIR]/none.pak` with the same files makes it");
    assert_snapshot!(brief(folder.check("pak add [DIR]/mod -C [DIR]/mod maps")), @"exit 2: error: [DIR]/mod: cannot open the archive: it is a folder; help: check the disk and the path");
}

#[test]
fn add_reads_an_archive_in_the_named_layout() {
    let folder = folder();
    let empty = pak_format::Builder::new(Layout::Daikatana).finish().unwrap();
    folder.write("empty.pak", empty);
    assert_snapshot!(folder.check("pak add [DIR]/empty.pak -C [DIR]/mod maps --layout daikatana"), @"
    added     maps/e1m1.bsp
    [DIR]/empty.pak: 1 entry, 91 bytes
    ");
    assert_eq!(folder.run("pak list [DIR]/empty.pak --layout daikatana").out(), "maps/e1m1.bsp\n");
    assert_snapshot!(brief(folder.check("pak add [DIR]/empty.pak -C [DIR]/mod quake.rc --layout sin")), @r#"exit 2: error: [DIR]/empty.pak: the archive does not have the sin layout: expected the magic SPAK, found "PACK" +help"#);
}

#[cfg(unix)]
#[test]
fn add_keeps_the_mode_and_the_link() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    for line in [
        "add [FILE] -C [DIR]/mod maps",
        "remove [FILE] *.rc",
        "rename [FILE] quake.rc q.rc",
        "repack [FILE]",
        "create [FILE] --overwrite -C [DIR]/mod maps",
    ] {
        let folder = folder();
        fs::create_dir(folder.join("real")).unwrap();
        fs::rename(folder.join("a.pak"), folder.join("real/b.pak")).unwrap();
        fs::set_permissions(folder.join("real/b.pak"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real/b.pak", folder.join("a.pak")).unwrap();
        let answer = folder.run(&format!("pak {line}").replace("[FILE]", "[DIR]/a.pak"));
        assert_eq!(answer.err(), "", "{line}");
        assert!(folder.join("a.pak").is_symlink(), "{line}");
        let mode = fs::metadata(folder.join("real/b.pak")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{line}");
        assert_eq!(folder.join("real").read_dir_utf8().unwrap().count(), 1, "{line}");
    }
}

#[test]
fn a_replacement_without_effect_is_reported_with_similar_names() {
    let folder = Folder::with_archive(&[(b"autoexec.cfg", b"1"), (b"progs.dat", b"1")]);
    folder.write("edit/autoexec.cfg", "2");
    folder.write("edit/progs.dat", "2");
    let add = |line: &str| folder.check(&format!("pak add [DIR]/a.pak {line}"));
    assert_snapshot!(add("-C [DIR] edit/autoexec.cfg --overwrite"), @"
    added     edit/autoexec.cfg
    [DIR]/a.pak: 3 entries, 335 bytes
    ! warning: [DIR]/a.pak: edit/autoexec.cfg: it replaces nothing: no entry has that name
    !   help: there is autoexec.cfg: name the file with --as, or use -C for the folder that names are relative to
    ");
    assert_snapshot!(add("-C [DIR]/edit autoexec.cfg progs.dat --overwrite"), @"
    replaced  autoexec.cfg
    replaced  progs.dat
    [DIR]/a.pak: 3 entries, 529 bytes
    ");
    folder.write("edit/new.cfg", "2");
    assert_snapshot!(add("-C [DIR]/edit new.cfg --overwrite --json"), @r#"
    {"type":"written","file":"[DIR]/a.pak","written":true,"entries":4,"before":529,"after":786,"dropped":0,"added":["new.cfg"],"replaced":[],"removed":[],"renamed":[]}
    ! warning: [DIR]/a.pak: new.cfg: it replaces nothing: no entry has that name
    "#);
}

#[test]
fn files_one_folder_too_deep_are_warned_of() {
    let folder = Folder::with_archive(&[(b"a.cfg", b"bind")]);
    folder.write("mod/progs/ogre.mdl", "IDPO");
    let add = |line: &str| crate::run_in(&folder, line).2;
    let said = add("pak add a.pak mod/progs/ogre.mdl");
    assert!(said.contains("an engine looks for progs/ogre.mdl, not for mod/progs/ogre.mdl"), "{said}");
    assert_eq!(add("pak add --overwrite a.pak mod/progs/ogre.mdl"), "");
    assert_eq!(add("pak add a.pak -C mod progs/ogre.mdl"), "");
}
