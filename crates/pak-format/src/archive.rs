//! Reading: [`Directory`] over the rows alone, [`Archive`] over a whole image.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::daikatana;
use crate::detect::{self, Detection, Reason};
use crate::error::{Error, ErrorKind};
use crate::layout::{Header, Layout, Row};
use crate::name::EntryName;

/// How to read a directory where the default is not wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// The layout; `None` tells it from the bytes.
    pub layout: Option<Layout>,
    /// Ignore bytes behind the last whole row, as some engines do, rather than refuse the archive.
    pub allow_partial_row: bool,
}

impl ParseOptions {
    /// Reads the header of an archive that has to be of the layout, if one is named.
    ///
    /// Fails with [`ErrorKind::ShortHeader`], and with [`ErrorKind::WrongMagic`] where a layout is named, else
    /// [`ErrorKind::UnknownMagic`].
    pub fn parse_header(&self, bytes: &[u8]) -> Result<Header, Error> {
        Header::parse(bytes).map_err(|error| match (error.kind(), self.layout) {
            (&ErrorKind::UnknownMagic { found }, Some(layout)) => {
                ErrorKind::WrongMagic { layout, found }.into()
            }
            _ => error,
        })
    }
}

/// The rows of an archive, wherever they are held.
#[derive(Clone, Copy)]
struct Rows<'a> {
    bytes: &'a [u8],
    layout: Layout,
    image_size: u64,
}

impl<'a> Rows<'a> {
    fn len(self) -> usize {
        self.bytes.len() / self.layout.row_size()
    }

    #[inline]
    fn entry(self, index: usize) -> Option<Entry<'a>> {
        let size = self.layout.row_size();
        let start = index.checked_mul(size)?;
        let bytes = self.bytes.get(start..start.checked_add(size)?)?;
        Some(Entry { row: Row::parse(self.layout, bytes)?, index, image_size: self.image_size })
    }

    fn entries(self) -> impl DoubleEndedIterator<Item = Entry<'a>> + ExactSizeIterator + Clone {
        self.bytes.chunks_exact(self.layout.row_size()).enumerate().map(move |(index, bytes)| {
            let row = Row::parse(self.layout, bytes).unwrap_or(EMPTY_ROW);
            Entry { row, index, image_size: self.image_size }
        })
    }
}

// `chunks_exact` gives whole rows only, so no entry is ever made of this.
const EMPTY_ROW: Row<'static> = Row { name: &[], offset: 0, size: 0, compressed_size: 0, compression: 0 };

/// The rows of an archive, without its payloads: what a lookup needs.
///
/// `D` holds exactly the bytes of the directory: a slice of a mapped archive, or a copy of what was read from
/// a file that is too dear to map. [`Archive`] is this over a whole image.
#[derive(Clone)]
pub struct Directory<D> {
    rows: D,
    detection: Detection,
    image_size: u64,
}

impl<D: AsRef<[u8]>> Directory<D> {
    /// Takes the bytes at [`Header::directory_range`] of an archive of `image_size` bytes.
    ///
    /// Fails with [`ErrorKind::WrongMagic`], [`ErrorKind::PartialRow`] or [`ErrorKind::AmbiguousLayout`].
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
                Detection { layout, reason: Reason::Named }
            }
        };
        Ok(Directory { rows, detection, image_size })
    }

    /// The layout of the rows.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.detection.layout
    }

    /// The layout, and why it is taken for that.
    #[must_use]
    pub fn detection(&self) -> Detection {
        self.detection
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether there is no entry.
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
        self.view().entry(index)
    }

    /// The name in row `index`: what [`entry`](Self::entry) would say of it, at the cost of the name alone.
    #[must_use]
    #[inline]
    pub fn name_field(&self, index: usize) -> Option<&[u8]> {
        let start = index.checked_mul(self.layout().row_size())?;
        self.rows.as_ref().get(start..start.checked_add(self.layout().name_width())?)
    }

    /// All entries, in stored order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator + Clone {
        self.view().entries()
    }

    /// What is wrong with each entry that cannot be read by its row alone. Damage inside a compressed payload
    /// shows only when it is decoded.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.entries().filter_map(|entry| entry.check().err())
    }

    #[inline]
    fn view(&self) -> Rows<'_> {
        Rows { bytes: self.rows.as_ref(), layout: self.layout(), image_size: self.image_size }
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

/// A file in an archive: a view of one row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    row: Row<'a>,
    index: usize,
    image_size: u64,
}

impl<'a> Entry<'a> {
    /// The number of its row, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its name: the bytes up to NUL.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        EntryName::from_field(self.row.name)
    }

    /// Where its payload starts, in bytes from the start of the archive.
    #[must_use]
    pub fn offset(&self) -> u32 {
        self.row.offset
    }

    /// Bytes of its content, decoded.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.row.size
    }

    /// Bytes that it takes in the archive.
    #[must_use]
    pub fn stored_size(&self) -> u32 {
        self.row.stored_size()
    }

    /// Whether the payload has to be decoded.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.row.is_compressed()
    }

    /// The row as stored, with what follows the NUL of the name.
    #[must_use]
    pub fn row(&self) -> Row<'a> {
        self.row
    }

    /// The bytes of the archive that hold the payload. One without bytes is inside whatever its offset.
    ///
    /// Fails with [`ErrorKind::EntryOutside`].
    pub fn extent(&self) -> Result<Range<u64>, Error> {
        let start = u64::from(self.offset());
        let end = start + u64::from(self.stored_size());
        if self.stored_size() == 0 {
            // no bytes are inside every archive
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

    /// Whether the row can be right: its payload is inside the archive, and decoding could give so many bytes.
    ///
    /// Fails with [`ErrorKind::EntryOutside`] or [`ErrorKind::Expansion`].
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

    /// The content, from the payload as stored: lent where it is not compressed.
    ///
    /// No memory is taken for a row that claims more than its payload could give. Fails as
    /// [`check`](Self::check) does, and with [`ErrorKind::Codec`].
    pub fn decode<'p>(&self, payload: &'p [u8]) -> Result<Cow<'p, [u8]>, Error> {
        self.check()?;
        if !self.is_compressed() {
            return Ok(Cow::Borrowed(payload));
        }
        let size = usize::try_from(self.size()).unwrap_or(usize::MAX);
        daikatana::decode(payload, size).map(Cow::Owned).map_err(|fault| self.error(ErrorKind::Codec(fault)))
    }

    fn error(&self, kind: ErrorKind) -> Error {
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

/// Brings extents into order and joins those that overlap or touch.
pub(crate) fn join(extents: &mut Vec<Range<u64>>) {
    extents.sort_unstable_by_key(|extent| extent.start);
    extents.dedup_by(|next, last| {
        let joins = next.start <= last.end;
        if joins {
            last.end = last.end.max(next.end);
        }
        joins
    });
}

/// An archive in memory: a mapped file, a vector, a slice.
///
/// Opening it copies nothing and reads the directory alone; a payload is looked at when it is asked for, and a
/// damaged entry is an error then.
///
/// ```
/// use pak_format::{Archive, Builder, Layout};
///
/// let mut builder = Builder::new(Layout::Quake);
/// builder.add("maps/start.bsp", *b"a level")?;
/// let archive = Archive::parse(builder.finish()?)?;
/// let entry = archive.find(b"maps/start.bsp").expect("it was just added");
/// assert_eq!(archive.read(&entry)?, &b"a level"[..]);
/// # Ok::<(), pak_format::Error>(())
/// ```
#[derive(Clone)]
pub struct Archive<D> {
    image: D,
    directory: Range<usize>,
    detection: Detection,
}

impl<D: AsRef<[u8]>> Archive<D> {
    /// Opens an archive, telling its layout from its bytes.
    ///
    /// Fails where there is no directory to read ([`ErrorKind::ShortHeader`], [`ErrorKind::UnknownMagic`],
    /// [`ErrorKind::DirectoryInHeader`], [`ErrorKind::DirectoryOutside`]) or no way to read it
    /// ([`ErrorKind::PartialRow`], [`ErrorKind::AmbiguousLayout`]). Entries are not looked at.
    pub fn parse(image: D) -> Result<Self, Error> {
        Self::parse_with(image, &ParseOptions::default())
    }

    /// Opens an archive of a layout that the caller knows. Fails with [`ErrorKind::WrongMagic`] too.
    pub fn parse_as(image: D, layout: Layout) -> Result<Self, Error> {
        Self::parse_with(image, &ParseOptions { layout: Some(layout), ..ParseOptions::default() })
    }

    /// Opens an archive under [`ParseOptions`].
    pub fn parse_with(image: D, options: &ParseOptions) -> Result<Self, Error> {
        let bytes = image.as_ref();
        let header = options.parse_header(bytes)?;
        let image_size = bytes.len() as u64;
        let range = header.directory_range(image_size)?;
        let position = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        let range = position(range.start)..position(range.end);
        let rows = bytes.get(range.clone()).unwrap_or_default();
        let detection = Directory::parse(&header, rows, image_size, options)?.detection();
        Ok(Archive { image, directory: range, detection })
    }

    /// The rows.
    #[must_use]
    pub fn directory(&self) -> Directory<&[u8]> {
        let Rows { bytes, image_size, .. } = self.view();
        Directory { rows: bytes, detection: self.detection, image_size }
    }

    /// Where the rows are, in bytes from the start of the archive.
    #[must_use]
    pub fn directory_range(&self) -> Range<usize> {
        self.directory.clone()
    }

    /// The layout of the archive.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.detection.layout
    }

    /// The layout, and why it is taken for that.
    #[must_use]
    pub fn detection(&self) -> Detection {
        self.detection
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry in row `index`, or `None` past the last one.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry<'_>> {
        self.view().entry(index)
    }

    /// All entries, in stored order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator + Clone {
        self.view().entries()
    }

    /// The first entry of this name, byte for byte, found by looking at every row. The index for many lookups
    /// is the crate `quakefs`.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<Entry<'_>> {
        let name = name.as_ref();
        self.entries().find(|entry| entry.name().as_bytes() == name)
    }

    /// What is wrong with each entry that cannot be read by its row alone. Damage inside a compressed payload
    /// shows only when it is decoded.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.entries().filter_map(|entry| entry.check().err())
    }

    /// The payload as stored, lent.
    ///
    /// Fails with [`ErrorKind::EntryOutside`].
    pub fn raw(&self, entry: &Entry<'_>) -> Result<&[u8], Error> {
        let extent = entry.extent()?;
        let position = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        let range = position(extent.start)..position(extent.end);
        self.image.as_ref().get(range).ok_or_else(|| {
            entry.error(ErrorKind::EntryOutside {
                offset: entry.offset(),
                stored_size: entry.stored_size(),
                image_size: self.image.as_ref().len() as u64,
            })
        })
    }

    /// The content: lent where the payload is stored, owned where it has to be decoded.
    ///
    /// Fails with [`ErrorKind::EntryOutside`], [`ErrorKind::Expansion`] or [`ErrorKind::Codec`].
    pub fn read(&self, entry: &Entry<'_>) -> Result<Cow<'_, [u8]>, Error> {
        entry.decode(self.raw(entry)?)
    }

    /// The bytes that this archive is a view of.
    #[must_use]
    pub fn get_ref(&self) -> &D {
        &self.image
    }

    /// Gives the bytes back.
    #[must_use]
    pub fn into_inner(self) -> D {
        self.image
    }

    fn view(&self) -> Rows<'_> {
        let image = self.image.as_ref();
        let bytes = image.get(self.directory.clone()).unwrap_or_default();
        Rows { bytes, layout: self.layout(), image_size: image.len() as u64 }
    }
}

impl<D: AsRef<[u8]>> fmt::Debug for Archive<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive")
            .field("layout", &self.layout())
            .field("entries", &self.len())
            .field("image_size", &self.image.as_ref().len())
            .finish()
    }
}
