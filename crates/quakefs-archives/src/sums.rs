//! Lists of checksums, written by `sha256sum`, `md5sum` and programs for `.sfv`.

use std::borrow::Cow;

use crate::digest::{Digest, DigestKind};

/// A line of a list: a file name and the expected hash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sum {
    /// The name as in the list.
    pub name: Vec<u8>,
    /// The possible hashes, by the number of hex digits: 64 for SHA-256 or BLAKE3, 32 for MD5 or XXH3-128, 8
    /// for CRC-32.
    pub any_of: Vec<Digest>,
}

/// A line of a list of checksums, or of a catalog, that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", place(*line))]
#[non_exhaustive]
pub struct BadLine {
    /// The line, from 1; 0 if the file has no lines.
    pub line: u64,
    /// The problem.
    pub reason: String,
}

fn place(line: u64) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}

impl Sum {
    /// Reads a list. Empty lines, and lines that begin with `;` or `#`, are ignored.
    ///
    /// ```
    /// use quakefs_archives::Sum;
    /// let list = "\
    /// d41d8cd98f00b204e9800998ecf8427e  maps/start.bsp\n\
    /// CRC32 (pak0.pak) = 00000000\n\
    /// ; made by a program for .sfv\n\
    /// progs.dat 00000000\n";
    /// let names: Vec<_> = Sum::list(list.as_bytes())?.into_iter().map(|sum| sum.name).collect();
    /// assert_eq!(names, [&b"maps/start.bsp"[..], b"pak0.pak", b"progs.dat"]);
    /// # Ok::<(), quakefs_archives::BadLine>(())
    /// ```
    ///
    /// # Errors
    /// A line cannot be read.
    pub fn list(text: &[u8]) -> Result<Vec<Sum>, BadLine> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let mut sums = Vec::new();
        for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.trim_ascii().is_empty() || line.starts_with(b";") || line.starts_with(b"#") {
                continue;
            }
            let bad = || BadLine {
                line: index as u64 + 1,
                reason: "expected `DIGITS  NAME`, `SHA256 (NAME) = DIGITS` or, as in .sfv, `NAME DIGITS`"
                    .to_owned(),
            };
            sums.push(Sum::of_line(line).ok_or_else(bad)?);
        }
        Ok(sums)
    }

    fn of_line(line: &[u8]) -> Option<Sum> {
        tagged(line).or_else(|| first(line)).or_else(|| last(line))
    }

    fn new(name: &[u8], digits: &[u8], kind: Option<DigestKind>) -> Option<Sum> {
        let digits = std::str::from_utf8(digits).ok()?;
        let kinds = DigestKind::ALL.iter().filter(|other| kind.is_none_or(|kind| kind == **other));
        let any_of: Vec<_> = kinds.filter_map(|kind| Digest::from_hex(*kind, digits)).collect();
        (!any_of.is_empty() && !name.is_empty()).then(|| Sum { name: name.to_vec(), any_of })
    }
}

/// `SHA256 (NAME) = DIGITS`, as with `sha256sum --tag`.
fn tagged(line: &[u8]) -> Option<Sum> {
    let open = line.windows(2).position(|pair| pair == b" (")?;
    let close = line.windows(4).rposition(|four| four == b") = ")?;
    let tag = std::str::from_utf8(line.get(..open)?).ok()?;
    let kind = DigestKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(tag))?;
    Sum::new(line.get(open + 2..close)?, line.get(close + 4..)?, Some(kind))
}

/// `DIGITS NAME`, or `DIGITS *NAME` for a file read in binary mode. A line that begins with `\` has `\\` and
/// `\n` in its name.
fn first(line: &[u8]) -> Option<Sum> {
    let (escaped, line) = line.strip_prefix(b"\\").map_or((false, line), |line| (true, line));
    let space = line.iter().position(|&byte| byte == b' ')?;
    let (digits, name) = line.split_at_checked(space)?;
    let name = name.strip_prefix(b"  ").or_else(|| name.strip_prefix(b" *"))?;
    Sum::new(&if escaped { unescaped(name) } else { Cow::Borrowed(name) }, digits, None)
}

fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    let mut bytes = name.iter();
    let mut text = Vec::new();
    while let Some(&byte) = bytes.next() {
        let escaped = if byte == b'\\' { bytes.next() } else { None };
        text.push(match escaped {
            Some(b'n') => b'\n',
            Some(other) => *other,
            None => byte,
        });
    }
    text.into()
}

/// `NAME DIGITS`, as in `.sfv`: a CRC-32 of eight digits.
fn last(line: &[u8]) -> Option<Sum> {
    let line = line.trim_ascii_end();
    let space = line.iter().rposition(|&byte| matches!(byte, b' ' | b'\t'))?;
    let (name, digits) = line.split_at_checked(space)?;
    Sum::new(name.trim_ascii_end(), digits.trim_ascii_start(), Some(DigestKind::Crc32))
}
