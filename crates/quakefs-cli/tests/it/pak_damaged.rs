//! The `pak` commands with a damaged archive, or with a file that is not an archive.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, brief, check, corpus, run};

#[test]
fn pak_refuses_a_file_that_is_not_an_archive() {
    assert_snapshot!(brief(check("pak list [PAK]/nope.pak")), @"exit 2: error: [PAK]/nope.pak: open failed: No such file or directory (os error 2) +help");
    assert_snapshot!(brief(check("pak list [GAME]/id1/maps")), @"exit 1: error: [GAME]/id1/maps: this folder contains no archive; help: archives are known by their extensions: .pak, .pk2, .pk3, .pk4, .pkz, .sin, .zip, .kpf, .wad");
    assert_snapshot!(brief(check("pak list [PAK]/malformed/header-0-bytes.pak")), @"exit 2: error: [PAK]/malformed/header-0-bytes.pak: [short-header] +help");
    assert_snapshot!(brief(check("pak list [PAK]/malformed/header-11-bytes.pak")), @"exit 2: error: [PAK]/malformed/header-11-bytes.pak: [short-header] +help");
    assert_snapshot!(brief(check("pak list [PAK]/malformed/magic-of-a-zip.pak")), @"exit 2: error: [PAK]/malformed/magic-of-a-zip.pak: [zip] it has no end record +help");
    assert_snapshot!(brief(check("pak info [GAME]/mymod/notes.pak")), @"exit 2: error: [GAME]/mymod/notes.pak: [unknown-magic] +help");
    assert_snapshot!(brief(check("pak list --json [GAME]/mymod/notes.pak")), @"exit 2: error: [GAME]/mymod/notes.pak: [unknown-magic] +help");
}

#[cfg(unix)]
#[test]
fn pak_refuses_anything_except_a_regular_file() {
    assert_snapshot!(brief(check("pak list /dev/null")), @"exit 2: error: /dev/null: open failed: [engine-stops|not-a-file]");
}

#[cfg(unix)]
#[testneeds::program("mkfifo")]
#[test]
fn pak_refuses_a_named_pipe() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe.pak")).status();
    assert!(made.unwrap().success());
    assert_snapshot!(brief(folder.check("pak list [DIR]/pipe.pak")), @"exit 2: error: [DIR]/pipe.pak: open failed: [engine-stops|not-a-file]");
}

#[test]
fn pak_refuses_a_damaged_directory() {
    assert_snapshot!(brief(check("pak list [PAK]/malformed/directory-ends-past-end.pak")), @"exit 2: error: [PAK]/malformed/directory-ends-past-end.pak: [directory-outside] +help");
    assert_snapshot!(brief(check("pak list [PAK]/malformed/directory-in-header.pak")), @"exit 2: error: [PAK]/malformed/directory-in-header.pak: [directory-in-header] +help");
    assert_snapshot!(brief(check("pak list [PAK]/malformed/rows-neither-64-nor-72.pak")), @"exit 2: error: [PAK]/malformed/rows-neither-64-nor-72.pak: [partial-row] +help");
    assert_snapshot!(brief(check("pak list --layout quake [PAK]/malformed/rows-neither-64-nor-72.pak")), @"exit 2: error: [PAK]/malformed/rows-neither-64-nor-72.pak: [partial-row] +help");
    assert_snapshot!(brief(check("pak list [PAK]/malformed/rows-ragged-sin.pak")), @"exit 2: error: [PAK]/malformed/rows-ragged-sin.pak: the directory ends inside a row: expected a multiple of 128, found 192 bytes +help");
}

#[test]
fn a_damaged_entry_is_listed_and_reported() {
    assert_snapshot!(check("pak list [PAK]/malformed/payload-past-end-by-one.pak"), @"
    a
    b
    c
    ! warning: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    ");
    assert_snapshot!(check("pak list --json [PAK]/malformed/payload-past-end-by-one.pak"), @r#"
    {"type":"entry","entry":0,"name":"a","offset":12,"size":3,"stored_size":3,"compressed":false,"content_type":"other"}
    {"type":"entry","entry":1,"name":"b","offset":204,"size":4,"stored_size":4,"compressed":false,"content_type":"other"}
    {"type":"entry","entry":2,"name":"c","offset":204,"size":3,"stored_size":3,"compressed":false,"content_type":"other"}
    ! warning: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    "#);
    let info = check("pak info [PAK]/malformed/payload-past-end-by-one.pak");
    assert!(info.contains("\nproblems   1\n") && info.contains("\n! warning: "), "{info}");
    assert_snapshot!(brief(check("pak cat [PAK]/malformed/payload-past-end-by-one.pak b")), @"exit 2: error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help");
    assert_snapshot!(check("pak cat [PAK]/malformed/payload-past-end-by-one.pak a"), @"abc[no line end]");
}

#[test]
fn a_damaged_entry_costs_only_itself() {
    let folder = Folder::new();
    assert_snapshot!(folder.check("pak extract [PAK]/malformed/payload-past-end-by-one.pak -o [DIR]/out"), @"
    exit: 2
    wrote 2 files (6 bytes) to [DIR]/out; 1 file could not be written
    ! error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    ");
    assert_snapshot!(folder.tree("out"), @r"
    a: abc
    c: \x00\x00\x00
    ");
    assert_snapshot!(folder.check("pak extract [PAK]/malformed/codec-control-254.pak -o [DIR]/codec"), @"
    exit: 2
    wrote 1 file (3 bytes) to [DIR]/codec; 1 file could not be written
    ! error: [PAK]/malformed/codec-control-254.pak: entry 0 (packed.tga): the compressed payload is damaged: the control byte 254 is not assigned, at byte 3 of the stream, after 2 bytes of output +help
    ");
    assert_snapshot!(folder.tree("codec"), @"whole.txt: abc");
}

#[test]
fn a_damaged_entry_replaces_nothing() {
    let folder = Folder::new();
    folder.write("out/b", "mine");
    folder.run("pak extract [PAK]/malformed/payload-past-end-by-one.pak -o [DIR]/out --overwrite");
    assert_eq!(folder.tree("out"), "a: abc\nb: mine\nc: \\x00\\x00\\x00\n");
}

#[test]
fn a_damaged_entry_that_claims_4_gib_costs_only_itself() {
    let folder = Folder::new();
    assert_snapshot!(folder.check("pak extract [PAK]/malformed/codec-expansion-4-gib.pak -o [DIR]/out"), @"
    exit: 2
    wrote 1 file (3 bytes) to [DIR]/out; 1 file could not be written
    ! error: [PAK]/malformed/codec-expansion-4-gib.pak: entry 0 (packed.tga): [expansion] +help
    ");
    assert_snapshot!(folder.tree("out"), @"whole.txt: abc");
    assert_snapshot!(folder.check("--mount [PAK]/malformed/codec-expansion-4-gib.pak extract -o [DIR]/game"), @"
    exit: 2
    wrote 1 file (3 bytes) to [DIR]/game; 1 file could not be written
    ! error: [PAK]/malformed/codec-expansion-4-gib.pak: entry 0 (packed.tga): [expansion] +help
    ");
    assert_snapshot!(folder.tree("game"), @"whole.txt: abc");
}

#[test]
fn a_damaged_payload_writes_nothing() {
    assert_snapshot!(brief(check("pak cat [PAK]/malformed/codec-control-254.pak packed.tga")), @"exit 2: error: [PAK]/malformed/codec-control-254.pak: entry 0 (packed.tga): the compressed payload is damaged: the control byte 254 is not assigned, at byte 3 of the stream, after 2 bytes of output +help");
}

/// Whatever the defect, the command does not panic, names the file with advice, and writes nothing outside
/// the folder.
#[test]
fn every_malformed_archive_with_every_command() {
    for path in corpus("malformed") {
        let path = path.as_str();
        let folder = Folder::new();
        let out = folder.join("deep/out");
        for args in [
            &["pak", "list", path][..],
            &["pak", "list", "-l", path],
            &["pak", "list", "--json", path],
            &["pak", "info", path],
            &["pak", "info", "--json", path],
            &["pak", "cat", path, "--entry", "0"],
            &["pak", "cat", "--json", path, "--entry", "0"],
            &["pak", "extract", path, "-o", out.as_str()],
            &["pak", "extract", "--json", path, "-o", out.as_str(), "--overwrite"],
            &["--mount", path, "path"],
            &["--mount", path, "ls"],
            &["--mount", path, "--json", "shadows"],
            &["--mount", path, "extract", "-o", out.as_str(), "--overwrite"],
        ] {
            let answer = run(args);
            if answer.exit == Exit::Failed {
                assert!(
                    answer.err().starts_with("error: ") || answer.err().contains("\nerror: "),
                    "{args:?}"
                );
            }
            assert!(!answer.err().chars().any(|letter| letter.is_control() && letter != '\n'), "{args:?}");
            if args.contains(&"--json") {
                answer.json();
            } else if !args.contains(&"cat") {
                assert!(
                    !answer.out().chars().any(|letter| letter.is_control() && letter != '\n'),
                    "{args:?}"
                );
            }
        }
        assert!(folder.names("").iter().all(|name| name == "deep"), "{path}");
        assert!(!folder.join("deep").exists() || folder.names("deep") == ["out"], "{path}");
    }
}

/// Reading gives the rest, and fails. What writes an archive would drop the lost entries, so it writes none.
#[test]
fn each_command_tells_that_entries_of_a_zip_are_lost() {
    let folder = Folder::new();
    let mut zip = testutils::zip([("a.cfg", "bind"), ("b.cfg", "bind"), ("maps/c.cfg", "bind")]);
    folder.write("good.zip", &zip);
    let last = zip.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    zip[last] = 0;
    folder.write("bad.zip", &zip);
    let reading = [
        "list [DIR]/bad.zip",
        "list [DIR]/bad.zip a.cfg",
        "info [DIR]/bad.zip",
        "cat [DIR]/bad.zip a.cfg",
        "extract [DIR]/bad.zip -o [DIR]/out",
        "find a.cfg [DIR]/bad.zip",
        "find c.cfg [DIR]/bad.zip",
        "grep bind [DIR]/bad.zip",
        "diff [DIR]/bad.zip [DIR]/bad.zip",
        "duplicates [DIR]/bad.zip",
        "duplicates --names [DIR]/bad.zip [DIR]/good.zip --strict",
    ];
    for line in reading {
        let answer = folder.run(&format!("pak {line}"));
        let told = answer.err().matches("damaged after 2 entries").count();
        assert_eq!((answer.exit, told > 0), (Exit::Failed, true), "{line}: {}", answer.err());
    }
    assert_eq!(folder.names("out"), ["a.cfg", "b.cfg"]);
    folder.write("d.cfg", "bind");
    let writing = [
        "convert [DIR]/bad.zip -o [DIR]/new.pak",
        "merge [DIR]/bad.zip [DIR]/good.zip -o [DIR]/new.pak",
        "repack [DIR]/bad.zip",
        "remove [DIR]/bad.zip a.cfg",
        "rename [DIR]/bad.zip a.cfg z.cfg",
        "add [DIR]/bad.zip -C [DIR] d.cfg",
    ];
    for line in writing {
        let answer = folder.run(&format!("pak {line}"));
        assert!(answer.err().contains("damaged after 2 entries"), "{line}: {}", answer.err());
        assert_eq!((answer.exit, folder.join("new.pak").exists()), (Exit::Failed, false), "{line}");
    }
    assert!(std::fs::read(folder.join("bad.zip")).unwrap() == zip);
}
