//! An archive of any kind: PACK or ZIP, on disk or in memory.

use std::fmt;
use std::ops::Range;

use camino::Utf8Path;
use pak_format::detect::Detection;
use pak_format::{EntryName, Layout, ParseOptions};

use crate::data::FileData;
use crate::error::{Error, ErrorKind};
use crate::rules::{Case, ZipNames};
use crate::source::image::{Access, Image};
use crate::source::pak::Pak;
use crate::source::zip::{Zip, ZipFault};

/// One archive, whichever kind it is, as numbered entries.
///
/// The magic at byte 0 decides: what begins as a PACK is one, even if its tail looks like a ZIP's. Everything else
/// is tried as a ZIP.
///
/// ```
/// use quakefs::{Archive, FileData};
/// # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
/// # pak.add("quake.rc", "exec default.cfg\n")?;
/// # let bytes = pak.finish()?;
/// let archive = Archive::from_memory(FileData::new(bytes), None)?;
/// let entry = archive.entries().next().expect("it has one");
/// assert_eq!(entry.name().as_bytes(), b"quake.rc");
/// assert_eq!(*archive.read(entry.index())?, *b"exec default.cfg\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Archive(Kind);

enum Kind {
    Pak(Pak),
    Zip(Zip),
}

/// Which kind of archive it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArchiveFormat {
    /// One of the PACK family, and why it is taken for that.
    Pak(Detection),
    /// A ZIP.
    Zip,
}

impl ArchiveFormat {
    /// The word for it: that of the layout, or `zip`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ArchiveFormat::Pak(detection) => detection.layout.name(),
            ArchiveFormat::Zip => "zip",
        }
    }
}

/// How the payload of an entry is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// As it is.
    Stored,
    /// By Daikatana's codec.
    Daikatana,
    /// By deflate.
    Deflate,
    /// By another method of ZIP, of this number: it cannot be read.
    Other(u16),
}

impl Archive {
    /// Opens an archive on disk. `layout` names the layout of a PACK that does not tell.
    ///
    /// Fails with [`ErrorKind::Io`], [`ErrorKind::Archive`] or [`ErrorKind::Zip`].
    pub fn open(
        path: impl AsRef<Utf8Path>,
        access: Access,
        layout: Option<Layout>,
    ) -> Result<Archive, Error> {
        Self::from_image(Image::open(path.as_ref(), access)?, layout)
    }

    /// Opens an archive in memory. Fails as [`open`](Self::open) does.
    pub fn from_memory(bytes: FileData, layout: Option<Layout>) -> Result<Archive, Error> {
        Self::from_image(Image::Memory(bytes), layout)
    }

    fn from_image(image: Image, layout: Option<Layout>) -> Result<Archive, Error> {
        if layout.is_none() && !begins_as_pak(&image)? {
            match Zip::open(image.clone(), false) {
                Ok(zip) => return Ok(Archive(Kind::Zip(zip))),
                // a ZIP that is cut off is still no PACK
                Err(error) if begins_as_zip(&image)? => return Err(error),
                Err(_) => {}
            }
        }
        Self::open_pak(image, &ParseOptions { layout, ..ParseOptions::default() })
    }

    pub(crate) fn open_pak(image: Image, options: &ParseOptions) -> Result<Archive, Error> {
        Pak::open(image, options).map(|pak| Archive(Kind::Pak(pak)))
    }

    pub(crate) fn open_zip(image: Image, names: ZipNames) -> Result<Archive, Error> {
        if begins_as_pak(&image)? {
            return Err(ErrorKind::Zip { archive: None, entry: None, fault: ZipFault::Pack }.into());
        }
        Zip::open(image, names == ZipNames::LowerCased).map(|zip| Archive(Kind::Zip(zip)))
    }

    /// Which kind of archive it is.
    #[must_use]
    pub fn format(&self) -> ArchiveFormat {
        match &self.0 {
            Kind::Pak(pak) => ArchiveFormat::Pak(pak.directory().detection()),
            Kind::Zip(_) => ArchiveFormat::Zip,
        }
    }

    /// The PACK that it is, if it is one.
    pub(crate) fn as_pak(&self) -> Option<&Pak> {
        match &self.0 {
            Kind::Pak(pak) => Some(pak),
            Kind::Zip(_) => None,
        }
    }

    /// Bytes in the whole archive.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.0 {
            Kind::Pak(pak) => pak.directory().image_size(),
            Kind::Zip(zip) => zip.image_size(),
        }
    }

    /// Where the directory is, in bytes from the start of the archive.
    #[must_use]
    pub fn directory_range(&self) -> Range<u64> {
        match &self.0 {
            Kind::Pak(pak) => pak.directory_range(),
            Kind::Zip(zip) => zip.directory_range(),
        }
    }

    /// How many entries there are. Those of a ZIP that are folders count, so that numbers are rows.
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "an archive without entries is no special case for anybody"
    )]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Pak(pak) => pak.directory().len(),
            Kind::Zip(zip) => zip.len(),
        }
    }

    /// The entry of this number.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<ArchiveEntry<'_>> {
        let row = u32::try_from(index).ok().filter(|_| index < self.len())?;
        Some(ArchiveEntry { archive: self, row })
    }

    /// Every entry, in stored order.
    #[must_use]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = ArchiveEntry<'_>> + Clone {
        (0..self.rows()).map(|row| ArchiveEntry { archive: self, row })
    }

    /// The first entry of this name, byte for byte, found by looking at every one.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<ArchiveEntry<'_>> {
        self.entries().find(|entry| entry.name().as_bytes() == name.as_ref())
    }

    /// The content of the entry of this number: lent where it is stored in memory as it is, else owned.
    ///
    /// Fails with [`ErrorKind::Archive`], [`ErrorKind::Zip`] or [`ErrorKind::Io`]. Past the last entry there is
    /// nothing, which is no bytes.
    pub fn read(&self, index: usize) -> Result<FileData, Error> {
        match (&self.0, u32::try_from(index)) {
            (Kind::Pak(pak), Ok(row)) => pak.read(row),
            (Kind::Zip(zip), Ok(row)) => zip.read(row),
            (_, Err(_)) => Ok(FileData::new([])),
        }
    }

    /// What is wrong with the archive, and with each entry as far as the directory shows it. Damage inside a
    /// payload shows only when it is read.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.damage().into_iter().chain(self.entries().filter_map(|entry| entry.check().err()))
    }

    /// What is wrong with the archive as a whole, if a part of its directory is lost.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        let Kind::Zip(zip) = &self.0 else { return None };
        let fault = zip.damage()?.clone();
        Some(ErrorKind::Zip { archive: None, entry: None, fault }.into())
    }

    /// Whether a row stands for a folder, which is no file.
    pub(crate) fn is_folder(&self, row: u32) -> bool {
        matches!(&self.0, Kind::Zip(zip) if zip.is_folder(row))
    }

    pub(crate) fn rows(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// The name that requests are compared with.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        match &self.0 {
            Kind::Pak(pak) => pak.name(row),
            Kind::Zip(zip) => zip.name(row),
        }
    }

    /// Whether a request asks for this row.
    #[inline]
    pub(crate) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        match &self.0 {
            Kind::Pak(pak) => crate::index::holds_name(pak.name_field(row), name, case),
            Kind::Zip(zip) => crate::index::holds_name(zip.name(row), name, case),
        }
    }
}

fn begins_as_pak(image: &Image) -> Result<bool, Error> {
    Ok(magic_of(image)?.is_some_and(|magic| Layout::with_magic(magic).next().is_some()))
}

fn begins_as_zip(image: &Image) -> Result<bool, Error> {
    // each of its records begins so
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

/// A file in an archive: what its directory says of it.
#[derive(Clone, Copy)]
pub struct ArchiveEntry<'a> {
    archive: &'a Archive,
    row: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// Its number, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.row as usize
    }

    /// Its name, as stored.
    #[must_use]
    pub fn name(&self) -> EntryName<'a> {
        match &self.archive.0 {
            Kind::Pak(pak) => EntryName::from_bytes(pak.name(self.row)),
            Kind::Zip(zip) => zip.stored_name(self.row),
        }
    }

    /// Bytes of its content, decoded.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.archive.0 {
            Kind::Pak(pak) => pak.entry(self.row).map_or(0, |entry| entry.size().into()),
            Kind::Zip(zip) => zip.size(self.row),
        }
    }

    /// Bytes that it takes in the archive.
    #[must_use]
    pub fn stored_size(&self) -> u64 {
        match &self.archive.0 {
            Kind::Pak(pak) => pak.entry(self.row).map_or(0, |entry| entry.stored_size().into()),
            Kind::Zip(zip) => zip.stored_size(self.row),
        }
    }

    /// Where it is, in bytes from the start of the archive: its payload in a PACK, its local header in a ZIP.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match &self.archive.0 {
            Kind::Pak(pak) => pak.entry(self.row).map_or(0, |entry| entry.offset().into()),
            Kind::Zip(zip) => zip.offset(self.row),
        }
    }

    /// How its payload is stored.
    #[must_use]
    pub fn method(&self) -> Method {
        match &self.archive.0 {
            Kind::Pak(pak) if pak.entry(self.row).is_some_and(|entry| entry.is_compressed()) => {
                Method::Daikatana
            }
            Kind::Pak(_) => Method::Stored,
            Kind::Zip(zip) => match zip.method(self.row) {
                0 => Method::Stored,
                8 => Method::Deflate,
                other => Method::Other(other),
            },
        }
    }

    /// Whether it stands for a folder, as some entries of a ZIP do: no request finds it.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.archive.is_folder(self.row)
    }

    /// Whether the directory can be right about it. Fails with [`ErrorKind::Archive`] or [`ErrorKind::Zip`].
    pub fn check(&self) -> Result<(), Error> {
        match &self.archive.0 {
            Kind::Pak(pak) => pak.entry(self.row).map_or(Ok(()), |entry| Ok(entry.check()?)),
            Kind::Zip(zip) => zip.check(self.row),
        }
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
