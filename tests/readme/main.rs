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

/// Who runs the blocks of a language: on a page, or on all pages.
const RUN: [(&str, &str, &str); 12] = [
    ("console", "", "crates/quakefs-cli/tests/it/story.rs"),
    ("rust", "", "tests/readme/doc.rs"),
    ("sh", "README.md", ".ci/run"),
    ("sh", "archives.md", "tests/catalogs/main.rs"),
    ("python", "archives.md", "tests/catalogs/main.rs"),
    ("yaml", "ci.md", ".ci/workflows"),
    ("python", "cluster.md", "integrations/python/tests/test_spark.py"),
    ("make", "needs.md", "crates/quakefs-cli/tests/it/story.rs"),
    ("sh", "needs.md", "crates/quakefs-cli/tests/it/story.rs"),
    ("c", "porting.md", "integrations/quakefs-capi/tests/it/main.rs"),
    ("toml", "porting.md", "integrations/quakefs-capi/tests/it/main.rs"),
    ("python", "python.md", "integrations/python/tests/test_documentation.py"),
];

/// Why nobody runs a block: its page, its first line (empty for all blocks) and the reason.
const NOT_RUN: [(&str, &str, &str); 8] = [
    ("README.md", "  request: maps/start.bsp", "a drawing"),
    ("README.md", "cargo install --path crates/quakefs-cli", "an optimised build takes minutes"),
    ("ci.md", "repos:", "pre-commit downloads the release that it names"),
    ("installed.md", "$ quakefs -q games", "the games of one computer, as an example"),
    ("library.md", "[dependencies]", "no version is published"),
    ("library.md", "nm --size-sort -S -C target/release/hello | tail -40", "it is about a reader's program"),
    ("mount.md", "quakefs --game mymod mount merged", "it runs until Ctrl-C"),
    ("windows.md", "", "the shells of Windows"),
];

/// The first lines of the blocks of a page, each with its language.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let (mut blocks, mut lines) = (Vec::new(), page.lines());
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        blocks.push((fence.split(' ').next().unwrap(), lines.next().unwrap()));
        lines.by_ref().find(|line| *line == "```").unwrap();
    }
    blocks
}

#[test]
fn each_block_of_the_guide_is_run_or_it_is_known_why_not() {
    let (mut run, mut not_run) = (RUN.to_vec(), NOT_RUN.to_vec());
    for path in testutils::pages() {
        let (text, page) = (fs::read_to_string(&path).unwrap(), path.file_name().unwrap());
        for (language, first) in blocks(&text) {
            let is_listed_in =
                |row: &(&str, &str, &str)| row.0 == page && (row.1.is_empty() || row.1 == first);
            let is_listed = NOT_RUN.iter().any(is_listed_in);
            not_run.retain(|row| !is_listed_in(row));
            let is_it = |row: &(&str, &str, &str)| row.0 == language && (row.1.is_empty() || row.1 == page);
            assert!(is_listed || RUN.iter().any(is_it), "{page}: nobody runs the block of {first}");
            run.retain(|row| is_listed || !is_it(row));
        }
    }
    assert_eq!((run, not_run), (Vec::new(), Vec::new()), "these blocks are gone");
    for (_, page, suite) in RUN {
        let suite = fs::read_to_string(testutils::testdata("..").join(suite)).unwrap();
        assert!(suite.contains(page), "the suite does not read {page}");
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
