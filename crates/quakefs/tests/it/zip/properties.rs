//! Properties of any bytes.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use quakefs::{Archive, FileData};
use testutils::raw_zip::{crc_of, deflated, stored, zip, zip64};
use testutils::zip_mixed;

use super::{open, outcome};

fn config(cases: u32) -> ProptestConfig {
    // turn a failing case into a separate test, or into a file of the corpus
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Content that deflates well, and some that does not.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![vec(select(b"ab".to_vec()), 0..2000), vec(any::<u8>(), 0..200)]
}

fn names() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_./ é-]{0,12}[a-z]"
}

type Files = Vec<(String, Vec<u8>, bool)>;

fn files() -> impl Strategy<Value = Files> {
    vec((names(), contents(), any::<bool>()), 0..6)
}

fn image_of(files: &Files, large: bool) -> Vec<u8> {
    let members: Vec<_> = files
        .iter()
        .map(|(name, content, packed)| match packed {
            true => deflated(name, &deflate(content), content),
            false => stored(name, content),
        })
        .collect();
    // an empty one of ZIP64 is not read by rawzip 0.5, nor written by anybody
    if large && !members.is_empty() { zip64(&members, |_| ()) } else { zip(&members) }
}

/// Calls every method of an archive.
fn look_at(archive: &Archive) {
    let mut refused = usize::from(archive.problems().any(|error| !error.to_string().starts_with("entry ")));
    for (index, entry) in archive.entries().enumerate() {
        assert_eq!(entry.index(), index);
        assert!(!entry.name().to_string().contains(char::is_control));
        let _ =
            (entry.name().to_disk_path(), entry.row().offset, entry.row().is_folder, format!("{entry:?}"));
        assert_eq!(archive.find(entry.name().as_bytes()).unwrap().name(), entry.name());
        refused += usize::from(entry.check().is_err());
        match archive.read(index) {
            Ok(content) => {
                assert!(entry.check().is_ok());
                assert_eq!(content.len() as u64, entry.size());
            }
            Err(error) => assert!(!error.reason().is_empty()),
        }
    }
    assert_eq!(archive.problems().count(), refused);
}

/// A change to one place of an archive.
#[derive(Clone, Debug)]
enum Damage {
    Byte(Index, u8),
    Number(Index, u32),
    Cut(Index),
    Insert(Index, Vec<u8>),
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let any_index = any::<Index>;
    let numbers = prop_oneof![Just(0), Just(1), Just(u32::MAX), Just(u32::MAX - 1), any::<u32>(), 0..300_u32];
    vec(
        prop_oneof![
            4 => (any_index(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
            3 => (any_index(), numbers).prop_map(|(at, number)| Damage::Number(at, number)),
            1 => any_index().prop_map(Damage::Cut),
            1 => (any_index(), vec(any::<u8>(), 1..50)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        ],
        1..4,
    )
}

fn damaged(mut image: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        match damage {
            Damage::Byte(at, byte) => {
                let at = at.index(image.len() + 1);
                if let Some(place) = image.get_mut(at) {
                    *place = *byte;
                }
            }
            Damage::Number(at, number) => {
                let at = at.index(image.len() + 1);
                if let Some(place) = image.get_mut(at..at + 4) {
                    place.copy_from_slice(&number.to_le_bytes());
                }
            }
            Damage::Cut(at) => image.truncate(at.index(image.len() + 1)),
            Damage::Insert(at, bytes) => {
                let at = at.index(image.len() + 1);
                image.splice(at..at, bytes.iter().copied());
            }
        }
    }
    image
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn no_bytes_make_the_zip_reader_panic(
        start in select(vec![&b""[..], b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"]),
        middle in vec(any::<u8>(), 0..100),
        end in select(vec![&b""[..], b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"]),
        tail in vec(prop_oneof![Just(0), any::<u8>()], 0..100),
    ) {
        if let Ok(archive) = open(&[start, &middle, end, &tail].concat()) {
            look_at(&archive);
        }
    }

    #[test]
    fn a_written_zip_reads_back(files in files(), large in any::<bool>()) {
        let archive = open(&image_of(&files, large)).unwrap();
        look_at(&archive);
        prop_assert_eq!(archive.problems().count(), 0);
        prop_assert_eq!(archive.entries().len(), files.len());
        for (entry, (name, content, _)) in archive.entries().zip(&files) {
            prop_assert_eq!(entry.name().as_bytes(), name.as_bytes());
            prop_assert_eq!(&*archive.read(entry.index()).unwrap(), &**content);
        }
    }

    #[test]
    fn a_damaged_zip_gives_no_wrong_content(files in files(), large in any::<bool>(), damages in damages()) {
        let image = damaged(image_of(&files, large), &damages);
        let Ok(archive) = open(&image) else { return Ok(()) };
        look_at(&archive);
        prop_assert!(!outcome(&Ok(archive)).is_empty());
        let archive = open(&image).unwrap();
        for entry in archive.entries() {
            let Ok(content) = archive.read(entry.index()) else { continue };
            // empty content has the CRC 0, which damage writes often enough
            let known = content.is_empty() || files.iter().any(|(_, whole, _)| *whole == *content);
            // the checksum detects the damage, unless the damage also writes a matching checksum
            let claimed = image.windows(4).any(|bytes| bytes == crc_of(&content).to_le_bytes());
            prop_assert!(known && claimed || content.is_empty(), "{entry:?} {:?}", &*content);
        }
    }

    #[test]
    fn a_zip_of_another_writer_reads_back(files in files()) {
        let image = zip_mixed(files.iter().map(|(name, content, packed)| (name, content, *packed)));
        let archive = Archive::from_data(FileData::new(image)).unwrap();
        look_at(&archive);
        prop_assert_eq!(archive.problems().count(), 0);
        prop_assert_eq!(archive.entries().len(), files.len());
        for (entry, (_, content, _)) in archive.entries().zip(&files) {
            prop_assert_eq!(&*archive.read(entry.index()).unwrap(), &**content);
        }
    }
}
