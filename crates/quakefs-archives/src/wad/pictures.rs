//! Converts entries of a WAD to files that people can edit.

use std::io::Cursor;
use std::sync::OnceLock;

use pak_format::verify::DecodeBudget;
use quake_content::HOLE;
use quake_content::WadKind;
use quake_content::picture::Picture;
use quake_content::{MipTexture, Palette};
use quakefs::archive::{ArchiveEntry, Row as FileRow};
use quakefs::pak_format::Source;

use super::decoded::ENTRY_CHUNK;
use super::wad_builder;
use super::{Error, FileData, Files, WadContents, WadVersion, content};
use crate::digest::NoDigest;

pub(super) struct Pictures {
    contents: WadContents,
    /// Or why the WAD's own cannot be read.
    palette: Result<Palette, Error>,
    rows: Vec<PictureRow>,
}

struct PictureRow {
    name: Vec<u8>,
    /// Whether it is one too many: entries may share bytes, and each picture is kept.
    is_over: bool,
    form: FileForm,
    made: OnceLock<Result<FileData, Error>>,
}

/// The first letter of liquids, which Windows does not allow in file names, and the letter that engines use
/// instead.
pub(super) const LIQUID: u8 = b'*';
pub(super) const LIQUID_ON_DISK: u8 = b'#';
/// The size of the console font. WADs of Quake store it under the kind of a texture.
pub(super) const FONT_BYTES: usize = 128 * 128;

/// The kind of a `.lmp` whose name does not have the number of a kind.
pub(super) fn kind_of_lump(bytes: &[u8]) -> WadKind {
    const PALETTE_BYTES: usize = 768;
    let is_picture = || Picture::with_size(bytes).is_ok_and(|found| found.pixels.len() + 8 == bytes.len());
    match bytes.len() {
        PALETTE_BYTES => WadKind::Palette,
        FONT_BYTES => WadKind::Texture,
        _ if is_picture() => WadKind::Picture,
        _ => WadKind::Raw,
    }
}

/// What the file of an entry has in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileForm {
    Texture,
    Picture,
    Stored,
}

impl FileForm {
    /// Every form. `.pic.png` ends in `.png`, so it comes first.
    pub(super) const ALL: [FileForm; 3] = [FileForm::Picture, FileForm::Texture, FileForm::Stored];

    pub(super) fn extension(self) -> &'static str {
        match self {
            FileForm::Picture => ".pic.png",
            FileForm::Texture => ".png",
            FileForm::Stored => ".lmp",
        }
    }
}

/// The name of a file without extension, as the disk takes it.
pub(super) fn on_disk(entry: &[u8]) -> Vec<u8> {
    let mut name = entry.to_vec();
    if let Some(first @ &mut LIQUID) = name.first_mut() {
        *first = LIQUID_ON_DISK;
    }
    name
}

impl WadContents {
    fn form(&self, entry: &ArchiveEntry<'_>, is_over: bool) -> FileForm {
        match self.kind(entry.index()) {
            Some(WadKind::Texture) if entry.size() != FONT_BYTES as u64 => FileForm::Texture,
            Some(WadKind::Decal) if !is_over && self.is_whole_texture(entry) => FileForm::Texture,
            Some(WadKind::Picture) => FileForm::Picture,
            _ => FileForm::Stored,
        }
    }

    fn is_whole_texture(&self, entry: &ArchiveEntry<'_>) -> bool {
        let Ok(bytes) = entry.read() else { return false };
        WadKind::Texture.examine(&bytes, self.version).is_ok()
    }

    /// The name of an entry's file. It has the number of the entry's kind if a file without the number would
    /// become an entry of another kind.
    fn file_name(&self, entry: &ArchiveEntry<'_>, form: FileForm, is_over: bool) -> Vec<u8> {
        let mut name = on_disk(entry.name().as_bytes());
        let kind = self.kind(entry.index()).unwrap_or(WadKind::Raw).number(self.version);
        let implied = match form {
            FileForm::Texture => Some(WadKind::Texture),
            FileForm::Picture => Some(WadKind::Picture),
            FileForm::Stored if is_over => None,
            FileForm::Stored => entry.read().ok().map(|bytes| kind_of_lump(&bytes)),
        };
        if implied.map(|implied| implied.number(self.version)) != Some(kind)
            || without_number(&name).1.is_some()
        {
            name.extend(format!(".0x{kind:02x}").into_bytes());
        }
        name.extend(form.extension().bytes());
        name
    }

    /// The entry as a WAD of its own, which a PNG keeps beside its pixels. `None` if a WAD cannot store its
    /// name.
    fn alone(&self, entry: usize, bytes: &[u8]) -> Option<Vec<u8>> {
        let kind = self.kind(entry).unwrap_or(WadKind::Raw).number(self.version);
        let name = self.archive.entry(entry).map(|entry| entry.name().as_bytes().to_vec());
        let mut builder = wad_builder(self.version);
        builder.push(name.unwrap_or_default(), Source::bytes(bytes)).kind(kind);
        let mut wad = Cursor::new(Vec::new());
        builder.write_to(&mut wad).ok()?;
        Some(wad.into_inner())
    }
}

/// Splits the number of a kind from a name: `font0.0x46` is `font0` of the kind 0x46.
pub(super) fn without_number(stem: &[u8]) -> (&[u8], Option<u8>) {
    let split = || {
        let (name, number) = stem.split_at_checked(stem.len().checked_sub(".0x46".len())?)?;
        let digits = number.strip_prefix(b".0x")?;
        let are_digits = digits.iter().all(u8::is_ascii_hexdigit) && !name.is_empty();
        let digits = std::str::from_utf8(digits).ok().filter(|_| are_digits)?;
        Some((name, Some(u8::from_str_radix(digits, 16).ok()?)))
    };
    split().unwrap_or((stem, None))
}

impl Pictures {
    pub(super) fn new(contents: WadContents, palette: Result<Palette, Error>) -> Pictures {
        let mut budget = DecodeBudget::for_archive(contents.archive.size());
        let row = |entry: ArchiveEntry<'_>| {
            let is_over = !budget.take(entry.size());
            let form = contents.form(&entry, is_over);
            let name = contents.file_name(&entry, form, is_over);
            PictureRow { name, form, is_over, made: OnceLock::new() }
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
        let shared = || self.palette.as_ref().map_err(Clone::clone);
        let form = self.rows.get(index).map_or(FileForm::Stored, |row| row.form);
        let kept = || self.contents.alone(index, &bytes);
        match form {
            FileForm::Texture => {
                let texture = MipTexture::parse(&bytes, has_palette).map_err(content)?;
                let own = texture.palette().map(Palette::of_colours);
                // a texture without an offset has its pixels elsewhere
                let elsewhere = || Picture::of_size(&[], (texture.width, texture.height));
                let picture = texture.picture(0).unwrap_or_else(elsewhere).map_err(content)?;
                let palette = own.as_ref().map_or_else(shared, Ok)?;
                png(picture, palette, texture.hole(), kept().as_deref())
            }
            FileForm::Picture => {
                let picture = Picture::with_size(&bytes).map_err(content)?;
                let own = has_palette.then(|| own_palette(&bytes, picture)).flatten();
                let palette = own.as_ref().map_or_else(shared, Ok)?;
                png(picture, palette, Some(HOLE), kept().as_deref())
            }
            FileForm::Stored => Ok(bytes),
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

/// An indexed PNG with all colours of the palette and the entry that it shows, so that it can be converted
/// back without a change.
fn png(
    picture: Picture<'_>,
    palette: &Palette,
    hole: Option<u8>,
    entry: Option<&[u8]>,
) -> Result<FileData, Error> {
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
        if let Some(entry) = entry {
            writer.write_chunk(png::chunk::ChunkType(ENTRY_CHUNK), entry)?;
        }
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
