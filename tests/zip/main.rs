//! ZIP archives through `quakefs`: broken ones, real ones, and what holds for any.

mod malformed;
mod memory;
mod properties;
mod raw;
mod reading;
mod real;

use std::error::Error as _;
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::{Archive, ArchiveEntry, Engine, Error, FileData, Method, SearchPath};
use tempfile::TempDir;

fn open(image: &[u8]) -> Result<Archive, Error> {
    Archive::from_memory(FileData::new(image.to_vec()), None)
}

/// A folder that is gone when this is.
struct Folder {
    _folder: TempDir,
    path: Utf8PathBuf,
}

/// A folder with these files.
fn folder<C: AsRef<[u8]>>(files: &[(&str, C)]) -> Folder {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap().to_owned();
    for (name, content) in files {
        let file = path.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    Folder { _folder: folder, path }
}

impl Folder {
    fn mount(&self, engine: Engine) -> SearchPath {
        SearchPath::builder(&self.path).engine(engine).mount().unwrap()
    }
}

/// The archive as text: what it is, what is wrong with it, and what each entry gives.
fn outcome(archive: &Result<Archive, Error>) -> String {
    let archive = match archive {
        Ok(archive) => archive,
        Err(error) => return report(error),
    };
    let mut text =
        format!("{}, {} entries, {} bytes\n", archive.format().name(), archive.len(), archive.size());
    let of_the_archive = |error: &Error| !error.to_string().starts_with("entry ");
    for error in archive.problems().filter(of_the_archive) {
        text += &report(&error);
    }
    for entry in archive.entries() {
        writeln!(text, "\n{}", line(&entry)).unwrap();
        match archive.read(entry.index()) {
            Ok(content) if content.len() > 40 => writeln!(text, "reads").unwrap(),
            Ok(content) => writeln!(text, "reads \"{}\"", content.escape_ascii()).unwrap(),
            Err(error) => text += &report(&error),
        }
        if let Err(fault) = entry.name().to_disk_path() {
            writeln!(text, "not extracted: {fault}").unwrap();
        }
    }
    text
}

fn line(entry: &ArchiveEntry<'_>) -> String {
    let mut text =
        format!("{} {:?} at {}, {} bytes", entry.index(), entry.name(), entry.offset(), entry.size());
    if entry.method() != Method::Stored {
        write!(text, " from {} by {:?}", entry.stored_size(), entry.method()).unwrap();
    }
    if entry.is_folder() {
        text += ", a folder";
    }
    text
}

/// An error with its causes and what to do about it.
fn report(error: &Error) -> String {
    let mut text = format!("error: {error}\n");
    let mut source = error.source();
    while let Some(cause) = source {
        writeln!(text, "cause: {cause}").unwrap();
        source = cause.source();
    }
    if let Some(help) = error.help() {
        writeln!(text, "help: {help}").unwrap();
    }
    text
}

/// What a mount says of its layers.
fn told(quake: &SearchPath) -> String {
    let lines = quake.problems().map(|problem| format!("{problem}\n    help: {}\n", problem.help()));
    lines.collect()
}
