//! The hash of a content.

use std::fmt;
use std::io::{self, BufRead as _};
use std::str::FromStr;

use quakefs::archive::ArchiveKind;
use quakefs::{Error, File};
use xxhash_rust::xxh3::Xxh3;

/// Bytes of a stored entry that are read at once.
const PIECE: u64 = 1 << 20;

/// Which hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DigestKind {
    /// XXH3 of 128 bits, as fast as the memory: two contents that nobody made for the purpose do not share it. The
    /// command `xxh128sum` prints the same.
    #[default]
    Xxh3,
    /// BLAKE3 of 256 bits: no two contents are known to share it. The command `b3sum` prints the same.
    Blake3,
}

/// The hash of a content. `Display` is the number in lower-case hexadecimal: 32 digits of XXH3-128, 64 of BLAKE3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Digest {
    /// XXH3 of 128 bits.
    Xxh3(u128),
    /// BLAKE3 of 256 bits.
    Blake3([u8; 32]),
}

enum Hasher {
    Xxh3(Box<Xxh3>),
    Blake3(Box<blake3::Hasher>),
}

impl Digest {
    /// Which hash it is.
    #[must_use]
    pub fn kind(&self) -> DigestKind {
        match self {
            Digest::Xxh3(_) => DigestKind::Xxh3,
            Digest::Blake3(_) => DigestKind::Blake3,
        }
    }

    /// The hash of some bytes.
    ///
    /// ```
    /// use quakefs_archives::{Digest, DigestKind};
    /// let digest = Digest::of_bytes(DigestKind::Xxh3, b"");
    /// assert_eq!(digest.to_string(), "99aa06d3014798d86001c324468d497f");
    /// assert_eq!("99AA06D3014798D86001C324468D497F".parse(), Ok(digest));
    /// ```
    #[must_use]
    pub fn of_bytes(kind: DigestKind, bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::new(kind);
        hasher.update(bytes);
        hasher.finish()
    }

    /// The hash of the content of a file. A stored entry of a PACK and a loose file are read in pieces, a compressed
    /// entry is decoded while it is read, and a stored one of a ZIP takes the memory of its size.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn of_file(kind: DigestKind, file: &File) -> Result<Digest, Error> {
        let mut hasher = Hasher::new(kind);
        if let (Some(archive), Some(row)) = (file.archive(), file.entry())
            // a stored entry of a ZIP has a checksum, which a read of the whole compares
            && archive.kind() == ArchiveKind::Pak
            && file.check().is_ok()
            && let Some(range) = archive.entry(row).and_then(|entry| entry.range())
        {
            let mut start = range.start;
            while start < range.end {
                let end = range.end.min(start + PIECE);
                let piece =
                    archive.bytes(start..end).map_err(|error| file.of_stream(io::Error::from(error)))?;
                hasher.update(&piece);
                start = end;
            }
            return Ok(hasher.finish());
        }
        let mut reader = file.open()?;
        loop {
            let count = match reader.fill_buf() {
                Ok([]) => return Ok(hasher.finish()),
                Ok(bytes) => {
                    hasher.update(bytes);
                    bytes.len()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                Err(error) => return Err(file.of_stream(error)),
            };
            reader.consume(count);
        }
    }
}

impl Hasher {
    fn new(kind: DigestKind) -> Hasher {
        match kind {
            DigestKind::Xxh3 => Hasher::Xxh3(Box::new(Xxh3::new())),
            DigestKind::Blake3 => Hasher::Blake3(Box::new(blake3::Hasher::new())),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Xxh3(hasher) => hasher.update(bytes),
            Hasher::Blake3(hasher) => drop(hasher.update(bytes)),
        }
    }

    fn finish(self) -> Digest {
        match self {
            Hasher::Xxh3(hasher) => Digest::Xxh3(hasher.digest128()),
            Hasher::Blake3(hasher) => Digest::Blake3(*hasher.finalize().as_bytes()),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Digest::Xxh3(number) => write!(f, "{number:032x}"),
            Digest::Blake3(bytes) => f.write_str(&blake3::Hash::from_bytes(*bytes).to_hex()),
        }
    }
}

/// A text that is no hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 32 hexadecimal digits of XXH3-128, or 64 of BLAKE3")]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Digest, NotADigest> {
        // a number may have a sign, and a hash has none
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match text.len() {
            32 if is_hex => u128::from_str_radix(text, 16).map(Digest::Xxh3).map_err(|_| NotADigest),
            64 => {
                blake3::Hash::from_hex(text).map(|hash| Digest::Blake3(hash.into())).map_err(|_| NotADigest)
            }
            _ => Err(NotADigest),
        }
    }
}
