//! The rows of an archive.

use core::fmt;

use crate::archive::entry::Entry;
use crate::detect::{self, Reason};
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::{Header, Row};

/// Options for reading a directory. By default the layout is detected, and bytes after the last whole row are
/// an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The layout; `None` detects it.
    pub layout: Option<Layout>,
    /// Whether bytes after the last whole row are ignored, as some engines do.
    pub allow_partial_row: bool,
}

impl ParseOptions {
    /// The defaults.
    #[must_use]
    pub const fn new() -> Self {
        ParseOptions { layout: None, allow_partial_row: false }
    }

    /// The layout; `None` detects it.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Option<Layout>>) -> Self {
        self.layout = layout.into();
        self
    }

    /// Whether bytes after the last whole row are ignored.
    #[must_use]
    pub const fn allow_partial_row(mut self, allow: bool) -> Self {
        self.allow_partial_row = allow;
        self
    }

    /// Reads the header of an archive.
    ///
    /// # Errors
    /// [`ErrorKind::ShortHeader`]. For a wrong magic, [`ErrorKind::WrongMagic`] if the options name a layout,
    /// otherwise [`ErrorKind::UnknownMagic`].
    pub fn parse_header(&self, bytes: &[u8]) -> Result<Header, Error> {
        Header::parse(bytes).map_err(|error| match (error.kind(), self.layout) {
            (&ErrorKind::UnknownMagic { found }, Some(layout)) => {
                ErrorKind::WrongMagic { layout, found }.into()
            }
            _ => error,
        })
    }
}

/// The rows of an archive, without its payloads. A lookup needs no more.
///
/// `D` holds exactly the bytes of the directory: a slice of a mapped archive, or a copy that was read from a
/// file. [`Archive::directory`](crate::Archive::directory) borrows it from an archive.
#[derive(Clone)]
pub struct Directory<D> {
    rows: D,
    detection: (Layout, Reason),
    image_size: u64,
}

impl<D: AsRef<[u8]>> Directory<D> {
    /// Reads the bytes at [`Header::directory_range`] of an archive of `image_size` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::WrongMagic`], [`ErrorKind::PartialRow`] or [`ErrorKind::AmbiguousLayout`].
    pub fn parse(header: &Header, rows: D, image_size: u64, options: &ParseOptions) -> Result<Self, Error> {
        let bytes = rows.as_ref();
        let detection = match options.layout {
            None => detect::detect(header, bytes, image_size)?,
            Some(layout) if layout.magic() != header.magic => {
                return Err(ErrorKind::WrongMagic { layout, found: header.magic }.into());
            }
            Some(layout) => {
                if !options.allow_partial_row {
                    detect::whole_rows(bytes, layout)?;
                }
                (layout, Reason::Named)
            }
        };
        Ok(Directory { rows, detection, image_size })
    }

    /// Rows with a known layout.
    pub(super) fn new(rows: D, detection: (Layout, Reason), image_size: u64) -> Self {
        Directory { rows, detection, image_size }
    }

    /// The layout of the rows.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.detection.0
    }

    /// How the layout was determined.
    #[must_use]
    pub fn layout_reason(&self) -> Reason {
        self.detection.1
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.as_ref().len() / self.layout().row_size()
    }

    /// Whether the archive is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in the whole archive.
    #[must_use]
    pub fn image_size(&self) -> u64 {
        self.image_size
    }

    /// The bytes of the rows.
    #[must_use]
    pub fn rows(&self) -> &D {
        &self.rows
    }

    /// The entry in row `index`, or `None` past the last one.
    #[must_use]
    #[inline]
    pub fn entry(&self, index: usize) -> Option<Entry<'_>> {
        Entry::at(index, self.rows.as_ref(), self.layout(), self.image_size)
    }

    /// The name field of row `index`, without the cost of [`entry`](Self::entry).
    #[must_use]
    #[inline]
    pub fn name_field(&self, index: usize) -> Option<&[u8]> {
        let start = index.checked_mul(self.layout().row_size())?;
        self.rows.as_ref().get(start..start.checked_add(self.layout().name_width())?)
    }

    /// All entries, in stored order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> + DoubleEndedIterator + Clone {
        entries(self.rows.as_ref(), self.layout(), self.image_size)
    }

    /// One error for each entry that cannot be read according to its row. Only decoding finds damage inside a
    /// compressed payload.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.entries().filter_map(|entry| entry.check().err())
    }
}

impl<D: AsRef<[u8]>> fmt::Debug for Directory<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Directory")
            .field("layout", &self.layout())
            .field("entries", &self.len())
            .field("image_size", &self.image_size)
            .finish()
    }
}

pub(super) fn entries(
    rows: &[u8],
    layout: Layout,
    image_size: u64,
) -> impl ExactSizeIterator<Item = Entry<'_>> + DoubleEndedIterator + Clone {
    const EMPTY: Row<'_> = Row { name: &[], offset: 0, size: 0, compressed_size: 0, compression: 0 };
    // each chunk is as long as a row
    let row = move |bytes| Row::parse(layout, bytes).unwrap_or(EMPTY);
    let rows = rows.chunks_exact(layout.row_size()).enumerate();
    rows.map(move |(index, bytes)| Entry::new(row(bytes), index, image_size))
}
