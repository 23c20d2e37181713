//! Any bytes as an archive of any kind: each entry can be read as its row describes, or returns an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quakefs::{Archive, FileData};

fuzz_target!(|image: &[u8]| {
    match Archive::from_data(FileData::from(image.to_vec())) {
        Ok(archive) => read_all(&archive),
        Err(error) => drop(error.to_string()),
    }
});

fn read_all(archive: &Archive) {
    for entry in archive.entries() {
        assert!(!entry.name().to_string().contains(char::is_control));
        let _ = entry.name().to_disk_path();
        match archive.read(entry.index()) {
            Ok(content) => assert_eq!(content.len() as u64, entry.size()),
            Err(error) => drop(error.to_string()),
        }
    }
    archive.problems().for_each(drop);
}
