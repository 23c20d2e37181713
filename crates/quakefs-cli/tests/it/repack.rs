//! `pak repack`: the bytes that it drops, its output, and conversion between all layouts.

use std::fs;

use insta::assert_snapshot;
use pak_format::{Archive, Builder, Layout, ParseOptions};
use testutils::Folder;

use crate::{Commands as _, brief, check, image};

fn folder() -> Folder {
    let folder = Folder::with_archive(&[(b"quake.rc", b"rc"), (b"maps/a.bsp", &[7; 1000])]);
    assert_eq!(folder.run("pak remove [DIR]/a.pak quake.rc").err(), "");
    folder
}

#[test]
fn repack_drops_bytes_that_no_entry_names() {
    let folder = folder();
    assert_snapshot!(folder.check("pak repack [DIR]/a.pak"), @"[DIR]/a.pak: 1 entry, 1 076 bytes; dropped 130 bytes that no entry used");
    assert_snapshot!(folder.check("pak list -l [DIR]/a.pak"), @"
    exit: 0
      entry      offset        size      stored  type        name
          0          12        1000        1000  level       maps/a.bsp
    ");
    assert_snapshot!(folder.check("pak repack --json [DIR]/a.pak"), @r#"{"type":"written","file":"[DIR]/a.pak","written":true,"entries":1,"before":1076,"after":1076,"dropped":0,"added":[],"replaced":[],"removed":[],"renamed":[]}"#);
}

#[test]
fn repack_to_another_file_leaves_the_archive() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak repack --json [DIR]/a.pak -o [DIR]/b.pak"), @r#"{"type":"written","file":"[DIR]/b.pak","written":true,"entries":1,"before":1206,"after":1076,"dropped":130,"added":[],"replaced":[],"removed":[],"renamed":[]}"#);
    let written = fs::read(folder.join("b.pak")).unwrap();
    assert_snapshot!(brief(folder.check("pak repack [DIR]/a.pak -o [DIR]/b.pak --layout sin")), @"exit 2: error: [DIR]/b.pak: the file exists already; help: replace it with --overwrite");
    assert_eq!(fs::read(folder.join("b.pak")).unwrap(), written);
    assert_snapshot!(folder.check("pak repack [DIR]/a.pak -o [DIR]/b.pak --layout sin --overwrite"), @"[DIR]/b.pak: 1 entry, 1 140 bytes; dropped 130 bytes that no entry used; replaced a file of 1 076 bytes");
    assert_snapshot!(brief(folder.check("pak repack [DIR]/a.pak -o [DIR]/no/b.pak")), @"exit 2: error: [DIR]/no/b.pak: cannot write the output: its folder does not exist +help");
    assert_eq!(image(&folder), before);
}

#[test]
fn repack_in_a_dry_run_writes_nothing() {
    let folder = folder();
    let before = image(&folder);
    assert_snapshot!(folder.check("pak repack [DIR]/a.pak --dry-run"), @"[DIR]/a.pak: would have 1 entry; nothing was written");
    assert_snapshot!(folder.check("pak repack --json [DIR]/a.pak -o [DIR]/b.pak --layout daikatana --dry-run"), @r#"{"type":"written","file":"[DIR]/b.pak","written":false,"entries":1,"before":1206,"after":117,"dropped":130,"added":[],"replaced":[],"removed":[],"renamed":[]}"#);
    assert_eq!(image(&folder), before);
    assert!(!folder.join("b.pak").exists());
}

#[test]
fn repack_turns_each_layout_into_each() {
    let folder = Folder::new();
    let files: [(&str, Vec<u8>); 4] = [
        ("textures/wall.tga", b"brick ".repeat(500)),
        ("maps/start.bsp", vec![0; 3000]),
        ("quake.rc", b"exec default.cfg\n".to_vec()),
        ("empty.tga", Vec::new()),
    ];
    for from in Layout::ALL {
        let mut builder = Builder::new(from);
        for (name, content) in &files {
            builder.add(name, content).unwrap();
        }
        folder.write("a.pak", builder.finish().unwrap());
        for to in Layout::ALL {
            let line =
                format!("pak repack [DIR]/a.pak --from {from} --layout {to} -o [DIR]/b.pak --overwrite");
            let answer = folder.run(&line);
            assert_eq!(answer.err(), "", "{line}");
            let archive =
                Archive::parse_with(fs::read(folder.join("b.pak")).unwrap(), &ParseOptions::new().layout(to))
                    .unwrap();
            let found = archive
                .entries()
                .map(|entry| (entry.name().to_string(), archive.read(&entry).unwrap().into_owned()));
            let expected = files.iter().map(|(name, content)| ((*name).to_owned(), content.clone()));
            assert!(found.eq(expected), "{line}");
            let compressed = archive.entries().filter(pak_format::Entry::is_compressed).count();
            assert_eq!(compressed, if to == Layout::Daikatana { 2 } else { 0 }, "{line}");
        }
    }
}

#[test]
fn repack_refuses_names_too_long_for_the_layout() {
    let folder = Folder::new();
    let mut builder = Builder::new(Layout::Sin);
    builder.add("a".repeat(60), "").unwrap();
    builder.add("fits", "").unwrap();
    builder.add("b".repeat(70), "").unwrap();
    folder.write("a.sin", builder.finish().unwrap());
    let before = fs::read(folder.join("a.sin")).unwrap();
    assert_snapshot!(folder.check("pak repack [DIR]/a.sin --layout quake"), @"
    exit: 2
    ! error: [DIR]/a.sin: entry 0 (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa): [name] +help
    ! error: [DIR]/a.sin: entry 2 (bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb): [name]
    ! error: nothing was written
    ");
    assert_eq!(fs::read(folder.join("a.sin")).unwrap(), before);
}

#[test]
fn repack_refuses_an_archive_that_cannot_be_read() {
    let folder = folder();
    folder.write("text.pak", "just some text");
    assert_snapshot!(brief(folder.check("pak repack [DIR]/text.pak")), @"exit 2: error: [DIR]/text.pak: [unknown-magic] +help");
    assert_snapshot!(brief(folder.check("pak repack [DIR]/none.pak")), @"exit 2: error: [DIR]/none.pak: cannot open the archive: No such file or directory (os error 2) +help");
    assert_snapshot!(folder.check("pak repack [PAK]/malformed/empty.pak -o [DIR]/b.pak"), @"[DIR]/b.pak: 0 entries, 12 bytes");
    let mut cut = image(&folder);
    let row = cut.len() - 64;
    cut[row + 60..].copy_from_slice(&9999_u32.to_le_bytes());
    folder.write("a.pak", &cut);
    assert_snapshot!(brief(folder.check("pak repack [DIR]/a.pak")), @"exit 2: error: [DIR]/a.pak: entry 0 (maps/a.bsp): [entry-outside|outside] +help");
    assert_eq!(image(&folder), cut);
}

/// `--layout` is the layout of the new archive.
#[test]
fn repack_has_an_option_for_the_layout_of_the_old_archive() {
    assert_snapshot!(brief(check("pak repack [PAK]/malformed/rows-ambiguous-all-text.pak -o [PAK]/no.pak --dry-run")), @"exit 2: error: [PAK]/malformed/rows-ambiguous-all-text.pak: [ambiguous-layout]; help: name the layout with --from: quake or daikatana");
    assert_snapshot!(brief(check("pak repack [PAK]/ok/hrot.pak --from quake -o [PAK]/no.pak --dry-run")), @"exit 2: error: [PAK]/ok/hrot.pak: [wrong-magic]; help: leave out --from, or name the layout with this magic");
}
