//! Builds an archive in memory and mounts it on top of a game, as a level editor could to try an unsaved
//! level.
//!
//! `cargo run --example archive_in_memory`

use std::error::Error;

use pak_format::{Builder, Layout};
use quakefs::SearchPath;

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

fn main() -> Result<(), Box<dyn Error>> {
    let mut pak = Builder::new(Layout::Quake);
    pak.add("maps/start.bsp", "a level: start, not saved yet\n")?;
    pak.add("autoexec.cfg", "map start\n")?;
    let image = pak.finish()?;
    println!("built an archive of {} bytes", image.len());

    let quake = SearchPath::builder(GAME).memory("unsaved.pak", image).mount()?;
    for copy in quake.copies("autoexec.cfg") {
        let text = copy.read()?;
        println!("{:14} {}", copy.layer().name(), String::from_utf8_lossy(&text).trim_end());
    }
    Ok(())
}
