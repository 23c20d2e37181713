//! An archive of any kind.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::detect::Reason;
use pak_format::name::{field_holds, with_slashes};
use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, Layout, ParseOptions};

use super::anachronox::Anachronox;
use super::by_name::ByName;
use super::files::{Files, Method, Row};
use super::image::Image;
use super::names::{Renamed, renamed_in_pak, renamed_in_zip};
use super::options::OpenOptions;
use super::pak::{Pak, PakRows};
use super::wad::Wad;
use super::zip::Zip;
use crate::content::ContentType;
use crate::data::FileData;
use crate::disk::{Content, Disk};
use crate::error::{Error, ErrorKind, ZipFault};
use crate::finding::Finding;
use crate::location::Location;
use crate::reader::FileReader;
use crate::rules::{ArchiveKind, Case, Rules, Text};

/// An archive of any kind as numbered entries. Cheap to clone.
///
/// The magic at byte 0 decides the kind: a file that starts like a PACK is one, even if its end looks like a
/// ZIP. Every other file is opened as a ZIP.
///
/// ```
/// use quakefs::{Archive, FileData};
/// # let bytes = testutils::pack(quakefs::Layout::Quake, [("quake.rc", "exec default.cfg\n")]);
/// let archive = Archive::from_data(FileData::from(bytes))?;
/// let entry = archive.entries().next().expect("it has one");
/// assert_eq!(entry.name(), "quake.rc");
/// assert_eq!(entry.read()?, "exec default.cfg\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Archive {
    opened: Arc<Opened>,
    /// The rows of a PACK whose stored names are compared with requests directly. A fast path for lookups in
    /// most archives.
    rows: Option<PakRows>,
    /// Rows whose lookup name differs from the stored one. An empty name cannot be found.
    renamed: Option<Arc<Renamed>>,
    /// Whether the engine looks up only certain names in it.
    for_some: bool,
}

/// The files and their index.
struct Opened {
    /// Created by the first lookup.
    by_name: OnceLock<ByName>,
    /// Whether no name has a `/`, so that a backslash separates folders.
    only_backslashes: OnceLock<bool>,
    kind: Kind,
}

/// The files by the kind of archive.
enum Kind {
    Pak(Pak),
    Zip(Zip),
    Wad(Wad),
    Anachronox(Anachronox),
    Own(Box<dyn Files>),
}

/// Calls a function of [`Files`], directly for the known kinds.
macro_rules! of_kind {
    ($archive:expr, $files:ident => $call:expr) => {
        match &$archive.opened.kind {
            Kind::Pak($files) => $call,
            Kind::Zip($files) => $call,
            Kind::Wad($files) => $call,
            Kind::Anachronox($files) => $call,
            Kind::Own($files) => $call,
        }
    };
}

impl Archive {
    /// Opens an archive on the system's disk with the default options.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], [`ErrorKind::Pak`], [`ErrorKind::Zip`] or [`ErrorKind::PathNotUtf8`].
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Archive, Error> {
        OpenOptions::default().open(path)
    }

    /// Opens an archive in memory.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`] or [`ErrorKind::Zip`].
    pub fn from_data(bytes: FileData) -> Result<Archive, Error> {
        OpenOptions::default().open_data(bytes)
    }

    fn new(kind: Kind) -> Archive {
        let rows = if let Kind::Pak(pak) = &kind { Some(pak.rows()) } else { None };
        let opened = Arc::new(Opened { by_name: OnceLock::new(), only_backslashes: OnceLock::new(), kind });
        Archive { opened, rows, renamed: None, for_some: false }
    }

    pub(crate) fn of_any_kind(image: Image, layout: Option<Layout>) -> Result<Archive, Error> {
        image.read_by(|image| Self::guessed(image, layout))
    }

    fn guessed(image: Image, layout: Option<Layout>) -> Result<Archive, Error> {
        if layout.is_none() && !begins_as_pak(&image)? {
            if let Some(wad) = Wad::open(&image)? {
                return Ok(Self::new(Kind::Wad(wad)));
            }
            if let Some(files) = Anachronox::open(&image)? {
                return Ok(Self::new(Kind::Anachronox(files)));
            }
            match Zip::open(&image) {
                Ok(zip) => return Ok(Self::new(Kind::Zip(zip))),
                // a truncated ZIP is not a PACK
                Err(error) if begins_as_zip(&image)? => return Err(error),
                Err(_) => {}
            }
        }
        let options = match layout {
            Some(layout) => ParseOptions::new().layout(layout),
            None => ParseOptions::new(),
        };
        Ok(Self::new(Kind::Pak(Pak::open(image, &options)?)))
    }

    /// Opens an archive as an engine does. The rules decide how its bytes and names are read.
    pub(crate) fn open_as(image: Image, kind: ArchiveKind, rules: &Rules) -> Result<Archive, Error> {
        image.read_by(|image| Self::read_as(image, kind, rules))
    }

    fn read_as(image: Image, kind: ArchiveKind, rules: &Rules) -> Result<Archive, Error> {
        let (archive, renamed) = match kind {
            ArchiveKind::Pak => {
                let pak = Pak::open_as(image, &rules.paks)?;
                let renamed = renamed_in_pak(&pak, rules);
                (Self::new(Kind::Pak(pak)), renamed)
            }
            ArchiveKind::Zip => {
                if begins_as_pak(&image)? {
                    return Err(ZipFault::Pack.into());
                }
                let zip = Zip::open_as(&image, &rules.zips)?;
                let renamed = renamed_in_zip(&zip, rules);
                (Self::new(Kind::Zip(zip)), renamed)
            }
            _ => {
                return Err(std::io::Error::from(std::io::ErrorKind::NotADirectory).into());
            }
        };
        if renamed.is_empty() {
            return Ok(archive);
        }
        Ok(Archive { rows: None, renamed: Some(Arc::new(renamed)), ..archive })
    }

    /// Limits the archive to the only names that an engine looks up in it.
    pub(crate) fn with_only(self, names: &[Text]) -> Archive {
        let is_meant = |row| names.iter().any(|name| name.as_bytes() == self.name(row));
        let renamed = (0..self.rows()).filter_map(|row| {
            let name = if is_meant(row) { self.renamed(row)? } else { &[] };
            Some((row, name.into()))
        });
        let renamed = Some(Arc::new(renamed.collect()));
        Archive { rows: None, renamed, for_some: true, ..self }
    }

    /// The archive as a PACK, whose header and rows some rules examine.
    pub(crate) fn as_pak(&self) -> Option<&Pak> {
        if let Kind::Pak(pak) = &self.opened.kind { Some(pak) } else { None }
    }

    /// The bytes of the archive, or the caller's own files.
    fn image(&self) -> Result<&Image, &dyn Files> {
        match &self.opened.kind {
            Kind::Pak(pak) => Ok(pak.image()),
            Kind::Zip(zip) => Ok(zip.image()),
            Kind::Wad(wad) => Ok(wad.image()),
            Kind::Anachronox(files) => Ok(files.image()),
            Kind::Own(files) => Err(&**files),
        }
    }

    /// The archive as a ZIP.
    pub(crate) fn as_zip(&self) -> Option<&Zip> {
        if let Kind::Zip(zip) = &self.opened.kind { Some(zip) } else { None }
    }

    /// The kind of archive.
    #[must_use]
    pub fn kind(&self) -> ArchiveKind {
        match &self.opened.kind {
            Kind::Pak(_) => ArchiveKind::Pak,
            Kind::Zip(_) => ArchiveKind::Zip,
            Kind::Wad(_) => ArchiveKind::Wad,
            Kind::Anachronox(_) => ArchiveKind::Anachronox,
            Kind::Own(files) => files.kind(),
        }
    }

    /// How the layout of a PACK was determined; `None` for other kinds.
    #[must_use]
    pub fn layout_reason(&self) -> Option<Reason> {
        Some(self.as_pak()?.directory().layout_reason())
    }

    /// The layout of a PACK; `None` for other kinds.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        Some(self.as_pak()?.directory().layout())
    }

    /// The name of the format: the layout's, or else the kind's.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.layout().map_or(self.kind().name(), Layout::name)
    }

    /// The path on this computer; `None` in memory and on disks that other programs cannot access.
    #[must_use]
    pub fn system_path(&self) -> Option<Utf8PathBuf> {
        match self.image() {
            Ok(image) => utf8(image.system_path()?.file()?),
            Err(own) => own.path().map(Utf8Path::to_owned),
        }
    }

    /// The path on its disk; `None` in memory.
    #[must_use]
    pub fn path(&self) -> Option<&Utf8Path> {
        self.image().map_or_else(Files::path, Image::path)
    }

    /// The file on this computer that contains the bytes: the archive itself or an archive around it.
    pub(crate) fn source_file(&self) -> Option<Utf8PathBuf> {
        utf8(self.image().ok()?.system_path()?.source())
    }

    /// A range that is read on demand; `None` if the bytes are in memory.
    pub(crate) fn by_position(&self, range: Range<u64>) -> Option<Content> {
        self.image().ok()?.by_position(range)
    }

    /// The modification time when the archive was opened.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.image().ok()?.modified()
    }

    /// The size of the whole archive in bytes; 0 for the caller's own [`Files`].
    #[must_use]
    pub fn size(&self) -> u64 {
        self.image().map_or_else(Files::size, Image::size)
    }

    /// The range of the directory in the archive; empty for the caller's own [`Files`].
    #[must_use]
    pub fn directory_range(&self) -> Range<u64> {
        match &self.opened.kind {
            Kind::Pak(pak) => pak.directory_range(),
            Kind::Zip(zip) => zip.directory_range(),
            Kind::Wad(wad) => wad.directory_range(),
            Kind::Anachronox(files) => files.directory_range(),
            Kind::Own(_) => 0..0,
        }
    }

    /// Reads a range of the archive.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the range is outside the archive or cannot be read.
    pub fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        match self.image() {
            Ok(image) => image.bytes(range),
            Err(own) => own.bytes(range),
        }
    }

    /// Reads bytes of the archive into a buffer and returns how many; fewer only at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the archive cannot be read.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        if let Ok(image) = self.image() {
            return image.fill(buffer, offset);
        }
        let end = offset.saturating_add(buffer.len() as u64).min(self.size());
        let bytes = self.bytes(offset.min(end)..end)?;
        let count = buffer.len().min(bytes.len());
        buffer.iter_mut().zip(&*bytes).for_each(|(to, from)| *to = *from);
        Ok(count)
    }

    /// The entry with this number; `None` past the last one.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<ArchiveEntry<'_>> {
        let row = u32::try_from(index).ok().filter(|row| *row < self.rows())?;
        Some(ArchiveEntry::new(self, row))
    }

    /// Every entry, in stored order, including folder entries of a ZIP.
    #[must_use]
    pub fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = ArchiveEntry<'_>> + ExactSizeIterator + Clone + use<'_> {
        (0..self.rows()).map(|row| ArchiveEntry::new(self, row))
    }

    /// The first entry with exactly this stored name; in a WAD, which ignores case, with this name in any
    /// case. The first call indexes all names, for this archive and its clones; the index takes 5 to 10 bytes
    /// per name.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<ArchiveEntry<'_>> {
        let stored_name = |row| self.stored_name(row).as_bytes();
        let index = || ByName::of(self.rows(), self.case(), &stored_name);
        let by_name = self.opened.by_name.get_or_init(index);
        by_name.find(name.as_ref(), &stored_name).map(|row| ArchiveEntry::new(self, row))
    }

    /// Reads the content of the entry with this number. It is borrowed if it is uncompressed and in memory,
    /// otherwise owned.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchEntry`] past the last entry; [`ErrorKind::Pak`], [`ErrorKind::Zip`] or
    /// [`ErrorKind::Io`] if the entry cannot be read.
    pub fn read(&self, index: usize) -> Result<FileData, Error> {
        let missing = || ErrorKind::NoSuchEntry { entry: index, entries: self.rows() as usize };
        self.entry(index).ok_or_else(missing)?.read()
    }

    /// The problems of the archive and of each entry that the directory shows. Damage inside a payload is
    /// found only by reading it, which [`verify`](Self::verify) does.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.damage().into_iter().chain(self.entries().filter_map(|entry| entry.check().err()))
    }

    /// The damage, if a part of the directory is lost.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        of_kind!(self, files => files.damage())
    }

    /// Finds all problems of the archive: bad names, overlapping payloads, entries that cannot be read, and
    /// in a WAD textures, pictures and fonts that engines cannot load. Findings about entries come first, in
    /// the order of the rows. Findings about the whole archive follow.
    ///
    /// Compressed entries are decoded, and ZIP entries are compared with their checksums. Claimed output
    /// beyond `budget` is reported and not decoded; the default is [`DecodeBudget::for_archive`]. `name` is
    /// the archive's name in the findings.
    #[must_use]
    pub fn verify(&self, name: &str, budget: Option<DecodeBudget>) -> Vec<Finding> {
        let budget = budget.unwrap_or_else(|| DecodeBudget::for_archive(self.size()));
        match &self.opened.kind {
            Kind::Pak(pak) => pak.verify(name, budget),
            Kind::Zip(zip) => zip.verify(name, budget),
            Kind::Wad(wad) => wad.verify(name, budget),
            Kind::Anachronox(files) => super::files::verify(files, self.size(), name, budget),
            Kind::Own(files) => super::files::verify(&**files, self.size(), name, budget),
        }
    }

    /// Whether a disk still has the opened file, judged by size, time and identity. The caller's own files
    /// count as changed.
    pub(crate) fn is_current_on(&self, disk: &Arc<dyn Disk>) -> bool {
        self.image().is_ok_and(|image| image.is_current_on(disk))
    }

    /// Whether another program wrote to the opened file, so that its bytes no longer match the directory.
    pub(crate) fn is_overwritten(&self) -> bool {
        self.image().is_ok_and(Image::is_overwritten)
    }

    /// Whether both are clones of the same opened archive.
    pub(crate) fn is_same(one: &Archive, other: &Archive) -> bool {
        Arc::ptr_eq(&one.opened, &other.opened)
    }

    /// How names in the archive compare: without case in a WAD, byte for byte in others.
    #[must_use]
    pub fn case(&self) -> Case {
        if self.kind() == ArchiveKind::Wad { Case::Ignored } else { Case::Exact }
    }

    /// Whether the row is a folder.
    #[inline]
    pub(crate) fn is_folder(&self, row: u32) -> bool {
        self.rows.is_none() && self.row(row).is_folder
    }

    /// Whether the row is a folder without content. Engines that find the name of a folder with content load
    /// it as a file.
    pub(crate) fn is_empty_folder(&self, row: u32) -> bool {
        self.is_folder(row) && self.renamed(row).is_none() && self.size_of(row) == 0
    }

    /// The number of entries, including folder entries of a ZIP.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows() as usize
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    pub(crate) fn rows(&self) -> u32 {
        of_kind!(self, files => files.len())
    }

    fn row(&self, row: u32) -> Row {
        of_kind!(self, files => files.row(row))
    }

    /// The problem of a row, if the directory shows one.
    #[inline]
    pub(crate) fn check(&self, row: u32) -> Result<(), Error> {
        of_kind!(self, files => files.check(row))
    }

    /// The name that requests are compared with.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        match &self.rows {
            Some(rows) => rows.name(row),
            None => self.renamed(row).unwrap_or_else(|| of_kind!(self, files => files.name(row))),
        }
    }

    fn stored_name(&self, row: u32) -> EntryName<'_> {
        match &self.rows {
            Some(rows) => EntryName::from_bytes(rows.name(row)),
            None => of_kind!(self, files => files.stored_name(row)),
        }
    }

    /// The size of a row's decoded content.
    #[inline]
    pub(crate) fn size_of(&self, row: u32) -> u64 {
        match &self.rows {
            Some(rows) => rows.size(row),
            None => self.row(row).size,
        }
    }

    /// The lookup name of a row, if it differs from the stored one.
    #[inline]
    fn renamed(&self, row: u32) -> Option<&[u8]> {
        let renamed = self.renamed.as_ref()?;
        let at = renamed.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        renamed.get(at).map(|(_, name)| &**name)
    }

    /// Whether the engine skips this row.
    #[inline]
    pub(crate) fn is_dropped(&self, row: u32) -> bool {
        self.renamed(row).is_some_and(<[u8]>::is_empty)
    }

    /// Whether no request can find the row, because it is a folder, or a file that the engine does not look
    /// up in this archive.
    #[inline]
    pub(crate) fn is_never_requested(&self, row: u32) -> bool {
        self.is_empty_folder(row) || ((self.for_some || self.is_folder(row)) && self.is_dropped(row))
    }

    /// Whether a request can find this row.
    #[inline]
    pub(crate) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        match &self.rows {
            Some(rows) => rows.is_named(row, name, case),
            None => self.is_named_slowly(row, name, case),
        }
    }

    #[inline(never)]
    fn is_named_slowly(&self, row: u32, name: &[u8], case: Case) -> bool {
        field_holds(self.name(row), name, case == Case::Ignored)
    }

    /// Whether a backslash in a name without `/` separates folders: a ZIP states that the row is from DOS or
    /// Windows, or no name has a `/`.
    fn has_backslashes(&self, row: u32) -> bool {
        let no_slash = || !self.entries().any(|entry| entry.name().as_bytes().contains(&b'/'));
        self.as_zip().is_some_and(|zip| zip.is_from_dos(row))
            || *self.opened.only_backslashes.get_or_init(no_slash)
    }

    /// Whether minizip opens the entry.
    pub(crate) fn is_opened_by_minizip(&self, row: u32) -> bool {
        self.as_zip().is_none_or(|zip| zip.is_opened_by_minizip(row))
    }
}

impl OpenOptions {
    /// Opens an archive on the system's disk.
    ///
    /// # Errors
    /// The errors of [`Archive::open`].
    #[cfg(feature = "fs")]
    pub fn open(&self, path: impl AsRef<std::path::Path>) -> Result<Archive, Error> {
        let path = crate::error::utf8(path.as_ref())?;
        self.open_on(&(Arc::new(crate::disk::SystemDisk) as Arc<dyn Disk>), path)
    }

    /// Opens an archive on any disk.
    ///
    /// # Errors
    /// The errors of [`Archive::from_data`], and [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn open_on(&self, disk: &Arc<dyn Disk>, path: &Utf8Path) -> Result<Archive, Error> {
        Archive::of_any_kind(Image::open(disk, path, self.access)?, self.layout)
    }

    /// Opens an archive in memory.
    ///
    /// # Errors
    /// The errors of [`Archive::from_data`].
    pub fn open_data(&self, bytes: FileData) -> Result<Archive, Error> {
        Archive::of_any_kind(Image::from(bytes), self.layout)
    }
}

impl<F: Files + 'static> From<F> for Archive {
    /// Makes an archive of the caller's own files.
    fn from(files: F) -> Archive {
        Archive::new(Kind::Own(Box::new(files)))
    }
}

fn utf8(path: PathBuf) -> Option<Utf8PathBuf> {
    Utf8PathBuf::from_path_buf(path).ok()
}

fn begins_as_pak(image: &Image) -> Result<bool, Error> {
    Ok(magic_of(image)?.is_some_and(|magic| Layout::with_magic(magic).next().is_some()))
}

fn begins_as_zip(image: &Image) -> Result<bool, Error> {
    // all ZIP records start like this
    Ok(magic_of(image)?.is_some_and(|magic| magic.starts_with(b"PK")))
}

fn magic_of(image: &Image) -> Result<Option<[u8; 4]>, Error> {
    Ok(image.bytes(0..image.size().min(4))?.first_chunk().copied())
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("format", &self.format()).field("entries", &self.rows()).finish()
    }
}

/// An entry of an archive.
#[derive(Clone, Copy)]
pub struct ArchiveEntry<'a> {
    archive: &'a Archive,
    number: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// The entry with this number, which must be below `archive.rows()`.
    #[inline]
    pub(crate) fn new(archive: &'a Archive, number: u32) -> Self {
        ArchiveEntry { archive, number }
    }

    /// The archive that contains the entry.
    #[must_use]
    pub fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// The number of the entry.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The number of the entry, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.number as usize
    }

    /// The stored name.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        self.archive.stored_name(self.number)
    }

    /// The name with which the entry is unpacked. It has `/` for each backslash of a name without `/`, if the
    /// ZIP states that the entry is from DOS or Windows, as in Info-ZIP's `unzip`, or if no name in the
    /// archive has a `/`.
    #[must_use]
    pub fn unpacked_name(&self) -> Cow<'a, [u8]> {
        let name = self.name().as_bytes();
        if !name.contains(&b'\\') || name.contains(&b'/') || !self.archive.has_backslashes(self.number) {
            return Cow::Borrowed(name);
        }
        Cow::Owned(with_slashes(name))
    }

    /// The place of the entry in an archive of this name.
    #[must_use]
    pub fn location(&self, archive: impl Into<String>) -> Location {
        Location::of_entry(archive, self.index(), self.name())
    }

    /// Whether a request can find the entry, by the name that the engine reads.
    pub(crate) fn is_named(&self, name: &[u8], case: Case) -> bool {
        self.archive.is_named(self.number, name, case)
    }

    /// The type of the content: in a WAD by the kind of entry, and elsewhere by the extension.
    #[must_use]
    pub fn content_type(&self) -> ContentType {
        match &self.archive.opened.kind {
            Kind::Wad(wad) => wad.content_type(self.number),
            _ => ContentType::of(self.name().as_bytes()),
        }
    }

    /// The size of the decoded content in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.archive.size_of(self.number)
    }

    /// The row of the entry: sizes, offset and compression method.
    #[must_use]
    pub fn row(&self) -> Row {
        self.archive.row(self.number)
    }

    /// Reads the content. It is borrowed if it is uncompressed and in memory, otherwise owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak), [`ErrorKind::Zip`](crate::ErrorKind::Zip) or
    /// [`ErrorKind::Io`](crate::ErrorKind::Io).
    pub fn read(&self) -> Result<FileData, Error> {
        of_kind!(self.archive, files => files.read(self.number))
    }

    /// Opens the content as a stream. [`FileReader`] describes the costs.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        let reader = of_kind!(self.archive, files => files.open(self.number))?;
        Ok(reader.of_entry(self.index(), self.name()))
    }

    /// The range of the content in the archive; `None` if it is compressed or damaged.
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        // a lookup from C asks for each range, so that a pak's row is read once
        let never_compresses = self.archive.rows.as_ref().is_some_and(|rows| !rows.compresses);
        let is_stored = never_compresses || self.row().method == Method::Stored;
        if is_stored { of_kind!(self.archive, files => files.payload_range(self.number)) } else { None }
    }

    /// Checks the entry's row without reading its payload.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`](crate::ErrorKind::Pak) or [`ErrorKind::Zip`](crate::ErrorKind::Zip), for the errors
    /// of [`read`](Self::read) that the row already shows.
    pub fn check(&self) -> Result<(), Error> {
        self.archive.check(self.number)
    }
}

impl fmt::Debug for ArchiveEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveEntry")
            .field("index", &self.index())
            .field("name", &self.name())
            .field("size", &self.size())
            .field("method", &self.row().method)
            .finish()
    }
}

#[cfg(feature = "watch")]
impl Archive {
    /// Whether the opened file is still on its disk.
    pub(crate) fn is_current(&self) -> bool {
        self.image().map_or(true, Image::is_current)
    }

    /// The range of an entry's payload, compressed or not.
    pub(crate) fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        of_kind!(self, files => files.payload_range(row))
    }
}
