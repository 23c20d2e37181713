//! Converts the header and the rows between bytes and fields.
//!
//! Readers and writers both use [`Header`] and [`Row`], so sizes and the order of fields are defined once.
//! All integers on disk are little-endian `u32`.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::layout::Layout;

/// The first 12 bytes of an archive, which locate its directory.
///
/// ```text
/// 0       4                   8                 12
/// | magic | directory offset  | directory size  |
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `PACK`, `SPAK` or `HROT`.
    pub magic: [u8; 4],
    /// Offset of the first row.
    pub directory_offset: u32,
    /// Bytes in all rows together.
    pub directory_size: u32,
}

impl Header {
    /// Bytes in a header.
    pub const SIZE: usize = 12;

    /// Reads a header from the first bytes of an archive; bytes after the twelfth are ignored.
    ///
    /// # Errors
    /// [`ErrorKind::ShortHeader`] or [`ErrorKind::UnknownMagic`].
    pub fn parse(bytes: &[u8]) -> Result<Header, Error> {
        let short = || ErrorKind::ShortHeader { found: bytes.len() };
        let (magic, rest) = bytes.split_first_chunk::<4>().ok_or_else(short)?;
        if Layout::with_magic(*magic).next().is_none() {
            return Err(ErrorKind::UnknownMagic { found: *magic }.into());
        }
        let (offset, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let size = rest.first_chunk::<4>().ok_or_else(short)?;
        Ok(Header {
            magic: *magic,
            directory_offset: u32::from_le_bytes(*offset),
            directory_size: u32::from_le_bytes(*size),
        })
    }

    /// The bytes of this header.
    #[must_use]
    pub fn encode(&self) -> [u8; Header::SIZE] {
        let mut bytes = [0; Header::SIZE];
        let (magic, rest) = bytes.split_at_mut(4);
        let (offset, size) = rest.split_at_mut(4);
        magic.copy_from_slice(&self.magic);
        offset.copy_from_slice(&self.directory_offset.to_le_bytes());
        size.copy_from_slice(&self.directory_size.to_le_bytes());
        bytes
    }

    /// The range of the directory in an archive of `image_size` bytes. For a directory without rows, this is
    /// the empty range after the header.
    ///
    /// # Errors
    /// [`ErrorKind::DirectoryInHeader`] or [`ErrorKind::DirectoryOutside`].
    pub fn directory_range(&self, image_size: u64) -> Result<Range<u64>, Error> {
        let (offset, size) = (self.directory_offset, self.directory_size);
        let header = Header::SIZE as u64;
        if size == 0 {
            return Ok(header..header);
        }
        if u64::from(offset) < header {
            return Err(ErrorKind::DirectoryInHeader { offset }.into());
        }
        let end = u64::from(offset) + u64::from(size);
        if end > image_size {
            return Err(ErrorKind::DirectoryOutside { offset, size, image_size }.into());
        }
        Ok(u64::from(offset)..end)
    }
}

/// One row of the directory, as stored.
///
/// ```text
/// 0              56 or 120   +4     +8                +12            +16
/// | name, NUL, … | offset    | size | compressed size | compressed?  |
///                                   '------- Daikatana alone --------'
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// The whole name field: the name, a NUL, and then any bytes.
    pub name: &'a [u8],
    /// Offset of the payload.
    pub offset: u32,
    /// Bytes of the content, decoded.
    pub size: u32,
    /// The size of the payload in the archive if it is compressed. In a row without compression this is the
    /// size or 0. In layouts without this field it is the size.
    pub compressed_size: u32,
    /// Not 0 if the payload is compressed. In layouts without this field it is 0.
    pub compression: u32,
}

impl<'a> Row<'a> {
    /// Reads a row; Returns `None` if `bytes` does not have the length of a row.
    #[must_use]
    #[inline]
    pub fn parse(layout: Layout, bytes: &'a [u8]) -> Option<Row<'a>> {
        if bytes.len() != layout.row_size() {
            return None;
        }
        let (name, rest) = bytes.split_at_checked(layout.name_width())?;
        let (offset, rest) = rest.split_first_chunk::<4>()?;
        let (size, rest) = rest.split_first_chunk::<4>()?;
        let size = u32::from_le_bytes(*size);
        let (compressed_size, compression) = match rest.split_first_chunk::<4>() {
            Some((compressed_size, flag)) => {
                (u32::from_le_bytes(*compressed_size), u32::from_le_bytes(*flag.first_chunk::<4>()?))
            }
            None => (size, 0),
        };
        Some(Row { name, offset: u32::from_le_bytes(*offset), size, compressed_size, compression })
    }

    /// Appends the bytes of this row. The name is cut at the width of the field and padded with zeros.
    pub fn encode(&self, layout: Layout, out: &mut Vec<u8>) {
        let width = layout.name_width();
        let name = self.name.get(..width).unwrap_or(self.name);
        out.extend_from_slice(name);
        out.resize(out.len() + width - name.len(), 0);
        out.extend_from_slice(&self.offset.to_le_bytes());
        out.extend_from_slice(&self.size.to_le_bytes());
        if layout.compresses() {
            out.extend_from_slice(&self.compressed_size.to_le_bytes());
            out.extend_from_slice(&self.compression.to_le_bytes());
        }
    }

    /// Whether the payload is compressed.
    #[must_use]
    #[inline]
    pub const fn is_compressed(&self) -> bool {
        self.compression != 0
    }

    /// The size of the payload in the archive.
    #[must_use]
    #[inline]
    pub const fn stored_size(&self) -> u32 {
        if self.is_compressed() { self.compressed_size } else { self.size }
    }
}

impl fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("name", &format_args!("\"{}\"", self.name.escape_ascii()))
            .field("offset", &self.offset)
            .field("size", &self.size)
            .field("compressed_size", &self.compressed_size)
            .field("compression", &self.compression)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_reads_back_as_written() {
        for layout in Layout::ALL {
            let compresses = layout.compresses();
            let mut name = b"maps/start.bsp".to_vec();
            name.resize(layout.name_width(), 0);
            let row = Row {
                name: &name,
                offset: 0x0102_0304,
                size: 0x0506_0708,
                compressed_size: if compresses { 0x090a_0b0c } else { 0x0506_0708 },
                compression: u32::from(compresses),
            };
            let mut bytes = Vec::new();
            row.encode(layout, &mut bytes);
            assert_eq!(bytes.len(), layout.row_size());
            assert_eq!(Row::parse(layout, &bytes), Some(row));
            bytes.push(0);
            assert_eq!(Row::parse(layout, &bytes), None);
        }
    }
}
