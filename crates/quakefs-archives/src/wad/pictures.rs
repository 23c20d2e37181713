//! Converts entries of a WAD to files that people can edit.

use std::sync::OnceLock;

use pak_format::verify::DecodeBudget;
use quake_content::HOLE;
use quake_content::WadKind;
use quake_content::picture::Picture;
use quake_content::{MipTexture, Palette};
use quakefs::archive::Row as FileRow;

use crate::digested::NoDigest;

use super::{Error, FileData, Files, WadContents, WadVersion, content};

pub(super) struct Pictures {
    contents: WadContents,
    palette: Palette,
    rows: Vec<PictureRow>,
}

struct PictureRow {
    name: Vec<u8>,
    /// Whether it is one too many: entries may share bytes, and each picture is kept.
    is_over: bool,
    made: OnceLock<Result<FileData, Error>>,
}

/// The first letter of liquids, which Windows does not allow in file names, and the letter that engines use
/// instead.
pub(super) const LIQUID: u8 = b'*';
pub(super) const LIQUID_ON_DISK: u8 = b'#';
pub(super) const PICTURE: &[u8] = b".pic.png";
pub(super) const TEXTURE: &[u8] = b".png";
pub(super) const OTHER: &[u8] = b".lmp";
/// The size of the console font. WADs of Quake store it under the kind of a texture.
pub(super) const FONT_BYTES: usize = 128 * 128;

impl Pictures {
    pub(super) fn new(contents: WadContents, palette: Palette) -> Pictures {
        let mut budget = DecodeBudget::for_archive(contents.archive.size());
        let row = |entry: quakefs::archive::ArchiveEntry<'_>| {
            let mut name = entry.name().as_bytes().to_vec();
            if let Some(first @ &mut LIQUID) = name.first_mut() {
                *first = LIQUID_ON_DISK;
            }
            name.extend(match contents.kind(entry.index()) {
                Some(WadKind::Texture) if entry.size() != FONT_BYTES as u64 => TEXTURE,
                Some(WadKind::Picture) => PICTURE,
                _ => OTHER,
            });
            PictureRow { name, is_over: !budget.take(entry.size()), made: OnceLock::new() }
        };
        let rows = contents.archive.entries().map(row).collect();
        Pictures { contents, palette, rows }
    }

    fn make(&self, file: u32) -> Result<FileData, Error> {
        let index = file as usize;
        if self.rows.get(index).is_some_and(|row| row.is_over) {
            return Err(std::io::Error::other(NoDigest::OverLimit).into());
        }
        let bytes = self.contents.archive.read(index)?;
        let has_palette = self.contents.version == WadVersion::Wad3;
        match self.contents.kind(index) {
            Some(WadKind::Texture) if bytes.len() != FONT_BYTES => {
                let texture = MipTexture::parse(&bytes, has_palette).map_err(content)?;
                let own = texture.palette().map(Palette::of_colours);
                let hole = texture.name.starts_with(b"{").then_some(HOLE);
                // a texture without an offset has its pixels elsewhere
                let elsewhere = || Picture::of_size(&[], (texture.width, texture.height));
                let picture = texture.picture(0).unwrap_or_else(elsewhere).map_err(content)?;
                png(picture, own.as_ref().unwrap_or(&self.palette), hole)
            }
            Some(WadKind::Picture) => {
                let picture = Picture::with_size(&bytes).map_err(content)?;
                let own = has_palette.then(|| own_palette(&bytes, picture)).flatten();
                png(picture, own.as_ref().unwrap_or(&self.palette), Some(HOLE))
            }
            _ => Ok(bytes),
        }
    }

    fn made(&self, file: u32) -> Result<&FileData, Error> {
        let row =
            self.rows.get(file as usize).ok_or(std::io::ErrorKind::NotFound).map_err(std::io::Error::from)?;
        let make = || {
            let entry = self.contents.archive.entry(file as usize);
            let named = |error: Error| match &entry {
                Some(entry) => error.at_entry(entry.index(), entry.name()),
                None => error,
            };
            self.make(file).map_err(named)
        };
        row.made.get_or_init(make).as_ref().map_err(Clone::clone)
    }
}

/// The palette after a Half-Life picture: the number of colours, then the colours.
pub(super) fn own_palette(bytes: &[u8], picture: Picture<'_>) -> Option<Palette> {
    let rest = bytes.get(8 + picture.pixels.len() + 2..)?;
    let (colours, _) = rest.as_chunks();
    (!colours.is_empty()).then(|| Palette::of_colours(colours))
}

/// An indexed PNG with all colours of the palette, so that it can be converted back without a change.
fn png(picture: Picture<'_>, palette: &Palette, hole: Option<u8>) -> Result<FileData, Error> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.colours().as_flattened());
    if let Some(hole) = hole {
        let mut opacity = [255; 256];
        if let Some(of_hole) = opacity.get_mut(usize::from(hole)) {
            *of_hole = 0;
        }
        encoder.set_trns(opacity.to_vec());
    }
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(picture.pixels)?;
        writer.finish()
    });
    written.map_err(|error| Error::from(std::io::Error::other(error)))?;
    Ok(FileData::from(file))
}

impl Files for Pictures {
    fn len(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    fn name(&self, file: u32) -> &[u8] {
        self.rows.get(file as usize).map(|row| &*row.name).unwrap_or_default()
    }

    fn row(&self, file: u32) -> FileRow {
        FileRow::stored(self.made(file).map_or(0, |bytes| bytes.len() as u64))
    }

    fn read(&self, file: u32) -> Result<FileData, Error> {
        self.made(file).cloned()
    }

    fn check(&self, file: u32) -> Result<(), Error> {
        self.made(file).map(drop)
    }

    fn size(&self) -> u64 {
        self.contents.archive.size()
    }
}
