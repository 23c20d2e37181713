//! What the README shows of the command is what the command prints.
//!
//! Every `$ quakefs …` in a `console` block is run in a copy of `testdata/game`, and what it prints, errors included,
//! stands below it. `UPDATE=1` writes it there.

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

/// What a command prints. Arguments are apart by spaces; quotes around one are the shell's.
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
fn the_readme_shows_what_the_command_prints() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = fs::read_to_string(format!("{root}/README.md")).unwrap();
    // the commands write too
    let folder = testutils::Folder::new();
    copy(Path::new(&format!("{root}/testdata/game")), folder.path().as_std_path());
    std::env::set_current_dir(folder.path()).unwrap();
    let mut fresh = String::new();
    let mut in_console = false;
    let mut commands = 0;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
        } else if in_console {
            let Some(command) = line.strip_prefix("$ ") else { continue };
            commands += 1;
            fresh.push_str(&format!("$ {command}\n{}", printed(command)));
            continue;
        }
        fresh.push_str(line);
        fresh.push('\n');
    }
    assert!(commands > 0, "the README shows no command");
    if testutils::update() {
        return fs::write(format!("{root}/README.md"), &fresh).unwrap();
    }
    assert!(fresh == readme, "the README is stale: UPDATE=1 cargo test --test readme");
}
