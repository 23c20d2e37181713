//! Changes the mod at run time while another thread reads, and lists what has to be loaded again.
//!
//! `cargo run --example swap_mod`

use std::error::Error;
use std::sync::mpsc;
use std::thread;

use quakefs::{SearchPath, SharedSearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

fn mount(game: &str) -> Result<SearchPath, quakefs::Error> {
    SearchPath::builder(GAME).game(game).mount()
}

fn main() -> Result<(), Box<dyn Error>> {
    let shared = SharedSearchPath::new(mount("mymod")?);
    let (ask, asked) = mpsc::channel::<&str>();
    let (answer, answers) = mpsc::channel();

    thread::scope(|scope| {
        let shared = &shared;
        scope.spawn(move || {
            for name in asked {
                // One clone for each request: all that the request looks up comes from the same stack.
                if answer.send(shared.load().read(name)).is_err() {
                    return;
                }
            }
        });

        ask.send("maps/start.bsp")?;
        let before = answers.recv()??;
        println!("mymod:  {}", String::from_utf8_lossy(&before).trim_end());

        // A thread that reads meanwhile keeps the old stack until its next request.
        let new = mount("gapmod")?;
        let old = shared.store(new.clone());
        for change in new.changes_since(&old) {
            println!("        {:?} {}", change.kind, change.name());
        }
        ask.send("maps/start.bsp")?;
        let after = answers.recv()??;
        println!("gapmod: {}", String::from_utf8_lossy(&after).trim_end());
        println!("kept:   {}", String::from_utf8_lossy(&before).trim_end());

        drop(ask);
        Ok(())
    })
}
