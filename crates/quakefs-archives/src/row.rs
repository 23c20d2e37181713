//! The rows of a catalog and their formats.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use camino::Utf8Path;
use pak_format::EntryName;
use pak_format::name::steers;
use quakefs::disk::Disk;
use serde::{Deserialize, Serialize};

use crate::digest::{DigestKind, Sums};
use crate::inside::outer;

/// The format of a catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogFormat {
    /// One JSON object on each line.
    #[default]
    JsonLines,
    /// Comma-separated values after a line of column names.
    Csv,
    /// A table by columns, with their types, compressed by gzip.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl CatalogFormat {
    /// Every format.
    pub const ALL: &[CatalogFormat] = &[
        CatalogFormat::JsonLines,
        CatalogFormat::Csv,
        #[cfg(feature = "parquet")]
        CatalogFormat::Parquet,
    ];

    /// The name: `jsonl`, `csv` or `parquet`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CatalogFormat::JsonLines => "jsonl",
            CatalogFormat::Csv => "csv",
            #[cfg(feature = "parquet")]
            CatalogFormat::Parquet => "parquet",
        }
    }

    /// The format for a file with this extension: `.jsonl`, `.ndjson` and `.json`, `.csv`, or `.parquet`.
    #[must_use]
    pub fn of_path(path: &Utf8Path) -> Option<CatalogFormat> {
        match path.extension()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Some(CatalogFormat::JsonLines),
            "csv" => Some(CatalogFormat::Csv),
            #[cfg(feature = "parquet")]
            "parquet" => Some(CatalogFormat::Parquet),
            _ => None,
        }
    }
}

/// The first bytes of a regular file.
pub(crate) fn start_of(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let (file, _) = atomic_file::open_regular(path, File::options().read(true))?;
    file.take(most as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The version of the columns: their names, their order, their types and the words in them.
pub(crate) const SCHEMA: i64 = 1;

/// The kind of a content that was not decoded.
pub(crate) const OVER_LIMIT: &str = "over-limit";

/// The kind of a problem that the system reported: the name of [`ErrorKind::Io`](quakefs::ErrorKind::Io).
pub(crate) const OF_SYSTEM: &str = "io";

/// A row of a catalog. An archive without entries, or one that cannot be opened, has one row without an
/// entry.
///
/// Every row has every column, with one type. Text is never null: it is empty if there is none, so that
/// databases that infer types from the first rows find a text in them. A number is null if there is none.
///
/// Names and paths are escaped as in the commands: bytes that are not UTF-8 or that control a terminal become
/// `\xNN`. If a spreadsheet would run a name as a formula, CSV also escapes its first letter.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CatalogRow<'a> {
    /// [`SCHEMA`].
    pub(crate) schema: i64,
    /// The caller's path of the archive.
    #[serde(borrow)]
    pub(crate) archive: Cow<'a, str>,
    /// Bytes in the archive.
    pub(crate) archive_size: Option<i64>,
    /// When the archive was last modified, in nanoseconds since 1970.
    pub(crate) archive_modified: Option<i64>,
    /// The path of an archive inside the archive, such as `id1/pak0.pak` in a download; empty for the archive
    /// itself.
    #[serde(borrow)]
    pub(crate) container: Cow<'a, str>,
    /// How many entries the archive has, or the one inside it, and thus how many rows; `None` if it cannot be
    /// opened.
    pub(crate) archive_entries: Option<i64>,
    /// The layout: `quake`, `sin`, `daikatana`, `hrot` or `zip`.
    #[serde(borrow)]
    pub(crate) layout: Cow<'a, str>,
    /// The number of the entry, from 0.
    pub(crate) entry: Option<i64>,
    /// The name of the entry.
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    /// The offset of the entry: of its payload in a PACK, of its local header in a ZIP.
    pub(crate) offset: Option<i64>,
    /// Bytes that the payload takes in the archive.
    pub(crate) stored_size: Option<i64>,
    /// Bytes of the content.
    pub(crate) size: Option<i64>,
    /// `stored`, `daikatana`, `deflate`, or the number of another method of ZIP.
    #[serde(borrow)]
    pub(crate) method: Cow<'a, str>,
    /// The content type by its extension: [`ContentType::name`](quakefs::content::ContentType::name), or
    /// `folder`.
    #[serde(borrow)]
    pub(crate) content_type: Cow<'a, str>,
    /// The hash of the content: 32 hexadecimal digits of XXH3-128, or 64 of BLAKE3.
    #[serde(borrow)]
    pub(crate) hash: Cow<'a, str>,
    /// The problem of the entry or of the archive.
    #[serde(borrow)]
    pub(crate) fault: Cow<'a, str>,
    /// The kind of the problem: [`ErrorKind::name`](quakefs::ErrorKind::name), [`OVER_LIMIT`] or `too-large`.
    #[serde(borrow)]
    pub(crate) fault_kind: Cow<'a, str>,
    /// SHA-256 of the content, if requested, like the sums below.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<Cow<'a, str>>,
    /// SHA-256 of the archive as a whole.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) archive_sha256: Option<Cow<'a, str>>,
    /// MD5 of the content.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) md5: Option<Cow<'a, str>>,
    /// MD5 of the archive as a whole.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) archive_md5: Option<Cow<'a, str>>,
    /// CRC-32 of the content.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) crc32: Option<Cow<'a, str>>,
    /// CRC-32 of the archive as a whole.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) archive_crc32: Option<Cow<'a, str>>,
}

impl<'a> CatalogRow<'a> {
    /// The names of all columns, including sums.
    #[must_use]
    pub(crate) fn columns(sums: Sums) -> Vec<&'static str> {
        let of_sum = |kind| match kind {
            DigestKind::Sha256 => ["sha256", "archive_sha256"],
            DigestKind::Md5 => ["md5", "archive_md5"],
            _ => ["crc32", "archive_crc32"],
        };
        Self::COLUMNS.into_iter().chain(sums.kinds().flat_map(of_sum)).collect()
    }

    /// The field for a sum of the entry, or of its archive.
    pub(crate) fn sum(&mut self, kind: DigestKind, of_archive: bool) -> &mut Option<Cow<'a, str>> {
        match (kind, of_archive) {
            (DigestKind::Sha256, false) => &mut self.sha256,
            (DigestKind::Sha256, true) => &mut self.archive_sha256,
            (DigestKind::Md5, false) => &mut self.md5,
            (DigestKind::Md5, true) => &mut self.archive_md5,
            (_, false) => &mut self.crc32,
            (_, true) => &mut self.archive_crc32,
        }
    }

    /// Whether no text has a letter that controls a terminal.
    pub(crate) fn is_printable(&self) -> bool {
        let texts = [
            &self.archive,
            &self.container,
            &self.layout,
            &self.name,
            &self.method,
            &self.content_type,
            &self.hash,
            &self.fault,
            &self.fault_kind,
        ];
        let sums = [
            &self.sha256,
            &self.archive_sha256,
            &self.md5,
            &self.archive_md5,
            &self.crc32,
            &self.archive_crc32,
        ];
        let mut texts = texts.into_iter().chain(sums.into_iter().flatten());
        !texts.any(|text| text.contains(steers))
    }

    /// The sums that have a column.
    pub(crate) fn sums(&self) -> Sums {
        Sums {
            sha256: self.archive_sha256.is_some(),
            md5: self.archive_md5.is_some(),
            crc32: self.archive_crc32.is_some(),
        }
    }

    /// The same row with the columns of these sums, which are empty.
    pub(crate) fn with_sums(mut self, sums: Sums) -> Self {
        for kind in sums.kinds() {
            for of_archive in [false, true] {
                self.sum(kind, of_archive).get_or_insert_default();
            }
        }
        self
    }

    /// The same row with a problem. The first one stays.
    pub(crate) fn faulty(mut self, (kind, text): (&'static str, String)) -> Self {
        if self.fault_kind.is_empty() {
            self.fault_kind = kind.into();
            self.fault = printable(text);
        }
        self
    }

    /// A number of the archive. Databases have no type for one above [`i64::MAX`], so that is a problem.
    pub(crate) fn number(&mut self, what: &str, number: u64) -> Option<i64> {
        let fits = i64::try_from(number).ok();
        if fits.is_none() {
            let text = format!("the {what} is {number}; the limit is {}", i64::MAX);
            *self = std::mem::take(self).faulty(("too-large", text));
        }
        fits
    }

    /// The field of a column.
    #[cfg(feature = "parquet")]
    pub(crate) fn cell(&mut self, column: &str) -> Cell<'_, 'a> {
        match column {
            "schema" => Cell::Version(&mut self.schema),
            "archive_size" => Cell::Number(&mut self.archive_size),
            "archive_modified" => Cell::Number(&mut self.archive_modified),
            "archive_entries" => Cell::Number(&mut self.archive_entries),
            "entry" => Cell::Number(&mut self.entry),
            "offset" => Cell::Number(&mut self.offset),
            "stored_size" => Cell::Number(&mut self.stored_size),
            "size" => Cell::Number(&mut self.size),
            "archive" => Cell::Text(&mut self.archive),
            "container" => Cell::Text(&mut self.container),
            "layout" => Cell::Text(&mut self.layout),
            "name" => Cell::Text(&mut self.name),
            "method" => Cell::Text(&mut self.method),
            "content_type" => Cell::Text(&mut self.content_type),
            "hash" => Cell::Text(&mut self.hash),
            "fault" => Cell::Text(&mut self.fault),
            "fault_kind" => Cell::Text(&mut self.fault_kind),
            sum => {
                let (of_archive, sum) = sum.strip_prefix("archive_").map_or((false, sum), |sum| (true, sum));
                let kind = match sum {
                    "sha256" => DigestKind::Sha256,
                    "md5" => DigestKind::Md5,
                    _ => DigestKind::Crc32,
                };
                Cell::Text(self.sum(kind, of_archive).get_or_insert_default())
            }
        }
    }

    /// The names of the columns without sums, in their order.
    const COLUMNS: [&'static str; 17] = [
        "schema",
        "archive",
        "archive_size",
        "archive_modified",
        "container",
        "archive_entries",
        "layout",
        "entry",
        "name",
        "offset",
        "stored_size",
        "size",
        "method",
        "content_type",
        "hash",
        "fault",
        "fault_kind",
    ];
}

/// A field of a row, by its type.
#[cfg(feature = "parquet")]
pub(crate) enum Cell<'c, 'a> {
    /// A number that every row has.
    Version(&'c mut i64),
    Number(&'c mut Option<i64>),
    Text(&'c mut Cow<'a, str>),
}

/// A message, in which names may be escaped already.
fn printable<'a>(text: String) -> Cow<'a, str> {
    if text.contains(steers) {
        let escaped =
            |letter: char| if steers(letter) { letter.escape_unicode().to_string() } else { letter.into() };
        return text.chars().map(escaped).collect::<String>().into();
    }
    text.into()
}

/// Rows in memory, in one of the formats.
pub(crate) enum Rows {
    JsonLines(Vec<u8>),
    Csv(Box<csv::Writer<Vec<u8>>>),
}

impl Rows {
    pub(crate) fn new(format: CatalogFormat) -> Rows {
        match format {
            CatalogFormat::Csv => {
                Rows::Csv(Box::new(csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new())))
            }
            // columns are written from lines
            _ => Rows::JsonLines(Vec::new()),
        }
    }

    /// Writing to memory does not fail, and the formats can represent every value.
    pub(crate) fn push(&mut self, row: &CatalogRow<'_>) {
        match self {
            Rows::JsonLines(bytes) => {
                // the row's own brace becomes the comma after the type
                bytes.extend_from_slice(b"{\"type\":\"row\"");
                let brace = bytes.len();
                let _ = serde_json::to_writer(&mut *bytes, row);
                if let Some(brace) = bytes.get_mut(brace) {
                    *brace = b',';
                }
                bytes.push(b'\n');
            }
            Rows::Csv(writer) => {
                let CatalogRow { archive, container, name, fault, .. } = row.clone();
                let (archive, container) = (cell(archive), cell(container));
                let (name, fault) = (cell(name), cell(fault));
                let _ = writer.serialize(CatalogRow { archive, container, name, fault, ..row.clone() });
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        match self {
            Rows::JsonLines(bytes) => bytes,
            Rows::Csv(writer) => writer.into_inner().unwrap_or_default(),
        }
    }
}

/// The state of the archive that a row describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) size: Option<i64>,
    pub(crate) modified: Option<i64>,
}

impl Stamp {
    pub(crate) fn of(disk: &dyn Disk, path: &Utf8Path) -> Stamp {
        let path = outer(disk, path).map_or(path, |(outer, _)| outer);
        let Ok(found) = disk.stat(path.as_std_path()) else { return Stamp::default() };
        Stamp { size: i64::try_from(found.size).ok(), modified: found.modified.and_then(nanoseconds) }
    }
}

fn nanoseconds(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|nanoseconds| -nanoseconds),
    }
}

/// A name in the escaped form of the commands.
pub(crate) fn printable_name(name: EntryName<'_>) -> Cow<'_, str> {
    name.as_printable().map_or_else(|| name.to_string().into(), Cow::Borrowed)
}

/// A text as a cell of CSV. Spreadsheets run text that begins like a formula, even between quotes, so such a
/// first letter is escaped as `\xNN`.
pub(crate) fn cell(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.bytes().next() {
        Some(first @ (b'=' | b'+' | b'-' | b'@')) => {
            format!("\\x{first:02x}{}", text.get(1..).unwrap_or_default()).into()
        }
        _ => text,
    }
}

/// The path of an archive for a row, after a prefix, and the path inside it.
pub(crate) fn place<'a>(disk: &dyn Disk, path: &'a Utf8Path, prefix: &str) -> (Cow<'a, str>, Cow<'a, str>) {
    let (outer, inside) = outer(disk, path).unwrap_or((path, ""));
    let archive = printable_path(outer.as_str());
    let archive = if prefix.is_empty() { archive } else { format!("{prefix}{archive}").into() };
    (archive, inside.into())
}

/// The path of an archive for a row: with `/` between its parts on every system.
fn printable_path(path: &str) -> Cow<'_, str> {
    if cfg!(windows) {
        return printable_name(path.replace('\\', "/").as_str().into()).into_owned().into();
    }
    printable_name(EntryName::from_bytes(path.as_bytes()))
}
