//! A command with a journal, and its undo, stopped at each system call that changes something.

use std::collections::BTreeMap;
use std::fs;

use super::refused::FAULTS;
use super::stopped::CALLS;
use super::{Scene, files};

/// A command that writes a journal, and the command that undoes it. Each makes a file.
pub(super) struct Pair {
    pub(super) write: &'static str,
    written: &'static str,
    pub(super) undo: &'static str,
    pub(super) journal: &'static str,
}

pub(super) const FIX: Pair = Pair {
    write: "--basedir game fix --write",
    written: "game/id1/maps/start.bsp",
    undo: "fix --undo game/quakefs-fix-1.jsonl",
    journal: "game/quakefs-fix-1.jsonl",
};
pub(super) const PLACE: Pair = Pair {
    write: "--basedir game place pd.zip --write",
    written: "game/pd/sound/a.wav",
    undo: "place --undo game/quakefs-place-1.jsonl",
    journal: "game/quakefs-place-1.jsonl",
};

pub(super) fn game() -> Scene {
    let scene = Scene::new();
    for path in ["Id1/Maps/START.bsp", "Id1/Maps/e1m1.bsp", "Id1/PAK0.PAK", "mod/Config.cfg", "pd/kept.cfg"] {
        fs::create_dir_all(scene.path("game").join(path).parent().unwrap()).unwrap();
        fs::write(scene.path("game").join(path), path).unwrap();
    }
    fs::copy(scene.path("a.pak"), scene.path("game/Id1/PAK0.PAK")).unwrap();
    let files = [("pd/progs.dat", "program"), ("pd/maps/new.bsp", "a level"), ("pd/sound/a.wav", "a sound")];
    fs::write(scene.path("pd.zip"), testutils::zip_deflated(files)).unwrap();
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

/// Undoes what was done, without a fault. A process that was stopped before its journal was complete did
/// nothing.
fn assert_undone(pair: &Pair, scene: &Scene, before: &BTreeMap<String, Vec<u8>>, place: &str) {
    if scene.path(pair.journal).exists() {
        let undone = scene.quakefs(pair.undo).output().unwrap();
        assert_eq!(undone.status.code(), Some(0), "{place}: {}", String::from_utf8_lossy(&undone.stderr));
    }
    assert!(tree(scene) == *before, "{place}: {:?}", tree(scene).keys());
}

fn stopped_at_each_call(pair: &Pair, fault: &str, calls: &[&str]) {
    let before = tree(&game());
    let mut runs = 0;
    for undoes in [false, true] {
        for call in calls {
            for count in 1.. {
                let scene = game();
                if undoes {
                    assert!(scene.quakefs(pair.write).status().unwrap().success());
                }
                let line = if undoes { pair.undo } else { pair.write };
                let Some(ended) = scene.run_with(line, call, fault, count) else { break };
                // a folder that cannot be listed has no files to change
                if *call != "openat" {
                    let is_done = scene.path(pair.written).is_file() != undoes;
                    assert!(is_done || ended.status.code() != Some(0), "{}", ended.place);
                }
                assert_undone(pair, &scene, &before, &ended.place);
                runs += 1;
            }
        }
    }
    assert!(runs > 0, "{fault}");
}

fn stopped_everywhere(pair: &'static Pair) {
    std::thread::scope(|scope| {
        scope.spawn(|| stopped_at_each_call(pair, "signal=SIGKILL", &[&CALLS[..], &["unlinkat"]].concat()));
        for (fault, calls) in FAULTS {
            scope.spawn(move || stopped_at_each_call(pair, fault, calls));
        }
        scope.spawn(|| stopped_at_each_call(pair, "error=EIO", &["unlink", "unlinkat"]));
    });
}

#[testneeds::program("strace")]
#[test]
fn a_game_that_was_half_renamed_is_restored() {
    stopped_everywhere(&FIX);
}

#[testneeds::program("strace")]
#[test]
fn a_download_that_was_half_unpacked_is_removed() {
    stopped_everywhere(&PLACE);
}
