//! Any text as the options of a question: an error, or a game that answers each question of the waist, the
//! same twice.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use quakefs::disk::MemoryDisk;
use quakefs_game::{CheckOptions, Game, Options, Surroundings};
use testutils::{pack, zip};

fn disk() -> Arc<MemoryDisk> {
    let disk = MemoryDisk::new();
    let pak =
        pack(pak_format::Layout::Quake, [("maps/start.bsp", "level"), ("progs.dat", ""), ("gfx/a.lmp", "")]);
    let download = zip([("pd/progs.dat", "x"), ("pd/maps/new.bsp", "y")]);
    for (path, bytes) in [
        ("quake/id1/pak0.pak", pak),
        ("quake/id1/config.cfg", b"bind".to_vec()),
        ("quake/mod/maps/start.bsp", b"other".to_vec()),
        ("quake/baseq2/pak0.pak", b"PACK".to_vec()),
        ("down/pd.zip", download),
    ] {
        disk.insert(path, bytes).expect("a new file");
    }
    Arc::new(disk)
}

fuzz_target!(|input: (&str, &str)| {
    let (text, name) = input;
    let Ok(options) = serde_json::from_str::<Options>(text) else { return };
    let mut surroundings = Surroundings::of(disk());
    surroundings.folder = Some("quake".into());
    let answer = || match Game::open(&options, &surroundings) {
        Err(error) => error.to_string(),
        Ok(game) => {
            let which = serde_json::to_string(&game.which(name.as_bytes())).expect("a row");
            format!("{which}{:?}{:?}{:?}", game.path(), game.verdict(), game.check(&CheckOptions::default()))
        }
    };
    let first = answer();
    assert_eq!(first, answer());
});
