//! Search paths over the folders of this crate.

use std::path::Path;

use quakefs::disk::{Disk as _, MemoryDisk};
use quakefs::{Builder, File, Finding, SearchPath};

use crate::Folder;
use crate::folder::game_files;

/// A folder as a base directory.
pub trait Mount {
    /// A builder with the folder as the base directory.
    fn builder(&self) -> Builder;

    /// Mounts it under WinQuake's rules with these games.
    fn mount(&self, games: &str) -> SearchPath;
}

impl Mount for Folder {
    fn builder(&self) -> Builder {
        SearchPath::builder(self.path())
    }

    fn mount(&self, games: &str) -> SearchPath {
        with_games(self.builder(), games).mount().unwrap()
    }
}

/// A base directory in memory, from text as [`game`](crate::game) reads it.
pub fn game_in_memory(text: &str) -> Builder {
    let (disk, root) = (MemoryDisk::new(), Path::new("quake"));
    for (path, content) in game_files(text) {
        let path = format!("quake/{path}");
        match content {
            Some(content) => disk.insert(path, content).unwrap(),
            None => disk.make_folder(root, path.as_ref()).unwrap(),
        }
    }
    disk.make_folder(root, root).unwrap();
    SearchPath::builder("quake").disk(disk)
}

/// The builder with these games, by words.
pub fn with_games(builder: Builder, games: &str) -> Builder {
    games.split_whitespace().fold(builder, Builder::game)
}

/// The origin of a file, which [`game`](crate::game) writes as its content.
#[must_use]
pub fn place(file: &File<'_>) -> String {
    match file.entry() {
        Some(row) => format!("{}:{row}", file.layer().name()),
        None => format!("{}{}", file.layer().name(), file.stored()),
    }
}

/// The origins of files, in order.
#[must_use]
pub fn places<'a>(files: impl IntoIterator<Item = File<'a>>) -> String {
    files.into_iter().map(|file| place(&file)).collect::<Vec<_>>().join(" > ")
}

/// The layers of a search path, highest first.
#[must_use]
pub fn layers(quake: &SearchPath) -> String {
    quake.layers().map(quakefs::Layer::name).collect::<Vec<_>>().join(" > ")
}

/// The location of a finding and the name of its kind: `id1/pak2.pak: gap`.
#[must_use]
pub fn named(finding: &Finding) -> String {
    format!("{}: {}", finding.location, finding.kind.name())
}
