//! A command with a journal, and its undo, stopped at each system call that changes something.

use std::collections::BTreeMap;
use std::fs;

use super::refused::FAULTS;
use super::stopped::CALLS;
use super::{Scene, files};

const FIX: &str = "--basedir game fix --write";
const UNDO: &str = "fix --undo game/quakefs-fix-1.jsonl";

fn game() -> Scene {
    let scene = Scene::new();
    for path in ["Id1/Maps/START.bsp", "Id1/Maps/e1m1.bsp", "Id1/PAK0.PAK", "mod/Config.cfg"] {
        fs::create_dir_all(scene.path("game").join(path).parent().unwrap()).unwrap();
        fs::write(scene.path("game").join(path), path).unwrap();
    }
    fs::copy(scene.path("a.pak"), scene.path("game/Id1/PAK0.PAK")).unwrap();
    scene
}

/// The files of the game with their contents, without temporary files.
fn tree(scene: &Scene) -> BTreeMap<String, Vec<u8>> {
    let root = scene.path("game");
    let mut tree = BTreeMap::new();
    files(&root, &mut |path| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".tmp") {
            tree.insert(name, fs::read(path).unwrap());
        }
    });
    tree
}

/// Undoes what was done, without a fault. A process that was stopped before its journal was complete did nothing.
fn assert_undone(scene: &Scene, before: &BTreeMap<String, Vec<u8>>, place: &str) {
    if scene.path("game/quakefs-fix-1.jsonl").exists() {
        let undone = scene.quakefs(UNDO).output().unwrap();
        assert_eq!(undone.status.code(), Some(0), "{place}: {}", String::from_utf8_lossy(&undone.stderr));
    }
    assert!(tree(scene) == *before, "{place}: {:?}", tree(scene).keys());
}

fn stopped_at_each_call(fault: &str, calls: &[&str]) {
    let before = tree(&game());
    let mut runs = 0;
    for (line, done) in [(FIX, "game/id1/maps/start.bsp"), (UNDO, "game/Id1/Maps/START.bsp")] {
        for call in calls {
            for count in 1.. {
                let scene = game();
                if line == UNDO {
                    assert!(scene.quakefs(FIX).status().unwrap().success());
                }
                let Some(ended) = scene.run_with(line, call, fault, count) else { break };
                // a folder that cannot be listed has no files to rename
                if *call != "openat" {
                    let is_done = scene.path(done).is_file();
                    assert!(is_done || ended.status.code() != Some(0), "{}", ended.place);
                }
                assert_undone(&scene, &before, &ended.place);
                runs += 1;
            }
        }
    }
    // the renames
    assert!(runs > 0, "{fault}");
}

#[test_with::executable(strace)]
#[test]
fn a_game_that_was_half_renamed_is_restored() {
    std::thread::scope(|scope| {
        scope.spawn(|| stopped_at_each_call("signal=SIGKILL", &[&CALLS[..], &["unlinkat"]].concat()));
        for (fault, calls) in FAULTS {
            scope.spawn(move || stopped_at_each_call(fault, calls));
        }
        scope.spawn(|| stopped_at_each_call("error=EIO", &["unlink", "unlinkat"]));
    });
}
