//! Reuses the rows of an earlier catalog.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use quakefs::FileData;

use crate::digest::{DigestKind, Sums};
use crate::digested::DigestOptions;
use crate::row::{CatalogFormat, CatalogRow, OF_SYSTEM, OVER_LIMIT, Rows as Lines, SCHEMA, Stamp};
use crate::sums::BadLine;

/// An earlier catalog: its archives, and where their rows are. The rows stay in the file.
pub(crate) struct EarlierCatalog {
    bytes: FileData,
    archives: HashMap<String, Rows>,
}

/// The rows of an archive.
struct Rows {
    stamp: Stamp,
    /// The kind of hash, if an entry has one.
    kind: Option<DigestKind>,
    /// Whether a sound entry has no hash.
    unhashed: bool,
    /// The sums in the rows.
    sums: Sums,
    /// Whether the rows are complete and written by this program: the archive was opened, and no entry
    /// exceeded the limit or met an error of the system.
    complete: bool,
    /// The number of entries that have rows, from 0 without a gap, and the number of entries in the archive.
    entries: i64,
    all: Option<i64>,
    range: Range<usize>,
}

fn bad_line(line: u64, reason: &str) -> BadLine {
    BadLine { line, reason: format!("this is not a row of a catalog: {reason}") }
}

/// The path of an archive, or of one inside it.
fn key(archive: &str, container: &str) -> String {
    if container.is_empty() { archive.to_owned() } else { format!("{archive}/{container}") }
}

/// Whether a line is exactly the one that this version writes for its row. Other keys, types and letters that
/// control a terminal are somebody else's.
fn is_own(row: &CatalogRow<'_>, line: &[u8], format: CatalogFormat) -> bool {
    let mut rows = Lines::new(format);
    rows.push(row);
    rows.finish() == line && row.is_printable()
}

/// Whether a fault may be gone at the next run: one of the system, such as a lack of memory, and a limit.
fn may_pass(row: &CatalogRow<'_>) -> bool {
    row.fault_kind == OVER_LIMIT || row.fault_kind == OF_SYSTEM
}

/// Whether a row has today's columns.
fn check(row: &CatalogRow<'_>) -> Result<(), String> {
    let schema = row.schema;
    if schema == SCHEMA { Ok(()) } else { Err(format!("expected the schema {SCHEMA}, found {schema}")) }
}

impl EarlierCatalog {
    /// Reads a catalog.
    ///
    /// # Errors
    /// A line is not a row. Rows with other columns are an error, because the new catalog would mix both.
    pub(crate) fn read(
        bytes: FileData,
        format: CatalogFormat,
        sums: Sums,
    ) -> Result<EarlierCatalog, BadLine> {
        let mut archives = Archives::default();
        if format == CatalogFormat::Csv {
            of_csv(&bytes, sums, &mut archives)?;
        } else {
            let mut start = 0;
            for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
                let failed = |reason: String| bad_line(index as u64 + 1, &reason);
                let range = start..start + line.len();
                start = range.end;
                if !line.ends_with(b"\n") {
                    return Err(failed("the line has no end".to_owned()));
                }
                let row: CatalogRow<'_> =
                    serde_json::from_slice(line).map_err(|error| failed(error.to_string()))?;
                check(&row).map_err(failed)?;
                archives.add(&row, row.sums(), range, is_own(&row, line, format));
            }
        }
        Ok(EarlierCatalog { bytes, archives: archives.rows })
    }

    /// The rows of an unchanged archive.
    fn rows(&self, rows: &Rows, stamp: &Stamp, hashes: Option<&DigestOptions>) -> Option<&[u8]> {
        let known = stamp.size.is_some() && stamp.modified.is_some();
        let same_hashes = match hashes {
            Some(hashes) => {
                let same_kind = rows.kind.is_none_or(|kind| kind == hashes.kind);
                same_kind && !rows.unhashed && rows.sums == hashes.sums
            }
            None => rows.kind.is_none() && rows.sums == Sums::default(),
        };
        let complete = rows.complete && rows.all == Some(rows.entries);
        (known && rows.stamp == *stamp && same_hashes && complete)
            .then(|| self.bytes.get(rows.range.clone()).unwrap_or_default())
    }
}

/// Several earlier catalogs as one. The first one with rows of an archive counts.
pub(crate) struct EarlierCatalogs<'e>(HashMap<&'e str, (&'e EarlierCatalog, &'e Rows)>);

impl<'e> EarlierCatalogs<'e> {
    pub(crate) fn new(catalogs: &'e [EarlierCatalog]) -> Self {
        let archives = catalogs.iter().rev().flat_map(|catalog| {
            catalog.archives.iter().map(move |(archive, rows)| (&**archive, (catalog, rows)))
        });
        EarlierCatalogs(archives.collect())
    }

    /// The rows of an unchanged archive, whose place is written as in a row. `hashes` is `None` for rows
    /// without any.
    pub(crate) fn rows(
        &self,
        (archive, container): (&str, &str),
        stamp: &Stamp,
        hashes: Option<&DigestOptions>,
    ) -> Option<&'e [u8]> {
        let (earlier, rows) = self.0.get(&*key(archive, container))?;
        earlier.rows(rows, stamp, hashes)
    }
}

fn of_csv(bytes: &[u8], sums: Sums, archives: &mut Archives) -> Result<(), BadLine> {
    let failed = |line, reason: String| bad_line(line, &reason);
    let of_csv =
        |error: csv::Error| failed(error.position().map_or(1, csv::Position::line), error.to_string());
    let mut reader = csv::Reader::from_reader(bytes);
    let columns = reader.headers().map_err(of_csv)?.clone();
    let expected = CatalogRow::columns(sums);
    if columns != expected[..] {
        return Err(failed(1, format!("expected the columns {}", expected.join(","))));
    }
    let mut record = csv::StringRecord::new();
    loop {
        let at = reader.position().clone();
        let start = usize::try_from(at.byte()).unwrap_or(usize::MAX);
        if !reader.read_record(&mut record).map_err(of_csv)? {
            return Ok(());
        }
        let end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
        if bytes.get(end.wrapping_sub(1)) != Some(&b'\n') {
            return Err(failed(at.line(), "the line has no end".to_owned()));
        }
        let row: CatalogRow<'_> =
            record.deserialize(Some(&columns)).map_err(|error| failed(at.line(), error.to_string()))?;
        check(&row).map_err(|reason| failed(at.line(), reason))?;
        let row = row.with_sums(sums);
        let line = bytes.get(start..end).unwrap_or_default();
        archives.add(&row, sums, start..end, is_own(&row, line, CatalogFormat::Csv));
    }
}

/// The archives of a catalog that is being read.
#[derive(Default)]
struct Archives {
    rows: HashMap<String, Rows>,
    /// The archive of the last row.
    current: String,
}

impl Archives {
    fn add(&mut self, row: &CatalogRow<'_>, sums: Sums, range: Range<usize>, is_own: bool) {
        let complete = is_own && !may_pass(row) && (row.entry.is_some() || row.fault_kind.is_empty());
        let kind = match row.hash.len() {
            0 => None,
            64 => Some(DigestKind::Blake3),
            _ => Some(DigestKind::Xxh3),
        };
        let is_content = row.entry.is_some() && row.content_type != "folder";
        let unhashed = is_content && row.hash.is_empty() && row.fault_kind.is_empty();
        let stamp = Stamp { size: row.archive_size, modified: row.archive_modified };
        let key = key(&row.archive, &row.container);
        let goes_on = self.current == key;
        if !goes_on {
            self.current = key;
        }
        match self.rows.entry(self.current.clone()) {
            Entry::Vacant(space) => {
                let complete = complete && row.entry.is_none_or(|entry| entry == 0);
                let (entries, all) = (i64::from(row.entry.is_some()), row.archive_entries);
                space.insert(Rows { stamp, kind, unhashed, sums, complete, entries, all, range });
            }
            Entry::Occupied(mut found) => {
                let rows = found.get_mut();
                // if the rows were sorted or merged, the archive is read again
                let alike = goes_on
                    && rows.stamp == stamp
                    && rows.sums == sums
                    && rows.all == row.archive_entries
                    && row.entry == Some(rows.entries)
                    && (kind.is_none() || rows.kind.is_none() || rows.kind == kind);
                rows.complete &= complete && alike;
                rows.entries += 1;
                rows.kind = rows.kind.or(kind);
                rows.unhashed |= unhashed;
                rows.range.end = range.end;
            }
        }
    }
}
