//! The stories that the README tells: every `$` line of its blocks `console NAME` is run by one shell for each name, in a
//! copy of `testdata/game`, and what it prints stands below it. `UPDATE=1` writes it there.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use testutils::Folder;

use crate::{BINARY, GAME};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");

/// The answers of some commands that one shell runs in turn, a record separator after each.
fn answers(commands: &[&str]) -> Vec<String> {
    let home = Folder::new();
    let copied = Command::new("cp").args(["-r", GAME, home.join("quake").as_str()]).status().unwrap();
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

#[test_with::executable(bash)]
#[test]
fn the_readme_tells_what_its_commands_print() {
    let readme = fs::read_to_string(README).unwrap();
    let mut stories: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut story = None;
    for line in readme.lines() {
        if line.starts_with("```") {
            story = line.strip_prefix("```console ");
        } else if let (Some(story), Some(command)) = (story, line.strip_prefix("$ ")) {
            stories.entry(story).or_default().push(command);
        }
    }
    assert!(!stories.is_empty(), "the README tells no story");
    let mut answers: BTreeMap<&str, _> =
        stories.into_iter().map(|(story, commands)| (story, answers(&commands).into_iter())).collect();
    let (mut fresh, mut story) = (String::new(), None);
    for line in readme.lines() {
        if line.starts_with("```") {
            story = line.strip_prefix("```console ");
        } else if let Some(answers) = story.and_then(|story| answers.get_mut(story)) {
            if line.starts_with("$ ") {
                fresh.extend([line, "\n", &answers.next().unwrap()]);
            }
            continue;
        }
        fresh.push_str(line);
        fresh.push('\n');
    }
    if testutils::update() {
        return fs::write(README, &fresh).unwrap();
    }
    assert!(fresh == readme, "the README is stale: UPDATE=1 cargo test -p quakefs-cli --test it story");
}
