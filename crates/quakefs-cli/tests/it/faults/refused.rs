//! Each system call that changes something fails once.

use super::{COMMANDS, EXTRACT, at_each, undisturbed};

const FAULTS: [(&str, &[&str]); 3] = [
    ("error=ENOSPC", &["write", "pwrite64"]),
    ("error=EIO", &["fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat"]),
    ("error=EROFS", &["openat"]),
];

#[test_with::executable(strace)]
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

#[test_with::executable(strace)]
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
