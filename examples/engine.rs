//! The file layer of a QuakeWorld client: its command line, the server's game and downloads, a cache, demos
//! and screenshots.
//!
//! `cargo run --example engine` plays a short session in a copy of a small game.

use std::collections::HashMap;
use std::error::Error;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;

use quakefs::rules::CommandLine;
use quakefs::{Builder, Engine, FileData, LooseFiles, SearchPath};

/// The files of a running client.
struct Files {
    quake: SearchPath,
    /// What was read, under the key of its name.
    cache: HashMap<Vec<u8>, FileData>,
}

impl Files {
    /// Mounts the game of the command line, with a folder of earlier downloads on top.
    fn start(base: &Path, downloads: &Path, words: &[&str]) -> Result<Files, quakefs::Error> {
        let line = CommandLine::read(Engine::EzQuake.rules(), words);
        let game = Builder::new().base_directory(base).engine(Engine::EzQuake).command_line(&line);
        // a change is noticed by the times of listed files
        let game = game.game_directory(downloads).loose_files(LooseFiles::Listed);
        let quake = game.refuse_missing_games().mount()?;
        quake.findings().for_each(|finding| println!("note: {finding}"));
        Ok(Files { quake, cache: HashMap::new() })
    }

    fn load(&mut self, name: &str) -> Result<FileData, quakefs::Error> {
        let key = self.quake.key(name);
        if let Some(known) = self.cache.get(&key) {
            return Ok(known.clone());
        }
        let data = self.quake.read(name)?;
        self.cache.insert(key, data.clone());
        Ok(data)
    }

    /// Uses another search path, and forgets the files that differ in it.
    fn swap(&mut self, quake: SearchPath) {
        for change in quake.changes_since(&self.quake) {
            if self.cache.remove(change.key()).is_some() {
                println!("  forgets {}: {}", change.name(), change.kind);
            }
        }
        self.quake = quake;
    }

    /// Joins a server, which names the game.
    fn join(&mut self, game: &str) -> Result<(), quakefs::Error> {
        let joined = self.quake.remount_with(|builder| builder.without_games().server_game(game))?;
        println!("joined a server: {}", layers(&joined));
        self.swap(joined);
        Ok(())
    }

    /// Takes a file from the server.
    fn download(&mut self, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        let mut file = self.quake.download(name)?;
        if let Some(other) = file.overridden_by() {
            println!("  {name} would not be found: {} overrides it", other.location());
            return Ok(());
        }
        file.write_all(bytes)?;
        file.commit()?;
        let again = self.quake.remount()?;
        self.swap(again);
        Ok(())
    }
}

fn layers(quake: &SearchPath) -> String {
    quake.layers().map(quakefs::Layer::name).collect::<Vec<_>>().join(" > ")
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (base, downloads) = (folder.path().join("quake"), folder.path().join("downloads"));
    for (path, text) in [
        ("quake/id1/maps/e1m1.bsp", "a level"),
        ("quake/ctf/skins/red.pcx", "red"),
        ("downloads/sound/hit.wav", "a hit"),
    ] {
        let path = folder.path().join(path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, text)?;
    }

    let mut files = Files::start(&base, &downloads, &["-width", "640"])?;
    println!(
        "writes to {}",
        files.quake.write_dir().and_then(|folder| folder.file_name()).unwrap_or("nowhere")
    );
    assert_eq!(files.load("maps/e1m1.bsp")?, "a level");
    assert_eq!(files.load("sound/hit.wav")?, "a hit");

    files.join("ctf")?;
    assert_eq!(files.load("skins/red.pcx")?, "red");
    for name in ["progs/flag.mdl", "sound/hit.wav", "pak7.pak", "../autoexec.cfg", "autoexec.cfg"] {
        if let Err(error) = files.download(name, b"from the server") {
            println!("  {error}");
        }
    }
    assert_eq!(files.load("progs/flag.mdl")?, "from the server");
    files.download("maps/E1M1.bsp", b"another level")?;

    let mut demo = files.quake.create("demos/run.mvd")?;
    demo.write_all(b"0000 frames")?;
    demo.seek(SeekFrom::Start(0))?;
    demo.write_all(b"0042")?;
    demo.commit()?;
    files.quake.create("screenshots/1.tga")?.unflushed().commit_with("pixels")?;
    files.swap(files.quake.remount()?);
    assert_eq!(files.load("demos/run.mvd")?, "0042 frames");

    let error = files.join("cft").unwrap_err();
    println!("{error}: {}", error.help(None).unwrap_or_default());
    let home = files.quake.remount_with(Builder::without_games)?;
    files.swap(home);
    println!("left: {}", layers(&files.quake));
    Ok(())
}
