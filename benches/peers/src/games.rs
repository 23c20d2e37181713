//! The games for all measurements: the same names and contents as paks, pk3s and loose files.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pak_format::{Builder, Layout};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A base directory with `id1`, removed at the end.
pub struct Game {
    folder: TempDir,
}

impl Game {
    pub fn new() -> Game {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("id1")).unwrap();
        Game { folder }
    }

    pub fn base(&self) -> &Path {
        self.folder.path()
    }

    pub fn id1(&self) -> PathBuf {
        self.base().join("id1")
    }

    /// The paths of the archives, the lowest first.
    pub fn archives(&self, count: usize, extension: &str) -> Vec<PathBuf> {
        (0..count).map(|archive| self.id1().join(format!("pak{archive}.{extension}"))).collect()
    }
}

pub fn name(archive: usize, entry: usize) -> String {
    const FOLDERS: [&str; 5] = ["maps", "progs", "sound/ambience", "textures/base", "gfx/env"];
    format!("{}/m{archive:02}_{entry:05}.{}", FOLDERS[entry % 5], ["bsp", "mdl", "wav"][entry % 3])
}

/// Archives with distinct names.
pub fn paks(archives: usize, entries: usize, content: &[u8]) -> Game {
    let game = Game::new();
    for (archive, path) in game.archives(archives, "pak").into_iter().enumerate() {
        let mut pak = Builder::new(Layout::Quake);
        (0..entries).for_each(|entry| pak.add(name(archive, entry), content).unwrap());
        fs::write(path, pak.finish().unwrap()).unwrap();
    }
    game
}

/// The same as [`paks`] as pk3s, stored or deflated.
pub fn pk3s(archives: usize, entries: usize, content: &[u8], method: CompressionMethod) -> Game {
    let game = Game::new();
    let options = SimpleFileOptions::default().compression_method(method);
    for (archive, path) in game.archives(archives, "pk3").into_iter().enumerate() {
        let mut zip = ZipWriter::new(std::io::BufWriter::new(fs::File::create(path).unwrap()));
        for entry in 0..entries {
            zip.start_file(name(archive, entry), options).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
    }
    game
}

/// The entries of one of [`paks`] as loose files in `id1`.
pub fn loose(entries: usize, content: &[u8]) -> Game {
    let game = Game::new();
    for entry in 0..entries {
        let path = game.id1().join(name(0, entry));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    game
}

/// 20 KiB that deflate to about a third, like a text or a model.
pub fn text() -> Vec<u8> {
    const WORDS: [&str; 9] =
        ["origin", "angle", "classname", "monster_ogre", "target", "wait", "128", "-64", "\"\n\""];
    let mut state = 1_u32;
    let mut text = Vec::new();
    while text.len() < 20 * 1024 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(WORDS[(state >> 16) as usize % WORDS.len()].as_bytes());
        text.extend_from_slice(format!(" {} ", state >> 24).as_bytes());
    }
    text.truncate(20 * 1024);
    text
}

/// Names of archives and entries in a random order, the same at each run.
pub fn shuffled(archives: usize, entries: usize) -> Vec<String> {
    let mut numbers: Vec<usize> = (0..archives * entries).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for place in (1..numbers.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(place, usize::try_from(state >> 33).unwrap() % (place + 1));
    }
    numbers.into_iter().map(|number| name(number / entries, number % entries)).collect()
}
