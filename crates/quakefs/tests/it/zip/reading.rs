//! Valid ZIP archives, by themselves and as layers.

use quakefs::archive::{ArchiveKind, Method, OpenOptions};
use quakefs::{Access, Engine, SearchPath};
use testutils::Folder;
use testutils::raw_zip::{self, deflated, stored, zip};

use super::malformed::{corpus, pack};
use super::{findings_of, mount, open, outcome};
use crate::Mount as _;

const STREAM: &[u8] = b"\x2b\x2c\x4d\xcc\x4e\x2d\x44\x25\x00";
const QUAKE: &[u8] = b"quakequakequakequake";

#[test]
fn a_mapped_zip_equals_the_same_zip_read_by_position() {
    for (name, image) in corpus() {
        let folder = Folder::with([("a.pk3", &image)]);
        let [mapped, read] = [Access::Map, Access::Read]
            .map(|access| outcome(&OpenOptions::new().access(access).open(folder.join("a.pk3"))));
        assert_eq!(mapped, read, "{name}");
        assert_eq!(mapped, outcome(&open(&image)), "{name}");
    }
}

#[test]
fn stored_content_is_lent_and_deflated_content_is_owned() {
    let text = "abc".repeat(10_000);
    let image = zip(&[stored("a.txt", &text), deflated("b.txt", STREAM, QUAKE)]);
    let folder = Folder::with([("a.pk3", &image)]);
    for (access, lent) in [(Access::Map, true), (Access::Read, false)] {
        let archive = OpenOptions::new().access(access).open(folder.join("a.pk3")).unwrap();
        assert_eq!(archive.kind(), ArchiveKind::Zip);
        let [a, b] = [0, 1].map(|row| archive.entry(row).unwrap());
        assert_eq!(
            (a.row().method, a.size(), a.row().stored_size, a.row().offset),
            (Method::Stored, 30_000, 30_000, 0)
        );
        assert_eq!(
            (b.row().method, b.size(), b.row().stored_size, b.row().offset),
            (Method::Deflate, 20, 9, 30_035)
        );
        assert!(archive.entry(2).is_none());
        assert_eq!(archive.problems().count(), 0);
        let [stored, deflated] = [0, 1].map(|row| archive.read(row).unwrap());
        assert_eq!((&*stored, &*deflated), (text.as_bytes(), QUAKE));
        assert_eq!(std::ptr::eq(&raw const *stored, &raw const *archive.read(0).unwrap()), lent);
    }
}

#[test]
fn content_outlives_its_archive() {
    let folder = Folder::with([("id1/a.pk3", zip(&[stored("a.txt", "abc")]))]);
    let content = mount(&folder, Engine::DarkPlaces).read("a.txt").unwrap();
    drop(folder);
    assert_eq!(*content, *b"abc");
}

#[test]
fn entries_after_a_record_of_the_largest_size_are_read() {
    let long = stored("n".repeat(0xffff), "abc").with(|member| {
        member.extra = vec![0; 0xffff];
        member.comment = vec![b'c'; 0xffff];
    });
    let archive = open(&zip(&[stored("a", "abc"), long, stored("b", "abc")])).unwrap();
    assert_eq!(archive.problems().count(), 0);
    assert_eq!(
        archive.entries().map(|entry| entry.name().as_bytes().len()).collect::<Vec<_>>(),
        [1, 0xffff, 1]
    );
    assert_eq!(*archive.read(2).unwrap(), *b"abc");
}

#[test]
fn more_entries_than_16_bits_can_count() {
    let members: Vec<_> = (0..0x1_0002).map(|number| stored(format!("{number}"), "")).collect();
    let (files, directory) = raw_zip::parts(&members);
    let end = raw_zip::End {
        disk: 0,
        count: 2,
        size: raw_zip::size_of(&directory),
        offset: raw_zip::size_of(&files),
        comment: vec![],
    };
    let archive = open(&[files, directory, raw_zip::end(&end)].concat()).unwrap();
    assert_eq!((archive.entries().len(), archive.problems().count()), (0x1_0002, 0));
    assert!(archive.find("65537").is_some());
}

/// The result of each request: layer, row, name and stored name.
fn found(quake: &SearchPath, requests: &[&str]) -> String {
    let lines = requests.iter().map(|request| match quake.find(request) {
        Some(file) => {
            assert_eq!(file.layer().kind(), ArchiveKind::Zip);
            let content = String::from_utf8(file.read().unwrap().to_vec()).unwrap();
            let row = file.entry().unwrap();
            format!(
                "{request}: {}:{row} {} = {}, \"{content}\"\n",
                file.layer().name(),
                file.name(),
                file.stored()
            )
        }
        None => format!("{request}: nothing\n"),
    });
    lines.collect()
}

fn mixed() -> Vec<u8> {
    zip(&[
        stored("maps/", ""),
        stored("MAPS/A.bsp", "first"),
        stored("maps/a.BSP", "second"),
        stored("maps/b.bsp", "b"),
        deflated("maps/c.bsp", STREAM, QUAKE),
        stored("maps/b.bsp", "b again"),
    ])
}

const REQUESTS: &[&str] =
    &["maps/a.bsp", "MAPS/A.bsp", "maps/a.BSP", "maps/b.bsp", "maps/c.bsp", "maps/", "maps"];

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn an_engine_that_ignores_case_finds_any_spelling_in_a_zip() {
    let expected = r#"
maps/a.bsp: DIR/a.EXT:1 MAPS/A.bsp = MAPS/A.bsp, "first"
MAPS/A.bsp: DIR/a.EXT:1 MAPS/A.bsp = MAPS/A.bsp, "first"
maps/a.BSP: DIR/a.EXT:1 MAPS/A.bsp = MAPS/A.bsp, "first"
maps/b.bsp: DIR/a.EXT:3 maps/b.bsp = maps/b.bsp, "b"
maps/c.bsp: DIR/a.EXT:4 maps/c.bsp = maps/c.bsp, "quakequakequakequake"
maps/: nothing
maps: nothing
"#;
    for (engine, folder, extension) in [
        (Engine::DarkPlaces, "id1", "pk3"),
        (Engine::Fte, "id1", "pk3"),
        (Engine::YQuake2, "baseq2", "pk3"),
        (Engine::GoldSrc, "valve", "pk3"),
    ] {
        let game = Folder::with([(&format!("{folder}/a.{extension}"), mixed())]);
        // GoldSrc does not start without it, and lists it a second time in the base directory
        game.write("valve/liblist.gam", "");
        let quake = mount(&game, engine);
        let expected = expected.replace("DIR", folder).replace("EXT", extension);
        assert_eq!(found(&quake, REQUESTS), expected.trim_start(), "{engine}");
        assert_eq!(findings_of(&quake), "", "{engine}");
        assert_eq!(quake.files().count(), if engine == Engine::GoldSrc { 5 } else { 3 });
        assert_eq!(quake.copies("maps/a.bsp").len(), 2);
    }
}

#[test]
fn an_engine_may_serve_the_last_of_equal_names_in_a_zip() {
    let expected = r#"
maps/a.bsp: DIR:2 maps/a.BSP = maps/a.BSP, "second"
MAPS/A.bsp: DIR:2 maps/a.BSP = maps/a.BSP, "second"
maps/a.BSP: DIR:2 maps/a.BSP = maps/a.BSP, "second"
maps/b.bsp: DIR:5 maps/b.bsp = maps/b.bsp, "b again"
maps/c.bsp: DIR:4 maps/c.bsp = maps/c.bsp, "quakequakequakequake"
maps/: nothing
maps: nothing
"#;
    for (engine, place) in [(Engine::Q2Pro, "baseq2/a.pkz"), (Engine::IoQuake3, "baseq3/a.pk3")] {
        let quake_folder = Folder::with([(place, mixed())]);
        let quake = mount(&quake_folder, engine);
        assert_eq!(found(&quake, REQUESTS), expected.replace("DIR", place).trim_start(), "{engine}");
        assert_eq!(findings_of(&quake), "", "{engine}");
    }
}

#[test]
fn an_engine_may_lower_the_names_of_a_zip() {
    let game = Folder::with([("id1/a.pk3", mixed())]);
    let quake = mount(&game, Engine::Qss);
    insta::assert_snapshot!(found(&quake, REQUESTS), @r#"
    maps/a.bsp: id1/a.pk3:1 maps/a.bsp = MAPS/A.bsp, "first"
    MAPS/A.bsp: nothing
    maps/a.BSP: nothing
    maps/b.bsp: id1/a.pk3:3 maps/b.bsp = maps/b.bsp, "b"
    maps/c.bsp: id1/a.pk3:4 maps/c.bsp = maps/c.bsp, "quakequakequakequake"
    maps/: nothing
    maps: nothing
    "#);
    assert_eq!(findings_of(&quake), "");
    let names: Vec<_> = quake.files().map(|file| file.name().to_string()).collect();
    assert_eq!(names, ["maps/a.bsp", "maps/b.bsp", "maps/c.bsp"]);
}

#[test]
fn a_zip_is_reported_by_engines_that_do_not_read_zips() {
    for (engine, place) in [
        (Engine::WinQuake, "id1/pak0.pk3"),
        (Engine::QuakeSpasm, "id1/pak0.pk3"),
        (Engine::Mvdsv, "id1/pak0.pk3"),
        (Engine::Quake2, "baseq2/pak0.pk3"),
        (Engine::Q2Pro, "baseq2/pak0.pk3"),
    ] {
        let game = Folder::with([(place, mixed())]);
        let quake = mount(&game, engine);
        assert!(quake.find("maps/b.bsp").is_none(), "{engine}");
        assert!(
            findings_of(&quake).starts_with(&format!("{place}: archive-skipped")),
            "{}",
            findings_of(&quake)
        );
    }
}

#[test]
fn a_damaged_zip_is_reported_and_the_other_layers_still_work() {
    let odd = zip(&[
        stored("../CREDITS", "c"),
        stored("maps/a.bsp", "abc").with(|member| member.flags = 1),
        stored("maps/b.bsp", "abc").with(|member| member.method = 12),
        stored("maps/c.bsp", "abc").with(|member| member.crc = 1),
        stored("maps/d.bsp", "abc"),
    ]);
    let game = Folder::with([
        ("id1/a.pk3", odd),
        ("id1/b.pk3", b"PK\x03\x04 and no more".to_vec()),
        ("id1/c.pk3", pack(b"abc")),
        ("id1/d.pak", mixed()),
    ]);
    let quake = mount(&game, Engine::DarkPlaces);
    insta::assert_snapshot!(findings_of(&quake), @r"
    id1/d.pak: wrong-archive
    id1/b.pk3: wrong-archive
    id1/c.pk3: wrong-archive
    id1/a.pk3: entry 0 (../CREDITS): unreachable
    id1/a.pk3: entry 1 (maps/a.bsp): unreachable
    id1/a.pk3: entry 2 (maps/b.bsp): damaged
    ");
    assert_eq!(*quake.read("maps/d.bsp").unwrap(), *b"abc");
    let errors =
        ["maps/a.bsp", "maps/b.bsp", "maps/c.bsp"].map(|name| quake.read(name).unwrap_err().to_string());
    insta::assert_snapshot!(errors.join("\n"), @"
    maps/a.bsp: no layer has this file
    id1/a.pk3: entry 2 (maps/b.bsp): the entry is compressed with BZip2; engines read Deflate
    id1/a.pk3: entry 3 (maps/c.bsp): the content is damaged: expected the CRC 00000001, found 352441c2
    ");
}

#[test]
fn the_magic_decides_between_pack_and_zip() {
    let both = [pack(b"abc"), mixed()].concat();
    let game = Folder::with([("id1/a.pak", &both), ("id1/b.pk3", &both)]);
    let quake = mount(&game, Engine::DarkPlaces);
    assert_eq!(quake.find("inside.pk3").unwrap().layer().kind(), ArchiveKind::Pak);
    assert!(quake.find("maps/b.bsp").is_none());
    insta::assert_snapshot!(findings_of(&quake), @"id1/b.pk3: wrong-archive");
}

#[test]
fn a_pushed_zip_needs_no_extension() {
    let game = Folder::with([("id1/x", b"x".to_vec()), ("downloads/map", mixed())]);
    let path = game.join("downloads/map");
    let builder = game.builder().engine(Engine::WinQuake);
    for quake in [builder.clone().archive(&path), builder.memory("downloads/map", mixed())] {
        let quake = quake.mount().unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(found(&quake, REQUESTS), @r#"
            maps/a.bsp: nothing
            MAPS/A.bsp: downloads/map:1 MAPS/A.bsp = MAPS/A.bsp, "first"
            maps/a.BSP: downloads/map:2 maps/a.BSP = maps/a.BSP, "second"
            maps/b.bsp: downloads/map:3 maps/b.bsp = maps/b.bsp, "b"
            maps/c.bsp: downloads/map:4 maps/c.bsp = maps/c.bsp, "quakequakequakequake"
            maps/: nothing
            maps: nothing
            "#);
        }
    }
}
