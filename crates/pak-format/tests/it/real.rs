//! Archives that other programs wrote. The small ones are in `testdata/pak/ok`. The large ones are beside the
//! repository. If they are missing, their tests are ignored.

use pak_format::{Archive, Entry, ErrorKind, Layout, ParseOptions, detect::Reason};

use crate::{listing, open, parse_as, testdata};

fn content(archive: &Archive<Vec<u8>>, name: impl AsRef<[u8]>) -> Vec<u8> {
    archive.read(&archive.find(name).unwrap()).unwrap().into_owned()
}

/// Each archive of `testdata/pak/ok`, and below it its listing.
const LISTINGS: &str = r#"
    # Ion Storm's own packer
    daikatana-dkpak.pak
        daikatana (by the size of its directory), rows at 348..636 of 636
        0 "maps/random.bsp" at 12, 256 bytes
        1 "notes.txt" at 268, 33 bytes
        2 "textures/striped.tga" at 301, 512 bytes from 30
        3 "textures/zeros.bmp" at 331, 1024 bytes from 17
    # an empty entry may share its offset with the next
    hrot.pak
        hrot (by its magic), rows at 7364..7620 of 7620
        0 "null" at 12, 0 bytes
        1 "brown.jpg" at 12, 7352 bytes
    # the directory may be in front of the payloads, also one of one row
    quake-directory-first-2.pak
        quake (by the size of its directory), rows at 12..76 of 139
        0 "folder/testfile3" at 76, 63 bytes
    quake-directory-first.pak
        quake (by the size of its directory), rows at 12..204 of 337
        0 "testfile" at 204, 39 bytes
        1 "testfile2" at 243, 46 bytes
        2 "folder/testfile3" at 289, 48 bytes
    quake-dot-names.pak
        quake (by the size of its directory), rows at 63164..63292 of 63292
        0 "./test_data/test.mdl" at 12, 4724 bytes
        1 "./test_data/test.bsp" at 4736, 58428 bytes
    quake-one-entry.pak
        quake (by the size of its directory), rows at 780..844 of 844
        0 "gfx/palette.lmp" at 12, 768 bytes
    # the magic at byte 0 decides, although the tail is a ZIP
    quake-zip-polyglot.pak
        quake (by the size of its directory), rows at 77..141 of 299
        0 "hellothere.txt" at 56, 21 bytes
    # Quake II has Quake's rows
    quake2-minimal.pak
        quake (by the size of its directory), rows at 40..168 of 168
        0 "test.cfg" at 12, 15 bytes
        1 "test2.cfg" at 27, 13 bytes
"#;

#[test]
fn each_archive_is_listed_and_all_its_entries_read() {
    let mut found = Vec::new();
    for file in crate::names_in(&testdata("ok")) {
        let archive = open(&format!("ok/{file}"));
        assert_eq!(archive.directory().problems().count(), 0, "{file}");
        for entry in archive.entries() {
            assert_eq!(archive.read(&entry).unwrap().len(), entry.size() as usize, "{file}");
        }
        found.push(file);
        found.extend(listing(&archive).lines().map(str::to_owned));
    }
    let lines = LISTINGS.lines().map(str::trim);
    let expected: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert_eq!(found, expected);
}

#[test]
fn entries_have_the_bytes_that_their_programs_wrote() {
    for (file, name, size, start) in [
        ("daikatana-dkpak.pak", "notes.txt", 33, &b"Pakka DK fixture; see README.md.\n"[..]),
        ("daikatana-dkpak.pak", "textures/striped.tga", 512, &b"abcd".repeat(128)),
        ("daikatana-dkpak.pak", "textures/zeros.bmp", 1024, &[0; 1024]),
        ("hrot.pak", "null", 0, b""),
        ("hrot.pak", "brown.jpg", 7352, b"\xff\xd8\xff\xe1"),
        ("quake-dot-names.pak", "./test_data/test.mdl", 4724, b"IDPO\x06\0\0\0"),
        ("quake-dot-names.pak", "./test_data/test.bsp", 58428, &29_u32.to_le_bytes()),
        ("quake-directory-first.pak", "testfile", 39, b"This is a test file. It contains text.\n"),
        (
            "quake-directory-first.pak",
            "folder/testfile3",
            48,
            b"This also contains text but is within a folder.\n",
        ),
        (
            "quake-directory-first-2.pak",
            "folder/testfile3",
            63,
            b"This also contains text but is within a folder",
        ),
        ("quake-one-entry.pak", "gfx/palette.lmp", 768, &[0, 0, 0, 15, 15, 15]),
        ("quake-zip-polyglot.pak", "hellothere.txt", 21, b"this is a dummy file\n"),
        ("quake2-minimal.pak", "test.cfg", 15, b"say \"hi there\"\n"),
        ("quake2-minimal.pak", "test2.cfg", 13, b"say blahblah\n"),
    ] {
        let content = content(&open(&format!("ok/{file}")), name);
        assert!(content.len() == size && content.starts_with(start), "{file}: {name}");
    }
    assert_eq!(&open("ok/quake-zip-polyglot.pak").get_ref()[277..281], b"PK\x05\x06");
}

#[test]
fn ion_storm_gives_stored_rows_their_size_as_compressed_size() {
    let archive = open("ok/daikatana-dkpak.pak");
    let row = archive.entry(0).unwrap().row();
    assert_eq!((row.size, row.compressed_size, row.compression), (256, 256, 0));
}

#[test]
fn names_keep_their_leading_dot_and_lose_it_on_disk() {
    let archive = open("ok/quake-dot-names.pak");
    assert!(archive.find("test_data/test.mdl").is_none());
    let path = archive.entry(0).unwrap().name().to_disk_path().unwrap().into_owned();
    assert_eq!(path, b"test_data/test.mdl");
}

#[test]
fn a_layout_with_another_magic_is_refused() {
    let bytes = std::fs::read(testdata("ok/hrot.pak")).unwrap();
    let error = parse_as(&bytes, Layout::Sin).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the archive does not have the sin layout: expected the magic SPAK, found \"HROT\""
    );
}

#[test]
fn a_layout_that_the_caller_names_is_not_checked_against_the_rows() {
    let options = ParseOptions::new().layout(Layout::Quake);
    let bytes = std::fs::read(testdata("ok/quake2-minimal.pak")).unwrap();
    let archive = Archive::parse_with(bytes, &options).unwrap();
    assert_eq!((archive.len(), archive.directory().layout_reason()), (2, Reason::Named));
}

#[test]
fn an_entry_of_another_archive_is_an_error_and_not_other_bytes() {
    let (archive, other) = (open("ok/quake2-minimal.pak"), open("ok/quake-directory-first.pak"));
    let first = other.entry(0).unwrap();
    assert_eq!(archive.read(&first).unwrap_err().kind(), &ErrorKind::OtherArchive);
    let third = other.entry(2).unwrap();
    let error = archive.raw(&third).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NoSuchRow { row: 2, rows: 2 });
    assert_eq!(error.to_string(), "entry 2 (folder/testfile3): there is no row 2: the archive has 2");
    assert!(error.is_not_found());
    // a copy of the archive has the same entries
    assert!(archive.clone().read(&archive.entry(1).unwrap()).is_ok());
}

/// An archive whose licence keeps it out of the repository.
fn local(path: &str) -> Archive<Vec<u8>> {
    Archive::parse(std::fs::read(testutils::data("paks").join(path)).unwrap()).unwrap()
}

/// Every entry reads, to exactly its size; gives the entries, those compressed, and the bytes.
fn read_all(archive: &Archive<Vec<u8>>) -> (usize, usize, u64) {
    let mut total = 0;
    for entry in archive.entries() {
        let content = archive.read(&entry).unwrap();
        assert_eq!(content.len(), entry.size() as usize, "{entry:?}");
        total += content.len() as u64;
    }
    assert_eq!(archive.directory().problems().count(), 0);
    (archive.len(), archive.entries().filter(Entry::is_compressed).count(), total)
}

#[testneeds::data("paks/librequake/id1/pak0.pak")]
#[test]
fn librequake_pak0_reads_whole() {
    let archive = local("librequake/id1/pak0.pak");
    assert_eq!(archive.layout(), Layout::Quake);
    assert_eq!(read_all(&archive), (321, 0, 20_299_719));
    assert_eq!(archive.entry(0).unwrap().name().to_str(), Some("default.cfg"));
    assert_eq!(archive.entry(320).unwrap().name().to_str(), Some("sound/soldier/pain2.wav"));
}

#[testneeds::data("paks/librequake/id1/pak1.pak")]
#[test]
fn librequake_pak1_reads_whole() {
    let archive = local("librequake/id1/pak1.pak");
    assert_eq!(archive.layout(), Layout::Quake);
    assert_eq!(read_all(&archive), (57, 0, 5_756_024));
    assert!(archive.find("gfx/sp_maps.lmp").is_some());
}

#[testneeds::data("paks/daikatana/openarena.pak")]
#[test]
fn every_stream_of_a_large_daikatana_archive_decodes_to_its_size() {
    let archive = local("daikatana/openarena.pak");
    assert_eq!(archive.layout(), Layout::Daikatana);
    assert_eq!(read_all(&archive), (437, 369, 24_531_785));
    for entry in archive.entries().filter(|entry| entry.name().as_bytes().ends_with(b".tga")) {
        let tga = archive.read(&entry).unwrap();
        assert!(matches!(tga[2], 1..=3 | 9..=11), "the image type in {:?}", entry.name());
    }
}
