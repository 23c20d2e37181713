//! WAD2 and WAD3: header, payloads, rows.
//!
//! Source: `wadlib.h` of Quake's tools; Unofficial Quake Specs 3.4.

use crate::error::Error;
use crate::record::{Header, Row};
use crate::write::payload::offset;

pub(crate) const HEADER: usize = 12;
pub(crate) const ROW: usize = 32;
/// The longest name, without the NUL.
pub(crate) const LONGEST_NAME: usize = 15;
/// The kind number of an entry of unknown kind.
pub(crate) const RAW: u8 = 0x45;

const _: () = assert!(HEADER == Header::SIZE, "both headers are as long");

/// A WAD header has the number of rows first and then the offset of the directory.
pub(crate) fn header(magic: [u8; 4], count: usize, header: &Header) -> Result<[u8; HEADER], Error> {
    let count = offset(count as u64)?;
    Ok(Header { magic, directory_offset: count, directory_size: header.directory_offset }.encode())
}

pub(crate) fn row(row: &Row<'_>, kind: u8, rows: &mut Vec<u8>) {
    let end = rows.len() + ROW;
    for number in [row.offset, row.size, row.size] {
        rows.extend(number.to_le_bytes());
    }
    // not compressed, and two bytes without meaning
    rows.extend([kind, 0, 0, 0]);
    rows.extend(row.name.iter().take(LONGEST_NAME));
    rows.resize(end, 0);
}
