//! A search path as a source of `assets_manager`: the asset `maps.start` with the extension `bsp` is
//! `maps/start.bsp`.
//!
//! `cargo run --example assets_manager`

use assets_manager::source::{DirEntry, FileContent, Source};
use assets_manager::{AssetCache, BoxedError, FileAsset};
use quakefs::{Engine, SearchPath};
use std::{borrow::Cow, io};

struct Quake(SearchPath);

/// The name for the id `maps.start` and the extension `bsp`. A name with another dot has no id.
fn name(id: &str, extension: &str) -> String {
    let dot = if extension.is_empty() { "" } else { "." };
    format!("{}{dot}{extension}", id.replace('.', "/"))
}

impl Source for Quake {
    fn read(&self, id: &str, extension: &str) -> io::Result<FileContent<'_>> {
        Ok(FileContent::from_owned(self.0.read(name(id, extension))?)) // lent from the archive
    }

    fn read_dir(&self, id: &str, each: &mut dyn FnMut(DirEntry<'_>)) -> io::Result<()> {
        let prefix = if id.is_empty() { String::new() } else { format!("{id}.") };
        for entry in self.0.read_dir(name(id, ""))? {
            let Ok(child) = std::str::from_utf8(entry.name.as_bytes()) else { continue };
            match child.rsplit_once('.') {
                _ if entry.is_dir() => each(DirEntry::Directory(&format!("{prefix}{child}"))),
                Some((stem, extension)) => each(DirEntry::File(&format!("{prefix}{stem}"), extension)),
                None => each(DirEntry::File(&format!("{prefix}{child}"), "")),
            }
        }
        Ok(())
    }

    fn exists(&self, entry: DirEntry<'_>) -> bool {
        match entry {
            DirEntry::File(id, extension) => self.0.find(name(id, extension)).is_some(),
            DirEntry::Directory(id) => self.0.is_dir(name(id, "")),
        }
    }
}

struct Level(usize);

impl FileAsset for Level {
    const EXTENSION: &'static str = "bsp";

    fn from_bytes(bytes: Cow<'_, [u8]>) -> Result<Self, BoxedError> {
        Ok(Level(bytes.len()))
    }
}

fn main() -> Result<(), BoxedError> {
    let base = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");
    let quake = SearchPath::builder(base).engine(Engine::QuakeSpasm).game("mymod").mount()?;
    let cache = AssetCache::with_source(Quake(quake));
    assert_eq!(cache.load::<Level>("maps.start")?.read().0, 203);
    let maps = cache.load_dir::<Level>("maps")?;
    assert!(maps.read().ids().any(|id| id == "maps.e1m1"));
    Ok(())
}
