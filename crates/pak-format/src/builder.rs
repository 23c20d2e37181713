//! Writing an archive: payloads first, the directory last, no gaps, the same bytes for the same calls.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use crate::daikatana::{self, EncodeOptions};
use crate::error::{Error, ErrorKind};
use crate::layout::{Header, Layout, Row};
use crate::name::{self, EntryName};

/// Bytes moved at once between a source, a buffer and a disk.
pub(crate) const CHUNK: usize = 256 * 1024;

/// What an entry will hold: bytes, or a reader that is opened when its turn comes.
pub struct Source<'a> {
    size: u64,
    content: Content<'a>,
}

enum Content<'a> {
    Bytes(Box<dyn AsRef<[u8]> + Send + 'a>),
    Reader(Box<dyn FnOnce() -> io::Result<Box<dyn Read + 'a>> + Send + 'a>),
}

impl<'a> Source<'a> {
    /// These bytes, owned or lent.
    pub fn bytes(content: impl AsRef<[u8]> + Send + 'a) -> Self {
        Source { size: content.as_ref().len() as u64, content: Content::Bytes(Box::new(content)) }
    }

    /// A reader of exactly `size` bytes, such as a file: `open` is called when the entry is written, so that
    /// any number of files may wait.
    ///
    /// More or fewer bytes are an error then, [`ErrorKind::ContentChanged`].
    ///
    /// ```
    /// use std::fs::File;
    /// use pak_format::{Builder, Layout, Source};
    ///
    /// let mut builder = Builder::new(Layout::Quake);
    /// let path = "Cargo.toml";
    /// let size = std::fs::metadata(path)?.len();
    /// builder.push("notes.txt", Source::reader(size, move || Ok(Box::new(File::open(path)?))));
    /// assert_eq!(builder.finish()?.len() as u64, 12 + size + 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reader(size: u64, open: impl FnOnce() -> io::Result<Box<dyn Read + 'a>> + Send + 'a) -> Self {
        Source { size, content: Content::Reader(Box::new(open)) }
    }

    /// Bytes in it.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Hands all bytes over, some at a time.
    fn each_chunk(
        self,
        buffer: &mut Vec<u8>,
        mut take: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let expected = self.size;
        let changed = |found| Err(ErrorKind::ContentChanged { expected, found }.into());
        let open = match self.content {
            Content::Bytes(bytes) => {
                let bytes = (*bytes).as_ref();
                let found = bytes.len() as u64;
                return if found == expected { take(bytes) } else { changed(found) };
            }
            Content::Reader(open) => open,
        };
        let mut reader = open().map_err(|cause| Error::io("open the content", cause))?;
        buffer.resize(CHUNK, 0);
        let mut found = 0;
        loop {
            let count = match reader.read(buffer) {
                Ok(count) => count,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
                Err(cause) => return Err(Error::io("read the content", cause)),
            };
            found += count as u64;
            if found > expected {
                return changed(expected + 1);
            }
            if count == 0 {
                return if found == expected { Ok(()) } else { changed(found) };
            }
            take(buffer.get(..count).unwrap_or_default())?;
        }
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.content {
            Content::Bytes(_) => "bytes",
            Content::Reader(_) => "reader",
        };
        f.debug_struct("Source").field("kind", &kind).field("size", &self.size).finish()
    }
}

/// Which entries of an archive are compressed, where its layout can: Daikatana alone.
///
/// One that does not shrink is stored, whatever this says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// None.
    None,
    /// Those whose names end in one of these, after a dot and whatever the case.
    Extensions(Vec<String>),
    /// All.
    All,
}

impl Compression {
    /// What Ion Storm's own packer compresses: images and levels.
    pub const ION_STORM: [&str; 5] = ["tga", "bmp", "wal", "pcx", "bsp"];

    /// Whether an entry of this name is compressed, if the layout can and it shrinks.
    #[must_use]
    pub fn applies_to(&self, name: &[u8]) -> bool {
        let extensions = match self {
            Compression::None => return false,
            Compression::All => return true,
            Compression::Extensions(extensions) => extensions,
        };
        let file = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        let Some(dot) = file.iter().rposition(|&byte| byte == b'.') else { return false };
        let found = file.get(dot + 1..).unwrap_or_default();
        extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension.as_bytes()))
    }
}

impl Default for Compression {
    /// By [`Compression::ION_STORM`].
    fn default() -> Self {
        Compression::Extensions(Self::ION_STORM.map(str::to_owned).to_vec())
    }
}

/// How payloads are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packing {
    pub(crate) compression: Compression,
    pub(crate) encoding: EncodeOptions,
}

/// A payload that was written.
#[derive(Clone, Copy)]
pub(crate) struct Payload {
    pub(crate) offset: u32,
    pub(crate) size: u32,
    pub(crate) stored_size: u32,
    pub(crate) compressed: bool,
}

impl Payload {
    pub(crate) fn row<'n>(&self, name: &'n [u8]) -> Row<'n> {
        Row {
            name,
            offset: self.offset,
            size: self.size,
            compressed_size: self.stored_size,
            compression: u32::from(self.compressed),
        }
    }
}

/// Writes payloads one behind the other, and knows where it is.
pub(crate) struct PayloadWriter<W> {
    out: W,
    layout: Layout,
    packing: Packing,
    position: u64,
    buffer: Vec<u8>,
}

impl<W: Write> PayloadWriter<W> {
    /// `position` is where the first byte will be in the archive.
    pub(crate) fn new(out: W, layout: Layout, packing: Packing, position: u64) -> Self {
        PayloadWriter { out, layout, packing, position, buffer: Vec::new() }
    }

    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    pub(crate) fn compresses(&self, name: &[u8]) -> bool {
        self.layout.compresses() && self.packing.compression.applies_to(name)
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Result<(), Error> {
        put(&mut self.out, &mut self.position, bytes)
    }

    /// The content of an entry, compressed if its name asks for that.
    pub(crate) fn payload(&mut self, name: &[u8], source: Source<'_>) -> Result<Payload, Error> {
        let start = self.position;
        let size = source.size;
        let mut compressed = false;
        if self.compresses(name) {
            let mut content = Vec::new();
            source.each_chunk(&mut self.buffer, |bytes| {
                content.extend_from_slice(bytes);
                Ok(())
            })?;
            let encoded = daikatana::encode(&content, &self.packing.encoding);
            compressed = encoded.len() < content.len();
            self.raw(if compressed { &encoded } else { &content })?;
        } else {
            let PayloadWriter { out, position, buffer, .. } = self;
            source.each_chunk(buffer, |bytes| put(out, position, bytes))?;
        }
        Ok(Payload {
            offset: offset(start)?,
            size: offset(size)?,
            stored_size: offset(self.position - start)?,
            compressed,
        })
    }

    pub(crate) fn into_inner(self) -> W {
        self.out
    }
}

fn put(out: &mut impl Write, position: &mut u64, bytes: &[u8]) -> Result<(), Error> {
    out.write_all(bytes).map_err(|cause| Error::io(WRITE, cause))?;
    *position += bytes.len() as u64;
    Ok(())
}

/// Says whose content fails; a disk that is full is nobody's.
pub(crate) fn of_content(error: Error, index: usize, name: &[u8]) -> Error {
    match error.kind() {
        ErrorKind::Io { doing: WRITE, .. } => error,
        _ => error.at_entry(index, EntryName::from_bytes(name)),
    }
}

pub(crate) const WRITE: &str = "write the archive";

/// A number of bytes that was looked at before: an error here means that a check is missing.
pub(crate) fn offset(bytes: u64) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(|_| ErrorKind::TooLarge { size: bytes }.into())
}

/// Collects files and lays them out as an archive.
///
/// Nothing is written before all of it was looked at: [`check`](Builder::check) says everything that is wrong,
/// and [`write_to`](Builder::write_to) refuses the same. Payloads go from their sources straight to the output;
/// one that is compressed is held in memory alone.
///
/// ```
/// use pak_format::{Archive, Builder, Layout};
/// let mut builder = Builder::new(Layout::Sin);
/// builder.add("scripts/a.cfg", "echo hello\n")?;
/// assert_eq!(Archive::parse(builder.finish()?)?.layout(), Layout::Sin);
/// # Ok::<(), pak_format::Error>(())
/// ```
pub struct Builder<'a> {
    layout: Layout,
    packing: Packing,
    sorted: bool,
    unique_names: bool,
    entries: Vec<Pending<'a>>,
    content: u64,
}

struct Pending<'a> {
    index: usize,
    name: Box<[u8]>,
    source: Source<'a>,
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
        Builder {
            layout,
            packing: Packing::default(),
            sorted: false,
            unique_names: false,
            entries: Vec::new(),
            content: 0,
        }
    }

    /// Which entries are compressed, if the layout can. The default is Ion Storm's choice.
    pub fn compression(&mut self, compression: Compression) -> &mut Self {
        self.packing.compression = compression;
        self
    }

    /// How they are compressed.
    pub fn encoding(&mut self, options: EncodeOptions) -> &mut Self {
        self.packing.encoding = options;
        self
    }

    /// Entries by the bytes of their names, and not in the order of adding. Equal names keep theirs.
    pub fn sorted(&mut self, sorted: bool) -> &mut Self {
        self.sorted = sorted;
        self
    }

    /// Whether the same name twice is wrong. It is not by default: archives in the world have it, and engines
    /// differ in which of the two they serve.
    pub fn unique_names(&mut self, unique: bool) -> &mut Self {
        self.unique_names = unique;
        self
    }

    /// Adds a file behind those that were added before, if nothing is wrong with it by itself.
    ///
    /// Fails with [`ErrorKind::Name`] where [`name::writable`] does, and with [`ErrorKind::TooLarge`]; the
    /// builder is as before then.
    pub fn add(
        &mut self,
        name: impl AsRef<[u8]>,
        content: impl AsRef<[u8]> + Send + 'a,
    ) -> Result<(), Error> {
        let (name, source) = (name.as_ref(), Source::bytes(content));
        let place = |kind| Error::from(kind).at_entry(self.len(), EntryName::from_bytes(name));
        name::writable(name, self.layout).map_err(|fault| place(ErrorKind::Name(fault)))?;
        let size = self.size_with(1, source.size);
        u32::try_from(size).map_err(|_| place(ErrorKind::TooLarge { size }))?;
        self.push(name, source);
        Ok(())
    }

    /// Adds a file, whatever is wrong with it: [`check`](Self::check) says so later, with all the rest.
    pub fn push(&mut self, name: impl AsRef<[u8]>, source: Source<'a>) -> &mut Self {
        self.content = self.content.saturating_add(source.size);
        self.entries.push(Pending { index: self.entries.len(), name: name.as_ref().into(), source });
        self
    }

    /// How many files were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no file was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes that the archive will have; fewer, if something is compressed.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size_with(0, 0)
    }

    fn size_with(&self, entries: usize, content: u64) -> u64 {
        let rows = (self.len() + entries) as u64 * self.layout.row_size() as u64;
        (Header::SIZE as u64 + rows).saturating_add(self.content).saturating_add(content)
    }

    /// Everything that is wrong with what was added: [`ErrorKind::Name`], [`ErrorKind::TooLarge`], and
    /// [`ErrorKind::Duplicate`] where names have to be unique. Entries count in the order of adding. Sizes
    /// count before compression, whose gain nobody knows before the work is done.
    #[must_use]
    pub fn check(&self) -> Vec<Error> {
        let mut problems = Vec::new();
        let mut names = HashMap::new();
        for entry in &self.entries {
            if let Err(fault) = name::writable(&entry.name, self.layout) {
                problems.push(entry.place(ErrorKind::Name(fault).into()));
            }
            if self.unique_names {
                match names.entry(&*entry.name) {
                    Entry::Vacant(space) => drop(space.insert(entry.index)),
                    Entry::Occupied(found) => {
                        problems.push(entry.place(ErrorKind::Duplicate { first: *found.get() }.into()));
                    }
                }
            }
        }
        if let Err(error) = offset(self.size()) {
            problems.push(error);
        }
        problems
    }

    /// Writes the archive, which starts where `out` stands, and says how many bytes it has.
    ///
    /// The header comes last: what an interrupted write leaves is no archive. Fails with all of
    /// [`check`](Self::check) before anything is written, and with [`ErrorKind::ContentChanged`] or
    /// [`ErrorKind::Io`].
    pub fn write_to<W: Write + Seek>(self, out: &mut W) -> Result<u64, Error> {
        let failed = |cause| Error::io(WRITE, cause);
        Error::refuse(self.check())?;
        let start = out.stream_position().map_err(failed)?;
        let mut buffered = BufWriter::with_capacity(CHUNK, &mut *out);
        buffered.write_all(&[0; Header::SIZE]).map_err(failed)?;
        let (header, size) = self.write_body(&mut buffered)?;
        buffered.flush().map_err(failed)?;
        drop(buffered);
        out.seek(SeekFrom::Start(start)).map_err(failed)?;
        out.write_all(&header.encode()).map_err(failed)?;
        out.seek(SeekFrom::Start(start + size)).map_err(failed)?;
        out.flush().map_err(failed)?;
        Ok(size)
    }

    /// The archive, in memory. Fails as [`write_to`](Self::write_to) does.
    pub fn finish(self) -> Result<Vec<u8>, Error> {
        Error::refuse(self.check())?;
        let in_memory = |entry: &Pending<'_>| match entry.source.content {
            Content::Bytes(_) => entry.source.size,
            Content::Reader(_) => 0,
        };
        let payloads: u64 = self.entries.iter().map(in_memory).sum();
        let rows = self.len() * self.layout.row_size();
        let mut image = Vec::with_capacity(usize::try_from(payloads).unwrap_or(0) + Header::SIZE + rows);
        image.resize(Header::SIZE, 0);
        let (header, _) = self.write_body(&mut image)?;
        if let Some(space) = image.first_chunk_mut() {
            *space = header.encode();
        }
        Ok(image)
    }

    /// Everything behind the header.
    fn write_body(mut self, out: impl Write) -> Result<(Header, u64), Error> {
        if self.sorted {
            self.entries.sort_by(|one, other| one.name.cmp(&other.name));
        }
        let mut rows = Vec::with_capacity(self.len() * self.layout.row_size());
        let mut writer = PayloadWriter::new(out, self.layout, self.packing, Header::SIZE as u64);
        for Pending { index, name, source } in self.entries {
            let payload = writer.payload(&name, source).map_err(|error| of_content(error, index, &name))?;
            payload.row(&name).encode(self.layout, &mut rows);
        }
        let header = Header {
            magic: self.layout.magic(),
            directory_offset: offset(writer.position())?,
            directory_size: offset(rows.len() as u64)?,
        };
        writer.raw(&rows)?;
        Ok((header, writer.position()))
    }
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("layout", &self.layout)
            .field("entries", &self.len())
            .field("size", &self.size())
            .finish()
    }
}
