//! A WAD with textures and pictures, or a level with its textures.

use std::ops::Range;

use pak_format::verify::DecodeBudget;
use quake_content::{Level, LevelFormat, Textures, WadEntry, WadKind, WadVersion};

use super::files::{self, Files, Row};
use super::image::Image;
use crate::content::ContentType;
use crate::data::FileData;
use crate::error::{Error, ErrorKind};
use crate::finding::{Finding, FindingKind};
use crate::location::Location;

/// A WAD2 or WAD3 whose rows are files, or a level whose textures are files.
pub(crate) struct Wad {
    rows: Vec<Lump>,
    version: WadVersion,
    directory: Range<u64>,
    image: Image,
}

struct Lump {
    name: Box<[u8]>,
    range: Range<u64>,
    content: ContentType,
    kind: WadKind,
}

impl Wad {
    /// Reads the rows; `None` if the bytes are neither.
    pub(crate) fn open(image: &Image) -> Result<Option<Wad>, Error> {
        let magic = image.bytes(0..image.size().min(4))?;
        let is_wad = magic.starts_with(b"WAD2") || magic.starts_with(b"WAD3");
        let is_level = matches!(&*magic, [29 | 30, 0, 0, 0] | b"BSP2" | b"2PSB");
        if !is_wad && !is_level {
            return Ok(None);
        }
        let (rows, version, directory) = if is_wad { rows_of_wad(image)? } else { rows_of_level(image)? };
        Ok(Some(Wad { rows, version, directory, image: image.clone() }))
    }

    pub(super) fn image(&self) -> &Image {
        &self.image
    }

    /// Finds all problems, also of the content of its entries.
    pub(super) fn verify(&self, name: &str, budget: DecodeBudget) -> Vec<Finding> {
        let mut findings = files::verify(self, self.image.size(), name, budget);
        for (row, lump) in (0..).zip(&self.rows) {
            // what cannot be read is told already
            let Ok(bytes) = self.read(row) else { continue };
            if let Err(error) = lump.kind.examine(&bytes, self.version) {
                let location = Location::of_entry(name, row as usize, self.stored_name(row));
                findings.push(Finding::of_archive(location, FindingKind::WrongContent(error)));
            }
        }
        findings.sort_by_key(|finding| finding.location.entry().unwrap_or(usize::MAX));
        findings
    }

    /// The range of the directory in the archive.
    pub(super) fn directory_range(&self) -> Range<u64> {
        self.directory.clone()
    }

    pub(super) fn content_type(&self, row: u32) -> ContentType {
        self.lump(row).map_or(ContentType::Other, |lump| lump.content)
    }

    fn lump(&self, row: u32) -> Option<&Lump> {
        self.rows.get(row as usize)
    }
}

type Rows = (Vec<Lump>, WadVersion, Range<u64>);

fn rows_of_wad(image: &Image) -> Result<Rows, Error> {
    let header = part(image, "the header", 0..quake_content::Wad::HEADER)?;
    let range = quake_content::Wad::directory_range(&header).map_err(damaged)?;
    let directory = part(image, "the directory", range.clone())?;
    let wad = quake_content::Wad::from_parts(&header, &directory).map_err(damaged)?;
    let row = |entry: WadEntry<'_>| {
        let start = entry.offset as u64;
        let content = match entry.kind {
            WadKind::Texture | WadKind::Decal => ContentType::Texture,
            WadKind::Picture => ContentType::Picture,
            WadKind::Font => ContentType::Font,
            WadKind::Palette | WadKind::Raw => ContentType::Lump,
            _ => ContentType::Other,
        };
        let range = start..start.saturating_add(entry.length as u64);
        Lump { name: entry.name.into(), range, content, kind: entry.kind }
    };
    Ok((wad.entries().map(row).collect(), wad.version(), range.start as u64..range.end as u64))
}

fn rows_of_level(image: &Image) -> Result<Rows, Error> {
    let header = image.bytes(0..image.size().min(Level::HEADER as u64))?;
    let level = Level::parse(&header).map_err(damaged)?;
    let range = level.textures_range().map_err(damaged)?;
    let lump = part(image, "the textures", range.clone())?;
    let row = |(name, within): (&[u8], Range<usize>)| Lump {
        name: name.into(),
        range: (range.start + within.start) as u64..(range.start + within.end) as u64,
        content: ContentType::Texture,
        kind: WadKind::Texture,
    };
    let version = if level.format() == LevelFormat::Bsp30 { WadVersion::Wad3 } else { WadVersion::Wad2 };
    let textures = Textures::parse(&lump, level.format()).map_err(damaged)?;
    Ok((textures.held().map(row).collect(), version, 0..0))
}

/// A range of the file, or an error that names the missing part.
fn part(image: &Image, what: &'static str, range: Range<usize>) -> Result<FileData, Error> {
    let size = image.size();
    if range.end as u64 > size {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        return Err(damaged(quake_content::Error::cut_off(what, range.end, size)));
    }
    image.bytes(range.start as u64..range.end as u64)
}

fn damaged(error: quake_content::Error) -> Error {
    ErrorKind::Directory(error).into()
}

impl Files for Wad {
    fn len(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    fn name(&self, row: u32) -> &[u8] {
        self.lump(row).map(|row| &*row.name).unwrap_or_default()
    }

    fn row(&self, row: u32) -> Row {
        let Range { start, end } = self.lump(row).map_or(0..0, |lump| lump.range.clone());
        Row { offset: start, ..Row::stored(end - start) }
    }

    fn check(&self, row: u32) -> Result<(), Error> {
        let range = self.lump(row).map(|row| row.range.clone()).unwrap_or_default();
        let image_size = self.image.size();
        if range.end <= image_size {
            return Ok(());
        }
        let [offset, stored_size] =
            [range.start, range.end - range.start].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Err(pak_format::Error::from(pak_format::ErrorKind::EntryOutside { offset, stored_size, image_size })
            .into())
    }

    fn read(&self, row: u32) -> Result<FileData, Error> {
        self.check(row)?;
        let entries = self.rows.len();
        let found = self.lump(row).ok_or(ErrorKind::NoSuchEntry { entry: row as usize, entries })?;
        self.image.bytes(found.range.clone())
    }

    fn payload_range(&self, row: u32) -> Option<Range<u64>> {
        self.check(row).ok()?;
        self.lump(row).map(|row| row.range.clone())
    }
}
