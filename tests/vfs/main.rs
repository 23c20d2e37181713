//! The search path as those see it who use it.

mod allocation;
mod check;
mod data;
mod engines;
mod game;
mod listing;
mod lookup;
mod own_rules;
mod precedence;
mod problems;
// names that differ in case alone, or are not UTF-8, cannot be on every disk
#[cfg(target_os = "linux")]
mod property;
mod registration;
mod stack;
mod user;
mod write;

use std::error::Error as _;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::layout::{Header, Row};
use quakefs::{Access, Builder, Engine, Error, Hit, Layout, LooseFiles, Rules, SearchPath};
use tempfile::TempDir;

/// A base directory that is gone when this is.
struct Game {
    _folder: TempDir,
    base: Utf8PathBuf,
}

/// Makes a base directory from text: `id1/pak0.pak: a.cfg b.cfg; mod/: c.cfg`.
///
/// A file holds its own place, `id1/pak0.pak:1` or `mod/c.cfg`, so that its bytes tell where they come from;
/// `a.cfg=hello` gives it other ones. The extension of an archive says of which kind it is.
fn game(text: &str) -> Game {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8Path::from_path(folder.path()).unwrap().to_owned();
    for layer in text.split(';').map(str::trim).filter(|layer| !layer.is_empty()) {
        let (place, names) = layer.split_once(':').unwrap();
        let names = names.split_whitespace().enumerate().map(|(row, name)| match name.split_once('=') {
            Some((name, content)) => (name, content.to_owned()),
            None if place.ends_with('/') => (name, format!("{place}{name}")),
            None => (name, format!("{place}:{row}")),
        });
        if place.ends_with('/') {
            fs::create_dir_all(base.join(place)).unwrap();
            names.for_each(|(name, content)| write(&base.join(place).join(name), content));
        } else {
            let image = match place.rsplit('.').next() {
                Some("pk3" | "pkz" | "PK3") => zip(names),
                Some("sin") => pack(Layout::Sin, names),
                _ => pack(Layout::Quake, names),
            };
            write(&base.join(place), image);
        }
    }
    Game { _folder: folder, base }
}

impl Game {
    fn path(&self, path: &str) -> Utf8PathBuf {
        self.base.join(path)
    }

    fn builder(&self) -> Builder {
        SearchPath::builder(&self.base)
    }

    /// As WinQuake sees it, with its first game.
    fn mount(&self, game: &str) -> SearchPath {
        with_games(self.builder(), game).mount().unwrap()
    }

    /// Texts that are the same wherever the base directory is.
    fn redact(&self, text: &str) -> String {
        text.replace(self.base.as_str(), "BASE").replace("BASE\\", "BASE/")
    }
}

fn with_games(builder: Builder, games: &str) -> Builder {
    games.split_whitespace().fold(builder, Builder::game)
}

fn write(path: &Utf8Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// An archive of names as they come: the builder of `pak_format` refuses what the world's archives hold.
fn pack<N: AsRef<[u8]>, C: AsRef<[u8]>>(layout: Layout, files: impl IntoIterator<Item = (N, C)>) -> Vec<u8> {
    let mut image = vec![0; Header::SIZE];
    let mut rows = Vec::new();
    let number = |size: usize| u32::try_from(size).unwrap();
    for (name, content) in files {
        let (name, content) = (name.as_ref(), content.as_ref());
        let (offset, size) = (number(image.len()), number(content.len()));
        Row { name, offset, size, compressed_size: size, compression: 0 }.encode(layout, &mut rows);
        image.extend(content);
    }
    let (directory_offset, directory_size) = (number(image.len()), number(rows.len()));
    let header = Header { magic: layout.magic(), directory_offset, directory_size };
    image[..Header::SIZE].copy_from_slice(&header.encode());
    image.extend(rows);
    image
}

/// A ZIP of files that are stored as they are.
fn zip<N: AsRef<str>, C: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, C)>) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, content) in files {
        let (mut entry, config) = archive.new_file(name.as_ref()).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(content.as_ref()).unwrap();
        let (_, descriptor) = writer.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

/// Where a file comes from, as [`game`] fills it.
fn place(hit: &Hit<'_>) -> String {
    match hit.entry() {
        Some(row) => format!("{}:{row}", hit.layer().name()),
        None => format!("{}{}", hit.layer().name(), hit.stored()),
    }
}

fn places<'a>(hits: impl IntoIterator<Item = Hit<'a>>) -> String {
    hits.into_iter().map(|hit| place(&hit)).collect::<Vec<_>>().join(" > ")
}

fn layers(quake: &SearchPath) -> String {
    quake.layers().map(quakefs::Layer::name).collect::<Vec<_>>().join(" > ")
}

/// Every copy of a name, the winner first, each as its bytes tell: loose files asked and listed, archives mapped
/// and read.
fn check_rules(rules: &Rules, tree: &str, games: &str, request: &str, expected: &str) {
    let game = game(tree);
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        for access in [Access::Map, Access::Read] {
            let builder = game.builder().rules(rules.clone()).loose_files(loose).access(access);
            let quake = with_games(builder, games).mount().unwrap();
            let copies = quake.copies(request);
            assert_eq!(places(copies.iter().cloned()), expected, "{request:?} {loose:?} {access:?}");
            for copy in &copies {
                let mut streamed = String::new();
                copy.open().unwrap().read_to_string(&mut streamed).unwrap();
                assert_eq!(streamed, place(copy), "{loose:?} {access:?}");
                assert_eq!(*copy.read().unwrap(), *streamed.as_bytes(), "{loose:?} {access:?}");
                assert_eq!(copy.size(), streamed.len() as u64, "{loose:?} {access:?}");
            }
            match (quake.find(request), copies.first()) {
                (Some(found), Some(first)) => assert!(found.is_same_file(first), "{found:?} {first:?}"),
                (found, first) => assert!(found.is_none() && first.is_none(), "{found:?} {first:?}"),
            }
        }
    }
}

/// [`check_rules`] as WinQuake does.
fn check(tree: &str, games: &str, request: &str, expected: &str) {
    check_rules(Engine::WinQuake.rules(), tree, games, request, expected);
}

/// An error, its causes and what to do about it.
fn report(error: &Error) -> String {
    let mut text = format!("error: {error}");
    let mut source = error.source();
    while let Some(cause) = source {
        write!(text, "\ncause: {cause}").unwrap();
        source = cause.source();
    }
    if let Some(help) = error.help() {
        write!(text, "\nhelp: {help}").unwrap();
    }
    text
}

/// A folder of real archives beside the repository, or `None` and a line that says so.
fn shared(path: &str) -> Option<Utf8PathBuf> {
    let path = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/paks")).join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: there is no {path}");
    None
}
