//! The command line: exit code, standard output and error stream of each command, good and bad.

mod add;
mod binary;
mod cat;
mod check;
mod clashes;
mod compare;
mod create;
mod engines;
mod extract;
mod extract_game;
mod hostile;
mod ls;
mod mount;
mod output;
mod pak;
mod pak_damaged;
mod path;
mod pk3;
mod remove;
mod rename;
mod repack;
mod shadows;
mod size;
mod usage;
mod userdir;
mod verify;
mod which;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Layout;
use pak_format::layout::{Header, Row};
use quakefs_cli::{Console, Exit};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");
const PAK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/pak");

/// What a command answered.
struct Answer {
    exit: Exit,
    out: Vec<u8>,
    err: Vec<u8>,
}

/// Runs a command line. `[GAME]` and `[PAK]` stand for folders of `testdata`.
fn run(args: &[&str]) -> Answer {
    let args = std::iter::once("quakefs".to_owned())
        .chain(args.iter().map(|arg| arg.replace("[GAME]", GAME).replace("[PAK]", PAK)));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = quakefs_cli::run(args, &mut Console::plain(&mut out, &mut err));
    Answer { exit, out, err }
}

impl Answer {
    /// The text that snapshots hold.
    fn text(&self) -> String {
        let exit = match self.exit {
            Exit::Done => 0,
            Exit::NotFound => 1,
            Exit::Failed => 2,
        };
        let text = format!("exit: {exit}\n-- stdout\n{}-- stderr\n{}", self.out(), self.err());
        text.replace(GAME, "[GAME]").replace(PAK, "[PAK]")
    }

    fn out(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    fn err(&self) -> &str {
        std::str::from_utf8(&self.err).unwrap()
    }

    /// Every line as JSON.
    fn json(&self) -> Vec<serde_json::Value> {
        self.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Runs a command line whose arguments hold no spaces.
fn check(line: &str) -> String {
    run(&words(line)).text()
}

/// The same for `testdata/game`.
fn game(line: &str) -> String {
    check(&format!("--basedir [GAME] {line}"))
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A folder for one test, `[DIR]` in command lines and answers.
struct Folder {
    path: Utf8PathBuf,
    _guard: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        Folder { path, _guard: guard }
    }

    /// A folder with an archive `a.pak` in it.
    fn with_archive(rows: &[(&[u8], &[u8])]) -> Self {
        let folder = Folder::new();
        folder.write("a.pak", archive(rows));
        folder
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn run(&self, line: &str) -> Answer {
        let args: Vec<_> = words(line).iter().map(|word| word.replace("[DIR]", self.path.as_str())).collect();
        run(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn check(&self, line: &str) -> String {
        self.run(line).text().replace(self.path.as_str(), "[DIR]")
    }

    /// What is on disk: a line for each file with its content, for each link, and for each empty folder.
    fn tree(&self, name: &str) -> String {
        let mut text = String::new();
        tree(&self.path.join(name), "", &mut text);
        text.replace(self.path.as_str(), "[DIR]")
    }
}

fn tree(folder: &Utf8Path, prefix: &str, text: &mut String) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    if entries.is_empty() {
        writeln!(text, "{prefix} is empty").unwrap();
    }
    for entry in entries {
        let path = Utf8PathBuf::from_path_buf(entry.path()).unwrap();
        let name = format!("{prefix}{}", path.file_name().unwrap());
        if path.is_symlink() {
            writeln!(text, "{name} -> {}", path.read_link_utf8().unwrap()).unwrap();
        } else if path.is_dir() {
            tree(&path, &format!("{name}/"), text);
        } else {
            writeln!(text, "{name}: {}", fs::read(&path).unwrap().escape_ascii()).unwrap();
        }
    }
}

/// A Quake archive of any names, which `Builder` would refuse.
fn archive(rows: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut image = vec![0; Header::SIZE];
    let mut directory = Vec::new();
    for (name, content) in rows {
        row(&mut directory, name, image.len(), content.len());
        image.extend_from_slice(content);
    }
    finish(image, &directory)
}

/// A ZIP of deflated files; a name that ends in `/` is a folder.
fn zip(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, content) in files {
        let name = std::str::from_utf8(name).unwrap();
        if name.ends_with('/') {
            archive.new_dir(name).create().unwrap();
            continue;
        }
        let (mut entry, config) =
            archive.new_file(name).compression_method(rawzip::CompressionMethod::DEFLATE).start().unwrap();
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

fn row(directory: &mut Vec<u8>, name: &[u8], offset: usize, size: usize) {
    let (offset, size) = (u32::try_from(offset).unwrap(), u32::try_from(size).unwrap());
    Row { name, offset, size, compressed_size: size, compression: 0 }.encode(Layout::Quake, directory);
}

fn finish(mut image: Vec<u8>, directory: &[u8]) -> Vec<u8> {
    let header = Header {
        magic: Layout::Quake.magic(),
        directory_offset: u32::try_from(image.len()).unwrap(),
        directory_size: u32::try_from(directory.len()).unwrap(),
    };
    image[..Header::SIZE].copy_from_slice(&header.encode());
    image.extend_from_slice(directory);
    image
}
