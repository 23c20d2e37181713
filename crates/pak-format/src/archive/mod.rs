//! Readers: [`Directory`] for only the rows, [`Archive`] for a whole archive.

mod directory;
mod entry;
mod extent;

use alloc::borrow::Cow;
use core::fmt;
use core::ops::Range;

use self::directory::entries;
pub use self::directory::{Directory, ParseOptions};
pub use self::entry::Entry;
pub(crate) use self::extent::join;
use crate::detect::Reason;
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;

/// An archive in memory: a mapped file, a vector, a slice.
///
/// Opening reads only the directory and copies nothing. A damaged entry is an error only when it is read.
#[derive(Clone)]
pub struct Archive<D> {
    image: D,
    directory: Range<usize>,
    detection: (Layout, Reason),
}

impl<D: AsRef<[u8]>> Archive<D> {
    /// Opens an archive and detects its layout.
    ///
    /// # Errors
    /// The directory is missing ([`ErrorKind::ShortHeader`], [`ErrorKind::UnknownMagic`],
    /// [`ErrorKind::DirectoryInHeader`], [`ErrorKind::DirectoryOutside`]) or cannot be read
    /// ([`ErrorKind::PartialRow`], [`ErrorKind::AmbiguousLayout`]). Entries are not checked.
    pub fn parse(image: D) -> Result<Self, Error> {
        Self::parse_with(image, &ParseOptions::new())
    }

    /// Opens an archive under [`ParseOptions`].
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse), and [`ErrorKind::WrongMagic`] if the options name a layout.
    pub fn parse_with(image: D, options: &ParseOptions) -> Result<Self, Error> {
        let bytes = image.as_ref();
        let header = options.parse_header(bytes)?;
        let image_size = bytes.len() as u64;
        let range = positions(&header.directory_range(image_size)?);
        let rows = bytes.get(range.clone()).unwrap_or_default();
        let parsed = Directory::parse(&header, rows, image_size, options)?;
        let detection = (parsed.layout(), parsed.layout_reason());
        Ok(Archive { image, directory: range, detection })
    }

    /// The rows.
    #[must_use]
    pub fn directory(&self) -> Directory<&[u8]> {
        Directory::new(self.rows(), self.detection, self.image_size())
    }

    /// The range of the rows in the archive.
    #[must_use]
    pub fn directory_range(&self) -> Range<usize> {
        self.directory.clone()
    }

    /// The layout of the archive. [`Directory::layout_reason`] tells how it was determined.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.detection.0
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory().len()
    }

    /// Whether the archive is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry in row `index`, or `None` past the last one.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry<'_>> {
        Entry::at(index, self.rows(), self.layout(), self.image_size())
    }

    /// All entries, in stored order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> + DoubleEndedIterator + Clone {
        entries(self.rows(), self.layout(), self.image_size())
    }

    /// The first entry of this name, byte for byte, found by comparing every row. For many lookups build a
    /// map, or use the crate `quakefs`.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<Entry<'_>> {
        let name = name.as_ref();
        self.entries().find(|entry| entry.name() == *name)
    }

    /// The stored payload, borrowed.
    ///
    /// # Errors
    /// [`ErrorKind::EntryOutside`], and [`ErrorKind::NoSuchRow`] or [`ErrorKind::OtherArchive`] for an entry
    /// of another archive.
    pub fn raw(&self, entry: &Entry<'_>) -> Result<&[u8], Error> {
        self.check_own(entry)?;
        let range = positions(&entry.extent()?);
        self.image.as_ref().get(range).ok_or_else(|| {
            entry.error(ErrorKind::EntryOutside {
                offset: entry.offset(),
                stored_size: entry.stored_size(),
                image_size: self.image_size(),
            })
        })
    }

    /// The content: borrowed if it is stored as it is, owned if it is decoded.
    ///
    /// # Errors
    /// The errors of [`raw`](Self::raw), and [`ErrorKind::Expansion`] or [`ErrorKind::Codec`].
    pub fn read(&self, entry: &Entry<'_>) -> Result<Cow<'_, [u8]>, Error> {
        entry.decode(self.raw(entry)?)
    }

    /// The bytes of the archive.
    #[must_use]
    pub fn get_ref(&self) -> &D {
        &self.image
    }

    /// Returns the bytes of the archive.
    #[must_use]
    pub fn into_inner(self) -> D {
        self.image
    }

    /// Checks that an entry belongs to this archive: its row has the same address or equal bytes.
    fn check_own(&self, entry: &Entry<'_>) -> Result<(), Error> {
        let directory = self.directory();
        match directory.name_field(entry.index()) {
            Some(field) if core::ptr::eq(field, entry.row().name) => Ok(()),
            Some(_) if directory.entry(entry.index()) == Some(*entry) => Ok(()),
            Some(_) => Err(entry.error(ErrorKind::OtherArchive)),
            None => {
                let (row, rows) = (entry.index(), self.len());
                Err(entry.error(ErrorKind::NoSuchRow { row, rows }))
            }
        }
    }

    fn rows(&self) -> &[u8] {
        self.image.as_ref().get(self.directory.clone()).unwrap_or_default()
    }

    pub(crate) fn image_size(&self) -> u64 {
        self.image.as_ref().len() as u64
    }
}

/// A range of the archive as positions in memory. Positions beyond `usize` are clamped, so they are outside
/// of any archive.
fn positions(range: &Range<u64>) -> Range<usize> {
    let position = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
    position(range.start)..position(range.end)
}

impl<D: AsRef<[u8]>> fmt::Debug for Archive<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive")
            .field("layout", &self.layout())
            .field("entries", &self.len())
            .field("image_size", &self.image_size())
            .finish()
    }
}
