//! One archive of any kind: the same questions, whoever reads its bytes.

use std::ops::Range;

use pak_format::Layout;
use proptest::prelude::*;
use quakefs::archive::{ArchiveKind, Files, Method, OpenOptions, Row};
use quakefs::{Archive, Builder, Error, File, FileData};
use testutils::{game, pack, zip_deflated};

use crate::Mount as _;

/// A custom kind of archive: names and contents in one run of bytes, which may be in a file.
struct Run {
    bytes: FileData,
    rows: Vec<(Vec<u8>, Range<u64>)>,
    path: camino::Utf8PathBuf,
}

impl Run {
    fn new(rows: &[(&str, &str)]) -> Run {
        let mut bytes = b"RUN ".to_vec();
        let mut add = |content: &str| {
            let start = bytes.len() as u64;
            bytes.extend_from_slice(content.as_bytes());
            start..bytes.len() as u64
        };
        let rows = rows.iter().map(|(name, content)| (name.as_bytes().to_vec(), add(content))).collect();
        Run { bytes: bytes.into(), rows, path: "/somewhere/a.run".into() }
    }
}

impl Files for Run {
    fn len(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap()
    }

    fn name(&self, file: u32) -> &[u8] {
        &self.rows[file as usize].0
    }

    fn row(&self, file: u32) -> Row {
        let (name, range) = &self.rows[file as usize];
        let mut row = Row::stored(range.end - range.start);
        (row.offset, row.is_folder) = (range.start, name.ends_with(b"/"));
        row
    }

    fn read(&self, file: u32) -> Result<FileData, Error> {
        self.bytes(self.rows[file as usize].1.clone())
    }

    fn payload_range(&self, file: u32) -> Option<Range<u64>> {
        Some(self.rows[file as usize].1.clone())
    }

    fn path(&self) -> Option<&camino::Utf8Path> {
        Some(&self.path)
    }

    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        self.bytes.slice(range).ok_or_else(|| std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into())
    }

    fn damage(&self) -> Option<Error> {
        Some(std::io::Error::other("half of it is gone").into())
    }
}

#[test]
fn a_kind_of_the_callers_own_says_all_that_the_others_say() {
    let archive = Archive::from(Run::new(&[("maps/", ""), ("maps/a.bsp", "level"), ("b", "x")]));
    assert_eq!((archive.kind(), archive.format(), archive.layout()), (ArchiveKind::Own, "files", None));
    assert_eq!((archive.entries().len(), archive.size(), archive.directory_range()), (3, 10, 0..0));
    assert_eq!(archive.bytes(0..4).unwrap(), "RUN ");
    assert!(archive.damage().is_some());
    let entry = archive.find("maps/a.bsp").unwrap();
    assert_eq!((entry.index(), entry.row().offset, entry.row().stored_size), (1, 4, 5));
    assert_eq!((entry.range(), entry.row().method), (Some(4..9), Method::Stored));
    assert!(archive.entry(0).unwrap().row().is_folder);

    let quake = Builder::new().files("a.run", Run::new(&[("maps/", ""), ("b", "x")])).mount().unwrap();
    assert_eq!(quake.layers().next().unwrap().kind(), ArchiveKind::Own);
    assert_eq!(quake.findings().count(), 1, "its damage");
    assert!(quake.find("maps/").is_none(), "a folder");
    let extent = quake.find("b").unwrap().extent().unwrap();
    assert_eq!((extent.path.as_str(), extent.range), ("/somewhere/a.run", 4..5));
    let mut two = [0; 2];
    assert_eq!(quake.find("b").unwrap().read_at(0, &mut two).unwrap(), 1);
}

#[test]
fn a_remount_keeps_to_files_of_its_own_beside_an_archive_of_their_path() {
    let game = game("id1/pak0.pak: a");
    let mut run = Run::new(&[("own", "x")]);
    run.path = game.join("id1/pak0.pak");
    let quake = game.builder().files("a.run", run).mount().unwrap();
    let again = quake.remount().unwrap();
    for search_path in [&quake, &again] {
        assert_eq!(search_path.find("a").unwrap().layer().kind(), ArchiveKind::Pak);
        assert_eq!(search_path.find("own").unwrap().layer().kind(), ArchiveKind::Own);
    }
}

#[test]
fn a_found_file_says_all_that_its_archive_says() {
    let game = game("id1/pak0.pak: a; id1/: b");
    game.write("mod/x.pak", pack(Layout::Daikatana, [("c.tga", "c")]));
    game.write("z.pk3", zip_deflated([("d", "d".repeat(100))]));
    let builder = game.builder().archive_with(game.join("mod/x.pak"), OpenOptions::new());
    let quake = builder.archive(game.join("z.pk3")).mount().unwrap();
    let expected = [("a", Method::Stored), ("b", Method::Stored), ("d", Method::Deflate)];
    for (name, method) in expected {
        let found = quake.find(name).unwrap();
        let file: File<'static> = found.clone().into_owned();
        let row =
            found.entry().and_then(|entry| found.layer().archive()?.entry(entry)).map(|entry| entry.row());
        assert_eq!(row.map_or(Method::Stored, |row| row.method), method, "{name}");
        assert_eq!((found.modified(), found.extent()), (file.modified(), file.extent()), "{name}");
        assert!(found.modified().is_some(), "{name}");
        assert_eq!(found.extent().is_some(), method == Method::Stored, "{name}");
    }
    for (index, layer) in quake.layers().enumerate() {
        assert_eq!(layer.index(), index);
    }
    let kept = quake.keep_layers(|layer| layer.name() != "z.pk3").unwrap();
    assert!(kept.layers().enumerate().all(|(index, layer)| layer.index() == index));
}

/// The first entry of a name, found by looking at each.
fn linear(archive: &Archive, name: &[u8]) -> Option<usize> {
    archive.entries().find(|entry| entry.name() == *name).map(|entry| entry.index())
}

proptest! {
    #[test]
    fn an_index_of_names_agrees_with_a_scan(
        names in prop::collection::vec("[abA]{1,2}(/[ab])?", 1..40),
        others in prop::collection::vec("[abA]{0,2}(/[ab])?", 0..10),
    ) {
        let rows: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "x")).collect();
        let pak = Archive::from_data(FileData::from(pack(Layout::Quake, rows.iter().copied()))).unwrap();
        let zip = Archive::from_data(FileData::from(zip_deflated(rows.iter().copied()))).unwrap();
        let own = Archive::from(Run::new(&rows));
        for archive in [pak, zip, own] {
            let clone = archive.clone();
            for name in names.iter().chain(&others) {
                let found = archive.find(name).map(|entry| entry.index());
                prop_assert_eq!(found, linear(&archive, name.as_bytes()));
                prop_assert_eq!(found, clone.find(name).map(|entry| entry.index()));
            }
        }
    }
}
