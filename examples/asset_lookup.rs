//! An engine's loader: asks for a file by name, falls back to another, and prints where the file comes from.
//!
//! `cargo run --example asset_lookup`

use std::error::Error;

use quakefs::{Engine, FileData, SearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

/// The assets of a level, each with the one to use where it is missing.
const WANTED: [(&str, &str); 5] = [
    ("maps/start.bsp", "maps/e1m1.bsp"),
    ("progs/ogre.mdl", "progs/player.mdl"),
    ("progs/fiend.mdl", "progs/player.mdl"),
    ("sound/misc/secret.wav", "sound/misc/null.wav"),
    ("sound/fiend/sight.wav", "sound/misc/null.wav"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let quake = SearchPath::builder(GAME).engine(Engine::QuakeSpasm).game("mymod").mount()?;
    for finding in quake.findings() {
        println!("note: {finding}");
    }
    for (name, fallback) in WANTED {
        match load(&quake, name, fallback)? {
            Some((data, from)) => println!("{name:22} {:>3} bytes from {from}", data.len()),
            None => println!("{name:22}  not found, and neither is {fallback}"),
        }
    }
    Ok(())
}

/// The bytes may be kept for any time: they do not borrow from the search path.
fn load(
    quake: &SearchPath,
    name: &str,
    fallback: &str,
) -> Result<Option<(FileData, String)>, quakefs::Error> {
    let Some(hit) = quake.find(name).or_else(|| quake.find(fallback)) else { return Ok(None) };
    let place = match hit.stored().to_str() {
        Some(stored) if stored != name => format!("{} (stored as {stored})", hit.layer().name()),
        _ => hit.layer().name().to_owned(),
    };
    Ok(Some((hit.read()?, place)))
}
