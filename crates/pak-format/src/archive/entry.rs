//! One file in an archive.

use alloc::borrow::Cow;
use core::fmt;
use core::ops::Range;

use crate::daikatana;
use crate::entry_name::EntryName;
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::Row;

/// A file in an archive: a view of one row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    row: Row<'a>,
    index: usize,
    image_size: u64,
}

impl<'a> Entry<'a> {
    /// The entry of a row.
    #[inline]
    pub(super) fn new(row: Row<'a>, index: usize, image_size: u64) -> Self {
        Entry { row, index, image_size }
    }

    /// The entry in row `index` of these rows.
    #[inline]
    pub(super) fn at(index: usize, rows: &'a [u8], layout: Layout, image_size: u64) -> Option<Self> {
        let size = layout.row_size();
        let start = index.checked_mul(size)?;
        let bytes = rows.get(start..start.checked_add(size)?)?;
        Some(Entry { row: Row::parse(layout, bytes)?, index, image_size })
    }

    /// The number of the row, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name: the bytes of the name field up to NUL.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        EntryName::from_field(self.row.name)
    }

    /// Offset of the payload.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> u32 {
        self.row.offset
    }

    /// Bytes of the content, decoded.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u32 {
        self.row.size
    }

    /// The size of the payload in the archive.
    #[must_use]
    #[inline]
    pub fn stored_size(&self) -> u32 {
        self.row.stored_size()
    }

    /// Whether the payload has to be decoded.
    #[must_use]
    #[inline]
    pub fn is_compressed(&self) -> bool {
        self.row.is_compressed()
    }

    /// The row as stored, with the bytes after the NUL of the name.
    #[must_use]
    pub fn row(&self) -> Row<'a> {
        self.row
    }

    /// The range of the payload in the archive. An empty payload may have any offset.
    ///
    /// # Errors
    /// [`ErrorKind::EntryOutside`].
    #[inline]
    pub fn extent(&self) -> Result<Range<u64>, Error> {
        let start = u64::from(self.offset());
        let end = start + u64::from(self.stored_size());
        if self.stored_size() == 0 {
            let start = start.min(self.image_size);
            return Ok(start..start);
        }
        if end > self.image_size {
            return Err(self.error(ErrorKind::EntryOutside {
                offset: self.offset(),
                stored_size: self.stored_size(),
                image_size: self.image_size,
            }));
        }
        Ok(start..end)
    }

    /// Checks the row: its payload is inside the archive, and it can decode to as many bytes as the row
    /// claims.
    ///
    /// # Errors
    /// [`ErrorKind::EntryOutside`] or [`ErrorKind::Expansion`].
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        self.extent()?;
        if self.is_compressed() {
            let limit = u64::from(self.stored_size()) * daikatana::MAX_EXPANSION;
            if u64::from(self.size()) > limit {
                let (size, compressed_size) = (self.size(), self.stored_size());
                return Err(self.error(ErrorKind::Expansion { size, compressed_size, limit }));
            }
        }
        Ok(())
    }

    /// Decodes a stored payload. A payload that is not compressed is borrowed.
    ///
    /// A row that claims more than its payload can decode to is an error, before any memory is allocated.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check), and [`ErrorKind::Codec`].
    pub fn decode<'p>(&self, payload: &'p [u8]) -> Result<Cow<'p, [u8]>, Error> {
        self.check()?;
        if !self.is_compressed() {
            return Ok(Cow::Borrowed(payload));
        }
        let size = usize::try_from(self.size()).unwrap_or(usize::MAX);
        daikatana::decode(payload, size).map(Cow::Owned).map_err(|fault| self.error(ErrorKind::Codec(fault)))
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind).at_entry(self.index, self.name())
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("index", &self.index)
            .field("name", &self.name())
            .field("offset", &self.offset())
            .field("size", &self.size())
            .field("stored_size", &self.stored_size())
            .field("compressed", &self.is_compressed())
            .finish()
    }
}
