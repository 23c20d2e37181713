//! The public surface of `pak-format`: real archives, malformed ones, and properties of any archive.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that unwraps says where it failed"
)]

mod builder;
mod editor;
mod encoder;
mod folder;
mod large;
mod malformed;
mod properties;
mod real;
mod reference;
mod verify;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pak_format::{Archive, Entry, Error, Layout, ParseOptions};
use testutils::report;

/// A path in `testdata/pak/`, which the suites of the workspace share.
fn testdata(path: &str) -> PathBuf {
    testutils::testdata("pak").join(path).into()
}

/// An archive in `testdata/pak/`.
fn open(path: &str) -> Archive<Vec<u8>> {
    Archive::parse(std::fs::read(testdata(path)).unwrap()).unwrap()
}

/// The names in a folder, sorted.
fn names_in(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The archive as text: its layout and directory, then one line for each row.
fn listing(archive: &Archive<impl AsRef<[u8]>>) -> String {
    let rows = archive.directory_range();
    let size = archive.get_ref().as_ref().len();
    let mut text = format!("{} ({})", archive.layout(), archive.directory().layout_reason());
    writeln!(text, ", rows at {}..{} of {size}", rows.start, rows.end).unwrap();
    for entry in archive.entries() {
        writeln!(text, "{}", line(&entry)).unwrap();
    }
    text
}

fn line(entry: &Entry<'_>) -> String {
    let mut text =
        format!("{} {:?} at {}, {} bytes", entry.index(), entry.name(), entry.offset(), entry.size());
    if entry.is_compressed() {
        write!(text, " from {}", entry.stored_size()).unwrap();
    }
    text
}

/// Opens an archive of a layout that the test knows.
fn parse_as<D: AsRef<[u8]>>(image: D, layout: Layout) -> Result<Archive<D>, Error> {
    Archive::parse_with(image, &ParseOptions::new().layout(layout))
}
