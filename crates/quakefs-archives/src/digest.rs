//! The hash of a content.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use md5::Md5;
use quakefs::archive::ArchiveKind;
use quakefs::disk::{Content, Disk, FileKind, ReadAt, SystemDisk};
use quakefs::{Access, Archive, Error, File};
use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::Xxh3;

/// The size of the pieces in which stored entries are read.
const PIECE: u64 = 1 << 20;

/// Why an entry has no hash.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoDigest {
    /// The archives exceed the limit.
    #[error("not decoded: the archives claim more than the limit")]
    OverLimit,
    /// The entry cannot be read.
    #[error("{0}")]
    Unreadable(#[source] Error),
}

/// Which hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DigestKind {
    /// XXH3 with 128 bits, which is as fast as memory. Two contents share it only if somebody made them for
    /// this purpose. The command `xxh128sum` prints the same.
    #[default]
    Xxh3,
    /// BLAKE3 with 256 bits. No two contents are known to share it. The command `b3sum` prints the same.
    Blake3,
    /// SHA-256, as printed by `sha256sum`.
    Sha256,
    /// MD5, as printed by `md5sum`. It detects only accidental damage, because two contents with the same MD5
    /// are easy to make.
    Md5,
    /// CRC-32, as in ZIP and `.sfv`. It detects only accidental damage.
    Crc32,
}

impl DigestKind {
    /// Every hash.
    pub const ALL: &[DigestKind] =
        &[DigestKind::Xxh3, DigestKind::Blake3, DigestKind::Sha256, DigestKind::Md5, DigestKind::Crc32];

    /// One lower-case word for it, such as `sha256`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DigestKind::Xxh3 => "xxh3",
            DigestKind::Blake3 => "blake3",
            DigestKind::Sha256 => "sha256",
            DigestKind::Md5 => "md5",
            DigestKind::Crc32 => "crc32",
        }
    }
}

/// Checksums for other programs, in addition to the [`Digest`] of a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sums {
    /// SHA-256.
    pub sha256: bool,
    /// MD5.
    pub md5: bool,
    /// CRC-32.
    pub crc32: bool,
}

impl Sums {
    /// The sums of these kinds; other kinds are ignored.
    #[must_use]
    pub fn of(kinds: &[DigestKind]) -> Sums {
        let has = |kind| kinds.contains(&kind);
        Sums { sha256: has(DigestKind::Sha256), md5: has(DigestKind::Md5), crc32: has(DigestKind::Crc32) }
    }

    /// Their kinds.
    pub fn kinds(self) -> impl Iterator<Item = DigestKind> {
        let all =
            [(self.sha256, DigestKind::Sha256), (self.md5, DigestKind::Md5), (self.crc32, DigestKind::Crc32)];
        all.into_iter().filter(|(wanted, _)| *wanted).map(|(_, kind)| kind)
    }
}

/// The hash of a content. `Display` is the number in lower-case hexadecimal: 32 digits of XXH3-128 and MD5,
/// 64 of BLAKE3 and SHA-256, 8 of CRC-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Digest {
    /// XXH3 with 128 bits.
    Xxh3(u128),
    /// BLAKE3 with 256 bits.
    Blake3([u8; 32]),
    /// SHA-256.
    Sha256([u8; 32]),
    /// MD5.
    Md5(u128),
    /// CRC-32.
    Crc32(u32),
}

enum Hasher {
    Xxh3(Box<Xxh3>),
    Blake3(Box<blake3::Hasher>),
    Sha256(Sha256),
    Md5(Md5),
    Crc32(crc32fast::Hasher),
}

impl Digest {
    /// The kind of hash.
    #[must_use]
    pub fn kind(&self) -> DigestKind {
        match self {
            Digest::Xxh3(_) => DigestKind::Xxh3,
            Digest::Blake3(_) => DigestKind::Blake3,
            Digest::Sha256(_) => DigestKind::Sha256,
            Digest::Md5(_) => DigestKind::Md5,
            Digest::Crc32(_) => DigestKind::Crc32,
        }
    }

    /// The hash of some bytes.
    #[must_use]
    pub fn of_bytes(kind: DigestKind, bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::new(kind);
        hasher.update(bytes);
        hasher.finish()
    }

    /// The hash of the content of a file. Most files are read and decoded in pieces. Only a stored entry of a
    /// ZIP needs memory for its whole content.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn of_file(kind: DigestKind, file: &File<'_>) -> Result<Digest, Error> {
        let mut hasher = Hasher::new(kind);
        each_piece(file, |bytes| hasher.update(bytes))?;
        Ok(hasher.finish())
    }

    /// Several hashes of a file, in the order of `kinds`. The file is read once.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn several_of_file(kinds: &[DigestKind], file: &File<'_>) -> Result<Vec<Digest>, Error> {
        several(kinds, |each| each_piece(file, each))
    }

    /// Several hashes of a whole archive.
    pub(crate) fn several_of_archive(kinds: &[DigestKind], archive: &Archive) -> Result<Vec<Digest>, Error> {
        several(kinds, |each| each_piece_of(archive, 0..archive.size(), each))
    }

    /// Several hashes of a whole file on disk, such as an archive.
    ///
    /// # Errors
    /// Errors of the system, or the path is not a regular file.
    pub fn several_at(kinds: &[DigestKind], path: impl AsRef<Path>) -> io::Result<Vec<Digest>> {
        Self::several_on(&SystemDisk, kinds, path.as_ref())
    }

    /// Several hashes of a whole file on any disk.
    pub(crate) fn several_on(disk: &dyn Disk, kinds: &[DigestKind], path: &Path) -> io::Result<Vec<Digest>> {
        // a pipe would wait for a writer
        if disk.stat(path)?.kind != FileKind::File {
            return Err(io::Error::other("it is not a regular file"));
        }
        let file: Arc<dyn ReadAt> = match disk.open(path, Access::Read)?.content {
            Content::Bytes(bytes) => Arc::new(bytes),
            Content::At(file) => file,
        };
        let file = io::BufReader::with_capacity(1 << 20, InOrder { file, at: 0 });
        several(kinds, |each| each_buffer(file, each))
    }

    /// Parses hexadecimal digits as a hash of one kind. Returns `None` for another number of digits or for
    /// other characters.
    #[must_use]
    pub fn from_hex(kind: DigestKind, digits: &str) -> Option<Digest> {
        // parsing a number would accept a sign
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let number = || (digits.len() == 32).then(|| u128::from_str_radix(digits, 16).ok()).flatten();
        let bytes = || blake3::Hash::from_hex(digits).ok().map(Into::into);
        match kind {
            DigestKind::Xxh3 => number().map(Digest::Xxh3),
            DigestKind::Md5 => number().map(Digest::Md5),
            DigestKind::Blake3 => bytes().map(Digest::Blake3),
            DigestKind::Sha256 => bytes().map(Digest::Sha256),
            DigestKind::Crc32 => {
                let number = (digits.len() == 8).then(|| u32::from_str_radix(digits, 16).ok());
                number.flatten().map(Digest::Crc32)
            }
        }
    }
}

/// Several hashes of the pieces that `read` passes on.
fn several<E>(
    kinds: &[DigestKind],
    read: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), E>,
) -> Result<Vec<Digest>, E> {
    let mut hashers: Vec<_> = kinds.iter().map(|kind| Hasher::new(*kind)).collect();
    read(&mut |bytes| hashers.iter_mut().for_each(|hasher| hasher.update(bytes)))?;
    Ok(hashers.into_iter().map(Hasher::finish).collect())
}

/// Calls `each` with the bytes of an archive, piece by piece.
fn each_piece_of(archive: &Archive, range: Range<u64>, mut each: impl FnMut(&[u8])) -> Result<(), Error> {
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + PIECE);
        each(&archive.bytes(start..end)?);
        start = end;
    }
    Ok(())
}

/// Calls `each` with the content of a file, piece by piece.
fn each_piece(file: &File<'_>, each: impl FnMut(&[u8])) -> Result<(), Error> {
    if let (Some(archive), Some(row)) = (file.layer().archive(), file.entry())
        // a stored entry of a ZIP is read as a whole to compare its checksum
        && archive.kind() == ArchiveKind::Pak
        && file.check().is_ok()
        && let Some(entry) = archive.entry(row)
        && let Some(range) = entry.range()
    {
        let read = each_piece_of(archive, range, each);
        return read.map_err(|error| error.in_archive(file.layer().name()).at_entry(row, entry.name()));
    }
    Ok(each_buffer(file.open()?, each)?)
}

fn each_buffer(mut reader: impl io::BufRead, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    loop {
        let count = match reader.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(bytes) => {
                each(bytes);
                bytes.len()
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(error) => return Err(error),
        };
        reader.consume(count);
    }
}

impl Hasher {
    fn new(kind: DigestKind) -> Hasher {
        match kind {
            DigestKind::Xxh3 => Hasher::Xxh3(Box::new(Xxh3::new())),
            DigestKind::Blake3 => Hasher::Blake3(Box::new(blake3::Hasher::new())),
            DigestKind::Sha256 => Hasher::Sha256(Sha256::new()),
            DigestKind::Md5 => Hasher::Md5(Md5::new()),
            DigestKind::Crc32 => Hasher::Crc32(crc32fast::Hasher::new()),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Xxh3(hasher) => hasher.update(bytes),
            Hasher::Blake3(hasher) => drop(hasher.update(bytes)),
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Md5(hasher) => hasher.update(bytes),
            Hasher::Crc32(hasher) => hasher.update(bytes),
        }
    }

    fn finish(self) -> Digest {
        match self {
            Hasher::Xxh3(hasher) => Digest::Xxh3(hasher.digest128()),
            Hasher::Blake3(hasher) => Digest::Blake3(*hasher.finalize().as_bytes()),
            Hasher::Sha256(hasher) => Digest::Sha256(hasher.finalize().into()),
            Hasher::Md5(hasher) => Digest::Md5(u128::from_be_bytes(hasher.finalize().into())),
            Hasher::Crc32(hasher) => Digest::Crc32(hasher.finalize()),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Digest::Xxh3(number) | Digest::Md5(number) => write!(f, "{number:032x}"),
            Digest::Crc32(number) => write!(f, "{number:08x}"),
            Digest::Blake3(bytes) | Digest::Sha256(bytes) => {
                f.write_str(&blake3::Hash::from_bytes(*bytes).to_hex())
            }
        }
    }
}

/// A word that cannot be parsed as a [`Digest`] or a [`CatalogFormat`](crate::CatalogFormat). `Display`
/// prints what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct UnknownWord(&'static str);

impl FromStr for Digest {
    type Err = UnknownWord;

    /// Digits without a prefix are XXH3-128, BLAKE3 or CRC-32, by their number; a prefix such as `sha256:`
    /// names the kind.
    fn from_str(text: &str) -> Result<Digest, UnknownWord> {
        let kinds = DigestKind::ALL.iter();
        let found = match text.split_once(':') {
            Some((name, digits)) => {
                let mut kinds = kinds.filter(|kind| kind.name() == name);
                kinds.find_map(|kind| Digest::from_hex(*kind, digits))
            }
            // the first kind with this number of digits
            None => kinds.into_iter().find_map(|kind| Digest::from_hex(*kind, text)),
        };
        found.ok_or(UnknownWord(
            "32 hexadecimal digits of XXH3-128, 64 of BLAKE3 or 8 of CRC-32, or sha256: or md5: and digits",
        ))
    }
}

/// A file from its start to its end.
struct InOrder {
    file: Arc<dyn ReadAt>,
    at: u64,
}

impl io::Read for InOrder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}
