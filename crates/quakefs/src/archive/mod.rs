//! One archive of any kind, as numbered files: the PACK family, ZIP, or a kind of the caller's own.

mod files;
mod image;
mod names;
mod pak;
mod verify;
mod zip;

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::detect::Detection;
use pak_format::{EntryName, Layout, ParseOptions};

pub use self::files::{Files, Method, Row};
pub(crate) use self::image::Image;
pub(crate) use self::names::SMALL;
use self::names::holds_name;
pub(crate) use self::pak::{Pak, PakRows};
use self::zip::Zip;
use crate::data::{FileData, FileReader};
#[cfg(feature = "fs")]
use crate::disk::SystemDisk;
use crate::disk::{Access, Disk};
use crate::error::ZipFault;
use crate::error::{Error, ErrorKind};
use crate::rules::Case;
use crate::rules::ZipNames;
use crate::rules::{ArchiveKind, Rules};

/// One archive of any kind, as numbered entries. Cheap to clone.
///
/// The magic at byte 0 decides: a file that begins as a PACK is one, even if its tail looks like a ZIP's. Every other
/// file is tried as a ZIP.
///
/// ```
/// use quakefs::{Archive, FileData};
/// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
/// # pak.add("quake.rc", "exec default.cfg\n")?;
/// # let bytes = pak.finish()?;
/// let archive = Archive::from_data(FileData::from(bytes))?;
/// let entry = archive.entries().next().expect("it has one");
/// assert_eq!(entry.name(), "quake.rc");
/// assert_eq!(entry.read()?, "exec default.cfg\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Archive(Arc<Kind>, Option<Arc<Renamed>>);

/// The rows that requests find by another name than the stored one; by none where the name is empty.
type Renamed = HashMap<u32, Box<[u8]>>;

enum Kind {
    Pak(Pak),
    Zip(Zip),
    Own(Box<dyn Files>),
}

/// Which kind of archive a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveFormat {
    /// One of the PACK family, and why the archive is read as that.
    Pak(Detection),
    /// A ZIP.
    Zip,
    /// A kind of the caller's own: [`Files`].
    Own,
}

impl ArchiveFormat {
    /// The word for the format: the layout's, `zip` or `files`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ArchiveFormat::Pak(detection) => detection.layout.name(),
            ArchiveFormat::Zip => "zip",
            ArchiveFormat::Own => "files",
        }
    }
}

/// How to open an archive where the default is not wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Whether the file is mapped or read.
    pub access: Access,
    /// The layout of a PACK whose bytes do not say; with `None` the bytes decide.
    pub layout: Option<Layout>,
}

impl OpenOptions {
    /// Maps the file; its bytes decide the layout.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the file is mapped or read.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// The layout, for an archive whose bytes do not say.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Option<Layout>>) -> Self {
        self.layout = layout.into();
        self
    }
}

impl Archive {
    /// Opens an archive on disk: mapped, in the layout that its bytes show.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], [`ErrorKind::Pak`], [`ErrorKind::Zip`] or [`ErrorKind::PathNotUtf8`].
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Archive, Error> {
        Self::open_with(path, &OpenOptions::default())
    }

    /// Opens an archive on disk under [`OpenOptions`].
    ///
    /// # Errors
    /// As [`open`](Self::open).
    #[cfg(feature = "fs")]
    pub fn open_with(path: impl AsRef<std::path::Path>, options: &OpenOptions) -> Result<Archive, Error> {
        let path = crate::error::utf8(path.as_ref())?;
        Self::open_on(&(Arc::new(SystemDisk) as Arc<dyn Disk>), path, options)
    }

    /// Opens an archive on another disk than the system's.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], [`ErrorKind::Pak`] or [`ErrorKind::Zip`].
    pub fn open_on(disk: &Arc<dyn Disk>, path: &Utf8Path, options: &OpenOptions) -> Result<Archive, Error> {
        Self::of_any_kind(Image::open(disk, path, options.access)?, options.layout)
    }

    /// Opens an archive in memory.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`] or [`ErrorKind::Zip`].
    pub fn from_data(bytes: FileData) -> Result<Archive, Error> {
        Self::from_data_with(bytes, &OpenOptions::default())
    }

    /// Opens an archive in memory under [`OpenOptions`].
    ///
    /// # Errors
    /// As [`from_data`](Self::from_data).
    pub fn from_data_with(bytes: FileData, options: &OpenOptions) -> Result<Archive, Error> {
        Self::of_any_kind(Image::from(bytes), options.layout)
    }

    /// Takes numbered files of the caller's own.
    pub fn from_files(files: impl Files + 'static) -> Archive {
        Self::of(Kind::Own(Box::new(files)))
    }

    pub(crate) fn of_any_kind(image: Image, layout: Option<Layout>) -> Result<Archive, Error> {
        if layout.is_none() && !begins_as_pak(&image)? {
            match Zip::open(image.clone()) {
                Ok(zip) => return Ok(Self::of(Kind::Zip(zip))),
                // a ZIP that is cut off is still no PACK
                Err(error) if begins_as_zip(&image)? => return Err(error),
                Err(_) => {}
            }
        }
        let options = match layout {
            Some(layout) => ParseOptions::new().layout(layout),
            None => ParseOptions::new(),
        };
        Self::open_pak(image, &options)
    }

    pub(crate) fn open_pak(image: Image, options: &ParseOptions) -> Result<Archive, Error> {
        Ok(Self::of(Kind::Pak(Pak::open(image, options)?)))
    }

    fn of(kind: Kind) -> Archive {
        Archive(Arc::new(kind), None)
    }

    /// The bytes of the archive; `None` for files of the caller's own.
    fn image(&self) -> Option<&Image> {
        match &*self.0 {
            Kind::Pak(pak) => Some(pak.image()),
            Kind::Zip(zip) => Some(zip.image()),
            Kind::Own(_) => None,
        }
    }

    /// Opens an archive as an engine does: the rules say how its bytes and its names are read.
    pub(crate) fn open_as(image: Image, kind: ArchiveKind, rules: &Rules) -> Result<Archive, Error> {
        let kind = match kind {
            ArchiveKind::Pak => Kind::Pak(Pak::open_as(image, &rules.paks)?),
            ArchiveKind::Zip => {
                if begins_as_pak(&image)? {
                    return Err(ZipFault::Pack.into());
                }
                let fold_names = rules.zips.names == ZipNames::LowerCased;
                Kind::Zip(Zip::open_as(image, fold_names, &rules.zips)?)
            }
            ArchiveKind::Folder => {
                return Err(std::io::Error::from(std::io::ErrorKind::NotADirectory).into());
            }
        };
        let mut archive = Self::of(kind);
        let renamed = names::renamed(&archive, rules);
        archive.1 = (!renamed.is_empty()).then(|| Arc::new(renamed));
        Ok(archive)
    }

    /// The ZIP that the archive is, if it is one.
    pub(crate) fn as_zip(&self) -> Option<&Zip> {
        match &*self.0 {
            Kind::Zip(zip) => Some(zip),
            _ => None,
        }
    }

    fn files(&self) -> &dyn Files {
        match &*self.0 {
            Kind::Pak(pak) => pak,
            Kind::Zip(zip) => zip,
            Kind::Own(files) => &**files,
        }
    }

    /// Which kind of archive it is.
    #[must_use]
    pub fn format(&self) -> ArchiveFormat {
        match &*self.0 {
            Kind::Pak(pak) => ArchiveFormat::Pak(pak.directory().detection()),
            Kind::Zip(_) => ArchiveFormat::Zip,
            Kind::Own(_) => ArchiveFormat::Own,
        }
    }

    /// The PACK that the archive is, if it is one.
    pub(crate) fn as_pak(&self) -> Option<&Pak> {
        if let Kind::Pak(pak) = &*self.0 { Some(pak) } else { None }
    }

    /// Where the archive is, for other programs; `None` in memory, and on another disk than the system's.
    #[must_use]
    pub fn path(&self) -> Option<Utf8PathBuf> {
        self.image()?.on_system()
    }

    /// The path by which the archive was opened on its disk; `None` in memory.
    #[must_use]
    pub fn place(&self) -> Option<&Utf8Path> {
        self.image()?.path()
    }

    /// The file of the system that holds the bytes: the archive itself, or one that it is an entry of.
    #[must_use]
    pub fn held_by(&self) -> Option<Utf8PathBuf> {
        self.image()?.held_by()
    }

    /// Whether the bytes are read by position rather than lent.
    pub(crate) fn is_by_position(&self) -> bool {
        self.image().is_some_and(Image::is_by_position)
    }

    /// When the archive was last modified, as the disk said when it was opened.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.image()?.modified()
    }

    /// Bytes in the whole archive; 0 for [`Files`] of the caller's own.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.image().map_or(0, Image::size)
    }

    /// Where the directory is, in bytes from the start of the archive; empty for [`Files`] of the caller's own.
    #[must_use]
    pub fn directory_range(&self) -> Range<u64> {
        match &*self.0 {
            Kind::Pak(pak) => pak.directory_range(),
            Kind::Zip(zip) => zip.directory_range(),
            Kind::Own(_) => 0..0,
        }
    }

    /// Where the plain bytes of an entry lie in the bytes of the archive, if quakefs holds those.
    pub(crate) fn plain_range(&self, row: u32) -> Option<Range<u64>> {
        self.image().and_then(|_| self.files().range(row))
    }

    /// Some bytes of the archive.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the archive does not reach so far, or cannot be read.
    pub fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        self.image().map_or(Ok(FileData::default()), |image| image.bytes(range))
    }

    /// How many entries there are. Entries of a ZIP that stand for folders count, so that numbers are rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows() as usize
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    /// The entry of this number; `None` past the last one.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<ArchiveEntry<'_>> {
        let row = u32::try_from(index).ok().filter(|row| *row < self.rows())?;
        Some(ArchiveEntry { archive: self, row })
    }

    /// Every entry, in stored order.
    #[must_use]
    pub fn entries(&self) -> ArchiveEntries<'_> {
        ArchiveEntries { archive: self, rows: 0..self.rows() }
    }

    /// The first entry of this name, byte for byte, found by looking at every entry.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<ArchiveEntry<'_>> {
        self.entries().find(|entry| entry.name().as_bytes() == name.as_ref())
    }

    /// The content of the entry of this number: lent where it is stored as plain bytes in memory, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchEntry`] past the last entry; [`ErrorKind::Pak`], [`ErrorKind::Zip`] or [`ErrorKind::Io`]
    /// where the entry cannot be read.
    pub fn read(&self, index: usize) -> Result<FileData, Error> {
        self.files().read(self.row_of(index)?)
    }

    fn row_of(&self, index: usize) -> Result<u32, Error> {
        let found = u32::try_from(index).ok().filter(|row| *row < self.rows());
        found.ok_or_else(|| ErrorKind::NoSuchEntry { entry: index, entries: self.len() }.into())
    }

    /// What is wrong with the archive, and with each entry as far as the directory shows it. Damage inside a
    /// payload shows only when the entry is read; [`verify`](Self::verify) reads them all.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.damage().into_iter().chain(self.entries().filter_map(|entry| entry.check().err()))
    }

    /// What is wrong with the archive as a whole, if a part of its directory is lost.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        match &*self.0 {
            Kind::Zip(zip) => zip.damage().cloned().map(Error::from),
            Kind::Pak(pak) => pak.damage(),
            Kind::Own(_) => None,
        }
    }

    /// Whether the file on disk is still the one that was opened, by its size, time and identity.
    pub(crate) fn is_current(&self) -> bool {
        self.image().is_none_or(Image::is_current)
    }

    /// Whether the file that was opened was written to since, so that its bytes are no longer those of the directory.
    pub(crate) fn is_overwritten(&self) -> bool {
        self.image().is_some_and(Image::is_overwritten)
    }

    /// Where the payload of an entry lies, compressed or not.
    #[cfg(feature = "watch")]
    pub(crate) fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        match &*self.0 {
            Kind::Pak(pak) => pak.payload_range(row),
            Kind::Zip(zip) => zip.payload_range(row),
            Kind::Own(_) => None,
        }
    }

    /// Whether two are the same archive, opened once.
    pub(crate) fn is_same(one: &Archive, other: &Archive) -> bool {
        Arc::ptr_eq(&one.0, &other.0)
    }

    /// Whether the row stands for a folder.
    pub(crate) fn is_folder(&self, row: u32) -> bool {
        match &*self.0 {
            Kind::Pak(_) => false,
            Kind::Zip(zip) => zip.is_folder(row),
            Kind::Own(files) => files.row(row).is_folder,
        }
    }

    /// Whether the row stands for a folder and for nothing else: one that has content is a file for the engines that
    /// find its name.
    pub(crate) fn is_empty_folder(&self, row: u32) -> bool {
        self.is_folder(row)
            && !self.is_renamed(row)
            && self.entry(row as usize).is_none_or(|entry| entry.size() == 0)
    }

    pub(crate) fn rows(&self) -> u32 {
        self.files().len()
    }

    /// What is wrong with a row, as far as the directory shows it.
    #[inline]
    pub(crate) fn check(&self, row: u32) -> Result<(), Error> {
        match &*self.0 {
            Kind::Pak(pak) => pak.check(row),
            Kind::Zip(zip) => Files::check(zip, row),
            Kind::Own(files) => files.check(row),
        }
    }

    /// The name that requests are compared with.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        if let Some(name) = self.renamed(row) {
            return name;
        }
        match &*self.0 {
            Kind::Pak(pak) => pak.name(row),
            Kind::Zip(zip) => Files::name(zip, row),
            Kind::Own(files) => files.name(row),
        }
    }

    /// The rows of a PACK, where their names are what requests are compared with.
    pub(crate) fn pak_rows(&self) -> Option<PakRows> {
        self.as_pak().filter(|_| self.1.is_none()).map(Pak::rows)
    }

    /// Bytes of the content of a row, decoded.
    #[inline]
    pub(crate) fn size_of(&self, row: u32) -> u64 {
        match &*self.0 {
            Kind::Pak(pak) => pak.size(row),
            Kind::Zip(zip) => Files::size(zip, row),
            Kind::Own(files) => files.size(row),
        }
    }

    /// The name of a row that requests find by another name than the stored one.
    #[inline]
    fn renamed(&self, row: u32) -> Option<&[u8]> {
        self.1.as_ref()?.get(&row).map(|name| &**name)
    }

    /// Whether requests find this row by another name than the stored one, or not at all.
    pub(crate) fn is_renamed(&self, row: u32) -> bool {
        self.renamed(row).is_some()
    }

    /// Whether the engine passes over this row.
    pub(crate) fn is_dropped(&self, row: u32) -> bool {
        self.renamed(row).is_some_and(<[u8]>::is_empty)
    }

    /// Whether a request asks for this row.
    pub(crate) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        if let Some(renamed) = self.renamed(row) {
            return holds_name(renamed, name, case);
        }
        match &*self.0 {
            Kind::Pak(pak) => holds_name(pak.name_field(row), name, case),
            Kind::Zip(zip) => holds_name(Files::name(zip, row), name, case),
            Kind::Own(files) => holds_name(files.name(row), name, case),
        }
    }
}

fn begins_as_pak(image: &Image) -> Result<bool, Error> {
    Ok(magic_of(image)?.is_some_and(|magic| Layout::with_magic(magic).next().is_some()))
}

fn begins_as_zip(image: &Image) -> Result<bool, Error> {
    // each record of a ZIP begins so
    Ok(magic_of(image)?.is_some_and(|magic| magic.starts_with(b"PK")))
}

fn magic_of(image: &Image) -> Result<Option<[u8; 4]>, Error> {
    Ok(image.bytes(0..image.size().min(4))?.first_chunk().copied())
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive")
            .field("format", &self.format().name())
            .field("entries", &self.len())
            .finish()
    }
}

/// A file in an archive: what its directory says of the file.
#[derive(Clone, Copy)]
pub struct ArchiveEntry<'a> {
    archive: &'a Archive,
    row: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// The number of the entry, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.row as usize
    }

    /// The name as stored.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        match self.archive.as_pak() {
            Some(pak) => EntryName::from_bytes(pak.name(self.row)),
            None => self.row().name,
        }
    }

    /// Whether a request for a name asks for the entry, as the engine reads its name.
    #[must_use]
    pub fn is_named(&self, name: &[u8], case: Case) -> bool {
        self.archive.is_named(self.row, name, case)
    }

    /// Bytes of the content, decoded.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.archive.size_of(self.row)
    }

    /// What else the directory says of the entry.
    #[must_use]
    pub fn row(&self) -> Row<'a> {
        self.archive.files().row(self.row)
    }

    /// Bytes that the payload takes in the archive.
    #[must_use]
    pub fn stored_size(&self) -> u64 {
        self.row().stored_size
    }

    /// Where the entry starts, in bytes from the start of the archive: its payload in a PACK, its local header in a
    /// ZIP.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.row().offset
    }

    /// How the payload is stored.
    #[must_use]
    pub fn method(&self) -> Method {
        self.row().method
    }

    /// Whether the entry stands for a folder, as some entries of a ZIP do: no request finds it.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.row().is_folder
    }

    /// The content: lent where it is stored as plain bytes in memory, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`], [`ErrorKind::Zip`] or [`ErrorKind::Io`].
    pub fn read(&self) -> Result<FileData, Error> {
        self.archive.files().read(self.row)
    }

    /// The content as a stream; [`FileReader`] says what that costs.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(&self) -> Result<FileReader, Error> {
        self.archive.files().open(self.row)
    }

    /// Where the plain bytes of the content lie in the archive; `None` where they are compressed or damaged.
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        self.archive.files().range(self.row)
    }

    /// Checks what the directory says of the entry, without reading its payload.
    ///
    /// # Errors
    /// [`ErrorKind::Pak`] or [`ErrorKind::Zip`]: those of [`read`](Self::read), as far as the directory shows them.
    pub fn check(&self) -> Result<(), Error> {
        self.archive.files().check(self.row)
    }
}

impl fmt::Debug for ArchiveEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveEntry")
            .field("index", &self.index())
            .field("name", &self.name())
            .field("size", &self.size())
            .field("method", &self.method())
            .finish()
    }
}

/// The entries of an [`Archive`], in stored order.
#[derive(Clone, Debug)]
pub struct ArchiveEntries<'a> {
    archive: &'a Archive,
    rows: Range<u32>,
}

impl<'a> Iterator for ArchiveEntries<'a> {
    type Item = ArchiveEntry<'a>;

    fn next(&mut self) -> Option<ArchiveEntry<'a>> {
        self.rows.next().map(|row| ArchiveEntry { archive: self.archive, row })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<ArchiveEntry<'a>> {
        self.rows.nth(n).map(|row| ArchiveEntry { archive: self.archive, row })
    }
}

impl ExactSizeIterator for ArchiveEntries<'_> {}
