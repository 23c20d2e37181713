//! Lists the files of the game that a mod replaces, and whether their bytes differ.
//!
//! `cargo run --example what_a_mod_replaces`

use std::error::Error;

use quakefs::{Engine, SearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

fn main() -> Result<(), Box<dyn Error>> {
    let quake = SearchPath::builder(GAME).engine(Engine::QuakeSpasm).game("mymod").mount()?;
    println!("{:22} {:16} {:14} bytes", "name", "served from", "instead of");
    for pair in quakefs::why::overridden(&quake) {
        let (mod_layer, base_layer) = (pair.winner.layer().name(), pair.copy.layer().name());
        if !mod_layer.starts_with("mymod/") || !base_layer.starts_with("id1/") {
            continue;
        }
        let bytes = match pair.winner.is_same_content(&pair.copy) {
            Ok(true) => "the same".to_owned(),
            Ok(false) => format!("{} for {}", pair.winner.size(), pair.copy.size()),
            // a damaged copy still overrides the others
            Err(error) => error.to_string(),
        };
        println!("{:22} {mod_layer:16} {base_layer:14} {bytes}", pair.winner.stored().to_string());
    }
    Ok(())
}
