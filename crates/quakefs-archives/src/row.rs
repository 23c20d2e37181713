//! The rows of a catalog and their formats.

use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

use camino::Utf8Path;
use pak_format::EntryName;
use serde::Serialize;

use crate::digest::{DigestKind, Sums};

/// The format of a catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogFormat {
    /// One JSON object on each line.
    #[default]
    JsonLines,
    /// Comma-separated values after a line of column names.
    Csv,
}

impl CatalogFormat {
    /// Every format.
    pub const ALL: &[CatalogFormat] = &[CatalogFormat::JsonLines, CatalogFormat::Csv];

    /// The name: `jsonl` or `csv`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CatalogFormat::JsonLines => "jsonl",
            CatalogFormat::Csv => "csv",
        }
    }

    /// The format for a file with this extension: `.jsonl`, `.ndjson` and `.json`, or `.csv`.
    #[must_use]
    pub fn of_path(path: &Utf8Path) -> Option<CatalogFormat> {
        match path.extension()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Some(CatalogFormat::JsonLines),
            "csv" => Some(CatalogFormat::Csv),
            _ => None,
        }
    }
}

/// A row of a catalog. An archive without entries, or one that cannot be opened, has one row without an entry.
///
/// Names and paths are escaped as in the commands: bytes that are not UTF-8 or that control a terminal become `\xNN`.
/// If a spreadsheet would run a name as a formula, CSV also escapes its first letter.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct CatalogRow<'a> {
    /// The caller's path of the archive.
    pub(crate) archive: Cow<'a, str>,
    /// Bytes in the archive.
    pub(crate) archive_size: Option<u64>,
    /// When the archive was last modified, in nanoseconds since 1970.
    pub(crate) archive_modified: Option<i64>,
    /// How many entries the archive has; `None` if it cannot be opened.
    pub(crate) archive_entries: Option<u64>,
    /// The layout: `quake`, `sin`, `daikatana`, `hrot` or `zip`.
    pub(crate) layout: Option<Cow<'a, str>>,
    /// The number of the entry, from 0.
    pub(crate) entry: Option<u64>,
    /// The name of the entry.
    pub(crate) name: Option<Cow<'a, str>>,
    /// The offset of the entry: of its payload in a PACK, of its local header in a ZIP.
    pub(crate) offset: Option<u64>,
    /// Bytes that the payload takes in the archive.
    pub(crate) stored_size: Option<u64>,
    /// Bytes of the content.
    pub(crate) size: Option<u64>,
    /// `stored`, `daikatana`, `deflate`, or the number of another method of ZIP.
    pub(crate) method: Option<Cow<'a, str>>,
    /// The content type by its extension: [`ContentType::name`](quakefs::content::ContentType::name), or `folder`.
    pub(crate) content_type: Option<Cow<'a, str>>,
    /// The hash of the content: 32 hexadecimal digits of XXH3-128, or 64 of BLAKE3.
    pub(crate) hash: Option<Cow<'a, str>>,
    /// The problem of the entry or of the archive.
    pub(crate) fault: Option<Cow<'a, str>>,
    /// SHA-256 of the content, if requested, like the sums below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<Cow<'a, str>>,
    /// SHA-256 of the archive as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) archive_sha256: Option<Cow<'a, str>>,
    /// MD5 of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) md5: Option<Cow<'a, str>>,
    /// MD5 of the archive as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) archive_md5: Option<Cow<'a, str>>,
    /// CRC-32 of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) crc32: Option<Cow<'a, str>>,
    /// CRC-32 of the archive as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
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

    /// The names of the columns without sums, in their order.
    const COLUMNS: [&'static str; 14] = [
        "archive",
        "archive_size",
        "archive_modified",
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
    ];
}

/// The state of the archive that a row describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) size: Option<u64>,
    pub(crate) modified: Option<i64>,
}

impl Stamp {
    pub(crate) fn of(path: &Utf8Path) -> Stamp {
        let Ok(found) = path.metadata() else { return Stamp::default() };
        Stamp { size: Some(found.len()), modified: found.modified().ok().and_then(nanoseconds) }
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

/// A text as a cell of CSV. Spreadsheets run text that begins like a formula, even between quotes, so such a first
/// letter is escaped as `\xNN`.
pub(crate) fn cell(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.bytes().next() {
        Some(first @ (b'=' | b'+' | b'-' | b'@')) => {
            format!("\\x{first:02x}{}", text.get(1..).unwrap_or_default()).into()
        }
        _ => text,
    }
}

/// The path of an archive for a row: with `/` between its parts on every system.
pub(crate) fn printable_path(path: &str) -> Cow<'_, str> {
    if cfg!(windows) {
        return printable_name(path.replace('\\', "/").as_str().into()).into_owned().into();
    }
    printable_name(EntryName::from_bytes(path.as_bytes()))
}
