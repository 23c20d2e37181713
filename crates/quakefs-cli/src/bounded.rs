//! Reads files that a user names into memory, within a limit: `/dev/zero` has no end.

use std::fs::File;
use std::io::{self, Read};

use camino::Utf8Path;

/// Reads a file. A device or a pipe is read too.
pub(crate) fn read(path: &Utf8Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, most)
}

/// Reads to the end.
///
/// # Errors
/// There are more bytes than the limit, which has whole MiB.
pub(crate) fn read_all(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}
