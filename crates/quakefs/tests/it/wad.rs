//! WADs, and the textures inside levels, as archives.

use quakefs::archive::ArchiveKind;
use quakefs::{Archive, ErrorKind, FileData};
use testutils::content::{level, lump, palette, texture, wad};

fn open(bytes: Vec<u8>) -> Archive {
    Archive::from_data(FileData::from(bytes)).unwrap()
}

fn files(archive: &Archive) -> Vec<(String, Vec<u8>)> {
    archive.entries().map(|entry| (entry.name().to_string(), entry.read().unwrap().to_vec())).collect()
}

#[test]
fn rows_of_a_wad_are_files() {
    let (brick, pic) = (texture("+0brick", 16, 16, None), lump(3, 2));
    for magic in [b"WAD2", b"WAD3"] {
        let archive = open(wad(magic, &[("+0brick", 0x44, brick.clone()), ("pic", 0x42, pic.clone())]));
        assert_eq!((archive.kind(), archive.format()), (ArchiveKind::Wad, "wad"));
        assert_eq!(files(&archive), [("+0brick".to_owned(), brick.clone()), ("pic".to_owned(), pic.clone())]);
        assert_eq!(archive.directory_range().end, archive.size());
        assert!(archive.find("pic").is_some());
        assert!(archive.verify("a.wad", None).is_empty());
    }
}

#[test]
fn textures_in_a_level_are_files() {
    let colours = palette();
    for (version, palette) in [([29, 0, 0, 0], None), (*b"BSP2", None), ([30, 0, 0, 0], Some(&*colours))] {
        let mut outside = texture("outside", 16, 16, None);
        outside.truncate(40);
        outside[24..].fill(0);
        let held = texture("wall", 32, 16, palette);
        let archive = open(level(version, "{ classname worldspawn }", &[held.clone(), outside]));
        assert_eq!(archive.kind(), ArchiveKind::Wad);
        assert_eq!(files(&archive), [("wall".to_owned(), held)]);
    }
}

#[test]
fn a_row_that_reaches_past_the_end_costs_no_other() {
    let mut bytes = wad(b"WAD2", &[("a", 0x42, lump(3, 2)), ("b", 0x42, lump(3, 2))]);
    let rows = bytes.len() - 64;
    bytes[rows + 4..rows + 8].copy_from_slice(&9000_u32.to_le_bytes());
    let archive = open(bytes);
    assert_eq!(archive.problems().count(), 1);
    assert!(archive.entry(0).unwrap().read().is_err());
    assert!(archive.entry(1).unwrap().read().is_ok());
}

#[test]
fn a_wad_whose_directory_is_cut_off_is_an_error_of_the_archive() {
    let bytes = wad(b"WAD3", &[("a", 0x42, lump(3, 2))]);
    let error = Archive::from_data(FileData::from(bytes[..bytes.len() - 1].to_vec())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Directory(_)), "{error}");
}
