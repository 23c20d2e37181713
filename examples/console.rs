//! An engine's loop with a console. It explains where a file comes from, lists folders, changes the game, and
//! reloads changed files.
//!
//! `cargo run --example console` runs a few commands in a small game. `cargo run --example console --
//! BASEDIR` reads commands from the standard input:
//!
//! ```text
//! where NAME    the winner and the copies that it overrides, or why the file is missing
//! dir FOLDER    the contents of a folder; without a name, of the root
//! reload        the changes on disk since the mount
//! game NAME     another mod, by the engine's own command
//! ```

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::error::Error;
use std::io;
use std::sync::Arc;

use quakefs::disk::{MemoryDisk, Overlay, SystemDisk};
use quakefs::sentences::Help;
use quakefs::why::{Explanation, explain, starts};
use quakefs::{Engine, LooseFiles, SearchPath, SharedSearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

const SCRIPT: &str = "where maps/start.bsp
where maps/strat.bsp
dir maps
game mymod
where maps/start.bsp
dir nowhere";

/// The file part of an engine. Other threads that load assets hold a clone of `files`.
struct Console {
    /// A disk over the base directory, for files that an editor has not saved yet.
    unsaved: Arc<MemoryDisk>,
    files: SharedSearchPath,
}

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().nth(1);
    let base = given.as_deref().unwrap_or(GAME);
    let unsaved = Arc::new(MemoryDisk::new());
    let disk = Overlay::new(Arc::clone(&unsaved), SystemDisk, base)?;
    let game = SearchPath::builder(base).disk(disk).engine(Engine::QuakeSpasm);
    // with listed loose files, a lookup makes no system call, and a reload notices changed files
    let game = game.loose_files(LooseFiles::Listed);
    let files = SharedSearchPath::new(game.mount()?);
    let console = Console { unsaved, files };
    if given.is_some() {
        io::stdin().lines().try_for_each(|line| line.map(|line| console.run(&line)))?;
        return Ok(());
    }
    for line in SCRIPT.lines() {
        println!("] {line}");
        console.run(line);
    }
    println!("] reload, after a file was written");
    console.unsaved.insert("id1/autoexec.cfg", "map start\n")?;
    console.run("reload");
    Ok(())
}

impl Console {
    /// Runs a line and prints its error, if any; the game goes on.
    fn run(&self, line: &str) {
        if let Err(error) = self.try_run(line) {
            say(&error);
        }
    }

    fn try_run(&self, line: &str) -> Result<(), quakefs::Error> {
        let (command, argument) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "where" => self.tell(argument),
            "dir" => self.dir(argument)?,
            "reload" => self.swap(&self.files.load().remount()?),
            _ => self.swap(&self.files.load().at_console(line)?),
        }
        Ok(())
    }

    fn tell(&self, name: &str) {
        let files = self.files.load();
        match explain(&files, name) {
            Explanation::Served { winner, overridden, .. } => {
                println!("{}, {} bytes", winner.location(), winner.size());
                for (copy, rule) in overridden {
                    println!("  overrides {}: {}", copy.location(), rule);
                }
            }
            Explanation::Missing(missing) => say(&missing),
        }
    }

    fn dir(&self, folder: &str) -> Result<(), quakefs::Error> {
        for entry in self.files.load().read_dir(folder)? {
            match &entry.file {
                Some(file) => println!("{:>8}  {:16} {}", file.size(), entry.name, file.layer().name()),
                None => println!("{:>8}  {}/", "", entry.name),
            }
        }
        Ok(())
    }

    /// Replaces the search path and lists the names to load again. Bytes that other threads already read stay
    /// valid.
    fn swap(&self, new: &SearchPath) {
        if let Err(stops) = starts(new) {
            let engine = &new.rules().name;
            return stops.iter().for_each(|stop| println!("{engine} does not start: {stop}"));
        }
        new.findings().for_each(|finding| println!("note: {finding}"));
        let old = self.files.store(new.clone());
        for change in new.changes_since(&old) {
            println!("{:8} {}", change.kind, change.name());
        }
    }
}

/// Prints a sentence and its advice.
fn say(thing: &impl Help) {
    println!("{thing}");
    thing.help(None).into_iter().for_each(|help| println!("  help: {help}"));
}
