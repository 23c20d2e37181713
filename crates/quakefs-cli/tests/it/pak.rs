//! `quakefs pak list | info | cat | extract` on archives that are whole.

use std::fs;

use camino::Utf8Path;
use insta::assert_snapshot;
use pak_format::Archive;
use quakefs_cli::Exit;
use serde_json::json;
use testutils::Folder;

use crate::{Commands as _, PAK, brief, check, run};

#[test]
fn pak_list_shows_the_entries() {
    assert_snapshot!(check("pak list [PAK]/ok/hrot.pak"), @"
    null
    brown.jpg
    ");
    assert_snapshot!(check("pak list [PAK]/ok/quake-dot-names.pak"), @"
    ./test_data/test.mdl
    ./test_data/test.bsp
    ");
    assert_snapshot!(check("pak list -l [PAK]/ok/daikatana-dkpak.pak"), @"
    exit: 0
      entry      offset        size      stored  type        name
          0          12         256         256  level       maps/random.bsp
          1         268          33          33  text        notes.txt
          2         301         512          30  texture     textures/striped.tga
          3         331        1024          17  texture     textures/zeros.bmp
    ");
    assert_snapshot!(check("pak list -l [PAK]/ok/quake2-minimal.pak"), @"
    exit: 0
      entry      offset        size      stored  type        name
          0          12          15          15  config      test.cfg
          1          27          13          13  config      test2.cfg
    ");
}

#[test]
fn pak_list_shows_the_entries_that_match() {
    assert_snapshot!(check("pak list [PAK]/ok/daikatana-dkpak.pak textures/*"), @"
    textures/striped.tga
    textures/zeros.bmp
    ");
    assert_snapshot!(brief(check("pak list [PAK]/ok/daikatana-dkpak.pak *.tga")), @r#"exit 1: error: [PAK]/ok/daikatana-dkpak.pak: nothing matches "*.tga"; help: * stops at /: "**/*.tga" matches in every folder"#);
    assert_snapshot!(check("pak list [PAK]/ok/daikatana-dkpak.pak textures"), @"
    textures/striped.tga
    textures/zeros.bmp
    ");
    assert_snapshot!(brief(check("pak list [PAK]/ok/daikatana-dkpak.pak {a")), @"exit 2: error: [pattern] unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?) +help");
}

#[test]
fn pak_list_prints_json() {
    assert_snapshot!(check("pak list --json [PAK]/ok/daikatana-dkpak.pak"), @r#"
    {"type":"entry","entry":0,"name":"maps/random.bsp","offset":12,"size":256,"stored_size":256,"compressed":false,"content_type":"level"}
    {"type":"entry","entry":1,"name":"notes.txt","offset":268,"size":33,"stored_size":33,"compressed":false,"content_type":"text"}
    {"type":"entry","entry":2,"name":"textures/striped.tga","offset":301,"size":512,"stored_size":30,"compressed":true,"content_type":"texture"}
    {"type":"entry","entry":3,"name":"textures/zeros.bmp","offset":331,"size":1024,"stored_size":17,"compressed":true,"content_type":"texture"}
    "#);
    assert_snapshot!(check("pak list --json -l [PAK]/ok/quake-one-entry.pak"), @r#"{"type":"entry","entry":0,"name":"gfx/palette.lmp","offset":12,"size":768,"stored_size":768,"compressed":false,"content_type":"lump"}"#);
    let folder = Folder::with_archive(&[("\u{2026}".as_bytes(), b"12345")]);
    assert_eq!(
        folder.run("pak list --json [DIR]/a.pak").out(),
        "{\"type\":\"entry\",\"entry\":0,\"name\":\"\u{2026}\",\"offset\":12,\"size\":5,\"stored_size\":5,\"compressed\":false,\"content_type\":\"other\"}\n"
    );
}

#[test]
fn pak_info_summarises_an_archive() {
    assert_snapshot!(check("pak info [PAK]/ok/daikatana-dkpak.pak"), @"
    file       [PAK]/ok/daikatana-dkpak.pak
    layout     daikatana (by the size of its directory)
    size       636 bytes
    directory  288 bytes at 348
    entries    4, 2 compressed
    content    1 825 bytes, stored in 336 bytes
    problems   0

    type     entries  bytes
    level          1    256
    texture        2   1536
    text           1     33
    ");
    assert_snapshot!(check("pak info --json [PAK]/ok/daikatana-dkpak.pak"), @r#"{"type":"info","file":"[PAK]/ok/daikatana-dkpak.pak","layout":"daikatana","because":"by the size of its directory","size":636,"directory_offset":348,"directory_size":288,"entries":4,"compressed":2,"content_size":1825,"stored_size":336,"problems":0,"types":[{"type":"level","entries":1,"size":256},{"type":"texture","entries":2,"size":1536},{"type":"text","entries":1,"size":33}]}"#);
}

#[test]
fn pak_cat_writes_the_bytes_of_an_entry() {
    assert_snapshot!(check("pak cat [PAK]/ok/daikatana-dkpak.pak notes.txt"), @"Pakka DK fixture; see README.md.");
    assert_snapshot!(check("pak cat [PAK]/ok/daikatana-dkpak.pak --entry 1"), @"Pakka DK fixture; see README.md.");
    assert_snapshot!(check("pak cat --json [PAK]/ok/daikatana-dkpak.pak --entry 1"), @r#"{"type":"content","entry":1,"name":"notes.txt","offset":268,"size":33,"stored_size":33,"compressed":false,"content_type":"text","content":"Pakka DK fixture; see README.md.\n"}"#);
    assert_snapshot!(brief(check("pak cat [PAK]/ok/daikatana-dkpak.pak Notes.txt")), @"exit 1: error: [PAK]/ok/daikatana-dkpak.pak: Notes.txt: not found among 4 entries +help");
    assert_snapshot!(brief(check("pak cat [PAK]/ok/daikatana-dkpak.pak --entry 4")), @"exit 1: error: [PAK]/ok/daikatana-dkpak.pak: entry 4: not found among 4 entries; help: `quakefs pak list [PAK]/ok/daikatana-dkpak.pak` lists the names");
}

#[test]
fn pak_cat_writes_the_first_of_two_equal_names() {
    let folder = Folder::with_archive(&[(b"a", b"first\n"), (b"a", b"second\n")]);
    assert_snapshot!(folder.check("pak cat [DIR]/a.pak a"), @"first");
    assert_snapshot!(folder.check("pak cat [DIR]/a.pak --entry 1"), @"second");
}

#[test]
fn pak_extract_decodes() {
    let folder = Folder::new();
    assert_snapshot!(folder.check("pak extract [PAK]/ok/daikatana-dkpak.pak -o [DIR]/out"), @"wrote 4 files (1 825 bytes) to [DIR]/out");
    let image = fs::read(Utf8Path::new(PAK).join("ok/daikatana-dkpak.pak")).unwrap();
    let archive = Archive::parse(&image).unwrap();
    for entry in archive.entries() {
        let path = folder.join("out").join(entry.name().to_str().unwrap());
        assert!(fs::read(path).unwrap() == *archive.read(&entry).unwrap());
    }
}

#[test]
fn pak_extract_drops_a_leading_dot() {
    let folder = Folder::new();
    assert_snapshot!(folder.check("pak extract [PAK]/ok/quake-dot-names.pak -o [DIR]/out"), @"wrote 2 files (63 152 bytes) to [DIR]/out");
    let tree = folder.tree("out");
    let names: Vec<_> = tree.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(names, ["test_data/test.bsp", "test_data/test.mdl"]);
}

#[test]
fn every_real_archive_with_every_command() {
    for file in fs::read_dir(Utf8Path::new(PAK).join("ok")).unwrap() {
        let file = file.unwrap().path();
        let path = file.to_str().unwrap();
        let image = fs::read(&file).unwrap();
        let archive = Archive::parse(&image).unwrap();

        let named = run(&["pak", "list", path, "--layout", archive.layout().name()]);
        let listed = run(&["pak", "list", path]);
        assert_eq!((named.exit, listed.exit), (Exit::Done, Exit::Done), "{path}: {}", listed.err());
        assert_eq!(named.out(), listed.out());
        assert_eq!(listed.out().lines().count(), archive.len());

        let info = run(&["pak", "info", path, "--json"]).json();
        assert_eq!(info[0]["entries"], json!(archive.len()));
        assert_eq!(info[0]["layout"], json!(archive.layout().name()));
        assert_eq!(run(&["pak", "info", path]).exit, Exit::Done);

        let rows = run(&["pak", "list", "--json", path]).json();
        let folder = Folder::new();
        let extracted = run(&["pak", "extract", path, "--json", "-o", folder.path().as_str()]);
        assert_eq!(extracted.exit, Exit::Done, "{path}: {}", extracted.err());
        assert_eq!(extracted.json().len(), archive.len());
        for (entry, row) in archive.entries().zip(rows) {
            let content = archive.read(&entry).unwrap();
            assert_eq!(row["size"], json!(content.len()));
            let name = row["name"].as_str().unwrap();
            assert!(run(&["pak", "cat", path, name]).out == *content, "{path}: {name}");
            assert!(fs::read(folder.join(name)).unwrap() == *content, "{path}: {name}");
        }
    }
}

#[test]
fn pak_list_refuses_the_wrong_layout() {
    assert_snapshot!(brief(check("pak list [PAK]/ok/hrot.pak --layout quake")), @"exit 2: error: [PAK]/ok/hrot.pak: [wrong-magic] +help");
    assert_snapshot!(brief(check("pak list [PAK]/ok/quake-one-entry.pak --layout daikatana")), @"exit 2: error: [PAK]/ok/quake-one-entry.pak: the directory ends inside a row: expected a multiple of 72, found 64 bytes +help");
}

#[test]
fn pak_list_needs_the_layout_of_an_ambiguous_archive() {
    assert_snapshot!(brief(check("pak info [PAK]/malformed/rows-ambiguous-all-zero.pak")), @"exit 2: error: [PAK]/malformed/rows-ambiguous-all-zero.pak: [ambiguous-layout] +help");
    for (layout, entries) in [("quake", 9), ("daikatana", 8)] {
        let line = format!("pak info --layout {layout} [PAK]/malformed/rows-ambiguous-all-zero.pak");
        let info = format!("layout     {layout} (named by the caller)\n");
        assert!(check(&line).contains(&info) && check(&line).contains(&format!("entries    {entries}, ")));
    }
    let empty = check("pak info [PAK]/malformed/empty.pak");
    assert!(empty.contains("layout     quake (it has no rows)\n"), "{empty}");
    for command in ["list", "info", "cat --entry 0"] {
        let line = format!("pak {command} [PAK]/malformed/rows-ambiguous-all-text.pak");
        let answer = run(&crate::words(&line));
        assert_eq!(answer.exit, Exit::Failed);
        assert!(answer.err().contains("--layout"), "{}", answer.err());
    }
}
