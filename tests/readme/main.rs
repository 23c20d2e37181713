//! The README and the pages of `docs` show the real output of their commands, and their links lead to files.
//!
//! Every `$ quakefs …` in a `console` block runs in a copy of `testdata/game`, one for each page. The block
//! contains its output and errors. `UPDATE=1` writes them.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use quakefs_cli::{Console, run};

#[derive(Clone, Default)]
struct Terminal(Rc<RefCell<Vec<u8>>>);

impl Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The output of a command. Spaces separate the arguments; quotes around one belong to the shell.
fn printed(command: &str) -> String {
    let terminal = Terminal::default();
    let (mut out, mut err) = (terminal.clone(), terminal.clone());
    run(command.split(' ').map(|word| word.trim_matches('\'')), &mut Console::plain(&mut out, &mut err));
    String::from_utf8(terminal.0.take()).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn the_pages_show_the_output_of_their_commands() {
    testutils::check_pages("--test readme", |story, commands| {
        // the others need a shell
        if !story.is_empty() {
            return None;
        }
        // the commands write too
        let folder = testutils::Folder::new();
        copy(testutils::testdata("game").as_std_path(), folder.path().as_std_path());
        std::env::set_current_dir(folder.path()).unwrap();
        Some(commands.iter().map(|command| printed(command)).collect())
    });
}

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
