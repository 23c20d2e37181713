//! The public face of `pak-format`: real archives, broken ones, and what holds for any.

mod builder;
mod editor;
mod encoder;
mod large;
mod malformed;
mod properties;
mod real;
mod reference;
mod verify;

use std::error::Error as _;
use std::fmt::Write as _;
use std::path::PathBuf;

use pak_format::{Archive, Entry, Error};

/// A path in `testdata/pak/`.
fn testdata(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/pak")).join(path)
}

/// The archive as text: how it was read, then a row a line.
fn listing(archive: &Archive<impl AsRef<[u8]>>) -> String {
    let rows = archive.directory_range();
    let size = archive.get_ref().as_ref().len();
    let mut text = format!("{} ({})", archive.layout(), archive.detection().reason);
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

/// An error with its causes and what to do about it.
fn report(error: &Error) -> String {
    let mut text = format!("error: {error}\n");
    let mut source = error.source();
    while let Some(cause) = source {
        writeln!(text, "cause: {cause}").unwrap();
        source = cause.source();
    }
    writeln!(text, "help: {}", error.help()).unwrap();
    text
}
