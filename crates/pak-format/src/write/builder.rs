//! Lays out an archive: payloads first, the directory last, no gaps. The same calls give the same bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::io::{BufWriter, Seek, SeekFrom, Write};

use crate::daikatana::EncodeOptions;
use crate::entry_name::{EntryName, NameFault, writable, writable_within};
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::record::Header;
use crate::write::payload::{PayloadWriter, WRITE, of_content, offset};
use crate::write::progress::Work;
use crate::write::source::{CHUNK, Source};
use crate::write::wad;
#[cfg(feature = "zip")]
use crate::write::zip;

/// Collects files and lays them out as an archive.
///
/// Everything is checked before anything is written: [`check`](Builder::check) lists the problems, and the
/// writing methods return them as errors. Payloads go straight from their sources to the output. Only a
/// payload that is being compressed is kept in memory.
pub struct Builder<'a> {
    format: Format,
    encoding: EncodeOptions,
    sorted: bool,
    unique_names: bool,
    entries: Vec<Pending<'a>>,
    content: u64,
    /// Bytes of all names.
    names: u64,
}

/// The kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Pack(Layout),
    Wad {
        magic: [u8; 4],
    },
    #[cfg(feature = "zip")]
    Zip {
        level: u32,
    },
}

struct Pending<'a> {
    index: usize,
    name: Box<[u8]>,
    source: Source<'a>,
    /// The kind number in a WAD.
    kind: u8,
    /// Whether to skip the check of the name, because it comes from an existing archive.
    is_kept: bool,
}

impl Pending<'_> {
    fn place(&self, error: Error) -> Error {
        error.at_entry(self.index, EntryName::from_bytes(&self.name))
    }
}

impl<'a> Builder<'a> {
    /// An empty archive of this layout.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Builder::of(Format::Pack(layout))
    }

    /// An empty ZIP, such as a `.pk3`. Entries that deflate makes smaller are deflated. Sizes precede the
    /// payloads, ZIP64 is not used, and times are always the same.
    #[cfg(feature = "zip")]
    #[must_use]
    pub fn zip() -> Self {
        Builder::of(Format::Zip { level: 6 })
    }

    /// An empty WAD2 for Quake: each entry has a [`kind`](Self::kind) number, and names have at most 15
    /// bytes.
    ///
    /// ```
    /// use pak_format::{Builder, Source};
    /// let mut builder = Builder::wad2();
    /// builder.push("palette", Source::bytes([0; 768])).kind(0x40);
    /// assert!(builder.finish()?.starts_with(b"WAD2"));
    /// # Ok::<(), pak_format::Error>(())
    /// ```
    #[must_use]
    pub fn wad2() -> Self {
        Builder::of(Format::Wad { magic: *b"WAD2" })
    }

    /// An empty WAD3 for Half-Life: the layout of a WAD2, with other textures.
    #[must_use]
    pub fn wad3() -> Self {
        Builder::of(Format::Wad { magic: *b"WAD3" })
    }

    /// Sets the kind number of the last entry in a WAD. The default is the number for unknown bytes.
    pub fn kind(&mut self, number: u8) -> &mut Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.kind = number;
        }
        self
    }

    /// The compression level of a ZIP: 0 stores, 9 gives the smallest archive. The default is 6.
    #[cfg(feature = "zip")]
    pub fn level(&mut self, wanted: u32) -> &mut Self {
        if let Format::Zip { level } = &mut self.format {
            *level = wanted.min(9);
        }
        self
    }

    fn of(format: Format) -> Self {
        Builder {
            format,
            encoding: EncodeOptions::default(),
            sorted: false,
            unique_names: false,
            entries: Vec::new(),
            content: 0,
            names: 0,
        }
    }

    /// How entries are compressed.
    pub fn encoding(&mut self, options: EncodeOptions) -> &mut Self {
        self.encoding = options;
        self
    }

    /// Whether to sort entries by the bytes of their names. Otherwise they keep the order of adding; equal
    /// names always do.
    pub fn sorted(&mut self, sorted: bool) -> &mut Self {
        self.sorted = sorted;
        self
    }

    /// Whether two equal names are an error. By default they are not, because real archives contain them.
    /// Engines differ in which of the two they load.
    pub fn unique_names(&mut self, unique: bool) -> &mut Self {
        self.unique_names = unique;
        self
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] if [`name::writable`](crate::name::writable) fails, and [`ErrorKind::TooLarge`].
    /// The builder is then unchanged.
    pub fn add(
        &mut self,
        name: impl AsRef<[u8]>,
        content: impl AsRef<[u8]> + Send + 'a,
    ) -> Result<(), Error> {
        let (name, source) = (name.as_ref(), Source::bytes(content));
        let place = |kind| Error::from(kind).at_entry(self.len(), EntryName::from_bytes(name));
        self.check_name(name).map_err(|fault| place(ErrorKind::Name(fault)))?;
        let size = self.size_with(1, source.size());
        u32::try_from(size).map_err(|_| place(ErrorKind::TooLarge { size }))?;
        self.push(name, source);
        Ok(())
    }

    /// Adds a file without a check. [`check`](Self::check) lists its problems later.
    pub fn push(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> &mut Self {
        self.push_pending(name.as_ref(), source, false)
    }

    /// Adds a file from an existing archive under its old name. The name is not checked, except that it must
    /// fit into a row.
    pub fn keep(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> &mut Self {
        self.push_pending(name.as_ref(), source, true)
    }

    fn push_pending(&mut self, name: &[u8], source: Source<'a>, is_kept: bool) -> &mut Self {
        self.content = self.content.saturating_add(source.size());
        self.names += name.len() as u64;
        self.entries.push(Pending {
            index: self.entries.len(),
            name: name.into(),
            source,
            kind: wad::RAW,
            is_kept,
        });
        self
    }

    /// The number of added files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no file was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The size of the archive. It will be smaller if an entry is compressed.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size_with(0, 0)
    }

    /// Bytes of content, before compression.
    #[cfg(feature = "edit")]
    pub(super) fn content(&self) -> u64 {
        self.content
    }

    fn size_with(&self, entries: usize, content: u64) -> u64 {
        let rows = (self.len() + entries) as u64;
        let beside = match self.format {
            Format::Pack(layout) => Header::SIZE as u64 + rows * layout.row_size() as u64,
            Format::Wad { .. } => wad::HEADER as u64 + rows * wad::ROW as u64,
            #[cfg(feature = "zip")]
            Format::Zip { .. } => zip::END + rows * zip::HEADERS + 2 * self.names,
        };
        beside.saturating_add(self.content).saturating_add(content)
    }

    fn check_name(&self, name: &[u8]) -> Result<(), NameFault> {
        match self.format {
            Format::Pack(layout) => writable(name, layout),
            Format::Wad { .. } => writable_within(name, wad::LONGEST_NAME),
            #[cfg(feature = "zip")]
            Format::Zip { .. } => writable_within(name, zip::LONGEST_NAME),
        }
    }

    /// Every problem of the added entries: [`ErrorKind::Name`], [`ErrorKind::TooLarge`], and
    /// [`ErrorKind::Duplicate`] if names have to be unique. Entries are numbered in the order of adding.
    /// Sizes are uncompressed.
    #[must_use]
    pub fn check(&self) -> Vec<Error> {
        let mut problems = Vec::new();
        let mut names = HashMap::new();
        for entry in &self.entries {
            let fault = self.check_name(&entry.name).err();
            if let Some(fault) = fault.filter(|fault| !entry.is_kept || *fault == NameFault::TooLong) {
                problems.push(entry.place(ErrorKind::Name(fault).into()));
            }
            if self.unique_names {
                match names.entry(self.compared(&entry.name)) {
                    Entry::Vacant(space) => drop(space.insert(entry.index)),
                    Entry::Occupied(found) => {
                        problems.push(entry.place(ErrorKind::Duplicate { first: *found.get() }.into()));
                    }
                }
            }
        }
        // the size of a ZIP is known only after it is written
        if let (Format::Pack(_) | Format::Wad { .. }, Err(error)) = (self.format, offset(self.size())) {
            problems.push(error);
        }
        #[cfg(feature = "zip")]
        if let Format::Zip { .. } = self.format {
            problems.extend(zip::check_count(self.len()).err());
        }
        problems
    }

    /// A name for comparison: engines read names of a WAD in lower case (`W_CleanupName` of Quake's `wad.c`).
    fn compared<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        if matches!(self.format, Format::Wad { .. }) { name.to_ascii_lowercase().into() } else { name.into() }
    }

    /// Writes the archive at the position of `out`, and returns its size.
    ///
    /// The header is written last: an interrupted write leaves no archive. For a file, `write_file` is
    /// better, because an interrupted write leaves nothing.
    ///
    /// # Errors
    /// Every problem of [`check`](Self::check), before anything is written; [`ErrorKind::ContentChanged`] and
    /// [`ErrorKind::Io`].
    pub fn write_to<W: Write + Seek>(self, out: &mut W) -> Result<u64, Error> {
        Error::refuse(self.check())?;
        let work = Work::new(self.content, None);
        self.write_checked(out, work)
    }

    /// Writes an archive whose [`check`](Self::check) found nothing.
    pub(super) fn write_checked<W: Write + Seek>(self, out: &mut W, work: Work<'_>) -> Result<u64, Error> {
        let failed = |cause| Error::io(WRITE, cause);
        #[cfg(feature = "zip")]
        if let Format::Zip { level } = self.format {
            return self.write_zip(&mut BufWriter::with_capacity(CHUNK, out), level, work);
        }
        let start = out.stream_position().map_err(failed)?;
        let mut buffered = BufWriter::with_capacity(CHUNK, &mut *out);
        let (header, size) = self.write_body(&mut buffered, work)?;
        drop(buffered);
        out.seek(SeekFrom::Start(start)).map_err(failed)?;
        out.write_all(&header).map_err(failed)?;
        out.seek(SeekFrom::Start(start + size)).map_err(failed)?;
        out.flush().map_err(failed)?;
        Ok(size)
    }

    /// The archive, in memory.
    ///
    /// # Errors
    /// Those of [`write_to`](Self::write_to).
    pub fn finish(self) -> Result<Vec<u8>, Error> {
        Error::refuse(self.check())?;
        #[cfg(feature = "zip")]
        if let Format::Zip { level } = self.format {
            let (mut image, work) = (Vec::new(), Work::new(self.content, None));
            self.write_zip(&mut image, level, work)?;
            return Ok(image);
        }
        let in_memory = self.entries.iter().filter(|entry| entry.source.is_in_memory());
        let payloads: u64 = in_memory.map(|entry| entry.source.size()).sum();
        let rows = self.len() * self.layout().row_size();
        let mut image = Vec::with_capacity(usize::try_from(payloads).unwrap_or(0) + Header::SIZE + rows);
        let work = Work::new(self.content, None);
        let (header, _) = self.write_body(&mut image, work)?;
        if let Some(space) = image.first_chunk_mut() {
            *space = header;
        }
        Ok(image)
    }

    /// Writes the archive with a header of zeros, and returns the real header and the size.
    fn write_body(mut self, out: impl Write, work: Work<'_>) -> Result<([u8; Header::SIZE], u64), Error> {
        self.sort();
        let (format, layout, count) = (self.format, self.layout(), self.len());
        let mut rows = Vec::with_capacity(count * layout.row_size());
        let mut writer = PayloadWriter::new(out, layout, self.encoding, 0, work);
        writer.raw(&[0; Header::SIZE])?;
        for Pending { index, name, source, kind, .. } in self.entries {
            let payload = writer.payload(&name, source).map_err(|error| of_content(error, index, &name))?;
            let row = payload.row(&name);
            if let Format::Wad { .. } = format {
                wad::row(&row, kind, &mut rows);
            } else {
                row.encode(layout, &mut rows);
            }
        }
        let (header, size) = writer.finish(&rows)?;
        Ok((
            if let Format::Wad { magic } = format {
                wad::header(magic, count, &header)?
            } else {
                header.encode()
            },
            size,
        ))
    }

    #[cfg(feature = "zip")]
    fn write_zip(mut self, out: &mut impl Write, level: u32, work: Work<'_>) -> Result<u64, Error> {
        self.sort();
        let mut writer = zip::ZipWriter::new(out, level, work);
        for Pending { index, name, source, .. } in self.entries {
            writer.entry(&name, source).map_err(|error| of_content(error, index, &name))?;
        }
        writer.finish()
    }

    fn sort(&mut self) {
        if self.sorted {
            self.entries.sort_by(|one, other| one.name.cmp(&other.name));
        }
    }

    /// The layout of a PACK archive. For other archives, a layout without compression.
    fn layout(&self) -> Layout {
        if let Format::Pack(layout) = self.format { layout } else { Layout::Quake }
    }
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("format", &self.format)
            .field("entries", &self.len())
            .field("size", &self.size())
            .finish()
    }
}
