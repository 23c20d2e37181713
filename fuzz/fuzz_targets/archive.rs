//! Any bytes, read as an archive in every layout. `cargo +nightly fuzz run archive -- -max_len=4096`, seeded
//! from `testdata/pak`; what it finds goes into the corpus there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pak_format::{Archive, Layout, ParseOptions};

fuzz_target!(|image: &[u8]| {
    for layout in Layout::ALL.into_iter().map(Some).chain([None]) {
        for allow_partial_row in [false, true] {
            match Archive::parse_with(
                image,
                &ParseOptions::new().layout(layout).allow_partial_row(allow_partial_row),
            ) {
                Ok(archive) => read_all(&archive),
                Err(error) => drop(error.to_string()),
            }
        }
    }
});

fn read_all(archive: &Archive<&[u8]>) {
    for entry in archive.entries() {
        assert!(!entry.name().to_string().contains(char::is_control));
        let _ = entry.name().to_disk_path();
        match archive.read(&entry) {
            Ok(content) => assert_eq!(content.len(), entry.size() as usize),
            Err(error) => drop(error.to_string()),
        }
    }
    archive.directory().problems().for_each(drop);
}
