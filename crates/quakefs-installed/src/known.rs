//! Archives of games that are known by their size and MD5.

use std::fmt;

use md5::{Digest as _, Md5};
use quakefs::{Archive, Error};

/// Archives of games, by facts that others published. No other archive gets a name. The columns are game,
/// edition, file, size, entries, MD5 and sources; `-` is unknown. The sources:
///
/// - D: Debian's game-data-packager 89, `vfs.zip`
/// - H: uhexen2 bf2121f7, `engine/h2shared/quakefs.c`, the pakdata tables
/// - F: FTE 93257c1a, `engine/client/m_download.c`: a package with this file and another checksum than the
///   other editions'
const TABLE: &str = include_str!("known.tsv");

/// An archive of a game, named by facts that others published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Known {
    /// The game or the expansion.
    pub game: &'static str,
    /// The edition, such as `1.06 (1996), shareware or registered`.
    pub edition: &'static str,
    /// Where the edition has the archive, below its base directory.
    pub file: &'static str,
    size: Option<u64>,
    entries: Option<usize>,
    /// Hexadecimal digits.
    md5: Option<&'static str>,
}

impl Known {
    /// Every known archive.
    pub fn all() -> impl Iterator<Item = Known> {
        rows(TABLE)
    }

    /// The name of an archive by its size, its number of entries and its MD5; `None` if it is unknown. The
    /// call reads the archive only if its size is in the table.
    ///
    /// # Errors
    /// The archive cannot be read.
    pub fn of(archive: &Archive) -> Result<Option<Known>, Error> {
        Known::in_rows(Known::all(), archive)
    }

    fn in_rows(rows: impl Iterator<Item = Known>, archive: &Archive) -> Result<Option<Known>, Error> {
        let (size, entries) = (archive.size(), archive.entries().len());
        let may_be =
            |row: &Known| row.size == Some(size) && row.entries.is_none_or(|of_row| of_row == entries);
        let mut rows = rows.filter(may_be).peekable();
        if rows.peek().is_none() {
            return Ok(None);
        }
        let md5 = md5_of(archive)?;
        Ok(rows.find(|row| row.md5 == Some(&*md5)))
    }

    /// Whether both are of one game, but of editions that ship different copies of this archive.
    #[must_use]
    pub fn is_mixed_with(&self, other: &Known) -> bool {
        let has_both = |row: Known| {
            (row.game, row.edition, row.file) == (other.game, other.edition, self.file) && row != *self
        };
        self.game == other.game && self.edition != other.edition && Known::all().any(has_both)
    }
}

/// The game and its edition.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.edition)
    }
}

/// How much of an archive is read at a time.
const PIECE: u64 = 1 << 20;

/// The MD5 of an archive in hexadecimal digits.
fn md5_of(archive: &Archive) -> Result<String, Error> {
    let mut md5 = Md5::new();
    let mut start = 0;
    while start < archive.size() {
        let end = archive.size().min(start + PIECE);
        md5.update(archive.bytes(start..end)?);
        start = end;
    }
    let digits = md5.finalize().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    Ok(digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect())
}

fn rows(table: &'static str) -> impl Iterator<Item = Known> {
    table.lines().filter_map(|line| {
        let mut columns = line.split('\t');
        let mut next = || columns.next();
        Some(Known {
            game: next()?,
            edition: next()?,
            file: next()?,
            size: next()?.parse().ok(),
            entries: next()?.parse().ok(),
            md5: Some(next()?).filter(|digits| digits.len() == 32),
        })
    })
}

#[cfg(test)]
mod tests {
    use pak_format::Layout;
    use testutils::pack;

    use super::*;

    #[test]
    fn an_archive_has_a_name_only_if_size_entries_and_hash_are_equal() {
        let named = |bytes: Vec<u8>, of_table: &'static str| {
            let archive = Archive::from_data(bytes.into()).unwrap();
            Known::in_rows(rows(of_table), &archive).unwrap().map(|known| known.to_string())
        };
        let bytes = pack(Layout::Quake, [("a.cfg", "echo")]);
        let table = format!(
            "Quake\tother\tid1/pak0.pak\t{size}\t-\t{zeros}\tD\nQuake\t1.06\tid1/pak0.pak\t{size}\t1\t{md5:032x}\tD\n",
            size = bytes.len(),
            zeros = "0".repeat(32),
            md5 = u128::from_be_bytes(Md5::digest(&bytes).into()),
        );
        let table: &'static str = table.leak();
        assert_eq!(named(bytes.clone(), table), Some("Quake 1.06".to_owned()));
        assert_eq!(named(pack(Layout::Quake, [("a.cfg", "ECHO")]), table), None);
        assert_eq!(named(pack(Layout::Quake, [("a.cfg", "echo"), ("b.cfg", "")]), table), None);
        assert_eq!(named(bytes, table.replace("\t1\t", "\t2\t").leak()), None);
    }

    #[test]
    fn each_row_is_complete_and_names_a_source() {
        for (line, row) in TABLE.lines().zip(Known::all()) {
            let sources = line.split('\t').next_back().unwrap();
            let is_source = |letter: char| "DHF".contains(letter);
            assert!(!sources.is_empty() && sources.chars().all(is_source), "{line}");
            assert_eq!(row.size.is_some(), row.md5.is_some(), "{line}");
            let is_digit = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
            assert!(row.md5.is_none_or(|digits| digits.chars().all(is_digit)), "{line}");
        }
        assert_eq!(Known::all().count(), TABLE.lines().count());
        assert!(Known::all().count() > 60);
    }

    #[test]
    fn archives_of_two_editions_are_mixed_only_if_one_edition_has_both() {
        let row = |edition: &str, file: &str| {
            Known::all().find(|row| row.edition.starts_with(edition) && row.file == file).unwrap()
        };
        let (hexen0, hexen1) = (row("1.03", "data1/pak0.pak"), row("1.11", "data1/pak1.pak"));
        assert!(hexen0.is_mixed_with(&hexen1));
        assert!(!hexen0.is_mixed_with(&row("1.03", "data1/pak1.pak")));
        let quake = row("1.06", "id1/pak0.pak");
        assert!(!quake.is_mixed_with(&row("registered", "id1/pak1.pak")));
        assert!(quake.is_mixed_with(&row("2021", "QuakeEX.kpf")));
        assert!(!quake.is_mixed_with(&row("on CD", "hipnotic/pak0.pak")));
    }
}
