//! Stacks over the folders of this crate.

use std::path::Path;

use quakefs::disk::{Disk as _, MemoryDisk};
use quakefs::{Builder, File, Finding, SearchPath};

use crate::Folder;
use crate::folder::game_files;

/// A folder as a base directory.
pub trait Mount {
    /// The folder as the base directory of a stack.
    fn builder(&self) -> Builder;

    /// Mounted as WinQuake mounts it, with these games.
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

/// Where a file comes from, as [`game`](crate::game) fills it.
#[must_use]
pub fn place(hit: &File<'_>) -> String {
    match hit.entry() {
        Some(row) => format!("{}:{row}", hit.layer().name()),
        None => format!("{}{}", hit.layer().name(), hit.stored()),
    }
}

/// Where files come from, in their order.
#[must_use]
pub fn places<'a>(hits: impl IntoIterator<Item = File<'a>>) -> String {
    hits.into_iter().map(|hit| place(&hit)).collect::<Vec<_>>().join(" > ")
}

/// The layers of a stack, highest first.
#[must_use]
pub fn layers(quake: &SearchPath) -> String {
    quake.layers().map(quakefs::Layer::name).collect::<Vec<_>>().join(" > ")
}

/// Where a finding is and the name of its kind: `id1/pak2.pak: gap`.
#[must_use]
pub fn named(finding: &Finding) -> String {
    format!("{}: {}", finding.location, finding.kind.name())
}
