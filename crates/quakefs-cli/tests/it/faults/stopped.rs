//! Killed or interrupted, at each system call that changes something.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use pak_format::Layout;
use testutils::Pack;

use super::{COMMANDS, EXTRACT, Scene, at_each, undisturbed};

const CALLS: [&str; 13] = [
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "fchmod",
    "openat",
];

#[track_caller]
fn killed(line: &str) {
    let new = undisturbed(line);
    let runs = at_each(line, &CALLS, "signal=SIGKILL", |scene, ended| {
        assert_eq!(ended.status.signal(), Some(9), "{}", ended.place);
        scene.is_new(&new, &ended.place);
    });
    // loading the binary, the writes and the syncs
    assert!(runs > 10, "{runs}");
}

#[test_with::executable(strace)]
#[test]
fn killing_create_leaves_the_old_or_the_new_archive() {
    killed(COMMANDS[0]);
}

#[test_with::executable(strace)]
#[test]
fn killing_add_leaves_the_old_or_the_new_archive() {
    killed(COMMANDS[1]);
}

#[test_with::executable(strace)]
#[test]
fn killing_remove_leaves_the_old_or_the_new_archive() {
    killed(COMMANDS[2]);
}

#[test_with::executable(strace)]
#[test]
fn killing_rename_leaves_the_old_or_the_new_archive() {
    killed(COMMANDS[3]);
}

#[test_with::executable(strace)]
#[test]
fn killing_repack_leaves_the_old_or_the_new_archive() {
    killed(COMMANDS[4]);
}

#[test_with::executable(strace)]
#[test]
fn killing_extract_leaves_whole_files() {
    let most = std::cell::Cell::new(0);
    at_each(EXTRACT, &[&CALLS[..], &["mkdir"]].concat(), "signal=SIGKILL", |scene, ended| {
        assert_eq!(ended.status.signal(), Some(9), "{}", ended.place);
        most.set(most.get().max(scene.extracted(&ended.place)));
        scene.assert_unchanged(&ended.place);
    });
    assert_eq!(most.get(), 4);
}

/// An interrupt stops the command or comes too late, and leaves no temporary file.
#[test_with::executable(strace)]
#[test]
fn an_interrupt_leaves_the_old_or_the_new_archive_and_no_temporary_file() {
    for line in COMMANDS {
        let new = undisturbed(line);
        at_each(line, &["write", "fsync", "ftruncate", "rename"], "signal=SIGINT", |scene, ended| {
            let done = scene.is_new(&new, &ended.place);
            assert_eq!(ended.status.code(), Some(if done { 0 } else { 2 }), "{}: {}", ended.place, ended.err);
            if !done {
                assert!(ended.err.contains("interrupted"), "{}: {}", ended.place, ended.err);
                scene.assert_unchanged(&ended.place);
            }
            scene.assert_no_temporaries(&ended.place);
        });
    }
}

pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn interrupted_with(child: Child, name: &str) {
    let answer = child.wait_with_output().unwrap();
    let err = String::from_utf8(answer.stderr).unwrap();
    assert_eq!(answer.status.code(), Some(2), "{name}: {err}");
    assert!(err.contains("interrupted"), "{name}: {err}");
}

/// Waits until `a.pak` has more than `before` bytes, or a temporary file has some.
pub(crate) fn wait_for_growth(folder: &Path, before: usize) {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        for file in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
            let size = file.metadata().map_or(0, |found| found.len());
            let name = file.file_name();
            let is_temporary = name.to_string_lossy().ends_with(".tmp");
            if (is_temporary && size > 0) || (name == "a.pak" && size > before as u64) {
                return;
            }
        }
    }
    panic!("nothing was written");
}

/// An interrupt comes in time, however late.
const LARGE: u64 = 3 << 30;

#[test]
fn an_interrupt_stops_a_long_create() {
    for name in ["TERM", "INT"] {
        let scene = Scene::new();
        // sparse: what is not packed takes no room
        fs::File::create(scene.path("new/large")).unwrap().set_len(LARGE).unwrap();
        for line in &COMMANDS[..2] {
            let child = scene.heedful(line).spawn().unwrap();
            wait_for_growth(scene.folder.path(), scene.old.len());
            signal(&child, name);
            interrupted_with(child, name);
            scene.assert_unchanged(line);
            scene.assert_no_temporaries(line);
        }
    }
}

#[test]
fn an_interrupt_stops_a_long_extract() {
    const SIZE: u32 = 1 << 20;
    let scene = Scene::new();
    // one payload, many times over
    let rows = u32::try_from(LARGE).unwrap() / SIZE;
    let mut pack = Pack::new(Layout::Quake);
    let offset = pack.payload(&vec![0; SIZE as usize]);
    for number in 0..rows {
        pack.row(format!("large/{number}").as_bytes(), offset, SIZE);
    }
    fs::write(scene.path("large.pak"), pack.finish()).unwrap();
    for name in ["TERM", "INT"] {
        let out = scene.path(name).join("large");
        let line = format!("pak extract large.pak --max-output 4G -o {name}");
        let child = scene.heedful(&line).spawn().unwrap();
        wait_for_growth(&out, 0);
        signal(&child, name);
        interrupted_with(child, name);
        scene.assert_no_temporaries(name);
        let written: Vec<_> = fs::read_dir(out).unwrap().map(Result::unwrap).collect();
        assert!(written.len() < rows as usize, "{name}: it was not stopped");
        assert!(written.iter().all(|file| file.metadata().unwrap().len() == u64::from(SIZE)), "{name}");
    }
}
