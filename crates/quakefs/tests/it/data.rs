//! The bytes of a file: how long they live, whose they are, and damaged archives.

use std::fs;

use camino::Utf8Path;
use quakefs::{
    Access, Builder, Error, ErrorKind, File, FileData, FileReader, Finding, Layer, Layout, QPath, Rules,
    SearchPath, SharedSearchPath,
};
use testutils::{Folder, data, game, pack, testdata};

use crate::{Mount as _, place, report};

#[test]
fn returned_values_may_go_to_another_thread() {
    fn anywhere<T: Send + Sync + 'static>() {}
    anywhere::<SearchPath>();
    anywhere::<SharedSearchPath>();
    anywhere::<FileData>();
    anywhere::<FileReader>();
    anywhere::<File<'static>>();
    anywhere::<QPath<'static>>();
    anywhere::<Layer>();
    anywhere::<Finding>();
    anywhere::<Rules>();
    anywhere::<Error>();
}

#[test]
fn bytes_outlive_the_search_path_and_cross_threads() {
    for access in [Access::Map, Access::Read] {
        let game = game("id1/pak0.pak: a");
        let quake = game.builder().access(access).mount().unwrap();
        let data = quake.read("a").unwrap();
        let reader = quake.open("a").unwrap();
        drop(quake);
        drop(game);
        let other = data.clone();
        let length = std::thread::spawn(move || {
            assert_eq!(*other, *b"id1/pak0.pak:0");
            other.len()
        });
        assert_eq!(length.join().unwrap(), data.len());
        assert_eq!(std::io::read_to_string(reader).unwrap(), "id1/pak0.pak:0");
    }
}

#[test]
fn a_stored_file_is_lent_from_the_archive_and_any_other_is_owned() {
    let game = game("id1/: b");
    game.write("id1/pak0.pak", pack(Layout::Quake, [("a", vec![1; 20_000])]));
    // two reads that are lent are the same bytes
    let is_lent = |quake: &SearchPath, name| {
        let (one, other) = (quake.read(name).unwrap(), quake.read(name).unwrap());
        std::ptr::eq(&raw const *one, &raw const *other)
    };
    let mapped = game.mount("");
    assert!(is_lent(&mapped, "a") && !is_lent(&mapped, "b"));
    let read = game.builder().access(Access::Read).mount().unwrap();
    assert!(!is_lent(&read, "a"));
    let image = fs::read(game.join("id1/pak0.pak")).unwrap();
    assert!(is_lent(&Builder::new().memory("a.pak", image).mount().unwrap(), "a"));
}

#[test]
fn a_part_of_the_bytes_is_lent_from_the_same_owner() {
    let entries = [("a", "0123456789".to_owned()), ("b", "x".repeat(20_000))];
    let game = Folder::with([("id1/pak0.pak", pack(Layout::Quake, entries))]);
    let data = game.mount("").read("a").unwrap();
    let part = data.slice(2..5).unwrap();
    assert_eq!(*part, *b"234");
    assert_eq!(*part.slice(1..3).unwrap(), *b"34");
    assert!(std::ptr::eq(&raw const *part, &raw const data[2..5]));
    assert!(part.slice(0..4).is_none(), "not even where the map goes on");
    assert!(data.slice(8..11).is_none());
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is tested")]
    let reversed = data.slice(3..2);
    assert!(reversed.is_none());
    assert!(data.slice(10..10).unwrap().is_empty());
}

#[test]
fn file_data_compares_with_common_byte_types() {
    let data = FileData::from("x");
    assert_eq!(data, FileData::from(b"x"));
    assert_eq!(data, b"x");
    assert_eq!(data, *b"x");
    assert_eq!(data, b"x".to_vec());
    assert_eq!(data, b"x".as_slice());
    assert_eq!(data, "x");
    assert!(data != b"xy" && data != vec![0]);
}

#[test]
fn an_empty_file_is_a_file() {
    let game = game("id1/pak0.pak: a= ; id1/: b=");
    for access in [Access::Map, Access::Read] {
        let quake = game.builder().access(access).mount().unwrap();
        assert!(quake.read("a").unwrap().is_empty());
        assert!(quake.read("b").unwrap().is_empty());
    }
}

/// With the size in the second row of `id1/pak1.pak` made too large.
fn with_an_entry_past_the_end(tree: &str) -> Folder {
    let game = game(tree);
    let path = game.join("id1/pak1.pak");
    let mut image = fs::read(&path).unwrap();
    let rows = u32::from_le_bytes(image[4..8].try_into().unwrap()) as usize;
    image[rows + 64 + 60..rows + 128].copy_from_slice(&1000u32.to_le_bytes());
    fs::write(path, image).unwrap();
    game
}

#[test]
fn an_entry_past_the_end_hides_others_and_fails_only_when_read() {
    let game = with_an_entry_past_the_end("id1/pak0.pak: b; id1/pak1.pak: a b c");
    for access in [Access::Map, Access::Read] {
        let quake = game.builder().access(access).mount().unwrap();
        let copies: Vec<_> = quake.copies("b").iter().map(place).collect();
        assert_eq!(copies, ["id1/pak1.pak:1", "id1/pak0.pak:0"]);
        let error = quake.read("b").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Pak(_)));
        insta::allow_duplicates! {
            insta::assert_snapshot!(report(&error), @"error: id1/pak1.pak: entry 1 (b): the payload ends past the end of the archive: expected at most 246, found offset 26 + size 1000");
        }
        assert!(quake.open("b").is_err());
        assert_eq!(*quake.read("a").unwrap(), *b"id1/pak1.pak:0");
        assert_eq!(*quake.read("c").unwrap(), *b"id1/pak1.pak:2");
        assert_eq!(*quake.copies("b")[1].read().unwrap(), *b"id1/pak0.pak:0");
        let overridden = quakefs::why::overridden(&quake);
        assert!(!overridden[0].winner.is_same_content(&overridden[0].copy).unwrap(), "their sizes differ");
    }
}

#[test]
fn a_cut_off_archive_keeps_its_complete_entries() {
    // the directory first, so that a truncation removes only payloads
    let game = game("id1/: x");
    let names = ["a.cfg", "b.cfg", "c.cfg"];
    let rows: Vec<u8> = names
        .iter()
        .zip([204u32, 214, 224])
        .flat_map(|(name, offset)| {
            let mut row = [0; 64];
            row[..name.len()].copy_from_slice(name.as_bytes());
            row[56..60].copy_from_slice(&offset.to_le_bytes());
            row[60..].copy_from_slice(&10u32.to_le_bytes());
            row
        })
        .collect();
    let image = [&b"PACK\x0c\0\0\0\xc0\0\0\0"[..], &rows, b"aaaaaaaaaabbbbbbbbbbcccccccccc"].concat();
    for (cut, readable) in [(0, 3), (1, 2), (10, 2), (11, 1), (30, 0)] {
        game.write("id1/pak0.pak", &image[..image.len() - cut]);
        for access in [Access::Map, Access::Read] {
            let quake = game.builder().access(access).mount().unwrap();
            let read = names.iter().filter(|name| quake.read(*name).is_ok()).count();
            assert_eq!(read, readable, "{cut} bytes cut");
            assert_eq!(quake.findings().count(), 3 - readable);
            assert_eq!(quake.files().count(), 4, "each is listed all the same");
        }
    }
}

#[test]
fn compressed_entries_are_decoded() {
    each_entry_reads_as_pak_format_reads_it(&testdata("pak/ok/daikatana-dkpak.pak"));
}

#[testneeds::data("paks/daikatana/openarena.pak")]
#[test]
fn compressed_entries_of_a_large_archive_are_decoded() {
    each_entry_reads_as_pak_format_reads_it(&data("paks/daikatana/openarena.pak"));
}

fn each_entry_reads_as_pak_format_reads_it(path: &Utf8Path) {
    let image = fs::read(path).unwrap();
    let archive = pak_format::Archive::parse(&image).unwrap();
    assert!(archive.entries().any(|entry| entry.is_compressed()), "{path}");
    let mapped = Builder::new().archive(path).mount().unwrap();
    let read = Builder::new().archive(path).access(Access::Read).mount().unwrap();
    for entry in archive.entries() {
        let name = entry.name().as_bytes();
        let content = archive.read(&archive.find(name).unwrap()).unwrap();
        let data = mapped.read(name).unwrap();
        assert_eq!(*data, *content, "{path}: {entry:?}");
        assert_eq!(read.read(name).unwrap(), data, "{path}: {entry:?}");
        assert_eq!(mapped.find(name).unwrap().size(), content.len() as u64);
    }
}
