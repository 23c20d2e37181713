//! The pages of `docs` are in the index, and links between files lead to files. The suite of the command runs
//! the console blocks.

use std::fs;
use std::path::Path;

#[test]
fn every_page_is_in_the_index_and_a_doc_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = fs::read_to_string(root.join("docs/README.md")).unwrap();
    let doc = fs::read_to_string(root.join("tests/readme/doc.rs")).unwrap();
    for page in testutils::pages() {
        let name = page.file_name().unwrap();
        assert!(doc.contains(&format!("{name}\"")), "tests/readme/doc.rs does not include {name}");
        assert!(
            name == "README.md" || index.contains(&format!("]({name})")),
            "docs/README.md has no link to {name}"
        );
    }
}

#[test]
fn the_commands_of_the_guide_have_the_quotes_of_every_shell() {
    for page in testutils::pages() {
        let text = fs::read_to_string(&page).unwrap();
        for line in text.lines().filter(|line| line.starts_with("$ quakefs ")) {
            // `cmd` of Windows takes single quotes for letters
            assert!(!line.contains('\''), "{page}: {line}");
        }
    }
}

#[test]
fn links_between_files_lead_to_a_file() {
    let root = testutils::testdata("").join("..");
    let internals = root.join("docs/internals").read_dir_utf8().unwrap();
    let internals = internals.map(|entry| entry.unwrap().into_path());
    let others = ["CONTRIBUTING.md", "SECURITY.md", "testdata/README.md"].map(|name| root.join(name));
    for page in testutils::pages().into_iter().chain(internals).chain(others) {
        let text = fs::read_to_string(&page).unwrap();
        for (_, rest) in text.match_indices("](").map(|(at, found)| text.split_at(at + found.len())) {
            let link = rest.split([')', '#']).next().unwrap();
            let is_file = !link.is_empty() && !link.contains("://");
            assert!(!is_file || page.parent().unwrap().join(link).exists(), "{page}: {link} is not there");
        }
    }
}
