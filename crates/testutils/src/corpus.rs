//! A corpus: files named by their defect, each with the expected result beside it.

use std::collections::BTreeSet;
use std::fs;

use crate::{testdata, update};

/// Compares the files of a suite, and its findings in each, with `NAME.EXTENSION` and `NAME.txt` in a folder
/// of `testdata`. `UPDATE=1` writes them again. The folder may contain no other file.
///
/// # Panics
/// If anything differs. The message contains all differences.
pub fn check_corpus(
    folder: &str,
    extension: &str,
    files: impl IntoIterator<Item = (impl AsRef<str>, Vec<u8>)>,
    outcome: impl Fn(&[u8]) -> String,
) {
    let folder = testdata(folder);
    if update() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
    }
    let mut expected_files = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, image) in files {
        let name = name.as_ref();
        let text = outcome(&image).into_bytes();
        for (extension, made) in [(extension, image), ("txt", text)] {
            let file = format!("{name}.{extension}");
            if update() {
                fs::write(folder.join(&file), &made).unwrap();
            }
            let kept = fs::read(folder.join(&file)).unwrap_or_default();
            if kept != made {
                let shown = |bytes: &[u8]| match extension {
                    "txt" => String::from_utf8_lossy(bytes).into_owned(),
                    _ => format!("{} bytes", bytes.len()),
                };
                wrong.push(format!("{file}\n--- expected\n{}\n--- found\n{}", shown(&kept), shown(&made)));
            }
            assert!(expected_files.insert(file), "two files have the name {name}");
        }
    }
    assert!(wrong.is_empty(), "UPDATE=1 records these:\n\n{}", wrong.join("\n\n"));
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<BTreeSet<_>>(), expected_files);
}
