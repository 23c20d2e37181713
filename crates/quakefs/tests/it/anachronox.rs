//! Archives of Anachronox.

use std::io::{Read as _, Seek as _, SeekFrom};

use quakefs::archive::ArchiveKind;
use quakefs::{Archive, ErrorKind, FileData};
use testutils::anachronox;

const ZEROS: &[u8] = &[0; 100_000];

fn image() -> Vec<u8> {
    anachronox(&[
        ("scripts/a.ape", b"spawn", false),
        ("models/b.md2", ZEROS, true),
        ("empty.cfg", b"", false),
    ])
}

fn open(bytes: Vec<u8>) -> Archive {
    Archive::from_data(FileData::from(bytes)).unwrap()
}

/// The image with a number of a row replaced: 0 is the offset, 1 the size, 2 the compressed size.
fn with_field(row: usize, field: usize, number: u32) -> Archive {
    let mut bytes = image();
    let at = bytes.len() - 3 * 144 + row * 144 + 128 + field * 4;
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    open(bytes)
}

#[test]
fn rows_of_an_archive_of_anachronox_are_files() {
    let archive = open(image());
    assert_eq!((archive.kind(), archive.format()), (ArchiveKind::Anachronox, "anachronox"));
    let files: Vec<_> =
        archive.entries().map(|entry| (entry.name().to_string(), entry.read().unwrap().to_vec())).collect();
    let expected: [(&str, &[u8]); 3] =
        [("scripts/a.ape", b"spawn"), ("models/b.md2", ZEROS), ("empty.cfg", b"")];
    assert_eq!(files, expected.map(|(name, content)| (name.to_owned(), content.to_vec())));
    assert!(archive.entry(1).unwrap().row().stored_size < 1000);
    assert_eq!(archive.directory_range().end, archive.size());
    assert!(archive.find("models/b.md2").is_some());
    assert!(archive.verify("a.dat", None).is_empty());
    for entry in archive.entries() {
        let (mut reader, mut content) = (entry.open().unwrap(), Vec::new());
        reader.read_to_end(&mut content).unwrap();
        assert_eq!(content, *entry.read().unwrap());
        assert_eq!(reader.seek(SeekFrom::Start(0)).unwrap(), 0);
    }
}

#[test]
fn a_row_that_lies_is_an_error_and_costs_no_other() {
    let wrong = [
        ("outside", with_field(0, 0, u32::MAX), 0),
        ("outside", with_field(0, 1, u32::MAX), 0),
        ("outside", with_field(1, 2, u32::MAX), 1),
        ("expansion", with_field(1, 1, u32::MAX), 1),
        // fewer and more bytes than the stream holds
        ("size", with_field(1, 1, 99_999), 1),
        ("size", with_field(1, 1, 100_001), 1),
        // a stream without its sum
        (
            "deflate",
            with_field(1, 2, u32::try_from(open(image()).entry(1).unwrap().row().stored_size - 4).unwrap()),
            1,
        ),
        // not a stream
        ("deflate", with_field(0, 2, 5), 0),
    ];
    for (fault, archive, row) in wrong {
        for other in 0..3 {
            let entry = archive.entry(other).unwrap();
            let streamed = entry.open().and_then(|mut reader| Ok(reader.read_to_end(&mut Vec::new())?));
            let is_good = other != row;
            assert_eq!((entry.read().is_ok(), streamed.is_ok()), (is_good, is_good), "{fault}: {other}");
        }
        let error = archive.read(row).unwrap_err();
        assert!(error.kind().name().ends_with(fault), "{fault}: {error}");
        let findings = archive.verify("a.dat", None);
        assert_eq!(findings[0].location.entry(), Some(row), "{fault}");
    }
}

#[test]
fn changed_bytes_of_a_stream_do_not_pass_its_sum() {
    let mut bytes = anachronox(&[("a.txt", b"letters that differ, 1234567890", true)]);
    let sum = bytes.len() - 144 - 4;
    bytes[sum] ^= 1;
    let archive = open(bytes);
    assert!(archive.read(0).is_err());
    assert!(archive.entry(0).unwrap().open().unwrap().read_to_end(&mut Vec::new()).is_err());
}

#[test]
fn an_archive_of_anachronox_without_its_directory_is_an_error() {
    for (at, number, kind) in [(4, u32::MAX, "cut-off"), (8, 143, "rows"), (12, 10, "version")] {
        let mut bytes = image();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        let error = Archive::from_data(FileData::from(bytes)).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Directory(found) if found.kind().name() == kind),
            "{error}"
        );
    }
    for size in [4, 15, image().len() - 1] {
        let error = Archive::from_data(FileData::from(image()[..size].to_vec())).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Directory(_)), "{error}");
    }
}
