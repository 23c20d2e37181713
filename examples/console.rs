//! An engine's loop with a console: says where a file comes from, lists folders, changes the game, and loads again what changed.
//!
//! `cargo run --example console` types a few commands over a small game; `cargo run --example console -- BASEDIR` reads them
//! from the standard input:
//!
//! ```text
//! where NAME    the copy that the engine loads, those that it hides, or why there is none
//! dir FOLDER    what is in a folder; without a name, in the root
//! reload        what changed on disk since the mount
//! game NAME     another mod, by the engine's own command
//! ```

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::error::Error;
use std::io;
use std::sync::Arc;

use quakefs::disk::{MemoryDisk, Overlay, SystemDisk};
use quakefs::why::words::{self, Say};
use quakefs::why::{Explanation, explain, starts};
use quakefs::{Builder, Engine, LooseFiles, SearchPath, SharedSearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

const SCRIPT: &str = "where maps/start.bsp
where maps/strat.bsp
dir maps
game mymod
where maps/start.bsp
dir nowhere";

/// What the engine has beside its renderer: the files. Other threads that load assets hold a clone of `files`.
struct Console {
    /// The game without a mod.
    game: Builder,
    /// Lies over the base directory, as an editor's files that are not saved yet.
    unsaved: Arc<MemoryDisk>,
    files: SharedSearchPath,
}

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().nth(1);
    let base = given.as_deref().unwrap_or(GAME);
    let unsaved = Arc::new(MemoryDisk::new());
    let disk = Overlay::new(Arc::clone(&unsaved), SystemDisk, base)?;
    let game = SearchPath::builder(base).disk(disk).engine(Engine::QuakeSpasm);
    // listed, loose files make no system call when they are looked up, and show at a reload which of them changed
    let game = game.loose_files(LooseFiles::Listed);
    let files = SharedSearchPath::new(game.clone().mount()?);
    let console = Console { game, unsaved, files };
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
    /// Runs a line. Whatever goes wrong is said, and the game goes on.
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
            _ => self.change_game(line)?,
        }
        Ok(())
    }

    /// Mounts what the engine's own command asks for. The archives that are open already are shared.
    fn change_game(&self, line: &str) -> Result<(), quakefs::Error> {
        let before = self.files.load();
        let Some(command) = &before.rules().console else { return Ok(()) };
        match command.read(line) {
            Ok(asked) => {
                let game = self.game.clone().games(asked.games).missions(asked.missions);
                self.swap(&game.mount_after(Some(&before), &mut |_| ())?);
            }
            Err(refusal) => println!("where NAME, dir FOLDER, reload, {} NAME: {refusal}", command.command),
        }
        Ok(())
    }

    fn tell(&self, name: &str) {
        let files = self.files.load();
        match explain(&files, name) {
            Explanation::Served { winner, hidden, .. } => {
                println!("{}, {} bytes", winner.place(), winner.size());
                for (copy, rule) in hidden {
                    println!("  hides {}: {}", copy.place(), rule.say());
                }
            }
            Explanation::Missing(missing) => say(&missing),
        }
    }

    fn dir(&self, folder: &str) -> Result<(), quakefs::Error> {
        for entry in self.files.load().read_dir(folder)? {
            match entry.file() {
                Some(file) => println!("{:>8}  {:16} {}", file.size(), entry.name(), file.layer().name()),
                None => println!("{:>8}  {}/", "", entry.name()),
            }
        }
        Ok(())
    }

    /// Puts another stack in and says what has to be loaded again. What other threads read meanwhile stays valid.
    fn swap(&self, new: &SearchPath) {
        if let Err(stops) = starts(new) {
            let why = words::does_not_start(&new.rules().name, &stops);
            return println!("{}", why.unwrap_or_default());
        }
        new.findings().for_each(|finding| println!("note: {}", words::in_place(finding)));
        let old = self.files.store(new.clone());
        for change in new.changes_since(&old) {
            println!("{:8} {}", change.kind, change.name());
        }
    }
}

/// A sentence, and what to do.
fn say(thing: &impl Say) {
    let said = thing.say();
    println!("{said}");
    said.help().into_iter().for_each(|help| println!("  help: {help}"));
}
