//! What a hostile archive can make of memory.

use std::fs;
use std::hint::black_box;

use quakefs::{Archive, FileData};
use testutils::raw_zip::{deflated, zip};
use testutils::testdata;

use crate::{MIB, peak};

fn open(image: &[u8]) -> Result<Archive, quakefs::Error> {
    Archive::from_data(FileData::new(image.to_vec()))
}

#[test]
fn no_claimed_size_of_the_corpus_allocates_memory() {
    let mut archives = 0;
    for file in testdata("zip/malformed").read_dir_utf8().unwrap() {
        let name = file.unwrap().into_path();
        if name.extension() != Some("pk3") {
            continue;
        }
        archives += 1;
        let image = fs::read(&name).unwrap();
        let taken = peak(|| {
            let Ok(archive) = open(&image) else { return };
            for entry in archive.entries() {
                let _ = black_box(archive.read(entry.index()));
            }
        });
        assert!(taken < MIB, "{name}: {taken}");
    }
    assert!(archives > 100, "{archives}");
}

#[test]
fn decoding_needs_memory_of_the_size_of_the_content() {
    // a stored block of deflate for each 65,535 bytes
    let content = vec![7; 4 * MIB];
    let mut stream = Vec::new();
    for block in content.chunks(0xffff) {
        let size = u16::try_from(block.len()).unwrap();
        stream.extend([&[0][..], &size.to_le_bytes(), &(!size).to_le_bytes(), block].concat());
    }
    stream.extend([1, 0, 0, 0xff, 0xff]);
    let archive = open(&zip(&[deflated("a", &stream, &content)])).unwrap();
    let taken = peak(|| assert_eq!(*archive.read(0).unwrap(), *content));
    assert!((4 * MIB..4 * MIB + MIB / 8).contains(&taken), "{taken}");
}

#[test]
fn a_failed_allocation_is_an_error() {
    // 4 MiB could decode to 4 GiB
    let bomb = deflated("a", &vec![0; 4 * MIB], "").with(|member| member.size = u32::MAX - 1);
    let archive = open(&zip(&[bomb])).unwrap();
    let taken = peak(|| {
        let error = archive.read(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "entry 0 (a): not enough memory for the 4294967294 bytes of its content"
        );
    });
    assert!(taken < MIB, "{taken}");
}
