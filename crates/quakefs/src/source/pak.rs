//! An archive of the PACK family, mapped, read by position, or in memory.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::layout::Header;
use pak_format::{Directory, Entry, ParseOptions};

use crate::data::{FileData, open_regular};
use crate::error::Error;

/// How archives on disk are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// They are mapped into memory: nothing is copied, and stored files are lent. If another program cuts a
    /// mapped file short, touching what is gone ends the process.
    #[default]
    Map,
    /// They are read by position: the directory at the mount, a payload when it is asked for. For folders that
    /// other programs write to. A mounted entry then costs its row of memory too.
    Read,
}

pub(crate) struct Pak {
    directory: Directory<FileData>,
    payloads: Payloads,
    /// Bytes behind the last whole row.
    ragged: usize,
}

enum Payloads {
    Memory(FileData),
    File(Arc<File>, Utf8PathBuf),
}

impl Pak {
    pub(crate) fn open(path: &Utf8Path, access: Access, options: &ParseOptions) -> Result<Pak, Error> {
        match access {
            Access::Map => Self::from_memory(FileData::map(path)?, options),
            Access::Read => {
                let io = |doing| move |error| Error::io(path, doing, error);
                let file = open_regular(path)?;
                let size = file.metadata().map_err(io("open"))?.len();
                let mut start = [0; Header::SIZE];
                let there = usize::try_from(size).unwrap_or(Header::SIZE).min(Header::SIZE);
                let start = start.get_mut(..there).unwrap_or_default();
                read_at(&file, start, 0).map_err(io("read"))?;
                let header = options.parse_header(start)?;
                let range = header.directory_range(size)?;
                let rows = read_range(&file, range).map_err(io("read"))?;
                let payloads = Payloads::File(Arc::new(file), path.to_owned());
                Self::with_rows(&header, FileData::new(rows), size, payloads, options)
            }
        }
    }

    pub(crate) fn from_memory(image: FileData, options: &ParseOptions) -> Result<Pak, Error> {
        let header = options.parse_header(&image)?;
        let size = image.len() as u64;
        let range = header.directory_range(size)?;
        let rows = image.slice(range).unwrap_or_else(|| FileData::new([]));
        Self::with_rows(&header, rows, size, Payloads::Memory(image), options)
    }

    fn with_rows(
        header: &Header,
        rows: FileData,
        image_size: u64,
        payloads: Payloads,
        options: &ParseOptions,
    ) -> Result<Pak, Error> {
        let directory = Directory::parse(header, rows, image_size, options)?;
        let ragged = directory.rows().len() % directory.layout().row_size();
        Ok(Pak { directory, payloads, ragged })
    }

    pub(crate) fn directory(&self) -> &Directory<FileData> {
        &self.directory
    }

    pub(crate) fn ragged(&self) -> usize {
        self.ragged
    }

    /// The name in a row: the field up to NUL.
    #[inline]
    pub(crate) fn name(&self, row: u32) -> &[u8] {
        let field = self.directory.name_field(row as usize).unwrap_or_default();
        pak_format::EntryName::from_field(field).as_bytes()
    }

    /// The whole name field of a row.
    #[inline]
    pub(crate) fn name_field(&self, row: u32) -> &[u8] {
        self.directory.name_field(row as usize).unwrap_or_default()
    }

    pub(crate) fn entry(&self, row: u32) -> Option<Entry<'_>> {
        self.directory.entry(row as usize)
    }

    /// Reads the content of a row. No row is past the last one but by a mistake of ours: such a one is empty.
    pub(crate) fn read(&self, row: u32, archive: &str) -> Result<FileData, Error> {
        let Some(entry) = self.entry(row) else { return Ok(FileData::new([])) };
        let named = |error: pak_format::Error| Error::from(error.in_archive(archive));
        entry.check().map_err(named)?;
        let extent = entry.extent().map_err(named)?;
        let stored = match &self.payloads {
            Payloads::Memory(image) => image.slice(extent).unwrap_or_else(|| FileData::new([])),
            Payloads::File(file, path) => {
                FileData::new(read_range(file, extent).map_err(|error| Error::io(path, "read", error))?)
            }
        };
        match entry.decode(&stored).map_err(named)? {
            Cow::Borrowed(_) => Ok(stored),
            Cow::Owned(decoded) => Ok(FileData::new(decoded)),
        }
    }
}

/// Reads what a directory or a row claims, which was checked to be inside the file.
fn read_range(file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let size = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
    let mut bytes = vec![0; size];
    read_at(file, &mut bytes, range.start)?;
    Ok(bytes)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = bytes.get_mut(count..).unwrap_or_default();
        offset += count as u64;
    }
    Ok(())
}
