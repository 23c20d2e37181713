//! One archive of any kind, as numbered files: the PACK family, ZIP, or a kind of the caller's own.

mod by_name;
mod compare;
mod decoded;
mod entry;
mod files;
mod image;
mod names;
mod pak;
mod wad;
mod zip;

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::detect::Detection;
use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, Layout, ParseOptions};

use self::by_name::ByName;
use self::compare::holds_name;
pub use self::entry::ArchiveEntry;
pub use self::files::{Files, Method, Row};
pub(crate) use self::image::Image;
pub(crate) use self::pak::Pak;
use self::pak::PakRows;
use self::wad::Wad;
use self::zip::Zip;
use crate::data::FileData;
#[cfg(feature = "fs")]
use crate::disk::SystemDisk;
use crate::disk::{Access, Content, Disk};
use crate::error::ZipFault;
use crate::error::{Error, ErrorKind};
use crate::finding::Finding;
pub use crate::rules::ArchiveKind;
use crate::rules::{Case, Rules, Text, ZipNames};

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
pub struct Archive {
    opened: Arc<Opened<dyn Files>>,
    /// The rows of a PACK whose names are what requests are compared with: the shortest way to the names and sizes of most
    /// archives, which lookups take.
    rows: Option<PakRows>,
    /// The rows that requests find by another name than the stored one; by none where the name is empty.
    renamed: Option<Arc<HashMap<u32, Box<[u8]>>>>,
    /// Whether an engine looks into it for some names alone.
    for_some: bool,
}

/// The files, and what was worked out about them.
struct Opened<F: ?Sized> {
    /// Made when a name is first looked for.
    by_name: OnceLock<ByName>,
    files: F,
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
    ///
    /// ```
    /// # use quakefs::archive::Row;
    /// # use quakefs::{Error, FileData};
    /// # struct OneFile;
    /// # impl quakefs::archive::Files for OneFile {
    /// #     fn len(&self) -> u32 { 1 }
    /// #     fn name(&self, _: u32) -> &[u8] { b"autoexec.cfg" }
    /// #     fn row(&self, _: u32) -> Row { Row::stored(4) }
    /// #     fn read(&self, _: u32) -> Result<FileData, Error> { Ok(FileData::from(b"echo".to_vec())) }
    /// # }
    /// let archive = quakefs::Archive::from_files(OneFile);
    /// assert_eq!(archive.read(0)?, "echo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_files(files: impl Files) -> Archive {
        Self::new(files, None)
    }

    fn new(files: impl Files, rows: Option<PakRows>) -> Archive {
        Archive {
            opened: Arc::new(Opened { by_name: OnceLock::new(), files }),
            rows,
            renamed: None,
            for_some: false,
        }
    }

    pub(crate) fn of_any_kind(image: Image, layout: Option<Layout>) -> Result<Archive, Error> {
        if layout.is_none() && !begins_as_pak(&image)? {
            if let Some(wad) = Wad::open(&image)? {
                return Ok(Self::new(wad, None));
            }
            match Zip::open(image.clone()) {
                Ok(zip) => return Ok(Self::new(zip, None)),
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
        let pak = Pak::open(image, options)?;
        let rows = pak.rows();
        Ok(Self::new(pak, Some(rows)))
    }

    /// Opens an archive as an engine does: the rules say how its bytes and its names are read.
    pub(crate) fn open_as(image: Image, kind: ArchiveKind, rules: &Rules) -> Result<Archive, Error> {
        let (archive, renamed) = match kind {
            ArchiveKind::Pak => {
                let pak = Pak::open_as(image, &rules.paks)?;
                let (rows, renamed) = (pak.rows(), names::renamed_in_pak(&pak, rules));
                (Self::new(pak, Some(rows)), renamed)
            }
            ArchiveKind::Zip => {
                if begins_as_pak(&image)? {
                    return Err(ZipFault::Pack.into());
                }
                let fold_names = rules.zips.names == ZipNames::LowerCased;
                let zip = Zip::open_as(image, fold_names, &rules.zips)?;
                let renamed = names::renamed_in_zip(&zip, rules);
                (Self::new(zip, None), renamed)
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

    /// The same, of which an engine finds these names alone.
    pub(crate) fn with_only(self, names: &[Text]) -> Archive {
        let mut renamed = self.renamed.as_deref().cloned().unwrap_or_default();
        let others =
            (0..self.rows()).filter(|row| !names.iter().any(|name| name.as_bytes() == self.name(*row)));
        renamed.extend(others.map(|row| (row, Box::default())));
        Archive { rows: None, renamed: Some(Arc::new(renamed)), for_some: true, ..self }
    }

    #[inline]
    fn as_files(&self) -> &dyn Files {
        &self.opened.files
    }

    /// The PACK that the archive is, if it is one: the rules of engines are about its header and its rows.
    pub(crate) fn as_pak(&self) -> Option<&Pak> {
        (self.as_files() as &dyn Any).downcast_ref()
    }

    /// The bytes of the archive; `None` for files of the caller's own.
    fn image(&self) -> Option<&Image> {
        let of_wad = || self.as_wad().map(Wad::image);
        self.as_pak().map(Pak::image).or_else(|| self.as_zip().map(Zip::image)).or_else(of_wad)
    }

    fn as_wad(&self) -> Option<&Wad> {
        (self.as_files() as &dyn Any).downcast_ref()
    }

    /// The ZIP that the archive is, if it is one.
    pub(crate) fn as_zip(&self) -> Option<&Zip> {
        (self.as_files() as &dyn Any).downcast_ref()
    }

    /// Which kind of archive it is.
    #[must_use]
    pub fn kind(&self) -> ArchiveKind {
        self.as_files().kind()
    }

    /// The layout of an archive of the PACK family, and what shows it; `None` for the other kinds.
    #[must_use]
    pub fn detection(&self) -> Option<Detection> {
        Some(self.as_pak()?.directory().detection())
    }

    /// The layout of an archive of the PACK family; `None` for the other kinds.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        self.detection().map(|detection| detection.layout)
    }

    /// The word for the format: that of the layout, or else of the kind.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.layout().map_or(self.kind().name(), Layout::name)
    }

    /// The path on this computer; `None` in memory, and on a disk whose files other programs cannot open.
    #[must_use]
    pub fn system_path(&self) -> Option<Utf8PathBuf> {
        match self.image() {
            Some(image) => utf8(image.system_path()?.file()?),
            None => self.path().map(Utf8Path::to_owned),
        }
    }

    /// The path on the disk that the archive was opened on; `None` in memory.
    #[must_use]
    pub fn path(&self) -> Option<&Utf8Path> {
        self.image().map_or_else(|| self.as_files().path(), Image::path)
    }

    /// The file on this computer that holds the bytes: the archive itself, or another archive that contains it.
    #[must_use]
    pub fn source_file(&self) -> Option<Utf8PathBuf> {
        utf8(self.image()?.system_path()?.source())
    }

    /// A part of the bytes that is read as it is asked for; `None` where bytes are lent.
    pub(crate) fn by_position(&self, range: Range<u64>) -> Option<Content> {
        self.image()?.by_position(range)
    }

    /// When the archive was last modified, as the disk said when it was opened.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.image()?.modified()
    }

    /// Bytes in the whole archive; 0 for [`Files`] of the caller's own.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.as_files().archive_size()
    }

    /// Where the directory is, in bytes from the start of the archive; empty for [`Files`] of the caller's own.
    #[must_use]
    pub fn directory_range(&self) -> Range<u64> {
        let of_wad = || self.as_wad().map(Wad::directory_range);
        let of_zip = || self.as_zip().map(Zip::directory_range);
        self.as_pak().map(Pak::directory_range).or_else(of_zip).or_else(of_wad).unwrap_or(0..0)
    }

    /// Some bytes of the archive.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the archive does not reach so far, or cannot be read.
    pub fn bytes(&self, range: Range<u64>) -> Result<FileData, Error> {
        self.as_files().bytes(range)
    }

    /// Reads bytes of the archive into a buffer, and gives how many: fewer only at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the archive cannot be read.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        if let Some(image) = self.image() {
            return image.fill(buffer, offset);
        }
        let end = offset.saturating_add(buffer.len() as u64).min(self.size());
        let bytes = self.bytes(offset.min(end)..end)?;
        let count = buffer.len().min(bytes.len());
        buffer.iter_mut().zip(&*bytes).for_each(|(to, from)| *to = *from);
        Ok(count)
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
        Some(ArchiveEntry::new(self, row))
    }

    /// Every entry, in stored order.
    #[must_use]
    pub fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = ArchiveEntry<'_>> + ExactSizeIterator + Clone + use<'_> {
        (0..self.rows()).map(|row| ArchiveEntry::new(self, row))
    }

    /// The first entry of this stored name, byte for byte. The first call indexes all names, for this archive and its
    /// clones; an index takes 5 to 10 bytes a name.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<ArchiveEntry<'_>> {
        let by_name = self.opened.by_name.get_or_init(|| ByName::of(self.as_files()));
        by_name.find(self.as_files(), name.as_ref()).map(|row| ArchiveEntry::new(self, row))
    }

    /// The content of the entry of this number: lent where it is stored as plain bytes in memory, else owned.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchEntry`] past the last entry; [`ErrorKind::Pak`], [`ErrorKind::Zip`] or [`ErrorKind::Io`]
    /// where the entry cannot be read.
    pub fn read(&self, index: usize) -> Result<FileData, Error> {
        let missing = || ErrorKind::NoSuchEntry { entry: index, entries: self.len() };
        self.entry(index).ok_or_else(missing)?.read()
    }

    /// What is wrong with the archive, and with each entry as far as the directory shows it. Damage inside a
    /// payload shows only when the entry is read; [`verify`](Self::verify) reads them all.
    pub fn problems(&self) -> impl Iterator<Item = Error> + '_ {
        self.damage().into_iter().chain(self.entries().filter_map(|entry| entry.check().err()))
    }

    /// What is wrong with the archive as a whole, if a part of its directory is lost.
    #[must_use]
    pub fn damage(&self) -> Option<Error> {
        self.as_files().damage()
    }

    /// Everything that is odd or wrong about the archive: names, places, and whether each entry can be read. Findings
    /// about entries come first, in the order of the rows, then those about the whole archive.
    ///
    /// Compressed entries are decoded, and the entries of a ZIP are held against their checksums. What an archive
    /// claims beyond the default [`DecodeBudget`] is reported and not decoded. `name` names the archive in the
    /// findings.
    #[must_use]
    pub fn verify(&self, name: &str) -> Vec<Finding> {
        self.verify_within(name, DecodeBudget::for_archive(self.size()))
    }

    /// The same with another budget than [`DecodeBudget::for_archive`].
    #[must_use]
    pub fn verify_within(&self, name: &str, budget: DecodeBudget) -> Vec<Finding> {
        self.as_files().verify(name, budget)
    }

    /// Whether a disk still has the opened file, by its size, time and identity. Files of a caller's own count as changed.
    pub(crate) fn is_current_on(&self, disk: &Arc<dyn Disk>) -> bool {
        self.image().is_some_and(|image| image.is_current_on(disk))
    }

    /// Whether the same file still is on the disk that it was opened on.
    #[cfg(feature = "watch")]
    pub(crate) fn is_current(&self) -> bool {
        self.image().is_none_or(Image::is_current)
    }

    /// Whether another program wrote to the opened file since, so that its bytes no longer match the directory.
    pub(crate) fn is_overwritten(&self) -> bool {
        self.image().is_some_and(Image::is_overwritten)
    }

    /// Where the payload of an entry lies, compressed or not.
    #[cfg(feature = "watch")]
    pub(crate) fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        self.as_files().payload_range(row)
    }

    /// Whether two are the same archive, opened once.
    pub(crate) fn is_same(one: &Archive, other: &Archive) -> bool {
        Arc::ptr_eq(&one.opened, &other.opened)
    }

    /// Whether the row stands for a folder.
    #[inline]
    pub(crate) fn is_folder(&self, row: u32) -> bool {
        self.rows.is_none() && self.as_files().row(row).is_folder
    }

    /// Whether the row stands for a folder and for nothing else: one that has content is a file for the engines that
    /// find its name.
    pub(crate) fn is_empty_folder(&self, row: u32) -> bool {
        self.is_folder(row) && !self.is_renamed(row) && self.size_of(row) == 0
    }

    pub(crate) fn rows(&self) -> u32 {
        self.as_files().len()
    }

    /// What is wrong with a row, as far as the directory shows it.
    #[inline]
    pub(crate) fn check(&self, row: u32) -> Result<(), Error> {
        self.as_files().check(row)
    }

    /// The name that requests are compared with.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        match &self.rows {
            Some(rows) => rows.name(row),
            None => self.renamed(row).unwrap_or_else(|| self.as_files().name(row)),
        }
    }

    fn stored_name(&self, row: u32) -> EntryName<'_> {
        match &self.rows {
            Some(rows) => EntryName::from_bytes(rows.name(row)),
            None => self.as_files().stored_name(row),
        }
    }

    /// Bytes of the content of a row, decoded.
    #[inline]
    pub(crate) fn size_of(&self, row: u32) -> u64 {
        match &self.rows {
            Some(rows) => rows.size(row),
            None => self.as_files().row(row).size,
        }
    }

    /// The name of a row that requests find by another name than the stored one.
    #[inline]
    fn renamed(&self, row: u32) -> Option<&[u8]> {
        self.renamed.as_ref()?.get(&row).map(|name| &**name)
    }

    /// Whether requests find this row by another name than the stored one, or not at all.
    fn is_renamed(&self, row: u32) -> bool {
        self.renamed(row).is_some()
    }

    /// Whether the engine passes over this row.
    #[inline]
    pub(crate) fn is_dropped(&self, row: u32) -> bool {
        self.renamed(row).is_some_and(<[u8]>::is_empty)
    }

    /// Whether no request asks for the row, and nobody expects one to: it stands for a folder, or for a file that the engine
    /// does not look for in this archive.
    #[inline]
    pub(crate) fn is_unasked(&self, row: u32) -> bool {
        self.is_empty_folder(row) || ((self.for_some || self.is_folder(row)) && self.is_dropped(row))
    }

    /// Whether a request asks for this row.
    #[inline]
    pub(crate) fn is_named(&self, row: u32, name: &[u8], case: Case) -> bool {
        match &self.rows {
            Some(rows) => rows.is_named(row, name, case),
            None => self.is_named_slowly(row, name, case),
        }
    }

    #[inline(never)]
    fn is_named_slowly(&self, row: u32, name: &[u8], case: Case) -> bool {
        holds_name(self.name(row), name, case)
    }

    /// Whether minizip opens the entry.
    pub(crate) fn is_opened_by_minizip(&self, row: u32) -> bool {
        self.as_zip().is_none_or(|zip| zip.is_opened_by_minizip(row))
    }
}

fn utf8(path: PathBuf) -> Option<Utf8PathBuf> {
    Utf8PathBuf::from_path_buf(path).ok()
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
        f.debug_struct("Archive").field("format", &self.format()).field("entries", &self.len()).finish()
    }
}
