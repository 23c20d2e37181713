//! `pak add FILE - --as NAME`, which needs a separate process.

use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::stopped::signal;
use super::{Scene, contents};

fn add(scene: &Scene, options: &str) -> (Option<i32>, String) {
    let mut command = scene.quakefs(&format!("pak add a.pak - {options}"));
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // a command that refuses its options reads nothing
    let _ = child.stdin.take().unwrap().write_all(b"from a pipe");
    let answer = child.wait_with_output().unwrap();
    (answer.status.code(), String::from_utf8(answer.stderr).unwrap())
}

#[test]
fn standard_input_becomes_an_entry() {
    let scene = Scene::new();
    assert_eq!(add(&scene, "--as new.cfg --dry-run"), (Some(0), String::new()));
    scene.assert_unchanged("dry run");
    assert_eq!(add(&scene, "--as new.cfg"), (Some(0), String::new()));
    let found = fs::read(scene.path("a.pak")).unwrap();
    assert_eq!(contents(&found).last().unwrap(), &("new.cfg".to_owned(), b"from a pipe".to_vec()));
    let (code, err) = add(&scene, "--as new.cfg");
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: a.pak: entry 5 (new.cfg): entry 4 has the same name\n"), "{err}");
    assert_eq!(add(&scene, "--as new.cfg --overwrite").0, Some(0));
}

/// While it waits for standard input, nothing is begun, and the interrupt ends it at once.
#[test]
fn an_interrupt_ends_the_wait_for_standard_input() {
    let scene = Scene::new();
    let mut command = scene.heedful("pak add a.pak - --as new.cfg");
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    // the command gives no sign that it reads
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "INT");
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("the interrupt was not heard");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.signal(), Some(2));
    scene.assert_unchanged("standard input");
}

/// Standard input may be large, so all other errors are reported before it is read.
#[test]
fn a_taken_name_is_refused_before_standard_input_is_read() {
    let scene = Scene::new();
    let mut command = scene.quakefs("pak add a.pak - --as progs.dat");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // the pipe stays open: a command that reads it waits
    let input = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    drop(input);
}
