//! The stories of the README and of `docs`. For each NAME, one shell runs the `$` lines of a page's blocks
//! `console NAME`, in a copy of `testdata/game`. The output of each line follows it in the page. `UPDATE=1`
//! writes it there.

use std::process::Command;

use testutils::Folder;

use crate::{BINARY, GAME};

/// The answers of some commands that one shell runs in turn, a record separator after each.
fn answers(commands: &[&str]) -> Vec<String> {
    let home = Folder::new();
    let copied = Command::new("cp").args(["-r", GAME, home.join("quake").as_str()]).status().unwrap();
    assert!(copied.success());
    // the game of the page about needs
    let lamps = testutils::testdata("lamps");
    let copied =
        Command::new("cp").args(["-r", lamps.as_str(), home.join("lamps").as_str()]).status().unwrap();
    assert!(copied.success());
    let mut script = "cd quake\n".to_owned();
    for command in commands {
        script.extend(["{ ", command, "\n} 2>&1\nprintf '\x1e'\n"]);
    }
    let binaries = std::path::Path::new(BINARY).parent().unwrap().to_str().unwrap();
    let mut shell = Command::new("bash");
    shell.args(["--norc", "-c", &script]).current_dir(home.path()).env_clear();
    shell.env("PATH", format!("{binaries}:/usr/bin:/bin")).env("HOME", home.path());
    let answer = shell.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&answer.stderr), "");
    let text = String::from_utf8(answer.stdout).unwrap().replace(home.path().as_str(), "~");
    let mut answers: Vec<_> = text.split('\x1e').map(str::to_owned).collect();
    assert_eq!(answers.pop().as_deref(), Some(""));
    answers
}

#[testneeds::program("bash")]
#[test]
fn the_console_blocks_of_the_guide_match_their_commands() {
    testutils::check_pages("-p quakefs-cli --test it story", |story, commands| {
        (!story.is_empty()).then(|| answers(commands))
    });
}
