//! ZIP archives through `quakefs`: broken ones, real ones, and properties of any.

mod malformed;
mod properties;
mod reading;
mod real;

use std::fmt::Write as _;

use quakefs::archive::{ArchiveEntry, Method};
use quakefs::{Archive, Engine, Error, FileData, SearchPath};
use testutils::Folder;

use crate::{Mount as _, report};

fn open(image: &[u8]) -> Result<Archive, Error> {
    Archive::from_data(FileData::new(image.to_vec()))
}

fn mount(folder: &Folder, engine: Engine) -> SearchPath {
    folder.builder().engine(engine).mount().unwrap()
}

/// The archive as text: its kind, its problems, and the content of each entry.
fn outcome(archive: &Result<Archive, Error>) -> String {
    let archive = match archive {
        Ok(archive) => archive,
        Err(error) => return report(error),
    };
    let mut text =
        format!("{}, {} entries, {} bytes\n", archive.format(), archive.entries().len(), archive.size());
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
        format!("{} {:?} at {}, {} bytes", entry.index(), entry.name(), entry.row().offset, entry.size());
    if entry.row().method != Method::Stored {
        write!(text, " from {} by {:?}", entry.row().stored_size, entry.row().method).unwrap();
    }
    if entry.row().is_folder {
        text += ", a folder";
    }
    text
}

/// The layers of a mount, with findings.
fn findings_of(quake: &SearchPath) -> String {
    let lines = quake.findings().map(|problem| format!("{}\n", testutils::search_path::named(problem)));
    lines.collect()
}
