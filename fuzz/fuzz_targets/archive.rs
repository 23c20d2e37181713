//! Any bytes as an archive of the PACK family: under every layout, each entry can be read as its row
//! describes, or returns an error.
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
    pak_format::verify(archive).into_iter().for_each(|finding| drop(finding.to_string()));
}
