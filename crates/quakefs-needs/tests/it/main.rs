//! The needs of levels, compared with search paths in memory and with the requests of engines.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a suite: what panics fails a test"
)]

mod engines;
mod halflife;
mod levels;
mod paid;
mod release;
mod shaders;

use quakefs::disk::MemoryDisk;
use quakefs::{Engine, SearchPath};
use quakefs_needs::{Levels, Need, Needs};

/// A game of these files, below `id1` and `mod`.
fn mount<N: AsRef<str>, C: AsRef<[u8]>>(
    engine: Engine,
    files: impl IntoIterator<Item = (N, C)>,
) -> SearchPath {
    let disk = MemoryDisk::new();
    let base = engine.rules().directories.base[0].to_string();
    disk.insert(format!("/quake/{base}/default.cfg"), b"".to_vec()).unwrap();
    for (name, content) in files {
        let name = name.as_ref().replace("BASE/", &format!("{base}/"));
        disk.insert(format!("/quake/{name}"), content.as_ref().to_vec()).unwrap();
    }
    SearchPath::builder("/quake").disk(disk).engine(engine).game("mod").mount().unwrap()
}

fn needs(search_path: &SearchPath, level: &str) -> Needs {
    Levels::new(search_path).of(&[level]).remove(0)
}

/// The names of the needs of some kind, each with whether it is found.
fn named(needs: &Needs, wanted: impl Fn(&Need) -> bool) -> Vec<(String, bool)> {
    let wanted = needs.needed.iter().filter(|need| wanted(need));
    wanted.map(|need| (need.name.to_string(), need.is_found)).collect()
}
