//! Each system call that changes something fails once.

use std::process::Stdio;

use pak_format::Layout;
use testutils::{Folder, command};

use super::{BINARY, COMMANDS, EXTRACT, Scene, at_each, undisturbed};

pub(super) const FAULTS: [(&str, &[&str]); 4] = [
    ("error=ENOSPC", &["write", "pwrite64"]),
    ("error=EIO", &["fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat"]),
    ("error=EROFS", &["openat"]),
    ("error=EMFILE", &["openat"]),
];

#[testneeds::program("strace")]
#[test]
fn a_failed_system_call_leaves_the_old_or_the_new_archive() {
    for line in COMMANDS {
        let new = undisturbed(line);
        for (fault, calls) in FAULTS {
            at_each(line, calls, fault, |scene, ended| {
                let done = scene.is_new(&new, &ended.place);
                let code = ended.status.code();
                match code {
                    Some(0) => assert!(done, "{}: it says that it was done", ended.place),
                    // the loader of the binary
                    Some(127) => {}
                    _ => assert!(ended.err.starts_with("error: "), "{}: {}", ended.place, ended.err),
                }
                if done {
                    // the flush of the folder, or the answer, may have failed
                    assert!(!ended.err.contains("nothing was written"), "{}: {}", ended.place, ended.err);
                } else {
                    scene.assert_unchanged(&ended.place);
                }
                scene.assert_no_temporaries(&ended.place);
            });
        }
    }
}

/// A full folder for temporary files gave the editor an empty file, which then replaced the entry.
#[testneeds::program("strace")]
#[test]
fn a_failed_system_call_leaves_an_entry_as_it_was_or_as_it_was_edited() {
    let line = "pak edit a.pak quake.rc";
    let new = undisturbed(line);
    for (fault, calls) in FAULTS {
        at_each(line, calls, fault, |scene, ended| {
            let done = scene.is_new(&new, &ended.place);
            assert!(done || ended.status.code() != Some(0), "{}: it says that it was done", ended.place);
        });
    }
}

#[testneeds::program("strace")]
#[test]
fn a_failed_system_call_leaves_whole_extracted_files() {
    for (fault, calls) in FAULTS {
        at_each(EXTRACT, calls, fault, |scene, ended| {
            let written = scene.extracted(&ended.place);
            assert!(written == 4 || ended.status.code() != Some(0), "{}", ended.place);
            scene.assert_no_temporaries(&ended.place);
            scene.assert_unchanged(&ended.place);
        });
    }
}

/// The merge reads `a.pak`, then waits before it locks it.
#[testneeds::program("strace")]
#[test]
fn a_file_that_is_added_while_the_archive_is_merged_is_not_lost() {
    let archive = |name: &str| testutils::pack(Layout::Quake, [(name, "")]);
    let folder = Folder::with([("a.pak", archive("a")), ("b.pak", archive("b")), ("new", Vec::new())]);
    let trace = tempfile::NamedTempFile::new().unwrap();
    let mut merge = command("strace");
    merge.args(["-f", "-qq", "-e", "trace=flock", "-e", "inject=flock:delay_enter=2000000:when=1", "-o"]);
    merge.arg(trace.path()).arg(BINARY).args([
        "pak",
        "merge",
        "-o",
        "a.pak",
        "--overwrite",
        "b.pak",
        "a.pak",
    ]);
    let mut merge =
        merge.current_dir(folder.path()).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let add =
        command(BINARY).args(["pak", "add", "a.pak", "new"]).current_dir(folder.path()).output().unwrap();
    assert!(add.status.success(), "{add:?}");
    assert_eq!(merge.wait().unwrap().code(), Some(2));
    let list = command(BINARY).args(["pak", "list", "a.pak"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8(list.stdout).unwrap(), "a\nnew\n");
    assert_eq!(folder.names(""), ["a.pak", "b.pak", "new"]);
}

/// A container may allow one thread only. The first one then does all work.
#[testneeds::program("strace")]
#[test]
fn a_system_without_threads_gives_the_same_answers() {
    for line in ["pak catalog a.pak", "pak verify a.pak", "pak duplicates a.pak", "pak extract a.pak -o out"]
    {
        let (plain, refused) = (Scene::new(), Scene::new());
        let expected = plain.quakefs(line).output().unwrap();
        let mut strace = command("strace");
        strace.args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "trace=clone3",
            "-e",
            "inject=clone3:error=EAGAIN",
        ]);
        strace.arg(BINARY).args(line.split_whitespace());
        let answer = refused.here(strace).output().unwrap();
        let err = String::from_utf8_lossy(&answer.stderr).into_owned();
        assert_eq!(answer.status.code(), expected.status.code(), "{line}: {err}");
        assert!(!err.contains("panicked"), "{line}: {err}");
    }
}
